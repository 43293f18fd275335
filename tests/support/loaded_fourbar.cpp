#include "loaded_fourbar.hpp"

#include "denoc/dynamics/reference/euler_lagrange.hpp"
#include "denoc/dynamics/reference/kinetic_energy.hpp"
#include "denoc/io/load.hpp"
#include "denoc/loops/closed_chain.hpp"
#include "dense.hpp"

namespace denoc::test {

Robot loaded_fourbar() {
  Robot robot = load(DENOC_MODELS_DIR "/fourbar.yaml");
  robot.bodies[1].joint.actuator = {.gear = 30, .rotor_inertia = 2e-3};
  robot.bodies[2].joint.spring = {.stiffness = 40, .rest = 0.3};
  robot.bodies[2].joint.armature = 0.4;
  robot.bodies[3].joint.friction = {.viscous = 0.7, .coulomb = 0.5, .stribeck_epsilon = 0.2, .stribeck_gamma = 3};
  robot.bodies[1].joint.limits.upper = 0.2;
  robot.bodies[1].joint.limits.stiffness = 300;
  robot.bodies[1].joint.limits.damping = 0.5;
  PointSpring spring;
  spring.a.body = 2;
  spring.a.frame.r = {0.1, 0.05, 0};
  spring.b.frame.r = {0.4, -0.6, 0};
  spring.stiffness = 90;
  spring.damping = 4;
  spring.rest = 0.2;
  robot.springs.push_back(spring);
  return robot;
}

Eigen::VectorXd dense_accelerations(const Robot& robot, const std::vector<double>& q, const std::vector<double>& v,
                                    const std::vector<double>& tau) {
  using Eigen::MatrixXd;
  using Eigen::VectorXd;
  const auto vector = [](const std::vector<double>& x) -> VectorXd {
    return Eigen::Map<const VectorXd>(x.data(), Eigen::Index(x.size()));
  };
  const size_t n = v.size();
  Robot bare = robot;
  VectorXd rotors(n);
  for (size_t k = 0; k < n; ++k) {
    Joint& joint = bare.bodies[k + 1].joint;
    rotors[Eigen::Index(k)] = joint.actuator.gear * joint.actuator.gear * joint.actuator.rotor_inertia + joint.armature;
    joint.actuator = {};
    joint.armature = 0;
  }
  const Model model(bare);
  Configuration<double> at(model);
  Kinematics<double> kin(model);
  place<double>(model, q, at);
  positions<double>(model, at, kin);
  velocities<double>(model, v, kin);
  std::vector<double> I(n * n), bias(n), none(n);
  KineticEnergyHessian<double>(model).run(model, at, I);
  EulerLagrange<double>(model).run(model, at, v, none, bias, {});
  VectorXd force = vector(tau) - vector(bias);
  for (size_t k = 0; k < n; ++k) {
    const Joint& j = robot.bodies[k + 1].joint;
    const double x = q[k], u = v[k], sign = u > 0 ? 1 : u < 0 ? -1 : 0;
    double& f = force[Eigen::Index(k)];
    f -= j.spring.stiffness * (x - j.spring.rest) + j.friction.viscous * u;
    f -= sign * (j.friction.coulomb + j.friction.stribeck_epsilon * std::exp(-j.friction.stribeck_gamma * std::abs(u)));
    if (j.limits.stiffness > 0 && x > j.limits.upper)
      f -= std::max(0.0, j.limits.stiffness * (x - j.limits.upper) * (1 + j.limits.damping * u));
  }
  for (const PointSpring& spring : robot.springs) {
    const Pose<double> pose = pose_in_world<double>(model, kin, spring.a.body);
    const Twist<double> t = velocity_in_world<double>(model, kin, spring.a.body);
    const Vec3<double> arm = pose.R * spring.a.frame.r, d = spring.b.frame.r - (pose.r + arm),
                       rate = -(t.v + cross(t.w, arm));
    const double length = norm(d),
                 pull = spring.stiffness * (length - spring.rest) + spring.damping * dot(d, rate) / length;
    const Vec3<double> f = d * (pull / length), moment = cross(arm, f);
    std::vector<double> jacobian(6 * n);
    jacobian_in_world<double>(model, kin, spring.a.body, jacobian);
    const double w[] = {moment.x, moment.y, moment.z, f.x, f.y, f.z};
    for (size_t k = 0; k < n; ++k)
      for (size_t r = 0; r < 6; ++r) force[Eigen::Index(k)] += jacobian[r * n + k] * w[r];
  }
  ClosedChain chain(model);
  const std::vector<double> rows = chain.jacobian(q);
  const Eigen::Index nv = Eigen::Index(n), m = chain.rows();
  using ByRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Map<const ByRows> inertia(I.data(), nv, nv), J(rows.data(), m, nv);
  MatrixXd K = MatrixXd::Zero(nv + m, nv + m);
  K.topLeftCorner(nv, nv) = inertia;
  K.topLeftCorner(nv, nv).diagonal() += rotors;
  K.bottomLeftCorner(m, nv) = J;
  K.topRightCorner(nv, m) = -J.transpose();
  VectorXd right(nv + m);
  right << force, -vector(chain.bias(q, v));
  return least_squares(K, right).head(nv);
}

}  // namespace denoc::test
