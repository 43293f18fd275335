// Joints of ours as MJCF has them: hinges, slides, balls and free joints, several of which may move one body.
#pragma once
#include <string>
#include <vector>

#include "denoc/model/robot.hpp"

namespace denoc::io::mjcf {

struct SimpleJoint {
  enum class Type { hinge, slide, ball, free };
  Type type = Type::hinge;
  std::string suffix = {};  // of its name, where it is one of several
  Vec3<double> axis = {0, 0, 1};
  double ref = 0;           // its coordinate where the file draws it
  Pose<double> moved = {};  // the frame after its motion in the one before, where the file draws it
};
// The first is the one at the parent. A screw is a hinge and a slide, which an equality has to tie; a free joint within
// another body three slides and a ball.
std::vector<SimpleJoint> simple_joints(const Body& body);
std::string_view name_of(SimpleJoint::Type type);
int degrees_of_freedom(SimpleJoint::Type type);

// A ball turns in the axes of its body, and a free joint moves its origin: where the body's own frame is another than
// the joint's, a body without mass has the joint, and the one that it is for is welded to it. What hangs on the link
// `world` of a URDF hangs on the ground.
Robot with_joints_in_their_frames(const Robot& robot);

// Where a simple joint stands in the body that it moves: in the body's frame, as drawn.
struct StandingJoint {
  int body = 0;  // of ours, whose joint it is of
  SimpleJoint joint;
  Vec3<double> axis, pos;
};
// A body of MJCF is one of ours with those before it that have no mass, the one at the parent first: all their joints
// move it.
struct MovedBody {
  std::vector<int> chain = {};
  Pose<double> drawn = {};  // in its parent's frame
  std::vector<StandingJoint> joints = {};
};
MovedBody moved_body(const Robot& robot, std::vector<int> chain);

}  // namespace denoc::io::mjcf
