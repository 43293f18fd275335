#include <fmt/format.h>

#include <cmath>

#include "parts.hpp"

namespace denoc::io {

std::optional<GroundContact> read_ground(const Fields& file, const Robot& robot, Report& report) {
  const auto fields =
      file.map("ground", {"point", "normal", "stiffness", "damping", "friction", "slip_speed", "points"});
  if (!fields) return std::nullopt;
  GroundContact ground;
  ground.point = fields->vec3("point", ground.point);
  ground.normal = direction(*fields, "normal", ground.normal);
  fields->require("stiffness");
  ground.stiffness = positive(*fields, "stiffness", ground.stiffness);
  ground.slip_speed = positive(*fields, "slip_speed", ground.slip_speed);
  const auto not_negative = [&](std::string_view key, double& value) {
    value = fields->number(key, value);
    if (value < 0) fields->refuse(key, fmt::format("it is not negative, as {} is", value));
  };
  not_negative("damping", ground.damping);
  not_negative("friction", ground.friction);
  fields->require("points");
  for (const Node* item : fields->list("points")) {
    const Fields point(*item, fmt::format("ground: points[{}]", ground.points.size()), {"body", "point"}, report);
    if (item->kind != Node::Kind::map) continue;
    ground.points.push_back({read_body(point, robot), point.vec3("point", {0, 0, 0})});
  }
  fields->refuse_empty("points", "no point touches it: name one, or leave the ground out");
  return ground;
}

}  // namespace denoc::io
