#pragma once
#include <fmt/format.h>

#include <string>
#include <string_view>

namespace denoc::app {

// "1 body", "2 bodies"; many: where it is not one with an s.
template <class Number> std::string number_of(Number n, std::string_view one, std::string_view many = {}) {
  return n != 1 && !many.empty() ? fmt::format("{} {}", n, many) : fmt::format("{} {}{}", n, one, n == 1 ? "" : "s");
}

}  // namespace denoc::app
