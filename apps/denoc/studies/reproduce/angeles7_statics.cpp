// Angeles7, Exercise 7.9: torques that balance a wrench on the hand.
#include <fmt/format.h>

#include "studies/reproduce/angeles7_parts.hpp"
#include "studies/reproduce/counts.hpp"
#include "studies/reproduce/recorded.hpp"

namespace denoc::app {
namespace {

// tau = -J^T w, from link to link and by the Jacobian. w on the last body, in its frame.
template <class T>
std::vector<T> balance_by_recursion(const ModelOf<T>& model, const Configuration<T>& at, const Wrench<T>& w) {
  InverseScratch<T> scratch(model);
  std::fill(scratch.w.begin(), scratch.w.end(), zero_wrench<T>);
  const BodyWrench<T> on_hand[] = {{static_cast<int>(model.bodies().size()) - 1, w}};
  std::vector<T> tau(static_cast<std::size_t>(model.nv()));
  relieve_joints<T>(model, on_hand, scratch);
  project_to_joints<T>(model, at, scratch, tau);
  return tau;
}
template <class T> std::vector<T> hand_jacobian(const ModelOf<T>& model, const Configuration<T>& at) {
  Kinematics<T> kin(model);
  std::vector<T> J(6 * static_cast<std::size_t>(model.nv()));
  positions<T>(model, at, kin);
  jacobian_in_body<T>(model, kin, static_cast<int>(model.bodies().size()) - 1, J);
  return J;
}
template <class T> std::vector<T> balance_by_jacobian(const std::vector<T>& J, const Wrench<T>& w) {
  const T entries[] = {w.n.x, w.n.y, w.n.z, w.f.x, w.f.y, w.f.z};
  std::vector<T> tau(J.size() / 6, T(0));
  for (std::size_t row = 0; row < 6; ++row) {
    for (std::size_t k = 0; k < tau.size(); ++k) tau[k] -= J[row * tau.size() + k] * entries[row];
  }
  return tau;
}
Wrench<Symbol> any_wrench(Recorded& at) {
  const Symbols x = at.inputs(6);
  return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
}
OperationCount recursion_count(const Model& model) {
  Recorded at(model);
  return at.cost(balance_by_recursion<Symbol>(model, at.at, any_wrench(at)));
}
OperationCount jacobian_count(const Model& model) {
  const Recorded at(model);
  return at.cost(hand_jacobian<Symbol>(model, at.at));
}
OperationCount product_count(const Model& model) {
  Recorded at(model);
  const Symbols J = hand_jacobian<Symbol>(model, at.at);
  return at.cost(balance_by_jacobian(J, any_wrench(at)), J);
}

}  // namespace

void exercise_9(Page& page) {
  page.section("exercise-9", "Exercise 7.9: torques that balance a wrench on the hand");
  page.say(
      "A recursion for the joint torques that hold a wrench at the end-effector, and its cost against that of the "
      "transposed Jacobian. The wrench travels inward from frame to frame, n <- Q n + a x Q f, f <- Q f; each joint "
      "takes the component along its axis.");
  const NamedCost recursion = counted_cost("recursion, all of it", recursion_count),
                  jacobian = counted_cost("the Jacobian, in the hand's frame", jacobian_count),
                  product = counted_cost("-J^T w, J known", product_count);
  cost_table(page, {}, {recursion, jacobian, product});
  const Model model(shipped("puma560"));
  const Numbers q = {0.3, -0.6, 0.9, 0.4, -0.8, 1.1};
  const Wrench<double> w{{3, -5, 2}, {40, 25, -60}};
  Configuration<double> at(model);
  place<double>(model, q, at);
  Robot weightless = model.robot();
  weightless.gravity = {0, 0, 0};
  const Model floating(weightless);
  const std::vector<BodyWrench<double>> on_hand = {{6, w}};
  Configuration<double> still(floating);
  Numbers by_newton_euler(6);
  place<double>(floating, q, still);
  NewtonEuler<double>(floating).run(floating, still, Numbers(6), Numbers(6), by_newton_euler, on_hand);
  const Numbers ours = balance_by_recursion<double>(model, at, w);
  page.table(
      {"`puma560` at (0.3, -0.6, 0.9, 0.4, -0.8, 1.1), moment (3, -5, 2) N m, force (40, 25, -60) N", "torques [N m]"},
      {{"recursion", listed(ours)},
       {"-J^T w", listed(balance_by_jacobian(hand_jacobian<double>(model, at), w))},
       {"`newton-euler` at rest without gravity, under the wrench", listed(by_newton_euler)}});
  const int n = 6;
  page.say(fmt::format("For n = {}, J^T w takes {} where J is known, and {} more to form J; the recursion takes {}.", n,
                       product.cost.at(n), jacobian.cost.at(n), recursion.cost.at(n)));
}

}  // namespace denoc::app
