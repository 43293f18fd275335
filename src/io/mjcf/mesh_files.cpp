// Meshes from files. Whatever a file holds, what comes out has corners that are finite numbers and faces that name
// them.
#include <bit>
#include <cstring>
#include <utility>

#include "../readers.hpp"
#include "denoc/io/polygons.hpp"
#include "meshes.hpp"

namespace denoc::io::mjcf {
namespace {

static_assert(std::endian::native == std::endian::little, "STL and MSH are little-endian");

// Takes values off the front of bytes; false once there are too few.
class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : rest_(bytes) {}
  template <class T> bool take(T& value) {
    if (rest_.size() < sizeof(T)) return false;
    std::memcpy(&value, rest_.data(), sizeof(T));
    return skip(sizeof(T));
  }
  bool take(Vec3<double>& point) {
    float x = 0, y = 0, z = 0;
    if (!take(x) || !take(y) || !take(z)) return false;
    point = {x, y, z};
    return true;
  }
  bool skip(std::size_t count) {
    if (rest_.size() < count) return false;
    rest_.remove_prefix(count);
    return true;
  }
  std::size_t size() const { return rest_.size(); }

 private:
  std::string_view rest_;
};

void add_face(Triangles& mesh, const std::array<Vec3<double>, 3>& corners) {
  const std::size_t first = mesh.corners.size();
  mesh.corners.insert(mesh.corners.end(), corners.begin(), corners.end());
  mesh.faces.push_back({first, first + 1, first + 2});
}

// 80 bytes of anything, the number of faces, then normal, three corners and two bytes for each.
bool binary_stl(std::string_view bytes, Triangles& mesh) {
  constexpr std::size_t per_face = 50, normal = 12;
  Bytes rest(bytes);
  std::uint32_t count = 0;
  if (!rest.skip(80) || !rest.take(count) || rest.size() / per_face < count) return false;
  for (std::uint32_t i = 0; i < count; ++i) {
    std::array<Vec3<double>, 3> corners{};
    rest.skip(normal);
    for (Vec3<double>& corner : corners) rest.take(corner);
    rest.skip(2);
    add_face(mesh, corners);
  }
  return true;
}

// Words of a line, or of a text.
std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  constexpr const char* space = " \t\r\n";
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(space), text.size()));
    if (text.empty()) return words;
    words.push_back(text.substr(0, text.find_first_of(space)));
    text.remove_prefix(words.back().size());
  }
}

bool read_point(const std::vector<std::string_view>& words, std::size_t first, Vec3<double>& point) {
  if (words.size() < first + 3) return false;
  const Number x = plain_number(words[first]), y = plain_number(words[first + 1]), z = plain_number(words[first + 2]);
  point = {x.value, y.value, z.value};
  return x && y && z;
}

// "solid NAME", each facet with three corners, "endsolid NAME"; several of them follow each other.
bool text_stl(std::string_view text, Triangles& mesh) {
  std::vector<Vec3<double>> corners;
  bool is_open = false, is_facet = false;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const std::vector<std::string_view> words = words_of(line);
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string_view word = words[i];
      if (word == "solid" || word == "endsolid") {
        if (is_facet || is_open == (word == "solid")) return false;
        is_open = !is_open;
        break;  // its name
      }
      if (word == "facet" || word == "endfacet") {
        if (!is_open || is_facet == (word == "facet")) return false;
        is_facet = !is_facet;
        if (is_facet) continue;
        if (corners.size() != 3) return false;
        add_face(mesh, {corners[0], corners[1], corners[2]});
        corners.clear();
      }
      if (word != "vertex") continue;
      if (!is_facet || !read_point(words, i + 1, corners.emplace_back())) return false;
    }
  }
  return !is_open;
}

// "7", "7/1", "7/1/3", "-1": counted from one, or from the last backwards.
bool read_index(std::string_view word, std::size_t corners, std::size_t& index) {
  const Number number = plain_number(word.substr(0, word.find('/')));
  const double counted = number.value < 0 ? static_cast<double>(corners) + number.value : number.value - 1;
  if (!number || !(counted >= 0) || counted >= static_cast<double>(corners)) return false;
  index = static_cast<std::size_t>(counted);
  return true;
}

bool add_polygon(Triangles& mesh, const std::vector<std::size_t>& around) {
  std::vector<Vec3<double>> corners;
  corners.reserve(around.size());
  for (const std::size_t corner : around) corners.push_back(mesh.corners[corner]);
  const std::optional<Cut> cut = cut_polygon(corners);
  if (!cut) return false;
  for (const auto& [a, b, c] : *cut) mesh.faces.push_back({around[a], around[b], around[c]});
  return true;
}

// Corners, and faces of three corners or more; objects and groups of them follow each other.
bool obj(std::string_view text, Triangles& mesh, std::string& why) {
  bool begins_object = true;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const std::vector<std::string_view> words = words_of(line.substr(0, line.find('#')));  // up to a comment
    if (words.empty()) continue;
    if (words[0] == "v") {
      Vec3<double> point{};
      if (!read_point(words, 1, point)) return false;
      mesh.corners.push_back(point);
    } else if (words[0] == "o" || words[0] == "g") {
      begins_object = true;
    } else if (words[0] == "f") {
      mesh.objects += int(std::exchange(begins_object, false));
      std::vector<std::size_t> around(words.size() - 1);
      for (std::size_t i = 0; i < around.size(); ++i)
        if (!read_index(words[i + 1], mesh.corners.size(), around[i])) return false;
      if (add_polygon(mesh, around)) continue;
      why = fmt::format("the edges of the face in line {} cross", number);
      return false;
    }
  }
  return true;
}

// Four counts, then corners, normals, texture coordinates and faces.
bool msh(std::string_view bytes, Triangles& mesh, std::string&) {
  Bytes rest(bytes);
  std::array<std::int32_t, 4> counts{};
  for (std::int32_t& count : counts)
    if (!rest.take(count) || count < 0) return false;
  const auto [corners, normals, textures, faces] = counts;
  if (rest.size() / 12 < static_cast<std::size_t>(corners)) return false;
  mesh.corners.resize(static_cast<std::size_t>(corners));
  for (Vec3<double>& corner : mesh.corners) rest.take(corner);
  if (!rest.skip(static_cast<std::size_t>(normals) * 12) || !rest.skip(static_cast<std::size_t>(textures) * 8))
    return false;
  if (rest.size() / 12 < static_cast<std::size_t>(faces)) return false;
  for (std::int32_t i = 0; i < faces; ++i) {
    std::array<std::int32_t, 3> face{};
    for (std::int32_t& corner : face)
      if (!rest.take(corner) || corner < 0 || corner >= corners) return false;
    mesh.faces.push_back(
        {static_cast<std::size_t>(face[0]), static_cast<std::size_t>(face[1]), static_cast<std::size_t>(face[2])});
  }
  return true;
}

// A text may call itself "solid" and be binary all the same: the count and the size then agree.
bool stl(std::string_view bytes, Triangles& mesh, std::string&) {
  if (binary_stl(bytes, mesh)) return true;
  mesh = {};
  return bytes.starts_with("solid") && text_stl(bytes, mesh);
}

}  // namespace

std::optional<Triangles> read_triangles(const std::filesystem::path& file, std::string& why) {
  static const std::pair<std::string_view, bool (*)(std::string_view, Triangles&, std::string&)> formats[] = {
      {".stl", stl}, {".obj", obj}, {".msh", msh}};
  std::string ending = file.extension().string();
  for (char& c : ending) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  for (const auto& [known, read] : formats) {
    if (known != ending) continue;
    const std::optional<std::string> bytes = read_bytes(file, why);
    if (!bytes) return std::nullopt;
    Triangles mesh;
    const bool is_sound =
        read(*bytes, mesh, why) && !mesh.faces.empty() && std::all_of(mesh.corners.begin(), mesh.corners.end(), finite);
    if (is_sound) return mesh;
    if (why.empty()) why = fmt::format("it is no mesh in the format of its ending {}", ending);
    return std::nullopt;
  }
  why = fmt::format("meshes are STL, OBJ or MSH, not {}", in_quotes(ending));
  return std::nullopt;
}

}  // namespace denoc::io::mjcf
