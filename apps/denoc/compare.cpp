// denoc compare: every method at many states, and whether they agree as far as rounding lets them.
#include <algorithm>
#include <cmath>

#include "applied.hpp"
#include "denoc/dynamics/formulations.hpp"
#include "denoc/kinematics/energy.hpp"
#include "denoc/model/manifold.hpp"
#include "json.hpp"
#include "table.hpp"
#include "trials.hpp"

namespace denoc::app {
namespace {

// The worst that a method did, relative to what rounding explains.
struct Agreement {
  std::string_view problem, method;
  double difference = 0, times = 0;
  std::size_t dof = 0, state = 0;

  void meet(double found, double allowed, std::size_t at_dof, std::size_t at_state) {
    const double ratio = found == 0 ? 0 : found / allowed;
    if (ratio <= times) return;
    difference = found, times = ratio, dof = at_dof, state = at_state;
  }
  // Entry by entry; a matrix has a row for each degree of freedom.
  void meet(std::span<const double> x, std::span<const double> expected, std::span<const double> allowed,
            std::size_t at_state, std::size_t columns = 1) {
    for (std::size_t k = 0; k < x.size(); ++k) meet(std::abs(x[k] - expected[k]), allowed[k], k / columns, at_state);
  }
};

constexpr std::string_view inverse_problem = "inverse", inertia_problem = "inertia", forward_problem = "forward",
                           residual = "ID(FD(tau)) = tau", energy_balance = "energy balance";

class Comparison {
 public:
  Comparison(const Model& of, std::vector<Dof> dofs)
      : model_(of), dofs_(std::move(dofs)), work_(of), applied_(of, false), rounding_(of) {
    for (const auto& m : inverse_formulations<double>) all.push_back({inverse_problem, m.name});
    for (const auto& m : inertia_formulations<double>) all.push_back({inertia_problem, m.name});
    for (const auto& m : forward_formulations<double>) all.push_back({forward_problem, m.name});
    for (const auto& m : forward_formulations<double>) all.push_back({residual, m.name});
    all.push_back({energy_balance, inverse_formulations<double>[0].name});
  }
  void at(const State& state, std::size_t index) {
    place<double>(model_, state.q, work_.at);
    applied_.evaluate(state, work_.at);
    rounding_.evaluate(state, work_.at, applied_.wrenches());
    row_ = all.begin();
    index_ = index;
    inverse(state);
    inertia();
    forward(state);
    energy(state);
  }

  std::vector<Agreement> all = {};

 private:
  std::vector<double> inverse_by(const InverseFormulation<double>& method, const State& state,
                                 const std::vector<double>& a) {
    std::vector<double> tau(dofs_.size());
    method.run(model_, work_, state.v, a, tau, applied_.wrenches());
    require_finite(tau, dofs_, fmt::format("tau by {}", method.name));
    return tau;
  }
  void inverse(const State& state) {
    std::vector<double> expected;
    for (const auto& method : inverse_formulations<double>) {
      const std::vector<double> tau = inverse_by(method, state, state.a);
      if (expected.empty()) expected = tau;
      (row_++)->meet(tau, expected, rounding_.inverse(state.a, expected), index_);
    }
    tau_ = std::move(expected);
  }
  void inertia() {
    const std::size_t n = dofs_.size();
    std::vector<double> expected;
    for (const auto& method : inertia_formulations<double>) {
      std::vector<double> matrix(n * n);
      method.run(model_, work_, matrix);
      for (std::size_t i = 0; i < n; ++i)
        require_finite(std::span(matrix).subspan(i * n, n), dofs_, fmt::format("I by {}", method.name));
      if (expected.empty()) expected = matrix;
      (row_++)->meet(matrix, expected, rounding_.inertia(), index_, n);
    }
  }
  void forward(const State& state) {
    const auto& methods = forward_formulations<double>;
    const auto residuals = row_ + methods.size();
    std::vector<double> expected, a(dofs_.size());
    for (std::size_t m = 0; m < methods.size(); ++m) {
      methods[m].run(model_, work_, state.v, state.tau, a, applied_.wrenches());
      require_finite(a, dofs_, fmt::format("a by {}", methods[m].name));
      if (expected.empty()) expected = a;
      std::vector<double> allowed = rounding_.forward(a, state.tau);
      const std::vector<double> allowed_expected = rounding_.forward(expected, state.tau);
      for (std::size_t k = 0; k < allowed.size(); ++k) allowed[k] += allowed_expected[k];
      (row_++)->meet(a, expected, allowed, index_);
      const std::vector<double> back = inverse_by(inverse_formulations<double>[0], state, a);
      residuals[static_cast<std::ptrdiff_t>(m)].meet(back, state.tau, rounding_.residual(a, state.tau), index_);
    }
    row_ += methods.size();
  }
  // d/dt (T + V) along the motion, exactly, against the power of the joint forces and of the wrenches from outside.
  void energy(const State& state) {
    using Moving = Dual<double>;
    const std::size_t n = dofs_.size();
    std::vector<Moving> q(state.q.begin(), state.q.end()), moved(q.size()), step(n), v(n);
    for (std::size_t k = 0; k < n; ++k) step[k] = {0.0, state.v[k]}, v[k] = {state.v[k], state.a[k]};
    integrate<Moving>(model_, q, step, moved);
    Configuration<Moving> at(model_);
    Kinematics<Moving> kin(model_);
    place<Moving>(model_, moved, at);
    positions<Moving>(model_, at, kin);
    velocities<Moving>(model_, v, kin);
    const double kinetic = kinetic_energy<Moving>(model_, kin).d, potential = potential_energy<Moving>(model_, kin).d;

    const std::vector<double> allowed_tau = rounding_.inverse(state.a, tau_);
    double power = 0, allowed = 0;
    for (std::size_t k = 0; k < n; ++k) {
      power += tau_[k] * state.v[k];
      allowed += allowed_tau[k] * std::abs(state.v[k]);
    }
    for (const BodyWrench<double>& e : applied_.wrenches()) {
      const Twist<Moving> t = twist_in_body<Moving>(model_, kin, e.body);
      power += dot(Vec3<double>{t.w.x.x, t.w.y.x, t.w.z.x}, e.wrench.n) +
               dot(Vec3<double>{t.v.x.x, t.v.y.x, t.v.z.x}, e.wrench.f);
    }
    require_finite(kinetic + potential + power, "the power");
    row_->meet(std::abs(kinetic + potential - power), allowed, n, index_);
  }

  const Model& model_;
  std::vector<Dof> dofs_;
  Workspace<double> work_;
  Applied applied_;
  Rounding rounding_;
  std::vector<double> tau_ = {};  // of state.a
  std::vector<Agreement>::iterator row_ = {};
  std::size_t index_ = 0;
};

std::string place_of(const Agreement& a, const std::vector<Dof>& dofs) {
  return a.dof < dofs.size() ? dofs[a.dof].name() : "";
}
// "joint 'j2', states[17]"
std::string where(const Agreement& a, const std::vector<Dof>& dofs, const StateFile& file) {
  const std::string joint = place_of(a, dofs);
  return fmt::format("{}{}", joint.empty() ? "" : fmt::format("joint '{}', ", joint), state_heading(file, a.state));
}
std::string json_agreement(const Agreement& a, const std::vector<Dof>& dofs) {
  std::vector<json::Member> members = {{"problem", json::text(a.problem)},
                                       {"method", json::text(a.method)},
                                       {"difference", json::number(a.difference)},
                                       {"times_rounding", json::number(a.times)}};
  if (a.times > 0) {
    if (a.dof < dofs.size()) members.emplace_back("joint", json::text(dofs[a.dof].name()));
    members.emplace_back("state", json::number(static_cast<long>(a.state)));
  }
  return json::object(members);
}

}  // namespace

Status compare(const TrialOptions& options, Session& session) {
  const Model model(load_robot(options, session));
  require_tryable(model, "compare");
  const StateFile file = trial_states(options, options.random, model);
  const std::vector<Dof> dofs = dofs_of(model);
  Comparison comparison(model, dofs);
  std::size_t index = 0;
  for_each_state(file, [&](const State& state) { comparison.at(state, index++); });

  const auto& all = comparison.all;
  const auto worst = std::max_element(all.begin(), all.end(),
                                      [](const Agreement& a, const Agreement& b) { return a.times < b.times; });
  const bool agree = worst->times <= 1;
  for (const Agreement& a : all)
    if (a.times > 1)
      session.remarks.push_back(fmt::format("denoc: {} by {}: {}: off by {:.3g}, {:.3g} times what rounding explains",
                                            a.problem, a.method, where(a, dofs, file), a.difference, a.times));
  const bool has_loops = !model.robot().loops.empty();
  if (options.json) {
    session.out =
        json::object(
            {{"n", json::number(model.nv())},
             {"states", json::number(static_cast<long>(file.states.size()))},
             {"loops_cut", json::boolean(has_loops)},
             {"agree", json::boolean(agree)},
             {"methods", json::lines(json::each(all, [&](const Agreement& a) { return json_agreement(a, dofs); }))}}) +
        "\n";
    return agree ? Status::done : Status::numbers;
  }

  Table table({"problem", "method", ">worst difference", ">times rounding", "joint", ">state"});
  std::string_view before;
  for (const Agreement& a : all) {
    std::vector<std::string> cells = {a.problem == before ? "" : std::string(a.problem), std::string(a.method)};
    const bool is_reference = a.problem != before && (a.problem == inverse_problem || a.problem == inertia_problem ||
                                                      a.problem == forward_problem);
    before = a.problem;
    if (is_reference) {
      cells.emplace_back("reference");
    } else {
      cells.push_back(fmt::format("{:.2g}", a.difference));
      cells.push_back(fmt::format("{:.2g}", a.times));
      if (a.times > 0) cells.push_back(place_of(a, dofs)), cells.push_back(std::to_string(a.state));
    }
    table.row(cells);
  }
  session.out = fmt::format(
      "{}: every method at {}{}, n = {}\n{}", printable(model.robot().name),
      options.states.empty() ? fmt::format("{} random state{}", file.states.size(), file.states.size() == 1 ? "" : "s")
                             : fmt::format("{} given state{}", file.states.size(), file.states.size() == 1 ? "" : "s"),
      has_loops ? ", the loops cut open: this is the tree" : "", model.nv(), table.text());
  session.out +=
      "difference: from the reference, in units of the result (N m, N; rad/s^2, m/s^2; kg m^2; W); state: from 0.\n";
  session.out +=
      agree ? fmt::format("All methods agree: nowhere more than {:.2g} times what rounding explains.\n", worst->times)
            : fmt::format("The methods DISAGREE: {} by {} is off by {:.3g} times what rounding explains ({}).\n",
                          worst->problem, worst->method, worst->times, printable(where(*worst, dofs, file)));
  return agree ? Status::done : Status::numbers;
}

}  // namespace denoc::app
