// What the tests of scenarios share: two robots, how a scenario of them is read, and one that is refused.
#pragma once
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "denoc/scenario/scenario.hpp"
#include "unit/io/files.hpp"

namespace denoc::test {

// Three joints of one, four and two coordinates.
inline constexpr const char* robot = R"(
bodies:
  - {name: cart, joint: {type: prismatic, axis: [1, 0, 0], name: rail}, mass: 2}
  - {name: ball, joint: {type: spherical, name: hip}, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
  - {name: arm, joint: {type: universal, name: elbow}, mass: 3, com: [0, 0, -0.5], inertia: [0.1, 0.1, 0.02, 0, 0, 0]}
)";
// Two revolute joints.
inline constexpr const char* arm = R"(
bodies:
  - {name: upper, joint: revolute, mass: 1, com: [1, 0, 0], inertia: [1, 1, 1, 0, 0, 0]}
  - {name: lower, frame: {xyz: [2, 0, 0]}, joint: revolute, mass: 1, com: [1, 0, 0], inertia: [1, 1, 1, 0, 0, 0]}
)";

// The scenario of a text, with both robots beside it.
inline Scenario read(const std::string& text) {
  const TemporaryFile file("run.yaml", text);
  std::ofstream(file.path().parent_path() / "robot.yaml") << robot;
  std::ofstream(file.path().parent_path() / "arm.yaml") << arm;
  std::ofstream(file.path().parent_path() / "broken.yaml") << "bodies:\n  - {name: a, joint: revolute, mass: -1}\n";
  return load_scenario(file.path());
}
inline Scenario of_robot(const std::string& more) { return read("robot: robot.yaml\nduration: 2\n" + more); }
inline Scenario of_arm(const std::string& more) { return read("robot: arm.yaml\nduration: 2\n" + more); }

struct Wrong {
  const char* text;
  int line;
  const char* fragment;
  std::size_t faults = 1;
};
inline void expect_refused(Scenario (*reader)(const std::string&), const Wrong& wrong) {
  try {
    reader(wrong.text);
    ADD_FAILURE() << wrong.text << " was read";
  } catch (const RobotError& error) {
    EXPECT_TRUE(says(error.faults, wrong.line, wrong.fragment)) << wrong.text << "\n" << all_texts(error.faults);
    EXPECT_EQ(error.faults.size(), wrong.faults) << wrong.text << "\n" << all_texts(error.faults);
  }
}

}  // namespace denoc::test
