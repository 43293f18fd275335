#include "denoc/model/dofs.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <span>

#include "body_dofs.hpp"

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

// Those of every body, in order.
template <class Entries> auto of_all(const Model& model, const Entries& entries_of) {
  const auto& bodies = model.robot().bodies;
  decltype(entries_of(bodies.front())) all;
  for (std::size_t b = 1; b < bodies.size(); ++b) {
    auto more = entries_of(bodies[b]);
    std::move(more.begin(), more.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace

std::vector<Dof> dofs_of(const Body& body) {
  std::vector<Dof> dofs;
  for (const Component& c : components(body.joint.type))
    dofs.push_back({name_of_joint(body), std::string(c.name), c.angular});
  return dofs;
}

std::vector<NamedCoordinate> coordinates_of(const Body& body) {
  using Kind = NamedCoordinate::Kind;
  std::vector<NamedCoordinate> all;
  const JointType type = body.joint.type;
  const std::string& joint = name_of_joint(body);
  if (type == JointType::free)
    for (const char* name : {"x", "y", "z"}) all.push_back({Kind::length, joint + "." + name});
  if (type == JointType::free || type == JointType::spherical) {
    for (const char* name : {"qw", "qx", "qy", "qz"}) all.push_back({Kind::quaternion, joint + "." + name});
    return all;
  }
  for (const Dof& dof : dofs_of(body)) all.push_back({dof.angular ? Kind::angle : Kind::length, dof.name()});
  return all;
}

std::vector<Dof> dofs_of(const Model& model) {
  return of_all(model, [](const Body& body) { return dofs_of(body); });
}
std::vector<std::string> joint_names(const Model& model, std::span<const int> dofs) {
  std::vector<std::string> names;
  for (const int k : dofs) names.push_back(model.joint_of_dof(k));
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}
std::vector<std::string> joint_names(const Model& model) {
  std::vector<int> all(model.nv());
  std::iota(all.begin(), all.end(), 0);
  return joint_names(model, all);
}

std::vector<NamedCoordinate> coordinates_of(const Model& model) {
  return of_all(model, [](const Body& body) { return coordinates_of(body); });
}

}  // namespace denoc
