// What a program hears that asks for something without sense: an error of denoc's own, which says what was given. Each
// stands beside the nearest thing that is taken.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "denoc/denoc.hpp"
#include "denoc/kinematics/inverse_kinematics.hpp"
#include "denoc/model/quaternions.hpp"
#include "denoc/model/serial_chain.hpp"
#include "denoc/motion/forces_along.hpp"
#include "denoc/motion/joint_motion.hpp"
#include "denoc/scalar/symbol.hpp"
#include "denoc/simulation/sensitivity.hpp"
#include "support/build.hpp"
#include "support/data.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

using List = std::vector<double>;
constexpr double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();

template <class Refusal = ArgumentError, class F> void expect_refused(const std::string& said, F&& f) {
  try {
    f();
    ADD_FAILURE() << "taken, and not refused with: " << said;
  } catch (const Refusal& refused) {
    EXPECT_NE(std::string(refused.what()).find(said), std::string::npos) << refused.what() << "\nnot: " << said;
  }
}

TEST(Refusals, OfPosesThatNoBodyCanHave) {
  const Model model(shipped("puma560"));
  const List seed(6, 0.3);
  Configuration<double> at(model);
  Kinematics<double> kin(model);
  place<double>(model, seed, at);
  positions<double>(model, at, kin);
  const Pose<double> reached = pose_in_world<double>(model, kin, 6);
  const auto ask = [&](const Pose<double>& pose, const List& from) { return posture_near(model, 6, pose, from); };
  EXPECT_NO_THROW(ask(reached, seed));

  Pose<double> sheared = reached, mirrored = reached, unknown = reached, nowhere = reached, far = reached;
  sheared.R.xx *= 1.001;
  mirrored.R.xx = -mirrored.R.xx, mirrored.R.yx = -mirrored.R.yx, mirrored.R.zx = -mirrored.R.zx;
  unknown.R.yz = nan;
  for (const Pose<double>& pose : {sheared, mirrored, unknown})
    expect_refused("the R of a pose is not a rotation", [&] { ask(pose, seed); });
  // 1e200 m is a number, but the square of such a distance is none.
  for (const double x : {infinity, nan, 1e200}) {
    nowhere.r.y = x;
    expect_refused("less than 1e150 m is wanted", [&] { ask(nowhere, seed); });
  }
  expect_refused("seed has 5 entries, the model needs 6", [&] { ask(reached, List(5)); });
  expect_refused("seed: entry 2 is not a number", [&] { ask(reached, {0, nan, 0, 0, 0, 0}); });
  expect_refused("body 0 is the world", [&] { posture_near(model, 0, reached, seed); });
  // Ten metres further than any arm of a metre or so: it says how far away it stayed.
  far.r.x += 10;
  expect_refused<Unreachable>("no posture found", [&] { ask(far, seed); });
}

// Six revolute joints, the last three with axes that meet: anything else is no such arm, and is told why.
TEST(Refusals, OfArmsWithoutAWrist) {
  const Robot arm = shipped("puma560");
  EXPECT_TRUE(is_wrist_partitioned(Model(arm), 6));
  for (std::size_t joint = 0; joint < 6; ++joint) {
    Robot other = arm;
    other.bodies[joint + 1].joint.type = JointType::prismatic;
    const Model model(other);
    EXPECT_FALSE(is_wrist_partitioned(model, 6));
    expect_refused(fmt::format("its joint {} is not revolute", joint + 1), [&] {
      wrist_partitioned_postures(model, 6, {identity3<double>(), {0.4, 0, 0}});
    });
  }
}

TEST(Refusals, OfStepsThatTakeNoTime) {
  const Mechanism robot(shipped("puma560"));
  Dynamics dynamics(robot);
  List q(6, 0.1), v(6, 0.0);
  const List tau(6, 0.0), before = q;
  for (const double dt : {0.0, -1e-3, nan, infinity}) {
    expect_refused("step: dt is", [&] { dynamics.step(q, v, tau, dt); });
    EXPECT_EQ(q, before);
  }
  expect_refused("q has 5", [&] { dynamics.step(std::span(q).first(5), v, tau, 1e-3); });
  expect_refused("v has 5", [&] { dynamics.step(q, std::span(v).first(5), tau, 1e-3); });
  expect_refused("tau has 5", [&] { dynamics.step(q, v, std::span(tau).first(5), 1e-3); });
  EXPECT_NO_THROW(dynamics.step(q, v, tau, 1e-3));
  EXPECT_NE(q, before);
}

// Each of q, v, a and tau alone with an entry too few or too many.
TEST(Refusals, OfVectorsOfAnotherSize) {
  const Mechanism robot(shipped("puma560"));
  Dynamics d(robot);
  const List right(6, 0.2);
  for (const std::size_t size : {5u, 7u}) {
    const List wrong(size, 0.2);
    const auto has = [&](const char* name) { return fmt::format("{} has {}", name, size); };
    expect_refused(has("q"), [&] { d.inverse(wrong, right, right); });
    expect_refused(has("v"), [&] { d.inverse(right, wrong, right); });
    expect_refused(has("a"), [&] { d.inverse(right, right, wrong); });
    expect_refused(has("q"), [&] { d.forward(wrong, right, right); });
    expect_refused(has("v"), [&] { d.forward(right, wrong, right); });
    expect_refused(has("tau"), [&] { d.forward(right, right, wrong); });
    expect_refused(has("q"), [&] { d.inverse_derivatives(wrong, right, right); });
    expect_refused(has("v"), [&] { d.inverse_derivatives(right, wrong, right); });
    expect_refused(has("a"), [&] { d.inverse_derivatives(right, right, wrong); });
    expect_refused(has("q"), [&] { d.forward_derivatives(wrong, right, right); });
    expect_refused(has("v"), [&] { d.forward_derivatives(right, wrong, right); });
    expect_refused(has("tau"), [&] { d.forward_derivatives(right, right, wrong); });
    expect_refused(has("q"), [&] { d.bias(wrong, right); });
    expect_refused(has("v"), [&] { d.bias(right, wrong); });
    expect_refused(has("q"), [&] { d.energy(wrong, right); });
    expect_refused(has("v"), [&] { d.energy(right, wrong); });
    expect_refused(has("q"), [&] { d.gravity(wrong); });
    expect_refused(has("q"), [&] { d.inertia(wrong); });
  }
  EXPECT_NO_THROW(d.inverse_derivatives(right, right, right));
}

TEST(Refusals, OfWrenchesOnTheGround) {
  const Mechanism robot(shipped("puma560"));
  Dynamics d(robot);
  const Wrench<double> w{{1, 2, 3}, {4, 5, 6}};
  EXPECT_NO_THROW(d.wrenches({{"link6", w}}));
  expect_refused("body 0 is the world, which does not move", [&] { d.wrenches({{"link6", w}, {"world", w}}); });
}

// Gradients are those of a run; the shortest one has no step.
TEST(Refusals, OfGoingBackBeforeARun) {
  const Mechanism robot(shipped("puma560"));
  Sensitivity sensitivity(robot);
  const List six(6, 0.2);
  expect_refused("there was no run", [&] { sensitivity.back(six, six); });
  sensitivity.run(six, six, {}, 0.01);
  EXPECT_EQ(sensitivity.back(six, six).q, six);
}
TEST(Refusals, OfGoingBackWithWhatIsNotOfTheRun) {
  const Mechanism robot(shipped("puma560")), other(shipped("decoupled_arm"));
  Regressor own(robot), of_other(other);
  Sensitivity sensitivity(robot);
  const List six(6, 0.2), none(6, std::numeric_limits<double>::quiet_NaN());
  expect_refused("v: entry 1 is not a number", [&] { sensitivity.run(six, none, {}, 0.01); });
  sensitivity.run(six, six, six, 0.01);
  const List twelve(12, 0.2);
  List off = twelve;
  off[7] = none[0];
  EXPECT_EQ(sensitivity.back(twelve, twelve, &own).parameters.size(), own.parameters().size());
  expect_refused("of another mechanism", [&] { sensitivity.back(twelve, twelve, &of_other); });
  expect_refused("the gradient by q", [&] { sensitivity.back(off, twelve); });
  expect_refused("the gradient by v", [&] { sensitivity.back(twelve, off); });
}

TEST(Refusals, OfStartsWithQuaternionsThatAreNone) {
  const Model model(shipped("free_flying_arm"));
  SimulationSetup setup;
  setup.q = neutral_posture(model.robot());
  setup.v.assign(std::size_t(model.nv()), 0.0);
  setup.duration = setup.every = 0.01;
  const auto run = [&] { simulate(model, setup, {}); };
  EXPECT_NO_THROW(run());
  for (double& x : setup.q) x *= 2;
  expect_refused("q: the quaternion of joint", run);
}

// A chain that is made up is called as one asks for it.
TEST(Names, OfSerialChainsAreTheirWords) {
  EXPECT_EQ(serial_chain(3).name, "serial:3");
  EXPECT_EQ(serial_chain(4, ChainLinks::rods).name, "serial-rods:4");
}

TEST(Refusals, OfLocksOnWhatDoesNotMove) {
  Robot robot;
  add(robot, joint(JointType::fixed), mass(1));
  add(robot, joint(JointType::cylindrical), mass(1, {1, 0, 0}, {1, 0, 1, 0, 0, 1}));
  expect_refused("joint 'body1' is fixed already", [&] { changed(robot, {.locked = {{"body1", {}}}}); });
  expect_refused("has 2 coordinates, it cannot be locked at 1", [&] { changed(robot, {.locked = {{"body2", {1}}}}); });
  expect_refused("body3", [&] { changed(robot, {.locked = {{"body3", {1}}}}); });
  expect_refused("joint 'body2' cannot be locked where its q is not finite", [&] {
    changed(robot, {.locked = {{"body2", {1, nan}}}});
  });
  EXPECT_EQ(Mechanism(changed(robot, {.locked = {{"body2", {1, 2}}}})).nv(), 0);
  add(robot, joint(JointType::spherical), mass(1, {1, 0, 0}, {1, 0, 1, 0, 0, 1}));
  const auto turned = [&](const List& q) { return changed(robot, {.locked = {{"body3", q}}}).bodies[3].joint_frame; };
  for (const List& q : {List{0, 0, 0, 0}, {2, 0, 0, 0}, {1, 1, 0, 0}})
    expect_refused("the quaternion of joint 'body3' has length", [&] { turned(q); });
  const double half = std::sqrt(0.5), eps = std::numeric_limits<double>::epsilon();  // rounded when written
  EXPECT_NEAR(turned({half * (1 + 5e-7), half * (1 + 5e-7), 0, 0}).R.zy, 1, 8 * eps);
}

TEST(Refusals, OfTimesThatDoNotGoOn) {
  const auto model = std::make_shared<const Model>(shipped("two_link"));
  const auto ask = [&](const List& times, std::size_t points) {
    return spline(model, times, std::vector<List>(points, List(std::size_t(model->nq()))));
  };
  EXPECT_EQ(ask({0, 1, 3}, 3)->duration(), 3);
  expect_refused("the times of a spline increase; time 3 is 1, after 1", [&] { ask({0, 1, 1}, 3); });
  expect_refused("the times of a spline increase; time 2 is -1, after 0", [&] { ask({0, -1, 1}, 3); });
  expect_refused("the times of a spline increase", [&] { ask({0, infinity}, 2); });
  expect_refused("the times of a spline increase", [&] { ask({0, nan}, 2); });
  expect_refused("the times of a spline begin at 0, not at 0.5", [&] { ask({0.5, 1}, 2); });
  expect_refused("not 1 points at 1 times", [&] { ask({0}, 1); });
  expect_refused("not 3 points at 2 times", [&] { ask({0, 1}, 3); });
}

TEST(Refusals, OfRowsOfAnotherRobotsLoops) {
  const Model four_bar(shipped("fourbar")), arm(shipped("puma560")), again(shipped("fourbar"));
  const ClosedChain chain(four_bar);
  EXPECT_NO_THROW(ClosedChain(again, chain.shared_rows()));
  const std::string said = "the rows that a ClosedChain is given are none, or those of a robot of another size";
  expect_refused(said, [&] { ClosedChain(arm, chain.shared_rows()); });
  expect_refused(said, [&] { ClosedChain(four_bar, nullptr); });
}

TEST(Refusals, OfDurationsThatAreNone) {
  const Mechanism mechanism(shipped("two_link"));
  const auto motion = hold(std::make_shared<const Model>(mechanism.robot()), mechanism.neutral(), 1);
  const auto ask = [&](const AlongOptions& options) {
    int samples = 0;
    forces_along(mechanism, *motion, options, [&](const AlongSample&) { ++samples; });
    return samples;
  };
  EXPECT_EQ(ask({.duration = 1, .every = 0.25}), 5);
  for (const double x : {-1.0, infinity, nan}) expect_refused("duration = ", [&] { ask({.duration = x}); });
  for (const double x : {0.0, -1.0, infinity, nan}) expect_refused("every = ", [&] { ask({.every = x}); });
}

TEST(Refusals, OfSymbolsThatDoNotKnowEachOther) {
  Graph here, there;
  const Symbol x = here.input("x"), y = there.input("y");
  expect_refused("symbols of two graphs meet in one expression", [&] { return x + y; });
  expect_refused("symbols of two graphs meet in one expression", [&] { return x * y; });
  EXPECT_EQ(here.evaluate(std::vector<Symbol>{x + x * 2}, List{1})[0], 3);
}

// ... in words of C++; Python has its own.
TEST(Refusals, OfMatricesOfTheTreeNameWhatGivesThem) {
  const Mechanism robot(shipped("fourbar"));
  Dynamics d(robot);
  const List q = robot.neutral();
  expect_refused<NotCovered>(
      "fourbar has loops: its inertia matrix is that of the tree with the loops cut open, ask for it with Loops::open",
      [&] { d.inertia(q); });
  EXPECT_NO_THROW(d.inertia(q, Loops::open));
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
