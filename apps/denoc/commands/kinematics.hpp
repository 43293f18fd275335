// What fk, jacobian and ik have in common: a body, a point of it, and how poses are written.
#pragma once
#include "commands/closed.hpp"
#include "denoc/spatial/attitude.hpp"

namespace denoc::app {

// --body --point
struct BodyOptions {
  std::string body = {};
  Vec3<double> point{0, 0, 0};  // in the body's own frame
  bool has_point() const { return norm(point) > 0; }
};
// The argument of the body, to be required or not.
Argument& body_arguments(Arguments& arguments, BodyOptions& options, std::string what);
// Throws Failure with the nearest name.
int body_named(const BodyOptions& options, const Mechanism& robot);

// {"xyz": [..], "quat": [w, x, y, z]}
std::string json_pose(const Pose<double>& pose);

// Remarks: that a result is the tree's, with the loops cut open; and that a state leaves loops open.
void remark_tree(const Mechanism& robot, std::string_view what, Session& session);
void remark_open_loops(const Mechanism& robot, const std::vector<double>& q, Session& session);

}  // namespace denoc::app
