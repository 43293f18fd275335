// The quaternion of a rotation matrix.
#pragma once
#include <cmath>

#include "denoc/spatial/pose.hpp"

namespace denoc {

// Of unit length, w not negative. From the largest of its entries, so that nothing cancels.          [Shepperd 1978]
inline Quaternion<double> quaternion_of(const Mat3<double>& R) {
  const double trace = R.xx + R.yy + R.zz;
  Quaternion<double> q{1 + trace, R.zy - R.yz, R.xz - R.zx, R.yx - R.xy};  // 4 w (w, x, y, z)
  if (trace < 0) {
    if (R.xx >= R.yy && R.xx >= R.zz) {
      q = {R.zy - R.yz, 1 + R.xx - R.yy - R.zz, R.xy + R.yx, R.zx + R.xz};  // 4 x (w, x, y, z)
    } else if (R.yy >= R.zz) {
      q = {R.xz - R.zx, R.xy + R.yx, 1 - R.xx + R.yy - R.zz, R.yz + R.zy};
    } else {
      q = {R.yx - R.xy, R.zx + R.xz, R.yz + R.zy, 1 - R.xx - R.yy + R.zz};
    }
  }
  const double length = std::copysign(std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z), q.w);
  return {q.w / length, q.x / length, q.y / length, q.z / length};
}

}  // namespace denoc
