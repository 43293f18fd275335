// The robot as bodies: what its file says they look like, else shapes that follow from joints and inertias.
//
// Without shapes of its own a body is made of capsules along the sticks of the skeleton, as thick as the uniform
// cylinder with its inertia, within what looks well; a trunk, a hand, a foot, a ball is the uniform block with its
// inertia. Joints that turn are drums about their axes, joints that slide are sleeves.
#pragma once
#include <string>
#include <vector>

#include "output/figures/mesh.hpp"
#include "output/figures/skeleton.hpp"

namespace denoc::figures {

struct Solid {
  enum class Role { link, joint, ground };
  int body;
  Role role;
  Shape shape;    // in the body's frame
  int mesh = -1;  // of Solids::meshes
};
struct Solids {
  std::vector<Solid> all = {};
  std::vector<Mesh> meshes = {};          // together no more triangles than a page carries
  std::vector<std::string> missing = {};  // meshes that could not be read, and why
  double thickness = 0;                   // of a typical link: half of it, m
};
Solids solids_of(const Model& model, const Skeleton& skeleton);

// The corners of the box around a solid, in the body's frame.
std::vector<Point> corners_of(const Solids& solids, const Solid& solid);

}  // namespace denoc::figures
