// q lives on a manifold: unit quaternions for spherical and free joints, plain numbers for all others.
#pragma once
#include "denoc/model/configuration.hpp"

namespace denoc {

/// The product: the turn b, then the turn a.
template <class T> Quaternion<T> operator*(const Quaternion<T>& a, const Quaternion<T>& b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
/// The turn back.
template <class T> Quaternion<T> conjugate(const Quaternion<T>& a) { return {a.w, -a.x, -a.y, -a.z}; }
/// The same direction with length 1.
template <class T> Quaternion<T> unit(const Quaternion<T>& a) {
  const T s = T(1) / sqrt(a.w * a.w + a.x * a.x + a.y * a.y + a.z * a.z);
  return {a.w * s, a.x * s, a.y * s, a.z * s};
}

namespace detail {
// sin(x)/x and (x - sin x)/x^3, (1 - cos x)/x^2 from x^2, without a branch: below x^2 = 1/4 the series (its next term
// is below an ulp of long double), above the closed form.
template <class T> struct Series {
  T sinc, versine, rest;
  explicit Series(const T& xx) {
    using R = Real<T>;
    T s(0), v(0), r(0);
    for (int k = 11; k >= 0; --k) {  // sum (-xx)^k / (2k+1)!, / (2k+2)!, / (2k+3)!
      s = T(1) - s * xx * (R(1) / R((2 * k + 2) * (2 * k + 3)));
      v = T(1) - v * xx * (R(1) / R((2 * k + 3) * (2 * k + 4)));
      r = T(1) - r * xx * (R(1) / R((2 * k + 4) * (2 * k + 5)));
    }
    const auto small = xx < T(R(0.25));
    const T safe = select(small, T(1), xx), x = sqrt(safe);
    T sine, cosine;
    sincos(x, sine, cosine);
    sinc = select(small, s, sine / x);
    versine = select(small, v * R(0.5), (T(1) - cosine) / safe);
    rest = select(small, r * (R(1) / R(6)), (T(1) - sine / x) / safe);
  }
};

// exp of half a rotation vector, and back: the rotation vector of the shorter way.
template <class T> Quaternion<T> exponential(const Vec3<T>& w) {
  using R = Real<T>;
  const Vec3<T> half = w * T(R(0.5));
  const Series<T> s(dot(half, half));
  const Vec3<T> v = half * s.sinc;
  // cos(|half|) = 1 - |half|^2 versine
  return {T(1) - dot(half, half) * s.versine, v.x, v.y, v.z};
}
template <class T> Vec3<T> logarithm(const Quaternion<T>& q) {
  using R = Real<T>;
  const auto turned = q.w < T(0);
  const Quaternion<T> p{select(turned, -q.w, q.w), select(turned, -q.x, q.x), select(turned, -q.y, q.y),
                        select(turned, -q.z, q.z)};
  const Vec3<T> v{p.x, p.y, p.z};
  const T ss = dot(v, v);
  // 2 atan2(s, w)/s; below s^2 = eps the quotient is 2/w to rounding, and s itself may be zero.
  const auto small = ss < T(std::numeric_limits<R>::epsilon() * R(0.01));
  const T s = sqrt(select(small, T(1), ss));
  const T angle = select(small, T(2) / p.w, T(R(2)) * atan2(s, p.w) / s);
  return v * angle;
}
// The displacement of a body that moves for unit time with constant twist (w, v), in the axes it starts with:
// v + (1 - cos)/x^2 w x v + (x - sin)/x^3 w x (w x v)
template <class T> Vec3<T> displacement(const Vec3<T>& w, const Vec3<T>& v) {
  const Series<T> s(dot(w, w));
  const Vec3<T> wv = cross(w, v);
  return v + wv * s.versine + cross(w, wv) * s.rest;
}
// The inverse of displacement for v: with x = |w|, v = d - w x d / 2 + k w x (w x d), k = (1 - x sin / (2 (1 -
// cos)))/x^2
template <class T> Vec3<T> linear_part(const Vec3<T>& w, const Vec3<T>& d) {
  using R = Real<T>;
  const T xx = dot(w, w);
  const Series<T> s(xx);
  // k = (2 versine - sinc)/(2 versine x^2); for small x the numerator is sum (-x^2)^(j-1) 2j/(2j+2)!, j = 1, 2, ...
  T series(0);
  for (int j = 11; j >= 1; --j) series = T(R(2 * j)) - series * xx * (R(1) / R((2 * j + 3) * (2 * j + 4)));
  const auto small = xx < T(R(0.25));
  const T safe = select(small, T(1), xx);
  const T k = select(small, series * (R(1) / R(24)), (s.versine + s.versine - s.sinc) / safe) / (s.versine + s.versine);
  const Vec3<T> wd = cross(w, d);
  return d - wd * T(R(0.5)) + cross(w, wd) * k;
}
template <class T> Quaternion<T> quaternion(In<T> q, int i) { return {q[i], q[i + 1], q[i + 2], q[i + 3]}; }
template <class T> void store(const Quaternion<T>& x, Out<T> q, int i) {
  q[i] = x.w;
  q[i + 1] = x.x;
  q[i + 2] = x.y;
  q[i + 3] = x.z;
}
// plain(i, k) for every coordinate q_i with rate v_k; of a free joint moving(i, k) for the position at i with twist at
// k, and then turning(i, k) for the quaternion at i with angular velocity at k: a body is moved by the axes that it has
// before it turns, where both are done in place.
template <Scalar T, class Plain, class Turning, class Moving>
void for_joints(const ModelOf<T>& model, Plain&& plain, Turning&& turning, Moving&& moving) {
  for (const auto& link : model.links().subspan(1)) {
    switch (link.joint) {
      case Elementary::spherical:
        turning(link.q, link.dof);
        break;
      case Elementary::free:
        moving(link.q, link.dof);
        turning(link.q + 3, link.dof);
        break;
      default:
        plain(link.q, link.dof);
    }
  }
}
// Nothing to do for these.
inline constexpr auto passed_over = [](int, int) {};
}  // namespace detail

/// q after moving for unit time with the constant rates v (spherical and free joints: with constant body twist).
/// The result may be q itself.
template <Scalar T> void integrate(const ModelOf<T>& model, In<T> q, In<T> v, Out<T> result) {
  require_size(q, model.nq(), "q");
  require_size(v, model.nv(), "v");
  require_size(result, model.nq(), "result");
  detail::for_joints<T>(
      model, [&](int i, int k) { result[i] = q[i] + v[k]; },
      [&](int i, int k) {
        const Vec3<T> w{v[k], v[k + 1], v[k + 2]};
        detail::store(unit(detail::quaternion<T>(q, i) * detail::exponential(w)), result, i);
      },
      [&](int i, int k) {
        const Vec3<T> w{v[k], v[k + 1], v[k + 2]}, linear{v[k + 3], v[k + 4], v[k + 5]};
        const Vec3<T> d = rotation(detail::quaternion<T>(q, i + 3)) * detail::displacement(w, linear);
        result[i] = q[i] + d.x;
        result[i + 1] = q[i + 1] + d.y;
        result[i + 2] = q[i + 2] + d.z;
      });
}
/// The v that brings q0 to q1 by integrate: the shorter way for quaternions.
template <Scalar T> void difference(const ModelOf<T>& model, In<T> q0, In<T> q1, Out<T> v) {
  require_size(q0, model.nq(), "q0");
  require_size(q1, model.nq(), "q1");
  require_size(v, model.nv(), "v");
  const auto put = [&](int k, const Vec3<T>& x) {
    v[k] = x.x;
    v[k + 1] = x.y;
    v[k + 2] = x.z;
  };
  detail::for_joints<T>(
      model, [&](int i, int k) { v[k] = q1[i] - q0[i]; },
      [&](int i, int k) {
        put(k, detail::logarithm(conjugate(detail::quaternion<T>(q0, i)) * detail::quaternion<T>(q1, i)));
      },
      detail::passed_over);
  // ... and the way of a body that turns so.
  detail::for_joints<T>(model, detail::passed_over, detail::passed_over, [&](int i, int k) {
    const Vec3<T> d{q1[i] - q0[i], q1[i + 1] - q0[i + 1], q1[i + 2] - q0[i + 2]};
    put(k + 3,
        detail::linear_part(Vec3<T>{v[k], v[k + 1], v[k + 2]}, back(rotation(detail::quaternion<T>(q0, i + 3)), d)));
  });
}
/// Brings the quaternions in q to unit length.
template <Scalar T> void normalise(const ModelOf<T>& model, Out<T> q) {
  require_size(q, model.nq(), "q");
  detail::for_joints<T>(
      model, detail::passed_over, [&](int i, int) { detail::store(unit(detail::quaternion<T>(q, i)), q, i); },
      detail::passed_over);
}

}  // namespace denoc
