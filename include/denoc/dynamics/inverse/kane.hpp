// Inverse dynamics by Kane's equations, O(n^2): the inertia wrench of every link, projected on the partial rates of its
// mass centre.                                                                                       [Angeles7 (7.21)]
//   tau_k = sum_i (dc'_i/dv_k)^T m_i c''_i + (dw_i/dv_k)^T (I_i w'_i + w_i x I_i w_i)
#pragma once
#include "denoc/dynamics/formulation.hpp"
#include "denoc/dynamics/mass_centres.hpp"

namespace denoc {

/// The formulation with its memory.
template <Scalar T> struct Kane {
  static constexpr Method method{"kane", "n^2"};
  MassCentres<T> centres;
  std::vector<Twist<T>> partial;  // [dw_i/dv_k; dc'_i/dv_k] for one k
  explicit Kane(const ModelOf<T>& model) : centres(model), partial(model.links().size()) {}
  void run(const ModelOf<T>& model, const Configuration<T>& at, In<T> v, In<T> a, Out<T> tau, Wrenches<T> wrenches);
};

/// tau_k = sum over the links of partial rate . wrench.
template <Scalar T> void project_on_partial_rates(const ModelOf<T>& model, Kane<T>& s, Out<T> tau) {
  const auto links = model.links();
  for (int i = 1; i <= model.link_count(); ++i) {
    const int end = links[i].first + links[i].subtree;
    model.columns(i, [&](int k, const auto& p) {
      s.partial[i] = at_mass_centre<T>(s.centres, i, p);
      T sum = dot(s.partial[i], s.centres.w[i]);
      for (int j = i + 1; j <= model.link_count() && links[j].first < end; ++j) {  // what the joint carries
        s.partial[j] = carried_outward<T>(s.centres, j, s.partial[links[j].parent]);
        sum += dot(s.partial[j], s.centres.w[j]);
      }
      tau[k] = sum;
    });
  }
}

template <Scalar T>
void Kane<T>::run(const ModelOf<T>& model, const Configuration<T>& at, In<T> v, In<T> a, Out<T> tau,
                  Wrenches<T> wrenches) {
  require_size(tau, model.nv(), "tau");
  mass_centre_wrenches<T>(model, at, v, a, wrenches, centres);
  project_on_partial_rates<T>(model, *this, tau);
  add_rotors<T>(model, a, tau);
}

}  // namespace denoc
