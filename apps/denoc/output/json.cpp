#include "output/json.hpp"

#include <fmt/format.h>

#include <cmath>

#include "session.hpp"

namespace denoc::app::json {
namespace {

// The length of the UTF-8 character the text begins with, 0 if it begins with none.
std::size_t character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto follows = [&](std::size_t i) { return (byte(i) & 0xC0u) == 0x80u; };
  const unsigned first = byte(0), second = byte(1);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF && follows(1)) return 2;
  const bool overlong3 = first == 0xE0 && second < 0xA0, surrogate = first == 0xED && second > 0x9F;
  if (first >= 0xE0 && first <= 0xEF && follows(1) && follows(2) && !overlong3 && !surrogate) return 3;
  const bool overlong4 = first == 0xF0 && second < 0x90, beyond = first == 0xF4 && second > 0x8F;
  if (first >= 0xF0 && first <= 0xF4 && follows(1) && follows(2) && follows(3) && !overlong4 && !beyond) return 4;
  return 0;
}

}  // namespace

std::string number(double x) {
  if (!std::isfinite(x)) throw Failure(Status::numbers, "denoc: a result is not a finite number");
  return fmt::format("{:.17g}", x);
}
std::string number(int x) { return std::to_string(x); }
std::string number(long x) { return std::to_string(x); }
std::string boolean(bool x) { return x ? "true" : "false"; }

std::string text(std::string_view x) {
  std::string quoted = "\"";
  while (!x.empty()) {
    const std::size_t size = character(x);
    const unsigned char first = static_cast<unsigned char>(x.front());
    if (size == 0) {
      quoted += "\\ufffd";
    } else if (first == '"' || first == '\\') {
      quoted += fmt::format("\\{}", x.front());
    } else if (first < 0x20 || first == 0x7F) {
      quoted += fmt::format("\\u{:04x}", first);
    } else {
      quoted += x.substr(0, size);
    }
    x.remove_prefix(size == 0 ? 1 : size);
  }
  return quoted += '"';
}

std::string array(const std::vector<std::string>& values) { return fmt::format("[{}]", fmt::join(values, ", ")); }

std::string numbers(std::span<const double> x) {
  std::string row = "[";
  for (std::size_t i = 0; i < x.size(); ++i) row.append(i == 0 ? "" : ", ").append(number(x[i]));
  return row += "]";
}
std::string numbers(const Vec3<double>& x) {
  const double entries[] = {x.x, x.y, x.z};
  return numbers(entries);
}
std::string matrix(std::span<const double> by_rows, int columns) {
  std::vector<std::string> rows;
  const auto n = static_cast<std::size_t>(columns);
  for (std::size_t i = 0; i < by_rows.size(); i += n) rows.push_back(numbers(by_rows.subspan(i, n)));
  return array(rows);
}

std::string object(const std::vector<Member>& members) {
  std::string whole = "{";
  for (const auto& [key, value] : members) {
    whole += fmt::format("{}{}: {}", whole.size() == 1 ? "" : ", ", text(key), value);
  }
  return whole += "}";
}

std::string lines(const std::vector<std::string>& values) {
  return values.empty() ? "[]" : fmt::format("[\n  {}\n]", fmt::join(values, ",\n  "));
}

}  // namespace denoc::app::json
