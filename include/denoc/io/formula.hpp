// Formulas as files write them: "2*sin(2*t) - step(t - 1)". One grammar for constants and for functions of time.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace denoc::io {

struct ParsedFormula;

// A formula of t, compiled once. With + - * / ^ (from the right, and before a sign: -2^2 = -4), parentheses, pi, deg,
// sqrt, sin, cos, tan, exp, log, abs, min, max, pow and step (0 before 0, 1 from 0 on). Whatever of it is constant is
// finite; what depends on t is what arithmetic makes of it.
class Formula {
 public:
  Formula() : Formula(0) {}
  explicit Formula(double constant) : program_{{Code::constant, constant, nullptr}} {}
  static ParsedFormula parse(std::string_view text);

  double operator()(double t) const;  // allocates nothing
  bool is_constant() const { return program_.size() == 1 && program_[0].code == Code::constant; }
  // Where step(a + b t) jumps, in order: steps of anything else are not looked into.
  const std::vector<double>& breaks() const { return breaks_; }

 private:
  friend class FormulaCompiler;
  enum class Code : unsigned char { constant, time, unary, binary };
  struct Instruction {
    Code code;
    double value;                     // of a constant
    double (*apply)(double, double);  // to the last one or two values; a unary one ignores the second
  };
  std::vector<Instruction> program_;  // each takes what the ones before have left
  std::vector<double> breaks_ = {};
};

// A formula, or the rule that its text breaks.
struct ParsedFormula {
  Formula formula = {};
  std::string rule = {};
  explicit operator bool() const { return rule.empty(); }
};

// The breaks of all of them, in order, each once.
std::vector<double> breaks_of(std::span<const Formula> formulas);

}  // namespace denoc::io
