#include "denoc/mechanism/dynamics.hpp"

#include <algorithm>
#include <cmath>

#include "dynamics_parts.hpp"
#include "passive_accelerations.hpp"

namespace denoc {
Dynamics::Dynamics(const Mechanism& mechanism, Forces forces, Loops loops)
    : parts_(std::make_unique<Parts>(mechanism, forces, loops)) {}
Dynamics::~Dynamics() = default;
Dynamics::Dynamics(Dynamics&&) noexcept = default;

const Mechanism& Dynamics::mechanism() const { return parts_->mechanism; }

void Dynamics::wrenches(std::initializer_list<OnBody> acting) {
  parts_->standing.clear();
  for (const OnBody& each : acting) parts_->standing.push_back({parts_->mechanism.body(each.body), each.wrench});
}

void Dynamics::drive(std::span<const std::string> joints) {
  std::vector<int> dofs;
  for (const std::string& joint : joints) {
    const auto [first, count] = parts_->mechanism.freedoms(joint);
    for (int k = first; k < first + count; ++k) dofs.push_back(k);
  }
  parts_->set_driven(std::move(dofs));
}

std::span<const int> Dynamics::driven() const { return parts_->driven; }

void Dynamics::use_inverse(std::string_view method) {
  const auto& row = formulation_named(inverse_formulations<double>(), method);
  const auto& first = inverse_formulations<double>().front();
  if (parts_->chain && &row != &first)
    throw NotCovered(fmt::format("method '{}' does not {}; '{}' does", method,
                                 parts_->is_closed ? "close loops" : "know joints without a drive", first.name));
  parts_->inverse_method = row.prepare(parts_->tree);
}
void Dynamics::use_forward(std::string_view method) {
  const auto& row = formulation_named(forward_formulations<double>(), method);
  if (parts_->is_closed && &row != &forward_formulations<double>().front())
    throw NotCovered(fmt::format("method '{}' does not close loops; '{}' does", method,
                                 forward_formulations<double>().front().name));
  parts_->forward_method = nullptr;
  if (&row != &forward_formulations<double>().front()) parts_->forward_method = row.prepare(parts_->tree);
}
void Dynamics::use_inertia(std::string_view method) {
  parts_->inertia_row = &formulation_named(inertia_formulations<double>(), method);
  parts_->inertia_method = nullptr;
  if (parts_->mechanism.nv() <= many_freedoms) parts_->prepare_inertia();
}

Dynamics::Vector Dynamics::inverse(Vector q, Vector v, Vector a, GivenWrenches wrenches) {
  Parts& p = *parts_;
  p.place(q);
  require_size(a, p.tree.nv(), "a");
  std::fill(p.total.begin(), p.total.end(), 0.0);
  p.act(v, wrenches, p.total);
  if (p.chain) {
    p.chain->move_to(p.at, p.q, v);
    if (p.is_closed) p.require_closed(v);
    ClosedChain::Inverse found = p.chain->inverse_dynamics(a, p.driven, p.acting, p.total);
    std::copy(found.tau.begin(), found.tau.end(), p.tau.begin());
    p.keep(std::move(found.multipliers), found.unique);
  } else {
    p.inverse_method(p.at, v, a, p.tau, p.acting);
    // What springs and friction take, the drives must give.
    for (size_t k = 0; k < p.tau.size(); ++k) p.tau[k] -= p.total[k];
  }
  p.require_finite(p.tau, "tau");
  return p.tau;
}

Dynamics::Vector Dynamics::passive(Vector q, Vector v, Vector a, std::span<const int> unknown, GivenWrenches wrenches) {
  Parts& p = *parts_;
  require_size(a, p.tree.nv(), "a");
  const auto joint = [&](int k) { return p.tree.joint_name(p.tree.body_of_dof(k)); };
  for (const int k : unknown) {
    p.tree.require_dof(k);
    if (std::binary_search(p.driven.begin(), p.driven.end(), k))
      throw ArgumentError(fmt::format("joint '{}' is driven: its acceleration is given, not solved for", joint(k)));
  }
  const MatrixView I = inertia(q, Loops::open);
  bias(q, v, Loops::open, wrenches);
  if (p.is_closed) {
    p.chain->move_to(p.at, p.q, v);
    p.require_closed(v);
  }
  const std::vector<double> jacobian = p.is_closed ? p.chain->jacobian(p.q) : std::vector<double>{},
                            jv = p.is_closed ? p.chain->bias(p.q, v) : std::vector<double>{};
  PassiveAccelerations found = passive_accelerations({I, p.bias, jacobian, jv, p.driven}, a, unknown);
  if (found.undetermined >= 0)
    throw NotDriveable(fmt::format("joint '{}': nothing determines its acceleration; give it, or drive the joint",
                                   joint(found.undetermined)));
  p.a = std::move(found.a);
  p.require_finite(p.a, "the acceleration");
  return p.a;
}

Dynamics::Vector Dynamics::forward(Vector q, Vector v, Vector tau, GivenWrenches wrenches) {
  Parts& p = *parts_;
  p.place(q);
  require_size(tau, p.tree.nv(), "tau");
  std::copy(tau.begin(), tau.end(), p.total.begin());
  p.act(v, wrenches, p.total);
  if (p.is_closed) {
    p.chain->move_to(p.at, p.q, v);
    p.require_closed(v);
  }
  p.accelerate(v);
  p.require_finite(p.a, "the acceleration");
  return p.a;
}

Dynamics::Vector Dynamics::multipliers() const { return parts_->multipliers; }
bool Dynamics::is_unique() const { return parts_->is_unique; }
std::span<const BodyWrench<double>> Dynamics::loop_wrenches() const { return parts_->loop_wrenches; }

Dynamics::Vector Dynamics::bias(Vector q, Vector v, GivenWrenches wrenches) {
  return bias(q, v, Loops::closed, wrenches);
}
Dynamics::Vector Dynamics::bias(Vector q, Vector v, Loops loops, GivenWrenches wrenches) {
  Parts& p = *parts_;
  p.require_tree(loops, "bias");
  p.place(q);
  std::fill(p.total.begin(), p.total.end(), 0.0);
  p.act(v, wrenches, p.total);
  p.inverse_method(p.at, v, p.zero, p.bias, p.acting);
  for (size_t k = 0; k < p.bias.size(); ++k) p.bias[k] -= p.total[k];
  p.require_finite(p.bias, "the bias");
  return p.bias;
}
Dynamics::Vector Dynamics::gravity(Vector q) { return gravity(q, Loops::closed); }
Dynamics::Vector Dynamics::gravity(Vector q, Loops loops) {
  Parts& p = *parts_;
  p.require_tree(loops, "gravity");
  const Vector found = bias(q, p.zero, Loops::open);
  std::copy(found.begin(), found.end(), p.gravity.begin());
  return p.gravity;
}

std::span<const Wrench<double>> Dynamics::reactions(Vector q, Vector v, Vector a, GivenWrenches wrenches) {
  Parts& p = *parts_;
  inverse(q, v, a, wrenches);  // the loops' part
  p.acting.insert(p.acting.end(), p.loop_wrenches.begin(), p.loop_wrenches.end());
  joint_reactions<double>(p.tree, p.at, v, a, p.reaction_scratch, p.reactions, p.acting);
  // What loops do to the ground, the ground does to the robot.
  for (const BodyWrench<double>& w : p.loop_wrenches)
    if (w.body == 0) p.reactions[0] -= w.wrench;
  return p.reactions;
}

Dynamics::Vector Dynamics::assemble(Vector q) {
  Parts& p = *parts_;
  p.place(q);
  p.assembled = p.is_closed ? p.chain->assemble(p.q) : p.q;
  return p.assembled;
}

void Dynamics::step(std::span<double> q, std::span<double> v, Vector tau, double dt, GivenWrenches wrenches) {
  Parts& p = *parts_;
  require_size(q, p.tree.nq(), "q");
  require_size(v, p.tree.nv(), "v");
  require_size(tau, p.tree.nv(), "tau");
  if (!(dt > 0) || !std::isfinite(dt)) throw ArgumentError(fmt::format("step: dt is {} s, not above 0", dt));
  auto& [chart, x, x_rate, stage_q, stage_v, sum_x, sum_v] = p.stages;
  const size_t n = v.size();
  chart.move_to(q);
  std::copy(q.begin(), q.end(), stage_q.begin());
  std::copy(v.begin(), v.end(), stage_v.begin());
  for (auto* sum : {&x, &sum_x, &sum_v}) std::fill(sum->begin(), sum->end(), 0.0);
  const auto close = [&](std::span<double> posture, std::span<double> rates) {
    const std::vector<double> closed_q = p.chain->assemble(posture), closed_v = p.chain->closed_rates(closed_q, rates);
    std::copy(closed_q.begin(), closed_q.end(), posture.begin());
    std::copy(closed_v.begin(), closed_v.end(), rates.begin());
  };
  const auto require_bounded = [&] {
    const auto is_finite = [](double x) { return std::isfinite(x); };
    if (!std::all_of(stage_q.begin(), stage_q.end(), is_finite) || !std::all_of(stage_v.begin(), stage_v.end(), is_finite))
      throw Error(fmt::format("step: within {} s the motion leaves the range of numbers: take shorter steps", dt));
  };
  // x' = x_rate, v' = a at the four stages, in coordinates about the start
  constexpr double node[] = {0, 0.5, 0.5, 1}, weight[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  for (int s = 0; s < 4; ++s) {
    if (s > 0) {
      for (size_t k = 0; k < n; ++k) {
        x[k] = dt * node[s] * x_rate[k];
        stage_v[k] = v[k] + dt * node[s] * p.a[k];
      }
      chart.place(x, stage_q);
      require_bounded();
      // Rows that depend on each other do so only where the loops are closed: as far as they are open, they would ask for
      // motions that the loops leave free.
      if (p.is_closed && p.rows_depend) close(stage_q, stage_v);
    }
    p.place(stage_q);
    std::copy(tau.begin(), tau.end(), p.total.begin());
    p.act(stage_v, wrenches, p.total);
    if (p.is_closed) {
      p.chain->move_to(p.at, p.q, stage_v);
      if (s == 0) p.require_closed(v);
    }
    p.accelerate(stage_v);
    p.require_finite(p.a, "the acceleration");
    chart.rates(x, stage_q, stage_v, x_rate);
    for (size_t k = 0; k < n; ++k) {
      sum_x[k] += dt * weight[s] * x_rate[k];
      sum_v[k] += dt * weight[s] * p.a[k];
    }
  }
  chart.place(sum_x, stage_q);
  for (size_t k = 0; k < n; ++k) stage_v[k] = v[k] + sum_v[k];
  require_bounded();
  if (p.is_closed) close(stage_q, stage_v);
  std::copy(stage_q.begin(), stage_q.end(), q.begin());
  std::copy(stage_v.begin(), stage_v.end(), v.begin());
}

}  // namespace denoc
