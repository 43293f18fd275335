// Pack<E, W>: W states at once. An opt-in header; batch/batch.hpp is how it is usually met.
#pragma once
#include "denoc/scalar/instruction_set.hpp"
#include "denoc/scalar/lanes.hpp"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

namespace denoc {

template <class E, int W, class Isa = AnyIsa> struct Pack {
  using Mask = Lanes<typename detail::Reduction<E>::Int, W>;
  Lanes<E, W> v;

  DENOC_INLINE static bool any(const Mask& mask) { return denoc::any<typename detail::Reduction<E>::Int, W>(mask); }
  Pack() = default;
  DENOC_INLINE constexpr Pack(E x) : v(x - Lanes<E, W>{}) {}
  DENOC_INLINE friend Pack operator+(Pack a, Pack b) { return a.v += b.v, a; }
  DENOC_INLINE friend Pack operator-(Pack a, Pack b) { return a.v -= b.v, a; }
  DENOC_INLINE friend Pack operator*(Pack a, Pack b) { return a.v *= b.v, a; }
  DENOC_INLINE friend Pack operator/(Pack a, Pack b) { return a.v /= b.v, a; }
  DENOC_INLINE friend Pack operator-(Pack a) { return a.v = -a.v, a; }
  DENOC_INLINE Pack& operator+=(Pack b) { return v += b.v, *this; }
  DENOC_INLINE Pack& operator-=(Pack b) { return v -= b.v, *this; }

  DENOC_INLINE friend Mask operator<(Pack a, Pack b) { return a.v < b.v; }
  DENOC_INLINE friend Pack select(Mask mask, Pack a, Pack b) {
    a.v = (Lanes<E, W>)(((Mask)a.v & mask) | ((Mask)b.v & ~mask));
    return a;
  }
  DENOC_INLINE friend void sincos(Pack x, Pack& s, Pack& c) { sincos<E, W>(x.v, s.v, c.v); }
  // Two at a time, which takes less than one after the other. Returned: the lanes where sincos has to do it.
  DENOC_INLINE friend Mask sincos_in_range(Pack x, Pack y, Pack (&s)[2], Pack (&c)[2]) {
    Abreast<Lanes<E, W>, 2> sine, cosine;
    sincos_in_range<E, W, 2>({{x.v, y.v}}, sine, cosine);
    for (int j = 0; j < 2; ++j) s[j].v = sine.v[j], c[j].v = cosine.v[j];
    return beyond_range<E, W>(x.v) | beyond_range<E, W>(y.v);
  }
  DENOC_INLINE friend Pack sqrt(Pack a) {
    for (int l = 0; l < W; ++l) a.v[l] = std::sqrt(a.v[l]);
    return a;
  }
  friend Pack atan2(Pack y, Pack x) {
    for (int l = 0; l < W; ++l) y.v[l] = std::atan2(y.v[l], x.v[l]);
    return y;
  }
};
template <class E, int W, class Isa> struct real_of<Pack<E, W, Isa>> { using type = E; };

}  // namespace denoc

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
