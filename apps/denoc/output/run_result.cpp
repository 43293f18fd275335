#include "output/run_result.hpp"

#include <cmath>
#include <limits>

#include "commands/problem.hpp"
#include "output/json.hpp"
#include "output/number_of.hpp"
#include "output/table.hpp"

namespace denoc::app {
namespace {

std::string json_finite(double x) { return std::isfinite(x) ? json::number(x) : std::string(json::nothing); }

std::string json_steps(const Statistics& s) {
  return json::object({{"steps", json::number(s.steps)},
                       {"rejected", json::number(s.rejected)},
                       {"evaluations", json::number(s.evaluations)},
                       {"least_step", json_finite(s.least_step)},
                       {"largest_step", json_finite(s.largest_step)},
                       {"stiff", json::boolean(s.stiff)}});
}

std::string json_energy(const RunResult& r) {
  return json::object({{"kinetic", json::number(r.kinetic)},
                       {"potential", json::number(r.potential)},
                       {"change", json::number(r.kinetic + r.potential - r.first_energy)},
                       {"largest_kinetic", json::number(r.statistics.largest_kinetic)},
                       {"balance_defect", json::number(r.statistics.balance_defect)},
                       {"relative_balance", json::number(r.relative_balance())}});
}

std::string integrator_text(const IntegratorOptions& o) {
  return has_tolerances(o.method) ? fmt::format("{}, rtol {}, atol {}", name_of(o.method), shown(o.rtol), shown(o.atol))
                                  : fmt::format("{}, steps of {} s", name_of(o.method), shown(o.step));
}

// What the integrator leaves undecided of q and v, and of energies in parts of the largest.
struct Tolerance {
  double absolute = 0, relative = 0;
  explicit Tolerance(const IntegratorOptions& o) {
    if (has_tolerances(o.method)) absolute = o.atol, relative = o.rtol;
  }
};
// Plainly 0 for what is no more than the tolerance.
std::string above(double tolerance, double x) { return std::abs(x) <= tolerance ? "0" : shown(x); }

std::string overview(const RunResult& r) {
  const Statistics& s = r.statistics;
  const SimulationSetup& setup = r.scenario.setup;
  Table table({"", ""});
  table.row({"robot", r.scenario.model->robot().name});
  table.row({"duration", fmt::format("{} s, computed in {} s ({} times real time)", shown(setup.duration),
                                     shown(r.seconds), shown(r.real_time_factor()))});
  table.row({"integrator", integrator_text(setup.integrator)});
  table.row({"control", r.scenario.control});
  table.row({"steps", fmt::format("{} ({} rejected), {} evaluations", s.steps, s.rejected, s.evaluations)});
  const double within = Tolerance(setup.integrator).relative, joules = within * s.largest_kinetic;
  table.row(
      {"energy", fmt::format("kinetic {} J, potential {} J; changed by {} J", above(joules, r.kinetic),
                             above(joules, r.potential), above(joules, r.kinetic + r.potential - r.first_energy))});
  table.row({"balance", fmt::format("{} J unaccounted for: {} of the largest kinetic energy{}", shown(s.balance_defect),
                                    shown(r.relative_balance()),
                                    has_tolerances(setup.integrator.method) && s.balance_defect <= joules
                                        ? ", within the tolerance of the integrator"
                                        : "")});
  if (!r.scenario.model->robot().loops.empty())
    table.row({"loops", fmt::format("open by {} m (or rad) at most", shown(s.loop_defect))});
  if (s.events > 0) table.row({"friction", number_of(s.events, "event")});
  const std::string text = table.text();
  return text.substr(text.find('\n') + 1);  // no headings
}

std::string state_table(const RunResult& r) {
  Table table({"joint", ">q", ">v"});
  const double within = Tolerance(r.scenario.setup.integrator).absolute;
  const auto& bodies = r.scenario.model->robot().bodies;
  for (std::size_t b = 1; b < bodies.size(); ++b) {
    const auto& place = r.scenario.model->bodies()[b];
    const int nq = coordinates(bodies[b].joint.type), nv = degrees_of_freedom(bodies[b].joint.type);
    const double *q = r.q.data() + place.q, *v = r.v.data() + place.v;
    for (int i = 0; i < nq; ++i) {
      table.row({i == 0 ? r.scenario.model->joint_name(static_cast<int>(b)) : "", above(within, q[i]),
                 i < nv ? above(within, v[i]) : ""});
    }
  }
  if (table.empty()) return "";
  const std::string noise = within > 0 ? fmt::format(" (0: no more than atol, {})", shown(within)) : "";
  return fmt::format("\nAt the end{}\n{}", noise, table.text());
}

std::string event_table(const RunResult& r, const std::vector<Dof>& dofs) {
  Table table({">t [s]", "event", "joint", ">position"});
  for (const FrictionEvent& e : r.events)
    table.row(
        {shown(e.t), std::string(name_of(e.kind)), dofs[static_cast<std::size_t>(e.dof)].name(), shown(e.position)});
  if (table.empty()) return "";
  const bool are_all = static_cast<long>(r.events.size()) == r.statistics.events;
  return fmt::format("\n{}\n{}", are_all ? "Events" : "The first events", table.text());
}

}  // namespace

double RunResult::relative_balance() const {
  const double rounding = std::numeric_limits<double>::epsilon() * statistics.largest_energy;
  return statistics.largest_kinetic > rounding ? statistics.balance_defect / statistics.largest_kinetic : 0;
}

std::string json_final(const RunResult& r) {
  return json::object(
      {{"t", json::number(r.scenario.setup.duration)}, {"q", json::numbers(r.q)}, {"v", json::numbers(r.v)}});
}

std::string json_summary(const RunResult& r) {
  const std::vector<Dof> dofs = dofs_of(*r.scenario.model);
  const auto events = json::each(r.events, [&](const FrictionEvent& e) {
    return json::object({{"t", json::number(e.t)},
                         {"event", json::text(name_of(e.kind))},
                         {"joint", json::text(dofs[static_cast<std::size_t>(e.dof)].name())},
                         {"position", json::number(e.position)}});
  });
  return json::object({{"title", json::text(r.scenario.title)},
                       {"robot", json::text(r.scenario.model->robot().name)},
                       {"duration", json::number(r.scenario.setup.duration)},
                       {"integrator", json::text(name_of(r.scenario.setup.integrator.method))},
                       {"control", json::text(r.scenario.control)},
                       {"seconds", json::number(r.seconds)},
                       {"real_time_factor", json::number(r.real_time_factor())},
                       {"statistics", json_steps(r.statistics)},
                       {"energy", json_energy(r)},
                       {"q", json::numbers(r.q)},
                       {"v", json::numbers(r.v)},
                       {"final", json_final(r)},
                       {"event_count", json::number(r.statistics.events)},
                       {"events", json::array(events)},
                       {"files", json::array(json::each(r.files, json::text))}}) +
         "\n";
}

std::string text_summary(const RunResult& r) {
  std::string text = fmt::format("{}\n", printable(r.scenario.title.empty() ? r.scenario.file : r.scenario.title));
  text += overview(r) + state_table(r) + event_table(r, dofs_of(*r.scenario.model)) + "\nWritten\n";
  for (const std::string& file : r.files) text += fmt::format("  {}\n", printable(file));
  return text;
}

}  // namespace denoc::app
