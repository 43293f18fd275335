// The system as implicit methods see it: the residuals of its equations.
#include <algorithm>

#include "system.hpp"

namespace denoc::simulation {

std::size_t System::conditions() const {
  return (closure_ ? static_cast<std::size_t>(closure_->size()) : 0) + friction_.size();
}

// Rows of acceleration are divided by these units, forces times them; both G and what they act on do not depend on the
// unit of length then.
System::MeasuredConditions System::measured_conditions() {
  const Eigen::Index loops = closure_->size();
  Eigen::VectorXd units(loops + static_cast<Eigen::Index>(friction_.size()));
  units.head(loops) = closure_->row_units;
  for (std::size_t i = 0; i < friction_.size(); ++i)
    units[loops + static_cast<Eigen::Index>(i)] = closure_->units[friction_[i].dof];
  return {closure_->units.asDiagonal() * forbidden(friction_.all()) * units.cwiseInverse().asDiagonal(), units};
}

void System::residual(double t, std::span<const double> q, std::span<const double> v, std::span<const double> a,
                      std::span<const double> f, std::span<double> motion, std::span<double> condition) {
  ++evaluations_;
  evaluated_.forget();
  const auto vector = [](std::span<const double> x) {
    return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
  };
  const Near near = near_by(q, v);
  std::vector<double> near_a(a.begin(), a.end());
  if (near.q.data() != q.data()) Eigen::Map<Eigen::VectorXd>(near_a.data(), model_->nv()) += away(q, v);
  load(t, near.q, near.v);
  Loads<double>& loads = applied_.loads();
  // I a + bias - total - G f
  inverse_dynamics<double>(*model_, at_, near.v, near_a, forward_.inverse, motion, loads.wrenches);
  for (std::size_t k = 0; k < motion.size(); ++k) motion[k] -= loads.tau[k];
  // G^T a - c
  std::size_t loops = 0;
  if (closure_) {
    closure_->evaluate(at_, near.q, near.v);
    closure_->differentiate(at_);
    const Eigen::Index rows = closure_->size();
    loops = static_cast<std::size_t>(rows);
    Eigen::Map<Eigen::VectorXd>(motion.data(), model_->nv()) -= closure_->gradients * vector(f.first(loops));
    Eigen::Map<Eigen::VectorXd>(condition.data(), rows) =
        closure_->gradients.transpose() * vector(near_a) + closure_->bias;
  }
  for (std::size_t i = 0; i < friction_.size(); ++i) {
    DryFriction& friction = friction_[i];
    const double force = f[loops + i];
    const auto k = static_cast<std::size_t>(friction.dof);
    const bool rests = friction.mode == DryFriction::Mode::rest;
    condition[loops + i] = rests ? near_a[k] : force;
    if (!rests) continue;
    friction.force = force;
    motion[k] -= force;
    loads.input += force * friction.law->surface_speed;
  }
  if (rows_depend_) {  // P (G^T a - c) + (1 - P) f / inertia, in what rows are measured in
    const auto [G, units] = measured_conditions();
    const Pseudoinverse inverse(G);
    const auto possible = [&, &G = G](const Eigen::VectorXd& z) -> Eigen::VectorXd { return inverse.solve(G * z); };
    const Eigen::VectorXd force = vector(f).cwiseProduct(units);
    Eigen::Map<Eigen::VectorXd> rows(condition.data(), G.cols());
    rows = possible(rows.cwiseQuotient(units)) + (force - possible(force)) / inertia_;
  }
  require_finite(*model_, motion, "the force");
}

void System::holding_forces(double t, std::span<const double> q, std::span<const double> v, std::span<double> f) {
  std::fill(f.begin(), f.end(), 0.0);
  if (f.empty()) return;
  Eigen::VectorXd motion(model_->nv());
  std::vector<double> condition(f.size());
  residual(t, q, v, a_, f, {motion.data(), a_.size()}, condition);
  // G f = I a + bias - total
  Eigen::Map<Eigen::VectorXd> forces(f.data(), static_cast<Eigen::Index>(f.size()));
  if (!closure_) {
    forces = Pseudoinverse(forbidden(friction_.all())).solve(motion);
    return;
  }
  const auto [G, units] = measured_conditions();
  forces = Pseudoinverse(G).solve(motion.cwiseProduct(closure_->units)).cwiseQuotient(units);
}

}  // namespace denoc::simulation
