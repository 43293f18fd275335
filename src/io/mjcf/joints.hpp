// Joints of MJCF as joints of ours.
#pragma once
#include "compiler.hpp"

namespace denoc::io::mjcf {

// A joint and where it stands in its body: the body turns about `anchor`, and lies as the file draws it at q = neutral.
struct ReadJoint {
  Joint joint;
  Pose<double> joint_frame;  // in the body as drawn, at q = 0
  Pose<double> own_frame;    // of the body, in the joint's moving frame
};
// The body in the world, for a free joint: `turn` is what its quaternion is near to.
struct Drawn {
  const Pose<double>& pose;
  const Quaternion<double>& turn;
};
// `around`: the frame of <frame> around it, in the body.
ReadJoint read_joint(const Said& said, const Pose<double>& around, const Drawn& drawn, const Compiler& compiler);

}  // namespace denoc::io::mjcf
