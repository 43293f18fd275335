#include "denoc/io/pose_file.hpp"

#include "denoc/io/fields.hpp"
#include "readers.hpp"

namespace denoc {
namespace {

// The pose itself, or the only one of what `denoc fk --json` prints: {"poses": {"tool": {...}}, "point": [0, 0, 0.1]}.
// Null if there are several.
const io::Node* pose_in(const io::Node& root, io::Report& report, PoseFile& found) {
  if (root.kind != io::Node::Kind::map || root.children.empty() || root.children[0]->text != "poses") return &root;
  const io::Fields fields(root, "", {"poses", "point"}, report);
  const io::Node& poses = *root.children[1];
  if (poses.kind != io::Node::Kind::map || poses.children.size() != 2) {
    fields.refuse("poses", "a pose is that of one body: `denoc fk MODEL --body B`");
    return nullptr;
  }
  found.body = poses.children[0]->text;
  found.point = fields.vec3("point", {0, 0, 0});
  return poses.children[1];
}

}  // namespace

PoseFile read_pose(const std::filesystem::path& file) {
  io::Report report{io::shown_file(file)};
  PoseFile found{};
  if (const auto text = io::read_text(file, report)) {
    const io::Tree tree = io::parse_yaml(*text, report);
    const io::Node* const pose = tree.root != nullptr ? pose_in(*tree.root, report, found) : nullptr;
    if (pose != nullptr) {
      const io::Fields fields(*pose, "pose", {"xyz", "quat", "rpy"}, report);
      fields.require("xyz");
      found.pose = io::read_frame(fields, "quat", 0);
      found.has_attitude = fields.has("quat") || fields.has("rpy");
    }
  }
  if (!report.faults.empty()) throw RobotError(std::move(report.faults));
  found.warnings = std::move(report.warnings);
  return found;
}

}  // namespace denoc
