// How many attributes an element of XML may have.
#pragma once
#include <string_view>

#include "denoc/io/report.hpp"

namespace denoc::io {

// The parser compares each with all before it: a hundred thousand would keep it busy for half a minute.
inline constexpr int most_attributes = 256;
// Reports the first element that has more. What is no XML is left to the parser to say.
void check_attributes(std::string_view xml, Report& report);

}  // namespace denoc::io
