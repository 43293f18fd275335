// Many wrenches, or many twists, side by side: entry by entry, so that a loop over them is a loop over vectors. What
// carries one of them over a joint carries all.
#pragma once
#include <vector>

#include "denoc/spatial/pose.hpp"

namespace denoc {

// A motion column by its entries that are not zero: one that is one, and of a helical joint also its pitch.
template <class R> struct SparseColumn {
  int entry;
  int second = -1;
  R pitch = R(0);
};

template <class T> class SixRows {
 public:
  explicit SixRows(int count) : count_(count), entries_(6 * size_t(count), T(0)) {}
  T* row(int entry) { return entries_.data() + size_t(entry) * count_; }
  const T* row(int entry) const { return entries_.data() + size_t(entry) * count_; }

  void set(int c, const Vec3<T>& angular, const Vec3<T>& linear) {
    const T x[] = {angular.x, angular.y, angular.z, linear.x, linear.y, linear.z};
    for (int r = 0; r < 6; ++r) row(r)[c] = x[r];
  }
  // p^T x_c, and x_c += p a
  template <class R> DENOC_INLINE T along(const SparseColumn<R>& p, int c) const {
    return p.second < 0 ? row(p.entry)[c] : row(p.entry)[c] + row(p.second)[c] * p.pitch;
  }
  template <class R> DENOC_INLINE void add(const SparseColumn<R>& p, int c, const T& a) {
    row(p.entry)[c] += a;
    if (p.second >= 0) row(p.second)[c] += a * p.pitch;
  }
  // Wrenches [begin, end): f <- R f,  n <- R n + r x f
  void wrenches_to_parent(const Pose<T>& pose, int begin, int end) {
    const auto [R, r] = pose;
    T* __restrict nx = row(0), * __restrict ny = row(1), * __restrict nz = row(2);
    T* __restrict fx = row(3), * __restrict fy = row(4), * __restrict fz = row(5);
    for (int c = begin; c < end; ++c) {
      const T x = R.xx * fx[c] + R.xy * fy[c] + R.xz * fz[c], y = R.yx * fx[c] + R.yy * fy[c] + R.yz * fz[c],
              z = R.zx * fx[c] + R.zy * fy[c] + R.zz * fz[c];
      const T u = R.xx * nx[c] + R.xy * ny[c] + R.xz * nz[c], v = R.yx * nx[c] + R.yy * ny[c] + R.yz * nz[c],
              w = R.zx * nx[c] + R.zy * ny[c] + R.zz * nz[c];
      fx[c] = x, fy[c] = y, fz[c] = z;
      nx[c] = u + (r.y * z - r.z * y), ny[c] = v + (r.z * x - r.x * z), nz[c] = w + (r.x * y - r.y * x);
    }
  }
  // Twists [begin, end) of the parent, seen by the child: v <- R^T (v + w x r),  w <- R^T w
  void twists_to_child(const Pose<T>& pose, const SixRows& parent, int begin, int end) {
    const auto [R, r] = pose;
    T *wx = row(0), *wy = row(1), *wz = row(2), *vx = row(3), *vy = row(4), *vz = row(5);
    const T *px = parent.row(0), *py = parent.row(1), *pz = parent.row(2);
    const T *sx = parent.row(3), *sy = parent.row(4), *sz = parent.row(5);
#pragma GCC ivdep
    for (int c = begin; c < end; ++c) {  // parent may be *this: each c reads before it writes
      const T a = px[c], b = py[c], g = pz[c];
      const T x = sx[c] + (b * r.z - g * r.y), y = sy[c] + (g * r.x - a * r.z), z = sz[c] + (a * r.y - b * r.x);
      wx[c] = R.xx * a + R.yx * b + R.zx * g, wy[c] = R.xy * a + R.yy * b + R.zy * g,
      wz[c] = R.xz * a + R.yz * b + R.zz * g;
      vx[c] = R.xx * x + R.yx * y + R.zx * z, vy[c] = R.xy * x + R.yy * y + R.zy * z,
      vz[c] = R.xz * x + R.yz * y + R.zz * z;
    }
  }

 private:
  int count_;
  std::vector<T> entries_;
};

}  // namespace denoc
