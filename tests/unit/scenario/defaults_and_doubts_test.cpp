// What a scenario makes of jumps, of drives with limits, of keys that are left out and of motions that end on their way.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "unit/scenario/scenario_files.hpp"

namespace denoc {
namespace {
namespace THIS_FILE {

using test::of_arm;
using test::of_robot;
using test::read;
using test::says;
using Row = std::vector<double>;

// Each of the six entries may jump.
TEST(ScenarioWrench, BreaksWhereAnyOfItsEntriesJumps) {
  for (const char* part : {"moment", "force"})
    for (int entry = 0; entry < 3; ++entry) {
      const std::string jumps = fmt::format("[{}, {}, {}]", entry == 0 ? "step(t - 0.505)" : "0",
                                            entry == 1 ? "step(t - 0.505)" : "t", entry == 2 ? "step(t - 0.505)" : "1"),
                        other = std::string(part) == "moment" ? "force" : "moment";
      for (const std::string& beside : {std::string(), ", " + other + ": [1, 2, 3]"}) {
        const Scenario s = of_arm(fmt::format("wrenches:\n  - {{body: lower, {}: {}{}}}\n", part, jumps, beside));
        ASSERT_EQ(s.setup.wrenches.size(), 1u);
        EXPECT_EQ(s.setup.wrenches[0].breaks, Row{0.505}) << part << entry;
      }
    }
}

// A drive that saturates where the joint may carry no more does not sum what it cannot give; one that does not, sums on.
TEST(ScenarioPid, SumsNoMoreThanASaturatedDriveGives) {
  const auto drives = [](const std::string& saturate, const std::string& joint) {
    const test::TemporaryFile robot("one.yaml",
                                    "bodies:\n  - {name: arm, mass: 1, com: [1, 0, 0], joint: {type: "
                                    "revolute}" +
                                        joint + "}\n");
    const Scenario s = read("robot: " + robot.path().string() +
                            "\nduration: 9\nmotion: {type: hold, posture: [1]}\nstart: {q: [0]}\n"
                            "control: {type: pid, kp: 8, ki: 5, kd: 0" +
                            saturate + "}\n");
    Row all;
    for (const double t : {0.0, 0.2, 0.4, 2.0, 4.0}) {
      Row tau(1);
      s.setup.control->torques(t, Row{0}, Row{0}, tau);
      all.push_back(tau[0]);
    }
    return all;
  };
  const std::string effort = ", limits: {effort: 10}", drive = ", actuator: {gear: -5, max_torque: 2}";
  const Row sums = {8, 9, 10, 18, 28}, holds = {8, 9, 10, 10, 10};
  const auto expect = [&](const Row& found, const Row& expected, const std::string& what) {
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-13) << what << i;
  };
  expect(drives("", ""), sums, "no limit ");
  expect(drives(", saturate: true", ""), sums, "nothing to saturate ");
  expect(drives("", effort), sums, "a limit that is not kept ");
  expect(drives(", saturate: true", effort), holds, "a limit that is kept ");
  expect(drives("", drive), holds, "what the drive gives ");
}

// Pages would draw straight lines from the start to the end. What nobody said is not doubted.
TEST(ScenarioOutput, IsDoubtedWithoutASampleOnTheWay) {
  const auto warnings = [](const std::string& duration, const std::string& output) {
    return read("robot: arm.yaml\nduration: " + duration + "\n" + output).warnings;
  };
  EXPECT_TRUE(says(warnings("2", "output: {every: 2.5}\n"), 3,
                   "output: every: it is longer than the run: no sample lies between start and end"));
  EXPECT_TRUE(warnings("2", "output: {every: 2}\n").empty());
  EXPECT_TRUE(warnings("1e-3", "output: {npz: true}\n").empty());
}

// Without an angle, once round: half the time leads to the other side, all of it back.
TEST(ScenarioCircle, IsAWholeTurnUnlessItSaysAnother) {
  for (const auto& [angle, part] : {std::pair("", 1.0), {", angle: pi", 0.5}, {", angle: -pi/2", -0.25}}) {
    const Scenario s = of_arm(fmt::format(
        "start: {{q: [0.5, 1]}}\nmotion: {{type: circle, body: lower, point: [2, 0, 0], centre: [1, 2.5, 0], attitude: "
        "free, duration: 1, profile: linear{}}}\n",
        angle));
    const auto tip = [&](double t) {  // from the centre
      Row q(2), v(2), a(2);
      s.motion->at(t, q, v, a);
      return Row{2 * std::cos(q[0]) + 2 * std::cos(q[0] + q[1]) - 1,
                 2 * std::sin(q[0]) + 2 * std::sin(q[0] + q[1]) - 2.5};
    };
    const Row from = tip(0);
    for (const double t : {0.25, 0.5, 0.75, 1.0}) {
      const double c = std::cos(2 * M_PI * part * t), sn = std::sin(2 * M_PI * part * t);
      EXPECT_NEAR(tip(t)[0], c * from[0] - sn * from[1], 1e-12) << angle << t;
      EXPECT_NEAR(tip(t)[1], sn * from[0] + c * from[1], 1e-12) << angle << t;
    }
  }
}

// A motion that still moves where it ends is told, however slow all of it is; what is slow against its own way is not.
TEST(Scenario, DoubtsMotionsThatDoNotEndAtRestHoweverSlow) {
  for (const double rate : {1e-6, 5e-4, 0.1, 20.0}) {
    const auto warnings = [&](const std::string& q) {
      return of_arm(
                 fmt::format(
                     "control: {{type: feedforward}}\nmotion: {{type: formula, duration: 1, q: {{lower: {}}}}}\n", q))
          .warnings;
    };
    const auto moves = fmt::format("{}*t", rate);
    EXPECT_TRUE(says(warnings(moves), 4, fmt::format("the rate of joint 'lower' jumps from {:.4g} to 0", rate)))
        << rate;
    // From this rate down to a ten thousandth of it.
    EXPECT_TRUE(warnings(fmt::format("{}*(t - 0.49995*t^2)", rate)).empty()) << rate;
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc
