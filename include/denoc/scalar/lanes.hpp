// W numbers side by side, on the vector extensions of g++ and clang (lowered to whatever the instruction set has), and
// their sines and cosines without a branch: reduction by pi/2 in three parts, then fdlibm's and Cephes' polynomials.
// (Vectors are passed by reference: how a compiler without AVX would return one is no matter here.)
#pragma once
#include <cstdint>
#include <cstring>

#include "denoc/scalar/scalar.hpp"

namespace denoc {

template <class E, int W> struct LanesOf { typedef E type __attribute__((vector_size(sizeof(E) * W))); };
template <class E, int W> using Lanes = typename LanesOf<E, W>::type;

// Beyond this the reduction loses digits: ask the C library instead.
template <class E> inline constexpr E sincos_range = sizeof(E) == 8 ? E(1e6) : E(8000);

namespace detail {
// x = r + n pi/2; rounding to the nearest integer by adding 1.5 2^52 (2^23) leaves n in the low bits.
template <class E> struct Reduction;
template <> struct Reduction<double> {
  using Int = int64_t;
  static constexpr double shift = 6755399441055744.0, two_over_pi = 0.63661977236758134308;
  static constexpr double part[] = {1.57079632673412561417e+00, 6.07710050630396597660e-11, 2.02226624879595063154e-21};
  template <class V> DENOC_INLINE static void sine(const V& r, const V& z, V& s) {
    s = r +
        r * z *
            (((((1.58969099521155010221e-10 * z - 2.50507602534068634195e-08) * z + 2.75573137070700676789e-06) * z -
               1.98412698298579493134e-04) *
                  z +
              8.33333333332248946124e-03) *
                 z -
             1.66666666666666324348e-01);
  }
  template <class V> DENOC_INLINE static void cosine(const V& z, V& c) {
    const V p =
        ((((-1.13596475577881948265e-11 * z + 2.08757232129817482790e-09) * z - 2.75573143513906633035e-07) * z +
          2.48015872894767294178e-05) *
             z -
         1.38888888888741095749e-03) *
            z +
        4.16666666666666019037e-02;
    const V half = 0.5 * z, w = 1.0 - half;
    c = w + (((1.0 - w) - half) + z * z * p);
  }
};
template <> struct Reduction<float> {
  using Int = int32_t;
  static constexpr float shift = 12582912.0f, two_over_pi = 0.63661977236758f;
  static constexpr float part[] = {1.5703125f, 4.837512969970703125e-4f, 7.549789948768648e-8f};
  template <class V> DENOC_INLINE static void sine(const V& r, const V& z, V& s) {
    s = r + r * z * ((-1.9515295891e-4f * z + 8.3321608736e-3f) * z - 1.6666654611e-1f);
  }
  template <class V> DENOC_INLINE static void cosine(const V& z, V& c) {
    const V p = (2.443315711809948e-5f * z - 1.388731625493765e-3f) * z + 4.166664568298827e-2f;
    const V half = 0.5f * z, w = 1.0f - half;
    c = w + (((1.0f - w) - half) + z * z * p);
  }
};
}  // namespace detail

// N vectors that take the same steps beside each other: while one waits for its last step, the others go on.
template <class V, int N> struct Abreast {
  V v[N];

  template <class F> DENOC_INLINE static Abreast of(F&& f) {
    Abreast all;
    for (int j = 0; j < N; ++j) all.v[j] = f(j);
    return all;
  }
#define DENOC_STEP(sign)                                                                              \
  DENOC_INLINE friend Abreast operator sign(const Abreast& a, const Abreast& b) {                     \
    return of([&](int j) DENOC_INLINED { return a.v[j] sign b.v[j]; });                               \
  }                                                                                                   \
  template <std::floating_point E> DENOC_INLINE friend Abreast operator sign(const Abreast& a, E b) { \
    return of([&](int j) DENOC_INLINED { return a.v[j] sign b; });                                    \
  }                                                                                                   \
  template <std::floating_point E> DENOC_INLINE friend Abreast operator sign(E a, const Abreast& b) { \
    return of([&](int j) DENOC_INLINED { return a sign b.v[j]; });                                    \
  }
  DENOC_STEP(+)
  DENOC_STEP(-)
  DENOC_STEP(*)
#undef DENOC_STEP
};

template <class E, int W, int N>
DENOC_INLINE void sincos_in_range(const Abreast<Lanes<E, W>, N>& x, Abreast<Lanes<E, W>, N>& sine,
                                  Abreast<Lanes<E, W>, N>& cosine) {
  using By = detail::Reduction<E>;
  using V = Lanes<E, W>;
  using Ints = Lanes<typename By::Int, W>;
  constexpr int top = 8 * sizeof(E) - 2;
  constexpr auto minus = typename By::Int(1) << (top + 1);
  const auto t = x * By::two_over_pi + By::shift, k = t - By::shift;
  const auto r = ((x - k * By::part[0]) - k * By::part[1]) - k * By::part[2], z = r * r;
  Abreast<V, N> s, c;
  By::sine(r, z, s);
  By::cosine(z, c);
  // odd n exchanges sine and cosine; the signs are bit 1 of n, and of n + 1
  for (int j = 0; j < N; ++j) {
    const Ints n = (Ints)t.v[j], odd = n << (top + 1), sign = n << top;
    const V a = odd < 0 ? c.v[j] : s.v[j], b = odd < 0 ? s.v[j] : c.v[j];
    sine.v[j] = (V)((Ints)a ^ (sign & minus));
    cosine.v[j] = (V)((Ints)b ^ ((sign ^ odd) & minus));
  }
}
// Where it loses digits; NaN counts among them.
template <class E, int W> DENOC_INLINE auto beyond_range(const Lanes<E, W>& x) {
  return ~((x < sincos_range<E>)&(x > -sincos_range<E>));
}
// Whether a mask has a lane set: the halves are joined, for lane by lane takes longer than the sines do.
template <class Int, int W> DENOC_INLINE bool any(const Lanes<Int, W>& mask) {
  if constexpr (W == 1) {
    return mask[0] != 0;
  } else {
    Lanes<Int, W / 2> half[2];
    std::memcpy(half, &mask, sizeof mask);
    return any<Int, W / 2>(half[0] | half[1]);
  }
}
template <class E, int W> DENOC_INLINE void sincos(const Lanes<E, W>& x, Lanes<E, W>& sine, Lanes<E, W>& cosine) {
  Abreast<Lanes<E, W>, 1> s, c;
  sincos_in_range<E, W, 1>({{x}}, s, c);
  sine = s.v[0], cosine = c.v[0];
  const auto far = beyond_range<E, W>(x);
  if (__builtin_expect(any<typename detail::Reduction<E>::Int, W>(far), 0)) {
    for (int l = 0; l < W; ++l) {
      if (!far[l]) continue;
      sine[l] = std::sin(x[l]);
      cosine[l] = std::cos(x[l]);
    }
  }
}

}  // namespace denoc
