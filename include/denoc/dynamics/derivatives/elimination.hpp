// I^-1 times many columns at once, by Gauss's elimination along branches, tips first. Of each tree the rows
//   [ -1 | dtau/dq | dtau/dv | I ]
// stand side by side, in the order of the links:
//   row c -= sum of (I_kc/I_kk) row k over the subtree of c           tip to base: I becomes D U^T       [Mohan07 (30)]
//   row k  = -(row k + sum of I_kc row c over the way to the base)/I_kk         base to tip
// The first three have then become da/dtau, da/dq, da/dv = I^-1, -I^-1 dtau/dq, -I^-1 dtau/dv. I has entries along
// branches only, and so has U: nothing fills in, and every sum runs along branches.
#pragma once
#include <array>

#include "denoc/dynamics/derivatives/bundles.hpp"
#include "denoc/model/arguments.hpp"

namespace denoc {

namespace detail {
// So many columns of a row, in registers.
inline constexpr int stretch_groups = 6;
template <class T> class Stretch {
  static constexpr int groups = stretch_groups;
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

template <Scalar T> struct BranchSystem {
  // Columns [first, end) of the links: [-1 | by q | by v | I], and room for the last stretch (the widest).
  struct Tree {
    Branches::Trunk trunk;
    size_t offset, stride;
    int size() const { return trunk.end - trunk.first; }
  };
  std::vector<Tree> trees = {};
  std::vector<T> entries = {};
  std::vector<T> d_inv, u;  // 1/I_kk; I_kc/I_kk of a row

  // together: dtau/dq and dtau/dv have entries between different trees, too, as forces between their bodies give.
  explicit BranchSystem(const Branches& on, bool together = false) : d_inv(size_t(on.size())), u(d_inv) {
    size_t offset = 0;
    for (const Branches::Trunk& trunk : together ? on.together() : on.trees()) {
      const size_t size = size_t(trunk.end - trunk.first),
                   stride = 4 * size + size_t(detail::stretch_groups * bundle_width<T>);
      trees.push_back({trunk, offset, stride});
      offset += size * stride;
    }
    entries.resize(offset, T(0));
  }
};

// Eliminates and substitutes in the rows of one tree.
template <Scalar T>
DENOC_INLINE void solve_tree(const Branches& on, const typename BranchSystem<T>::Tree& tree, T* rows, T* d_inv, T* u) {
  using Stretch = detail::Stretch<T>;
  const int size = tree.size(), first = tree.trunk.first;
  const auto row = [&](int c) DENOC_INLINED { return rows + size_t(c) * tree.stride; };
  // Groups begin where those of other rows do.
  const auto in_stretches = [](int begin, int end, auto&& f) DENOC_INLINED {
    for (int j = begin - begin % several<T>; j < end; j += Stretch::size) f(j);
  };
  for (int c = size - 1; c >= 0; --c) {  // of -1 the columns from c on, of I those up to c
    const int end = on.end(first + c) - first;
    for (int k = c + 1; k < end; ++k) u[k] = row(k)[3 * size + c] * d_inv[k];
    if (end > c + 1)
      in_stretches(c, 3 * size + c + 1, [&](int j) DENOC_INLINED {
        Stretch x(row(c) + j);
        for (int k = c + 1; k < end; ++k) x.subtract(u[k], row(k) + j);
        x.write(row(c) + j);
      });
    d_inv[c] = T(1) / row(c)[3 * size + c];
  }
  for (int k = 0; k < size; ++k)  // I^-1 is symmetric: its columns from k on
    in_stretches(k, 3 * size, [&](int j) DENOC_INLINED {
      Stretch x(row(k) + j);
      for (int c = on.inner(first + k); c >= 0; c = on.inner(c))
        x.add(row(k)[3 * size + c - first], row(c - first) + j);
      x.times_minus(d_inv[k]);
      x.write(row(k) + j);
    });
}
template <Scalar T, class Isa = AnyIsa> void solve_branches(const Branches& on, BranchSystem<T>& system) {
  for (const auto& tree : system.trees)
    solve_tree<T>(on, tree, system.entries.data() + tree.offset, system.d_inv.data(), system.u.data());
}

#define DENOC_ELIMINATION(TEMPLATE, T) TEMPLATE void solve_branches<T>(const Branches&, BranchSystem<T>&);
DENOC_COMPILED(DENOC_ELIMINATION)

}  // namespace denoc
