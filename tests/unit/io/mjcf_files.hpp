// What the tests of MJCF share: the words that most files say, and how a file is read.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "unit/io/files.hpp"

#define MUJOCO(content) "<mujoco model='m'>\n" content "</mujoco>\n"
#define WORLD(content) "<worldbody>\n" content "</worldbody>\n"
#define MASS "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"
#define HINGE "<joint name='h'/>"
#define ARM "<body name='arm'>" HINGE MASS "</body>\n"
// Two hinges, one after the other.
#define TWO                                                                                                     \
  WORLD("<body name='a' pos='0 0 1'><joint name='x'/>" MASS "<body name='b' pos='1 0 0'><joint name='y'/>" MASS \
        "</body></body>\n")

namespace denoc::test {

inline Document mjcf(const std::string& text, const LoadOptions& options = {}) {
  return read_text_as("robot.xml", text, options);
}
inline Robot sound(const std::string& text) {
  const Document document = mjcf(text);
  EXPECT_TRUE(document.faults.empty()) << all_texts(document.faults);
  EXPECT_TRUE(document.warnings.empty()) << all_texts(document.warnings);
  return document.robot;
}
inline const Body& named(const Robot& robot, const std::string& name) {
  const int i = robot.find(name);
  EXPECT_GT(i, 0) << name;
  return robot.bodies[static_cast<std::size_t>(std::max(i, 0))];
}
inline std::vector<double> list(const Vec3<double>& v) { return {v.x, v.y, v.z}; }
inline std::vector<double> list(const Mat3<double>& m) {
  return {m.xx, m.xy, m.xz, m.yx, m.yy, m.yz, m.zx, m.zy, m.zz};
}
inline std::vector<double> list(const Sym3<double>& s) { return {s.xx, s.yy, s.zz, s.xy, s.xz, s.yz}; }

// The only body of a file, of which this is said.
inline Body body_with(const std::string& settings, const std::string& attributes, const std::string& content) {
  const Robot robot = sound("<mujoco>" + settings + "<worldbody><body name='arm' " + attributes + ">" + content +
                            "</body></worldbody></mujoco>");
  return named(robot, "arm");
}

}  // namespace denoc::test
