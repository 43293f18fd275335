// The forces of a robot, all together.
#pragma once
#include <string>
#include <tuple>

#include "denoc/forces/dry_friction.hpp"
#include "denoc/forces/end_stops.hpp"
#include "denoc/forces/external_wrenches.hpp"
#include "denoc/forces/ground_contact.hpp"
#include "denoc/forces/joint_springs.hpp"
#include "denoc/forces/point_springs.hpp"
#include "denoc/forces/viscous_friction.hpp"

namespace denoc {

/// The list: what the file of a robot may say, each made from its model. Command line, simulator and tests take what
/// they do and what they say from it; a new force is its file and its row here.
template <Scalar T>
using RobotForces = std::tuple<ViscousFriction<T>, JointSprings<T>, EndStops<T>, SlidingFriction<T>, PointSprings<T>>;
// What surrounds a robot in a scenario adds these.
template <Scalar T> using SurroundingForces = std::tuple<ExternalWrenches<T>, GroundReaction<T>>;

// A list without one of its forces: for those who know more of it.
template <class Gone, class List> struct WithoutOne;
template <class Gone, class... F> struct WithoutOne<Gone, std::tuple<F...>> {
  using type = decltype(std::tuple_cat(
      std::declval<std::conditional_t<std::is_same_v<F, Gone>, std::tuple<>, std::tuple<F>>>()...));
};
template <class Gone, class List> using Without = typename WithoutOne<Gone, List>::type;

/// The forces of a list, made from a model.
template <class List, class R> List forces_from(const BasicModel<R>& model) {
  return
      [&]<class... F>(std::type_identity<std::tuple<F...>>) { return List(F(model)...); }(std::type_identity<List>());
}

/// f(force) for each force of a list.
template <class List, class F> void for_each_force(const List& forces, F&& f) {
  std::apply([&](const auto&... force) { (f(force), ...); }, forces);
}
/// How many wrenches the forces of a list add at most; above 0 they need poses and twists of the bodies.
template <class List> int wrenches_of(const List& forces) {
  int sum = 0;
  for_each_force(forces, [&](const auto& force) { sum += force.wrenches(); });
  return sum;
}
/// The names of those that do something, as in "joint springs, end stops"; empty if none does.
template <class List> std::string names_of(const List& forces) {
  std::string names;
  for_each_force(forces, [&](const auto& force) {
    if (force.empty()) return;
    if (!names.empty()) names += ", ";
    names += force.name;
  });
  return names;
}
/// The forces that the file of a robot brings, as in "joint springs, end stops"; empty if there are none.
template <class R> std::string names_of_forces(const BasicModel<R>& model) {
  return names_of(forces_from<RobotForces<R>>(model));
}
/// Adds to the loads what the forces of a list do.
template <Scalar T, class List> void apply_forces(const List& forces, const Situation<T>& at, Loads<T>& loads) {
  for_each_force(forces, [&](const Force<T> auto& force) { force.act(at, loads); });
}
/// Throws NoForce where one of them has no value: its loads are no numbers, and it says why.
template <Scalar T, class List>
void require_defined(const List& forces, const Situation<T>& at, const Loads<T>& loads) {
  bool is_finite = true;
  const auto look = [&](const T& x) { is_finite = is_finite && std::isfinite(value(x)); };
  for (const T& x : loads.tau) look(x);
  for (const auto& [body, w] : loads.wrenches) look(dot(w.n, w.n) + dot(w.f, w.f));
  if (is_finite) return;
  for_each_force(forces, [&](const auto& force) {
    if constexpr (requires { force.require_defined(at); }) force.require_defined(at);
  });
}

/// The forces of a robot's file with the memory they need: no call takes any. Sizes that are wrong throw
/// ArgumentError.
template <Scalar T> class ForcesOf {
 public:
  explicit ForcesOf(const ModelOf<T>& model)
      : model_(&model),
        forces_(forces_from<RobotForces<T>>(model)),
        kin_(model),
        loads_(model.nv(), wrenches_of(forces_)),
        still_(size_t(model.nv()), T(0)) {}
  const RobotForces<T>& list() const { return forces_; }

  /// What they do at q (evaluated: `at`) and v; good until the next call. Throws NoForce.
  const Loads<T>& act(const Configuration<T>& at, In<T> q, In<T> v) {
    require_defined(forces_, evaluate(at, q, v), loads_);
    return loads_;
  }
  /// The energy they have stored there.
  T stored(const Configuration<T>& at, In<T> q) {
    evaluate(at, q, still_);
    return loads_.stored;
  }

 private:
  Situation<T> evaluate(const Configuration<T>& at, In<T> q, In<T> v) {
    require_size(q, model_->nq(), "q");
    require_size(v, model_->nv(), "v");
    if (wrenches_of(forces_) > 0) {
      positions<T>(*model_, at, kin_);
      velocities<T>(*model_, v, kin_);
    }
    const Situation<T> here{*model_, Real<T>(0), q, v, &kin_};
    loads_.clear();
    apply_forces(forces_, here, loads_);
    return here;
  }

  const ModelOf<T>* model_;
  RobotForces<T> forces_;
  Kinematics<T> kin_;
  Loads<T> loads_;
  std::vector<T> still_;
};

}  // namespace denoc
