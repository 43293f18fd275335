// Robots to files: YAML, URDF or MJCF, by the extension.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "denoc/model/robot.hpp"

namespace denoc {

/// A robot as the text of a file, and what the format cannot say of it, or only in elements that are denoc's own.
/// Numbers have the digits that give the same number again.
struct RobotText {
  std::string text;
  std::vector<std::string> unsaid = {};
};
/// In the format of the file's extension. Throws ArgumentError if none is written under it.
/// Meshes that are there are named from the file's folder.
RobotText robot_text(const Robot& robot, const std::filesystem::path& file);
/// Whether robots are written to files of that name.
bool is_robot_name(const std::filesystem::path& file);
/// Whether a file of that name is written as URDF (LoadOptions::to_urdf).
bool is_urdf(const std::filesystem::path& file);

}  // namespace denoc
