// The classes of <default>: what elements are where they say nothing themselves.
#pragma once
#include <unordered_map>

#include "files.hpp"

namespace denoc::io::mjcf {

// What an actuator may be called.
const Words& actuator_kinds();

class Classes {
 public:
  // A <default> of the file's root and all below it. Several continue each other.
  void read(const Tag& tag, Files& files);
  // An element of a body, or of an asset: filled by its own class, else by the one it stands in (empty: none), and by
  // the classes that hold that one. `kind` is what defaults call it.
  Said filled(const Tag& tag, const char* kind, const std::string& around) const;
  // A class of that name is known, or its absence is reported.
  bool require(const Tag& tag, const char* attribute, const std::string& name) const;

 private:
  struct Class {
    std::string parent;
    std::unordered_map<std::string, std::vector<Element>> by_kind = {};  // the later ones first
  };
  void read_class(const Tag& tag, const std::string& name, Files& files);

  static constexpr const char* outermost = "main";
  std::unordered_map<std::string, Class> classes_;
};

}  // namespace denoc::io::mjcf
