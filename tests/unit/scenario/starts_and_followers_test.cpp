// Where a run starts, by what `start` says and what it leaves out, and whether anything follows its motion.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "denoc/loops/closed_chain.hpp"
#include "unit/scenario/scenario_files.hpp"

namespace denoc {
namespace {
namespace THIS_FILE {

using test::all_texts;
using test::expect_refused;
using test::of_arm;
using test::of_robot;
using test::read;
using test::says;
using Row = std::vector<double>;

constexpr char feedforward[] = "control: {type: feedforward}\n";

// A rate is no place: a motion that does not say where it begins has nowhere to begin, unless `start` has a posture.
TEST(ScenarioStart, ARateIsNoPlaceToBeginAt) {
  for (const char* motion : {"{type: point_to_point, to: [1, 1], duration: 1}",
                             "{type: sequence, motions: [{type: point_to_point, to: [1, 1], duration: 1}]}"}) {
    const std::string text = fmt::format("motion: {}\n{}", motion, feedforward);
    for (const char* start : {"", "start: {v: [1, 0]}\n", "start: {v: {upper: 1}}\n", "start: {}\n"}) {
      const std::string whole = text + start;
      expect_refused(of_arm, {whole.c_str(), 3, "missing key 'from'"});
    }
    for (const char* start : {"start: {q: [0.5, 0.25]}\n", "start: {q: [0.5, 0.25], v: [1, 0]}\n"}) {
      const Scenario s = of_arm(text + start);
      Row q(2), v(2), a(2);
      s.motion->at(0, q, v, a);
      EXPECT_EQ(q, (Row{0.5, 0.25})) << motion << start;
    }
  }
}

// What `start` leaves out is the neutral posture at rest; only where all of it is left out, the robot starts on the
// motion that its drives follow, with its rates.
TEST(ScenarioStart, WhatIsLeftOutIsAtRestOrOnTheMotion) {
  const std::string motion = "motion: {type: formula, q: {upper: 0.1 + 2*t, lower: 0.2 - 3*t}}\n";
  struct Case {
    const char* start;
    Row q, v;
  };
  const Case cases[] = {{"", {0.1, 0.2}, {2, -3}},
                        {"start: {q: [0.5, 0.25]}\n", {0.5, 0.25}, {0, 0}},
                        {"start: {q: {lower: 0.25}}\n", {0, 0.25}, {0, 0}},
                        {"start: {v: [4, 5]}\n", {0, 0}, {4, 5}},
                        {"start: {v: {lower: 5}}\n", {0, 0}, {0, 5}},
                        {"start: {}\n", {0, 0}, {0, 0}}};
  for (const Case& c : cases) {
    const Scenario followed = of_arm(motion + feedforward + c.start), alone = of_arm(c.start);
    EXPECT_EQ(followed.setup.q, c.q) << c.start;
    EXPECT_EQ(followed.setup.v, c.v) << c.start;
    if (std::string(c.start).empty()) continue;
    EXPECT_EQ(alone.setup.q, c.q) << c.start;
    EXPECT_EQ(alone.setup.v, c.v) << c.start;
  }
  EXPECT_EQ(of_robot("start: {v: {rail: 4}}\n").setup.q, (Row{0, 1, 0, 0, 0, 0, 0})) << "a ball that is not turned";
}

// Of loops: a rate alone moves them from where they close near the neutral posture, and a posture alone is at rest.
TEST(ScenarioStart, OfLoopsByRateOrPostureAlone) {
  const auto of_four_bar = [](const std::string& start) { return read("robot: fourbar\nduration: 2\n" + start).setup; };
  const SimulationSetup by_q = of_four_bar("start: {q: {crank: 0.9}}\n"),
                        by_v = of_four_bar("start: {v: {crank: 2}}\n");
  EXPECT_EQ(by_q.v, Row(3));
  const Scenario scenario = read("robot: fourbar\nduration: 2\n");
  ClosedChain chain(*scenario.model);
  EXPECT_EQ(by_v.q, scenario.setup.q) << "the run closes it";
  EXPECT_EQ(by_v.v[0], 2);
  EXPECT_FALSE(chain.opening(chain.assemble(by_v.q), by_v.v).is_open());
}

// Every law that asks no motion leaves one to itself: that is told at its line, by the name of the law, and nothing
// else of it is, however it ends; what follows it is told nothing but how it ends.
TEST(ScenarioMotion, OfWhichNoDriveKnowsIsTold) {
  const std::string steady = "motion: {type: formula, q: {lower: 2*t}, duration: 1}\n",
                    resting = "motion: {type: point_to_point, from: [0, 0], to: [1, 1], duration: 1}\n";
  for (const auto& [law, rest] :
       {std::pair{"none", ""}, {"torques", ", tau: [1, 2]"}, {"feedback", ", tau: {upper: -q.upper}"}, {"lqr", ""}})
    for (const std::string& motion : {steady, resting}) {
      const Scenario s = of_arm(fmt::format("gravity: [0, 0, 0]\n{}control: {{type: {}{}}}\n", motion, law, rest));
      EXPECT_TRUE(says(s.warnings, 4, fmt::format("motion: no drive follows it: control is {}", law)))
          << all_texts(s.warnings);
      EXPECT_EQ(s.warnings.size(), 1u) << all_texts(s.warnings);
      EXPECT_NE(s.motion, nullptr) << "it is there all the same";
      EXPECT_EQ(s.setup.q, Row(2)) << "nobody starts on it";
    }
  const Scenario silent = of_arm(steady);
  EXPECT_TRUE(says(silent.warnings, 3, "motion: no drive follows it: control is none")) << all_texts(silent.warnings);
  for (const char* law : {"feedforward", "pd, kp: 1, kd: 1", "pd_gravity, kp: 1, kd: 1", "pid, kp: 1, ki: 1, kd: 1",
                          "computed_torque, kp: 1, kd: 1"}) {
    const auto warnings = [&](const std::string& motion) {
      return of_arm(fmt::format("gravity: [0, 0, 0]\n{}control: {{type: {}}}\n", motion, law)).warnings;
    };
    EXPECT_TRUE(warnings(resting).empty()) << law << all_texts(warnings(resting));
    EXPECT_EQ(warnings(steady).size(), 1u) << law << all_texts(warnings(steady));
    EXPECT_TRUE(says(warnings(steady), 4, "motion: the rate of joint 'lower' jumps from 2 to 0 where it ends")) << law;
  }
  // Without a motion there is nothing to tell.
  for (const char* law : {"none", "torques, tau: [1, 2]"})
    EXPECT_TRUE(of_arm(fmt::format("control: {{type: {}}}\n", law)).warnings.empty()) << law;
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc
