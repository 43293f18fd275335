// What an algorithm may do with a number: no branch on its value, no hidden double.
#pragma once
#include <cmath>
#include <concepts>

// The recursions are fast because everything small is inlined, lambdas included; `flatten` is not enough in either
// compiler. Where that is not asked for (DENOC_PLAIN_CALLS), or nothing is optimised, it would only be long.
#if defined(__OPTIMIZE__) && !defined(DENOC_PLAIN_CALLS)
#define DENOC_INLINE [[gnu::always_inline]] inline
#define DENOC_INLINED __attribute__((always_inline))
#else
#define DENOC_INLINE inline
#define DENOC_INLINED
#endif

namespace denoc {

// The robot's constants are plain reals, broadcast: double for double, Counted<double> and Dual<double>, float for
// float.
template <class T> struct real_of { using type = T; };
template <class T> using Real = typename real_of<T>::type;

// The plain number behind a scalar: for checks and for printing, never inside a recursion.
template <std::floating_point T> DENOC_INLINE T value(T x) { return x; }
template <std::floating_point T> DENOC_INLINE void sincos(T x, T& s, T& c) {
  s = std::sin(x);
  c = std::cos(x);
}
template <std::floating_point T> DENOC_INLINE T sqrt(T x) { return std::sqrt(x); }
template <std::floating_point T> DENOC_INLINE T atan2(T y, T x) { return std::atan2(y, x); }
// mask ? a : b, lane by lane where the scalar is a pack.
template <class T> DENOC_INLINE T select(bool mask, const T& a, const T& b) { return mask ? a : b; }

template <class T>
concept Scalar = requires(T a, T b, Real<T> r) {
  T(r);
  a + b, a - b, a *b, a / b, -a;
  r *a, a *r, a + r, a - r;
  a += b, a -= b;
  sincos(a, a, b);
  { sqrt(a) } -> std::convertible_to<T>;
  { atan2(a, b) } -> std::convertible_to<T>;
  select(a < b, a, b);
};

// A structural zero: it vanishes from every formula at compile time, so one text serves full and thin tensors alike.
struct Zero {
  template <class T>
  requires(!std::is_same_v<T, Zero>) DENOC_INLINE operator T() const { return T(0); }
  DENOC_INLINE Zero operator[](int) const { return {}; }  // a vector of zeros: q'' = 0
};
DENOC_INLINE Zero operator+(Zero, Zero) { return {}; }
DENOC_INLINE Zero operator-(Zero, Zero) { return {}; }
DENOC_INLINE Zero operator*(Zero, Zero) { return {}; }
DENOC_INLINE Zero operator-(Zero) { return {}; }
template <class T> DENOC_INLINE T operator+(const T& a, Zero) { return a; }
template <class T> DENOC_INLINE T operator+(Zero, const T& a) { return a; }
template <class T> DENOC_INLINE T operator-(const T& a, Zero) { return a; }
template <class T> DENOC_INLINE T operator-(Zero, const T& a) { return -a; }
template <class T> DENOC_INLINE Zero operator*(const T&, Zero) { return {}; }
template <class T> DENOC_INLINE Zero operator*(Zero, const T&) { return {}; }

// A factor known to be one: it vanishes from every product.
struct One {
  template <class T>
  requires(!std::is_same_v<T, One>) DENOC_INLINE operator T() const { return T(1); }
};
DENOC_INLINE One operator*(One, One) { return {}; }
DENOC_INLINE Zero operator*(Zero, One) { return {}; }
template <class T> DENOC_INLINE T operator*(const T& a, One) { return a; }

}  // namespace denoc
