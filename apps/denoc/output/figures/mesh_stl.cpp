// STL, binary: 80 bytes, the number of triangles, and for each its normal, three corners and two bytes more. As text:
// "vertex x y z" three times a facet. Texts begin with "solid", but some binaries do, too: their size tells.
#include <bit>
#include <cstring>

#include "output/figures/mesh.hpp"
#include "output/figures/words.hpp"

namespace denoc::figures {
namespace {

constexpr std::size_t header = 80, record = 50;

template <class T> T at(std::string_view bytes, std::size_t offset) {
  static_assert(std::endian::native == std::endian::little, "STL has the least byte first");
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

bool is_binary(std::string_view bytes) {
  if (bytes.size() < header + 4) return false;
  const std::size_t size = header + 4 + record * at<std::uint32_t>(bytes, header);
  return bytes.size() == size || (bytes.size() > size && !bytes.starts_with("solid"));  // some have a tail
}

Mesh read_binary(std::string_view bytes) {
  Mesh mesh;
  for (std::size_t i = 0; i < at<std::uint32_t>(bytes, header); ++i) {
    const std::size_t start = header + 4 + record * i;
    std::array<Vec3<double>, 3> corners;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t corner = start + 12 * (k + 1);  // behind the normal
      corners[k] = {at<float>(bytes, corner), at<float>(bytes, corner + 4), at<float>(bytes, corner + 8)};
    }
    mesh.add(corners);
  }
  return mesh;
}

// Words that are none of these stand for nothing: normals, loops, names.
Mesh read_text(std::string_view text) {
  Mesh mesh;
  Words words(text);
  std::vector<Vec3<double>> corners;
  std::string_view last;
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    if (word == "facet") corners.clear();
    if (word == "vertex") corners.push_back({words.number(), words.number(), words.number()});
    if (word == "endfacet" && corners.size() != 3) throw MeshError("has a facet without three corners");
    if (word == "endfacet") mesh.add({corners[0], corners[1], corners[2]});
    if (word == "facet" || word == "endfacet" || word == "endsolid") last = word;
  }
  if (last != "endsolid") throw MeshError("is cut short");
  return mesh;
}

}  // namespace

Mesh read_stl(std::string_view text) {
  if (is_binary(text)) return read_binary(text);
  if (!text.starts_with("solid")) throw MeshError("is cut short, or no STL file");
  return read_text(text);
}

}  // namespace denoc::figures
