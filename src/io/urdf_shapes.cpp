#include "urdf_shapes.hpp"

#include <cstdlib>
#include <filesystem>
#include <optional>

#include "urdf_loops.hpp"

namespace denoc::io {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view file = "file://";

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

// Folders that may hold a package: those above the robot's file, the nearest first, then those that the environment names.
std::vector<fs::path> package_folders(const std::string& robot_file) {
  std::error_code error;
  std::vector<fs::path> folders;
  for (fs::path folder = fs::absolute(robot_file, error).parent_path(); !folder.empty();
       folder = folder.parent_path()) {
    folders.push_back(folder);
    if (folder == folder.root_path()) break;
  }
  const char* named = std::getenv("ROS_PACKAGE_PATH");
  for (std::string_view rest = named != nullptr ? named : ""; !rest.empty();) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    folders.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return folders;
}

Shape box(const Element& e) { return {Shape::Kind::box, e.vec3("size", {0, 0, 0})}; }
Shape sphere(const Element& e) { return {Shape::Kind::sphere, {e.required_number("radius"), 0, 0}}; }
Vec3<double> radius_and_length(const Element& e) {
  return {e.required_number("radius"), e.required_number("length"), 0};
}
Shape cylinder(const Element& e) { return {Shape::Kind::cylinder, radius_and_length(e)}; }
Shape capsule(const Element& e) { return {Shape::Kind::capsule, radius_and_length(e)}; }
Shape mesh(const Element& e) {
  const std::vector<double> s = e.numbers("scale", 1, 3);
  if (s.size() == 2) e.refuse("scale", "expected one number or three, found 2");
  const Vec3<double> scale = s.size() == 3   ? Vec3<double>{s[0], s[1], s[2]}
                             : s.size() == 1 ? Vec3<double>{s[0], s[0], s[0]}
                                             : Vec3<double>{1, 1, 1};
  return {Shape::Kind::mesh, scale, {}, e.required("filename")};
}

struct Kind {
  const char* name;
  Shape (*read)(const Element&);
};
constexpr Kind kinds[] = {
    {"box", box}, {"sphere", sphere}, {"cylinder", cylinder}, {"capsule", capsule}, {"mesh", mesh}};

std::optional<Shape> read_shape(const Element& element, const std::string& urdf, bool as_said) {
  const auto geometry = element.required_child("geometry");
  if (!geometry) return std::nullopt;
  for (const Kind& kind : kinds) {
    const auto said = geometry->child(kind.name);
    if (!said) continue;
    Shape shape = kind.read(*said);
    if (const auto origin = element.child("origin")) shape.frame = read_pose(*origin);
    const bool stays = as_said && shape.mesh.find("://") != std::string::npos && !shape.mesh.starts_with(file);
    if (!shape.mesh.empty() && !stays) shape.mesh = find_mesh(shape.mesh, urdf);
    return shape;
  }
  return std::nullopt;  // a shape of another program's
}

}  // namespace

std::string find_mesh(const std::string& said, const std::string& robot_file) {
  static constexpr std::string_view package = "package://", model = "model://";
  for (const std::string_view scheme : {package, model}) {
    if (!said.starts_with(scheme)) continue;
    const std::string rest = said.substr(scheme.size());
    const fs::path within = rest.substr(std::min(rest.find_first_not_of('/'), rest.size()));  // some write package:///
    if (within.empty()) return said;
    for (const fs::path& folder : package_folders(robot_file)) {
      // The package may be the folder itself.
      const fs::path inside = folder / within.lexically_relative(*within.begin());
      if (is_file(folder / within)) return (folder / within).string();
      if (folder.filename() == *within.begin() && is_file(inside)) return inside.string();
    }
    return said;
  }
  if (said.starts_with(file)) return find_mesh(said.substr(file.size()), robot_file);
  if (said.empty() || said.find("://") != std::string::npos) return said;
  return (fs::path(robot_file).parent_path() / said).string();
}

std::vector<Shape> read_shapes(const Element& link, const std::string& urdf, bool as_said) {
  std::vector<Shape> shapes;
  for (const char* which : {"visual", "collision"}) {
    if (!shapes.empty()) break;
    link.each(which, [&](const Element& element) {
      Report apart{urdf};
      const auto shape = read_shape(element.told_to(apart), urdf, as_said);
      if (apart.faults.empty() && shape) shapes.push_back(*shape);
      if (!apart.faults.empty()) {
        const Fault& fault = apart.faults.front();
        link.warn(fmt::format("<{}> is passed over: line {}: {}", which, fault.source.line, fault.rule));
      }
    });
  }
  return shapes;
}

}  // namespace denoc::io
