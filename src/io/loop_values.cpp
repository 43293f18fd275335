#include "loop_values.hpp"

#include <algorithm>

namespace denoc::io {

Words loop_names() {
  Words names;
  for (const LoopType& type : loop_types()) names.push_back(type.name);
  return names;
}

Words loop_words(std::string_view name) {
  Words all;
  for (const LoopType& type : loop_types()) {
    if (is_loop_type(name) && type.name != name) continue;
    for (const std::string_view word : type.words)
      if (!word.empty()) all.push_back(word);
  }
  return all;
}

int joint_named(const Robot& robot, std::string_view name) {
  const auto found =
      std::find_if(robot.bodies.begin() + 1, robot.bodies.end(), [&](const Body& b) { return b.joint.name == name; });
  return found != robot.bodies.end() ? static_cast<int>(found - robot.bodies.begin()) : robot.find(name);
}

}  // namespace denoc::io
