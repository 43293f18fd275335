// Columns of a matrix side by side, row by row; of six rows also as wrenches or twists on their way through the tree.
// Several columns are taken at a time, as one number, wrench or twist of packs: what carries one carries them all.
#pragma once
#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "denoc/spatial/twist.hpp"

namespace denoc {

// scalar/pack.hpp: only who compiles these templates for double or float needs it, which the library has done.
struct Baseline;
template <class E, int W, class Isa> struct Pack;

// Of plain numbers a group is as many as fill a register, of any other scalar one. (Wider than that, compilers without
// AVX take several times as long.)
#ifdef __AVX__
inline constexpr int register_bytes = 32;
#else
inline constexpr int register_bytes = 16;
#endif
template <class T> struct GroupOf {
  using type = T;
  static constexpr int size = 1;
};
template <class T>
requires(std::is_same_v<T, double> || std::is_same_v<T, float>) struct GroupOf<T> {
  static constexpr int size = register_bytes / sizeof(T);
  using type = Pack<T, size, Baseline>;
};
template <class T> using Group = typename GroupOf<T>::type;
template <class T> inline constexpr int group_size = GroupOf<T>::size;

/// f(k) for the groups [k, k + size) that make up the columns from begin to end. They are counted from the end, so the
/// first may reach below begin, never beyond the end: whoever keeps columns leaves room in front.
template <class T, class F> DENOC_INLINE void in_groups(int begin, int end, F&& f) {
  for (int k = end - group_size<T>; k > begin - group_size<T>; k -= group_size<T>) f(k);
}
/// x, the entries of the group from k on, with that of column c replaced by a.
template <class T> DENOC_INLINE Group<T> replaced(const Group<T>& x, int k, int c, const T& a) {
  if constexpr (group_size<T> == 1) {
    return k == c ? a : x;
  } else {
    typename Group<T>::Mask column{};
    for (int l = 0; l < group_size<T>; ++l) column[l] = l;
    Group<T> o = x;
    o.v = column == c - k ? Group<T>(a).v : x.v;
    return o;
  }
}
template <class T> DENOC_INLINE Wrench<Group<T>> replaced(const Wrench<Group<T>>& w, int k, int c, const Wrench<T>& a) {
  return {{replaced<T>(w.n.x, k, c, a.n.x), replaced<T>(w.n.y, k, c, a.n.y), replaced<T>(w.n.z, k, c, a.n.z)},
          {replaced<T>(w.f.x, k, c, a.f.x), replaced<T>(w.f.y, k, c, a.f.y), replaced<T>(w.f.z, k, c, a.f.z)}};
}

/// Where the rows are. (A copy of its own is what a loop keeps in registers.)
template <class T> struct RowsAt {
  T* first;
  std::ptrdiff_t stride;

  DENOC_INLINE Group<T> group(int r, int k) const {
    Group<T> x;
    if constexpr (group_size<T> == 1)
      x = first[r * stride + k];
    else
      std::memcpy(&x, first + r * stride + k, sizeof x);
    return x;
  }
  DENOC_INLINE void set(int r, int k, const Group<T>& x) const {
    if constexpr (group_size<T> == 1)
      first[r * stride + k] = x;
    else
      std::memcpy(first + r * stride + k, &x, sizeof x);
  }
  DENOC_INLINE Wrench<Group<T>> wrenches(int k) const { return {vectors(0, k), vectors(3, k)}; }
  DENOC_INLINE Twist<Group<T>> twists(int k) const { return {vectors(0, k), vectors(3, k)}; }
  DENOC_INLINE void set(int k, const Wrench<Group<T>>& w) const { set(0, k, w.n), set(3, k, w.f); }
  DENOC_INLINE void set(int k, const Twist<Group<T>>& t) const { set(0, k, t.w), set(3, k, t.v); }

 private:
  DENOC_INLINE Vec3<Group<T>> vectors(int r, int k) const { return {group(r, k), group(r + 1, k), group(r + 2, k)}; }
  DENOC_INLINE void set(int r, int k, const Vec3<Group<T>>& v) const {
    set(r, k, v.x), set(r + 1, k, v.y), set(r + 2, k, v.z);
  }
};

/// Rows of columns, all zero at first. The room in front is that of the largest group: programs and the library may be
/// compiled for different instruction sets.
template <class T> class Rows {
 public:
  Rows(int rows, int columns) : stride_(columns + room), entries_(size_t(rows) * stride_, T(0)) {}
  RowsAt<T> at() { return {entries_.data() + room, std::ptrdiff_t(stride_)}; }
  int offset(int r, int k) const { return r * int(stride_) + room + k; }
  const T& operator[](int offset) const { return entries_[offset]; }

 private:
  static constexpr int room = 7;
  size_t stride_;
  std::vector<T> entries_;
};

/// From the upper triangle of a symmetric matrix to the whole, n x n by rows, its rows and columns in another order:
/// entry (c, k) goes to (order[c], order[k]) and is mirrored. Row c is zero from column ends[c] on.
class Unfolding {
 public:
  template <class T>
  Unfolding(const Rows<T>& upper, const std::vector<int>& ends, std::span<const int> order) : n_(int(order.size())) {
    constexpr int tile = 8;  // its rows and columns stay in the nearest cache
    for (int top = 0; top < n_; top += tile)
      for (int left = top; left < n_; left += tile)
        for (int c = top; c < std::min(top + tile, n_); ++c)
          for (int k = std::max(left, c); k < std::min(left + tile, ends[c]); ++k)
            moves_.push_back({upper.offset(c, k), order[c] * n_ + order[k], order[k] * n_ + order[c]});
  }
  template <class T> void operator()(const Rows<T>& upper, T* whole) const {
    std::fill(whole, whole + size_t(n_) * size_t(n_), T(0));
    for (const auto& [from, to, mirrored] : moves_) whole[to] = whole[mirrored] = upper[from];
  }

 private:
  struct Move {
    int from, to, mirrored;
  };
  int n_;
  std::vector<Move> moves_;
};

}  // namespace denoc
