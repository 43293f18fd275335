// Value and derivative along one direction: f(x + e dx) = f + e f' dx, e^2 = 0. It nests for second derivatives.
#pragma once
#include "denoc/scalar/scalar.hpp"

namespace denoc {

template <class B> struct Dual {
  B x{}, d{};  // value, derivative
  Dual() = default;
  DENOC_INLINE constexpr Dual(Real<B> value) : x(value), d(0) {}
  DENOC_INLINE Dual(B value, B derivative) requires(!std::is_same_v<B, Real<B>>) : x(value), d(derivative) {}
  DENOC_INLINE Dual(Real<B> value, Real<B> derivative) : x(value), d(derivative) {}
  DENOC_INLINE friend Real<B> value(const Dual& a) { return value(a.x); }

  DENOC_INLINE friend Dual operator+(const Dual& a, const Dual& b) { return {a.x + b.x, a.d + b.d}; }
  DENOC_INLINE friend Dual operator-(const Dual& a, const Dual& b) { return {a.x - b.x, a.d - b.d}; }
  DENOC_INLINE friend Dual operator*(const Dual& a, const Dual& b) { return {a.x * b.x, a.d * b.x + a.x * b.d}; }
  DENOC_INLINE friend Dual operator/(const Dual& a, const Dual& b) {
    const B y = a.x / b.x;
    return {y, (a.d - y * b.d) / b.x};
  }
  DENOC_INLINE friend Dual operator-(const Dual& a) { return {-a.x, -a.d}; }
  DENOC_INLINE friend bool operator<(const Dual& a, const Dual& b) { return a.x < b.x; }
  DENOC_INLINE Dual& operator+=(const Dual& b) { return *this = *this + b; }
  DENOC_INLINE Dual& operator-=(const Dual& b) { return *this = *this - b; }
  friend void sincos(const Dual& a, Dual& s, Dual& c) {
    B sine, cosine;
    sincos(a.x, sine, cosine);
    s = {sine, cosine * a.d};
    c = {cosine, -(sine * a.d)};
  }
  friend Dual sqrt(const Dual& a) {
    const B y = sqrt(a.x);
    return {y, a.d / (y + y)};
  }
  friend Dual atan2(const Dual& a, const Dual& b) {
    return {atan2(a.x, b.x), (b.x * a.d - a.x * b.d) / (b.x * b.x + a.x * a.x)};
  }
};
template <class B> struct real_of<Dual<B>> { using type = Real<B>; };

}  // namespace denoc
