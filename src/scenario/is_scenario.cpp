#include "denoc/io/fields.hpp"
#include "denoc/scenario/scenario.hpp"
#include "io/readers.hpp"

namespace denoc {

bool is_scenario(const std::filesystem::path& file) {
  const std::string extension = file.extension().string();
  if (extension != ".yaml" && extension != ".yml") return false;
  io::Report report{file.string()};
  try {
    const auto text = io::read_text(file, report);
    if (!text) return false;
    const io::Tree tree = io::parse_yaml(*text, report);
    if (tree.root == nullptr || tree.root->kind != io::Node::Kind::map) return false;
    // key, value, key, value, ...
    for (std::size_t i = 0; i < tree.root->children.size(); i += 2)
      if (tree.root->children[i]->text == "robot") return true;
  } catch (const io::TooManyFaults&) {  // whatever it is, its reader will say so
  }
  return false;
}

}  // namespace denoc
