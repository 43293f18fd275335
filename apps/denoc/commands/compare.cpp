// denoc compare: every method at many states, and whether they agree as far as rounding lets them.
#include "commands/applied.hpp"
#include "commands/list.hpp"
#include "denoc/dynamics/formulation.hpp"
#include "denoc/dynamics/inertia/inverse.hpp"
#include "denoc/dynamics/rounding.hpp"
#include "denoc/kinematics/energy.hpp"
#include "denoc/model/manifold.hpp"
#include "output/json.hpp"
#include "output/number_of.hpp"
#include "output/table.hpp"
#include "studies/agreement.hpp"
#include "studies/chain.hpp"
#include "studies/trials.hpp"

namespace denoc::app {
namespace {

constexpr std::string_view inverse_problem = "inverse", inertia_problem = "inertia", forward_problem = "forward",
                           residual = "ID(FD(tau)) = tau", energy_balance = "energy balance";

class Comparison {
 public:
  Comparison(const Model& of, std::vector<Dof> dofs)
      : model_(of),
        dofs_(std::move(dofs)),
        inverse_methods_(affordable_methods(inverse_formulations<double>(), of)),
        inertia_methods_(affordable_methods(inertia_formulations<double>(), of)),
        forward_methods_(affordable_methods(forward_formulations<double>(), of)),
        at_(of),
        factor_(of),
        applied_(of, false),
        rounding_(of) {
    for (const auto& m : inverse_methods_) all.push_back({inverse_problem, m.name});
    for (const auto& m : inertia_methods_) all.push_back({inertia_problem, m.name});
    if (has_matrices())
      for (const auto& m : forward_methods_) all.push_back({forward_problem, m.name});
    for (const auto& m : forward_methods_) all.push_back({residual, m.name});
    all.push_back({energy_balance, inverse_methods_[0].name});
  }
  void at(const State& state, std::size_t index) {
    place<double>(model_, state.q, at_);
    applied_.evaluate(state, at_);
    rounding_.evaluate(at_, state.v, applied_.wrenches());
    row_ = all.begin();
    index_ = index;
    inverse(state);
    inertia();
    forward(state);
    energy(state);
  }

  std::vector<Agreement> all = {};

 private:
  std::vector<double> inverse_by(const PreparedMethod<InverseProblem<double>>& method, const State& state,
                                 const std::vector<double>& a) {
    std::vector<double> tau(dofs_.size());
    method.run(at_, state.v, a, tau, applied_.wrenches());
    require_finite(tau, dofs_, fmt::format("tau by {}", method.name));
    return tau;
  }
  void inverse(const State& state) {
    const std::vector<double> allowed = rounding_.inverse(state.a);
    std::vector<double> expected;
    for (const auto& method : inverse_methods_) {
      const std::vector<double> tau = inverse_by(method, state, state.a);
      if (expected.empty()) expected = tau;
      (row_++)->meet(tau, expected, allowed, index_);
    }
    tau_ = std::move(expected);
  }
  void inertia() {
    const std::size_t n = dofs_.size();
    std::vector<double> expected;
    for (const auto& method : inertia_methods_) {
      std::vector<double> matrix(n * n);
      method.run(at_, matrix);
      for (std::size_t i = 0; i < n; ++i)
        require_finite(std::span(matrix).subspan(i * n, n), dofs_, fmt::format("I by {}", method.name));
      if (expected.empty()) expected = matrix;
      (row_++)->meet(matrix, expected, rounding_.inertia(), index_, n);
    }
  }
  void forward(const State& state) {
    std::vector<double> expected, a(dofs_.size()), inverse_of_I;
    if (has_matrices()) inverse_of_I = inertia_inverse_at();
    const auto residuals = row_ + static_cast<std::ptrdiff_t>(has_matrices() ? forward_methods_.size() : 0);
    for (std::size_t m = 0; m < forward_methods_.size(); ++m) {
      const auto& method = forward_methods_[m];
      method.run(at_, state.v, state.tau, a, applied_.wrenches());
      require_finite(a, dofs_, fmt::format("a by {}", method.name));
      if (expected.empty()) expected = a;
      const std::vector<double> allowed = rounding_.residual(a);
      const std::vector<double> back = inverse_by(inverse_methods_[0], state, a);
      residuals[static_cast<std::ptrdiff_t>(m)].meet(back, state.tau, allowed, index_);
      if (has_matrices())
        (row_++)->meet(a, expected, solved(inverse_of_I, allowed, rounding_.residual(expected)), index_);
    }
    row_ = residuals + static_cast<std::ptrdiff_t>(forward_methods_.size());
  }
  // Two solutions with residuals as large as these may differ by what I^-1 makes of them.
  std::vector<double> solved(const std::vector<double>& inverse_of_I, const std::vector<double>& one,
                             const std::vector<double>& other) const {
    const std::size_t n = dofs_.size();
    std::vector<double> allowed(n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < n; ++k) allowed[i] += std::abs(inverse_of_I[i * n + k]) * (one[k] + other[k]);
    return allowed;
  }
  std::vector<double> inertia_inverse_at() {
    std::vector<double> matrix(dofs_.size() * dofs_.size());
    factorize<double>(model_, at_, factor_);
    if (!inverting_) inverting_.emplace(model_);
    inertia_inverse<double>(model_, at_, factor_, *inverting_, matrix);
    return matrix;
  }
  // Accelerations are compared where there is room for I^-1, which says how far they may differ.
  bool has_matrices() const { return std::ssize(dofs_) <= most_for_squares; }
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

    const std::vector<double> allowed_tau = rounding_.inverse(state.a);
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
  std::vector<PreparedMethod<InverseProblem<double>>> inverse_methods_;
  std::vector<PreparedMethod<InertiaProblem<double>>> inertia_methods_;
  std::vector<PreparedMethod<ForwardProblem<double>>> forward_methods_;
  Configuration<double> at_;
  Factor<double> factor_;
  std::optional<InertiaInverseScratch<double>> inverting_ = {};  // where there is room for it
  Applied applied_;
  Rounding<double> rounding_;
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
  std::vector<json::Member> members = {
      {"problem", json::text(a.problem)},
      {"method", json::text(a.method)},
      {"difference", json::number(a.difference)},
      {"times_rounding", std::isfinite(a.times) ? json::number(a.times) : std::string(json::nothing)}};
  if (a.times > 0) {
    if (a.dof < dofs.size()) members.emplace_back("joint", json::text(dofs[a.dof].name()));
    members.emplace_back("state", json::number(static_cast<long>(a.state)));
  }
  return json::object(members);
}

struct CompareOptions : StateOptions {
  int random = 100;  // states, unless some are given
};

Status compare(const CompareOptions& options, Session& session) {
  const Model model(load_robot_or_chain(options, session));
  require_tryable(model, "compare");
  const StateFile file = trial_states(options, options.random, model, session);
  const std::vector<Dof> dofs = dofs_of(model);
  Comparison comparison(model, dofs);
  std::size_t index = 0;
  for_each_state(file, [&](const State& state) { comparison.at(state, index++); });

  const auto& all = comparison.all;
  const Verdict verdict = verdict_of(all);
  const Agreement& worst = verdict.worst;
  for (const Agreement& a : all)
    if (!a.holds())
      session.remarks.push_back(fmt::format("denoc: {} by {}: {}: off by {:.3g}, {:.3g} times what rounding explains",
                                            a.problem, a.method, where(a, dofs, file), a.difference, a.times));
  if (options.json) {
    session.out =
        json::object(
            {{"n", json::number(model.nv())},
             {"states", json::number(static_cast<long>(file.states.size()))},
             {"loops_cut", json::boolean(!model.robot().loops.empty())},
             {"agree", json::boolean(verdict.agree)},
             {"methods", json::lines(json::each(all, [&](const Agreement& a) { return json_agreement(a, dofs); }))}}) +
        "\n";
    return verdict.status();
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
  session.out = fmt::format("{}: every method at {}{}, n = {}\n{}", printable(model.robot().name),
                            number_of(file.states.size(), options.has_states() ? "given state" : "random state"),
                            of_tree(model), model.nv(), table.text());
  session.out += left_out(model);
  session.out +=
      "difference: from the reference, in units of the result (N m, N; rad/s^2, m/s^2; kg m^2; W); state: from 0.\n";
  session.out +=
      verdict.agree
          ? fmt::format("All methods agree: nowhere more than {:.2g} times what rounding explains.\n", worst.times)
          : fmt::format("The methods DISAGREE: {} by {} is off by {:.3g} times what rounding explains ({}).\n",
                        worst.problem, worst.method, worst.times, printable(where(worst, dofs, file)));
  return verdict.status();
}

}  // namespace

Command commands::compare() {
  return command<CompareOptions>(
      "compare", "every method at many states: whether they agree within rounding", trial_format,
      {{"denoc compare puma560", "every method against every other"},
       {"denoc compare serial:20 --states 10", "on a chain of 20 joints"}},
      [](Arguments& arguments, CompareOptions& options) {
        trial_arguments(arguments, options);
        arguments.whole_number("--states", 1, 1'000'000, options.random, "how many at random; 100 by default")
            .without({"--state"});
      },
      app::compare);
}

}  // namespace denoc::app
