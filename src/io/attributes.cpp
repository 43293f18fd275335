#include "attributes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace denoc::io {
namespace {

// What begins with a mark and ends with another, and has no attributes.
struct Passage {
  std::string_view begin, end;
};
constexpr Passage passages[] = {{"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<!", ">"}, {"<?", "?>"}};

// Of a tag that begins here: how many attributes it has (quoted values), and how long it is.
struct Tag {
  int attributes = 0;
  std::size_t size = 0;
};
Tag tag(std::string_view text) {
  Tag tag;
  for (std::size_t at = 0; (at = text.find_first_of("'\">", at)) != std::string_view::npos;) {
    if (text[at] == '>') return {tag.attributes, at + 1};
    at = text.find(text[at], at + 1);
    if (at == std::string_view::npos) break;
    ++tag.attributes;
    ++at;
  }
  return {tag.attributes, text.size()};
}

}  // namespace

void check_attributes(std::string_view xml, Report& report) {
  for (std::size_t at = 0; (at = xml.find('<', at)) != std::string_view::npos;) {
    const std::string_view rest = xml.substr(at);
    const auto* passage = std::find_if(std::begin(passages), std::end(passages),
                                       [&](const Passage& p) { return rest.starts_with(p.begin); });
    if (passage != std::end(passages)) {
      at = std::min(xml.find(passage->end, at + passage->begin.size()), xml.size());
      continue;
    }
    const Tag found = tag(rest);
    if (found.attributes > most_attributes) {
      const auto line = 1 + std::count(xml.begin(), xml.begin() + static_cast<std::ptrdiff_t>(at), '\n');
      report.fault(static_cast<int>(line), fmt::format("<{}>", rest.substr(1, rest.find_first_of(" \t\r\n/>") - 1)),
                   fmt::format("it has {} attributes; an element may have {}", found.attributes, most_attributes));
      return;
    }
    at += found.size;
  }
}

}  // namespace denoc::io
