#include "denoc/io/number.hpp"

#include <fmt/format.h>

#include <charconv>
#include <limits>

#include "denoc/io/report.hpp"
#include "digits.hpp"

namespace denoc::io {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

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

}  // namespace

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

// from_chars takes a minus and no plus: hence no signs here.
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

Number number_or_not_finite(std::string_view text) {
  text = trimmed(text);
  if (!means_not_finite(text)) return plain_number(text);
  const bool is_nan = text.find_first_of("aA") != std::string_view::npos;
  const double x = is_nan ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
  return {text.starts_with('-') ? -x : x};
}

}  // namespace denoc::io
