// The tables of formulations, made from their lists. They are compiled once for each scalar of the library, each in a
// file of its own: DENOC_TABULATE(double).
#pragma once
#include <array>

#include "denoc/dynamics/formulations.hpp"

namespace denoc {

// The method with its memory, bound to the model it was made for.
template <class Problem, class Made> typename Problem::Prepared prepare(const typename Problem::Model& model) {
  return [&model, made = Made(model)](const auto&... given) mutable { made.run(model, given...); };
}

template <class Problem, class... Methods> std::span<const Formulation<Problem>> table_of(MethodList<Methods...>) {
  static constexpr std::array rows = {Formulation<Problem>{Methods::method, prepare<Problem, Methods>}...};
  return rows;
}

template <Scalar T> std::span<const InverseFormulation<T>> inverse_formulations() {
  return table_of<InverseProblem<T>>(InverseMethods<T>{});
}
template <Scalar T> std::span<const InertiaFormulation<T>> inertia_formulations() {
  return table_of<InertiaProblem<T>>(InertiaMethods<T>{});
}
template <Scalar T> std::span<const ForwardFormulation<T>> forward_formulations() {
  return table_of<ForwardProblem<T>>(ForwardMethods<T>{});
}

}  // namespace denoc

#define DENOC_TABULATE(T)                                                    \
  namespace denoc {                                                          \
  template std::span<const InverseFormulation<T>> inverse_formulations<T>(); \
  template std::span<const InertiaFormulation<T>> inertia_formulations<T>(); \
  template std::span<const ForwardFormulation<T>> forward_formulations<T>(); \
  }
