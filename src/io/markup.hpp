// Elements of XML, to be written.
#pragma once
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace denoc::io {

// <name key="value" ..>, its children and its end.
class Markup {
 public:
  explicit Markup(std::string name) : name_(std::move(name)) {}
  Markup& set(std::string_view key, std::string_view value);
  Markup& set(std::string_view key, double value) { return set(key, fmt::format("{}", value)); }
  Markup& set(std::string_view key, const std::vector<double>& values) {
    return set(key, fmt::format("{}", fmt::join(values, " ")));
  }
  Markup& unless(std::string_view key, double value, double fallback) {
    return value == fallback ? *this : set(key, value);
  }
  Markup& add(Markup child) {
    children_.push_back(std::move(child));
    return *this;
  }
  bool says_nothing() const { return attributes_.empty() && children_.empty(); }
  bool has_children() const { return !children_.empty(); }
  // One without children on one line.
  std::string text() const;

 private:
  void write(std::string& out, int depth) const;

  std::string name_, attributes_ = {};
  std::vector<Markup> children_ = {};
};

}  // namespace denoc::io
