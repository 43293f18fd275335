// A pose in a file of its own: {"xyz": [..], "quat": [w, x, y, z]} or "rpy", as JSON or YAML.
#pragma once
#include <filesystem>

#include "denoc/model/robot.hpp"

namespace denoc {

/// A pose in the world, as a file gives it.
struct PoseFile {
  Pose<double> pose;
  bool has_attitude;  // or the axes of the world, since the file says nothing
  std::vector<Fault> warnings = {};
  // What it is of, if the file says so, as `denoc fk --json` does of one body.
  std::string body = {};
  Vec3<double> point = {0, 0, 0};  // of the body
};
/// Reads it from a file ("-": standard input). Throws RobotError with everything that is wrong.
PoseFile read_pose(const std::filesystem::path& file);

}  // namespace denoc
