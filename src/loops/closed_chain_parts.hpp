// What a ClosedChain owns: the rows of its loops at one state, the forces in them, and its tree's scratch.
#pragma once
#include <fmt/format.h>

#include <optional>
#include <random>

#include "denoc/dynamics/forward/denoc.hpp"
#include "denoc/dynamics/inverse/denoc.hpp"
#include "denoc/loops/closed_chain.hpp"
#include "loop_forces.hpp"

namespace denoc {

inline Eigen::VectorXd vector(std::span<const double> x) {
  return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}
inline std::vector<double> list(const Eigen::VectorXd& x) { return {x.begin(), x.end()}; }
inline std::span<const double> entries(const Eigen::VectorXd& x) {
  return {x.data(), static_cast<std::size_t>(x.size())};
}

struct ClosedChain::Parts {
  const Model& model;
  ClosureSystem closure;
  std::optional<ClosureSystem> from_far = {};  // the rows to find closed postures by, made when first needed
  LoopForces forces;
  Configuration<double> own;         // for the calls with q
  const Configuration<double>* at;   // of the state that the closure is evaluated at
  std::vector<double> v;             // ... and its rates
  std::vector<double> posture = {};  // of the last stand()
  ForwardScratch<double> forward;
  InverseScratch<double> inverse;
  std::vector<double> zero;
  std::mt19937 random;  // seeded by every call: the same answers every time
  double inertia = 0;   // of all mass at the robot's length

  Parts(const Model& m, std::shared_ptr<const ClosureRows> rows)
      : model(m),
        closure(m, std::move(rows)),
        forces(m, closure),
        own(m),
        at(&own),
        v(static_cast<std::size_t>(m.nv())),
        forward(m),
        inverse(m),
        zero(static_cast<std::size_t>(m.nv())) {
    for (const Body& body : m.robot().bodies) inertia += body.inertial.mass * closure.length * closure.length;
  }

  // All rows of the loops one after the other, those left out zero, of what stands by columns.
  std::vector<double> by_rows(const Eigen::MatrixXd& of_rows) const;

  void move_to(const Configuration<double>& placed, std::span<const double> q, std::span<const double> rates) {
    require_size(rates, model.nv(), "v");
    at = &placed;
    v.assign(rates.begin(), rates.end());
    closure.evaluate(placed, q, v);
  }
  void move_to(std::span<const double> q, std::span<const double> rates) {
    place<double>(model, q, own);
    move_to(own, q, rates);
  }
  // The same, and the gradients of the rows.
  void evaluate(std::span<const double> q, std::span<const double> rates) {
    move_to(q, rates);
    closure.differentiate(*at);
  }
  // The same where it matters which rows depend on each other: loops that are closed but for digits are closed first.
  void stand(std::span<const double> q, std::span<const double> rates) {
    posture.assign(q.begin(), q.end());
    move_to(posture, rates);
    close_last_digits(own, posture);
    closure.differentiate(own);
  }
  bool close_last_digits(Configuration<double>& placed, std::span<double> q) {
    if (closure.is_closed() || gap().is_open()) return false;
    close_near_by(model, closure, placed, q, v);
    return true;
  }
  static std::string name_of(const Loop& loop) {
    return loop.source.element.empty() ? fmt::format("loop of type {}", denoc::name_of(loop.type))
                                       : loop.source.element;
  }
  std::string loop_of(Eigen::Index row) const {
    return name_of(model.robot().loops[static_cast<std::size_t>(closure.row(row).loop)]);
  }
  Gap largest(const Eigen::VectorXd& rows) const {
    if (rows.size() == 0) return {0, ""};
    Eigen::Index worst = 0;
    const double part = rows.cwiseAbs().cwiseQuotient(closure.row_units).maxCoeff<Eigen::PropagateNaN>(&worst);
    return {std::abs(rows[worst]), loop_of(worst), part};
  }
  Gap gap() const {
    if (const int turned = closure.turned_loop(); turned >= 0)
      return {M_PI, name_of(model.robot().loops[static_cast<std::size_t>(turned)]), M_PI};
    return largest(closure.residual);
  }
  Gap opening() const {
    Gap result = largest(closure.rate);
    if (model.nv() > 0) result.part /= std::max(1.0, vector(v).cwiseAbs().cwiseQuotient(closure.units).maxCoeff());
    return result;
  }
  // What is left of the loops, as ClosureSystem measures it; half a turn the wrong way round is not closed.
  double left() const { return closure.turned_loop() >= 0 ? M_PI : closure.left(); }
  double accelerations_in(const Eigen::VectorXd& a) const;
  // Forward dynamics where the inertia matrix of the tree alone is singular. Returns false if that of the closed chain
  // is, too.
  bool solve_stiffened(std::span<const double> tau, Wrenches<double> wrenches, Forward& result);
  // q moved by so many units.
  void step(std::span<const double> q, const Eigen::VectorXd& by, std::vector<double>& to) const;

  // The search for closed postures (assembly.cpp).
  Eigen::VectorXd way(std::span<const double> from, std::span<const double> to) const;
  double distance(std::span<const double> from, std::span<const double> to) const { return way(from, to).norm(); }
  std::vector<double> around(std::span<const double> q, double reach, const std::vector<int>& held);
  std::vector<double> newton(std::span<const double> from, const std::vector<int>& held);
  Eigen::VectorXd facing() const;
  std::vector<double> damped(std::span<const double> from, const std::vector<int>& held);
  bool leads_to(std::vector<double> q, const std::vector<double>& goal, const std::vector<int>& held);
  bool can_move(std::span<const double> q, const std::vector<int>& held);
  std::vector<int> held_by_value(std::vector<int> dofs) const;
  double left_at(std::span<const double> q);
  int searches() const;
};

}  // namespace denoc
