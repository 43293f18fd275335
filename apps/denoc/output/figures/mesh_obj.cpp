// Wavefront OBJ: lines "v x y z" and "f a b c ...", where a corner may be "point/texture/normal", and a negative number
// counts back from the last point so far.
#include "output/figures/mesh.hpp"
#include "output/figures/words.hpp"

namespace denoc::figures {
namespace {

std::uint32_t corner(std::string_view word, std::size_t points) {
  const long number = Words::as<long>(word.substr(0, word.find('/')));
  const long index = number < 0 ? static_cast<long>(points) + number : number - 1;
  if (index < 0 || index >= static_cast<long>(points)) throw MeshError("has a face with a corner that is no point");
  return static_cast<std::uint32_t>(index);
}

}  // namespace

Mesh read_obj(std::string_view text) {
  Mesh mesh;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    Words words(line.substr(0, line.find('#')));  // up to a comment
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::string_view what = words.next();
    if (what == "v") mesh.points.push_back({words.number(), words.number(), words.number()});
    if (what != "f") continue;
    std::vector<std::uint32_t> corners;
    for (std::string_view word = words.next(); !word.empty(); word = words.next())
      corners.push_back(corner(word, mesh.points.size()));
    mesh.add_polygon(corners);
  }
  return mesh;
}

}  // namespace denoc::figures
