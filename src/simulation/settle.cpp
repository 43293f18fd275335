// Which joints with dry friction hold, and which slide.
#include <algorithm>
#include <cmath>
#include <limits>

#include "box_complementarity.hpp"
#include "system.hpp"

namespace denoc::simulation {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double no_response = 1e-7;  // to a force: what rounding leaves near a dead point
constexpr double no_part = 1e-12;  // of the tree's accelerations: what rounding leaves of them where loops hold a joint
constexpr double is_held = 1e-7;   // the same, of joints that hold each other: columns that depend to 1e-6
constexpr double far_beyond = 1e3;  // the limits of friction

}  // namespace

class Settling {
 public:
  explicit Settling(System& system) : s_(system), model_(*system.model_), friction_(system.friction_) {}

  // First each joint by how it moves, then those that stand still by the forces that would hold them.
  void settle(double t, std::span<const double> q, std::span<double> v);

 private:
  // Joints that loops stop when others stop do so.
  void stop_together(std::span<const double> q, std::span<double> v);
  std::vector<DryFriction*> turning_points(double t, std::span<const double> q, std::span<const double> v);
  void set_off(std::vector<DryFriction*> turning, double t, std::span<const double> q, std::span<const double> v);
  void hold_or_set_off(double t, std::span<const double> q, std::span<const double> v);
  VectorXd left(const std::vector<DryFriction*>& still, const MatrixXd& R, VectorXd& held, double t,
                std::span<const double> q, std::span<const double> v);
  static void choose_modes(const std::vector<DryFriction*>& still, const MatrixXd& R, const VectorXd& left,
                           const BoxedForces& found);
  // L^-1 e of the joints, without what the loops take up: R^T R is what forces there do to their accelerations.
  MatrixXd responses(const std::vector<DryFriction*>& still);
  // With the modes as they are now.
  void evaluate(double t, std::span<const double> q, std::span<const double> v) {
    s_.evaluated_.forget();
    s_.evaluate(t, q, v);
  }

  System& s_;
  const Model& model_;
  DryFrictions& friction_;
};

MatrixXd Settling::responses(const std::vector<DryFriction*>& still) {
  const auto m = static_cast<Index>(still.size());
  MatrixXd R(model_.nv(), m);
  for (Index j = 0; j < m; ++j)
    R.col(j) = s_.halves_.half(VectorXd::Unit(model_.nv(), still[static_cast<std::size_t>(j)]->dof));
  if (s_.has_rows()) {  // what the loops leave of them
    s_.closure_->differentiate(s_.at_);
    MatrixXd B(model_.nv(), s_.closure_->size());
    for (Index j = 0; j < B.cols(); ++j) B.col(j) = s_.halves_.half(s_.closure_->gradients.col(j));
    const Pseudoinverse loops = Pseudoinverse::in_metric(s_.closure_->sizes(), B);
    for (Index j = 0; j < m; ++j) R.col(j) = loops.beside(R.col(j));
  }
  return R;
}

void Settling::stop_together(std::span<const double> q, std::span<double> v) {
  if (!s_.has_rows()) return;
  const auto [G, stopped] = s_.standing(q, v);
  const Eigen::Map<const VectorXd> rates(v.data(), model_.nv());
  Span span;
  for (Index j = 0; j < G.cols(); ++j) span.take(G.col(j));
  const double rounding = no_speed * (1 + rates.cwiseAbs().maxCoeff());
  for (DryFriction& friction : friction_) {
    const bool stops = std::abs(stopped[friction.dof] - friction.law->surface_speed) <= rounding;
    if (friction.is_still() || !stops || !span.holds(VectorXd::Unit(model_.nv(), friction.dof))) continue;
    friction.mode = DryFriction::Mode::rest;
    v[static_cast<std::size_t>(friction.dof)] = friction.law->surface_speed;
  }
}

// Where loops bring a joint to a standstill whatever acts on it (a rocker that turns back), friction cannot hold it: of
// those at rest, the ones that no force moves.
std::vector<DryFriction*> Settling::turning_points(double t, std::span<const double> q, std::span<const double> v) {
  if (!s_.has_rows() || !friction_.is_any_at_rest()) return {};
  evaluate(t, q, v);
  const std::vector<DryFriction*> still = friction_.at_rest();
  const MatrixXd R = responses(still);
  std::vector<DryFriction*> turning;
  for (std::size_t j = 0; j < still.size(); ++j) {
    const double all = s_.halves_.half(VectorXd::Unit(model_.nv(), still[j]->dof)).norm();
    if (R.col(static_cast<Index>(j)).norm() <= no_response * all) turning.push_back(still[j]);
  }
  for (DryFriction* friction : turning) friction->mode = DryFriction::Mode::carried, friction->force = 0;
  return turning;
}

// They set off as their accelerations say. At rest at a dead point these are zero; a moment later all move with the rates
// a t, and the loops give them a(q, a) t^2, which no force changes. Joints that the loops lock have none of either, and stay.
void Settling::set_off(std::vector<DryFriction*> turning, double t, std::span<const double> q,
                       std::span<const double> v) {
  VectorXd rates = Eigen::Map<const VectorXd>(v.data(), model_.nv());
  for (int order = 1; order <= 2 && !turning.empty(); ++order) {
    evaluate(t, q, {rates.data(), v.size()});
    rates = Eigen::Map<const VectorXd>(s_.a_.data(), model_.nv());
    for (DryFriction* friction : turning) {
      const double a = s_.a_[static_cast<std::size_t>(friction->dof)];
      if (std::abs(a) > no_part * s_.released_)
        friction->mode = a > 0 ? DryFriction::Mode::forward : DryFriction::Mode::backward;
    }
    std::erase_if(turning, [](const DryFriction* f) { return f->mode != DryFriction::Mode::carried; });
  }
}

void Settling::settle(double t, std::span<const double> q, std::span<double> v) {
  for (DryFriction& friction : friction_) {
    const double u = friction.speed(v);
    const bool slides_on = friction.mode == DryFriction::Mode::rest      ? u != 0
                           : friction.mode == DryFriction::Mode::carried ? false
                                                                         : static_cast<double>(friction.mode) * u > 0;
    if (slides_on) {
      friction.mode = u > 0 ? DryFriction::Mode::forward : DryFriction::Mode::backward;
    } else {
      friction.mode = DryFriction::Mode::rest;
      v[static_cast<std::size_t>(friction.dof)] = friction.law->surface_speed;
    }
  }
  stop_together(q, v);
  const std::vector<DryFriction*> turning = turning_points(t, q, v);
  if (friction_.is_any_at_rest()) hold_or_set_off(t, q, v);
  set_off(turning, t, q, v);
}

// Of those that stand still: a = a_free + A f with |f| <= limit, and a only against a friction at its limit.
void Settling::hold_or_set_off(double t, std::span<const double> q, std::span<const double> v) {
  const std::vector<DryFriction*> still = friction_.at_rest();
  evaluate(t, q, v);
  const auto m = static_cast<Index>(still.size());
  VectorXd held(m), limit(m);
  for (Index i = 0; i < m; ++i) {
    const DryFriction& friction = *still[static_cast<std::size_t>(i)];
    held[i] = friction.force;
    limit[i] = friction.limit * (1 + hysteresis / 2);
  }
  const MatrixXd R = responses(still);
  const VectorXd left = this->left(still, R, held, t, q, v);
  // The forces found here and those of an evaluation differ by rounding, which dead points enlarge beyond any hysteresis. A
  // step ends where the latter are beyond a limit: so they are where it begins anew, whatever is found here.
  for (Index turn = 0; turn <= m; ++turn) {
    const BoxedForces found = box_complementarity(R, held, limit, left);
    choose_modes(still, R, left, found);
    evaluate(t, q, v);
    bool is_any_beyond = false;
    for (Index i = 0; i < m; ++i) {
      const DryFriction& friction = *still[static_cast<std::size_t>(i)];
      if (friction.mode != DryFriction::Mode::rest || !friction.is_overstrained()) continue;
      limit[i] = std::abs(found.force[i]) * (1 - hysteresis);
      is_any_beyond = true;
    }
    if (!is_any_beyond) return;
  }
}

// Where the forces of some decide how others move, not all may be held (a joint of a linkage turns back while friction
// holds another): the accelerations that joints have under the forces that were to hold them. What rounding leaves is none.
VectorXd Settling::left(const std::vector<DryFriction*>& still, const MatrixXd& R, VectorXd& held, double t,
                        std::span<const double> q, std::span<const double> v) {
  const auto m = static_cast<Index>(still.size());
  VectorXd left = VectorXd::Zero(m);
  Span span;
  bool are_independent = true;
  for (Index i = 0; i < m; ++i) are_independent = span.take(R.col(i)) && are_independent;
  if (are_independent) return left;
  // Where they nearly decide it, forces beyond all limits would hold them, in which accelerations are lost.
  bool is_any_far_beyond = false;
  for (Index i = 0; i < m; ++i)
    is_any_far_beyond |= std::abs(held[i]) > far_beyond * still[static_cast<std::size_t>(i)]->limit;
  for (Index i = 0; i < m; ++i) {
    const double limit = still[static_cast<std::size_t>(i)]->limit;
    if (is_any_far_beyond) held[i] = std::clamp(held[i], -limit, limit);
  }
  // Of what they do to each other as they are held, and of what the weakest of them could do.
  double terms = 0, least = std::numeric_limits<double>::infinity();
  for (Index i = 0; i < m; ++i) {
    const DryFriction& friction = *still[static_cast<std::size_t>(i)];
    terms += R.col(i).norm() * std::abs(held[i]);
    least = std::min(least, R.col(i).norm() * friction.limit);
  }
  for (Index i = 0; i < m; ++i) {
    DryFriction& friction = *still[static_cast<std::size_t>(i)];
    friction.mode = DryFriction::Mode::carried, friction.force = held[i];
  }
  evaluate(t, q, v);
  const double most = Eigen::Map<const VectorXd>(s_.a_.data(), model_.nv()).cwiseAbs().maxCoeff();
  for (Index i = 0; i < m; ++i) {
    const double a = s_.a_[static_cast<std::size_t>(still[static_cast<std::size_t>(i)]->dof)];
    if (std::abs(a) > is_held * (R.col(i).norm() * (terms + least) + most)) left[i] = a;
  }
  for (DryFriction* friction : still) friction->mode = DryFriction::Mode::rest;
  evaluate(t, q, v);
  return left;
}

// Those inside their limits hold, as far as they are independent, and carry along what depends on them and stays.
void Settling::choose_modes(const std::vector<DryFriction*>& still, const MatrixXd& R, const VectorXd& left,
                            const BoxedForces& found) {
  Span holding;
  for (std::size_t i = 0; i < still.size(); ++i) {
    const auto k = static_cast<Index>(i);
    still[i]->force = found.force[k];
    if (found.side[k] != 0) continue;
    still[i]->mode = holding.take(R.col(k)) ? DryFriction::Mode::rest : DryFriction::Mode::carried;
  }
  for (std::size_t i = 0; i < still.size(); ++i) {
    const auto k = static_cast<Index>(i);
    if (found.side[k] == 0) continue;
    const bool is_carried = left.isZero(0) && holding.holds(R.col(k));
    // at its limit friction opposes the way the joint sets off
    still[i]->mode = is_carried ? DryFriction::Mode::carried : static_cast<DryFriction::Mode>(-found.side[k]);
  }
}

// G^T v = c: loops stay closed, joints at rest stay with their surfaces
System::Standing System::standing(std::span<const double> q, std::span<const double> v) {
  evaluated_.forget();
  place<double>(*model_, q, at_);
  closure_->evaluate(at_, q, v);
  closure_->differentiate(at_);
  const std::vector<DryFriction*> held = friction_.at_rest();
  MatrixXd G = forbidden(held);
  VectorXd off(G.cols());
  off.head(closure_->size()) = closure_->rate;
  for (std::size_t i = 0; i < held.size(); ++i) off[closure_->size() + static_cast<Index>(i)] = held[i]->speed(v);
  const VectorXd kept = Eigen::Map<const VectorXd>(v.data(), model_->nv()) - Pseudoinverse(G).transposed(off);
  return {std::move(G), kept};
}

void System::keep_at_rest(std::span<const double> q, std::span<double> v) {
  if (has_rows() && friction_.is_any_at_rest()) {
    const VectorXd kept = standing(q, v).v;
    std::copy(kept.begin(), kept.end(), v.begin());
  }
  friction_.rest(v);
}

void System::settle_friction(double t, std::span<const double> q, std::span<double> v,
                             const std::function<void(const DryFriction&, FrictionEvent::Kind)>& changed) {
  if (friction_.size() == 0) return;
  const DryFrictions before = friction_;
  Settling(*this).settle(t, q, v);
  evaluated_.forget();  // that was with the modes of before
  using Kind = FrictionEvent::Kind;
  for (std::size_t i = 0; i < friction_.size(); ++i) {
    if (before[i].is_still() != friction_[i].is_still())
      changed(friction_[i], friction_[i].is_still() ? Kind::stick : Kind::slip);
    else if (!friction_[i].is_still() && friction_[i].mode != before[i].mode)
      changed(friction_[i], Kind::turn);  // it has neither stuck nor broken loose
  }
}

}  // namespace denoc::simulation
