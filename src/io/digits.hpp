// Numbers at the front of a text: what plain numbers and formulas are read with.
#pragma once
#include <string>
#include <string_view>

#include "denoc/io/number.hpp"

namespace denoc::io {

inline bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
std::string_view trimmed(std::string_view text);

bool starts_number(std::string_view text);
// One unsigned decimal number, taken off the front of the text. Signs are the caller's.
Number take_digits(std::string_view& text);

// nan, inf and their like, as YAML and others write them.
bool means_not_finite(std::string_view word);
// A plain number, or one of these.
Number number_or_not_finite(std::string_view text);
// Why a text is no number at all.
std::string not_a_number(std::string_view text);
// Why the text as a whole is no number when `rest` is left of it.
std::string left_over(std::string_view text, std::string_view rest);

}  // namespace denoc::io
