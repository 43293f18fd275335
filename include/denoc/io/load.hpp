// Robots from files (URDF, YAML, JSON) and from the models that ship with the library.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "denoc/model/robot.hpp"

namespace denoc {

/// How the root of a URDF is carried: fixed to the world, or by a free joint.
enum class Base { fixed, free };
/// How a robot is read.
struct LoadOptions {
  Base base = Base::fixed;
  std::optional<Vec3<double>> gravity = {};  // instead of the file's
  bool strict = false;                       // what is doubted is refused
  bool repair = false;                       // inertias that no body can have become the nearest that one can
  // It will be written to a URDF: the packages of meshes stay as the file says them, and what will be lost is noted.
  bool to_urdf = false;
};

/// A file as far as it could be read, with everything that is refused in it, everything that is doubted, and what a
/// sound file says that has no meaning here (contacts, sensors), each in the order of its lines.
struct Document {
  Robot robot;
  std::vector<Fault> faults, warnings;
  std::string text = {};  // all that stands in it
  std::vector<Fault> notes = {};
  std::string_view format = {};  // "YAML", "URDF", "MJCF", ...
  std::string whole = {};        // of a file that includes others: the text, with what stands in them where it does
};
/// Never throws for a bad file: what is wrong with it is in the document.
Document read_robot(const std::string& file, const LoadOptions& options = {});
/// The same of a text that need not be in a file; messages call it `name`.
Document read_robot_text(std::string text, const std::string& name, const LoadOptions& options = {});

/// The robot of a file or of a shipped name. Throws RobotError if anything is wrong with it.
Robot load(const std::string& file_or_shipped_name, const LoadOptions& options = {});

/// A name without slash and extension is that of a shipped robot, then of a file. Throws RobotError if there is none.
std::string find_robot(const std::string& file_or_shipped_name);
/// Shipped robots are in $DENOC_MODELS if it is set, else where the program says, else where the library is installed,
/// else in its source tree.
std::vector<std::string> shipped_robots();
/// For programs that bring the shipped robots along: from now on they are in that folder. Before any thread asks for
/// one.
void use_models(const std::string& folder);

}  // namespace denoc
