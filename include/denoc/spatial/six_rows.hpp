// Columns of a matrix side by side, row by row; of six rows also as wrenches or twists on their way through the tree.
// Several columns are taken at a time, as one number, wrench or twist of packs: what carries one carries them all.
#pragma once
#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "denoc/scalar/lanes.hpp"
#include "denoc/spatial/twist.hpp"

namespace denoc {

// scalar/pack.hpp: only who compiles these templates for double or float needs it, which the library has done.
struct AnyIsa;
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
  using type = Pack<T, size, AnyIsa>;
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

/// From triangles to a whole matrix, n x n by rows, its rows and columns in another order: entry (c, k) of the upper
/// triangle goes to (order[c], order[k]), that of the lower one, which is given transposed, to (order[k], order[c]).
/// Where the order has four in a row, squares of 4 x 4 go at a time, and are transposed in registers.
class Unfolding {
 public:
  explicit Unfolding(std::span<const int> order) : n_(int(order.size())) {
    for (int begin = 0, end; begin < n_; begin = end) {
      for (end = begin + 1; end < n_ && order[end] == order[end - 1] + 1;) ++end;
      const int size = end - begin < side ? 1 : side;  // the last tile may overlap the one before
      for (int c = begin; c < end; c += size) {
        const int first = std::min(c, end - size);
        tiles_.push_back({first, order[first], size});
      }
    }
  }
  // Of a symmetric matrix.
  template <class T> DENOC_INLINE void operator()(const RowsAt<T>& upper, T* whole) const {
    move_tiles(Moving<T>{upper, upper, whole, n_}, [&](const Tile&) DENOC_INLINED { return n_; });
  }
  // Of any: both triangles have the same stride, and are zero from k = ends[c] on.
  template <class T>
  DENOC_INLINE void operator()(const RowsAt<T>& upper, const RowsAt<T>& lower, std::span<const int> ends,
                               T* whole) const {
    bool has_zeros = false;
    for (const int end : ends) has_zeros = has_zeros || end < n_;
    if (has_zeros) std::fill(whole, whole + std::ptrdiff_t(n_) * n_, T(0));
    move_tiles(Moving<T>{upper, lower, whole, n_}, [&](const Tile& rows) DENOC_INLINED {
      int last = 0;
      for (const int end : ends.subspan(size_t(rows.from), size_t(rows.size))) last = std::max(last, end);
      return last;
    });
  }

 private:
  static constexpr int side = 4;
  struct Tile {
    int from, to, size;
  };
  template <class T> struct Moving {
    RowsAt<T> upper, lower;
    T* whole;
    std::ptrdiff_t n;
    using Row = Lanes<std::conditional_t<group_size<T> == 1, double, T>, side>;

    template <bool on_diagonal> DENOC_INLINE void tile(const Tile& rows, const Tile& columns) const {
      const std::ptrdiff_t from = rows.from * upper.stride + columns.from;
      T* const to = whole + rows.to * n + columns.to;
      T* const mirrored = whole + columns.to * n + rows.to;
      if constexpr (group_size<T> != 1) {
        if (rows.size == side && columns.size == side)
          return square<on_diagonal>(upper.first + from, lower.first + from, to, mirrored);
      }
      for (int i = 0; i < rows.size; ++i)
        for (int j = on_diagonal ? i : 0; j < columns.size; ++j) {
          const std::ptrdiff_t entry = from + i * upper.stride + j;
          mirrored[j * n + i] = lower.first[entry];
          to[i * n + j] = upper.first[entry];
        }
    }
    template <bool on_diagonal> DENOC_INLINE void square(const T* above, const T* below, T* to, T* mirrored) const {
      const std::ptrdiff_t next = upper.stride;
      Row a, b, c, d, a_low, b_low, c_low, d_low;
      get(above, a), get(above + next, b), get(above + 2 * next, c), get(above + 3 * next, d);
      get(below, a_low), get(below + next, b_low), get(below + 2 * next, c_low), get(below + 3 * next, d_low);
      // Transposed: within squares of 2 x 2, then the squares beside the diagonal.
      const Row even_ab = __builtin_shufflevector(a_low, b_low, 0, 4, 2, 6),
                odd_ab = __builtin_shufflevector(a_low, b_low, 1, 5, 3, 7),
                even_cd = __builtin_shufflevector(c_low, d_low, 0, 4, 2, 6),
                odd_cd = __builtin_shufflevector(c_low, d_low, 1, 5, 3, 7);
      const Row a_t = __builtin_shufflevector(even_ab, even_cd, 0, 1, 4, 5),
                b_t = __builtin_shufflevector(odd_ab, odd_cd, 0, 1, 4, 5),
                c_t = __builtin_shufflevector(even_ab, even_cd, 2, 3, 6, 7),
                d_t = __builtin_shufflevector(odd_ab, odd_cd, 2, 3, 6, 7);
      if constexpr (on_diagonal) {
        put(to, a);
        put(to + n, __builtin_shufflevector(b_t, b, 0, 5, 6, 7));
        put(to + 2 * n, __builtin_shufflevector(c_t, c, 0, 1, 6, 7));
        put(to + 3 * n, __builtin_shufflevector(d_t, d, 0, 1, 2, 7));
      } else {
        put(to, a), put(to + n, b), put(to + 2 * n, c), put(to + 3 * n, d);
        put(mirrored, a_t), put(mirrored + n, b_t), put(mirrored + 2 * n, c_t), put(mirrored + 3 * n, d_t);
      }
    }
    DENOC_INLINE static void get(const T* there, Row& row) { std::memcpy(&row, there, sizeof row); }
    DENOC_INLINE static void put(T* there, const Row& row) { std::memcpy(there, &row, sizeof row); }
  };

  // end(tile): from which column on its rows are zero. Tiles that overlap have entries from below the diagonal between
  // them: those on the diagonal come last.
  template <class T, class End> DENOC_INLINE void move_tiles(const Moving<T>& move, End&& end) const {
    const std::span<const Tile> tiles = tiles_;
    for (size_t r = 0; r < tiles.size(); ++r)
      for (size_t c = r + 1, stop = size_t(end(tiles[r])); c < tiles.size() && size_t(tiles[c].from) < stop; ++c)
        move.template tile<false>(tiles[r], tiles[c]);
    for (const Tile& tile : tiles) move.template tile<true>(tile, tile);
  }

  int n_;
  std::vector<Tile> tiles_;
};

}  // namespace denoc
