#include "loop_values.hpp"

#include <algorithm>

#include "writers.hpp"

namespace denoc::io {

Words loop_names() {
  Words names;
  for (const LoopShape& shape : loop_shapes) names.push_back(shape.name);
  return names;
}

Words loop_words(std::string_view name) {
  const std::optional<LoopType> type = loop_type(name);
  Words all;
  for (const LoopShape& shape : loop_shapes) {
    if (type && shape.type != *type) continue;
    for (const std::string_view word : shape.words)
      if (!word.empty()) all.push_back(word);
  }
  return all;
}

std::vector<LoopWord> words_of(const Loop& loop) {
  const auto vector = [](const Vec3<double>& v) { return std::vector<double>{v.x, v.y, v.z}; };
  const bool is_flat = loop.type == LoopType::eccentric_cam && loop.radius == 0;
  const double size = sense_of(loop.type) * loop.ratio;                             // of wheel a, that of b being 1
  const double radius = loop.type == LoopType::rolling ? loop.ratio : loop.radius;  // as loop_values reads it
  const LoopWord all[] = {{"axis", vector(loop.axis)},
                          {"axis2", vector(loop.axis2)},
                          {"length", {loop.length}},
                          {"ratio", {loop.ratio}},
                          {"radii", {size, 1}},
                          {"radius", is_flat ? std::vector<double>{} : std::vector<double>{radius}},
                          {"eccentricity", {loop.eccentricity}},
                          {"coefficients", loop.coefficients},
                          {"phase", {loop.phase}},
                          {"offset", {loop.offset}}};
  std::vector<LoopWord> said;
  for (const LoopWord& word : all) {
    if (!word.numbers.empty() && shape_of(loop.type).has(word.name)) said.push_back(word);
  }
  return said;
}

int joint_called(const Robot& robot, std::string_view name) {
  const auto found = std::find_if(robot.bodies.begin() + 1, robot.bodies.end(),
                                  [&](const Body& b) { return name_of_joint(b) == name; });
  return found != robot.bodies.end() ? static_cast<int>(found - robot.bodies.begin()) : -1;
}

int joint_named(const Robot& robot, std::string_view name) {
  const int found = joint_called(robot, name);
  return found > 0 ? found : robot.find(name);
}

}  // namespace denoc::io
