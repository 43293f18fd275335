#include "denoc/io/pose_file.hpp"

#include "denoc/io/fields.hpp"
#include "readers.hpp"

namespace denoc {

PoseFile read_pose(const std::filesystem::path& file) {
  io::Report report{io::shown_file(file)};
  PoseFile found{};
  if (const auto text = io::read_text(file, report)) {
    const io::Tree tree = io::parse_yaml(*text, report);
    if (tree.root != nullptr) {
      const io::Fields fields(*tree.root, "pose", {"xyz", "quat", "rpy"}, report);
      fields.require("xyz");
      found = {io::read_frame(fields, "quat", 0), fields.has("quat") || fields.has("rpy")};
    }
  }
  if (!report.faults.empty()) throw RobotError(std::move(report.faults));
  found.warnings = std::move(report.warnings);
  return found;
}

}  // namespace denoc
