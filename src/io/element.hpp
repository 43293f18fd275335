// XML read strictly: what fields.hpp is for YAML.
#pragma once
#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "denoc/io/number.hpp"
#include "denoc/io/report.hpp"
#include "digits.hpp"

namespace denoc::io {

// One element, the name of what it belongs to ("joint 'elbow'"), and where to complain.
class Element {
 public:
  Element(const tinyxml2::XMLElement& xml, std::string label, Report& report)
      : xml_(&xml), label_(std::move(label)), report_(&report) {}

  // The same element; what is wrong with it is reported elsewhere.
  Element told_to(Report& report) const { return {*xml_, label_, report}; }

  std::string_view kind() const { return xml_->Name(); }
  int line() const { return xml_->GetLineNum(); }
  const std::string& label() const { return label_; }
  void refuse(std::string rule) const { report_->fault(line(), label_, std::move(rule)); }
  void refuse(const char* attribute, std::string_view rule) const { refuse(fmt::format("{}: {}", attribute, rule)); }
  void warn(std::string rule) const { report_->warn(line(), label_, std::move(rule)); }
  void warn(const char* attribute, std::string_view rule) const { warn(fmt::format("{}: {}", attribute, rule)); }

  // Of an element whose attributes say all: attributes that are neither read nor known to be of no concern to dynamics,
  // and text between its tags.
  void expect_attributes(const Words& read, const Words& skipped = {}) const {
    Words known = read;
    known.insert(known.end(), skipped.begin(), skipped.end());
    for (const auto* attribute = xml_->FirstAttribute(); attribute != nullptr; attribute = attribute->Next())
      doubt_unknown("attribute", attribute->Name(), known);
    doubt_text();
  }
  void doubt_text() const {
    for (const auto* node = xml_->FirstChild(); node != nullptr; node = node->NextSibling())
      if (node->ToText() != nullptr)
        return warn(fmt::format("the text {} between its tags is ignored", in_quotes(trimmed(node->Value()))));
  }

  // The same where nothing else may stand.
  void only_attributes(const Words& known) const {
    for (const auto* attribute = xml_->FirstAttribute(); attribute != nullptr; attribute = attribute->Next()) {
      const std::string_view name = attribute->Name();
      if (std::find(known.begin(), known.end(), name) == known.end()) refuse(unknown("attribute", name, known));
    }
  }

  // Elements that are neither read nor known to be of no concern to dynamics.
  void expect_children(const Words& read, const Words& skipped) const {
    Words known = read;
    known.insert(known.end(), skipped.begin(), skipped.end());
    for (const auto* child = xml_->FirstChildElement(); child != nullptr; child = child->NextSiblingElement()) {
      const std::string_view name = child->Name();
      const Element unread(*child, label_, *report_);
      if (name.starts_with("xacro:")) {
        unread.warn(fmt::format("<{}> is left over from xacro: passed over", name));
      } else {
        unread.doubt_unknown("element", name, known);
      }
    }
  }

  void only_children(const Words& known) const {
    for (const auto* child = xml_->FirstChildElement(); child != nullptr; child = child->NextSiblingElement()) {
      const std::string_view name = child->Name();
      if (std::find(known.begin(), known.end(), name) == known.end())
        Element(*child, label_, *report_).refuse(unknown("element", name, known));
    }
  }

  bool has(const char* attribute) const { return xml_->Attribute(attribute) != nullptr; }

  std::string text(const char* attribute, const std::string& fallback) const {
    const char* said = xml_->Attribute(attribute);
    return said != nullptr ? said : fallback;
  }

  // What stands between its tags.
  std::string content() const { return xml_->GetText() != nullptr ? xml_->GetText() : ""; }

  // Attributes that URDF wants, and files leave out.
  void expect(const char* attribute, std::string_view instead) const {
    if (!has(attribute)) warn(fmt::format("missing attribute '{}': taken as {}", attribute, instead));
  }
  // Attributes that URDF requires; empty if at fault.
  std::string required(const char* attribute) const {
    const char* text = xml_->Attribute(attribute);
    if (text != nullptr && *text != '\0') return text;
    refuse(text != nullptr ? fmt::format("attribute '{}' is empty", attribute)
                           : fmt::format("missing attribute '{}'", attribute));
    return "";
  }
  void require(const char* attribute) const {
    if (!has(attribute)) refuse(fmt::format("missing attribute '{}'", attribute));
  }
  double required_number(const char* attribute) const {
    require(attribute);
    return number(attribute, 0);
  }

  double number(const char* attribute, double fallback) const {
    const char* text = xml_->Attribute(attribute);
    if (text == nullptr) return fallback;
    const Number number = plain_number(text);
    if (!number) refuse(attribute, number.rule);
    return number ? number.value : fallback;
  }

  // Exactly so many numbers; empty if the attribute is not there or at fault.
  std::vector<double> numbers(const char* attribute, std::size_t size) const { return numbers(attribute, size, size); }
  // All numbers of the attribute.
  std::vector<double> numbers(const char* attribute) const {
    return numbers(attribute, 1, std::numeric_limits<std::size_t>::max());
  }
  // So many at least and at most.
  std::vector<double> numbers(const char* attribute, std::size_t least, std::size_t most) const {
    const char* text = xml_->Attribute(attribute);
    if (text == nullptr) return {};
    std::vector<double> x;
    std::size_t words = 0;
    for (std::string_view rest = text; !(rest = without_space(rest)).empty(); ++words) {
      const std::string_view word = rest.substr(0, rest.find_first_of(" \t\r\n"));
      rest.remove_prefix(word.size());
      const Number number = plain_number(word);
      if (number) {
        x.push_back(number.value);
      } else {
        refuse(attribute, number.rule);
      }
    }
    const bool is_enough = words >= least && words <= most;
    if (!is_enough)
      refuse(attribute,
             fmt::format("expected {} numbers, found {}",
                         least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most), words));
    return is_enough && x.size() == words ? x : std::vector<double>{};
  }
  Vec3<double> vec3(const char* attribute, const Vec3<double>& fallback) const {
    const std::vector<double> x = numbers(attribute, 3);
    return x.empty() ? fallback : Vec3<double>{x[0], x[1], x[2]};
  }

  // The first child of that name, if there is one.
  std::optional<Element> child(const char* name) const {
    const auto* found = xml_->FirstChildElement(name);
    if (found == nullptr) return std::nullopt;
    Element element(*found, fmt::format("{}: {}", label_, name), *report_);
    if (const auto* second = found->NextSiblingElement(name)) {
      Element(*second, element.label(), *report_)
          .warn(fmt::format("given twice: the first counts (line {})", element.line()));
    }
    return element;
  }
  std::optional<Element> required_child(const char* name) const {
    std::optional<Element> element = child(name);
    if (!element) refuse(fmt::format("missing element <{}>", name));
    return element;
  }

  template <class Read> void each(const char* name, const Read& read) const {
    for (const auto* child = xml_->FirstChildElement(name); child != nullptr; child = child->NextSiblingElement(name))
      read(Element(*child, label_of(*child, fmt::format("<{}>", name)), *report_));
  }
  // All elements within it, each called as the nearest that has a name.
  template <class Visit> void within(const Visit& visit) const {
    for (const auto* child = xml_->FirstChildElement(); child != nullptr; child = child->NextSiblingElement()) {
      const Element element(*child, label_of(*child, label_), *report_);
      visit(element);
      element.within(visit);
    }
  }

 private:
  static std::string label_of(const tinyxml2::XMLElement& xml, const std::string& nameless) {
    const char* said = xml.Attribute("name");
    return said != nullptr && *said != '\0' ? fmt::format("{} {}", xml.Name(), in_quotes(said)) : nameless;
  }
  // A slip of the pen, or an extension; those of another namespace say so themselves.
  void doubt_unknown(std::string_view what, std::string_view name, const Words& known) const {
    if (std::find(known.begin(), known.end(), name) != known.end()) return;
    if (name == "xmlns" || name.find(':') != std::string_view::npos) return;
    warn(nearest(name, known) ? unknown(what, name, known)
                              : fmt::format("unknown {} {} is ignored", what, in_quotes(name)));
  }
  static std::string_view without_space(std::string_view text) {
    return text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  }

  const tinyxml2::XMLElement* xml_;
  std::string label_;
  Report* report_;
};

}  // namespace denoc::io
