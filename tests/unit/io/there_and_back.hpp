// Robots written to a file and read again.
#pragma once
#include <gtest/gtest.h>

#include "denoc/io/save.hpp"
#include "unit/io/files.hpp"

namespace denoc::test {

inline Robot there_and_back(const Robot& robot, const char* name) {
  const RobotText said = robot_text(robot, name);
  const Document document = read_text_as(name, said.text);
  EXPECT_TRUE(document.faults.empty()) << all_texts(document.faults) << said.text;
  return document.robot;
}

}  // namespace denoc::test
