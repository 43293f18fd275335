#include "meshes.hpp"

#include <cmath>

#include "../readers.hpp"
#include "../writers.hpp"

namespace denoc::io::mjcf {
namespace {

namespace fs = std::filesystem;
using Wide = long double;
using Point = Vec3<Wide>;

struct Face {
  Point a, b, c;
  Point middle() const { return (a + b + c) * (Wide(1) / 3); }
  Point area() const { return cross(b - a, c - a) * (Wide(1) / 2); }  // along the normal
};
std::vector<Face> faces_of(const Triangles& mesh) {
  std::vector<Face> faces;
  faces.reserve(mesh.faces.size());
  for (const auto& [a, b, c] : mesh.faces)
    faces.push_back({full<Wide>(mesh.corners[a]), full<Wide>(mesh.corners[b]), full<Wide>(mesh.corners[c])});
  return faces;
}

// The mean point of the surface.
Point surface_middle(const std::vector<Face>& faces) {
  Wide area = 0;
  Point sum{0, 0, 0};
  for (const Face& face : faces) {
    const Wide size = norm(face.area());
    area += size;
    sum += face.middle() * size;
  }
  return area > 0 ? sum * (1 / area) : sum;
}

// What one face adds: its tetrahedron with the apex, or the face itself.
Wide amount(const Face& face, const Point& apex, Filling filling) {
  if (filling == Filling::shell) return norm(face.area());
  const Wide volume = dot(face.middle() - apex, face.area()) / 3;
  return filling == Filling::legacy ? std::abs(volume) : volume;
}

// The integral of x x^T over a simplex with these corners and one in the origin (a tetrahedron, k = 4), or without (a
// triangle, k = 3): amount / (k (k + 1)) (sum of u u^T + s s^T), s = the sum of the corners u.
void add_second_moment(Sym3<Wide>& sum, const Face& face, Wide amount, int corners) {
  const Wide f = amount / Wide(corners * (corners + 1));
  for (const Point& u : {face.a, face.b, face.c, face.a + face.b + face.c}) sum = minus_outer(sum, u * -f, u);
}

}  // namespace

std::optional<Solid> solid_of(const Triangles& mesh, Filling filling, std::string& why) {
  std::vector<Face> faces = faces_of(mesh);
  const Point apex = surface_middle(faces);
  Wide total = 0;
  Point moment{0, 0, 0};
  for (const Face& face : faces) {
    const Wide size = amount(face, apex, filling);
    total += size;
    moment += (filling == Filling::shell ? face.middle() : face.middle() * (Wide(3) / 4) + apex * (Wide(1) / 4)) * size;
  }
  if (!(total > 0)) {
    why = "it encloses no volume: its faces are seen counterclockwise from outside";
    return std::nullopt;
  }
  // Taken anew about the mass centre: where every volume counts as positive, it depends on the apex.
  const Point centre = moment * (1 / total);
  Sym3<Wide> second{0, 0, 0, 0, 0, 0};
  total = 0;
  for (Face& face : faces) {
    face = {face.a - centre, face.b - centre, face.c - centre};
    const Wide size = amount(face, {0, 0, 0}, filling);
    total += size;
    add_second_moment(second, face, size, filling == Filling::shell ? 3 : 4);
  }
  const Wide trace = second.xx + second.yy + second.zz;
  const Sym3<Wide> inertia{trace - second.xx, -second.xy, trace - second.yy, -second.xz, -second.yz, trace - second.zz};
  return Solid{static_cast<double>(total), full<double>(centre), full<double>(inertia)};
}

void Meshes::add(const Said& said) {
  said.tag().element().only_attributes({"name", "class", "content_type", "file", "vertex", "normal", "texcoord", "face",
                                        "refpos", "refquat", "scale", "smoothnormal", "maxhullvert", "inertia",
                                        "builtin", "params", "material"});
  Mesh mesh{said, said.has("file") ? path_of(said.text("file")) : fs::path()};
  std::string name = said.tag().name();
  if (name.empty()) name = fs::path(said.text("file")).stem().string();
  if (name.empty()) {
    said.refuse("a mesh has a name or a file");
    return;
  }
  mesh.scale = said.vec3("scale", mesh.scale);
  mesh.reference.r = said.vec3("refpos", {0, 0, 0});
  if (const auto q = said.numbers("refquat", 4); !q.empty() && q != std::vector<double>(4, 0))
    mesh.reference.R = rounded(turn_quaternion({q[0], q[1], q[2], q[3]}));
  const auto& [x, y, z] = mesh.scale;
  if (!(x == y && y == z) && !is_identity(mesh.reference.R))
    said.warn(
        "refquat beside a scale of several numbers: it is drawn scaled before it is turned; its inertia is right");
  if (!meshes_.emplace(name, std::move(mesh)).second)
    said.refuse(fmt::format("there is a mesh {} already", in_quotes(name)));
}

Words Meshes::names() const {
  Words names;
  for (const auto& [name, mesh] : meshes_) names.push_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

fs::path Meshes::path_of(std::string name) const {
  std::replace(name.begin(), name.end(), '\\', '/');
  const fs::path said = compiler_.strips_paths ? fs::path(name).filename() : fs::path(name);
  return (files_.directory() / compiler_.mesh_directory / said).lexically_normal();
}

std::optional<Shape> Meshes::shape(const std::string& name) const {
  const Mesh& mesh = meshes_.at(name);
  if (mesh.file.empty()) return std::nullopt;
  Shape shape;
  shape.kind = Shape::Kind::mesh;
  // S R^T (p - r), as in triangles(), where shapes are drawn at R^T S p + r': the same but for a mesh that is turned and
  // scaled by several numbers (which add() doubts).
  const Vec3<double>& s = shape.size = mesh.scale;
  const Vec3<double> moved = back(mesh.reference.R, mesh.reference.r);
  shape.frame = {transposed(mesh.reference.R), {-s.x * moved.x, -s.y * moved.y, -s.z * moved.z}};
  shape.mesh = mesh.file.string();
  return shape;
}

const std::optional<Solid>& Meshes::solid(const std::string& name) {
  Mesh& mesh = meshes_.at(name);
  if (!mesh.is_made) mesh.solid = make(mesh);
  mesh.is_made = true;
  return mesh.solid;
}

std::optional<Solid> Meshes::make(const Mesh& mesh) const {
  const std::string word = mesh.said.word("inertia", {"legacy", "exact", "convex", "shell"}, "legacy");
  if (word == "convex") {
    mesh.said.refuse("inertia", "the inertia of a convex hull is not computed: give the body an <inertial>");
    return std::nullopt;
  }
  const Filling filling = word == "exact" ? Filling::exact : word == "shell" ? Filling::shell : Filling::legacy;
  std::string why;
  const std::optional<Triangles> triangles = this->triangles(mesh, why);
  if (triangles && triangles->objects > 1)
    mesh.said.warn(fmt::format("{} has {} objects: all of them count here, MuJoCo takes the first",
                               mesh.file.filename().string(), triangles->objects));
  const std::optional<Solid> solid = triangles ? solid_of(*triangles, filling, why) : std::nullopt;
  if (!solid) mesh.said.refuse(why + ". The body has no <inertial>: its inertia would come from the mesh");
  return solid;
}

// As the geom sees them: moved, turned and scaled; turned inside out by a scale that mirrors, and back.
std::optional<Triangles> Meshes::triangles(const Mesh& mesh, std::string& why) const {
  if (mesh.file.empty()) {
    why = "a mesh that is written in the file, or built in, is not read";
    return std::nullopt;
  }
  std::optional<Triangles> found = read_triangles(mesh.file, why);
  if (!found) why = fmt::format("{}: {}", mesh.file.string(), why);
  if (!found) return found;
  const Vec3<double>& s = mesh.scale;
  for (Vec3<double>& corner : found->corners) {
    const Vec3<double> x = back(mesh.reference.R, corner - mesh.reference.r);
    corner = {x.x * s.x, x.y * s.y, x.z * s.z};
  }
  if (s.x * s.y * s.z < 0)
    for (auto& face : found->faces) std::swap(face[1], face[2]);
  return found;
}

}  // namespace denoc::io::mjcf
