// What every forward dynamics says when it cannot be done: some part of the robot moves without inertia.
#pragma once

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

/// The kernels do not branch; this reads their pivots (1/d by degree of freedom), where the scalar has a value to read
/// (a Symbol has none). Throws SingularInertia with the joint's name.
template <Scalar T> void require_regular(const ModelOf<T>& model, In<T> d_inv) {
  if constexpr (requires(T x) { value(x); }) {
    for (int k = model.nv(); k-- > 0;) {  // from the tips: what follows a pivot of zero is spoilt by it
      const Real<T> pivot = 1 / value(d_inv[k]);
      if (!(pivot > model.pivot_floor(k)) || !(pivot < std::numeric_limits<Real<T>>::infinity()))
        throw SingularInertia(model.joint_name(model.body_of_dof(k)), k, double(pivot));
    }
  }
}

}  // namespace denoc
