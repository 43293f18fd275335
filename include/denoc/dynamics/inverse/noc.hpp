// Inverse dynamics by the natural orthogonal complement, O(n^2): the links' uncoupled Newton-Euler equations,
// projected by T.                                                                          [Angeles7 (7.56), (7.57)]
//   t' = T a + T' v,   tau = T^T (M t' + W M t - w^G)
#pragma once
#include "denoc/dynamics/complement.hpp"
#include "denoc/dynamics/formulation.hpp"

namespace denoc {

/// The formulation with its memory.
template <Scalar T> struct NocInverse {
  static constexpr Method method{"noc", "n^2"};
  Complement<T> complement;
  std::vector<Vec3<T>> lift;  // -g in link axes: m lift is -w^G
  explicit NocInverse(const ModelOf<T>& model) : complement(model), lift(model.links().size()) {
    lift[0] = full<T>(model.ground_acceleration());
  }
  void run(const ModelOf<T>& model, const Configuration<T>& at, In<T> v, In<T> a, Out<T> tau, Wrenches<T> wrenches);
};

/// t' = T a + T' v, with the acceleration -g that stands for gravity.
template <Scalar T> void complement_accelerations(const ModelOf<T>& model, In<T> v, In<T> a, NocInverse<T>& s) {
  Complement<T>& c = s.complement;
  for (int i = 1; i <= model.link_count(); ++i) {
    s.lift[i] = back(c.centres.pose[i].R, s.lift[model.links()[i].parent]);
    Twist<T> rate{zero3<T>, s.lift[i]};
    for_movers(model, i, [&](int k) { rate += c.t(i, k) * a[k] + c.rate(i, k) * v[k]; });
    c.centres.rate[i] = rate;
  }
}
/// tau = T^T w
template <Scalar T> void project_by_complement(const ModelOf<T>& model, const Complement<T>& s, Out<T> tau) {
  for (T& x : tau) x = T(0);
  for (int i = 1; i <= model.link_count(); ++i)
    for_movers(model, i, [&](int k) { tau[k] += dot(s.t(i, k), s.centres.w[i]); });
}

template <Scalar T>
void NocInverse<T>::run(const ModelOf<T>& model, const Configuration<T>& at, In<T> v, In<T> a, Out<T> tau,
                        Wrenches<T> wrenches) {
  require_size(v, model.nv(), "v");
  require_size(a, model.nv(), "a");
  require_size(tau, model.nv(), "tau");
  complement_columns<T>(model, at, complement);
  complement_twists<T>(model, v, complement);
  complement_rates<T>(model, complement);
  complement_accelerations<T>(model, v, a, *this);
  inertia_wrenches<T>(model, complement.centres);
  relieve_joints<T>(model, wrenches, complement.centres);
  project_by_complement<T>(model, complement, tau);
  add_rotors<T>(model, a, tau);
}

}  // namespace denoc
