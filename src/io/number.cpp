#include "denoc/io/number.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <numbers>

#include "denoc/io/report.hpp"

namespace denoc::io {
namespace {

constexpr int deepest_nesting = 64;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

// from_chars says "out of range" for 1e999 and 1e-999 alike: the place of the first digit that counts decides.
bool is_too_large(std::string_view digits) {
  const std::size_t mark = digits.find_first_of("eE");
  const std::string_view mantissa = digits.substr(0, mark);
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const auto first = static_cast<std::ptrdiff_t>(std::min(mantissa.find_first_of("123456789"), mantissa.size()));
  long exponent = 0;
  if (mark != std::string_view::npos) {
    std::string_view power = digits.substr(mark + 1);
    if (power.starts_with('+')) power.remove_prefix(1);
    const auto read = std::from_chars(power.data(), power.data() + power.size(), exponent);
    if (read.ec == std::errc::result_out_of_range) return !power.starts_with('-');
  }
  return static_cast<std::ptrdiff_t>(point) - first + exponent > 0;
}

// One unsigned decimal number, taken off the front of the text. Signs are the caller's: from_chars takes a minus and no
// plus.
Number take_digits(std::string_view& text) {
  const bool is_hexadecimal = text.size() > 1 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  if (is_hexadecimal) return {0, fmt::format("{} is hexadecimal: numbers are decimal", in_quotes(text))};
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec == std::errc::invalid_argument) return {0, fmt::format("{} is not a number", in_quotes(text))};
  const std::string_view digits = text.substr(0, static_cast<std::size_t>(read.ptr - text.data()));
  text.remove_prefix(digits.size());
  if (read.ec == std::errc::result_out_of_range) {
    if (is_too_large(digits)) return {0, fmt::format("{} is too large", in_quotes(digits))};
    value = 0;
  }
  return {value};
}

bool starts_number(std::string_view text) {
  return !text.empty() && (is_digit(text[0]) || (text[0] == '.' && text.size() > 1 && is_digit(text[1])));
}

bool means_not_finite(std::string_view word) {
  if (!word.empty() && (word[0] == '+' || word[0] == '-')) word.remove_prefix(1);
  if (word.starts_with('.')) word.remove_prefix(1);  // YAML's .nan and .inf
  for (const std::string_view name : {"nan", "inf", "infinity"}) {
    if (word.size() != name.size()) continue;
    bool same = true;
    for (std::size_t i = 0; i < name.size(); ++i) same &= (word[i] | 0x20) == name[i];
    if (same) return true;
  }
  return false;
}

// Why the text as a whole is no number when `rest` is left of it.
std::string left_over(std::string_view text, std::string_view rest) {
  if (rest[0] == ',') return fmt::format("{}: decimals are written with a point, not with a comma", in_quotes(text));
  if (is_letter(rest[0]))
    return fmt::format("{}: {} follows the number (units are not written: all is SI)", in_quotes(text),
                       in_quotes(rest));
  return fmt::format("{}: {} follows the number", in_quotes(text), in_quotes(rest));
}

std::string not_a_number(std::string_view text) {
  if (text.empty()) return "empty where a number is expected";
  if (means_not_finite(text)) return fmt::format("{} is not a finite number", in_quotes(text));
  if (text.find("${") != std::string_view::npos)
    return fmt::format("{} is a xacro expression: expand the file first", in_quotes(text));
  return fmt::format("{} is not a number", in_quotes(text));
}

// Recursive descent; the first broken rule ends it.
//   sum = product {(+|-) product},  product = signed {(*|/) signed},  signed = {+|-} primary,
//   primary = number | pi | deg(sum) | sqrt(sum) | (sum)
class Expression {
 public:
  explicit Expression(std::string_view text) : text_(text), rest_(text) {}

  Number evaluate() {
    const double value = sum();
    if (rule_.empty() && !rest_.empty()) fail(left_over(text_, rest_));
    if (!rule_.empty()) return {0, rule_};
    return {value};
  }

 private:
  double sum() {
    double value = product();
    while (going()) {
      if (take('+')) {
        value = finite(value + product());
      } else if (take('-')) {
        value = finite(value - product());
      } else {
        break;
      }
    }
    return value;
  }

  double product() {
    double value = with_sign();
    while (going()) {
      if (take('*')) {
        value = finite(value * with_sign());
      } else if (take('/')) {
        const double divisor = with_sign();
        if (going() && divisor == 0) fail(fmt::format("{} divides by zero", in_quotes(text_)));
        value = finite(value / divisor);
      } else {
        break;
      }
    }
    return value;
  }

  double with_sign() {
    bool is_negative = false;
    for (;;) {
      if (take('-')) {
        is_negative = !is_negative;
      } else if (!take('+')) {
        break;
      }
    }
    const double value = primary();
    return is_negative ? -value : value;
  }

  double primary() {
    skip_space();
    if (take('(')) return closed();
    if (starts_number(rest_)) {
      const Number number = take_digits(rest_);
      if (!number) fail(number.rule);
      return number.value;
    }
    const std::string_view name = word();
    if (name == "pi") return std::numbers::pi;
    if ((name == "deg" || name == "sqrt") && take('(')) return function(name, closed());
    if (name == "deg" || name == "sqrt")
      return fail(fmt::format("{}: {} wants parentheses", in_quotes(text_), in_quotes(name)));
    if (means_not_finite(name)) return fail(fmt::format("{} is not a finite number", in_quotes(text_)));
    if (!name.empty())
      return fail(fmt::format("{}: {} is not a number, pi, deg(...) or sqrt(...)", in_quotes(text_), in_quotes(name)));
    if (rest_.empty()) return fail(fmt::format("{} ends where a number is expected", in_quotes(text_)));
    return fail(fmt::format("{}: {} where a number is expected", in_quotes(text_), in_quotes(rest_.substr(0, 1))));
  }

  double function(std::string_view name, double x) {
    if (name == "deg") return x * (std::numbers::pi / 180);
    if (going() && x < 0) return fail(fmt::format("{}: the square root of a negative number", in_quotes(text_)));
    return std::sqrt(x);
  }

  // What stands in parentheses, the opening one already taken.
  double closed() {
    if (++depth_ > deepest_nesting) return fail("parentheses nested too deeply");
    const double value = sum();
    --depth_;
    if (going() && !take(')')) fail(fmt::format("{}: a parenthesis is not closed", in_quotes(text_)));
    return value;
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
  double fail(std::string rule) {
    if (rule_.empty()) rule_ = std::move(rule);
    return 0;
  }
  double finite(double value) {
    return std::isfinite(value) ? value : fail(fmt::format("{} is not finite", in_quotes(text_)));
  }

  std::string_view text_, rest_;
  std::string rule_;
  int depth_ = 0;
};

}  // namespace

Number plain_number(std::string_view text) {
  text = trimmed(text);
  std::string_view rest = text;
  const bool is_negative = rest.starts_with('-');
  if (is_negative || rest.starts_with('+')) rest.remove_prefix(1);
  if (!starts_number(rest)) return {0, not_a_number(text)};
  Number number = take_digits(rest);
  if (number && !rest.empty()) return {0, left_over(text, rest)};
  if (is_negative) number.value = -number.value;
  return number;
}

Number expression(std::string_view text) {
  text = trimmed(text);
  if (text.empty() || means_not_finite(text)) return {0, not_a_number(text)};
  return Expression(text).evaluate();
}

}  // namespace denoc::io
