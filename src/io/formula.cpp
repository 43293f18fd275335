#include "denoc/io/formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include "denoc/io/number.hpp"
#include "denoc/io/report.hpp"
#include "digits.hpp"

namespace denoc::io {
namespace {

constexpr int deepest_nesting = 64;
// Waiting for an operation at a time: no more than a first argument, a term and a factor (or base) at each level.
constexpr std::size_t most_values = 4 * deepest_nesting;

using Apply = double (*)(double, double);
double plus(double x, double y) { return x + y; }
double minus(double x, double y) { return x - y; }
double times(double x, double y) { return x * y; }
double over(double x, double y) { return x / y; }
double power(double x, double y) { return std::pow(x, y); }
double negative(double x, double) { return -x; }
double degrees(double x, double) { return x * (std::numbers::pi / 180); }
double root(double x, double) { return std::sqrt(x); }
double step(double x, double) { return x < 0 ? 0 : x >= 0 ? 1 : x; }  // nan stays nan

struct Function {
  std::string_view name;
  std::size_t arguments;
  Apply apply;
};
constexpr Function functions[] = {
    {"deg", 1, degrees},
    {"sqrt", 1, root},
    {"sin", 1, [](double x, double) { return std::sin(x); }},
    {"cos", 1, [](double x, double) { return std::cos(x); }},
    {"tan", 1, [](double x, double) { return std::tan(x); }},
    {"exp", 1, [](double x, double) { return std::exp(x); }},
    {"log", 1, [](double x, double) { return std::log(x); }},
    {"abs", 1, [](double x, double) { return std::abs(x); }},
    {"step", 1, step},
    {"min", 2, [](double x, double y) { return x < y || std::isnan(x) ? x : y; }},
    {"max", 2, [](double x, double y) { return x > y || std::isnan(x) ? x : y; }},
    {"pow", 2, power},
};
const Function* function_named(std::string_view name) {
  const auto found =
      std::find_if(std::begin(functions), std::end(functions), [&](const Function& f) { return f.name == name; });
  return found == std::end(functions) ? nullptr : found;
}

// offset + rate t
struct Affine {
  double offset, rate;
};
std::optional<Affine> combined(Apply apply, const Affine& x, const Affine& y) {
  if (apply == plus || apply == minus) return Affine{apply(x.offset, y.offset), apply(x.rate, y.rate)};
  if (apply == times && x.rate == 0) return Affine{x.offset * y.offset, x.offset * y.rate};
  if (apply == times && y.rate == 0) return Affine{x.offset * y.offset, x.rate * y.offset};
  if (apply == over && y.rate == 0) return Affine{x.offset / y.offset, x.rate / y.offset};
  if (apply == negative) return Affine{-x.offset, -x.rate};
  return std::nullopt;
}

}  // namespace

// Recursive descent; the first broken rule ends it.
//   sum = product {(+|-) product},  product = signed {(*|/) signed},  signed = {+|-} power,  power = primary [^
//   signed], primary = number | pi | t | name(sum [, sum]) | (sum)
class FormulaCompiler {
 public:
  explicit FormulaCompiler(std::string_view text) : text_(text), rest_(text) { formula_.program_.clear(); }

  ParsedFormula compile() {
    sum();
    if (rule_.empty() && !rest_.empty()) fail(after_the_end());
    if (!rule_.empty()) return {Formula(), rule_};
    auto& breaks = formula_.breaks_;
    std::sort(breaks.begin(), breaks.end());
    breaks.erase(std::unique(breaks.begin(), breaks.end()), breaks.end());
    return {std::move(formula_)};
  }

 private:
  using Code = Formula::Code;

  void sum() {
    product();
    while (going()) {
      if (take('+')) {
        product();
        binary(plus);
      } else if (take('-')) {
        product();
        binary(minus);
      } else {
        break;
      }
    }
  }

  void product() {
    with_sign();
    while (going()) {
      if (take('*')) {
        with_sign();
        binary(times);
      } else if (take('/')) {
        with_sign();
        binary(over);
      } else {
        break;
      }
    }
  }

  void with_sign() {
    bool is_negative = false;
    for (;;) {
      if (take('-')) {
        is_negative = !is_negative;
      } else if (!take('+')) {
        break;
      }
    }
    to_the_power();
    if (is_negative) unary(negative);
  }

  void to_the_power() {
    primary();
    if (!going() || !take('^')) return;
    nested([&] { with_sign(); });
    binary(power);
  }

  void primary() {
    skip_space();
    if (take('(')) return closed(1);
    if (starts_number(rest_)) {
      const Number number = take_digits(rest_);
      if (!number) fail(number.rule);
      return push(Code::constant, number.value, Affine{number.value, 0});
    }
    const std::string_view name = word();
    if (name == "pi") return push(Code::constant, std::numbers::pi, Affine{std::numbers::pi, 0});
    if (name == "t") return push(Code::time, 0, Affine{0, 1});
    if (const Function* function = function_named(name)) return call(*function);
    if (means_not_finite(name)) return fail(fmt::format("{} is not a finite number", in_quotes(text_)));
    if (!name.empty()) return fail(unknown_name(name));
    if (rest_.empty()) return fail(fmt::format("{} ends where a number is expected", in_quotes(text_)));
    fail(fmt::format("{}: {} where a number is expected", in_quotes(text_), in_quotes(rest_.substr(0, 1))));
  }

  void call(const Function& function) {
    if (!take('(')) return fail(fmt::format("{}: {} wants parentheses", in_quotes(text_), in_quotes(function.name)));
    closed(function.arguments);
    if (function.arguments == 2) return binary(function.apply);
    if (function.apply == step) note_break();
    unary(function.apply);
  }

  // What stands in parentheses, the opening one already taken: so many sums with commas between.
  void closed(std::size_t count) {
    nested([&] {
      sum();
      for (std::size_t i = 1; i < count && going(); ++i) {
        if (!take(',')) fail(fmt::format("{}: {} arguments are expected", in_quotes(text_), count));
        sum();
      }
    });
    if (!going() || take(')')) return;
    fail(rest_.starts_with(',') ? fmt::format("{}: too many arguments, or a decimal comma", in_quotes(text_))
                                : fmt::format("{}: a parenthesis is not closed", in_quotes(text_)));
  }
  template <class Inner> void nested(const Inner& inner) {
    if (++depth_ > deepest_nesting) return fail("parentheses or powers nested too deeply");
    inner();
    --depth_;
  }

  void unary(Apply apply) { operation(Code::unary, 1, apply); }
  void binary(Apply apply) { operation(Code::binary, 2, apply); }

  // Of constants it is done here and now, and must be finite.
  void operation(Code code, std::size_t count, Apply apply) {
    if (!going()) return;
    auto& program = formula_.program_;
    const auto operands = program.end() - static_cast<std::ptrdiff_t>(count);
    const std::optional<Affine> x = values_[values_.size() - count], y = values_.back();
    values_.resize(values_.size() - count);
    const bool is_constant =
        std::all_of(operands, program.end(), [](const auto& i) { return i.code == Code::constant; });
    if (is_constant) {
      const double first = operands->value, last = program.back().value, result = apply(first, last);
      program.erase(operands, program.end());
      if (!std::isfinite(result)) return fail(why_not_finite(apply, last));
      push(Code::constant, result, Affine{result, 0});
    } else {
      push(code, 0, x && y ? combined(apply, *x, *y) : std::nullopt, apply);
    }
  }
  std::string why_not_finite(Apply apply, double last) const {
    if (apply == over && last == 0) return fmt::format("{} divides by zero", in_quotes(text_));
    if (apply == root) return fmt::format("{}: the square root of a negative number", in_quotes(text_));
    return fmt::format("{} is not finite", in_quotes(text_));
  }

  void push(Code code, double value, const std::optional<Affine>& affine, Apply apply = nullptr) {
    formula_.program_.push_back({code, value, apply});
    values_.push_back(affine);
  }

  // The value on top becomes the argument of a step.
  void note_break() {
    if (!going() || !values_.back() || values_.back()->rate == 0) return;
    const double at = -values_.back()->offset / values_.back()->rate;
    if (std::isfinite(at)) formula_.breaks_.push_back(at + 0.0);  // no negative zero
  }

  std::string unknown_name(std::string_view name) const {
    Words names = {"pi", "t"};
    for (const Function& f : functions) names.push_back(f.name);
    const auto meant = nearest(name, names);
    return fmt::format(
        "{}: {} is not a number, {}", in_quotes(text_), in_quotes(name),
        meant ? fmt::format("did you mean '{}'?", *meant) : fmt::format("nor one of {}", fmt::join(names, ", ")));
  }
  std::string after_the_end() const {
    std::string_view rest = rest_;
    const std::string_view name =
        rest.substr(0, static_cast<std::size_t>(std::find_if_not(rest.begin(), rest.end(), is_letter) - rest.begin()));
    if (name == "pi" || name == "t" || function_named(name) != nullptr || rest.starts_with('('))
      return fmt::format("{}: {} follows the number: a product is written with *", in_quotes(text_), in_quotes(rest));
    return left_over(text_, rest_);
  }

  bool going() {
    skip_space();
    return rule_.empty();
  }
  void skip_space() {
    while (!rest_.empty() && is_space(rest_.front())) rest_.remove_prefix(1);
  }
  bool take(char c) {
    skip_space();
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  std::string_view word() {
    std::size_t size = 0;
    while (size < rest_.size() && is_letter(rest_[size])) ++size;
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }
  void fail(std::string rule) {
    if (rule_.empty()) rule_ = std::move(rule);
  }

  std::string_view text_, rest_;
  std::string rule_;
  int depth_ = 0;
  Formula formula_;
  std::vector<std::optional<Affine>> values_;  // what is known of those waiting
};

ParsedFormula Formula::parse(std::string_view text) {
  text = trimmed(text);
  if (text.empty() || means_not_finite(text)) return {Formula(), not_a_number(text)};
  return FormulaCompiler(text).compile();
}

double Formula::operator()(double t) const {
  std::array<double, most_values> values;
  std::size_t count = 0;
  for (const Instruction& i : program_) {
    switch (i.code) {
      case Code::constant:
        values[count++] = i.value;
        break;
      case Code::time:
        values[count++] = t;
        break;
      case Code::unary:
        values[count - 1] = i.apply(values[count - 1], 0);
        break;
      case Code::binary:
        --count;
        values[count - 1] = i.apply(values[count - 1], values[count]);
        break;
    }
  }
  return values[0];
}

std::vector<double> breaks_of(std::span<const Formula> formulas) {
  std::vector<double> all;
  for (const Formula& f : formulas) all.insert(all.end(), f.breaks().begin(), f.breaks().end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

}  // namespace denoc::io
