// I^-1 times many columns at once, by Gauss's elimination along branches, tips first. Of each tree the rows
//   [ -1 | dtau/dq | dtau/dv | I ]
// stand side by side, in the order of the links:
//   row c -= sum of u_ck row k over the subtree of c,  u_ck = I_kc/I_kk     tip to base; I becomes D U^T  [Mohan07 (30)]
//   row k  = -(row k + sum of I_kc row c over the way to the base)/I_kk     base to tip
// The first three have then become da/dtau, da/dq, da/dv = I^-1, -I^-1 dtau/dq, -I^-1 dtau/dv. I has entries along
// branches only, and so has U: nothing fills in, and every sum runs along branches.
#pragma once
#include <array>

#include "denoc/dynamics/derivatives/bundles.hpp"
#include "denoc/model/arguments.hpp"

namespace denoc {

namespace detail {
// So many columns of a row, in registers.
inline constexpr int most_groups = 6;
template <class T, int groups> class Stretch {
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

// Of one tree, where they stand: rows of [-1 | by q | by v], room for the last stretch (the widest), and I, from column
// `inertia` on, with room as well.
struct BranchRows {
  Branches::Trunk trunk;
  size_t offset, stride;
  int inertia;
  int size() const { return trunk.end - trunk.first; }
};
template <Scalar T> struct BranchSystem {
  std::vector<BranchRows> trees = {};
  std::vector<T> entries = {};
  std::vector<T> d_inv, u;  // 1/I_kk; u_ck of a row, which then stand above the diagonal of I

  T* row(const BranchRows& tree, int c) {
    return entries.data() + tree.offset + size_t(c - tree.trunk.first) * tree.stride;
  }
  // together: dtau/dq and dtau/dv have entries between different trees, too, as forces between their bodies give.
  explicit BranchSystem(const Branches& on, bool together = false) : d_inv(size_t(on.size())), u(d_inv) {
    constexpr int room = detail::most_groups * bundle_width<T>;
    size_t offset = 0;
    for (const Branches::Trunk& trunk : together ? on.together() : on.trees()) {
      const int size = trunk.end - trunk.first, inertia = 3 * size + room;
      trees.push_back({trunk, offset, size_t(inertia + size + room), inertia});
      offset += size_t(size) * trees.back().stride;
    }
    entries.resize(offset, T(0));
  }
};

namespace detail {
// The rows of one tree, columns counted from its first.
template <class T> struct TreeSystem {
  const Branches& on;
  const BranchRows& tree;
  T *rows, *d_inv, *u;

  DENOC_INLINE T* row(int c) const { return rows + size_t(c) * tree.stride; }
  DENOC_INLINE int end(int c) const { return on.end(tree.trunk.first + c) - tree.trunk.first; }

  // I alone: D U^T on and below the diagonal, U above it.
  DENOC_INLINE void eliminate_inertia() const {
    using Columns = Stretch<T, 2>;
    const int at = tree.inertia;
    for (int c = tree.size() - 1; c >= 0; --c) {
      T* const own = row(c) + at;
      for (int k = c + 1; k < end(c); ++k) u[k] = row(k)[at + c] * d_inv[k];
      for (int j = 0; j <= c; j += Columns::size) {
        Columns x(own + j);
        for (int k = c + 1; k < end(c); ++k) x.subtract(u[k], row(k) + at + j);
        x.write(own + j);
      }
      d_inv[c] = T(1) / own[c];
      for (int k = c + 1; k < end(c); ++k) own[k] = u[k];
    }
  }
  // The columns from j on, in all rows up to `last`.
  template <class Columns> DENOC_INLINE void solve_columns(int j, int last) const {
    const int at = tree.inertia, first = tree.trunk.first;
    for (int c = last - 1; c >= 0; --c) {
      const int stop = std::min(end(c), last);
      if (stop == c + 1) continue;
      Columns x(row(c) + j);
      for (int k = c + 1; k < stop; ++k) x.subtract(row(c)[at + k], row(k) + j);
      x.write(row(c) + j);
    }
    for (int k = 0; k < last; ++k) {
      Columns x(row(k) + j);
      for (int c = on.inner(first + k); c >= 0; c = on.inner(c)) x.add(row(k)[at + c - first], row(c - first) + j);
      x.times_minus(d_inv[k]);
      x.write(row(k) + j);
    }
  }
};
}  // namespace detail

template <class T> DENOC_INLINE void solve_tree(const detail::TreeSystem<T>& system) {
  using Columns = detail::Stretch<T, detail::most_groups>;
  const int m = system.tree.size();
  system.eliminate_inertia();
  // I^-1 is symmetric: of its columns the part up to the diagonal.
  for (int j = 0; j < 3 * m; j += Columns::size)
    system.template solve_columns<Columns>(j, std::min(j < m - Columns::size ? j + Columns::size : m, m));
}
template <Scalar T, class Isa = AnyIsa> void solve_branches(const Branches& on, BranchSystem<T>& system) {
  for (const auto& tree : system.trees)
    solve_tree<T>({on, tree, system.entries.data() + tree.offset, system.d_inv.data(), system.u.data()});
}

#define DENOC_ELIMINATION(TEMPLATE, T) TEMPLATE void solve_branches<T>(const Branches&, BranchSystem<T>&);
DENOC_COMPILED(DENOC_ELIMINATION)

}  // namespace denoc
