// Inverse dynamics along a motion, without simulating it.
#pragma once
#include <functional>
#include <span>
#include <vector>

#include "denoc/mechanism/dynamics.hpp"
#include "denoc/motion/trajectory.hpp"

namespace denoc {

/// When to look at a motion, and what acts.
struct AlongOptions {
  double duration = 0;           // s; 0: that of the motion
  double every = 0.01;           // s between samples; the last is at the end
  Forces forces = Forces::none;  // which forces of the file act
  std::vector<int> driven = {};  // degrees of freedom with a drive; empty: all but those of free joints, see below
  double tolerance = 1e-10;      // of a step, where joints without a drive are integrated: rad, or lengths of the robot
};

/// One instant of the motion and the forces it takes. Spans are good during the call.
struct AlongSample {
  double t;
  std::span<const double> q, v, a, tau;
  double kinetic, potential;
};

/// f(sample) at 0, every, 2 every, ... and at the end. Driven joints move as the motion says, tau gives it. Joints
/// without a drive (the free base of a floating robot) start as the motion does and then move as they must, without a
/// force of a drive: their q, v and a are solved for. Of a robot with loops the motion is a closed one
/// (motion/closed_motion.hpp), and what is solved for is the base that floats, if no loop ties it. A joint of several
/// degrees of freedom may be driven in some of them, unless its q is a quaternion or the robot has loops. Throws
/// ArgumentError for sizes and times that make no sense, and what Dynamics::inverse throws.
void forces_along(const Mechanism& mechanism, const Trajectory& motion, const AlongOptions& given,
                  const std::function<void(const AlongSample&)>& f);

}  // namespace denoc
