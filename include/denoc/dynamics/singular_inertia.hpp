// What every forward dynamics says when it cannot be done: some part of the robot moves without inertia.
//
// A pivot is d_k = x^T I x, where x is the motion in which k moves by one and all that was eliminated before follows
// freely: row k of U^-1. Let s_i^2 be the sum of the terms that the articulated inertia at i is made of. An entry of I is
// off by up to 16 eps s_i s_j, and so, as roundings add up, the pivot by
//   16 eps sum_i x_i^2 s_i^2
// That is 16 eps s_k^2, the pivot's floor, unless x is long, which takes small pivots among those eliminated before.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "denoc/error.hpp"
#include "denoc/model/arguments.hpp"

namespace denoc {

/// A pivot is not positive beyond rounding: some part of the robot moves without inertia at this q.
class SingularInertia : public Error {
 public:
  SingularInertia(const std::string& joint, int dof, double pivot);
  int dof;
  double pivot;
};

namespace detail {

/// Whether no x is long enough to matter, for pivots that are above their floors: |x_i| s_i is at most s_k times the root
/// of s_j^2/d_j for the small pivots on the way, multiplied. Those that move the same inertia multiply; of others, the
/// smallest two are taken. d_inv(dof): V, a number or a pack of them; so is the answer.
template <class V, class Model, class DInv> DENOC_INLINE auto is_every_x_short(const Model& model, DInv&& d_inv) {
  using R = Real<V>;
  constexpr R rounding = Model::pivot_rounding, margin = 4;
  const auto larger = [](V a, V b) { return select(a < b, b, a); };
  const auto smaller = [](V a, V b) { return select(a < b, a, b); };
  const auto small = [&](int k) { return d_inv(k) * V(model.pivot_floor(k) / rounding); };  // s^2/d
  auto is_short = V(R(0)) < V(R(1));
  V first = V(R(0)), second = V(R(0));
  for (int k = 0; k < model.nv(); ++k) {
    const V here = small(k);
    is_short &= (V(R(0)) < here) & (here * V(rounding) < V(R(1)));
    second = larger(second, smaller(first, here));
    first = larger(first, here);
  }
  V most = first * second;
  for (const std::vector<int>& dofs : model.same_inertia()) {
    V product = V(R(1));
    for (const int k : dofs) product = product * larger(V(R(1)), small(k));
    most = larger(most, product);
  }
  return is_short &= most * V(margin * rounding) < V(R(1));
}

/// sum_i x_i^2 s_i^2 as the mean of (sum_i +-x_i s_i)^2 over so many patterns of signs, in which the mixed terms of any
/// eight neighbours cancel.
constexpr int sign_patterns = 8;
template <class R> DENOC_INLINE R signed_part(R root, int dof, int pattern) {
  constexpr unsigned odd = 0b10010110;  // of 0 to 7 those with an odd number of ones
  return (odd >> (dof & pattern)) % 2 == 0 ? root : -root;
}

/// The first pivot, from the tips, that is not above its floor; -1 if there is none. What follows it is spoilt by it.
/// dof(i): whose pivot it is.
template <Scalar T, class Dof> int below_floor(const ModelOf<T>& model, In<T> d_inv, Dof&& dof) {
  for (int i = int(d_inv.size()); i-- > 0;) {
    const Real<T> pivot = 1 / value(d_inv[i]);
    if (!(pivot > model.pivot_floor(dof(i))) || !(pivot < std::numeric_limits<Real<T>>::infinity())) return i;
  }
  return -1;
}

/// The same of all that may be nothing but rounding. solve_upper: x <- U^-1 x, in place; x, sum: memory.
template <Scalar T, class Dof, class SolveUpper>
int without_inertia(const ModelOf<T>& model, In<T> d_inv, Dof&& dof, Out<T> x, Out<T> sum, SolveUpper&& solve_upper) {
  const int n = int(d_inv.size());
  if (const int i = below_floor<T>(model, d_inv, dof); i >= 0) return i;
  std::fill_n(sum.begin(), n, T(Real<T>(0)));
  for (int pattern = 0; pattern < sign_patterns; ++pattern) {
    for (int i = 0; i < n; ++i) x[i] = T(signed_part(std::sqrt(model.pivot_floor(dof(i))), dof(i), pattern));
    solve_upper(x);
    for (int i = 0; i < n; ++i) sum[i] = T(value(sum[i]) + value(x[i]) * value(x[i]) / sign_patterns);
  }
  for (int i = n; i-- > 0;)
    if (!(value(d_inv[i]) * value(sum[i]) < 1)) return i;
  return -1;
}

template <Scalar T> void refuse_singular(const ModelOf<T>& model, int dof, const T& d_inv) {
  throw SingularInertia(model.joint_of_dof(dof), dof, double(1 / value(d_inv)));
}

}  // namespace detail

/// The kernels do not branch; this reads their pivots (1/d by degree of freedom), where the scalar has a value to read
/// (a Symbol has none). Throws SingularInertia with the joint's name. x, sum: memory; solve_upper: x <- U^-1 x.
template <Scalar T, class SolveUpper>
void require_regular(const ModelOf<T>& model, In<T> d_inv, Out<T> x, Out<T> sum, SolveUpper&& solve_upper) {
  if constexpr (requires(T t) { value(t); }) {
    if (detail::is_every_x_short<Real<T>>(model, [&](int k) { return value(d_inv[k]); })) return;
    const int k = detail::without_inertia<T>(model, d_inv, std::identity(), x, sum, solve_upper);
    if (k >= 0) detail::refuse_singular<T>(model, k, d_inv[k]);
  }
}
/// Each pivot by itself: where they carry no rounding of each other (QR), or that is what is studied.
template <Scalar T> void require_regular(const ModelOf<T>& model, In<T> d_inv) {
  if constexpr (requires(T t) { value(t); }) {
    const int k = detail::below_floor<T>(model, d_inv, std::identity());
    if (k >= 0) detail::refuse_singular<T>(model, k, d_inv[k]);
  }
}

}  // namespace denoc
