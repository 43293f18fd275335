// A function of time with its first two derivatives: f(t + h) = x + d h + dd h^2 / 2 + ..., exact by the rules of
// differentiation.
#pragma once
#include <cmath>
#include <initializer_list>

namespace denoc {

struct Jet {
  double x = 0, d = 0, dd = 0;

  friend Jet operator+(const Jet& a, const Jet& b) { return {a.x + b.x, a.d + b.d, a.dd + b.dd}; }
  friend Jet operator-(const Jet& a, const Jet& b) { return {a.x - b.x, a.d - b.d, a.dd - b.dd}; }
  friend Jet operator-(const Jet& a) { return {-a.x, -a.d, -a.dd}; }
  // (a b)'' = a'' b + 2 a' b' + a b''
  friend Jet operator*(const Jet& a, const Jet& b) {
    return {a.x * b.x, a.d * b.x + a.x * b.d, a.dd * b.x + 2 * a.d * b.d + a.x * b.dd};
  }
  // y = a / b:  y' = (a' - y b') / b,  y'' = (a'' - 2 y' b' - y b'') / b
  friend Jet operator/(const Jet& a, const Jet& b) {
    const double y = a.x / b.x, d = (a.d - y * b.d) / b.x;
    return {y, d, (a.dd - 2 * d * b.d - y * b.dd) / b.x};
  }
};
inline bool is_constant(const Jet& a) { return a.d == 0 && a.dd == 0; }

// f(a) from f and its derivatives at a.x: f(a)' = f' a', f(a)'' = f'' a'^2 + f' a''. Where a stands still so does f(a),
// whatever f' is.
inline Jet chain(const Jet& a, double f, double f1, double f2) {
  if (is_constant(a)) return {f};
  return {f, f1 * a.d, f2 * a.d * a.d + f1 * a.dd};
}
inline Jet sqrt(const Jet& a) {
  const double y = std::sqrt(a.x);
  return chain(a, y, 0.5 / y, -0.25 / (y * a.x));
}
inline Jet sin(const Jet& a) { return chain(a, std::sin(a.x), std::cos(a.x), -std::sin(a.x)); }
inline Jet cos(const Jet& a) { return chain(a, std::cos(a.x), -std::sin(a.x), -std::cos(a.x)); }
inline Jet tan(const Jet& a) {
  const double y = std::tan(a.x), slope = 1 + y * y;
  return chain(a, y, slope, 2 * y * slope);
}
inline Jet exp(const Jet& a) {
  const double y = std::exp(a.x);
  return chain(a, y, y, y);
}
inline Jet log(const Jet& a) { return chain(a, std::log(a.x), 1 / a.x, -1 / (a.x * a.x)); }
// A constant exponent n takes any base that its power has a value for; else a^b = exp(b log a).
inline Jet pow(const Jet& a, const Jet& b) {
  const double y = std::pow(a.x, b.x);
  if (!is_constant(b)) {
    const Jet e = exp(b * log(a));
    return {y, e.d, e.dd};
  }
  const auto term = [](double factor, double base, double n) { return factor == 0 ? 0 : factor * std::pow(base, n); };
  const double n = b.x;
  return chain(a, y, term(n, a.x, n - 1), term(n * (n - 1), a.x, n - 2));
}

// The sign just after t: of the first of a, a', a'' that is not zero; 0 where all are. What is no number has none.
inline int sign_after(const Jet& a) {
  for (const double x : {a.x, a.d, a.dd})
    if (x != 0) return (x > 0) - (x < 0);
  return 0;
}
// Where they have a kink, the derivatives of the branch that follows; the value is that of the numbers, to the sign of
// a zero, and no number where one of them is none.
inline double least(double a, double b) { return a < b || std::isnan(a) ? a : b; }
inline double most(double a, double b) { return a > b || std::isnan(a) ? a : b; }
inline Jet abs(const Jet& a) {
  const Jet next = sign_after(a) < 0 ? -a : a;
  return {std::abs(a.x), next.d, next.dd};
}
inline Jet least(const Jet& a, const Jet& b) {
  const Jet& next = sign_after(a - b) < 0 ? a : b;
  return {least(a.x, b.x), next.d, next.dd};
}
inline Jet most(const Jet& a, const Jet& b) {
  const Jet& next = sign_after(a - b) > 0 ? a : b;
  return {most(a.x, b.x), next.d, next.dd};
}

}  // namespace denoc
