#include "output/json.hpp"

#include <fmt/format.h>

#include <cmath>

#include "denoc/model/utf8.hpp"
#include "session.hpp"

namespace denoc::app::json {

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
    const std::size_t size = utf8_character(x);
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
std::string matrix(std::span<const double> by_rows, int rows, int columns) {
  std::vector<std::string> all;
  const auto n = static_cast<std::size_t>(columns);
  for (std::size_t i = 0; i < static_cast<std::size_t>(rows); ++i) all.push_back(numbers(by_rows.subspan(i * n, n)));
  return array(all);
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
