// The meshes of <asset>: their files, and what they are as solids.
#pragma once
#include <array>
#include <optional>
#include <unordered_map>

#include "classes.hpp"
#include "compiler.hpp"
#include "solid.hpp"

namespace denoc::io::mjcf {

// Corners of triangles, three each, seen counterclockwise from outside.
struct Triangles {
  std::vector<Vec3<double>> corners;
  std::vector<std::array<std::size_t, 3>> faces;
  int objects = 0;  // that an OBJ file parts them into
};
// STL (binary and text), OBJ and MuJoCo's own MSH, by the ending of the name. Nothing, and why, if it is none of them.
std::optional<Triangles> read_triangles(const std::filesystem::path& file, std::string& why);

// How a mesh is filled. exact: each triangle with any point makes a tetrahedron of its signed volume. legacy: the same
// about the mean point of the surface, every volume taken as positive, which counts hollows of a body that is not
// convex as matter; MuJoCo's default. shell: matter on the surface only, its density per area.
enum class Filling { exact, legacy, shell };
// Of density one; nothing, and why, if it encloses no volume.
std::optional<Solid> solid_of(const Triangles& mesh, Filling filling, std::string& why);

class Meshes {
 public:
  Meshes(const Compiler& compiler, Files& files) : compiler_(compiler), files_(files) {}
  // A <mesh> of <asset>, with its class.
  void add(const Said& said);
  bool has(const std::string& name) const { return meshes_.contains(name); }
  Words names() const;
  // What it looks like: the file, its scale, and the frame of its file in that of the geom. Nothing if it has no file.
  std::optional<Shape> shape(const std::string& name) const;
  // In the frame of the geom; made when it is first asked for. Nothing if it cannot be had, which is reported.
  const std::optional<Solid>& solid(const std::string& name);

 private:
  struct Mesh {
    Said said;
    std::filesystem::path file;
    Vec3<double> scale{1, 1, 1};
    Pose<double> reference = {};  // in the frame of the file
    bool is_made = false;
    std::optional<Solid> solid = {};
  };
  std::filesystem::path path_of(std::string name) const;
  std::optional<Solid> make(const Mesh& mesh) const;
  std::optional<Triangles> triangles(const Mesh& mesh, std::string& why) const;

  const Compiler& compiler_;
  Files& files_;
  std::unordered_map<std::string, Mesh> meshes_;
};

}  // namespace denoc::io::mjcf
