#include "denoc/loops/closed_chain.hpp"

#include <algorithm>

#include "closed_chain_parts.hpp"
#include "conditioned.hpp"
#include "driving_forces.hpp"
#include "stiffened_tree.hpp"

namespace denoc {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double fits = 1e-9;  // of the terms, for accelerations and forces that shall fit

std::shared_ptr<const ClosureRows> rows_of(const Model& model, std::shared_ptr<const ClosureRows> shared) {
  if (!shared || shared->units.size() != model.nv() || shared->loops() != model.robot().loops.size())
    throw ArgumentError("the rows that a ClosedChain is given are none, or those of a robot of another size");
  return shared;
}

}  // namespace

std::vector<int> leading_freedoms(const Model& model) {
  std::vector<bool> follows(model.bodies().size());
  for (const Loop& loop : model.robot().loops)
    if (couples_coordinates(loop.type)) follows[static_cast<std::size_t>(loop.b.body)] = true;
  std::vector<int> dofs;
  for (int k = 0; k < model.nv(); ++k)
    if (!follows[static_cast<std::size_t>(model.body_of_dof(k))]) dofs.push_back(k);
  return dofs;
}
std::vector<int> driven_freedoms(const Model& model) {
  std::vector<int> dofs = leading_freedoms(model);
  std::erase_if(dofs, [&](int k) {
    return model.robot().bodies[static_cast<std::size_t>(model.body_of_dof(k))].joint.type == JointType::free;
  });
  return dofs;
}

// What meets in the accelerations of joints and loops, 1/s^2; centripetal ones and gravity, which may cancel, included.
double ClosedChain::Parts::accelerations_in(const VectorXd& a) const {
  const VectorXd rows = closure.gradients.cwiseAbs().transpose() * a.cwiseAbs() + closure.bias.cwiseAbs();
  return rows.cwiseQuotient(closure.row_units).sum() + a.cwiseQuotient(closure.units).lpNorm<1>() +
         vector(v).cwiseQuotient(closure.units).squaredNorm() + norm(model.robot().gravity) / closure.length;
}

bool ClosedChain::Parts::solve_stiffened(std::span<const double> tau, Wrenches<double> wrenches, Forward& result) {
  closure.differentiate(*at);
  const StiffenedTree tree(model, *at, closure);
  if (!tree.is_regular()) return false;
  VectorXd a = tree.free(model, *at, v, tau, wrenches, -closure.bias);
  const Conditioned found = condition(closure.gradients, closure.sizes(), -closure.bias, tree, a);
  result.a = list(a);
  result.multipliers = list(closure.for_all(found.multipliers));
  result.unique = found.rank == closure.all();
  result.rows_depend = found.rank < closure.size();
  return true;
}

ClosedChain::ClosedChain(const Model& model) : ClosedChain(model, ClosureRows::of(model)) {}
ClosedChain::ClosedChain(const Model& model, std::shared_ptr<const ClosureRows> rows)
    : parts_(std::make_unique<Parts>(model, rows_of(model, std::move(rows)))) {}
const std::shared_ptr<const ClosureRows>& ClosedChain::shared_rows() const { return parts_->closure.rows(); }
ClosedChain::~ClosedChain() = default;
ClosedChain::ClosedChain(ClosedChain&&) noexcept = default;

int ClosedChain::rows() const { return static_cast<int>(parts_->closure.all()); }

std::vector<double> ClosedChain::residual(In<double> q) {
  parts_->evaluate(q, parts_->zero);
  return list(parts_->closure.for_all(parts_->closure.residual));
}
std::vector<double> ClosedChain::rate(In<double> q, In<double> v) {
  parts_->evaluate(q, v);
  return list(parts_->closure.for_all(parts_->closure.rate));
}
std::vector<double> ClosedChain::jacobian(In<double> q) {
  parts_->evaluate(q, parts_->zero);
  return parts_->by_rows(parts_->closure.gradients);
}
std::vector<double> ClosedChain::closing(In<double> q) {
  parts_->evaluate(q, parts_->zero);
  return parts_->by_rows(parts_->closure.measured());
}
std::vector<double> ClosedChain::Parts::by_rows(const MatrixXd& of_rows) const {
  std::vector<double> result;
  if (closure.all() == 0) return result;
  MatrixXd all = MatrixXd::Zero(closure.all(), model.nv());
  for (Index k = 0; k < all.cols(); ++k) all.col(k) = closure.for_all(of_rows.row(k));
  for (Index i = 0; i < all.rows(); ++i)
    for (Index k = 0; k < all.cols(); ++k) result.push_back(all(i, k));
  return result;
}
std::vector<double> ClosedChain::row_units() const {
  std::vector<double> units = list(parts_->closure.for_all(parts_->closure.row_units));
  std::replace(units.begin(), units.end(), 0.0, 1.0);  // rows that are left out are zero in any unit
  return units;
}
void ClosedChain::move_to(const Configuration<double>& at, In<double> q, In<double> v) { parts_->move_to(at, q, v); }

bool ClosedChain::close_last_digits(Configuration<double>& at, std::span<double> q) {
  return parts_->close_last_digits(at, q);
}

void ClosedChain::Gap::require_closed() const {
  if (is_open()) throw NotAssembled(fmt::format("{}: q leaves it open by {:.3g} m (or rad)", loop, size));
}
ClosedChain::Gap ClosedChain::gap() const { return parts_->gap(); }
ClosedChain::Gap ClosedChain::gap(In<double> q) {
  parts_->move_to(q, parts_->zero);
  return gap();
}
ClosedChain::Gap ClosedChain::opening() const { return parts_->opening(); }
ClosedChain::Gap ClosedChain::opening(In<double> q, In<double> v) {
  parts_->move_to(q, v);
  return opening();
}

ClosedChain::Forward ClosedChain::forward_dynamics(In<double> q, In<double> v, In<double> tau,
                                                   Wrenches<double> wrenches) {
  parts_->stand(q, v);
  return forward_dynamics(tau, wrenches);
}
ClosedChain::Forward ClosedChain::forward_dynamics(In<double> tau, Wrenches<double> wrenches) {
  Parts& p = *parts_;
  const Configuration<double>& at = *p.at;
  Forward result{std::vector<double>(p.zero.size()), {}, p.closure.size() == p.closure.all()};
  try {
    sweep_to_base<double>(p.model, at, p.v, tau, p.forward, wrenches);
  } catch (const SingularInertia&) {
    if (!p.solve_stiffened(tau, wrenches, result)) throw;
    return result;
  }
  const bool is_closed = p.forces.close(p.closure, at, p.forward.factor, -p.closure.bias, p.forward.solve.phi_hat);
  solve_lower<double>(p.model, at, p.forward.factor, p.forward.solve.phi_hat, p.forward.solve, result.a);
  if (is_closed) {
    result.multipliers = list(p.closure.for_all(p.forces.multipliers()));
    return result;
  }
  p.closure.differentiate(at);
  FactoredHalves halves(p.model, at, p.forward.factor, p.forward.solve);
  const Conditioned found = condition(p.closure.gradients, p.closure.sizes(), -p.closure.bias, halves,
                                      Eigen::Map<VectorXd>(result.a.data(), static_cast<Index>(result.a.size())));
  result.multipliers = list(p.closure.for_all(found.multipliers));
  result.unique = found.rank == p.closure.all();
  result.rows_depend = found.rank < p.closure.size();
  return result;
}

ClosedChain::Gap ClosedChain::parting(In<double> a) {
  Parts& p = *parts_;
  require_size(a, p.model.nv(), "a");
  p.closure.differentiate(*p.at);
  const VectorXd parts = p.closure.gradients.transpose() * vector(a) + p.closure.bias;
  const double size = p.accelerations_in(vector(a));
  Gap most{0, ""};
  for (Index i = 0; i < parts.size(); ++i)
    if (const double part = std::abs(parts[i]) / (size * p.closure.row_units[i]); part > most.part)
      most = {std::abs(parts[i]), p.loop_of(i), part};
  return most;
}

void ClosedChain::require_motion(In<double> a) {
  if (const Gap parting = this->parting(a); parting.is_open())
    throw NotAssembled(
        fmt::format("{}: no accelerations keep it closed: the posture is a dead point, and v leads along none of the "
                    "motions that cross there: take a posture beside it, or rates of one of them",
                    parting.loop));
}

ClosedChain::Inverse ClosedChain::inverse_dynamics(In<double> q, In<double> v, In<double> a,
                                                   const std::vector<int>& driven, Wrenches<double> wrenches,
                                                   In<double> joint_forces) {
  parts_->stand(q, v);
  return inverse_dynamics(a, driven, wrenches, joint_forces);
}
ClosedChain::Inverse ClosedChain::inverse_dynamics(In<double> a, const std::vector<int>& driven,
                                                   Wrenches<double> wrenches, In<double> joint_forces) {
  Parts& p = *parts_;
  require_dofs(p.model, driven);
  require_size(a, p.model.nv(), "a");
  if (const Gap parting = this->parting(a); parting.part > fits)
    throw NotDriveable(
        fmt::format("{}: the accelerations do not keep it closed, they part it by {:.3g} a second squared",
                    parting.loop, parting.size));
  const MatrixXd& G = p.closure.gradients;
  const double size = p.accelerations_in(vector(a));
  VectorXd tree(p.model.nv());
  denoc::inverse_dynamics<double>(p.model, *p.at, p.v, a, p.inverse,
                                  {tree.data(), static_cast<std::size_t>(tree.size())}, wrenches);
  if (!joint_forces.empty()) {
    require_size(joint_forces, p.model.nv(), "joint_forces");
    tree -= vector(joint_forces);
  }
  const DrivingForces found = driving_forces(p.model, p.closure, driven, tree);
  // As moments, held against the forces that meet in them and those of the robot's mass at these accelerations, which
  // may have cancelled.
  const VectorXd missing = tree - found.tau - G * found.f, &units = p.closure.units,
                 terms = tree.cwiseAbs() + G.cwiseAbs() * found.f.cwiseAbs();
  Index k = 0;
  const double most = missing.size() == 0 ? 0 : missing.cwiseAbs().cwiseProduct(units).maxCoeff(&k);
  if (most > fits * (terms.cwiseProduct(units).lpNorm<Eigen::Infinity>() + p.inertia * size)) {
    throw NotDriveable(fmt::format("the driven joints cannot give this motion: joint '{}' lacks {:.6g} N m (or N)",
                                   p.model.joint_of_dof(static_cast<int>(k)), std::abs(missing[k])));
  }
  return {list(found.tau), list(p.closure.for_all(found.f)), found.is_unique};
}

std::vector<ClosedChain::Subsystem> ClosedChain::subsystems(In<double> q, const std::vector<int>& driven) {
  Parts& p = *parts_;
  require_dofs(p.model, driven);
  p.stand(q, p.zero);
  std::vector<Subsystem> result;
  for (auto& s : denoc::subsystems(p.model, p.closure, driven)) result.push_back({std::move(s.dofs), s.is_determinate});
  return result;
}

std::vector<BodyWrench<double>> ClosedChain::wrenches(In<double> q, In<double> multipliers) {
  parts_->move_to(q, parts_->zero);
  return wrenches(multipliers);
}
std::vector<BodyWrench<double>> ClosedChain::wrenches(In<double> multipliers) const {
  require_size(multipliers, rows(), "multipliers");
  return parts_->closure.wrenches(multipliers);
}

std::vector<double> ClosedChain::bias(In<double> q, In<double> v) {
  parts_->evaluate(q, v);
  return list(parts_->closure.for_all(parts_->closure.bias));
}

}  // namespace denoc
