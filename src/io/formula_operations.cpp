#include "formula_operations.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <type_traits>

namespace denoc::io {
namespace {

// An operation of one and of two values, for numbers and for jets alike.
template <class F> constexpr Operation unary_operation(std::string_view name, F) {
  return {name, 1, [](double x, double) -> double { return F()(x); },
          [](const Jet& x, const Jet&) -> Jet { return F()(x); }};
}
template <class F> constexpr Operation binary_operation(std::string_view name, F) {
  return {name, 2, [](double x, double y) -> double { return F()(x, y); },
          [](const Jet& x, const Jet& y) -> Jet { return F()(x, y); }};
}

double step_of(double x) { return x < 0 ? 0 : x >= 0 ? 1 : x; }  // nan stays nan
Jet step_of(const Jet& x) { return {std::isnan(x.x) || sign_after(x) >= 0 ? step_of(std::abs(x.x)) : 0}; }

using std::abs, std::atan, std::cos, std::exp, std::log, std::pow, std::sin, std::sqrt, std::tan, std::tanh;
Jet atan(const Jet& x) {
  const double slope = 1 / (1 + x.x * x.x);
  return chain(x, std::atan(x.x), slope, -2 * x.x * slope * slope);
}
Jet tanh(const Jet& x) {
  const double y = std::tanh(x.x), slope = 1 - y * y;
  return chain(x, y, slope, -2 * y * slope);
}
template <class T> T degrees(const T& x) {
  if constexpr (std::is_same_v<T, Jet>) {
    return x * Jet{std::numbers::pi / 180};
  } else {
    return x * (std::numbers::pi / 180);
  }
}
constexpr Operation all_functions[] = {
    unary_operation("deg", [](const auto& x) { return degrees(x); }),
    unary_operation("sqrt", [](const auto& x) { return sqrt(x); }),
    unary_operation("sin", [](const auto& x) { return sin(x); }),
    unary_operation("cos", [](const auto& x) { return cos(x); }),
    unary_operation("tan", [](const auto& x) { return tan(x); }),
    unary_operation("atan", [](const auto& x) { return atan(x); }),
    unary_operation("tanh", [](const auto& x) { return tanh(x); }),
    unary_operation("exp", [](const auto& x) { return exp(x); }),
    unary_operation("log", [](const auto& x) { return log(x); }),
    unary_operation("abs", [](const auto& x) { return abs(x); }),
    unary_operation("step", [](const auto& x) { return step_of(x); }),
    binary_operation("min", [](const auto& x, const auto& y) { return least(x, y); }),
    binary_operation("max", [](const auto& x, const auto& y) { return most(x, y); }),
    binary_operation("pow", [](const auto& x, const auto& y) { return pow(x, y); }),
};

}  // namespace

constexpr Operation plus = binary_operation("", [](const auto&x, const auto&y) { return x + y; }),
                    minus = binary_operation("", [](const auto&x, const auto&y) { return x - y; }),
                    times = binary_operation("", [](const auto&x, const auto&y) { return x * y; }),
                    over = binary_operation("", [](const auto&x, const auto&y) { return x / y; }),
                    negative = unary_operation("", [](const auto&x) { return -x; });

std::span<const Operation> functions() { return all_functions; }
const Operation* function_named(std::string_view name) {
  const auto found = std::ranges::find(all_functions, name, &Operation::name);
  return found == std::end(all_functions) ? nullptr : found;
}
const Operation& power() { return *function_named("pow"); }

}  // namespace denoc::io
