// A formulation is a type that owns its scratch. It is made for a model, and then asked as often as one likes without
// taking memory again:
//   template <Scalar T> struct Kane {
//     static constexpr Method method{"kane", "n^2"};
//     explicit Kane(const ModelOf<T>& model);
//     void run(const ModelOf<T>& model, const Configuration<T>& at, In<T> v, In<T> a, Out<T> tau, Wrenches<T>
//     wrenches);
//   };
// Here is how one of a table is chosen and prepared without knowing its type.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "denoc/model/arguments.hpp"
#include "denoc/model/configuration.hpp"

namespace denoc {

/// What a method is called, how its cost grows with the number n of degrees of freedom, and what it covers.
struct Method {
  std::string_view name, order, covers = "all joint types, trees, fixed and free bases";
};

/// The three problems: what a prepared method is called with. q is in `at`; results last but for the wrenches.
template <Scalar T> struct InverseProblem {
  using Model = ModelOf<T>;
  using Prepared = std::function<void(const Configuration<T>& at, In<T> v, In<T> a, Out<T> tau, Wrenches<T>)>;
};
/// The inertia matrix: what a method of it is called with.
template <Scalar T> struct InertiaProblem {
  using Model = ModelOf<T>;
  using Prepared = std::function<void(const Configuration<T>& at, Out<T> inertia)>;
};
/// Forward dynamics: what a method of it is called with.
template <Scalar T> struct ForwardProblem {
  using Model = ModelOf<T>;
  using Prepared = std::function<void(const Configuration<T>& at, In<T> v, In<T> tau, Out<T> a, Wrenches<T>)>;
};

/// A row of a table. `prepare` takes the method's memory, some of them n x n numbers; the model must outlive what is
/// returned, which belongs to one thread and throws as the method does: ArgumentError when a size is wrong,
/// SingularInertia from forward dynamics.
template <class Problem> struct Formulation : Method {
  typename Problem::Prepared (*prepare)(const typename Problem::Model& model);
};
template <Scalar T> using InverseFormulation = Formulation<InverseProblem<T>>;
template <Scalar T> using InertiaFormulation = Formulation<InertiaProblem<T>>;
template <Scalar T> using ForwardFormulation = Formulation<ForwardProblem<T>>;

/// The tables, made from the lists in formulations.hpp, for each scalar of the library and for Symbol. The first of
/// each is what is used when none is named.
template <Scalar T> std::span<const InverseFormulation<T>> inverse_formulations();
/// All methods for the inertia matrix.
template <Scalar T> std::span<const InertiaFormulation<T>> inertia_formulations();
/// All methods of forward dynamics.
template <Scalar T> std::span<const ForwardFormulation<T>> forward_formulations();

/// The row of that name. Throws ArgumentError that lists those there are.
template <class Problem>
const Formulation<Problem>& formulation_named(std::span<const Formulation<Problem>> table, std::string_view name) {
  std::string names;
  for (const Formulation<Problem>& row : table) {
    if (row.name == name) return row;
    names += (names.empty() ? "" : ", ") + std::string(row.name);
  }
  throw ArgumentError("there is no method '" + std::string(name) + "'; there are " + names);
}

/// Methods of order n^2 and n^3 are left out for robots of more degrees of freedom than these wherever every method is
/// tried.
inline constexpr int most_for_squares = 1000, most_for_cubes = 300;
/// Whether a method with this order is worth running with n degrees of freedom.
inline bool is_affordable(const Method& method, int n) {
  return n <= (method.order == "n" ? n : method.order == "n^2" ? most_for_squares : most_for_cubes);
}

/// One of a table, ready to run.
template <class Problem> struct PreparedMethod {
  std::string_view name;
  typename Problem::Prepared run;
};
/// Those of a table that are not too much for the robot.
template <class Problem>
std::vector<PreparedMethod<Problem>> affordable_methods(std::span<const Formulation<Problem>> table,
                                                        const typename Problem::Model& model) {
  std::vector<PreparedMethod<Problem>> some;
  for (const Formulation<Problem>& row : table)
    if (is_affordable(row, model.nv())) some.push_back({row.name, row.prepare(model)});
  return some;
}

}  // namespace denoc
