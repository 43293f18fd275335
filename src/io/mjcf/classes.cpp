#include "classes.hpp"

#include <unordered_set>

namespace denoc::io::mjcf {
namespace {

const Words& kinds() {
  static const Words words = [] {
    Words all = {"mesh",   "texture", "material", "joint",    "geom",   "site",
                 "camera", "light",   "pair",     "equality", "tendon", "default"};
    all.insert(all.end(), actuator_kinds().begin(), actuator_kinds().end());
    return all;
  }();
  return words;
}
// What a default is kept under: all actuators have one, whatever word says it.
std::string shared(const std::string& kind) {
  return std::find(actuator_kinds().begin(), actuator_kinds().end(), kind) == actuator_kinds().end() ? kind : "general";
}

}  // namespace

const Words& actuator_kinds() {
  static const Words words = {"general", "motor",    "position", "velocity", "intvelocity", "orientation", "pid",
                              "damper",  "cylinder", "muscle",   "adhesion", "dcmotor",     "plugin"};
  return words;
}

void Classes::read(const Tag& tag, Files& files) {
  const Element element = tag.element();
  element.only_attributes({"class"});
  const std::string name = element.text("class", outermost);
  if (name != outermost)
    element.refuse("class", fmt::format("the outermost class is called 'main', not {}", in_quotes(name)));
  classes_.try_emplace(outermost);
  read_class(tag, outermost, files);
}

void Classes::read_class(const Tag& tag, const std::string& name, Files& files) {
  std::unordered_set<std::string> kinds_said;
  for (const Tag& child : files.children(tag)) {
    const std::string kind(child.kind());
    if (std::find(kinds().begin(), kinds().end(), kind) == kinds().end()) {
      child.element().refuse(unknown("element", kind, kinds()));
    } else if (kind != "default") {
      if (!kinds_said.insert(kind).second) child.element().refuse(fmt::format("there is a <{}> already", kind));
      auto& said = classes_[name].by_kind[shared(kind)];
      said.emplace(said.begin(), *child.xml, fmt::format("default class {}: {}", in_quotes(name), kind), *child.report);
    } else {
      const Element element = child.element();
      element.only_attributes({"class"});
      const std::string inner = element.required("class");
      if (inner.empty()) continue;
      if (classes_.try_emplace(inner, Class{name}).second) {
        read_class(child, inner, files);
      } else {
        element.refuse("class", fmt::format("there is a class {} already", in_quotes(inner)));
      }
    }
  }
}

bool Classes::require(const Tag& tag, const char* attribute, const std::string& name) const {
  if (name.empty() || name == outermost || classes_.contains(name)) return true;
  Words names;
  for (const auto& [known, unused] : classes_) names.push_back(known);
  std::sort(names.begin(), names.end());
  tag.element().refuse(attribute, unknown("class", name, names));
  return false;
}

Said Classes::filled(const Tag& tag, const char* kind, const std::string& around) const {
  std::string name = tag.element().text("class", around.empty() ? outermost : around);
  if (tag.text("class") != nullptr && !require(tag, "class", name)) name = outermost;
  const std::string key = shared(kind);
  std::vector<Element> defaults;
  while (!name.empty()) {
    const auto found = classes_.find(name);
    if (found == classes_.end()) break;
    if (const auto said = found->second.by_kind.find(key); said != found->second.by_kind.end())
      defaults.insert(defaults.end(), said->second.begin(), said->second.end());
    name = found->second.parent;
  }
  return {tag, std::move(defaults)};
}

}  // namespace denoc::io::mjcf
