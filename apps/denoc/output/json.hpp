// JSON, written value by value: each call returns the text of one.
#pragma once
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "denoc/spatial/tensor.hpp"

namespace denoc::app::json {

// 17 significant digits, so that reading gives the same number again. Throws Failure if it is not finite: JSON has no
// such number.
std::string number(double x);
std::string number(int x);
std::string number(long x);
std::string boolean(bool x);
inline constexpr std::string_view nothing = "null";
// In quotes; what is not UTF-8 becomes the replacement character.
std::string text(std::string_view x);

// The text of each item.
template <class Items, class Text> std::vector<std::string> each(const Items& items, const Text& text_of) {
  std::vector<std::string> all;
  all.reserve(std::size(items));
  for (const auto& item : items) all.push_back(text_of(item));
  return all;
}
std::string array(const std::vector<std::string>& values);
std::string numbers(std::span<const double> x);
std::string numbers(const Vec3<double>& x);
std::string matrix(std::span<const double> by_rows, int rows, int columns);

using Member = std::pair<std::string_view, std::string>;
std::string object(const std::vector<Member>& members);

// One value a line, so that long results can be read and compared line by line.
std::string lines(const std::vector<std::string>& values);

}  // namespace denoc::app::json
