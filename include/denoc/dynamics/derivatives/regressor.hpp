// The equations of motion are linear in the inertias of the bodies: tau = Y(q, v, a) pi, with ten parameters for each
// body, in its own frame about its own origin:
//   pi = (m, h_x, h_y, h_z, I_xx, I_yy, I_zz, I_xy, I_yz, I_zx),   h = m c,   I: the tensor, with its signs
// A body takes the wrench
//   f = m a + B h,   n = h x a + I w' + w x I w       a: less gravity;  B = [w'] + [w][w]
// so each parameter has a wrench of its own, and the joints that carry the body feel it.
#pragma once
#include <array>

#include "denoc/kinematics/kinematics.hpp"

namespace denoc {

inline constexpr int inertial_parameters = 10;
inline constexpr std::array<const char*, inertial_parameters> inertial_parameter_names = {
    "m", "hx", "hy", "hz", "Ixx", "Iyy", "Izz", "Ixy", "Iyz", "Izx"};

// The motion of a body in its own frame, its acceleration less gravity.
template <class T> struct BodyMotion { Vec3<T> w, wd, a; };
template <Scalar T> BodyMotion<T> body_motion(const ModelOf<T>& model, const Kinematics<T>& kin, int body) {
  const auto& b = model.body(body);
  const Twist<T> t = twist_in_body<T>(model, kin, body), rate = twist_rate_in_body<T>(model, kin, body);
  // (the axes of the ground's link are the world's but for a turn that the model knows)
  const Vec3<T> lift = back(full<T>(b.in_link).R, back(kin.in_ground[b.link].R, full<T>(model.ground_acceleration())));
  return {t.w, rate.w, rate.v + cross(t.w, t.v) + lift};
}

// The wrenches of the ten parameters.
template <class T> std::array<Wrench<T>, inertial_parameters> parameter_wrenches(const BodyMotion<T>& m) {
  const Vec3<T>& w = m.w;
  const Vec3<T>& wd = m.wd;
  const Vec3<T>& a = m.a;
  const Vec3<T> none = zero3<T>;
  const Vec3<T> x{T(1), T(0), T(0)}, y{T(0), T(1), T(0)}, z{T(0), T(0), T(1)};
  const Mat3<T> B = rate_tensor(w, wd);
  // I u for an I of one entry (or two that are the same)
  const auto of_tensor = [&](auto&& times) { return Wrench<T>{times(wd) + cross(w, times(w)), none}; };
  return {{{none, a},
           {cross(x, a), column_x(B)},
           {cross(y, a), column_y(B)},
           {cross(z, a), column_z(B)},
           of_tensor([](const Vec3<T>& u) {
             return Vec3<T>{u.x, T(0), T(0)};
           }),
           of_tensor([](const Vec3<T>& u) {
             return Vec3<T>{T(0), u.y, T(0)};
           }),
           of_tensor([](const Vec3<T>& u) {
             return Vec3<T>{T(0), T(0), u.z};
           }),
           of_tensor([](const Vec3<T>& u) {
             return Vec3<T>{u.y, u.x, T(0)};
           }),
           of_tensor([](const Vec3<T>& u) {
             return Vec3<T>{T(0), u.z, u.y};
           }),
           of_tensor([](const Vec3<T>& u) {
             return Vec3<T>{u.z, T(0), u.x};
           })}};
}

// Y, nv x 10 (bodies - 1) by rows, body after body without the ground: `kin` has positions, velocities and
// accelerations.
template <Scalar T> void inertial_regressor(const ModelOf<T>& model, const Kinematics<T>& kin, Out<T> regressor) {
  const int bodies = int(model.bodies().size()) - 1, columns = inertial_parameters * bodies;
  require_size(regressor, model.nv() * columns, "regressor");
  for (T& x : regressor) x = T(0);
  for (int b = 1; b <= bodies; ++b) {
    const auto wrenches = parameter_wrenches(body_motion<T>(model, kin, b));
    const int first = inertial_parameters * (b - 1);
    detail::columns_in_body<T>(model, kin, b, [&](int k, const Twist<T>& p) {
      for (int c = 0; c < inertial_parameters; ++c) regressor[k * columns + first + c] = dot(p, wrenches[c]);
    });
  }
}

// The gradient of lambda . tau by the parameters, O(n): 10 (bodies - 1) numbers. `weights` has the velocities that the
// rates lambda give the bodies.
template <Scalar T>
void parameter_gradient(const ModelOf<T>& model, const Kinematics<T>& kin, const Kinematics<T>& weights,
                        Out<T> gradient) {
  const int bodies = int(model.bodies().size()) - 1;
  require_size(gradient, inertial_parameters * bodies, "gradient");
  for (int b = 1; b <= bodies; ++b) {
    const auto wrenches = parameter_wrenches(body_motion<T>(model, kin, b));
    const Twist<T> L = twist_in_body<T>(model, weights, b);
    for (int c = 0; c < inertial_parameters; ++c) gradient[inertial_parameters * (b - 1) + c] = dot(L, wrenches[c]);
  }
}

}  // namespace denoc
