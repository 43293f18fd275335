// Laws besides feed-forward, PD and computed torque of fixed bases: PID, feedback, LQR, floating bases; what every law
// refuses.
#include <numeric>
#include <tuple>
#include <utility>

#include "denoc/control/controllers.hpp"
#include "denoc/control/drive_limits.hpp"
#include "denoc/control/lqr.hpp"
#include "denoc/loops/closed_chain.hpp"
#include "denoc/model/quaternions.hpp"
#include "denoc/motion/joint_motion.hpp"
#include "support/build.hpp"
#include "support/data.hpp"
#include "support/gains.hpp"
#include "support/random_robot.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

constexpr double eps = std::numeric_limits<double>::epsilon();
using Vector = std::vector<double>;
using Shared = std::shared_ptr<const Model>;

Vector torques(Controller& law, double t, const Vector& q, const Vector& v) {
  Vector tau(v.size());
  law.torques(t, q, v, tau);
  return tau;
}

// With a constant error e the integral is e t, however often the law is asked.
TEST(Pid, SumsItsError) {
  const Shared model = std::make_shared<const Model>(shipped("planar3r"));
  const auto law = pid(model, hold(model, {1, 2, 3}, 10), {{10, 20, 30}, {1, 1, 1}}, {5, 6, 7}, {});
  const Vector q = {0.5, 2, 3.25}, v = {0.1, 0, 0};
  for (int run = 0; run < 2; ++run) {  // the second begins anew
    expect_near(torques(*law, 0, q, v), {5 - 0.1, 0, -7.5}, 64 * eps, "at the start");
    for (const double t : {0.1, 0.4, 0.4, 1.0, 2.0})
      expect_near(torques(*law, t, q, v), {5 - 0.1 + 5 * 0.5 * t, 0, -7.5 - 7 * 0.25 * t}, 256 * eps, "later");
  }
  EXPECT_THROW(pid(model, hold(model, {0, 0, 0}, 1), {Vector(3), Vector(3)}, {1, 1}, {}), ArgumentError);
  const double none = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(pid(model, hold(model, {0, 0, 0}, 1), {Vector(3), Vector(3)}, {1, none, 1}, {}), ArgumentError);
  EXPECT_THROW(pid(model, hold(model, {0, 0, 0}, 1), {Vector(3), Vector(3)}, {0, 1, 0}, {0, 2}), ArgumentError)
      << "a gain of a joint without a drive";
}

// A drive that gives 10 N m at most: what it cannot give is not summed, so that it comes back as soon as the error does.
TEST(Pid, DoesNotWindUp) {
  const Shared model = std::make_shared<const Model>(shipped("planar3r"));
  const Vector none(3);
  const auto law = pid(model, hold(model, {1, 1, 0}, 10), {{8, 8, 8}, none}, {5, 5, 5}, {}, {10, 1000, 1000});
  for (const double t : {0.0, 0.2, 0.4, 2.0, 4.0}) {
    const Vector tau = torques(*law, t, {0, 0, 0}, none);
    EXPECT_NEAR(tau[0], 8 + 5 * std::min(t, 0.4), 256 * eps) << "beyond 10 N m nothing is added";
    EXPECT_NEAR(tau[1], 8 + 5 * t, 256 * eps);
  }
  // Back from the limit at once: the error has changed its sign, and is summed again.
  EXPECT_LT(torques(*law, 4.5, {1.5, 1.5, 0}, none)[0], 0);
  EXPECT_GT(torques(*law, 4.5, {1.5, 1.5, 0}, none)[1], 10);
  EXPECT_THROW(pid(model, hold(model, none, 1), {none, none}, none, {}, {1, 2}), ArgumentError);
  // A drive that is mounted the other way round, with gains below 0: the same with the other sign.
  const auto turned = pid(model, hold(model, {1, 1, 0}, 10), {{8, 8, 8}, none}, {-5, -5, -5}, {}, {10, 1000, 1000});
  for (const double t : {0.0, 1.0, 2.0, 3.0, 4.0, 5.0})
    EXPECT_NEAR(torques(*turned, t, {0, 0, 0}, none)[0], 8 - 5 * std::min(t, 3.0), 256 * eps)
        << "beyond -10 N m nothing is added";
}

// Of an error e + c t the integral is e t + c t^2 / 2, which trapezia have exactly, whenever the law is asked.
TEST(Pid, SumsErrorsThatChangeByTrapezia) {
  const Shared model = std::make_shared<const Model>(shipped("planar3r"));
  const Vector none(3), ki = {5, 6, 7}, e = {0.5, 0, -1}, c = {0, 2, 3};
  const auto law = pid(model, hold(model, none, 10), {none, none}, ki, {});
  for (const double t : {0.0, 0.1, 0.4, 0.5, 2.0}) {
    Vector q(3), expected(3);
    for (size_t k = 0; k < 3; ++k) {
      q[k] = -(e[k] + c[k] * t);
      expected[k] = ki[k] * (e[k] * t + c[k] * t * t / 2);
    }
    expect_near(torques(*law, t, q, none), expected, 256 * eps, "at " + std::to_string(t));
  }
}
// Whatever keeps the drive beyond what it can give, an error of the other sign brings it back, and is summed.
TEST(Pid, UnwindsBeyondTheLimits) {
  const Shared model = std::make_shared<const Model>(shipped("planar3r"));
  const Vector none(3);
  for (const double gain : {5.0, -5.0})
    for (const double way : {1.0, -1.0}) {
      const auto law = pid(model, hold(model, none, 10), {none, {1, 1, 1}}, {gain, gain, gain}, {}, {10, 10, 10});
      const auto tau = [&](double t, double error, double damped) {
        return torques(*law, t, Vector(3, -error * way), Vector(3, -damped))[0];
      };
      for (const double t : {0.0, 0.5, 1.0, 1.5}) EXPECT_NEAR(tau(t, 1, 0), gain * way * t, 256 * eps);
      const double beyond = std::copysign(20, gain * way);  // of the damping, the same way as the sum
      EXPECT_NEAR(tau(2, -1, 0), gain * way * 1.5, 256 * eps);
      for (const double t : {2.5, 3.0, 3.5, 4.0})
        EXPECT_NEAR(tau(t, -1, beyond), beyond + gain * way * (1.5 - (t - 2)), 256 * eps) << gain << " " << t;
      // Below zero, on its way to the other limit, where it stays.
      EXPECT_NEAR(tau(5, -1, 0), gain * way * -1.5, 256 * eps);
      EXPECT_NEAR(tau(5.5, -1, 0), gain * way * -2, 256 * eps);
      EXPECT_NEAR(tau(6, -1, 0), gain * way * -2, 256 * eps) << "beyond the limit nothing is added";
    }
}

// A run begins where the law is asked for the first time, or earlier than before, whatever its time is: nothing is summed
// yet. From there on the integral is that of the error since then.
TEST(Pid, BeginsWheneverARunDoes) {
  const Shared model = std::make_shared<const Model>(shipped("planar3r"));
  const Vector kp = {10, 20, 30}, ki = {5, -6, 7}, error = {0.5, 0.25, -1}, none(3);
  const auto law = pid(model, hold(model, {1, 2, 3}, 10), {kp, none}, ki, {});
  const Vector q = {1 - error[0], 2 - error[1], 3 - error[2]};
  // Each run begins before the end of the last one: later than it began, with it, earlier, at 0 and later again.
  for (const double begin : {0.5, 0.75, 0.75, 0.25, 0.0, 0.125, 1.0})
    for (const double after : {0.0, 0.125, 0.125, 0.5, 2.0}) {
      Vector expected(3);
      for (size_t k = 0; k < 3; ++k) expected[k] = kp[k] * error[k] + ki[k] * error[k] * after;
      expect_near(torques(*law, begin + after, q, none), expected, 256 * eps,
                  "run from " + std::to_string(begin) + ", after " + std::to_string(after));
    }
}

// A drive gives max_torque behind its gear, whichever way round that is, and no more than the joint may carry.
TEST(DriveLimits, AreTheLeastOfDriveAndJoint) {
  const double endless = std::numeric_limits<double>::infinity();
  for (const auto& [gear, torque, of_drive] :
       {std::tuple(1.0, 2.0, 2.0), {50.0, 2.0, 100.0}, {-50.0, 2.0, 100.0}, {-50.0, endless, endless}})
    for (const double effort : {30.0, 500.0, endless}) {
      Robot robot;
      add(robot, joint(JointType::revolute), mass(1, {1, 0, 0})).joint.limits.effort = effort;
      add(robot, joint(JointType::universal), mass(1, {1, 1, 1}));
      robot.bodies[1].joint.actuator = {.gear = gear, .max_torque = torque};
      EXPECT_EQ(drive_limits(Model(robot), true), (Vector{std::min(of_drive, effort), endless, endless})) << gear;
      EXPECT_EQ(drive_limits(Model(robot), false), (Vector{of_drive, endless, endless})) << gear;
    }
}

TEST(Feedback, IsWhatItsFunctionSays) {
  const auto law = feedback([](double t, std::span<const double> q, std::span<const double> v,
                               std::span<double> tau) { tau[0] = t - 2 * q[0] + v[0]; },
                            {1, 2});
  EXPECT_EQ(torques(*law, 3, {5}, {7}), Vector{0});
  EXPECT_EQ(law->next_break(1), 2);
  EXPECT_THROW(feedback(nullptr), ArgumentError);
  EXPECT_THROW(feedback([](double, auto, auto, auto) {}, {2, 1}), ArgumentError);
}

// m x'' = u with the cost x^2 + x'^2 + u^2: u = -x - sqrt(1 + 2 m) x'
TEST(Lqr, IsTheOneOfAMassInClosedForm) {
  for (const double m : {0.1, 1.0, 25.0}) {
    Robot robot;
    add(robot, joint(JointType::prismatic, {1, 0, 0}), mass(m));
    const Shared model = std::make_shared<const Model>(robot);
    const auto law = lqr(model, {0.5}, {{1}, {1}, {1}}, {0});
    const double kd = std::sqrt(1 + 2 * m);
    EXPECT_NEAR(torques(*law, 0,
                        {
                            0.5 + 0.25,
                        },
                        {0})[0],
                -0.25, 1e-12 * (1 + m))
        << m;
    EXPECT_NEAR(torques(*law, 0, {0.5}, {2})[0], -2 * kd, 1e-12 * (1 + m) * kd) << m;
    // q^2 weighs w, u^2 weighs r: k = sqrt(w / r)
    const auto other = lqr(model, {0}, {{4}, {1}, {0.25}}, {0});
    EXPECT_NEAR(torques(*other, 0, {1}, {0})[0], -4, 1e-11 * (1 + m)) << m;
  }
}

// It holds what hangs on it: a pendulum held level feels its weight and nothing else.
TEST(Lqr, HoldsThePosture) {
  const Shared model = std::make_shared<const Model>(shipped("planar3r"));
  const Vector posture = {0.3, -0.8, 1.1}, one(3, 1.0);
  const auto law = lqr(model, posture, {one, one, one}, {0, 1, 2});
  Machine<double> machine(*model, posture, Vector(3));
  expect_near(torques(*law, 0, posture, Vector(3)), machine.gravity(), 64 * eps * largest(machine.gravity()), "tau");
}

// Two wheels on a stiff shaft, one of them driven, turn as one wheel of the inertia J of both, but for 1/stiffness:
// k_q = 1, k_v = sqrt(1 + 2 J). Of the shaft's swinging at 1e3 rad/s and more the drive must not lose its turning.
TEST(Lqr, LeadsWhatAStiffSpringTies) {
  const double moment = 0.01;
  for (const double stiffness : {1e4, 1e6, 1e8, 1e10}) {
    Robot robot;
    robot.gravity = {0, 0, 0};
    for (int i = 0; i < 2; ++i)
      add(robot, joint(JointType::revolute), mass(1, {0, 0, 0}, {moment, 0, moment, 0, 0, moment}));
    robot.bodies[2].joint.spring.stiffness = stiffness;
    const Vector one(2, 1.0), zero(2), rates(2, 0.0);
    const auto law = lqr(std::make_shared<const Model>(robot), zero, {one, one, one}, {0});
    const auto only_q = lqr(std::make_shared<const Model>(robot), zero, {one, rates, one}, {0});
    const double tolerance = 1 / stiffness + 1e-7;  // riccati() holds its equation to 1e-9 of the terms
    EXPECT_NEAR(torques(*law, 0, {1, 0}, zero)[0], -1, tolerance) << stiffness;
    EXPECT_NEAR(torques(*law, 0, zero, {1, 0})[0], -std::sqrt(1 + 4 * moment), tolerance) << stiffness;
    EXPECT_NEAR(torques(*only_q, 0, zero, {1, 0})[0], -std::sqrt(4 * moment), tolerance) << stiffness;
  }
}

// Where gravity stiffens no joint, I a = u: with weights of 1 the law is u = -e - sqrt(1 + 2 I) e'. So it is for axes along gravity, however the
// arm is mounted, and for slides, whatever rounding leaves of their stiffness.
TEST(Lqr, TakesRoundingForNoStiffness) {
  std::vector<Robot> robots = {shipped("pppr")};
  for (const double turn : {0.0, 0.2, 1.0, 2.5}) {
    Robot scara;
    for (const JointType type : {JointType::revolute, JointType::revolute, JointType::prismatic, JointType::revolute})
      add(scara, joint(type), mass(1, {0.02, 0.03, 0.1}, {0.01, 0, 0.02, 0, 0, 0.02}));
    for (int b = 2; b <= 3; ++b) scara.bodies[size_t(b)].joint_frame.r = {0.4, 0, 0};
    for (const bool has_dampers : {false, true}) {
      if (has_dampers)
        for (Body& body : scara.bodies) body.joint.friction.viscous = 1e-9;  // too little to be felt
      Robot mounted = scara;
      const Mat3<double> R =
          rotation(Quaternion<double>{std::cos(turn), 0.6 * std::sin(turn), 0.8 * std::sin(turn), 0});
      mounted.bodies[1].joint_frame = Pose<double>{R, {0, 0, 0}} * scara.bodies[1].joint_frame;
      mounted.gravity = R * Vec3<double>{0, 0, -9.81};
      robots.push_back(mounted);
    }
  }
  Random random(12);
  for (const Robot& robot : robots) {
    const Shared model = std::make_shared<const Model>(robot);
    const Vector one(4, 1.0), still(4);
    for (int i = 0; i < 10; ++i) {
      Vector posture(4), away(4);
      for (size_t k = 0; k < 4; ++k) posture[k] = random.uniform(-2, 2), away[k] = random.uniform(-1, 1);
      const auto law = lqr(model, posture, {one, one, one}, {0, 1, 2, 3});
      const Vector held = torques(*law, 0, posture, still);
      Vector q = posture;
      for (size_t k = 0; k < 4; ++k) q[k] += away[k];
      const Vector tau = torques(*law, 0, q, still);
      for (size_t k = 0; k < 4; ++k)
        EXPECT_NEAR(tau[k] - held[k], -away[k], 1e-6) << robot.name << k;  // riccati() holds its equation to 1e-9
    }
  }
}

TEST(Lqr, SaysWhyThereIsNone) {
  const auto expect_refused = [](const std::function<void()>& make, const char* words) {
    try {
      make();
      ADD_FAILURE() << words;
    } catch (const Error& refused) {
      EXPECT_NE(std::string(refused.what()).find(words), std::string::npos) << refused.what();
    }
  };
  const Shared cart = std::make_shared<const Model>(shipped("cart_pole"));
  const Vector one(2, 1.0), zero(2);
  expect_refused([&] { lqr(cart, {0, 0.3}, {one, one, one}, {0}); }, "no equilibrium: joint 'pole'");
  expect_refused([&] { lqr(cart, zero, {one, one, one}, {}); }, "has a drive");
  expect_refused([&] { lqr(cart, zero, {one, one, zero}, {0}); }, "a weight of tau is 0");
  EXPECT_NO_THROW(lqr(cart, zero, {one, zero, one}, {0})) << "rates need no weight of their own";
  const Vector negative = {1, -1}, many = {1, 1, 1};
  expect_refused([&] { lqr(cart, zero, {negative, one, one}, {0}); }, "a weight of q is -1");
  expect_refused([&] { lqr(cart, zero, {one, negative, one}, {0}); }, "a weight of v is -1");
  for (int which = 0; which < 3; ++which)
    EXPECT_THROW(lqr(cart, zero, {which == 0 ? many : one, which == 1 ? many : one, which == 2 ? many : one}, {0}),
                 ArgumentError);
  expect_refused([&] { lqr(cart, zero, {zero, zero, one}, {0}); }, "the weights do not see a motion of joint");
  // Two carts side by side: no drive of the one reaches the other.
  Robot two;
  add(two, joint(JointType::prismatic, {1, 0, 0}), mass(1));
  add(two, joint(JointType::prismatic, {1, 0, 0}), mass(1)).parent = 0;
  const Shared apart = std::make_shared<const Model>(two);
  expect_refused([&] { lqr(apart, zero, {one, one, one}, {0}); }, "no drive reaches a motion of joint 'body2'");
  const Shared bar = std::make_shared<const Model>(shipped("fourbar"));
  const Vector three(3, 1.0);
  EXPECT_THROW(lqr(bar, Vector(3), {three, three, three}, {0}), NotCovered);
}

// What no drive reaches needs none where it comes to rest by itself: the mass beside it is held as if it were alone.
TEST(Lqr, LeavesToItselfWhatDiesOut) {
  Robot robot;
  add(robot, joint(JointType::prismatic, {1, 0, 0}), mass(1));
  add(robot, joint(JointType::prismatic, {1, 0, 0}), mass(2)).parent = 0;
  robot.bodies[2].joint.spring.stiffness = 3;
  robot.bodies[2].joint.friction.viscous = 1;
  const Vector one(2, 1.0), zero(2);
  const auto law = lqr(std::make_shared<const Model>(robot), zero, {one, one, one}, {0});
  expect_near(torques(*law, 0, {1, 0}, zero), {-1, 0}, 1e-12, "by q");
  expect_near(torques(*law, 0, zero, {1, 0}), {-std::sqrt(3.0), 0}, 1e-12, "by v");
  expect_near(torques(*law, 0, {0, 1}, {0, 1}), zero, 1e-12, "the other one");
}

// A floating arm: the base has no drive and is left alone; its joints obey e'' + kd e' + kp e = 0 all the same.
TEST(ComputedTorque, LeavesAFreeBaseToItself) {
  const Shared model = std::make_shared<const Model>(shipped("free_flying_arm"));
  const auto n = size_t(model->nv());
  Random random(7);
  Vector start(size_t(model->nq())), end;
  start[3] = 1;
  end = start;
  end[7] = 0.5, end[8] = -0.4, end[9] = 1;
  const auto motion = point_to_point(model, start, end, 2, Profile::poly345);
  const std::vector<int> driven = {6, 7, 8};
  const auto law = computed_torque(model, motion, gains_of(driven, int(n), 50, 9), driven);
  const Vector q = random_q<double>(random, *model), v = random_vector<double>(random, int(n), 1);
  const Vector tau = torques(*law, 0.7, q, v);
  for (size_t k = 0; k < 6; ++k) EXPECT_EQ(tau[k], 0);
  Machine<double> machine(*model, q, v);
  const Vector a = machine.forward(tau);
  Vector q_d(q.size()), v_d(n), a_d(n), e(n);
  motion->at(0.7, q_d, v_d, a_d);
  difference<double>(*model, q, q_d, e);
  for (const size_t k : {6u, 7u, 8u}) EXPECT_NEAR(a[k], a_d[k] + 9 * (v_d[k] - v[k]) + 50 * e[k], 1e-9) << k;
}

// Without feedback the joints of an arm that starts on its motion follow it, while the base goes its own way.
TEST(FeedForward, LeavesAFreeBaseToItself) {
  const Shared model = std::make_shared<const Model>(shipped("free_flying_arm"));
  const auto nv = std::size_t(model->nv());
  Vector from(std::size_t(model->nq()));
  from[3] = 1;
  Vector to = from;
  for (std::size_t k = 7; k < to.size(); ++k) to[k] = 0.3 * double(k - 5);
  const auto motion = point_to_point(model, from, to, 2, Profile::cycloidal);
  Vector q(from.size()), v(nv), a(nv);
  motion->at(0.7, q, v, a);
  // ... which by now is elsewhere, turned and on its way.
  const Vector base_q = {0.3, -0.2, 0.1, 0.8, 0.6, 0, 0}, base_v = {0.1, -0.2, 0.3, 0.4, 0.1, -0.3};
  std::copy(base_q.begin(), base_q.end(), q.begin());
  std::copy(base_v.begin(), base_v.end(), v.begin());
  const Vector tau = torques(*feed_forward(model, motion), 0.7, q, v);
  const Vector found = Machine<double>(*model, q, v).forward(tau);
  for (std::size_t k = 0; k < 6; ++k) EXPECT_EQ(tau[k], 0) << "the base has no drive";
  for (std::size_t k = 6; k < nv; ++k) EXPECT_NEAR(found[k], a[k], 1e-12) << k;
}

// Two arms on bases of their own, and a ball beside them: each base goes its own way, and the arms follow the motion.
TEST(FeedForward, LeavesEveryFreeBaseToItself) {
  Robot robot;
  robot.gravity = {0, 0, 0};
  const Inertial some = mass(2, {0.1, 0.05, -0.1}, {0.1, 0.01, 0.2, 0, 0.02, 0.15});
  for (int arm = 0; arm < 2; ++arm) {
    add(robot, joint(JointType::free), some).parent = 0;
    add(robot, joint(JointType::revolute, {0, 1, 0}), some, {0.3, 0, 0.2});
  }
  add(robot, joint(JointType::free), some).parent = 0;
  const Shared model = std::make_shared<const Model>(robot);
  const auto nv = std::size_t(model->nv());
  const std::vector<int> driven = {6, 13};
  Random random(5);
  Vector from(std::size_t(model->nq()));
  for (const std::size_t w : {3u, 11u, 19u}) from[w] = 1;
  Vector to = from;
  to[7] = 0.8, to[15] = -1.2;
  const auto motion = point_to_point(model, from, to, 2, Profile::cycloidal);
  Vector on_it(from.size()), v_on_it(nv), a(nv);
  motion->at(0.7, on_it, v_on_it, a);
  Vector q = random_q<double>(random, *model), v = random_vector<double>(random, int(nv), 1);
  q[7] = on_it[7], q[15] = on_it[15], v[6] = v_on_it[6], v[13] = v_on_it[13];
  const Vector tau = torques(*feed_forward(model, motion, driven), 0.7, q, v);
  const Vector found = Machine<double>(*model, q, v).forward(tau);
  for (std::size_t k = 0; k < nv; ++k) {
    if (k == 6 || k == 13)
      EXPECT_NEAR(found[k], a[k], 1e-12) << k;
    else
      EXPECT_EQ(tau[k], 0) << k;
  }
}

// Every law that is made from a model, of a robot that flies with drives in all its joints.
struct EveryLaw {
  Shared model = std::make_shared<const Model>(shipped("free_flying_arm"));
  Vector q = neutral_posture(model->robot()), v = Vector(size_t(model->nv()), 0.25);
  std::vector<std::pair<const char*, std::shared_ptr<Controller>>> laws;
  EveryLaw() {
    std::vector<int> all(v.size());
    std::iota(all.begin(), all.end(), 0);
    const Vector one(v.size(), 1.0);
    const auto motion = hold(model, q, 1);
    const Gains gains{one, one};
    laws = {{"feed_forward", feed_forward(model, motion, all)},
            {"feed_forward of a base that floats", feed_forward(model, motion, {6, 7, 8})},
            {"pd", pd(model, motion, gains, all)},
            {"pid", pid(model, motion, gains, one, all)},
            {"pd_with_gravity", pd_with_gravity(model, motion, gains, all)},
            {"computed_torque", computed_torque(model, motion, gains, all)},
            {"lqr", lqr(model, q, {one, one, one}, all)}};
  }
};

TEST(EveryLaw, RefusesSizesThatDoNotAgree) {
  const EveryLaw every;
  const auto of_size = [](Vector x, int more) {
    x.resize(size_t(int(x.size()) + more));
    return x;
  };
  for (const auto& [name, law] : every.laws) {
    Vector tau(every.v.size());
    for (const int more : {-1, 1}) {
      EXPECT_THROW(law->torques(0, of_size(every.q, more), every.v, tau), ArgumentError) << name;
      EXPECT_THROW(law->torques(0, every.q, of_size(every.v, more), tau), ArgumentError) << name;
      Vector other = of_size(tau, more);
      EXPECT_THROW(law->torques(0, every.q, every.v, other), ArgumentError) << name;
    }
    EXPECT_NO_THROW(law->torques(0, every.q, every.v, tau)) << name;
  }
}

TEST(EveryLaw, RefusesWhatIsNoNumber) {
  EveryLaw every;
  for (const auto& [name, law] : every.laws)
    for (const double none : {double(NAN), double(INFINITY)})
      for (Vector* given : {&every.q, &every.v})
        for (double& x : *given) {
          const double before = std::exchange(x, none);
          EXPECT_THROW(torques(*law, 0, every.q, every.v), ArgumentError) << name;
          x = before;
        }
}

// Quaternions: normalised where rounding explains it, else refused.
TEST(EveryLaw, TakesQuaternionsOfUnitLength) {
  const EveryLaw every;
  // Elsewhere and turned, so that everything counts.
  Vector q = every.q;
  const Vector base = {0.3, -0.2, 0.1, 0.5, -0.5, 0.5, 0.5, 0.4};
  std::copy(base.begin(), base.end(), q.begin());
  const auto times = [&](double length) {
    Vector scaled = q;
    for (size_t i = 3; i < 7; ++i) scaled[i] *= length;
    return scaled;
  };
  for (const auto& [name, law] : every.laws) {
    const Vector tau = torques(*law, 0, q, every.v);
    expect_near(torques(*law, 0, times(1 + 5e-7), every.v), tau, 256 * eps * (1 + largest(tau)), name);
    for (const double length : {2.0, 0.5, 0.0, 1 + 2e-6})
      EXPECT_THROW(torques(*law, 0, times(length), every.v), ArgumentError) << name << ", length " << length;
  }
}

// With the base held, gravity is balanced in the joints.
TEST(PdWithGravity, HoldsTheJointsOfAFloatingBase) {
  Robot robot = shipped("free_flying_arm");
  robot.gravity = {0, 0, -9.81};
  const Shared model = std::make_shared<const Model>(robot);
  Vector q(size_t(model->nq())), none(size_t(model->nv()));
  q[3] = 1;
  q[8] = 0.4;
  const std::vector<int> driven = {6, 7, 8};
  const auto law = pd_with_gravity(model, hold(model, q, 1), gains_of(driven, model->nv(), 50, 9), driven);
  Machine<double> machine(*model, q, none);
  Vector expected = machine.gravity();
  EXPECT_GT(std::abs(expected[7]), 1);
  std::fill(expected.begin(), expected.begin() + 6, 0.0);
  expect_near(torques(*law, 0, q, none), expected, 64 * eps * 100, "tau");
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
