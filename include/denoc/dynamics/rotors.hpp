// Rotors behind gears stand on the diagonal of the inertia matrix alone: I_kk + gear^2 rotor_inertia. How they turn
// with the bodies that carry them (their gyroscopic effects) is left out.
#pragma once
#include "denoc/model/arguments.hpp"

namespace denoc {

/// tau += R a
template <Scalar T> void add_rotors(const ModelOf<T>& model, In<T> a, Out<T> tau) {
  for (const auto& [k, inertia] : model.rotors()) tau[k] += a[k] * inertia;
}
/// I += R, n x n by rows
template <Scalar T> void add_rotors(const ModelOf<T>& model, Out<T> matrix) {
  for (const auto& [k, inertia] : model.rotors()) matrix[k * model.nv() + k] += T(inertia);
}

}  // namespace denoc
