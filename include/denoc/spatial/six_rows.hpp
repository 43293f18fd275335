// Many wrenches, or many twists, side by side: entry by entry, so that a loop over them is a loop over vectors. What
// carries one of them over a joint carries all.
#pragma once
#include <vector>

#include "denoc/spatial/twist.hpp"

// The turns of the loop that follows do not depend on each other, although the compiler cannot see it.
#if defined(__clang__)
#define DENOC_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define DENOC_INDEPENDENT _Pragma("GCC ivdep")
#endif

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
  // Wrenches [begin, end) as the parent sees them; twists [begin, end) of the parent (which may be *this) as the child
  // does.
  template <class Placement> void wrenches_to_parent(const Placement& placement, int begin, int end) {
    T* __restrict x = entries_.data();
    const size_t n = size_t(count_);
    for (size_t c = size_t(begin); c < size_t(end); ++c) {
      const Wrench<T> w =
          placement.to_parent(Wrench<T>{{x[c], x[n + c], x[2 * n + c]}, {x[3 * n + c], x[4 * n + c], x[5 * n + c]}});
      x[c] = w.n.x, x[n + c] = w.n.y, x[2 * n + c] = w.n.z;
      x[3 * n + c] = w.f.x, x[4 * n + c] = w.f.y, x[5 * n + c] = w.f.z;
    }
  }
  template <class Placement>
  void twists_to_child(const Placement& placement, const SixRows& parent, int begin, int end) {
    const T* from = parent.entries_.data();
    T* x = entries_.data();
    const size_t n = size_t(count_);
    DENOC_INDEPENDENT  // each c is read before it is written
        for (size_t c = size_t(begin); c < size_t(end); ++c) {
      const Twist<T> t = placement.to_child(
          Twist<T>{{from[c], from[n + c], from[2 * n + c]}, {from[3 * n + c], from[4 * n + c], from[5 * n + c]}});
      x[c] = t.w.x, x[n + c] = t.w.y, x[2 * n + c] = t.w.z;
      x[3 * n + c] = t.v.x, x[4 * n + c] = t.v.y, x[5 * n + c] = t.v.z;
    }
  }

 private:
  int count_;
  std::vector<T> entries_;
};

}  // namespace denoc
