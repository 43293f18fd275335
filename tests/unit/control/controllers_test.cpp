#include "denoc/control/controllers.hpp"

#include <numeric>

#include "denoc/motion/closed_motion.hpp"
#include "denoc/motion/joint_motion.hpp"
#include "support/data.hpp"
#include "support/gains.hpp"
#include "support/mechanisms.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

using Vector = std::vector<double>;

// A robot with all joint types, a motion of it, and a state beside that motion.
struct Tracking {
  Random random;
  std::shared_ptr<const Model> model;
  Vector q0, q1, q, v, desired_q, desired_v, desired_a;
  std::shared_ptr<const Trajectory> motion;
  Gains gains;

  explicit Tracking(unsigned seed, bool geared = false)
      : random(seed),
        model(robot(random, geared)),
        q0(random_q<double>(random, *model)),
        q1(random_q<double>(random, *model)),
        q(random_q<double>(random, *model)),
        v(random_vector<double>(random, model->nv())),
        desired_q(model->nq()),
        desired_v(model->nv()),
        desired_a(model->nv()),
        motion(point_to_point(model, q0, q1, 2, Profile::cycloidal)),
        gains{positive(), positive()} {
    motion->at(0.7, desired_q, desired_v, desired_a);
  }
  static std::shared_ptr<const Model> robot(Random& random, bool geared) {
    Robot any = random_robot(random, {.bodies = 7, .rotors = false});
    for (Body& body : any.bodies) {
      if (geared && degrees_of_freedom(body.joint.type) == 1)
        body.joint.actuator = {.gear = random.uniform(1, 80), .rotor_inertia = 1e-3};
    }
    return std::make_shared<const Model>(any);
  }
  Vector positive() {
    Vector k = random_vector<double>(random, model->nv(), 30);
    for (double& x : k) x = std::abs(x);
    return k;
  }
  Vector rotors() const {
    Vector all;
    for (int k = 0; k < model->nv(); ++k) {
      const Actuator& drive = model->robot().bodies[model->body_of_dof(k)].joint.actuator;
      all.push_back(drive.gear * drive.gear * drive.rotor_inertia);
    }
    return all;
  }
  // Free joints too: these robots are driven throughout.
  std::vector<int> all() const {
    std::vector<int> dofs(size_t(model->nv()));
    std::iota(dofs.begin(), dofs.end(), 0);
    return dofs;
  }
  Vector torques(Controller& control, const Vector& at_q, const Vector& at_v) const {
    Vector tau(model->nv());
    control.torques(0.7, at_q, at_v, tau);
    return tau;
  }
  Vector error() const {
    Vector e(model->nv());
    difference<double>(*model, q, desired_q, e);
    return e;
  }
  // a_d + kd e' + kp e
  Vector wanted() const {
    Vector a = error();
    for (size_t k = 0; k < a.size(); ++k)
      a[k] = desired_a[k] + gains.kd[k] * (desired_v[k] - v[k]) + gains.kp[k] * a[k];
    return a;
  }
};

// Applied to the robot, computed torque leaves the error with a law of its own: e'' + kd e' + kp e = 0.
TEST(ComputedTorque, DecouplesTheErrors) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Tracking t(seed);
    Machine<double> machine(*t.model, t.q, t.v);
    expect_forward<double>(machine, t.torques(*computed_torque(t.model, t.motion, t.gains, t.all()), t.q, t.v),
                           t.wanted(), "seed " + std::to_string(seed));
  }
}

TEST(FeedForward, GivesTheMotionToARobotThatIsOnIt) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Tracking t(seed);
    Machine<double> machine(*t.model, t.desired_q, t.desired_v);
    expect_forward<double>(machine, t.torques(*feed_forward(t.model, t.motion, t.all()), t.q, t.v), t.desired_a,
                           "seed " + std::to_string(seed));
  }
}

// Behind gears the rotors take their part: (I + gear^2 J) a + bias = tau.
TEST(Drives, CarryTheirRotors) {
  const Tracking t(3, true);
  Robot without = t.model->robot();
  for (Body& body : without.bodies) body.joint.actuator = {};
  const Model bare(without);
  const auto compare = [&](const Vector& q, const Vector& v, const Vector& a, const Vector& tau) {
    Machine<double> machine(bare, q, v);
    Vector expected = times(machine.inertia(), a);
    const Vector bias = machine.bias(), rotor = t.rotors();
    for (size_t k = 0; k < a.size(); ++k) expected[k] += bias[k] + rotor[k] * a[k];
    expect_near(tau, expected, rounding<double>(t.model->nv(), terms_of(machine, a, tau)), "tau");
  };
  EXPECT_GT(largest(t.rotors()), 1);
  compare(t.q, t.v, t.wanted(), t.torques(*computed_torque(t.model, t.motion, t.gains, t.all()), t.q, t.v));
  compare(t.desired_q, t.desired_v, t.desired_a, t.torques(*feed_forward(t.model, t.motion, t.all()), t.q, t.v));
}

TEST(Pd, PullsTowardsTheMotion) {
  const Tracking t(4);
  const Vector tau = t.torques(*pd(t.model, t.motion, t.gains, t.all()), t.q, t.v), wanted = t.wanted();
  for (size_t k = 0; k < tau.size(); ++k)
    EXPECT_NEAR(tau[k], wanted[k] - t.desired_a[k], rounding<double>(4, 200)) << k;
  // A robot on its motion is left alone.
  expect_near(t.torques(*pd(t.model, t.motion, t.gains, t.all()), t.desired_q, t.desired_v), Vector(t.model->nv(), 0.0),
              rounding<double>(4, largest(t.gains.kp)), "tau");
}

TEST(PdWithGravity, HoldsTheRobotAtItsTarget) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Tracking t(seed);
    const auto resting = point_to_point(t.model, t.q, t.q, 1, Profile::linear);
    const Vector none(t.model->nv(), 0.0);
    Machine<double> machine(*t.model, t.q, none);
    ASSERT_GT(largest(machine.gravity()), 1);
    const Vector tau = t.torques(*pd_with_gravity(t.model, resting, t.gains, t.all()), t.q, none);
    // the target is known to rounding of q, and kp times that
    const Vector held = machine.gravity();
    expect_near(tau, held, rounding<double>(t.model->nv(), largest(t.gains.kp) + largest(held)), "tau");
    expect_forward<double>(machine, held, none, "seed " + std::to_string(seed));
  }
}

// Against the inverse dynamics of the closed chain, through its multipliers: one drive, two that share, all three.
TEST(Controllers, DriveClosedChains) {
  const auto model = std::make_shared<const Model>(shipped("fourbar"));
  ClosedChain chain(*model);
  for (const std::vector<int>& driven : {std::vector<int>{0}, {2}, {0, 2}, {0, 1, 2}}) {
    const Gains gains = gains_of(driven, 3, 50, 9);
    const auto motion =
        closed_motion(model, point_to_point(model, {1, -0.55, 1.3}, {1.8, 0, 1.6}, 2, Profile::cycloidal), driven);
    Vector q(3), v(3), a(3), tau(3);
    motion->at(0.7, q, v, a);
    const auto expect = [&](const Vector& at_q, const Vector& at_v, const Vector& at_a) {
      const Vector expected = chain.inverse_dynamics(at_q, at_v, at_a, driven).tau;
      expect_near(tau, expected, 1e-12 * (1 + largest(expected)), "tau");
    };
    feed_forward(model, motion, driven)->torques(0.7, q, v, tau);
    expect(q, v, a);
    // On its motion computed torque does the same, and gravity is what holds it at rest.
    computed_torque(model, motion, gains, driven)->torques(0.7, q, v, tau);
    expect(q, v, a);
    const auto rest = point_to_point(model, q, q, 1, Profile::linear);
    pd_with_gravity(model, rest, gains, driven)->torques(0.7, q, Vector(3), tau);
    expect(q, Vector(3), Vector(3));
    // Off it the error of the joint that leads has a law of its own, however many are driven: a = a_d + kd e' + kp e.
    const auto k = std::size_t(driven[0]);
    Vector off = q;
    off[k] += 0.1;
    off = chain.assemble(off, {driven[0]});
    const Vector still(3);
    computed_torque(model, motion, gains, driven)->torques(0.7, off, still, tau);
    EXPECT_NEAR(chain.forward_dynamics(off, still, tau).a[k], a[k] + 9 * v[k] - 50 * 0.1, 1e-11) << k;
  }
}

// A four-bar and a pendulum beside it, with more drives than freedoms: those that lead, the same as in the motion and in
// the order in which they are given, have a law of their own, a = a_d + kd e' + kp e.
TEST(ComputedTorque, KeepsTheLawOfTheJointsThatLead) {
  Robot robot = four_bar();
  add_to(robot, 0, joint(JointType::revolute), rod(1, 1));
  const auto model = std::make_shared<const Model>(robot);
  ClosedChain chain(*model);
  const Vector here = chain.assemble(Vector{1, -0.55, 1.3, 0.4}, {0, 3}), there = {1.8, 0, 1.6, -0.7};
  for (const std::vector<int>& driven : std::vector<std::vector<int>>{{0, 1, 3}, {1, 2, 3}, {2, 1, 0, 3}}) {
    const std::vector<int> lead = leading(*model, here, driven);
    ASSERT_EQ(lead, (std::vector<int>{driven[0], 3}));
    const auto motion = closed_motion(model, point_to_point(model, here, there, 2, Profile::cycloidal), driven);
    Vector q(4), v(4), a(4), tau(4);
    motion->at(0.7, q, v, a);
    Vector off = q, rates = v;
    for (const int k : lead) off[size_t(k)] += 0.05 * (k + 1), rates[size_t(k)] -= 0.3 * (k + 1);
    off = chain.assemble(off, lead);
    rates = chain.closed_rates(off, rates, lead);
    computed_torque(model, motion, gains_of(driven, 4, 50, 9), driven)->torques(0.7, off, rates, tau);
    const Vector found = chain.forward_dynamics(off, rates, tau).a;
    for (const int k : lead)
      EXPECT_NEAR(found[size_t(k)], a[size_t(k)] + 9 * 0.3 * (k + 1) - 50 * 0.05 * (k + 1), 1e-10) << k;
  }
}

TEST(Controllers, RefuseDrivesThatDoNotLead) {
  const auto arm = std::make_shared<const Model>(shipped("planar3r")),
             bar = std::make_shared<const Model>(shipped("fourbar"));
  const auto motion = point_to_point(arm, {0, 0, 0}, {1, 1, 1}, 3, Profile::cycloidal);
  const Gains gains = gains_of({0, 2}, 3, 1, 1);
  EXPECT_THROW(feed_forward(arm, motion, {0, 2}), NotDriveable);
  EXPECT_THROW(pd_with_gravity(arm, motion, gains, {0, 2}), NotDriveable);
  try {
    computed_torque(arm, motion, gains, {0, 2});
    FAIL() << "two drives for three joints";
  } catch (const NotDriveable& refused) {
    EXPECT_NE(std::string(refused.what()).find("'" + arm->joint_name(2) + "'"), std::string::npos) << refused.what();
  }
  // PD needs no model: it drives what it is told to.
  Vector tau(3);
  pd(arm, motion, gains, {0, 2})->torques(1, Vector{0, 9, 0}, Vector(3), tau);
  EXPECT_GT(tau[0], 0);
  EXPECT_EQ(tau[1], 0);
  // A gain that would do nothing is refused, with the joint's name.
  try {
    pd(arm, motion, gains_of({0, 1, 2}, 3, 1, 1), {0, 2});
    FAIL() << "a gain without a drive";
  } catch (const ArgumentError& refused) {
    EXPECT_NE(std::string(refused.what()).find("'" + arm->joint_name(2) + "'"), std::string::npos) << refused.what();
  }
  EXPECT_THROW(feed_forward(bar, point_to_point(bar, Vector(3), Vector(3), 1, Profile::linear), {0}), ArgumentError)
      << "a motion with its loops open";
}

TEST(GivenTorques, AreGivenAndBreakWhereTheySay) {
  const auto control = given_torques([](double t, std::span<double> tau) { tau[0] = t < 1 ? 2 : 3; }, {1, 4});
  Vector tau(1);
  control->torques(0.5, tau, tau, tau);
  EXPECT_EQ(tau[0], 2);
  EXPECT_EQ(control->next_break(0), 1);
  EXPECT_EQ(control->next_break(1), 4);
  EXPECT_EQ(control->next_break(4), std::numeric_limits<double>::infinity());
  EXPECT_THROW(given_torques(nullptr), ArgumentError);
  EXPECT_THROW(given_torques([](double, std::span<double>) {}, {2, 1}), ArgumentError);
}

TEST(Controllers, BreakWhereTheirMotionDoes) {
  const auto model = std::make_shared<const Model>(shipped("planar3r"));
  const auto motion = point_to_point(model, {0, 0, 0}, {1, 1, 1}, 3, Profile::trapezoidal);
  const Gains gains{{1, 1, 1}, {1, 1, 1}};
  for (const auto& control : {feed_forward(model, motion), pd(model, motion, gains),
                              pd_with_gravity(model, motion, gains), computed_torque(model, motion, gains)}) {
    Vector breaks;
    for (double t = -1; breaks.size() < 5; breaks.push_back(t)) t = control->next_break(t);
    breaks.pop_back();
    EXPECT_EQ(control->next_break(3), std::numeric_limits<double>::infinity());
    expect_near(breaks, {0, 1, 2, 3}, 1e-15, "breaks");
  }
}

TEST(Controllers, RefuseSizesThatDoNotAgree) {
  const auto model = std::make_shared<const Model>(shipped("planar3r")),
             puma = std::make_shared<const Model>(shipped("puma560"));
  const auto motion = point_to_point(model, {0, 0, 0}, {1, 1, 1}, 3, Profile::cycloidal);
  const Vector three(3, 1.0), two(2, 1.0);
  for (const auto& law : {pd, pd_with_gravity, computed_torque}) {
    EXPECT_THROW(law(puma, motion, {Vector(6, 1.0), Vector(6, 1.0)}, {}), ArgumentError);
    EXPECT_THROW(law(model, motion, {three, {1, NAN, 1}}, {}), ArgumentError);
    try {
      law(model, motion, {three, two}, {});
      FAIL() << "two gains for three joints";
    } catch (const ArgumentError& refused) {
      EXPECT_NE(std::string(refused.what()).find("kd"), std::string::npos) << refused.what();
    }
  }
  EXPECT_THROW(feed_forward(puma, motion), ArgumentError);
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
