#include "denoc/scenario/motion_file.hpp"
#include "denoc/scenario/scenario.hpp"
#include "io/readers.hpp"
#include "parts.hpp"

namespace denoc {
namespace {

// Whether it is a map of YAML that has one key, and not another.
bool is_map_with(const std::filesystem::path& file, std::string_view key, std::string_view without = "") {
  const std::string extension = file.extension().string();
  if (extension != ".yaml" && extension != ".yml") return false;
  io::Report report{file.string()};
  try {
    const auto text = io::read_text(file, report);
    if (!text) return false;
    const io::Tree tree = io::parse_yaml(*text, report);
    return tree.root != nullptr && io::has_key(*tree.root, key) && !io::has_key(*tree.root, without);
  } catch (const io::TooManyFaults&) {  // whatever it is, its reader will say so
  }
  return false;
}

}  // namespace

bool io::has_key(const Node& node, std::string_view key) {
  if (node.kind != Node::Kind::map) return false;
  for (std::size_t i = 0; i < node.children.size(); i += 2)  // key, value, key, value, ...
    if (node.children[i]->text == key) return true;
  return false;
}

bool is_scenario(const std::filesystem::path& file) { return is_map_with(file, "robot"); }
bool is_motion(const std::filesystem::path& file) { return is_map_with(file, "motion", "robot"); }

}  // namespace denoc
