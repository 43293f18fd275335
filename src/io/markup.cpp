#include "markup.hpp"

namespace denoc::io {
namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

}  // namespace

Markup& Markup::set(std::string_view key, std::string_view value) {
  attributes_ += fmt::format(" {}=\"{}\"", key, escaped(value));
  return *this;
}

std::string Markup::text() const {
  std::string out;
  write(out, 0);
  return out;
}

void Markup::write(std::string& out, int depth) const {
  const std::string margin(static_cast<std::size_t>(2 * depth), ' ');
  if (children_.empty()) {
    out += fmt::format("{}<{}{}/>\n", margin, name_, attributes_);
    return;
  }
  out += fmt::format("{}<{}{}>\n", margin, name_, attributes_);
  for (const Markup& child : children_) child.write(out, depth + 1);
  out += fmt::format("{}</{}>\n", margin, name_);
}

}  // namespace denoc::io
