#include "denoc/scenario/motion_file.hpp"
#include "denoc/scenario/scenario.hpp"
#include "io/readers.hpp"
#include "parts.hpp"

namespace denoc {
namespace {

// Whether it is a map of YAML that has one key, and not another.
bool is_map_with(std::string_view text, std::string_view key, std::string_view without = "") {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || text[first] == '<') return false;  // XML, which may be large
  io::Report report{""};
  const io::Tree tree = io::parse_yaml(text, report);  // whatever is wrong with it, its reader will say so
  return tree.root != nullptr && io::has_key(*tree.root, key) && !io::has_key(*tree.root, without);
}

}  // namespace

bool io::has_key(const Node& node, std::string_view key) {
  if (node.kind != Node::Kind::map) return false;
  for (std::size_t i = 0; i < node.children.size(); i += 2)  // key, value, key, value, ...
    if (node.children[i]->text == key) return true;
  return false;
}

bool is_scenario_text(std::string_view text) { return is_map_with(text, "robot"); }
bool is_motion_text(std::string_view text) { return is_map_with(text, "motion", "robot"); }

}  // namespace denoc
