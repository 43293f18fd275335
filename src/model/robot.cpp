#include "denoc/model/robot.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace denoc {
namespace {

struct JointRow {
  JointType type;
  std::string_view name;
  int coordinates, degrees_of_freedom, axes;
};
constexpr JointRow joint_rows[] = {
    {JointType::fixed, "fixed", 0, 0, 0},
    {JointType::revolute, "revolute", 1, 1, 1},
    {JointType::continuous, "continuous", 1, 1, 1},
    {JointType::prismatic, "prismatic", 1, 1, 1},
    {JointType::helical, "helical", 1, 1, 1},
    {JointType::universal, "universal", 2, 2, 2},
    {JointType::cylindrical, "cylindrical", 2, 2, 1},
    {JointType::planar, "planar", 3, 3, 0},
    {JointType::spherical, "spherical", 4, 3, 0},
    {JointType::free, "free", 7, 6, 0},
};
const JointRow& row_of(JointType type) { return joint_rows[static_cast<int>(type)]; }

}  // namespace

int coordinates(JointType type) { return row_of(type).coordinates; }
int degrees_of_freedom(JointType type) { return row_of(type).degrees_of_freedom; }
int axes_of(JointType type) { return row_of(type).axes; }
std::string_view name_of(JointType type) { return row_of(type).name; }
std::optional<JointType> joint_type(std::string_view name) {
  for (const JointRow& row : joint_rows) {
    if (row.name == name) return row.type;
  }
  return std::nullopt;
}

void Source::note(std::string_view part, int part_line) {
  if (part_line > 0 && part_line != line) parts.emplace_back(part, part_line);
}
int Source::line_of(std::string_view part) const {
  const auto found = std::find_if(parts.begin(), parts.end(), [&](const auto& p) { return p.first == part; });
  return found == parts.end() ? line : found->second;
}

Body Robot::ground() {
  Body ground;
  ground.name = "world";
  return ground;
}
int Robot::find(std::string_view body) const {
  for (std::size_t i = 1; i < bodies.size(); ++i) {
    if (bodies[i].name == body) return static_cast<int>(i);
  }
  return body == "world" || body == "base" ? 0 : -1;
}

std::string Fault::text() const {
  std::string text = source.file;
  if (source.line > 0) text += fmt::format("{}{}", text.empty() ? "line " : ":", source.line);
  for (const std::string& piece : {source.element, rule}) {
    if (!piece.empty()) text += (text.empty() ? "" : ": ") + piece;
  }
  return text;
}

RobotError::RobotError(std::vector<Fault> all)
    : Error(all.empty() ? "no fault" : all.front().text()), faults(std::move(all)) {}

}  // namespace denoc
