// A robot, a state and everything the laws speak of, computed in one scalar.
#pragma once
#include <gtest/gtest.h>

#include "denoc/dynamics/coriolis.hpp"
#include "denoc/dynamics/forward/denoc.hpp"
#include "denoc/dynamics/inertia/composite.hpp"
#include "denoc/dynamics/inertia/inverse.hpp"
#include "denoc/dynamics/reactions.hpp"
#include "denoc/dynamics/rounding.hpp"
#include "denoc/kinematics/energy.hpp"
#include "support/random_robot.hpp"

namespace denoc::test {

template <class T> using Epsilon = std::numeric_limits<Real<T>>;

// The larger one, and NaN if either is: no law holds for it.
inline double larger(double m, double e) { return e > m || std::isnan(e) ? e : m; }
template <class T> double largest(const std::vector<T>& x) {
  double m = 0;
  for (const T& e : x) m = larger(m, std::abs(double(value(e))));
  return m;
}
template <class T> double largest_difference(const std::vector<T>& x, const std::vector<T>& y) {
  double m = x.size() == y.size() ? 0 : std::numeric_limits<double>::quiet_NaN();
  for (size_t i = 0; i < std::min(x.size(), y.size()); ++i) m = larger(m, std::abs(double(value(x[i] - y[i]))));
  return m;
}
// The largest row sum: the norm that goes with `largest`.
template <class T> double row_sum(const std::vector<T>& matrix, int n) {
  double m = 0;
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int k = 0; k < n; ++k) sum += std::abs(double(value(matrix[i * n + k])));
    m = larger(m, sum);
  }
  return m;
}
template <class T> std::vector<T> times(const std::vector<T>& matrix, const std::vector<T>& x) {
  const size_t n = x.size();
  std::vector<T> y(n, T(0));
  for (size_t i = 0; i < n; ++i)
    for (size_t k = 0; k < n; ++k) y[i] += matrix[i * n + k] * x[k];
  return y;
}

// Computing in T at q, v.
template <class T> class Machine {
 public:
  Machine(const ModelOf<T>& of, const std::vector<T>& q, const std::vector<T>& rates)
      : model(of),
        v(rates),
        at(model),
        inverse_scratch(model),
        forward_scratch(model),
        factor(model),
        dense(model),
        inertia_inverse_scratch(model),
        kin(model) {
    place<T>(model, q, at);
    positions<T>(model, at, kin);
    velocities<T>(model, v, kin);
  }
  std::vector<T> inverse(const std::vector<T>& a, Wrenches<T> wrenches = {}) {
    std::vector<T> tau(model.nv());
    inverse_dynamics<T>(model, at, v, a, inverse_scratch, tau, wrenches);
    return tau;
  }
  std::vector<T> bias(Wrenches<T> wrenches = {}) {
    std::vector<T> tau(model.nv());
    bias_forces<T>(model, at, v, inverse_scratch, tau, wrenches);
    return tau;
  }
  std::vector<T> gravity() {
    std::vector<T> tau(model.nv());
    gravity_forces<T>(model, at, inverse_scratch, tau);
    return tau;
  }
  std::vector<T> forward(const std::vector<T>& tau, Wrenches<T> wrenches = {}) {
    std::vector<T> a(model.nv());
    forward_dynamics<T>(model, at, v, tau, forward_scratch, a, wrenches);
    return a;
  }
  std::vector<T> inertia() {
    CompositeScratch<T> s(model);
    std::vector<T> I(model.nv() * model.nv());
    inertia_matrix<T>(model, at, s, I);
    return I;
  }
  std::vector<T> coriolis() {
    CoriolisScratch<T> s(model);
    std::vector<T> C(model.nv() * model.nv());
    coriolis_matrix<T>(model, at, v, s, C);
    return C;
  }
  std::vector<Wrench<T>> reactions(const std::vector<T>& a, Wrenches<T> wrenches = {}) {
    ReactionScratch<T> s(model);
    std::vector<Wrench<T>> w(model.bodies().size());
    joint_reactions<T>(model, at, v, a, s, w, wrenches);
    return w;
  }

  const ModelOf<T>& model;
  std::vector<T> v;
  Configuration<T> at;
  InverseScratch<T> inverse_scratch;
  ForwardScratch<T> forward_scratch;
  Factor<T> factor;
  DenseScratch<T> dense;
  InertiaInverseScratch<T> inertia_inverse_scratch;
  Kinematics<T> kin;
};

// What rounding explains of a law that is no method of its own: n additions of terms as large as those that meet.
template <class T> double rounding(int n, double terms) {
  return Rounding<Real<T>>::factor * n * double(Epsilon<T>::epsilon()) * terms;
}

// A state along the motion (q, v, a), to first order in time: what Dual differentiates.
using Moving = Dual<double>;
struct MovingState {
  std::vector<Moving> q, v;
};
inline MovingState moving(const Model& model, const std::vector<double>& q, const std::vector<double>& v,
                          const std::vector<double>& a) {
  MovingState state{std::vector<Moving>(q.size()), {}};
  std::vector<Moving> step;
  for (size_t k = 0; k < v.size(); ++k) {
    step.push_back({0.0, v[k]});
    state.v.push_back({v[k], a[k]});
  }
  integrate<Moving>(model, as<Moving>(q), step, state.q);
  return state;
}

}  // namespace denoc::test
