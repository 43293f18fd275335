// Surfaces of triangles, read from the files that robots name: for pictures only.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "denoc/error.hpp"
#include "denoc/spatial/pose.hpp"

namespace denoc::figures {

struct Mesh {
  std::vector<Vec3<double>> points = {};  // m
  std::vector<std::array<std::uint32_t, 3>> triangles = {};

  void add(const std::array<Vec3<double>, 3>& corners);
  // Its corners are points of the mesh; throws MeshError. One whose edges cross is left out.
  void add_polygon(const std::vector<std::uint32_t>& corners);
};

// A file that is no mesh, or of a kind that is not read: what() says which and why.
class MeshError : public Error {
 public:
  using Error::Error;
};

// By the ending of its name: STL (binary or text), OBJ, DAE (Collada). Throws MeshError.
Mesh read_mesh(const std::string& file);

// The readers, each from the text of its file; they throw MeshError with the reason alone.
Mesh read_stl(std::string_view text);
Mesh read_obj(std::string_view text);
// In metres as its <unit> says. Its <up_axis> is left alone: robots' files place meshes by the coordinates as they stand.
Mesh read_dae(std::string_view text);

// Fewer triangles that look the same from afar: the points of each cube of edge `cell` become their mean, and triangles
// with two corners in one cube vanish. [Rossignac & Borrel 1993]
Mesh clustered(const Mesh& mesh, double cell);

}  // namespace denoc::figures
