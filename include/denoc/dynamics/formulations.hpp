// Every formulation by name: what the command line, the tests and the benchmarks loop over. A new method is one file
// and one row.
#pragma once
#include <array>
#include <optional>
#include <string_view>

#include "denoc/dynamics/forward/composite_cholesky.hpp"
#include "denoc/dynamics/forward/denoc.hpp"
#include "denoc/dynamics/forward/gibbs_appell.hpp"
#include "denoc/dynamics/forward/noc.hpp"
#include "denoc/dynamics/inertia/inverse.hpp"
#include "denoc/dynamics/inverse/kane.hpp"
#include "denoc/dynamics/inverse/noc.hpp"
#include "denoc/dynamics/reference/euler_lagrange.hpp"
#include "denoc/dynamics/reference/kinetic_energy.hpp"

namespace denoc {

// Scratch for whichever method is asked for.
template <Scalar T> struct Workspace {
  Configuration<T> at;
  InverseScratch<T> inverse;
  ForwardScratch<T> forward;
  Factor<T> factor;
  DenseScratch<T> dense;
  // What keeps n x n numbers or belongs to one of the other methods: made by `scratch` when it is first asked for. A
  // rope of ten thousand links has no room for the rest.
  std::optional<CompositeScratch<T>> composite;
  std::optional<InertiaInverseScratch<T>> inertia_inverse;
  std::optional<NewtonEulerScratch<T>> newton_euler;
  std::optional<NocScratch<T>> noc;
  std::optional<GibbsAppellScratch<T>> gibbs_appell;
  std::optional<KaneScratch<T>> kane;
  std::optional<EulerLagrangeScratch<T>> euler_lagrange;
  std::optional<NocInertiaScratch<T>> noc_inertia;
  std::optional<GibbsInertiaScratch<T>> gibbs_inertia;
  std::optional<KineticEnergyScratch<T>> kinetic_energy;
  std::optional<CompositeCholeskyScratch<T>> composite_cholesky;
  std::optional<NocCholeskyScratch<T>> noc_cholesky;
  std::optional<NocQrScratch<T>> noc_qr;
  std::optional<GibbsCholeskyScratch<T>> gibbs_cholesky;
  explicit Workspace(const ModelOf<T>& model)
      : at(model), inverse(model), forward(model), factor(model), dense(model) {}
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
inline constexpr std::array inverse_formulations = {
    InverseFormulation<T>{"denoc", "n", all_joints,
                          [](const ModelOf<T>& model, Workspace<T>& s, In<T> v, In<T> a, Out<T> tau, Wrenches<T> w) {
                            inverse_dynamics<T>(model, s.at, v, a, s.inverse, tau, w);
                          }},
    InverseFormulation<T>{"newton-euler", "n", all_joints,
                          [](const ModelOf<T>& model, Workspace<T>& s, In<T> v, In<T> a, Out<T> tau, Wrenches<T> w) {
                            newton_euler<T>(model, s.at, v, a, scratch(s.newton_euler, model), tau, w);
                          }},
    InverseFormulation<T>{"gibbs-appell", "n", all_joints,
                          [](const ModelOf<T>& model, Workspace<T>& s, In<T> v, In<T> a, Out<T> tau, Wrenches<T> w) {
                            gibbs_appell<T>(model, s.at, v, a, scratch(s.gibbs_appell, model), tau, w);
                          }},
    InverseFormulation<T>{"noc", "n^2", all_joints,
                          [](const ModelOf<T>& model, Workspace<T>& s, In<T> v, In<T> a, Out<T> tau, Wrenches<T> w) {
                            natural_orthogonal_complement<T>(model, s.at, v, a, scratch(s.noc, model), tau, w);
                          }},
    InverseFormulation<T>{"kane", "n^2", all_joints,
                          [](const ModelOf<T>& model, Workspace<T>& s, In<T> v, In<T> a, Out<T> tau, Wrenches<T> w) {
                            kane<T>(model, s.at, v, a, scratch(s.kane, model), tau, w);
                          }},
    InverseFormulation<T>{"euler-lagrange", "n^2", all_joints,
                          [](const ModelOf<T>& model, Workspace<T>& s, In<T> v, In<T> a, Out<T> tau, Wrenches<T> w) {
                            euler_lagrange<T>(model, s.at, v, a, scratch(s.euler_lagrange, model), tau, w);
                          }}};

template <Scalar T>
inline constexpr std::array inertia_formulations = {
    InertiaFormulation<T>{"composite", "n^2", all_joints,
                          [](const ModelOf<T>& model, Workspace<T>& s, Out<T> inertia) {
                            inertia_matrix<T>(model, s.at, scratch(s.composite, model), inertia);
                          }},
    InertiaFormulation<T>{"udut", "n^2", all_joints,
                          [](const ModelOf<T>& model, Workspace<T>& s, Out<T> inertia) {
                            factorize<T>(model, s.at, s.factor);
                            detail::by_columns<T>(model.nv(), inertia, s.dense.unit, s.dense.column,
                                                  [&](auto& e, auto& column) {
                                                    multiply<T>(model, s.at, s.factor, e, s.dense.solve, column);
                                                  });
                          }},
    InertiaFormulation<T>{"gibbs-appell", "n^2", all_joints,
                          [](const ModelOf<T>& model, Workspace<T>& s, Out<T> inertia) {
                            gibbs_hessian<T>(model, s.at, scratch(s.gibbs_inertia, model), inertia);
                          }},
    InertiaFormulation<T>{"noc", "n^3", all_joints,
                          [](const ModelOf<T>& model, Workspace<T>& s, Out<T> inertia) {
                            noc_inertia_matrix<T>(model, s.at, scratch(s.noc_inertia, model), inertia);
                          }},
    InertiaFormulation<T>{"kinetic-energy", "n^3", all_joints,
                          [](const ModelOf<T>& model, Workspace<T>& s, Out<T> inertia) {
                            kinetic_energy_hessian<T>(model, s.at, scratch(s.kinetic_energy, model), inertia);
                          }}};

template <Scalar T>
inline constexpr std::array forward_formulations = {
    ForwardFormulation<T>{"denoc", "n", all_joints,
                          [](const ModelOf<T>& model, Workspace<T>& s, In<T> v, In<T> tau, Out<T> a, Wrenches<T> w) {
                            forward_dynamics<T>(model, s.at, v, tau, s.forward, a, w);
                          }},
    // Featherstone's three passes are those of denoc: velocities and bias outward, Mhat (his I^A) and eta (his p^A)
    // inward, accelerations outward. One code, and the same numbers.
    ForwardFormulation<T>{"articulated-body", "n", "all joint types, trees, fixed and free bases; the code of denoc",
                          [](const ModelOf<T>& model, Workspace<T>& s, In<T> v, In<T> tau, Out<T> a, Wrenches<T> w) {
                            forward_dynamics<T>(model, s.at, v, tau, s.forward, a, w);
                          }},
    ForwardFormulation<T>{"composite-cholesky", "n^3", all_joints,
                          [](const ModelOf<T>& model, Workspace<T>& s, In<T> v, In<T> tau, Out<T> a, Wrenches<T> w) {
                            composite_cholesky<T>(model, s.at, v, tau, scratch(s.composite_cholesky, model), a, w);
                          }},
    ForwardFormulation<T>{"gibbs-appell-cholesky", "n^3", all_joints,
                          [](const ModelOf<T>& model, Workspace<T>& s, In<T> v, In<T> tau, Out<T> a, Wrenches<T> w) {
                            gibbs_appell_cholesky<T>(model, s.at, v, tau, scratch(s.gibbs_cholesky, model), a, w);
                          }},
    ForwardFormulation<T>{"noc-cholesky", "n^3", all_joints,
                          [](const ModelOf<T>& model, Workspace<T>& s, In<T> v, In<T> tau, Out<T> a, Wrenches<T> w) {
                            noc_cholesky<T>(model, s.at, v, tau, scratch(s.noc_cholesky, model), a, w);
                          }},
    ForwardFormulation<T>{"noc-qr", "n^3", all_joints,
                          [](const ModelOf<T>& model, Workspace<T>& s, In<T> v, In<T> tau, Out<T> a, Wrenches<T> w) {
                            noc_qr<T>(model, s.at, v, tau, scratch(s.noc_qr, model), a, w);
                          }}};

}  // namespace denoc
