#include "loop_values.hpp"

#include <algorithm>

namespace denoc::io {
namespace {

struct Type {
  std::string_view name;
  Words words;
};
const std::vector<Type>& types() {
  static const std::vector<Type> all = {{"revolute", {"axis"}},
                                        {"prismatic", {"axis"}},
                                        {"universal", {"axis", "axis2"}},
                                        {"spherical", {}},
                                        {"cylindrical", {"axis"}},
                                        {"planar", {"axis"}},
                                        {"weld", {}},
                                        {"fixed", {}},
                                        {"point-on-line", {"axis"}},
                                        {"distance", {"length"}},
                                        {"coupler", {"ratio", "offset"}},
                                        {"gear", {"radii", "teeth", "offset"}},
                                        {"bevel-gear", {"radii", "teeth", "offset"}},
                                        {"belt", {"radii", "teeth", "offset"}},
                                        {"rolling", {"radius", "offset"}},
                                        {"eccentric-cam", {"eccentricity", "radius", "phase", "offset"}}};
  return all;
}

}  // namespace

Words loop_types() {
  Words names;
  for (const Type& type : types()) names.push_back(type.name);
  return names;
}

Words loop_words(std::string_view type) {
  Words all;
  for (const Type& t : types()) {
    if (t.name == type) return t.words;
    all.insert(all.end(), t.words.begin(), t.words.end());
  }
  return all;
}

int joint_named(const Robot& robot, std::string_view name) {
  const auto found =
      std::find_if(robot.bodies.begin() + 1, robot.bodies.end(), [&](const Body& b) { return b.joint.name == name; });
  return found != robot.bodies.end() ? static_cast<int>(found - robot.bodies.begin()) : robot.find(name);
}

}  // namespace denoc::io
