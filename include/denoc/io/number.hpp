// Numbers as files write them: the whole text or nothing, finite, and the same in every locale.
#pragma once
#include <string>
#include <string_view>

namespace denoc::io {

/// A number, or the rule that its text breaks.
struct Number {
  double value = 0;
  std::string rule = {};
  explicit operator bool() const { return rule.empty(); }
};

/// A decimal number: "1.5", "-2e-3", "+1". What is too small for a double is zero, what is too large is refused.
Number plain_number(std::string_view text);
/// The same, or an expression: a formula (io/formula.hpp) without the time.
Number expression(std::string_view text);

}  // namespace denoc::io
