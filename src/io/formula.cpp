#include "denoc/io/formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <type_traits>

#include "denoc/io/number.hpp"
#include "denoc/io/report.hpp"
#include "denoc/model/utf8.hpp"
#include "digits.hpp"
#include "formula_operations.hpp"

namespace denoc::io {
namespace {

constexpr int deepest_formula = 64;
// Waiting for an operation at a time: no more than a first argument, a term and a factor (or base) at each level.
constexpr std::size_t most_waiting = 4 * deepest_formula;

// Signs as they are printed, and how a formula is written with them.
constexpr std::pair<std::string_view, std::string_view> printed_signs[] = {
    {"\u2212", "-"},  {"\u2013", "-"},  {"\u00D7", "*"},       {"\u00B7", "*"},
    {"\u03C0", "pi"}, {"\u00B2", "^2"}, {"\u00B0", "deg(...)"}};

// offset + rate t
struct Affine {
  double offset, rate;
};
std::optional<Affine> combined(const Operation& of, const Affine& x, const Affine& y) {
  if (&of == &plus) return Affine{x.offset + y.offset, x.rate + y.rate};
  if (&of == &minus) return Affine{x.offset - y.offset, x.rate - y.rate};
  if (&of == &times && x.rate == 0) return Affine{x.offset * y.offset, x.offset * y.rate};
  if (&of == &times && y.rate == 0) return Affine{x.offset * y.offset, x.rate * y.offset};
  if (&of == &over && y.rate == 0) return Affine{x.offset / y.offset, x.rate / y.offset};
  if (&of == &negative) return Affine{-x.offset, -x.rate};
  return std::nullopt;
}
// What passes through zero where the operation jumps or has a kink.
std::optional<Affine> breaking(const Operation& of, const Affine& x, const Affine& y) {
  if (of.name == "step" || of.name == "abs") return x;
  if (of.name == "min" || of.name == "max") return Affine{x.offset - y.offset, x.rate - y.rate};
  return std::nullopt;
}

}  // namespace

// Recursive descent; the first broken rule ends it.
//   sum = product {(+|-) product},  product = signed {(*|/) signed},  signed = {+|-} power,  power = primary [^
//   signed], primary = number | pi | t | variable | name(sum [, sum]) | (sum)
class FormulaCompiler {
 public:
  FormulaCompiler(std::string_view text, std::span<const std::string> variables, bool of_time = true)
      : text_(text), rest_(text), variables_(variables), of_time_(of_time) {
    formula_.program_.clear();
  }

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
        operation(plus);
      } else if (take('-')) {
        product();
        operation(minus);
      } else {
        break;
      }
    }
  }

  void product() {
    with_sign();
    while (going()) {
      if (take('*')) {
        if (rest_.starts_with('*')) return fail(fmt::format("{}: a power is written with ^", in_quotes(text_)));
        with_sign();
        operation(times);
      } else if (take('/')) {
        with_sign();
        operation(over);
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
    if (is_negative) operation(negative);
  }

  void to_the_power() {
    primary();
    if (!going() || !take('^')) return;
    nested([&] { with_sign(); });
    operation(power());
  }

  void primary() {
    skip_space();
    if (take('(')) return closed(1);
    if (starts_number(rest_)) {
      last_number_ = rest_;
      const Number number = take_digits(rest_);
      last_number_.remove_suffix(rest_.size());
      if (!number) fail(number.rule);
      return push(Code::constant, number.value, Affine{number.value, 0});
    }
    if (const auto index = take_variable()) return push(Code::variable, 0, std::nullopt, *index);
    const std::string_view name = word();
    if (name == "pi") return push(Code::constant, std::numbers::pi, Affine{std::numbers::pi, 0});
    if (name == "t") return push(Code::time, 0, Affine{0, 1});
    if (const Operation* function = function_named(name)) return call(*function);
    if (means_not_finite(name)) return fail(fmt::format("{} is not a finite number", in_quotes(text_)));
    if (!name.empty()) return fail(unknown_name(name));
    if (rest_.empty()) return fail(fmt::format("{} ends where a number is expected", in_quotes(text_)));
    const std::string_view sign = rest_.substr(0, std::max<std::size_t>(utf8_character(rest_), 1));
    fail(printed_sign().value_or(fmt::format("{}: {} where a number is expected", in_quotes(text_), in_quotes(sign))));
  }

  void call(const Operation& function) {
    if (!take('('))
      return fail(function.name == "deg" && !last_number_.empty()
                      ? in_degrees()
                      : fmt::format("{}: {} wants parentheses", in_quotes(text_), in_quotes(function.name)));
    closed(function.arguments);
    operation(function);
  }

  // What stands in parentheses, the opening one already taken: so many sums with commas between.
  void closed(std::size_t count) {
    nested([&] {
      sum();
      for (std::size_t i = 1; i < count && going(); ++i) {
        if (take(',')) {
          sum();
        } else {
          fail(rest_.empty() || rest_.starts_with(')')
                   ? fmt::format("{}: {} arguments are expected", in_quotes(text_), count)
                   : after_the_end());
        }
      }
    });
    if (!going() || take(')')) return;
    if (rest_.empty()) return fail(fmt::format("{}: a parenthesis is not closed", in_quotes(text_)));
    fail(rest_.starts_with(',') ? fmt::format("{}: too many arguments, or a decimal comma", in_quotes(text_))
                                : after_the_end());
  }
  template <class Inner> void nested(const Inner& inner) {
    if (++depth_ > deepest_formula) return fail("parentheses or powers nested too deeply");
    inner();
    --depth_;
  }

  // Of constants it is done here and now, and must be finite.
  void operation(const Operation& of) {
    if (!going()) return;
    auto& program = formula_.program_;
    const Waiting first = values_[values_.size() - of.arguments], second = values_.back();
    const auto &x = first.affine, &y = second.affine;
    values_.resize(values_.size() - of.arguments);
    // What waits for it stands last in the program, if it is constant: a single instruction each.
    const auto operands = program.end() - static_cast<std::ptrdiff_t>(of.arguments);
    const bool is_constant =
        std::all_of(operands, program.end(), [](const auto& i) { return i.code == Code::constant; });
    if (is_constant) {
      const double first = operands->value, last = program.back().value, result = of.of_numbers(first, last);
      program.erase(operands, program.end());
      if (!std::isfinite(result)) return fail(why_not_finite(of, last));
      push(Code::constant, result, Affine{result, 0});
    } else {
      const bool is_rewritten = x && y && breaks_at_zero(of, breaking(of, *x, *y), first.begin, second.begin);
      if (is_rewritten && of.arguments == 2) formula_.program_.push_back({Code::constant, 0, 0, nullptr});
      emit(of);
      if (is_rewritten && of.arguments == 2) emit(plus);
      values_.push_back({x && y ? combined(of, *x, *y) : std::nullopt, first.begin});
    }
  }
  void emit(const Operation& of) {
    formula_.program_.push_back({of.arguments == 1 ? Code::unary : Code::binary, 0, 0, &of});
  }
  std::string why_not_finite(const Operation& of, double last) const {
    if (&of == &over && last == 0) return fmt::format("{} divides by zero", in_quotes(text_));
    if (of.name == "sqrt") return fmt::format("{}: the square root of a negative number", in_quotes(text_));
    return fmt::format("{} is not finite", in_quotes(text_));
  }

  void push(Code code, double value, const std::optional<Affine>& affine, std::size_t index = 0) {
    values_.push_back({affine, formula_.program_.size()});
    formula_.program_.push_back({code, value, index, nullptr});
  }

  // The instant is noted, and what passes through zero there is computed from it, whatever roundings its terms leave: on
  // either side of the instant it has the sign that it should.
  //   step(z), abs(z): z = rate (t - at);   min(x, y) = y + min(z, 0), z = x - y
  bool breaks_at_zero(const Operation& of, const std::optional<Affine>& z, std::size_t x, std::size_t y) {
    if (!z || z->rate == 0) return false;
    const double at = -z->offset / z->rate + 0.0;  // no negative zero
    if (!std::isfinite(at)) return false;
    formula_.breaks_.push_back(at);
    auto& program = formula_.program_;
    const auto place = [&](std::size_t i) { return program.begin() + static_cast<std::ptrdiff_t>(i); };
    program.erase(place(x), of.arguments == 1 ? program.end() : place(y));
    program.insert(program.end(), {{Code::time, 0, 0, nullptr},
                                   {Code::constant, at, 0, nullptr},
                                   {Code::binary, 0, 0, &minus},
                                   {Code::constant, z->rate, 0, nullptr},
                                   {Code::binary, 0, 0, &times}});
    return true;
  }

  // The longest variable that stands here, as a word of its own, if that is all it can be.
  std::optional<std::size_t> take_variable() {
    std::optional<std::size_t> longest;
    for (std::size_t i = 0; i < variables_.size(); ++i)
      if (stands_at(rest_, variables_[i]) && (!longest || variables_[*longest].size() < variables_[i].size()))
        longest = i;
    if (!longest) return std::nullopt;
    const std::string_view name = rest_.substr(0, variables_[*longest].size());
    for (std::size_t i = 0; i < variables_.size(); ++i)
      if (i != *longest && stands_at(rest_, variables_[i])) refuse_second_reading(name, variables_[i]);
    rest_.remove_prefix(name.size());
    return longest;
  }
  static bool stands_at(std::string_view text, std::string_view name) {
    return text.starts_with(name) && (text.size() == name.size() || !continues_name(text[name.size()]));
  }
  // "q.a-1" where there are q.a and q.a-1.
  void refuse_second_reading(std::string_view name, std::string_view other) {
    if (other.size() == name.size()) return fail(fmt::format("{} is the name of two things here", in_quotes(name)));
    if (!could_follow(rest_.substr(other.size()))) return;
    fail(fmt::format("{} is a name, and {} with {} behind it, too: this one is written with a space between",
                     in_quotes(name), in_quotes(other), in_quotes(name.substr(other.size()))));
  }
  // Whether it could go on like that behind a value: with the end of parentheses, or a sign and something after it.
  bool could_follow(std::string_view rest) const {
    rest = trimmed(rest);
    if (rest.starts_with(')') || rest.starts_with(',')) return true;
    const std::size_t operand = std::min(rest.find_first_not_of("+-*/^ \t\r\n"), rest.size());
    const bool has_sign = rest.substr(0, operand).find_first_not_of(" \t\r\n") != std::string_view::npos;
    rest.remove_prefix(operand);
    return has_sign && (starts_number(rest) || starts_factor(rest));
  }
  // A value begins there that is no number.
  bool starts_factor(std::string_view text) const {
    const auto stands = [&](std::string_view name) { return stands_at(text, name); };
    return text.starts_with('(') || stands("pi") || stands("t") ||
           std::any_of(variables_.begin(), variables_.end(), stands) ||
           std::ranges::any_of(functions(), [&](const Operation& f) { return stands(f.name); });
  }
  static bool continues_name(char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '.'; }

  // A word that the formula has taken already. What is called as a function, or is q where there is v, means something
  // of its own: no suggestion then.
  std::string unknown_name(std::string_view word) const {
    const std::string_view name = with_dots(word);
    const std::string_view behind = text_.substr(static_cast<std::size_t>(name.data() - text_.data()) + name.size());
    Words known;
    for (const Operation& f : functions()) known.push_back(f.name);
    if (trimmed(behind).starts_with('('))
      return fmt::format("{}: unknown function {}; known: {}", in_quotes(text_), in_quotes(name),
                         fmt::join(known, ", "));
    known.insert(known.begin(), "pi");
    if (of_time_) known.insert(known.begin() + 1, "t");
    known.insert(known.end(), variables_.begin(), variables_.end());
    Words alike;
    const auto kind = [](std::string_view n) { return n.substr(0, n.find('.') + 1); };  // "q." of "q.arm", or nothing
    for (const std::string_view k : known)
      if (kind(k) == kind(name) && function_named(k) == nullptr) alike.push_back(k);
    const auto meant = nearest(name, alike);
    return fmt::format(
        "{}: {} is not a number, {}", in_quotes(text_), in_quotes(name),
        meant ? fmt::format("did you mean '{}'?", *meant) : fmt::format("nor one of {}", fmt::join(known, ", ")));
  }
  // What stands where a sign is expected.
  std::string after_the_end() const {
    const auto letters =
        static_cast<std::size_t>(std::find_if_not(rest_.begin(), rest_.end(), is_letter) - rest_.begin());
    const std::string_view word = rest_.substr(0, letters);
    const bool is_called = trimmed(rest_.substr(letters)).starts_with('(');
    if (word.starts_with("deg") && !is_called) return in_degrees();
    if (starts_factor(rest_))
      return fmt::format("{}: {} follows the number: a product is written with *", in_quotes(text_),
                         in_quotes(word.empty() ? "(" : with_dots(word)));
    return printed_sign().value_or(left_over(text_, rest_));
  }
  // "10 deg" and "10*deg"
  std::string in_degrees() const {
    return fmt::format("{}: degrees are written deg({})", in_quotes(text_),
                       last_number_.empty() ? "..." : last_number_);
  }
  std::optional<std::string> printed_sign() const {
    for (const auto& [sign, written] : printed_signs)
      if (rest_.starts_with(sign))
        return fmt::format("{}: {} is written {}", in_quotes(text_), in_quotes(sign), written);
    return std::nullopt;
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
  // The name as a whole: "q.pole", of which the word is the beginning.
  std::string_view with_dots(std::string_view name) const {
    std::size_t size = name.size();
    const std::string_view from = text_.substr(static_cast<std::size_t>(name.data() - text_.data()));
    while (size < from.size() && continues_name(from[size])) ++size;
    return from.substr(0, size);
  }
  void fail(std::string rule) {
    if (rule_.empty()) rule_ = std::move(rule);
  }

  std::string_view text_, rest_;
  std::span<const std::string> variables_;
  bool of_time_;  // t means something
  std::string rule_;
  std::string_view last_number_ = {};
  int depth_ = 0;
  Formula formula_;
  struct Waiting {
    std::optional<Affine> affine;  // what is known of it
    std::size_t begin;             // of its instructions
  };
  std::vector<Waiting> values_;
};

namespace {

ParsedFormula compiled(std::string_view text, std::span<const std::string> variables, bool of_time) {
  text = trimmed(text);
  if (text.empty() || means_not_finite(text)) return {Formula(), not_a_number(text)};
  return FormulaCompiler(text, variables, of_time).compile();
}

}  // namespace

ParsedFormula Formula::parse(std::string_view text, std::span<const std::string> variables) {
  return compiled(text, variables, true);
}

Number expression(std::string_view text) {
  const ParsedFormula parsed = compiled(text, {}, false);
  if (!parsed) return {0, parsed.rule};
  if (!parsed.formula.is_constant())
    return {0, fmt::format("{} depends on the time t: a constant is expected", in_quotes(trimmed(text)))};
  return {parsed.formula(0)};
}

template <class T> T Formula::run(const T& t, std::span<const double> values) const {
  const auto apply = [](const Operation& of, const T& x, const T& y) {
    if constexpr (std::is_same_v<T, Jet>) {
      return of.of_jets(x, y);
    } else {
      return of.of_numbers(x, y);
    }
  };
  std::array<T, most_waiting> waiting;
  std::size_t count = 0;
  for (const Instruction& i : program_) {
    switch (i.code) {
      case Code::constant:
        waiting[count++] = T{i.value};
        break;
      case Code::time:
        waiting[count++] = t;
        break;
      case Code::variable:
        waiting[count++] = T{values[i.index]};
        break;
      case Code::unary:
        waiting[count - 1] = apply(*i.of, waiting[count - 1], T{});
        break;
      case Code::binary:
        --count;
        waiting[count - 1] = apply(*i.of, waiting[count - 1], waiting[count]);
        break;
    }
  }
  return waiting[0];
}
double Formula::operator()(double t, std::span<const double> values) const { return run<double>(t, values); }
Jet Formula::jet(double t, std::span<const double> values) const { return run<Jet>(Jet{t, 1, 0}, values); }

std::vector<double> breaks_of(std::span<const Formula> formulas) {
  std::vector<double> all;
  for (const Formula& f : formulas) all.insert(all.end(), f.breaks().begin(), f.breaks().end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

}  // namespace denoc::io
