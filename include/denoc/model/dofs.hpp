// The degrees of freedom and the coordinates of a robot, by the names people call them.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "denoc/model/model.hpp"

namespace denoc {

/// A degree of freedom as people call it.
struct Dof {
  std::string joint;
  std::string component;  // of a joint with several
  bool angular;

  std::string name() const { return component.empty() ? joint : joint + "." + component; }
  std::string_view force_unit() const { return angular ? "N m" : "N"; }
  std::string_view rate_unit() const { return angular ? "rad/s" : "m/s"; }
  std::string_view acceleration_unit() const { return angular ? "rad/s^2" : "m/s^2"; }
};
/// Every entry of v, in order.
std::vector<Dof> dofs_of(const Model& model);

/// The names of the joints that have these degrees of freedom, in their order: neighbours of one joint name it once.
std::vector<std::string> joint_names(const Model& model, std::span<const int> dofs);
/// Of all joints that move.
std::vector<std::string> joint_names(const Model& model);

/// An entry of q.
struct NamedCoordinate {
  enum class Kind { angle, length, quaternion } kind;
  std::string name;
};
/// Every entry of q, in order.
std::vector<NamedCoordinate> coordinates_of(const Model& model);

}  // namespace denoc
