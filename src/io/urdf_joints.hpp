// What a <joint> of URDF says of itself; which links it joins is the tree's affair.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "element.hpp"

namespace denoc::io {

// The <origin> of a link's part or a joint.
Pose<double> read_origin(const Element& owner);

struct JointRecord {
  Joint joint;
  Pose<double> frame, own_frame;
  int line;
  std::vector<std::pair<std::string, int>> parts;  // their lines
  int parent = -1, child = -1;                     // indices into the links, for the tree
};
JointRecord read_urdf_joint(const Element& element);

}  // namespace denoc::io
