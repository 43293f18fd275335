#include "denoc/model/dofs.hpp"

#include <span>

namespace denoc {
namespace {

struct Component {
  std::string_view name;
  bool angular;
};
std::span<const Component> components(JointType type) {
  static constexpr Component one_angle[] = {{"", true}}, one_slide[] = {{"", false}},
                             universal[] = {{"1", true}, {"2", true}},
                             cylindrical[] = {{"angle", true}, {"slide", false}},
                             planar[] = {{"x", false}, {"y", false}, {"angle", true}},
                             free[] = {{"wx", true},  {"wy", true},  {"wz", true},
                                       {"vx", false}, {"vy", false}, {"vz", false}};
  switch (type) {
    case JointType::fixed:
      return {};
    case JointType::revolute:
    case JointType::continuous:
    case JointType::helical:
      return one_angle;
    case JointType::prismatic:
      return one_slide;
    case JointType::universal:
      return universal;
    case JointType::cylindrical:
      return cylindrical;
    case JointType::planar:
      return planar;
    case JointType::spherical:
      return std::span(free).first(3);
    case JointType::free:
      return free;
  }
  return {};
}

}  // namespace

std::vector<Dof> dofs_of(const Model& model) {
  std::vector<Dof> dofs;
  const auto& bodies = model.robot().bodies;
  for (std::size_t b = 1; b < bodies.size(); ++b) {
    for (const Component& c : components(bodies[b].joint.type)) {
      dofs.push_back({model.joint_name(static_cast<int>(b)), std::string(c.name), c.angular});
    }
  }
  return dofs;
}

std::vector<NamedCoordinate> coordinates_of(const Model& model) {
  using Kind = NamedCoordinate::Kind;
  std::vector<NamedCoordinate> all;
  const auto& bodies = model.robot().bodies;
  for (std::size_t b = 1; b < bodies.size(); ++b) {
    const JointType type = bodies[b].joint.type;
    const std::string joint = model.joint_name(static_cast<int>(b));
    if (type == JointType::free)
      for (const char* name : {"x", "y", "z"}) all.push_back({Kind::length, joint + "." + name});
    if (type == JointType::free || type == JointType::spherical) {
      for (const char* name : {"qw", "qx", "qy", "qz"}) all.push_back({Kind::quaternion, joint + "." + name});
      continue;
    }
    for (const Component& c : components(type)) {
      const Dof dof{joint, std::string(c.name), c.angular};
      all.push_back({c.angular ? Kind::angle : Kind::length, dof.name()});
    }
  }
  return all;
}

}  // namespace denoc
