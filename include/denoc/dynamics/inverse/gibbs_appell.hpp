// Inverse dynamics by the equations of Gibbs and Appell, O(n): tau_k = dG/da_k, G = sum m a^2 / 2 over all particles.
//                                                                                            [Mata02 4.1, corrected]
//   B = [w'] + [w][w],  r'' = s'' + B r,  f = m r'',  t~ = B J - (B J)^T,   J = tr(I)/2 - I about the mass centre
// base to tip; then v_j = r x f + t + s x phi + R v and phi = R (f + phi) from tip to base, and tau = z . v or
// z . (f + phi). (v; f + phi) is the wrench on what follows the joint; a joint of any other type takes its own columns.
#pragma once
#include "denoc/dynamics/formulation.hpp"
#include "denoc/dynamics/link_wrenches.hpp"
#include "denoc/dynamics/mass_centres.hpp"

namespace denoc {

/// The formulation with its memory.
template <Scalar T> struct GibbsAppell {
  static constexpr Method method{"gibbs-appell", "n"};
  struct GibbsLink {
    Vec3<Real<T>> r;             // of the mass centre
    RigidInertia<Real<T>> body;  // m and J about it
  };
  std::vector<GibbsLink> links;
  InverseScratch<T> wrenches;
  explicit GibbsAppell(const ModelOf<T>& model) : wrenches(model) {
    for (const CentredLink<Real<T>>& link : centred_links(model)) links.push_back({link.c, about_centre(link)});
  }
  void run(const ModelOf<T>& model, const Configuration<T>& at, In<T> v, In<T> a, Out<T> tau, Wrenches<T> outside);
};

/// The wrench f, t of each link, about its origin.
template <Scalar T>
void gibbs_wrenches(const ModelOf<T>& model, const Configuration<T>& at, In<T> v, In<T> a, GibbsAppell<T>& s) {
  const MotionOf ground{detail::none, detail::none, model.ground_acceleration(), Mat3<Zero, Zero, Zero, Zero>{}};
  model.moving().outward(at, ground, s.wrenches.motion, [&](auto link, const auto& carried) DENOC_INLINED {
    auto m = link.moved(carried, at.z[link.i].d, link.rates(v), link.rates(a));
    const auto& [r, body] = s.links[link.i];
    auto [t, f] = body.wrench(MotionOf{m.w, m.wd, m.a + m.B * r, m.B});
    s.wrenches.w[link.i] = full<T>(WrenchOf{cross(r, f) + t, f});
    return full<T>(m);
  });
}

template <Scalar T>
void GibbsAppell<T>::run(const ModelOf<T>& model, const Configuration<T>& at, In<T> v, In<T> a, Out<T> tau,
                         Wrenches<T> outside) {
  require_size(v, model.nv(), "v");
  require_size(a, model.nv(), "a");
  require_size(tau, model.nv(), "tau");
  gibbs_wrenches<T>(model, at, v, a, *this);
  relieve_joints<T>(model, outside, wrenches);
  project_to_joints<T>(model, at, wrenches, tau);
  add_rotors<T>(model, a, tau);
}

}  // namespace denoc
