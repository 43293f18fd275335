#include "system.hpp"

#include <algorithm>

#include "denoc/dynamics/inverse/denoc.hpp"
#include "denoc/model/manifold.hpp"
#include "dynamics/world_reaction.hpp"

namespace denoc::simulation {
namespace {

ForwardProblem<double>::Prepared other_method(const Model& model, const std::string& name) {
  const auto table = forward_formulations<double>();
  if (name.empty() || name == table.front().name) return nullptr;
  return formulation_named(table, name).prepare(model);
}

}  // namespace

System::System(const Model& model, const SimulationSetup& setup)
    : model_(&model),
      at_(model),
      forward_(model),
      other_method_(other_method(model, setup.method)),
      solve_scratch_(model),
      halves_(model, at_, forward_.factor, solve_scratch_),
      reaction_scratch_(model),
      applied_(model, setup),
      friction_(model),
      a_(static_cast<std::size_t>(model.nv())) {
  if (model.robot().loops.empty()) return;
  closure_.emplace(model);
  loop_forces_.emplace(model, *closure_);
  for (const Body& body : model.robot().bodies) {
    const Sym3<double>& I = body.inertial.inertia;
    inertia_ += body.inertial.mass * closure_->length * closure_->length + (I.xx + I.yy + I.zz) / 2;
  }
  if (!(inertia_ > 0)) inertia_ = 1;  // rotors alone
  // One-step methods keep the loops closed by their coordinates.
  leaves_loops_ = integrator(setup.integrator.method).library != Integrator::Library::none;
  stabilisation_ = setup.stabilisation;
}

bool System::Evaluated::is_at(double t, std::span<const double> q, std::span<const double> v) const {
  return is_known_ && t == t_ && std::equal(q.begin(), q.end(), q_.begin()) &&
         std::equal(v.begin(), v.end(), v_.begin());
}
void System::Evaluated::set(double t, std::span<const double> q, std::span<const double> v) {
  t_ = t;
  q_.assign(q.begin(), q.end());
  v_.assign(v.begin(), v.end());
  is_known_ = true;
}

void System::evaluate(double t, std::span<const double> q, std::span<const double> v) {
  ++evaluations_;
  if (evaluated_.is_at(t, q, v)) return;
  evaluated_.forget();
  const Near near = near_by(q, v);
  load(t, near.q, near.v);
  if (closure_) closure_->evaluate(at_, near.q, near.v);
  solve(near.v);
  released_ = Eigen::Map<const Eigen::VectorXd>(a_.data(), model_->nv()).norm();
  hold();
  if (near.q.data() != q.data()) Eigen::Map<Eigen::VectorXd>(a_.data(), model_->nv()) -= away(q, v);
  require_finite(*model_, a_, "the acceleration");
  evaluated_.set(t, q, v);
}

System::Near System::near_by(std::span<const double> q, std::span<const double> v) {
  if (!leaves_loops_ || !has_rows()) return {q, v};
  near_q_.assign(q.begin(), q.end());
  near_v_.assign(v.begin(), v.end());
  closure_->compute_in(Precision::ordinary);
  const bool is_near_singular = project(*model_, *closure_, at_, near_q_, near_v_);
  if (!closure_->is_closed()) throw NoAcceleration("the loops cannot be closed");
  if (is_near_singular) project_beyond_digits(*model_, *closure_, at_, near_q_, near_v_);
  return {near_q_, near_v_};
}
Eigen::VectorXd System::away(std::span<const double> q, std::span<const double> v) const {
  Eigen::VectorXd d(model_->nv());
  difference<double>(*model_, near_q_, q, {d.data(), v.size()});
  d *= stabilisation_ * stabilisation_;
  for (std::size_t k = 0; k < v.size(); ++k)
    d[static_cast<Eigen::Index>(k)] += 2 * stabilisation_ * (v[k] - near_v_[k]);
  for (const DryFriction& friction : friction_)
    if (friction.mode == DryFriction::Mode::rest) d[friction.dof] = 0;  // it stays where it is
  return d;
}

void System::load(double t, std::span<const double> q, std::span<const double> v) {
  place<double>(*model_, q, at_);
  applied_.act(t, at_, q, v);
  friction_.slide(v, applied_.loads());
}

void System::solve(std::span<const double> v) {
  stiffened_.reset();
  const Loads<double>& loads = applied_.loads();
  try {
    if (other_method_)
      other_method_(at_, v, loads.tau, a_, loads.wrenches);
    else
      forward_dynamics<double>(*model_, at_, v, loads.tau, forward_, a_, loads.wrenches);
  } catch (const SingularInertia& error) {
    if (solve_stiffened(v)) return;
    const bool is_for_friction = closure_ && friction_.size() > 0;
    throw NoAcceleration(std::string(error.what()) +
                         (is_for_friction ? " (where only loops hold it, dry friction is not solved for)" : ""));
  }
}

// Not with dry friction: it needs the factor of the tree, which is singular here.
bool System::solve_stiffened(std::span<const double> v) {
  if (!closure_ || friction_.size() > 0) return false;
  closure_->differentiate(at_);
  stiffened_.emplace(*model_, at_, *closure_);
  if (!stiffened_->is_regular()) return false;
  Eigen::Map<Eigen::VectorXd>(a_.data(), model_->nv()) =
      stiffened_->free(*model_, at_, v, applied_.loads().tau, applied_.loads().wrenches, -closure_->bias);
  return true;
}

bool System::close_by_band() {
  if (other_method_ || stiffened_ || closure_->precision() == Precision::extended) return false;
  SolveScratch<double>& s = forward_.solve;
  if (!loop_forces_->close(*closure_, at_, forward_.factor, -closure_->bias, s.phi_hat)) return false;
  rows_depend_ = false;
  solve_lower<double>(*model_, at_, forward_.factor, s.phi_hat, s, a_);
  multipliers_ = closure_->for_all(loop_forces_->multipliers());
  return true;
}

Eigen::MatrixXd System::forbidden(const std::vector<DryFriction*>& joints) const {
  const Eigen::Index loops = closure_ ? closure_->size() : 0;
  Eigen::MatrixXd G = Eigen::MatrixXd::Zero(model_->nv(), loops + std::ssize(joints));
  if (closure_) G.leftCols(loops) = closure_->gradients;
  for (std::size_t i = 0; i < joints.size(); ++i)
    if (joints[i]->mode == DryFriction::Mode::rest) G(joints[i]->dof, loops + static_cast<Eigen::Index>(i)) = 1;
  return G;
}

void System::hold() {
  const std::vector<DryFriction*> held = friction_.at_rest();
  const Eigen::Index loops = closure_ ? closure_->size() : 0, all = loops + static_cast<Eigen::Index>(held.size());
  if (all == 0 && closure_) multipliers_ = closure_->for_all(Eigen::VectorXd());  // their rows tie nothing
  if (all == 0 || (held.empty() && close_by_band())) return;
  if (other_method_ && !stiffened_) factorize<double>(*model_, at_, forward_.factor);
  Eigen::VectorXd c = Eigen::VectorXd::Zero(all), sizes = Eigen::VectorXd::Ones(all);
  if (closure_) {
    closure_->differentiate(at_);
    sizes.head(loops) = closure_->sizes();
    c.head(loops) = -closure_->bias;
  }
  const Eigen::MatrixXd G = forbidden(held);
  Eigen::Map<Eigen::VectorXd> a(a_.data(), model_->nv());
  const Conditioned found = stiffened_ ? condition(G, sizes, c, *stiffened_, a) : condition(G, sizes, c, halves_, a);
  if (closure_) {
    multipliers_ = closure_->for_all(found.multipliers.head(loops));
    if (closure_->is_closed()) rows_depend_ = found.rank < all;
  }
  for (std::size_t i = 0; i < held.size(); ++i) {
    DryFriction& friction = *held[i];
    friction.force = found.multipliers[loops + static_cast<Eigen::Index>(i)];
    a_[friction.dof] = 0;
    was_overstrained_ = was_overstrained_ || friction.is_overstrained();
    applied_.loads().input += friction.force * friction.law->surface_speed;
  }
}

void System::write_integrands(std::span<double> rates) const {
  const auto powers = std::transform(friction_.begin(), friction_.end(), rates.begin(),
                                     [](const DryFriction& friction) { return friction.strain(); });
  powers[0] = input_power();
  powers[1] = dissipated_power();
}

void System::hold_control(std::span<const double> q, std::span<const double> v) {
  evaluated_.forget();
  applied_.hold_control(q, v);
}

void System::compute_loops_in(Precision precision) {
  if (!closure_) return;
  evaluated_.forget();
  closure_->compute_in(precision);
}

void System::close_loops(std::span<double> q, std::span<double> v) {
  if (!has_rows()) return;
  evaluated_.forget();
  closure_->compute_in(Precision::ordinary);
  project(*model_, *closure_, at_, q, v);
}

double System::loop_gap() const { return has_rows() ? closure_->residual.cwiseAbs().maxCoeff() : 0; }

void System::reactions(std::span<const double> v, std::vector<Wrench<double>>& result) {
  result.resize(model_->bodies().size());
  std::vector<BodyWrench<double>> all = applied_.loads().wrenches, loops;
  if (closure_) loops = closure_->wrenches(multipliers());
  all.insert(all.end(), loops.begin(), loops.end());
  joint_reactions<double>(*model_, at_, v, a_, reaction_scratch_, result, all);
  add_world_reaction<double>(loops, result);
  add_world_reaction<double>(applied_.on_world(), result);
}

}  // namespace denoc::simulation
