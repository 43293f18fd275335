// The words of a text one after the other, and those that have to be numbers.
#pragma once
#include <charconv>
#include <string_view>

#include "output/figures/mesh.hpp"

namespace denoc::figures {

class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}

  // Empty at the end.
  std::string_view next() {
    const std::size_t start = text_.find_first_not_of(blanks);
    if (start == std::string_view::npos) return text_ = {};
    const std::size_t length = std::min(text_.find_first_of(blanks, start), text_.size()) - start;
    const std::string_view word = text_.substr(start, length);
    text_.remove_prefix(start + length);
    return word;
  }
  double number() { return as<double>(next()); }
  long whole() { return as<long>(next()); }

  template <class T> static T as(std::string_view word) {
    T value{};
    if (word.starts_with('+')) word.remove_prefix(1);
    const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (problem != std::errc() || end != word.data() + word.size()) throw MeshError("has a word where a number is due");
    return value;
  }

 private:
  static constexpr std::string_view blanks = " \t\r\n";
  std::string_view text_;
};

}  // namespace denoc::figures
