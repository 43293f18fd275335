#include "denoc/io/pose_file.hpp"

#include "denoc/io/fields.hpp"
#include "readers.hpp"

namespace denoc {
namespace {

// The pose itself, or the only one of what `denoc fk --json` prints: {"poses": {"tool": {...}}}.
const io::Node& pose_in(const io::Node& root, std::string& body) {
  const auto is_map_of_one = [](const io::Node& node) {  // a key and its value
    return node.kind == io::Node::Kind::map && node.children.size() == 2;
  };
  if (!is_map_of_one(root) || root.children[0]->text != "poses") return root;
  const io::Node& poses = *root.children[1];
  if (!is_map_of_one(poses)) return root;
  body = poses.children[0]->text;
  return *poses.children[1];
}

}  // namespace

PoseFile read_pose(const std::filesystem::path& file) {
  io::Report report{io::shown_file(file)};
  PoseFile found{};
  if (const auto text = io::read_text(file, report)) {
    const io::Tree tree = io::parse_yaml(*text, report);
    if (tree.root != nullptr) {
      std::string body;
      const io::Fields fields(pose_in(*tree.root, body), "pose", {"xyz", "quat", "rpy"}, report);
      fields.require("xyz");
      found = {io::read_frame(fields, "quat", 0), fields.has("quat") || fields.has("rpy"), {}, body};
    }
  }
  if (!report.faults.empty()) throw RobotError(std::move(report.faults));
  found.warnings = std::move(report.warnings);
  return found;
}

}  // namespace denoc
