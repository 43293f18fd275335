#include "output/figures/mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "denoc/io/polygons.hpp"

namespace denoc::figures {
namespace {

constexpr std::uintmax_t largest_file = 200'000'000;  // bytes

struct Format {
  std::string_view ending;
  Mesh (*read)(std::string_view);
};
constexpr Format formats[] = {{".stl", read_stl}, {".obj", read_obj}, {".dae", read_dae}};

std::string ending_of(const std::string& file) {
  std::string ending = std::filesystem::path(file).extension().string();
  for (char& c : ending)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return ending;
}

std::string content_of(const std::string& file) {
  std::error_code problem;
  const std::uintmax_t size = std::filesystem::file_size(file, problem);
  if (problem) throw MeshError("cannot be read");
  if (size > largest_file) throw MeshError("is larger than 200 MB");
  std::ifstream in(file, std::ios::binary);
  std::ostringstream content;
  content << in.rdbuf();
  if (!in) throw MeshError("cannot be read");
  return std::move(content).str();
}

void require_sound(const Mesh& mesh) {
  if (mesh.triangles.empty()) throw MeshError("has no triangles");
  if (!std::all_of(mesh.points.begin(), mesh.points.end(), finite)) throw MeshError("has a point that is no number");
}

}  // namespace

void Mesh::add(const std::array<Vec3<double>, 3>& corners) {
  const auto first = static_cast<std::uint32_t>(points.size());
  points.insert(points.end(), corners.begin(), corners.end());
  triangles.push_back({first, first + 1, first + 2});
}

void Mesh::add_polygon(const std::vector<std::uint32_t>& corners) {
  std::vector<Vec3<double>> at;
  for (const std::uint32_t corner : corners) {
    if (corner >= points.size()) throw MeshError("has a corner that is no point of it");
    at.push_back(points[corner]);
  }
  const auto cut = io::cut_polygon(at);
  if (!cut) return;
  for (const auto& [a, b, c] : *cut) triangles.push_back({corners[a], corners[b], corners[c]});
}

Mesh read_mesh(const std::string& file) {
  try {
    const std::string ending = ending_of(file);
    for (const Format& format : formats) {
      if (format.ending != ending) continue;
      Mesh mesh = format.read(content_of(file));
      require_sound(mesh);
      return mesh;
    }
    throw MeshError("is neither STL nor OBJ nor DAE");
  } catch (const MeshError& error) {
    throw MeshError(fmt::format("{} {}", file, error.what()));
  }
}

Mesh clustered(const Mesh& mesh, double cell) {
  using Cell = std::array<long, 3>;
  std::map<Cell, std::uint32_t> number;
  std::vector<double> members;
  Mesh result;
  std::vector<std::uint32_t> place;  // of each point, among the means
  place.reserve(mesh.points.size());
  for (const Vec3<double>& p : mesh.points) {
    const Cell cube = {std::lround(p.x / cell), std::lround(p.y / cell), std::lround(p.z / cell)};
    const auto [found, is_new] = number.try_emplace(cube, static_cast<std::uint32_t>(result.points.size()));
    if (is_new) result.points.push_back({0, 0, 0}), members.push_back(0);
    result.points[found->second] += p;
    members[found->second] += 1;
    place.push_back(found->second);
  }
  for (std::size_t i = 0; i < members.size(); ++i) result.points[i] = result.points[i] * (1 / members[i]);
  // The same triangle may be left of several; the one with its least corner first stands for them.
  for (const auto& [a, b, c] : mesh.triangles) {
    std::array<std::uint32_t, 3> corners = {place[a], place[b], place[c]};
    if (corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0]) continue;
    std::rotate(corners.begin(), std::min_element(corners.begin(), corners.end()), corners.end());
    result.triangles.push_back(corners);
  }
  std::sort(result.triangles.begin(), result.triangles.end());
  result.triangles.erase(std::unique(result.triangles.begin(), result.triangles.end()), result.triangles.end());
  return result;
}

}  // namespace denoc::figures
