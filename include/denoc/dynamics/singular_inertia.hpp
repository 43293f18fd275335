// What every forward dynamics says when it cannot be done: some part of the robot moves without inertia.
//
// A pivot is d_k = x^T I x, where x is the motion in which k moves by one and all that was eliminated before follows
// freely: row k of U^-1. Where s_i^2 is the inertia that i could move at most, every entry of I is off by up to
// 16 eps s_i s_j, and so the pivot by up to
//   16 eps (sum_i |x_i| s_i)^2
// That is 16 eps s_k^2, the pivot's floor, unless x is long, which takes a small pivot among those eliminated before.
#pragma once

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

/// Where all pivots are above so many times their floors, which is 16 sqrt(16 eps) s^2, no x is long enough to matter.
template <class E> constexpr E small_pivot = E(4LL << std::numeric_limits<E>::digits / 2);

/// Instead of all |x_i| s_i their sums with signs, for so many patterns of signs: three neighbours have them in all ways.
constexpr int sign_patterns = 8;
template <class Model> DENOC_INLINE auto signed_floor(const Model& model, int dof, int pattern) {
  constexpr unsigned odd = 0b10010110;  // of 0 to 7 those with an odd number of ones
  const auto root = std::sqrt(model.pivot_floor(dof));
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

/// The same, of those that may be nothing but rounding. solve_upper: x <- U^-1 x, in place.
template <Scalar T, class Dof, class SolveUpper>
int without_inertia(const ModelOf<T>& model, In<T> d_inv, Dof&& dof, Out<T> x, SolveUpper&& solve_upper) {
  const int n = int(d_inv.size());
  bool is_any_small = false;
  for (int i = 0; i < n; ++i)
    is_any_small |= !(value(d_inv[i]) * model.pivot_floor(dof(i)) * small_pivot<Real<T>> < 1 && value(d_inv[i]) > 0);
  if (!is_any_small) return -1;
  if (const int i = below_floor<T>(model, d_inv, dof); i >= 0) return i;
  for (int pattern = 0; pattern < sign_patterns; ++pattern) {
    for (int i = 0; i < n; ++i) x[i] = T(signed_floor(model, dof(i), pattern));
    solve_upper(x);
    for (int i = n; i-- > 0;)
      if (!(value(d_inv[i]) * value(x[i]) * value(x[i]) < 1)) return i;
  }
  return -1;
}

template <Scalar T> void refuse_singular(const ModelOf<T>& model, int dof, const T& d_inv) {
  throw SingularInertia(model.joint_name(model.body_of_dof(dof)), dof, double(1 / value(d_inv)));
}

}  // namespace detail

/// The kernels do not branch; this reads their pivots (1/d by degree of freedom), where the scalar has a value to read
/// (a Symbol has none). Throws SingularInertia with the joint's name. x: memory, nv numbers; solve_upper: x <- U^-1 x.
template <Scalar T, class SolveUpper>
void require_regular(const ModelOf<T>& model, In<T> d_inv, Out<T> x, SolveUpper&& solve_upper) {
  if constexpr (requires(T t) { value(t); }) {
    const int k = detail::without_inertia<T>(model, d_inv, std::identity(), x, solve_upper);
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
