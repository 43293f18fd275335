// Derivatives of dynamics times a vector, O(n), without matrices. From the right (how tau or a changes along a
// direction) it is one evaluation over Dual; from the left (the gradient of lambda . tau or lambda . a) it is a
// recursion of its own.
//
// Gradient of lambda . tau: the rates lambda give every link a twist L = L_p + p lambda, and lambda . tau is the sum of
// L . w over the links. With Y, C and w of each link alone, sums over a subtree
//   Z = sum Y L,   g = sum C^T L,   F = sum w
// and alpha, beta, chi as in variations.hpp,
//   by q: alpha . Z + chi . g + L_p . (p x* F),   by v: beta . Z + w(p) . g,   by a: p . Z
#pragma once
#include "denoc/dynamics/derivatives/variations.hpp"
#include "denoc/dynamics/forward/denoc.hpp"
#include "denoc/dynamics/inverse/denoc.hpp"
#include "denoc/model/manifold.hpp"

namespace denoc {

// Z, g, F of a subtree.
template <class T> struct WeighedSubtree {
  Wrench<T> Z;
  Vec3<T> g;
  Wrench<T> F;
};
template <class T> DENOC_INLINE WeighedSubtree<T> operator+(const WeighedSubtree<T>& a, const WeighedSubtree<T>& b) {
  return {a.Z + b.Z, a.g + b.g, a.F + b.F};
}
template <class T> DENOC_INLINE WeighedSubtree<T>& operator+=(WeighedSubtree<T>& a, const WeighedSubtree<T>& b) {
  return a = a + b;
}
template <class T> inline constexpr WeighedSubtree<T> zero_weighed{zero_wrench<T>, zero3<T>, zero_wrench<T>};
template <class T, class P> DENOC_INLINE WeighedSubtree<T> carried_inward(const P& p, const WeighedSubtree<T>& s) {
  return {carried_inward<T>(p, s.Z), full<T>(detail::in_parent_axes(p, s.g)), carried_inward<T>(p, s.F)};
}

template <Scalar T> struct GradientScratch {
  ForwardScratch<T> forward;
  VariationScratch<T> vary;
  std::vector<Twist<T>> at_branches, of_parent;  // L, and L_p in link axes
  std::vector<WeighedSubtree<T>> own, subtrees;
  std::vector<T> a, mu;
  explicit GradientScratch(const ModelOf<T>& model)
      : forward(model),
        vary(model),
        at_branches(model.links().size(), zero_twist<T>),
        of_parent(at_branches),
        own(model.links().size(), zero_weighed<T>),
        subtrees(own),
        a(size_t(model.nv())),
        mu(a) {}
};

// Y, C and w of every link, weighed by the twist that lambda gives it, base to tip.
template <Scalar T>
void weigh_links(const ModelOf<T>& model, const Configuration<T>& at, In<T> lambda, GradientScratch<T>& s) {
  model.moving().outward(at, detail::at_rest, s.at_branches, [&](auto link, const auto& carried) DENOC_INLINED {
    const Twist<T> L = full<T>(link.columns().outward(
        carried, [&](auto p, const auto& t) DENOC_INLINED { return t + p * lambda[link.dof(p)]; }));
    const CoriolisInertia<T>& C = s.vary.subtrees[link.i].C;  // of the body alone
    s.of_parent[link.i] = full<T>(carried);
    s.own[link.i] = {full<T>(full<T>(link.inertia()) * L), back(C.G, L.w) + cross(C.P, L.v),
                     s.forward.inverse.w[link.i]};
    return L;
  });
}

// The gradients of lambda . tau at q (in `at`), v, a, under gravity and the given wrenches (constant in body axes), n
// numbers each. Throws ArgumentError when a size is wrong.
template <Scalar T>
void inverse_gradient(const ModelOf<T>& model, const Configuration<T>& at, In<T> v, In<T> a, In<T> lambda,
                      GradientScratch<T>& s, Out<T> by_q, Out<T> by_v, Out<T> by_a, Wrenches<T> wrenches = {}) {
  for (const auto& [x, name] : {std::pair(v, "v"), std::pair(a, "a"), std::pair(lambda, "lambda")})
    require_size(x, model.nv(), name);
  for (const auto& [x, name] : {std::pair(by_q, "by_q"), std::pair(by_v, "by_v"), std::pair(by_a, "by_a")})
    require_size(x, model.nv(), name);
  vary_outward<T>(model, at, v, a, s.vary, s.forward.inverse.w);
  relieve_joints<T>(model, wrenches, s.forward.inverse);
  weigh_links<T>(model, at, lambda, s);
  model.moving().inward(at, Zero{}, zero_weighed<T>, s.subtrees, [&](auto link, const auto& children) DENOC_INLINED {
    const WeighedSubtree<T> whole = children + s.own[link.i];
    link.columns().each([&](auto p) DENOC_INLINED {
      const int k = link.dof(p);
      const auto e = axis_of(p);
      const Variation<T>& by = s.vary.variations[k];
      by_q[k] = dot_in_full(whole.Z, by.alpha) + dot(whole.g, by.chi) +
                dot_in_full(full<T>(turned(e, whole.F)), s.of_parent[link.i]);
      by_v[k] = dot_in_full(whole.Z, by.beta) + entry<e.axis>(whole.g) * e.turn;
      by_a[k] = dot(p, whole.Z);
    });
    return whole;
  });
  add_rotors<T>(model, lambda, by_a);
}

// The gradients of lambda . a at q, v, tau: with mu = I^-1 lambda, that by tau is mu, and those by q and v are minus
// those of mu . tau. Throws SingularInertia, and ArgumentError when a size is wrong.
template <Scalar T>
void forward_gradient(const ModelOf<T>& model, const Configuration<T>& at, In<T> v, In<T> tau, In<T> lambda,
                      GradientScratch<T>& s, Out<T> by_q, Out<T> by_v, Out<T> by_tau, Wrenches<T> wrenches = {}) {
  require_size(lambda, model.nv(), "lambda");
  forward_dynamics<T>(model, at, v, tau, s.forward, s.a, wrenches);
  for (int k = 0; k < model.nv(); ++k) s.mu[k] = -lambda[k];
  solve<T>(model, at, s.forward.factor, s.mu, s.forward.solve, s.mu);
  inverse_gradient<T>(model, at, v, s.a, s.mu, s, by_q, by_v, by_tau, wrenches);
  for (int k = 0; k < model.nv(); ++k) by_tau[k] = -s.mu[k];
}

// Along a direction (dq on the tangent space, dv, dx): scratch and arguments over Dual.
template <Scalar T> struct DirectionScratch {
  using D = Dual<T>;
  Configuration<D> at;
  ForwardScratch<D> forward;
  std::vector<D> start, q, step, v, x, y;
  std::vector<BodyWrench<D>> wrenches = {};
  explicit DirectionScratch(const ModelOf<T>& model)
      : at(model),
        forward(model),
        start(size_t(model.nq())),
        q(start),
        step(size_t(model.nv())),
        v(step),
        x(step),
        y(step) {
    wrenches.reserve(64);
  }
};
// A state and x (a or tau), and a direction to vary them in.
template <Scalar T> struct Direction { std::span<const T> q, v, x, dq, dv, dx; };
namespace detail {
template <Scalar T>
void set_out(const ModelOf<T>& model, const Direction<T>& to, DirectionScratch<T>& s, Wrenches<T> wrenches) {
  using D = Dual<T>;
  require_size(to.q, model.nq(), "q");
  for (const auto& [given, name] : {std::pair(to.v, "v"), std::pair(to.x, "a or tau"), std::pair(to.dq, "dq"),
                                    std::pair(to.dv, "dv"), std::pair(to.dx, "da or dtau")})
    require_size(given, model.nv(), name);
  for (size_t k = 0; k < to.q.size(); ++k) s.start[k] = D{to.q[k], T(0)};
  for (size_t k = 0; k < to.v.size(); ++k) {
    s.step[k] = D{T(0), to.dq[k]};
    s.v[k] = D{to.v[k], to.dv[k]};
    s.x[k] = D{to.x[k], to.dx[k]};
  }
  integrate<D>(model, s.start, s.step, s.q);
  place<D>(model, s.q, s.at);
  s.wrenches.clear();
  for (const auto& [body, w] : wrenches)
    s.wrenches.push_back(
        {body, {{D{w.n.x, T(0)}, D{w.n.y, T(0)}, D{w.n.z, T(0)}}, {D{w.f.x, T(0)}, D{w.f.y, T(0)}, D{w.f.z, T(0)}}}});
}
}  // namespace detail
// How tau changes along the direction at q, v, a; and how a changes at q, v, tau.
template <Scalar T>
void inverse_along(const ModelOf<T>& model, const Direction<T>& to, DirectionScratch<T>& s, Out<T> dtau,
                   Wrenches<T> wrenches = {}) {
  require_size(dtau, model.nv(), "dtau");
  detail::set_out<T>(model, to, s, wrenches);
  inverse_dynamics<Dual<T>>(model, s.at, s.v, s.x, s.forward.inverse, s.y, s.wrenches);
  for (size_t k = 0; k < dtau.size(); ++k) dtau[k] = s.y[k].d;
}
template <Scalar T>
void forward_along(const ModelOf<T>& model, const Direction<T>& to, DirectionScratch<T>& s, Out<T> da,
                   Wrenches<T> wrenches = {}) {
  require_size(da, model.nv(), "da");
  detail::set_out<T>(model, to, s, wrenches);
  forward_dynamics<Dual<T>>(model, s.at, s.v, s.x, s.forward, s.y, s.wrenches);
  for (size_t k = 0; k < da.size(); ++k) da[k] = s.y[k].d;
}

#define DENOC_GRADIENTS(KEYWORD, T)                                                                             \
  KEYWORD template void weigh_links<T>(const ModelOf<T>&, const Configuration<T>&, In<T>, GradientScratch<T>&); \
  KEYWORD template void inverse_gradient<T>(const ModelOf<T>&, const Configuration<T>&, In<T>, In<T>, In<T>,    \
                                            GradientScratch<T>&, Out<T>, Out<T>, Out<T>, Wrenches<T>);
#define DENOC_EXTERN(T) DENOC_GRADIENTS(extern, T)
DENOC_FOR_SCALARS(DENOC_EXTERN)
#undef DENOC_EXTERN

}  // namespace denoc
