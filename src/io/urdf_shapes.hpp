// What the links of a URDF look like.
#pragma once
#include <string>
#include <vector>

#include "element.hpp"

namespace denoc::io {

// Boxes, spheres, cylinders, capsules and meshes of its <visual> elements, of its <collision> elements where there are
// none. One that cannot be read is doubted and passed over: nothing is computed from it.
std::vector<Shape> read_shapes(const Element& link, const std::string& urdf);

// The file that a mesh names: package://NAME/.. in the folders above the URDF and those of ROS_PACKAGE_PATH, file://,
// or relative to the URDF. As it was said where there is no such file.
std::string find_mesh(const std::string& said, const std::string& urdf);

}  // namespace denoc::io
