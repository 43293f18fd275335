// Elements of MJCF: as the file says them, and with what their classes say where they are silent.
#pragma once
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "../element.hpp"

namespace denoc::io::mjcf {

// One element of the file, or of a file that it includes: `report` is that file's.
struct Tag {
  const tinyxml2::XMLElement* xml = nullptr;
  Report* report = nullptr;

  std::string_view kind() const { return xml->Name(); }
  int line() const { return xml->GetLineNum(); }
  const char* text(const char* attribute) const { return xml->Attribute(attribute); }
  std::string name() const {
    const char* const said = text("name");
    return said != nullptr ? said : "";
  }
  // "geom 'foot'", or "<geom>" if it has no name
  std::string label() const {
    return name().empty() ? fmt::format("<{}>", kind()) : fmt::format("{} {}", kind(), in_quotes(name()));
  }
  Element element() const { return {*xml, label(), *report}; }
  Source source() const { return {report->file, line(), label()}; }
};

// An element and below it the defaults that fill it, the nearest first: an attribute, or a number of it, is the first
// that any of them says.
class Said {
 public:
  Said(const Tag& tag, std::vector<Element> defaults = {})
      : tag_(tag), levels_(std::move(defaults)) {  // NOLINT(google-explicit-constructor)
    levels_.insert(levels_.begin(), tag.element());
  }
  // Elements that continue each other, at least one: of two that say the same the later counts.
  static Said together(const std::vector<Tag>& tags) {
    std::vector<Element> earlier;
    for (auto tag = tags.rbegin() + 1; tag != tags.rend(); ++tag) earlier.push_back(tag->element());
    return {tags.back(), std::move(earlier)};
  }
  const Tag& tag() const { return tag_; }

  // Refuses other attributes, of the element and of its defaults.
  void only_attributes(const Words& known) const {
    for (const Element& level : levels_) level.only_attributes(known);
  }

  // The nearest level that says any of them; the element itself if none does.
  const Element& at_any(const Words& attributes) const {
    for (const Element& level : levels_) {
      const auto is_said = [&](std::string_view attribute) { return level.has(attribute.data()); };
      if (std::any_of(attributes.begin(), attributes.end(), is_said)) return level;
    }
    return levels_.front();
  }
  // The level that says it; the element itself if none does.
  const Element& at(const char* attribute) const {
    for (const Element& level : levels_)
      if (level.has(attribute)) return level;
    return levels_.front();
  }
  bool has(const char* attribute) const { return at(attribute).has(attribute); }
  void refuse(const char* attribute, std::string_view rule) const { at(attribute).refuse(attribute, rule); }
  void refuse(std::string rule) const { levels_.front().refuse(std::move(rule)); }
  void warn(std::string rule) const { levels_.front().warn(std::move(rule)); }

  std::string text(const char* attribute, const std::string& fallback = "") const {
    return at(attribute).text(attribute, fallback);
  }
  double number(const char* attribute, double fallback) const { return at(attribute).number(attribute, fallback); }
  // Of an attribute of variable length, what a level leaves out is what those below it say.
  std::vector<double> numbers(const char* attribute, std::size_t least, std::size_t most) const {
    std::vector<double> all;
    for (auto level = levels_.begin(); level != levels_.end() && all.size() < most; ++level) {
      const std::vector<double> said = level->numbers(attribute, least, most);
      if (said.size() > all.size()) all.insert(all.end(), said.begin() + std::ptrdiff_t(all.size()), said.end());
    }
    return all;
  }
  std::vector<double> numbers(const char* attribute, std::size_t size) const { return numbers(attribute, size, size); }
  Vec3<double> vec3(const char* attribute, const Vec3<double>& fallback) const {
    return at(attribute).vec3(attribute, fallback);
  }
  // One of some words.
  std::string word(const char* attribute, const Words& choices, const std::string& fallback) const {
    std::string said = text(attribute, fallback);
    if (std::find(choices.begin(), choices.end(), said) != choices.end()) return said;
    refuse(attribute, unknown("word", said, choices));
    return fallback;
  }
  bool flag(const char* attribute, bool fallback) const {
    return word(attribute, {"true", "false"}, fallback ? "true" : "false") == "true";
  }

 private:
  Tag tag_;
  std::vector<Element> levels_;
};

// A name that nothing has yet: with `_` behind it while it is taken, and taken from now on.
inline std::string made_up(std::string name, std::unordered_set<std::string>& taken) {
  while (!taken.insert(name).second) name += '_';
  return name;
}

}  // namespace denoc::io::mjcf
