// What the links of a URDF look like.
#pragma once
#include <string>
#include <vector>

#include "element.hpp"

namespace denoc::io {

// Boxes, spheres, cylinders, capsules and meshes of its <visual> elements, of its <collision> elements where there are
// none. One that cannot be read is doubted and passed over: nothing is computed from it. `as_said`: meshes that are named
// by package:// and the like, wherever the URDF lies, keep that name.
std::vector<Shape> read_shapes(const Element& link, const std::string& urdf, bool as_said);

// The file that a mesh names: package://NAME/.. in the folders above the robot's file and those of ROS_PACKAGE_PATH,
// file://, or relative to that file. As it was said where there is no such file.
std::string find_mesh(const std::string& said, const std::string& robot_file);

}  // namespace denoc::io
