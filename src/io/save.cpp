#include "denoc/io/save.hpp"

#include <fmt/format.h>

#include "denoc/error.hpp"
#include "formats.hpp"
#include "writers.hpp"

namespace denoc {
namespace {

namespace fs = std::filesystem;

// What the file calls a mesh, there or not: by the way to it from the file's folder. Lexically, unless a link to a folder
// stands in between. A package that was not found is named as the robot's file did.
std::string name_of_mesh(const std::string& mesh, const fs::path& file) {
  if (mesh.find("://") != std::string::npos) return mesh;
  std::error_code error;
  const fs::path target = fs::absolute(mesh, error).lexically_normal(),
                 folder = fs::absolute(file, error).lexically_normal().parent_path(),
                 way = target.lexically_relative(folder);
  const bool leads_there = !fs::exists(target, error) || fs::equivalent(folder / way, target, error);
  return (leads_there ? way : target).string();
}

Robot with_meshes_from(const fs::path& file, Robot robot) {
  for (Body& body : robot.bodies)
    for (Shape& shape : body.shapes)
      if (!shape.mesh.empty()) shape.mesh = name_of_mesh(shape.mesh, file);
  return robot;
}

}  // namespace

RobotText robot_text(const Robot& robot, const std::filesystem::path& file) {
  if (is_robot_name(file)) {
    const io::Format& format = *io::format_of(file);
    RobotText said;
    said.text = format.write(with_meshes_from(file, robot), said.unsaid);
    if (!format.root_is_ground && !io::is_empty(robot.root_inertial))
      said.unsaid.push_back(fmt::format("link '{}': its inertia, which only a free base feels", robot.bodies[1].name));
    return said;
  }
  std::vector<std::string_view> known;
  for (const io::Format& each : io::formats()) {
    for (const std::string_view extension : each.extensions) {
      const bool is_its = io::format_of("robot" + std::string(extension)) == &each;
      if (is_its && each.write != nullptr) known.push_back(extension);
    }
  }
  throw ArgumentError(
      fmt::format("{}: a robot is written to {}: its extension says which", file.string(), fmt::join(known, ", ")));
}

bool is_robot_name(const fs::path& file) {
  const io::Format* const format = io::format_of(file);
  return format != nullptr && format->write != nullptr;
}

bool is_urdf(const fs::path& file) {
  const io::Format* const format = io::format_of(file);
  return format != nullptr && format->root_is_ground;
}

}  // namespace denoc
