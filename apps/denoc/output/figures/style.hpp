// How the page looks.
#pragma once
#include <string_view>

namespace denoc::figures {

std::string_view page_style();

}  // namespace denoc::figures
