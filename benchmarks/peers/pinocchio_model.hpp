// A robot and its states in Pinocchio's terms.
#pragma once
#include <algorithm>

#include <pinocchio/multibody.hpp>

#include "peer.hpp"

namespace denoc::benchmarks {
namespace {

using Rows3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

pinocchio::JointModel joint_of(const PlainBody& body) {
  if (body.free) return pinocchio::JointModelFreeFlyer();
  const Eigen::Vector3d axis(body.axis.data());
  if (axis == Eigen::Vector3d::UnitX()) return pinocchio::JointModelRX();
  if (axis == Eigen::Vector3d::UnitY()) return pinocchio::JointModelRY();
  if (axis == Eigen::Vector3d::UnitZ()) return pinocchio::JointModelRZ();
  return pinocchio::JointModelRevoluteUnaligned(axis);
}
pinocchio::Model model_of(const PlainRobot& robot) {
  pinocchio::Model model;
  model.gravity.linear() = Eigen::Vector3d(robot.gravity.data());
  std::vector<pinocchio::JointIndex> index = {0};
  for (const PlainBody& body : robot.bodies) {
    const pinocchio::SE3 frame(Rows3(body.R.data()), Eigen::Vector3d(body.p.data()));
    index.push_back(model.addJoint(index[body.parent], joint_of(body), frame, "j" + std::to_string(index.size())));
    const pinocchio::Inertia inertia(body.mass, Eigen::Vector3d(body.com.data()), Rows3(body.inertia.data()));
    model.appendBodyToJoint(index.back(), inertia, pinocchio::SE3::Identity());
  }
  return model;
}

// Of a free joint: w last, linear first there; w first, angular first here.
inline int theirs_of(int dof, bool floating) { return floating && dof < 6 ? (dof + 3) % 6 : dof; }
inline void swap_halves(std::vector<double>& x) { std::swap_ranges(&x[0], &x[3], &x[3]); }
struct Dense {
  Eigen::VectorXd q, v, a, tau;
};
inline Dense dense(State s, bool floating) {
  if (floating) {
    std::rotate(&s.q[3], &s.q[4], &s.q[7]);
    for (auto* x : {&s.v, &s.a, &s.tau}) swap_halves(*x);
  }
  const auto vector = [](const std::vector<double>& x) {
    return Eigen::VectorXd(Eigen::VectorXd::Map(x.data(), Eigen::Index(x.size())));
  };
  return {vector(s.q), vector(s.v), vector(s.a), vector(s.tau)};
}

}  // namespace
}  // namespace denoc::benchmarks
