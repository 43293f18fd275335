// I^-1 times many columns at once, by Gauss's elimination along branches, tips first. Of each tree the rows
//   [ -1 | dtau/dq | dtau/dv | I ]
// stand side by side, in the order of the links:
//   row c -= sum of u_ck row k over the subtree of c,  u_ck = I_kc/I_kk     tip to base; I becomes D U^T  [Mohan07 (30)]
//   row k  = -(row k + sum of I_kc row c over the way to the base)/I_kk     base to tip
// The first three have then become da/dtau, da/dq, da/dv = I^-1, -I^-1 dtau/dq, -I^-1 dtau/dv. I has entries along
// branches only, and so has U: nothing fills in, and every sum runs along branches.
#pragma once
#include <array>
#include <utility>

#include "denoc/dynamics/derivatives/bundles.hpp"
#include "denoc/model/arguments.hpp"

namespace denoc {

namespace detail {
// So many columns of a row, in registers: enough that no sum waits for itself.
inline constexpr int groups = 8;
template <class T> class Stretch {
  std::array<Several<T>, groups> x_;
  template <class F> DENOC_INLINE static void each(F&& f) {
    [&]<int... i>(std::integer_sequence<int, i...>) DENOC_INLINED { (f(i), ...); }
    (std::make_integer_sequence<int, groups>{});
  }
  DENOC_INLINE static Several<T> read(T* row, int i) { return BundleAt<T>{row + i * several<T>}.get(0); }

 public:
  static constexpr int size = groups * several<T>;
  DENOC_INLINE explicit Stretch(T* row) {
    each([&](int i) DENOC_INLINED { x_[i] = read(row, i); });
  }
  DENOC_INLINE void add(const T& s, T* row) {
    const Several<T> factor(s);
    each([&](int i) DENOC_INLINED { x_[i] += factor * read(row, i); });
  }
  DENOC_INLINE void subtract(const T& s, T* row) {
    const Several<T> factor(s);
    each([&](int i) DENOC_INLINED { x_[i] -= factor * read(row, i); });
  }
  DENOC_INLINE void times_minus(const T& s) {  // zeros stay positive
    const Several<T> factor(s), zero(T(0));
    each([&](int i) DENOC_INLINED { x_[i] = zero - factor * x_[i]; });
  }
  DENOC_INLINE void write(T* row) const {
    each([&](int i) DENOC_INLINED { BundleAt<T>{row + i * several<T>}.set(0, x_[i]); });
  }
};
}  // namespace detail

// Of one tree, where its rows stand: whole stretches, and a cache line more, that rows do not drive each other out of the
// cache.
struct BranchRows {
  Branches::Trunk trunk;
  size_t offset, stride;
  int size() const { return trunk.end - trunk.first; }
  int inertia() const { return 3 * size(); }  // where I begins
};
template <Scalar T> struct BranchSystem {
  std::vector<BranchRows> trees = {};
  Aligned<T> entries = {};
  std::vector<T> d_inv;  // 1/I_kk

  T* row(const BranchRows& tree, int c) {
    return entries.data() + tree.offset + size_t(c - tree.trunk.first) * tree.stride;
  }
  // together: dtau/dq and dtau/dv have entries between different trees, too, as forces between their bodies give.
  explicit BranchSystem(const Branches& on, bool together = false) : d_inv(size_t(on.size())) {
    constexpr int width = detail::groups * bundle_width<T>, line = std::max(1, 64 / int(sizeof(T)));
    size_t offset = 0;
    for (const Branches::Trunk& trunk : together ? on.together() : on.trees()) {
      const int columns = 4 * (trunk.end - trunk.first);
      trees.push_back({trunk, offset, size_t((columns + width - 1) / width * width + line)});
      offset += size_t(trunk.end - trunk.first) * trees.back().stride;
    }
    entries.resize(offset + 1, T(0));
  }
  // Where an entry is that stays zero.
  int zero() const { return int(entries.size()) - 1; }
};

namespace detail {
// The rows of one tree, columns counted from its first.
template <class T> struct TreeSystem {
  const Branches& on;
  const BranchRows& tree;
  T *rows, *d_inv;
  using Columns = Stretch<T>;

  DENOC_INLINE T* row(int c) const { return rows + size_t(c) * tree.stride; }
  DENOC_INLINE int end(int c) const { return on.end(tree.trunk.first + c) - tree.trunk.first; }
  // Of I^-1, which is symmetric, the columns from j on have the rows up to the diagonal.
  DENOC_INLINE int last(int j) const { return std::min(j + Columns::size, tree.size()); }

  // The columns from j on. What was written last comes last in every sum.
  DENOC_INLINE void row_inward(int c, int j) const {
    const int at = tree.inertia() + c;
    Columns x(row(c) + j);
    for (int k = std::min(end(c), last(j)) - 1; k > c; --k) x.subtract(row(k)[at] * d_inv[k], row(k) + j);
    x.write(row(c) + j);
  }
  DENOC_INLINE void row_outward(int k, int j) const {
    const int first = tree.trunk.first;
    const T* const own = row(k) + tree.inertia();
    Columns x(row(k) + j);
    for (const int c : on.way(first + k)) x.add(own[c - first], row(c - first) + j);
    x.times_minus(d_inv[k]);
    x.write(row(k) + j);
  }
  // First where I is, up to its diagonal, and what stands in the same stretch.
  DENOC_INLINE void solve() const {
    const int inertia = tree.inertia(), begin = inertia / Columns::size * Columns::size;
    for (int c = tree.size() - 1; c >= 0; --c) {
      for (int j = begin; j <= inertia + c; j += Columns::size) row_inward(c, j);
      d_inv[c] = T(1) / row(c)[inertia + c];
    }
    for (int j = 0; j < begin; j += Columns::size)
      for (int c = last(j) - 1; c >= 0; --c) row_inward(c, j);
    for (int j = 0; j < inertia; j += Columns::size)
      for (int k = 0; k < last(j); ++k) row_outward(k, j);
  }
};
}  // namespace detail

template <Scalar T, class Isa = AnyIsa> void solve_branches(const Branches& on, BranchSystem<T>& system) {
  for (const auto& tree : system.trees)
    detail::TreeSystem<T>{on, tree, system.entries.data() + tree.offset, system.d_inv.data()}.solve();
}

#define DENOC_ELIMINATION(TEMPLATE, T) TEMPLATE void solve_branches<T>(const Branches&, BranchSystem<T>&);
DENOC_COMPILED(DENOC_ELIMINATION)

}  // namespace denoc
