// Points that touch the ground: a ball at rest, bouncing, sliding to a stop.
#include <cmath>

#include "support/build.hpp"
#include "support/simulated.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

// A point mass that flies.
Model ball() {
  Robot robot;
  add(robot, joint(JointType::free), mass(2, {0, 0, 0}, {0.1, 0, 0.1, 0, 0, 0.1}));
  return Model(robot);
}
SimulationSetup on_ground(const std::vector<double>& velocity, double height, double damping, double friction,
                          double duration) {
  auto setup = setup_of({0, 0, height, 1, 0, 0, 0}, {0, 0, 0, velocity[0], velocity[1], velocity[2]}, duration, 0.01,
                        tight(1e-10));
  GroundContact ground;
  ground.stiffness = 1e5;
  ground.damping = damping;
  ground.friction = friction;
  ground.points = {{1, {0, 0, 0}}};
  setup.ground = ground;
  return setup;
}
constexpr double g = 9.81, m = 2;

TEST(Ground, BearsWhatRestsOnIt) {
  const Model model = ball();
  const auto run = simulated(model, on_ground({0, 0, 0}, -m * g / 1e5, 1, 0.5, 1));
  EXPECT_NEAR(run.samples.back().q[2], -m * g / 1e5, 1e-12);
}
TEST(Ground, GivesBackWhatItStores) {
  const Model model = ball();
  const auto run = simulated(model, on_ground({0, 0, 0}, 0.5, 0, 0, 3));
  double highest = 0;
  for (const Kept& sample : run.samples) {
    if (sample.t > 1) highest = std::max(highest, sample.q[2]);
  }
  EXPECT_NEAR(highest, 0.5, 1e-3);  // a sample may miss the top by 5 ms
  // The force has a kink where the ball touches down: a step across it errs more than the tolerance.
  EXPECT_LE(run.statistics.balance_defect, 1e-6);
  EXPECT_NEAR(run.samples.back().energy(), m * g * 0.5, 1e-6);
}
TEST(Ground, DampsBounces) {
  const Model model = ball();
  const auto run = simulated(model, on_ground({0, 0, 0}, 0.5, 0.3, 0, 3));
  EXPECT_LT(run.samples.back().energy(), 0.9 * m * g * 0.5);
  EXPECT_GT(run.samples.back().dissipated, 0.1 * m * g * 0.5);
  EXPECT_LE(run.statistics.balance_defect, 1e-6);
}
// It slides v^2 / (2 friction g), but for the last millimetre a second, and friction does the work.
TEST(Ground, StopsWhatSlides) {
  const Model model = ball();
  const auto run = simulated(model, on_ground({1, 0, 0}, -m * g / 1e5, 1, 0.4, 1));
  const Kept& end = run.samples.back();
  EXPECT_NEAR(end.q[0], 1 / (2 * 0.4 * g), 1e-3);
  EXPECT_LE(std::abs(end.v[3]), 1e-6);
  EXPECT_NEAR(end.dissipated, m / 2, 1e-6);
  EXPECT_LE(run.statistics.balance_defect, 1e-7);
}

// Thrown up, it meets a ceiling, or an end stop, for some milliseconds and falls again: free flight has no error, and
// steps that grow in it would pass the contact.
TEST(Ground, IsNotSteppedOverInFreeFlight) {
  constexpr double v0 = 5, stiffness = 1e6, duration = 1;
  for (const bool is_stop : {true, false})
    for (const double limit : {1.2, 1.25, 1.26, 1.265, 1.27})
      for (const IntegrationMethod method :
           {IntegrationMethod::dopri5, IntegrationMethod::bs23, IntegrationMethod::adams, IntegrationMethod::bdf,
            IntegrationMethod::ida}) {
        if (!is_available(method)) continue;
        SCOPED_TRACE(testing::Message() << name_of(method) << (is_stop ? ", stop at " : ", ceiling at ") << limit);
        Robot robot;
        Joint slide = joint(JointType::prismatic, {0, 0, 1});
        if (is_stop) slide.limits = {.upper = limit, .stiffness = stiffness};
        add(robot, slide, mass(1));
        auto setup = setup_of({0}, {v0}, duration, duration, tight(1e-8, method));
        if (!is_stop) {
          GroundContact ceiling;
          ceiling.point = {0, 0, limit};
          ceiling.normal = {0, 0, -1};
          ceiling.stiffness = stiffness;
          ceiling.points = {{1, {0, 0, 0}}};
          setup.ground = ceiling;
        }
        const auto run = simulated(Model(robot), setup);
        // It arrives with v, and m x" = -m g - k x brings it back with -v.
        const double v = std::sqrt(v0 * v0 - 2 * g * limit), omega = std::sqrt(stiffness);
        const double inside = 2 * std::atan(v * omega / g) / omega, left = duration - (v0 - v) / g - inside;
        EXPECT_NEAR(run.samples.back().q[0], limit - v * left - g * left * left / 2, 1e-5);
        EXPECT_LE(run.statistics.balance_defect, 1e-4);
      }
}

// A wheel that turns evenly, and errs in no step, carries a point against the ground, a metre from its axis, and is thrown
// back by it again and again: 1/2 I v^2 = 1/2 k x^2 where it is deepest. So it is with a gondola on it that does not turn.
TEST(Ground, IsNotTurnedThrough) {
  constexpr double pi = 3.14159265358979323846, height = 0.5, stiffness = 1000, inertia = 1.0 / 12;
  for (const bool has_gondola : {false, true})
    for (const double every : {0.01, 1.0, 100.0})
      for (const IntegrationMethod method :
           {IntegrationMethod::dopri5, IntegrationMethod::bs23, IntegrationMethod::adams, IntegrationMethod::bdf,
            IntegrationMethod::ida}) {
        if (!is_available(method)) continue;
        SCOPED_TRACE(testing::Message() << name_of(method) << " every " << every << (has_gondola ? ", gondola" : ""));
        const Inertial balanced = mass(1, {0, 0, 0}, {inertia, 0, inertia, 0, 0, inertia});
        Robot robot;
        robot.gravity = {0, 0, 0};
        add(robot, joint(JointType::revolute, {0, 1, 0}), balanced);
        if (has_gondola) add(robot, joint(JointType::revolute, {0, 1, 0}), balanced, {1, 0, 0});
        const std::vector<double> v = has_gondola ? std::vector<double>{1, -1} : std::vector<double>{1};
        auto setup = setup_of(std::vector<double>(v.size()), v, 30, every, tight(1e-8, method));
        setup.ground = GroundContact{{0, 0, -height}, {0, 0, 1}, stiffness, 0, 0, 0.01, {{1, {1, 0, 0}}}};
        if (has_gondola) setup.ground->points = {{2, {0, 0, 0}}};
        const auto run = simulated(Model(robot), setup);
        for (const std::string& warning : warnings_of(run.statistics, setup.integrator))
          EXPECT_EQ(warning.find("unaccounted"), std::string::npos) << warning;
        const double kinetic = (inertia + (has_gondola ? 1 : 0)) / 2, doubtful = 1.01,
                     deepest = std::sqrt(2 * kinetic * doubtful / stiffness), furthest = std::asin(height + deepest);
        for (const Kept& sample : run.samples) {
          ASSERT_LE(sample.q[0], furthest);
          ASSERT_GE(sample.q[0], -pi - furthest);
        }
      }
}

// So it is with a wheel on what turns slowly or not at all: on a post, on a carriage along its axis, on an arm about the same
// axis. The ground pushes at the wheel alone, and carriage and arm go on evenly.
TEST(Ground, IsNotTurnedThroughByWhatIsCarried) {
  constexpr double pi = 3.14159265358979323846, height = 0.5, stiffness = 1000, inertia = 1.0 / 12, slow = 1e-3;
  enum class Carrier { post, carriage, arm };
  for (const Carrier carrier : {Carrier::post, Carrier::carriage, Carrier::arm})
    for (const IntegrationMethod method : {IntegrationMethod::dopri5, IntegrationMethod::bs23, IntegrationMethod::adams,
                                           IntegrationMethod::bdf, IntegrationMethod::ida}) {
      if (!is_available(method)) continue;
      SCOPED_TRACE(testing::Message() << name_of(method) << ", carrier " << int(carrier));
      const Inertial balanced = mass(1, {0, 0, 0}, {inertia, 0, inertia, 0, 0, inertia});
      Robot robot;
      robot.gravity = {0, 0, 0};
      const JointType types[] = {JointType::fixed, JointType::prismatic, JointType::revolute};
      add(robot, joint(types[int(carrier)], {0, 1, 0}), balanced);
      add(robot, joint(JointType::revolute, {0, 1, 0}), balanced);
      const double turned = carrier == Carrier::arm ? slow : 0;
      const std::vector<double> v =
          carrier == Carrier::post ? std::vector<double>{1} : std::vector<double>{slow, 1 - turned};
      auto setup = setup_of(std::vector<double>(v.size()), v, 30, 0.6, tight(1e-8, method));
      setup.ground = GroundContact{{0, 0, -height}, {0, 0, 1}, stiffness, 0, 0, 0.01, {{2, {1, 0, 0}}}};
      const auto run = simulated(Model(robot), setup);
      const double doubtful = 1.01, deepest = std::sqrt(inertia * doubtful / stiffness),
                   furthest = std::asin(height + deepest);
      for (const Kept& sample : run.samples) {
        const double angle = sample.q.back() + (carrier == Carrier::arm ? sample.q[0] : 0);
        ASSERT_LE(angle, furthest);
        ASSERT_GE(angle, -pi - furthest);
        if (carrier == Carrier::post) continue;
        ASSERT_NEAR(sample.q[0], slow * sample.t, 1e-6);
      }
    }
}

// A leg on a spring under a torso that slides along: where its foot touches down and lifts off forces have a kink, which
// steps meet somewhere inside. What the balance leaves falls with the tolerance all the same.
TEST(Ground, TheBalanceOfAHoppingLegFallsWithTheTolerance) {
  Robot robot;
  add(robot, joint(JointType::prismatic, {1, 0, 0}), mass(0));
  add(robot, joint(JointType::prismatic, {0, 0, 1}), mass(5));
  add(robot, joint(JointType::revolute, {0, 1, 0}), mass(1, {0, 0, -0.2}, {0.02, 0, 0.02, 0, 0, 0.001}))
      .joint.spring = {.stiffness = 20};
  add(robot, joint(JointType::prismatic, {0, 0, 1}), mass(0.3), {0, 0, -0.4}).joint.spring = {.stiffness = 2000};
  const Model model(robot);
  std::vector<double> left;
  for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10}) {
    auto setup = setup_of({0, 0, 0, 0}, {0.2, 0, 0, 0}, 2, 0.01, {.rtol = rtol, .atol = rtol / 100});
    setup.ground = GroundContact{{0, 0, -0.9}, {0, 0, 1}, 2e4, 0.3, 0.7, 0.01, {{4, {0, 0, -0.1}}}};
    const auto run = simulated(model, setup);
    EXPECT_GT(run.samples.back().dissipated, 0.1) << "it has touched the ground";
    left.push_back(run.statistics.balance_defect / run.statistics.largest_kinetic);
    EXPECT_LE(left.back(), 1e3 * rtol);
  }
  for (std::size_t i = 1; i < left.size(); ++i) EXPECT_LE(left[i], left[i - 1] / 5);
}
TEST(Ground, WantsBodiesAndASlipSpeed) {
  const Model model = ball();
  auto setup = on_ground({0, 0, 0}, 0.5, 0, 0, 1);
  setup.ground->slip_speed = 0;
  EXPECT_THROW(simulate(model, setup, {}), ArgumentError);
  setup.ground->slip_speed = 1e-3;
  for (const int body : {-1, 2}) {
    setup.ground->points[0].body = body;
    EXPECT_THROW(simulate(model, setup, {}), ArgumentError);
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
