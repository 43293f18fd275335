// What the formulations about link origins share: the wrench on every link, and what the joints feel of them.
#pragma once
#include "denoc/dynamics/rotors.hpp"
#include "denoc/model/configuration.hpp"

namespace denoc {

/// The memory of inverse dynamics. One for each thread.
template <Scalar T> struct InverseScratch {
  std::vector<Wrench<T>> w;       // on each link
  std::vector<Motion<T>> motion;  // where the tree branches
  std::vector<Wrench<T>> subtrees;
  std::vector<T> rest;  // v = 0
  explicit InverseScratch(const ModelOf<T>& model)
      : w(model.links().size()),
        motion(model.links().size()),
        subtrees(model.links().size(), zero_wrench<T>),
        rest(model.nv(), T(0)) {}
};

namespace detail {
inline constexpr Vec3<Zero> none{};
inline constexpr WrenchOf<Vec3<Zero>, Vec3<Zero>> no_wrench{};
inline constexpr TwistOf<Vec3<Zero>, Vec3<Zero>> at_rest{};
}  // namespace detail

/// Wrenches from outside relieve the joints.
template <Scalar T> void relieve_joints(const ModelOf<T>& model, Wrenches<T> wrenches, InverseScratch<T>& s) {
  require_bodies<T>(model, wrenches);
  for (const BodyWrench<T>& e : wrenches) {
    const auto& body = model.bodies()[e.body];
    s.w[body.link] -= full<T>(body.in_link.to_parent(e.wrench));
  }
}

/// tau = N_d^T N_l^T w, tip to base.
template <Scalar T, class Isa = AnyIsa>
void project_to_joints(const ModelOf<T>& model, const Configuration<T>& at, InverseScratch<T>& s, Out<T> tau) {
  model.moving().inward(at, detail::no_wrench, zero_wrench<T>, s.subtrees,
                        [&](auto link, const auto& children) DENOC_INLINED {
                          auto w = children + s.w[link.i];
                          return link.columns().inward(w, [&](auto p, const auto& whole) DENOC_INLINED {
                            tau[link.dof(p)] = dot(p, whole);
                            return whole;
                          });
                        });
}

#define DENOC_LINK_WRENCHES(KEYWORD, T)      \
  KEYWORD template struct InverseScratch<T>; \
  KEYWORD template void relieve_joints<T>(const ModelOf<T>&, Wrenches<T>, InverseScratch<T>&);
#define DENOC_EXTERN(T) DENOC_LINK_WRENCHES(extern, T)
DENOC_FOR_SCALARS(DENOC_EXTERN)
#undef DENOC_EXTERN
#define DENOC_PROJECTION(TEMPLATE, T) \
  TEMPLATE void project_to_joints<T>(const ModelOf<T>&, const Configuration<T>&, InverseScratch<T>&, Out<T>);
DENOC_COMPILED(DENOC_PROJECTION)

}  // namespace denoc
