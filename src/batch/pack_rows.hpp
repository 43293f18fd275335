// Rows of numbers as packs, a state in each lane, and back.
#pragma once
#include <cstring>
#include <initializer_list>
#include <vector>

#include "denoc/scalar/pack.hpp"
#include "kernels.hpp"
#include "transpose.hpp"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

namespace denoc::batch {

// f(column) for blocks of C columns; the last may overlap the one before. What has fewer columns goes one at a time.
template <int W, class F> DENOC_INLINE void by_blocks(size_t n, F&& f) {
  constexpr size_t C = std::min(W, 4);
  if (n < C)
    for (size_t k = 0; k < n; ++k) f(k, std::integral_constant<int, 1>{});
  else
    for (size_t k = 0; k < n; k += C) f(std::min(k, n - C), std::integral_constant<int, int(C)>{});
}
// A short last pack is filled up with its last row.
template <class E, int W, class Isa> void gather(const E* rows, int count, std::vector<Pack<E, W, Isa>>& packs) {
  const size_t n = packs.size();
  const auto from = [&](auto row) DENOC_INLINED {
    by_blocks<W>(n, [&](size_t column, auto width) DENOC_INLINED {
      Block<E, W, width, Isa> block;
      block.read([&](int l) DENOC_INLINED { return rows + row(l) * n + column; });
      for (int j = 0; j < width; ++j) packs[column + j].v = block.pack[j];
    });
  };
  if (count == W)
    from([](int l) DENOC_INLINED { return size_t(l); });
  else
    from([&](int l) DENOC_INLINED { return size_t(std::min(l, count - 1)); });
}
template <class E, int W, class Isa> void scatter(const std::vector<Pack<E, W, Isa>>& packs, int count, E* rows) {
  const size_t n = packs.size();
  const auto to = [&](auto there) DENOC_INLINED {
    by_blocks<W>(n, [&](size_t column, auto width) DENOC_INLINED {
      Block<E, W, width, Isa> block;
      for (int j = 0; j < width; ++j) block.pack[j] = packs[column + j].v;
      block.write([&](int l) DENOC_INLINED { return there(l) ? rows + l * n + column : nullptr; });
    });
  };
  if (count == W)
    to([](int) DENOC_INLINED { return true; });
  else
    to([&](int l) DENOC_INLINED { return l < count; });
}

// Zero in the lanes whose numbers are all finite, NaN in the others: 0 x is. (Several sums: one would wait for itself.)
template <class E, int W, class Isa>
DENOC_INLINE Pack<E, W, Isa> unless_finite(std::initializer_list<const std::vector<Pack<E, W, Isa>>*> all) {
  using T = Pack<E, W, Isa>;
  const T zero(E(0));
  T a(zero), b(a), c(a), d(a);
  for (const auto* packs : all) {
    const T *p = packs->data(), *const end = p + packs->size();
    for (; end - p >= 4; p += 4) a += p[0] * zero, b += p[1] * zero, c += p[2] * zero, d += p[3] * zero;
    if (end - p >= 2) c += p[0] * zero, d += p[1] * zero, p += 2;
    if (p != end) b += *p * zero;
  }
  return (a + b) + (c + d);
}

}  // namespace denoc::batch
