#include "postures.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "loop_values.hpp"

namespace denoc::io {

CoordinatesByName::CoordinatesByName(const Robot& robot) {
  std::size_t first = 0;
  for (std::size_t b = 1; b < robot.bodies.size(); ++b) {
    const Body& body = robot.bodies[b];
    const auto size = static_cast<std::size_t>(coordinates(body.joint.type));
    rows_.push_back({name_of_joint(body), body.name, {first, size, body.joint.type}});
    first += size;
  }
}

const Coordinates* CoordinatesByName::find(std::string_view joint) const {
  for (std::string Row::*name : {&Row::joint, &Row::body}) {
    const auto found = std::find_if(rows_.begin(), rows_.end(), [&](const Row& row) { return row.*name == joint; });
    if (found != rows_.end()) return &found->at;
  }
  return nullptr;
}

Words CoordinatesByName::names() const {
  Words names;
  for (const Row& row : rows_)
    if (row.at.size > 0) names.push_back(row.joint);
  return names;
}

std::vector<std::string> add_posture(Posture posture, Robot& robot) {
  std::vector<std::string> rules;
  for (const QuaternionPlace& place : quaternions_of(robot)) {
    if (std::string rule = normalise(place, posture.q); !rule.empty()) rules.push_back(std::move(rule));
  }
  const bool is_taken = std::any_of(robot.postures.begin(), robot.postures.end(),
                                    [&](const Posture& other) { return other.name == posture.name; });
  if (is_taken) rules.push_back(fmt::format("duplicate name: there is another posture '{}'", posture.name));
  if (rules.empty()) robot.postures.push_back(std::move(posture));
  return rules;
}

}  // namespace denoc::io
