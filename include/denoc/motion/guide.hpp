// What of a body is led along a curve in space, and by which joints.
#pragma once
#include <vector>

#include "denoc/spatial/tensor.hpp"

namespace denoc {

/// What is led along a curve in space: a point of a body, with or without its attitude.
struct Guide {
  int body;
  Vec3<double> point = {0, 0, 0};  // of the body, in its own frame: it goes along the curve
  bool keeps_attitude = true;      // the body does not turn; else only the point is led
  // The degrees of freedom that take part, the others rest; empty: all that move the body. As many as the pose has
  // parts, six, or three where the attitude is free: more would not know how to share.
  std::vector<int> moving = {};
};

}  // namespace denoc
