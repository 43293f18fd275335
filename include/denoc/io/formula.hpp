// Formulas as files write them: "2*sin(2*t) - step(t - 1)". One grammar for constants, functions of time and of named
// quantities.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "denoc/scalar/jet.hpp"

namespace denoc::io {

struct ParsedFormula;

/// A formula of t and named variables, compiled once. With + - * / ^ (from the right, and before a sign: -2^2 = -4),
/// parentheses, pi, deg, sqrt, sin, cos, tan, atan, tanh, exp, log, abs, min, max, pow and step (0 before 0, 1 from 0
/// on). Whatever of it is constant is finite; what depends on t is what arithmetic makes of it.
class Formula {
 public:
  Formula() : Formula(0) {}
  explicit Formula(double constant) : program_{{Code::constant, constant, 0, nullptr}} {}
  static ParsedFormula parse(std::string_view text, std::span<const std::string> variables = {});

  /// All calls allocate nothing. `values`: of the variables, in their order.
  double operator()(double t, std::span<const double> values = {}) const;
  /// With its derivatives by time, the variables standing still; where it has a kink, those that follow, and where it
  /// jumps, the value that follows, too: that of step(-t) is 1 at 0, and its jet is 0.
  Jet jet(double t, std::span<const double> values = {}) const;

  bool is_constant() const { return program_.size() == 1 && program_[0].code == Code::constant; }
  /// Where step(a + b t) jumps and where abs, min and max of such arguments have their kinks, in order: other arguments
  /// are not looked into.
  const std::vector<double>& breaks() const { return breaks_; }

  // What is done with one or two values; a unary one ignores the second.
  struct Operation;

 private:
  friend class FormulaCompiler;
  enum class Code : unsigned char { constant, time, variable, unary, binary };
  struct Instruction {
    Code code;
    double value;         // of a constant
    std::size_t index;    // of a variable
    const Operation* of;  // the last one or two values
  };
  template <class T> T run(const T& t, std::span<const double> values) const;

  std::vector<Instruction> program_;  // each takes what the ones before have left
  std::vector<double> breaks_ = {};
};

/// A formula, or the rule that its text breaks.
struct ParsedFormula {
  Formula formula = {};
  std::string rule = {};
  explicit operator bool() const { return rule.empty(); }
};

/// The breaks of all of them, in order, each once.
std::vector<double> breaks_of(std::span<const Formula> formulas);

}  // namespace denoc::io
