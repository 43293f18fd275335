// Runs that fail say when and why; setups without sense are refused before.
#include <cmath>

#include "denoc/control/controllers.hpp"
#include "denoc/motion/joint_motion.hpp"
#include "support/build.hpp"
#include "support/data.hpp"
#include "support/simulated.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

std::string failure(const Model& model, const SimulationSetup& setup) {
  try {
    simulate(model, setup, {});
  } catch (const SimulationFailure& error) {
    return error.what();
  }
  return "";
}
TEST(Failures, NameTimeAndCause) {
  const Model model(shipped("pendulum"));
  auto setup = setup_of({-1}, {0}, 1, 0.1, tight(1e-8));
  setup.control = given_torques([](double t, std::span<double> tau) { tau[0] = std::sqrt(0.5 - t); });
  for (const IntegrationMethod method :
       {IntegrationMethod::rk4, IntegrationMethod::dopri5, IntegrationMethod::bdf, IntegrationMethod::ida}) {
    if (is_multistep(method) && !has_multistep()) continue;
    setup.integrator.method = method;
    const std::string text = failure(model, setup);
    EXPECT_NE(text.find("t = 0."), std::string::npos) << text;
    EXPECT_NE(text.find("the torque of the drive of joint 'bob' is not a finite number"), std::string::npos) << text;
  }
}
// The cause is that of the last attempts, not that of an attempt long ago.
TEST(Failures, NameTheLastCause) {
  auto setup = setup_of({0}, {0}, 1, 1, tight(1e-8));
  bool was_asked = false;  // before 0.2 s a trial state, and only one, has no force
  setup.control = given_torques([&](double t, std::span<double> tau) {
    const bool is_first = t > 0.2 && !was_asked;
    was_asked |= is_first;
    tau[0] = is_first ? std::nan("") : 1 / ((t - 0.5) * (t - 0.5));
  });
  const std::string text = failure(slider(), setup);
  EXPECT_TRUE(was_asked);
  EXPECT_NE(text.find("the motion is singular here"), std::string::npos) << text;
}
TEST(Failures, TooMuchWorkNamesTheStiffMethod) {
  const Model model(shipped("governor"));
  auto setup = setup_of({0, M_PI / 6, M_PI / 6, 0.5}, {2 * M_PI, 0, 0, 0}, 10, 0.1, tight(1e-6));
  setup.integrator.max_evaluations = 50'000;
  const std::string text = failure(model, setup);
  EXPECT_NE(text.find("more than 50000 evaluations"), std::string::npos) << text;
  EXPECT_NE(text.find("use method bdf"), std::string::npos) << text;
}
TEST(Failures, BlowUpIsNotSilent) {
  const Model model(shipped("governor"));
  const std::string text =
      failure(model, setup_of({0, M_PI / 6, M_PI / 6, 0.5}, {2 * M_PI, 0, 0, 0}, 10, 0.1, fixed(1e-2)));
  EXPECT_NE(text.find("not a finite number"), std::string::npos) << text;
}
// A law takes no state that is none: where a step ends beyond the range of numbers, the run fails, not its setup.
TEST(Failures, BlowUpUnderALawIsThatOfTheRun) {
  Robot robot;
  add(robot, joint(JointType::spherical), mass(1, {0, 0, 0}, {0.1, 0, 0.2, 0, 0, 0.25}));
  const auto model = std::make_shared<const Model>(robot);
  const std::vector<double> there = {1, 0, 0, 0}, none(3), fast = {0, 0, 1e153};
  auto setup = setup_of(there, fast, 100, 100, fixed(100));  // the square of 1e155 is no number
  setup.control = pd(model, hold(model, there, 1), {none, none}, {0, 1, 2});
  const std::string text = failure(*model, setup);
  EXPECT_NE(text.find("the state is not a finite number"), std::string::npos) << text;
}
TEST(Failures, SingularInertiaNamesTheJoint) {
  Robot robot;
  add(robot, joint(JointType::revolute), mass(1, {1, 0, 0}));
  add(robot, joint(JointType::revolute), mass(0), {1, 0, 0});
  const Model model(robot);
  for (const IntegratorOptions& options :
       {fixed(1e-3), tight(1e-6), tight(1e-6, IntegrationMethod::bdf), tight(1e-6, IntegrationMethod::ida)}) {
    if (is_multistep(options.method) && !has_multistep()) continue;
    const std::string text = failure(model, setup_of({0, 0}, {0, 0}, 1, 0.1, options));
    EXPECT_NE(text.find("body2"), std::string::npos) << text;
    EXPECT_NE(text.find("t = 0"), std::string::npos) << text;
  }
}
TEST(Failures, SetupsWithoutSenseAreRefused) {
  const Model model(shipped("pendulum"));
  const auto good = setup_of({-1}, {0}, 1, 0.1, tight(1e-8));
  const auto refused = [&](const std::function<void(SimulationSetup&)>& spoil) {
    auto setup = good;
    spoil(setup);
    EXPECT_THROW(simulate(model, setup, {}), ArgumentError);
  };
  refused([](auto& s) { s.q = {}; });
  refused([](auto& s) { s.every = 0; });
  refused([](auto& s) { s.method = "magic"; });
  refused([](auto& s) { s.control_rate = 1e16; });  // its samples are nearer than numbers
  refused([](auto& s) { s.wrenches = {{.body = 1, .at = nullptr}}; });
  for (const double length : {0.0, 0.5, 1 + 1e-5, 1e300})
    refused([&](auto& s) { s.ground = {.normal = {0, 0, length}, .stiffness = 1}; });
  const auto zero = [](double) { return Wrench<double>{{0, 0, 0}, {0, 0, 0}}; };
  refused([&](auto& s) { s.wrenches = {{.body = 1, .at = zero, .breaks = {2, 1}}}; });
  refused([&](auto& s) { s.wrenches = {{.body = 7, .at = zero}}; });
  // Every number of a setup is a number; but steps may be as long as they like.
  for (const double none : {std::nan(""), std::numeric_limits<double>::infinity(), -1.0}) {
    refused([&](auto& s) { s.duration = none; });
    refused([&](auto& s) { s.every = none; });
    refused([&](auto& s) { s.integrator.step = none; });
    refused([&](auto& s) { s.integrator.rtol = none; });
    refused([&](auto& s) { s.integrator.atol = none; });
    if (!std::isinf(none)) refused([&](auto& s) { s.integrator.max_step = none; });
    refused([&](auto& s) { s.control_rate = none; });
    refused([&](auto& s) { s.stabilisation = none; });
    refused([&](auto& s) { s.ground = {.stiffness = none}; });
    refused([&](auto& s) { s.ground = {.stiffness = 1, .damping = none}; });
    refused([&](auto& s) { s.ground = {.stiffness = 1, .friction = none}; });
    refused([&](auto& s) { s.ground = {.stiffness = 1, .slip_speed = none}; });
    if (none == -1) continue;
    refused([&](auto& s) { s.q[0] = none; });
    refused([&](auto& s) { s.v[0] = none; });
    refused([&](auto& s) { s.ground = {.point = {0, none, 0}, .stiffness = 1}; });
    refused([&](auto& s) { s.ground = {.normal = {0, 0, none}, .stiffness = 1}; });
    refused([&](auto& s) { s.ground = {.stiffness = 1, .points = {{1, {none, 0, 0}}}}; });
    refused([&](auto& s) { s.wrenches = {{.body = 1, .point = {none, 0, 0}, .at = zero}}; });
    refused([&](auto& s) { s.wrenches = {{.body = 1, .at = zero, .breaks = {0.1, none}}}; });
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
