// Where the bodies are and how they move. Frames are in the names; poses are in the world, twists and their rates in
// the body's own axes about its own origin unless a name says otherwise.
#pragma once
#include "denoc/model/configuration.hpp"

namespace denoc {

/// Poses, twists and their rates of the links, in link axes; the calls below turn them into the user's frames.
template <Scalar T> struct Kinematics {
  std::vector<Pose<T>> in_parent, in_ground;
  std::vector<Twist<T>> twist, rate;
  T rotors = T(0);  // twice the energy of the rotors behind gears, which no body's twist shows
  explicit Kinematics(const ModelOf<T>& model)
      : in_parent(model.links().size()),
        in_ground(model.links().size()),
        twist(model.links().size(), zero_twist<T>),
        rate(model.links().size(), zero_twist<T>) {}
};

/// Poses of the links, base to tip.
template <Scalar T> void positions(const ModelOf<T>& model, const Configuration<T>& at, Kinematics<T>& kin) {
  for (int i = 1; i <= model.link_count(); ++i) {
    kin.in_parent[i] = link_pose<T>(model, at, i);
    kin.in_ground[i] = kin.in_ground[model.links()[i].parent] * kin.in_parent[i];
  }
}
/// Twists t = A t_parent + p v, base to tip. Needs positions. Throws ArgumentError when a size is wrong.
template <Scalar T> void velocities(const ModelOf<T>& model, In<T> v, Kinematics<T>& kin) {
  require_size(v, model.nv(), "v");
  for (int i = 1; i <= model.link_count(); ++i) {
    Twist<T> t = kin.in_parent[i].to_child(kin.twist[model.links()[i].parent]);
    model.columns(i, [&](int k, const auto& p) { t += full<T>(p) * v[k]; });
    kin.twist[i] = t;
  }
  kin.rotors = T(0);
  for (const auto& [k, inertia] : model.rotors()) kin.rotors += v[k] * v[k] * inertia;
}
/// Rates of the twists, t' = A t'_parent + t x p v + p a, base to tip, without gravity. Needs positions and velocities.
/// Throws ArgumentError when a size is wrong.
template <Scalar T> void accelerations(const ModelOf<T>& model, In<T> v, In<T> a, Kinematics<T>& kin) {
  require_size(v, model.nv(), "v");
  require_size(a, model.nv(), "a");
  for (int i = 1; i <= model.link_count(); ++i) {
    Twist<T> relative = zero_twist<T>, t = kin.in_parent[i].to_child(kin.rate[model.links()[i].parent]);
    model.columns(i, [&](int k, const auto& p) {
      relative += full<T>(p) * v[k];
      t += full<T>(p) * a[k];
    });
    kin.rate[i] = t + cross(kin.twist[i], relative);
  }
}

// Of a body by its number (Robot::find knows its name). What takes one throws ArgumentError if there is none.

/// Its frame in the world. Needs positions in kin.
template <Scalar T> Pose<T> pose_in_world(const ModelOf<T>& model, const Kinematics<T>& kin, int body) {
  const auto& b = model.body(body);
  return inverse(full<T>(model.bodies()[0].in_link)) * (kin.in_ground[b.link] * full<T>(b.in_link));
}
/// Angular velocity and velocity of the body's origin, in its own axes. Needs velocities in kin.
template <Scalar T> Twist<T> twist_in_body(const ModelOf<T>& model, const Kinematics<T>& kin, int body) {
  const auto& b = model.body(body);
  return b.in_link.to_child(kin.twist[b.link]);
}
/// The componentwise rate of twist_in_body; its linear part is the origin's acceleration less w x v.
template <Scalar T> Twist<T> twist_rate_in_body(const ModelOf<T>& model, const Kinematics<T>& kin, int body) {
  const auto& b = model.body(body);
  return b.in_link.to_child(kin.rate[b.link]);
}
/// Angular velocity and velocity of the body's origin, in world axes. Needs velocities in kin.
template <Scalar T> Twist<T> velocity_in_world(const ModelOf<T>& model, const Kinematics<T>& kin, int body) {
  const Mat3<T> R = pose_in_world<T>(model, kin, body).R;
  const Twist<T> t = twist_in_body<T>(model, kin, body);
  return {R * t.w, R * t.v};
}
/// Angular acceleration and acceleration of the body's origin, in world axes. Needs accelerations in kin.
template <Scalar T> Twist<T> acceleration_in_world(const ModelOf<T>& model, const Kinematics<T>& kin, int body) {
  const Mat3<T> R = pose_in_world<T>(model, kin, body).R;
  const Twist<T> t = twist_in_body<T>(model, kin, body), rate = twist_rate_in_body<T>(model, kin, body);
  return {R * rate.w, R * (rate.v + cross(t.w, t.v))};
}

/// 6 x n by rows, angular part first: twist_in_body = J v. Needs positions in kin.
template <Scalar T> void jacobian_in_body(const ModelOf<T>& model, const Kinematics<T>& kin, int body, Out<T> jacobian);
/// 6 x n by rows, angular part first: velocity_in_world = J v.
template <Scalar T>
void jacobian_in_world(const ModelOf<T>& model, const Kinematics<T>& kin, int body, Out<T> jacobian);

namespace detail {
// f(dof, p): the columns that move a body, in its own frame.
template <Scalar T, class F> void columns_in_body(const ModelOf<T>& model, const Kinematics<T>& kin, int body, F&& f) {
  const auto& b = model.body(body);
  Pose<T> to_body = full<T>(b.in_link);  // the body's frame in link i's
  for (int i = b.link; i > 0; i = model.links()[i].parent) {
    model.columns(i, [&](int k, const auto& p) { f(k, Twist<T>(to_body.to_child(full<T>(p)))); });
    to_body = kin.in_parent[i] * to_body;
  }
}
template <Scalar T> void store_column(Out<T> jacobian, int n, int k, const Twist<T>& p) {
  const T entries[] = {p.w.x, p.w.y, p.w.z, p.v.x, p.v.y, p.v.z};
  for (int row = 0; row < 6; ++row) jacobian[row * n + k] = entries[row];
}
}  // namespace detail

template <Scalar T>
void jacobian_in_body(const ModelOf<T>& model, const Kinematics<T>& kin, int body, Out<T> jacobian) {
  require_size(jacobian, 6 * model.nv(), "jacobian");
  for (T& x : jacobian) x = T(0);
  detail::columns_in_body<T>(model, kin, body,
                             [&](int k, const Twist<T>& p) { detail::store_column<T>(jacobian, model.nv(), k, p); });
}
template <Scalar T>
void jacobian_in_world(const ModelOf<T>& model, const Kinematics<T>& kin, int body, Out<T> jacobian) {
  require_size(jacobian, 6 * model.nv(), "jacobian");
  for (T& x : jacobian) x = T(0);
  const Mat3<T> R = pose_in_world<T>(model, kin, body).R;
  detail::columns_in_body<T>(model, kin, body, [&](int k, const Twist<T>& p) {
    detail::store_column<T>(jacobian, model.nv(), k, {R * p.w, R * p.v});
  });
}

}  // namespace denoc
