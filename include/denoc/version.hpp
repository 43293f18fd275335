// The version of the library; CMake and the package read it here.
#pragma once
#include <string_view>

namespace denoc {

inline constexpr std::string_view version = "0.1.0";

}  // namespace denoc
