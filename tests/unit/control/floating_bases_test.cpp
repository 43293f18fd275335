// Feed-forward beside bases that float: it reads them where they are, all of them, and of nothing else where that is.
#include <algorithm>

#include "denoc/control/controllers.hpp"
#include "denoc/motion/joint_motion.hpp"
#include "support/build.hpp"
#include "support/expect.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

using Vector = std::vector<double>;

// Joints with drives and free ones in turn. A body that floats behind a drive feels how that turns, so that its place
// and attitude count, not its rates alone; and so does gravity.
struct Floats {
  Robot robot;
  std::vector<int> driven, bases;  // degrees of freedom; bodies
  explicit Floats(const std::vector<JointType>& types) {
    robot.gravity = {1, 2, -9};
    const Inertial some = mass(2, {0.1, 0.05, -0.1}, {0.1, 0.01, 0.2, 0, 0.02, 0.15});
    const Vec3<double> axes[] = {{0, 0, 1}, {0, 1, 0}, {1, 0, 0}};
    int dof = 0;
    for (const JointType type : types) {
      const int body = int(robot.bodies.size());
      if (type == JointType::free) {
        bases.push_back(body);
      } else {
        for (int k = 0; k < degrees_of_freedom(type); ++k) driven.push_back(dof + k);
      }
      dof += degrees_of_freedom(type);
      add(robot, joint(type, axes[body % 3], axes[(body + 1) % 3]), some, {0.3, 0.1, 0.2});
    }
  }
};
using enum JointType;
const std::vector<JointType> chains[] = {
    {free, revolute, prismatic}, {revolute, free, revolute, prismatic}, {revolute, free, universal, free, revolute},
    {free, free, revolute},      {spherical, free, cylindrical},        {prismatic, revolute, free}};

// A motion of the joints with drives, and states in which those are on it (or not) and every base is elsewhere.
struct OnItsWay {
  Random random;
  std::shared_ptr<const Model> model;
  std::shared_ptr<const Trajectory> motion;
  Vector on_q, on_v, a;
  static constexpr double t = 0.7;
  OnItsWay(const Floats& floats, unsigned seed)
      : random(seed),
        model(std::make_shared<const Model>(floats.robot)),
        on_q(size_t(model->nq())),
        on_v(size_t(model->nv())),
        a(on_v) {
    const Vector from = random_q<double>(random, *model), to = random_q<double>(random, *model);
    motion = point_to_point(model, from, to, 2, Profile::cycloidal);
    motion->at(t, on_q, on_v, a);
  }
  struct State {
    Vector q, v;
  };
  State state(const Floats& floats, bool joints_are_on_it) {
    State s{random_q<double>(random, *model), random_vector<double>(random, model->nv(), 2)};
    for (size_t b = 1; joints_are_on_it && b < floats.robot.bodies.size(); ++b) {
      const JointType type = floats.robot.bodies[b].joint.type;
      if (type == JointType::free) continue;
      const auto& place = model->bodies()[b];
      std::copy_n(on_q.begin() + place.q, coordinates(type), s.q.begin() + place.q);
      std::copy_n(on_v.begin() + place.v, degrees_of_freedom(type), s.v.begin() + place.v);
    }
    return s;
  }
  Vector torques(Controller& law, const State& s) const {
    Vector tau(s.v.size());
    law.torques(t, s.q, s.v, tau);
    return tau;
  }
};

// The joints of a robot that is on the motion move as it says, and no base is pushed.
TEST(FeedForward, MovesTheJointsWhereverTheirBasesAre) {
  for (const auto& types : chains)
    for (unsigned seed = 1; seed <= 8; ++seed) {
      const Floats floats(types);
      OnItsWay way(floats, seed);
      const OnItsWay::State s = way.state(floats, true);
      const Vector tau = way.torques(*feed_forward(way.model, way.motion), s);
      Machine<double> machine(*way.model, s.q, s.v);
      const Vector found = machine.forward(tau);
      const int n = way.model->nv();
      // I (found - true) is rounding; what that leaves of an acceleration goes with the inverse of I.
      Vector inverse(size_t(n * n));
      factorize<double>(*way.model, machine.at, machine.factor);
      inertia_inverse<double>(*way.model, machine.at, machine.factor, machine.inertia_inverse_scratch, inverse);
      const double tolerance = row_sum(inverse, n) * rounding<double>(n, terms_of(machine, found, tau));
      ASSERT_LE(tolerance, 1e-6);  // of some rad/s^2
      for (const int k : floats.driven) EXPECT_NEAR(found[size_t(k)], way.a[size_t(k)], tolerance) << seed << " " << k;
      for (int k = 0; k < n; ++k)
        if (std::find(floats.driven.begin(), floats.driven.end(), k) == floats.driven.end()) {
          EXPECT_EQ(tau[size_t(k)], 0) << seed << " " << k;
        }
    }
}

// Whatever the joints do, it gives the same: of the robot's state the bases alone are read, to the last bit.
TEST(FeedForward, LooksAtNothingButItsBases) {
  for (const auto& types : chains) {
    const Floats floats(types);
    OnItsWay way(floats, 3);
    const auto law = feed_forward(way.model, way.motion);
    const OnItsWay::State on_it = way.state(floats, true);
    OnItsWay::State beside = way.state(floats, false);
    for (const int b : floats.bases) {
      const auto& base = way.model->bodies()[size_t(b)];
      std::copy_n(on_it.q.begin() + base.q, 7, beside.q.begin() + base.q);
      std::copy_n(on_it.v.begin() + base.v, 6, beside.v.begin() + base.v);
    }
    ASSERT_NE(beside.q, on_it.q);
    EXPECT_EQ(way.torques(*law, beside), way.torques(*law, on_it));
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
