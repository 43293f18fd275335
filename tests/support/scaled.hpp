// The same robot in other units: nothing else may change.
#pragma once
#include "denoc/model/dofs.hpp"
#include "denoc/model/robot.hpp"

namespace denoc::test {

// All lengths, masses and rates are larger by these. Powers of two round nothing.
struct Units {
  double length = 1, mass = 1, rate = 1;
  double inertia() const { return mass * length * length; }
  double moment() const { return inertia() * rate * rate; }
};

inline Robot scaled(Robot robot, const Units& by) {
  robot.gravity = robot.gravity * (by.length * by.rate * by.rate);
  for (Body& body : robot.bodies) {
    body.joint_frame.r = body.joint_frame.r * by.length;
    body.own_frame.r = body.own_frame.r * by.length;
    Inertial& own = body.inertial;
    own.mass *= by.mass;
    own.com = own.com * by.length;
    Sym3<double>& I = own.inertia;
    for (double* entry : {&I.xx, &I.xy, &I.yy, &I.xz, &I.yz, &I.zz}) *entry *= by.inertia();
    const bool slides = body.joint.type == JointType::prismatic;
    const double joint_inertia = slides ? by.mass : by.inertia();
    body.joint.armature *= joint_inertia;
    body.joint.actuator.rotor_inertia *= joint_inertia;
    body.joint.spring.stiffness *= joint_inertia * by.rate * by.rate;
    if (slides) body.joint.spring.rest *= by.length;
  }
  for (Loop& loop : robot.loops) {
    loop.length *= by.length;
    // q_b of q_a, where coordinates are coupled
    const auto unit = [&](const Attachment& end) {
      return robot.bodies[size_t(end.body)].joint.type == JointType::prismatic ? by.length : 1;
    };
    const double of_a = unit(loop.a), of_b = unit(loop.b);
    loop.ratio *= of_b / of_a;
    for (double* x : {&loop.offset, &loop.eccentricity, &loop.radius}) *x *= of_b;
    loop.phase *= of_a;
    double power = 1;
    for (double& c : loop.coefficients) {
      c *= of_b / power;
      power *= of_a;
    }
    for (Attachment* end : {&loop.a, &loop.b}) end->frame.r = end->frame.r * by.length;
  }
  for (PointSpring& spring : robot.springs) {
    spring.rest *= by.length;
    spring.stiffness *= by.mass * by.rate * by.rate;
    for (Attachment* end : {&spring.a, &spring.b}) end->frame.r = end->frame.r * by.length;
  }
  return robot;
}

// q, v, a and tau in these units, of degrees of freedom that turn and slide.
inline std::vector<double> scaled_q(const Model& model, std::vector<double> q, const Units& by) {
  const std::vector<NamedCoordinate> names = coordinates_of(model);
  for (size_t k = 0; k < q.size(); ++k)
    if (names[k].kind == NamedCoordinate::Kind::length) q[k] *= by.length;
  return q;
}
inline std::vector<double> scaled_tau(const Model& model, std::vector<double> tau, const Units& by) {
  const std::vector<Dof> dofs = dofs_of(model);
  for (size_t k = 0; k < tau.size(); ++k) tau[k] *= dofs[k].angular ? by.moment() : by.moment() / by.length;
  return tau;
}

}  // namespace denoc::test
