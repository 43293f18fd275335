// Memory that is refused while something is loaded or made: an exception, from the first allocation to the last, and
// nothing stays taken.
#include <gtest/gtest.h>

#include <algorithm>

#include "counting_new.hpp"
#include "denoc/batch/batch.hpp"
#include "denoc/denoc.hpp"
#include "denoc/io/save.hpp"
#include "denoc/mechanism/inverse_kinematics.hpp"
#include "denoc/mechanism/random_posture.hpp"
#include "denoc/scenario/scenario.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

const std::string scenarios = DENOC_SOURCE "/examples/scenarios/";

template <class Make> long allocations_of(const Make& make) {
  const long before = allocations();
  make();
  return allocations() - before;
}

// What is looked up once and kept is there already: the first two calls are allowed everything.
template <class Make> void expect_clean_refusals(const std::string& what, const Make& make) {
  make();
  const long count = allocations_of(make);
  ASSERT_GT(count, 0) << what;
  long refusals = 0;
  for (long at = 1; at <= count; at += at < 500 ? 1 : 53) {
    const long live = live_allocations();
    refused_allocation() = allocations() + at;
    try {
      make();
    } catch (const std::bad_alloc&) {
      ++refusals;
    } catch (const Error&) {
      ++refusals;
    } catch (const std::exception& other) {
      ADD_FAILURE() << what << ", allocation " << at << ": " << other.what();
    }
    refused_allocation() = 0;
    ASSERT_EQ(live_allocations() - live, 0) << what << ", allocation " << at << " of " << count;
  }
  EXPECT_GT(refusals, 0) << what;
}

TEST(RefusedAllocations, OfLoaders) {
  const Robot arm = load("puma560"), closed = load("fourbar");
  const std::string urdf = robot_text(arm, "a.urdf").text, mjcf = robot_text(arm, "a.xml").text,
                    yaml = robot_text(closed, "a.yaml").text;
  for (const auto& [name, text] : {std::pair{"a.urdf", urdf}, {"a.xml", mjcf}, {"a.yaml", yaml}}) {
    expect_clean_refusals(name, [&, &name = name, &text = text] {
      const Document document = read_robot_text(text, name, {});
      EXPECT_TRUE(document.faults.empty());
    });
    expect_clean_refusals(name, [&, &name = name] { robot_text(arm, name); });
  }
  expect_clean_refusals("a shipped robot", [] { load("crank_rocker"); });
  expect_clean_refusals("a file at fault", [] {
    EXPECT_FALSE(read_robot_text("bodies: [{name: a, mas: 1}, {name: a, joint: x}]", "a.yaml", {}).faults.empty());
  });
}

TEST(RefusedAllocations, OfMechanismsAndDynamics) {
  for (const char* name : {"puma560", "humanoid", "fourbar", "three_rrr"}) {
    const Robot robot = load(name);
    expect_clean_refusals(name, [&] { Mechanism{robot}; });
    const Mechanism mechanism(robot);
    expect_clean_refusals(name, [&] { Dynamics(mechanism, Forces::all); });
    Executor alone(1);
    expect_clean_refusals(name, [&] { Batch<double>(mechanism, alone); });
  }
}

// Memory that is taken when first asked for: once there is some again, the next call has its answer.
TEST(RefusedAllocations, OfDerivativesOfBatches) {
  const Mechanism robot("puma560");
  Executor alone(1);
  const auto n = static_cast<std::size_t>(robot.nv());
  const std::vector<double> state(n, 0.3);
  std::vector<double> dq(n * n), dv(n * n), da(n * n);
  const auto ask = [&](Batch<double>& batch) { batch.inverse_derivatives(state, state, state, dq, dv, da); };
  Batch<double> first(robot, alone);
  const long count = allocations_of([&] { ask(first); });
  ASSERT_GT(count, 3);
  const std::vector<double> expected = dq;
  for (long at = 1; at <= count; ++at) {
    Batch<double> batch(robot, alone);
    refused_allocation() = allocations() + at;
    EXPECT_THROW(ask(batch), std::bad_alloc) << at;
    refused_allocation() = 0;
    std::fill(dq.begin(), dq.end(), 0.0);
    ask(batch);
    EXPECT_EQ(dq, expected) << at;
  }
}

TEST(RefusedAllocations, OfScenarios) {
  for (const char* name :
       {"puma_computed_torque.yaml", "rope.yaml", "fourbar_computed_torque.yaml", "three_rrr_feedforward.yaml"})
    expect_clean_refusals(name, [&] { load_scenario(scenarios + name); });
}

// Matrices of loops that change their size on the way, with what moves along them and across.
TEST(RefusedAllocations, OfMotionsAlongLoops) {
  Scenario scenario = load_scenario(scenarios + "fourbar_computed_torque.yaml");
  scenario.setup.duration = 0.001;
  scenario.setup.control = {};  // which keeps what it has taken
  expect_clean_refusals("a simulation", [&] { simulate(*scenario.model, scenario.setup, {}); });
  const Mechanism robot("fourbar");
  Chance chance(1);
  const std::vector<double> start = random_posture(robot, chance), end = random_posture(robot, chance);
  const Target target{robot.body("coupler"), {0.1, 0.05, 0}, false};
  const Pose<double> pose = Dynamics(robot, Forces::none, Loops::open).pose(end, target.body, target.point);
  expect_clean_refusals("a search", [&] { inverse_kinematics(robot, target, pose, start); });
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
