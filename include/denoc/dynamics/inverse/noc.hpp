// Inverse dynamics by the natural orthogonal complement, O(n^2): the links' uncoupled Newton-Euler equations,
// projected by T.                                                                          [Angeles7 (7.56), (7.57)]
//   t' = T a + T' v,   tau = T^T (M t' + W M t - w^G)
#pragma once
#include "denoc/dynamics/complement.hpp"

namespace denoc {

template <Scalar T> struct NocScratch {
  Complement<T> complement;
  std::vector<Vec3<T>> lift;  // -g in link axes: m lift is -w^G
  explicit NocScratch(const ModelOf<T>& model) : complement(model), lift(model.links().size()) {
    lift[0] = full<T>(model.ground_acceleration());
  }
};

// t' = T a + T' v, with the acceleration -g that stands for gravity.
template <Scalar T> void complement_accelerations(const ModelOf<T>& model, In<T> v, In<T> a, NocScratch<T>& s) {
  Complement<T>& c = s.complement;
  for (int i = 1; i <= model.link_count(); ++i) {
    s.lift[i] = back(c.centres.pose[i].R, s.lift[model.links()[i].parent]);
    Twist<T> rate{zero3<T>, s.lift[i]};
    for_movers(model, i, [&](int k) { rate += c.t(i, k) * a[k] + c.rate(i, k) * v[k]; });
    c.centres.rate[i] = rate;
  }
}
// tau = T^T w
template <Scalar T> void project_by_complement(const ModelOf<T>& model, const Complement<T>& s, Out<T> tau) {
  for (T& x : tau) x = T(0);
  for (int i = 1; i <= model.link_count(); ++i)
    for_movers(model, i, [&](int k) { tau[k] += dot(s.t(i, k), s.centres.w[i]); });
}

template <Scalar T>
void natural_orthogonal_complement(const ModelOf<T>& model, const Configuration<T>& at, In<T> v, In<T> a,
                                   NocScratch<T>& s, Out<T> tau, Wrenches<T> wrenches = {}) {
  require_size(v, model.nv(), "v");
  require_size(a, model.nv(), "a");
  require_size(tau, model.nv(), "tau");
  complement_columns<T>(model, at, s.complement);
  complement_twists<T>(model, v, s.complement);
  complement_rates<T>(model, s.complement);
  complement_accelerations<T>(model, v, a, s);
  inertia_wrenches<T>(model, s.complement.centres);
  apply<T>(model, wrenches, s.complement.centres);
  project_by_complement<T>(model, s.complement, tau);
  add_rotors<T>(model, a, tau);
}

#define DENOC_NOC(KEYWORD, T)                                                                         \
  KEYWORD template void complement_accelerations<T>(const ModelOf<T>&, In<T>, In<T>, NocScratch<T>&); \
  KEYWORD template void project_by_complement<T>(const ModelOf<T>&, const Complement<T>&, Out<T>);
#define DENOC_EXTERN(T) DENOC_NOC(extern, T)
DENOC_FOR_SCALARS(DENOC_EXTERN)
#undef DENOC_EXTERN

}  // namespace denoc
