// The scenarios that ship with denoc (examples/scenarios): each loads and runs, keeps its energy, and meets the answer
// that is known of it.
#include <cmath>
#include <filesystem>

#include "denoc/motion/minimum_time.hpp"
#include "denoc/scenario/scenario.hpp"
#include "support/data.hpp"
#include "support/simulated.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

namespace fs = std::filesystem;
const fs::path folder = fs::path(DENOC_MODELS_DIR).parent_path() / "examples" / "scenarios";

struct Example {
  Scenario scenario;
  Simulated run;
  explicit Example(const std::string& name)
      : scenario(load_scenario(folder / (name + ".yaml"))), run(simulated(*scenario.model, scenario.setup)) {}
  // Of the motion that control follows.
  std::vector<double> desired(double t) const {
    std::vector<double> q(scenario.model->nq()), v(scenario.model->nv()), a(v);
    scenario.motion->at(t, q, v, a);
    return q;
  }
};
bool needs_sundials(const std::string& name) { return name == "governor" && !has_multistep(); }

std::vector<std::string> all_examples() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_regular_file()) names.push_back(entry.path().stem().string());  // the gallery has tests of its own
  std::sort(names.begin(), names.end());
  return names;
}
class EveryExample : public testing::TestWithParam<std::string> {};
TEST_P(EveryExample, RunsToItsEndAndAccountsForItsEnergy) {
  if (needs_sundials(GetParam())) GTEST_SKIP() << "SUNDIALS is not there";
  const Example example(GetParam());
  EXPECT_FALSE(example.scenario.title.empty());
  EXPECT_EQ(example.run.samples.back().t, example.scenario.setup.duration);
  EXPECT_GT(example.run.statistics.largest_kinetic, 0);
  EXPECT_LE(example.run.statistics.balance_defect, 1e-5 * example.run.statistics.largest_kinetic);
}
INSTANTIATE_TEST_SUITE_P(Scenarios, EveryExample, testing::ValuesIn(all_examples()),
                         [](const auto& given) { return given.param; });

TEST(Examples, PendulumA01) {
  const Example pendulum("pendulum");
  const double q = pendulum.run.at(10).q[0];
  EXPECT_NEAR(std::sin(q), -0.2750874625761, 1e-9);
  EXPECT_NEAR(-std::cos(q), -0.9614192050991, 1e-9);
}

TEST(Examples, GripperTorquesOfShah13Fig5) {
  const Example closing("gripper_torques");
  const Json reference = data("gripper.json");
  for (const Json& row : reference["results"]["A_thumb_at_mid_0.05"]["inverse_dynamics"]) {
    const Kept& sample = closing.run.at(number(row["t"]));
    expect_near(sample.tau, numbers(row["tau_g981"]), number(reference["tolerance"]["ID_abs"]), "tau");
    expect_near(sample.q, numbers(row["theta"]), 1e-7, "theta");
  }
}

TEST(Examples, GripperFallOfShah13Fig6) {
  const Example fall("gripper_fall");
  const Json rows = data("gripper.json")["results"]["A_thumb_at_mid_0.05"]["free_fall_paper_m60_0_0_0"]["rows"];
  ASSERT_EQ(rows.size(), 10u);
  // Classical Runge-Kutta with the same steps: the same numbers but for rounding, which grows as perturbations do.
  for (const Json& row : rows)
    expect_near(fall.run.at(number(row["t"])).q, numbers(row["theta_rk4_h1e-3"]), 1e-12, "theta");
}

TEST(Examples, RopesOfShah13Fig7) {
  const Json rope = data("rope.json");
  for (const auto& [name, key] : {std::pair{"rope", "IC1"}, {"rope_sideways", "IC2"}}) {
    const Example fall(name);
    const Model& model = *fall.scenario.model;
    Configuration<double> at(model);
    Kinematics<double> kin(model);
    ASSERT_EQ(rope[key]["rows"].size(), 36u);
    for (const Json& row : rope[key]["rows"]) {
      const auto known = numbers(row);
      place<double>(model, fall.run.at(known[0]).q, at);
      positions<double>(model, at, kin);
      const Pose<double> last = pose_in_world<double>(model, kin, 50);
      const Vec3<double> tip = last.r + last.R * Vec3<double>{0.05, 0, 0};
      expect_near<double>({tip.x, tip.y, tip.z}, {known[1], known[2], known[3]},
                          number(rope["tolerance"]["IC1_tip_abs_rk4_1e_3"]), name);
    }
  }
}

TEST(Examples, PumaOfMohan07FollowsUntilItsErrorsHaveGrown) {
  const Example forced("puma_forced");
  for (const Json& row : data("ms_puma_reference.json")["torques"]) {
    const double t = number(row["t"]);
    if (t > 6) break;
    const auto tau = numbers(row["tau"]);
    expect_near(forced.run.at(t).tau, tau, 1e-12 * largest(tau), "tau");
  }
  const auto error = [&](double t) {
    double worst = 0;
    const auto q = forced.desired(t);
    for (size_t k = 0; k < 6; ++k) worst = std::max(worst, std::abs(forced.run.at(t).q[k] - q[k]));
    return worst;
  };
  // Link 3 hangs until 5 s and then stands: a pendulum of 27 rad/s. It is off by 1e-6 at 5 s at most, as the tolerance
  // is 1e-8, and leaves the path near 5.88 s.
  EXPECT_LE(error(5), 1e-6);
  EXPECT_LE(error(5.5), 1e-3);
  EXPECT_GE(error(6), 1e-2);
}

TEST(Examples, PumaOnTheLineOfMata02) {
  const Example line("puma_line_feedforward");
  for (const Json& row : data("puma_line_reference.json")["samples"]) {
    const double t = number(row["t"]);
    const auto tau = numbers(row["tau"]);
    expect_near(line.run.at(t).tau, tau, 1e-12 * largest(tau), "tau");
    expect_near(line.desired(t), numbers(row["q"]), 1e-13, "q");
  }
}

// e'' + 20 e' + 100 e = 0, whatever the robot is.
TEST(Examples, ComputedTorqueMakesErrorsDecayAsItsGainsSay) {
  const Example line("puma_line");
  std::vector<double> q(6), v(6), a(6);
  line.scenario.motion->at(0, q, v, a);
  const Kept& start = line.run.samples.front();
  for (const Kept& sample : line.run.samples) {
    const double t = sample.t;
    const auto desired = line.desired(t);
    for (size_t k = 0; k < 6; ++k) {
      const double e0 = start.q[k] - q[k], rate = start.v[k] - v[k];
      EXPECT_NEAR(sample.q[k] - desired[k], (e0 + (rate + 10 * e0) * t) * std::exp(-10 * t), 1e-7) << t;
    }
  }
}

// Held torques lag by half a millisecond: the arm is behind by that much of the torques' change, over the gains.
TEST(Examples, SampledComputedTorqueSettles) {
  const Example arm("puma_computed_torque");
  EXPECT_GT(std::abs(arm.run.samples.front().q[0] - arm.desired(0)[0]), 0.1);
  for (const double t : {1.5, 3.0, 5.0}) expect_near(arm.run.at(t).q, arm.desired(t), 1e-3, "q");
}

TEST(Examples, FreeFlyingArm) {
  const Example arm("free_flying_arm");
  const Json simulation = data("exercises_floating.json")["floating_base"]["simulation"];
  ASSERT_EQ(simulation["rows"].size(), 11u);
  for (const Json& row : simulation["rows"]) {
    const auto& q = arm.run.at(number(row["t"])).q;
    auto known = numbers(row["pos"]), found = std::vector<double>(q.begin(), q.begin() + 3);
    for (const double x : numbers(row["theta"])) known.push_back(x);
    found.insert(found.end(), q.begin() + 7, q.end());
    // q and -q are the same turning.
    const auto quat = numbers(row["quat"]);
    const double sign = quat[0] * q[3] + quat[1] * q[4] + quat[2] * q[5] + quat[3] * q[6] < 0 ? -1 : 1;
    for (size_t k = 0; k < 4; ++k) known.push_back(sign * quat[k]), found.push_back(q[3 + k]);
    expect_near(found, known, 1e-8, "q");
  }
}

TEST(Examples, GovernorA05) {
  if (!has_multistep()) GTEST_SKIP() << "SUNDIALS is not there";
  const Example governor("governor");
  EXPECT_NEAR(governor.run.at(1).q[3], .5014209224, 1e-7);
  EXPECT_NEAR(governor.run.at(10).q[3], .6196229171, 1e-7);
}

TEST(Examples, FrictionSticks) {
  const Json given = data("friction.json");
  const Example pendulum("friction_pendulum"), belt("belt");
  const Json turns = given["pendulum_stribeck"]["turning_points"], events = given["belt_stick_slip"]["events"];
  ASSERT_EQ(pendulum.run.events.size(), turns.size());
  for (size_t i = 0; i < turns.size(); ++i) {
    EXPECT_NEAR(pendulum.run.events[i].t, number(turns[i]["t"]), 1e-9);
    EXPECT_NEAR(pendulum.run.events[i].position, number(turns[i]["theta"]), 1e-9);
  }
  ASSERT_EQ(belt.run.events.size(), events.size());
  for (size_t i = 0; i < events.size(); ++i) {
    EXPECT_NEAR(belt.run.events[i].t, number(events[i]["t"]), 1e-8);
    EXPECT_NEAR(belt.run.events[i].position, number(events[i]["x"]), 1e-8);
  }
}

TEST(Examples, ShortestTimeOfAngeles751) {
  const Example fastest("minimum_time");
  const std::vector<double> limits = {90, 35, 8};
  const MinimumTime least = minimum_time(*fastest.scenario.model, *fastest.scenario.motion, limits);
  EXPECT_NEAR(fastest.scenario.setup.duration, least.duration, 1e-12);
  double fullest = 0;
  for (const Kept& sample : fastest.run.samples) {
    for (size_t k = 0; k < 3; ++k) {
      EXPECT_LE(std::abs(sample.tau[k]), limits[k] * (1 + 1e-9));
      fullest = std::max(fullest, std::abs(sample.tau[k]) / limits[k]);
    }
  }
  EXPECT_GE(fullest, 1 - 1e-4);
  expect_near(fastest.run.samples.back().q, {1.3, 1.1, -0.7}, 1e-8, "the end");
}

// The torques of the exercises give the accelerations that they were made for; those of the wrist overcome friction.
TEST(Examples, ExercisesOfAngeles7) {
  const Json exercises = data("exercises_floating.json");
  for (const auto& [name, key, accelerations] : {std::tuple{"wrist", "ex7_6_wrist", "thetaddot"},
                                                 {"pointing_device", "ex7_7_pointing", "thetaddot"},
                                                 {"rrp", "ex7_11_RRP", "acc"}}) {
    const Example exercise(name);
    const auto a = numbers(exercises[key][accelerations]);
    expect_near(exercise.run.samples.front().a, a, 1e-11, name);
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
