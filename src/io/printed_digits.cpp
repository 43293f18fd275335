#include "printed_digits.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "denoc/io/number.hpp"
#include "digits.hpp"

namespace denoc::io {
namespace {

constexpr double most_rounding = 0.01;  // of the largest entry

// What is shown of a number: 0.0830 has 4 decimals and 3 significant digits, 8.30e-2 the same. Zero shows nothing.
struct Shown {
  double value = 0;
  int decimals = 0, significant = 0;
  double last_digit() const { return std::pow(10.0, -decimals); }
};
Shown shown(std::string_view text) {
  text = trimmed(text);
  const Number number = plain_number(text);
  if (!number || number.value == 0) return {};
  const std::size_t mark = std::min(text.find_first_of("eE"), text.size());
  const std::string_view mantissa = text.substr(0, mark);
  int exponent = 0;
  if (mark < text.size()) {
    std::string_view power = text.substr(mark + 1);
    if (power.starts_with('+')) power.remove_prefix(1);
    std::from_chars(power.data(), power.data() + power.size(), exponent);
  }
  const auto digits = [](std::string_view of) {
    return static_cast<int>(std::count_if(of.begin(), of.end(), [](char c) { return c >= '0' && c <= '9'; }));
  };
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const std::size_t first = std::min(mantissa.find_first_of("123456789"), mantissa.size());
  return {number.value, digits(mantissa.substr(point)) - exponent, digits(mantissa.substr(first))};
}

}  // namespace

// The excess 2 n^T I n - tr I, n the axis of the largest moment, moves by at most the error of an entry on the diagonal
// and twice that of a product.
double printed_rounding(const std::array<std::string_view, 6>& entries) {
  std::array<Shown, 6> all;
  std::transform(entries.begin(), entries.end(), all.begin(), shown);
  int decimals = 0, significant = 0;
  double largest = 0;
  for (const Shown& s : all) {
    decimals = std::max(decimals, s.decimals);
    significant = std::max(significant, s.significant);
    largest = std::max(largest, std::abs(s.value));
  }
  double rounding = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Shown& s = all[i];
    const bool is_rounded = s.significant > 0 && (s.decimals == decimals || s.significant == significant);
    if (is_rounded) rounding += (i < 3 ? 1 : 2) * s.last_digit() / 2;
  }
  return std::min(rounding, most_rounding * largest);
}

}  // namespace denoc::io
