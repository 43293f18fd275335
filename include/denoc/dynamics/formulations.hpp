// Every formulation by name: what the command line, the tests and the benchmarks loop over. A new method is one file
// and one row.
#pragma once
#include <array>
#include <optional>
#include <string_view>

#include "denoc/dynamics/forward/composite_cholesky.hpp"
#include "denoc/dynamics/forward/denoc.hpp"
#include "denoc/dynamics/inertia/composite.hpp"
#include "denoc/dynamics/inertia/inverse.hpp"

namespace denoc {

// Scratch for whichever method is asked for.
template <Scalar T> struct Workspace {
  Configuration<T> at;
  InverseScratch<T> inverse;
  ForwardScratch<T> forward;
  CompositeScratch<T> composite;
  Factor<T> factor;
  DenseScratch<T> dense;
  InertiaInverseScratch<T> inertia_inverse;
  // Methods that keep matrices: made by `scratch` when such a method first runs, so that a rope of ten thousand links
  // has room for the others.
  std::optional<CompositeCholeskyScratch<T>> composite_cholesky;
  explicit Workspace(const ModelOf<T>& model)
      : at(model),
        inverse(model),
        forward(model),
        composite(model),
        factor(model),
        dense(model),
        inertia_inverse(model) {}
};

template <class S, class Model> S& scratch(std::optional<S>& of, const Model& model) {
  return of ? *of : of.emplace(model);
}

inline constexpr std::string_view all_joints = "all joint types, trees, fixed and free bases";

template <Scalar T> struct InverseFormulation {
  std::string_view name, order, covers;
  void (*run)(const ModelOf<T>&, Workspace<T>&, In<T> v, In<T> a, Out<T> tau, Wrenches<T>);
};
template <Scalar T> struct InertiaFormulation {
  std::string_view name, order, covers;
  void (*run)(const ModelOf<T>&, Workspace<T>&, Out<T> inertia);
};
template <Scalar T> struct ForwardFormulation {
  std::string_view name, order, covers;
  void (*run)(const ModelOf<T>&, Workspace<T>&, In<T> v, In<T> tau, Out<T> a, Wrenches<T>);
};

// The first of each is what is used when none is named. q is in the workspace's `at`.
template <Scalar T>
inline constexpr std::array inverse_formulations = {InverseFormulation<T>{
    "denoc", "n", all_joints,
    [](const ModelOf<T>& model, Workspace<T>& s, In<T> v, In<T> a, Out<T> tau, Wrenches<T> wrenches) {
      inverse_dynamics<T>(model, s.at, v, a, s.inverse, tau, wrenches);
    }}};
template <Scalar T>
inline constexpr std::array inertia_formulations = {
    InertiaFormulation<T>{"composite", "n^2", all_joints,
                          [](const ModelOf<T>& model, Workspace<T>& s, Out<T> inertia) {
                            inertia_matrix<T>(model, s.at, s.composite, inertia);
                          }},
    InertiaFormulation<T>{"udut", "n^2", all_joints, [](const ModelOf<T>& model, Workspace<T>& s, Out<T> inertia) {
                            factorize<T>(model, s.at, s.factor);
                            detail::by_columns<T>(model.nv(), inertia, s.dense.unit, s.dense.column,
                                                  [&](auto& e, auto& column) {
                                                    multiply<T>(model, s.at, s.factor, e, s.dense.solve, column);
                                                  });
                          }}};
template <Scalar T>
inline constexpr std::array forward_formulations = {
    ForwardFormulation<T>{
        "denoc", "n", all_joints,
        [](const ModelOf<T>& model, Workspace<T>& s, In<T> v, In<T> tau, Out<T> a, Wrenches<T> wrenches) {
          forward_dynamics<T>(model, s.at, v, tau, s.forward, a, wrenches);
        }},
    ForwardFormulation<T>{
        "composite-cholesky", "n^3", all_joints,
        [](const ModelOf<T>& model, Workspace<T>& s, In<T> v, In<T> tau, Out<T> a, Wrenches<T> wrenches) {
          composite_cholesky<T>(model, s.at, v, tau, scratch(s.composite_cholesky, model), a, wrenches);
        }}};

}  // namespace denoc
