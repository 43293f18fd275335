// Rows of numbers to packs and back, W rows and C columns at a time: a register takes C numbers of every C-th row, and
// the C x C squares that now stand side by side in C registers are transposed. Whole pieces of rows move this way;
// number by number it takes four times as long.
#pragma once
#include <cstring>
#include <utility>

#include "denoc/scalar/lanes.hpp"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

namespace denoc::batch {

template <class E, int W, int C, class Isa> class Block {
 public:
  Lanes<E, W> pack[C];

  // row(l): where the piece of row l begins; when writing, null for a row that is not there.
  template <class Row> DENOC_INLINE void read(const Row& row) {
    for (int j = 0; j < C; ++j) pack[j] = joined<W>([&](int h) DENOC_INLINED { return row(h * C + j); });
    transpose_squares();
  }
  template <class Row> DENOC_INLINE void write(const Row& row) {
    transpose_squares();
    [&]<int... h>(std::integer_sequence<int, h...>) DENOC_INLINED {
      for (int j = 0; j < C; ++j) (put<h>(pack[j], row(h * C + j)), ...);
    }
    (std::make_integer_sequence<int, W / C>{});
  }

 private:
  // N numbers: the pieces of rows 0, 1, ..
  template <int N, class Row> DENOC_INLINE static Lanes<E, N> joined(const Row& row) {
    if constexpr (N == C) {
      Lanes<E, C> piece;
      std::memcpy(&piece, row(0), sizeof piece);
      return piece;
    } else {
      const Lanes<E, N / 2> a = joined<N / 2>(row);
      const Lanes<E, N / 2> b = joined<N / 2>([&](int h) DENOC_INLINED { return row(h + N / 2 / C); });
      return [&]<int... i>(std::integer_sequence<int, i...>) DENOC_INLINED {
        return __builtin_shufflevector(a, b, i...);
      }
      (std::make_integer_sequence<int, N>{});
    }
  }
  template <int h> DENOC_INLINE static void put(const Lanes<E, W>& all, E* row) {
    if (row == nullptr) return;
    const Lanes<E, C> piece = [&]<int... i>(std::integer_sequence<int, i...>) DENOC_INLINED {
      return __builtin_shufflevector(all, all, (h * C + i)...);
    }
    (std::make_integer_sequence<int, C>{});
    std::memcpy(row, &piece, sizeof piece);
  }
  DENOC_INLINE void transpose_squares() {
    if constexpr (C > 1) exchange<1>();
    if constexpr (C > 2) exchange<2>();
    static_assert(C <= 4);
  }
  // Squares of k x k beside the diagonal change places.
  template <int k> DENOC_INLINE void exchange() {
    [&]<int... i>(std::integer_sequence<int, i...>) DENOC_INLINED {
      for (int j = 0; j < C; ++j) {
        if (j & k) continue;
        const Lanes<E, W> a = pack[j], b = pack[j + k];
        pack[j] = __builtin_shufflevector(a, b, (i & k ? W + i - k : i)...);
        pack[j + k] = __builtin_shufflevector(a, b, (i & k ? W + i : i + k)...);
      }
    }
    (std::make_integer_sequence<int, W>{});
  }
};

}  // namespace denoc::batch
