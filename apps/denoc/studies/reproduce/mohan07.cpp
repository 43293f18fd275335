// Mohan07: the PUMA of Table 2 along its trajectory (38), and how long it follows it under given torques.
#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>

#include "output/dofs.hpp"
#include "output/table.hpp"
#include "studies/distinct_methods.hpp"
#include "studies/reproduce/counts.hpp"
#include "studies/reproduce/documents.hpp"
#include "studies/reproduce/mohan07_parts.hpp"
#include "studies/reproduce/robot_at.hpp"
#include "studies/reproduce/runs.hpp"

namespace denoc::app {
namespace {

void mohan07_table_1(Page& page) {
  page.section("table-1", "Table 1: operations of forward dynamics, phi given");
  const auto ours = our_costs(phi_given, CountedLinks::rods), printed = printed_in("Mohan07 Table 1");
  cost_table(page, printed, ours);
  page.say(
      "The printed steps 1 to 15 of section 4.1 sum to 173n-128 M, 150n-133 A, but step 10 forgets 3 A and step 13 "
      "needs 5 M. Both are for slender bent rods.");
  // n* and n+ as printed, in the order of the table
  const std::pair<const char*, std::pair<int, int>> table[] = {
      {"Mohan", {10, 12}}, {"Saha", {10, 14}}, {"Featherstone", {12, 14}}, {"Valasek", {13, 15}}, {"Brandl", {14, 16}}};
  const PolynomialCost cubic = printed_in("Mohan07 Table 1", "Walker").cost;
  std::vector<Compared> rows;
  for (const auto& [who, crossovers] : table) {
    const NamedCost row = printed_in("Mohan07 Table 1", who);
    const auto [mul, both] = crossovers;
    const int found_mul = crossover(row.cost, cubic, Criterion::multiplications),
              found_both = crossover(row.cost, cubic, Criterion::both);
    const int shown_at = found_mul == mul ? both : mul;
    rows.push_back({fmt::format("{}: n\\*, n+", row.name), fmt::format("{}, {}", mul, both),
                    fmt::format("{}, {}", found_mul, found_both),
                    found_mul == mul && found_both == both
                        ? ""
                        : fmt::format("for n = {} the printed polynomials give {} against {}", shown_at,
                                      row.cost.at(shown_at), cubic.at(shown_at))});
  }
  const PolynomialCost& own = ours.front().cost;
  rows.push_back({"ours against Walker and Orin: n\\*, n+", "",
                  fmt::format("{}, {}", crossover(own, cubic, Criterion::multiplications),
                              crossover(own, cubic, Criterion::both))});
  page.compare(rows);
  page.say("n\\*: from this n on O(n) takes fewer multiplications; n+: fewer multiplications and fewer additions.");
}

void inertia_along_the_path(Page& page, const Scenario& forced) {
  page.section("table-2", "Table 2: the robot, and its inertia matrix along (38)");
  page.say(
      "The paper lists the parameters (shipped as `puma_mohan07`) and no inertia matrix. Along the trajectory its "
      "condition stays between 4.9e3 and 1.14e4, and the pivots D_3 to D_6 are constant: no eigenvalue comes near "
      "zero.");
  std::vector<Page::Row> rows;
  const std::vector<double> times = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  const Desired path = desired(forced, times);
  for (std::size_t i = 0; i < times.size(); ++i) {
    RobotAt robot(*forced.model, path.q[i], path.v[i]);
    Page::Row row = {shown(times[i]), fmt::format("{:.3f}", robot.condition_number())};
    for (const double d : robot.factors().second) row.push_back(shown(d));
    rows.push_back(row);
  }
  page.table({">t [s]", ">condition", ">D1", ">D2", ">D3", ">D4", ">D5", ">D6"}, rows);
}

void misprinted_constant(Page& page, const Scenario& forced) {
  page.section("zero-eigenvalue", "The zero eigenvalue of section 4.2");
  const Model printed(robot_of(Version::as_printed, forced));
  std::vector<double> times;
  for (int ms = 0; ms <= 10'000; ++ms) times.push_back(ms / 1000.0);
  const Desired path = desired(forced, times);
  double from = NAN, to = NAN;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const Numbers I = RobotAt(printed, path.q[i], path.v[i]).inertia();
    if (Eigen::Map<const Eigen::Matrix<double, 6, 6>>(I.data()).llt().info() == Eigen::Success) continue;
    if (std::isnan(from)) from = times[i];
    to = times[i];
  }
  page.compare(
      {{"an eigenvalue of the inertia matrix passes zero", "about 5.5 s (\"zero-eigenvalue\")",
        fmt::format("never with C5 = rho a^2 b/2; from {:.2f} to {:.2f} s with C5 = rho a^2 b as printed", from, to),
        "C5 is misprinted: as printed link 2 has a negative principal moment of inertia"}});
}

std::vector<double> absolute_difference(const std::vector<double>& x, const std::vector<double>& y) {
  std::vector<double> all;
  for (std::size_t i = 0; i < x.size(); ++i) all.push_back(std::abs(x[i] - y[i]));
  return all;
}

// The paper's figures are missing from the scan.
void figures_4_5_7_8(Page& page, const Scenario& forced) {
  const Model& model = *forced.model;
  const figures::Quantity time{"t", "s"};
  const figures::Size panel{600, 180};
  page.section("fig-4", "Fig. 4: torques of the motion (38)");
  std::vector<double> instants;
  for (int i = 0; i <= 500; ++i) instants.push_back(0.02 * i);
  const Desired motion = desired(forced, instants);
  std::vector<Numbers> torques;
  for (std::size_t i = 0; i < instants.size(); ++i)
    torques.push_back(RobotAt(model, motion.q[i], motion.v[i]).torques(motion.a[i]));
  page.figure("fig4", "Torques that the motion (38) needs, for all its 10 s (Fig. 4).",
              panels_of(model, instants, {{"torque", torques}}, "N m"), panel);

  page.section("fig-5", "Fig. 5: angles under these torques, Runge-Kutta 4/5 at a tolerance of 1e-8");
  Scenario longer = forced;
  longer.setup.duration = 7;
  const Run beyond = run(longer);
  page.figure("fig5", "Joint angles under these torques, and the desired ones (Fig. 5).",
              panels_of(model, beyond.record.t,
                        {{"simulated", beyond.record.q}, {"desired", desired(longer, beyond.record.t).q}}, "rad"),
              panel);

  page.section("fig-7", "Fig. 7: accelerations of joint 3");
  const Run found = run(forced);
  const std::vector<double>& t = found.record.t;
  const Desired path = desired(forced, t);
  figures::Plot third{"", time, {"error", "rad/s^2"}};
  third.y_scale = figures::Scale::logarithmic;
  for (const auto& method : distinct_forward_methods<double>()) {
    Scenario by_method = forced;
    by_method.setup.method = method.name;
    third.curves.push_back({std::string(method.name), t,
                            absolute_difference(figures::column(run(by_method).a, 2), figures::column(path.a, 2))});
  }
  page.figure(
      "fig7",
      "Distance of the acceleration of joint 3 from the desired one (Fig. 7), by every method: one curve. None is "
      "smoother than the others. `articulated-body`, the code of denoc, is left out.",
      third);

  page.section("fig-8", "Fig. 8: power");
  std::vector<double> desired_power;
  for (std::size_t i = 0; i < t.size(); ++i) {
    desired_power.push_back(0);
    for (std::size_t k = 0; k < path.v[i].size(); ++k) desired_power.back() += found.record.tau[i][k] * path.v[i][k];
  }
  page.figure("fig8", "Power of the drives, desired and simulated, dissipation and the rate of the energy (Fig. 8).",
              figures::Plot{"",
                            time,
                            {"power", "W"},
                            {{"input", t, found.record.input_power},
                             {"desired input", t, desired_power},
                             {"dissipated", t, found.record.dissipated_power},
                             {"energy rate", t, figures::rate(t, figures::energy(found.record))}}});
  page.say(fmt::format(
      "Input power and the rate of the energy are the same all the way (the balance is kept to {:.1e} J): no power is "
      "lost in the factorisation when the arm leaves its path, it follows another motion.",
      found.statistics.balance_defect));
}

}  // namespace

std::string name_of(Version version) { return version == Version::as_printed ? "as printed" : "right"; }
Robot robot_of(Version version, const Scenario& forced) {
  const Robot& puma = forced.model->robot();
  return version == Version::as_printed ? with_printed_constant(puma) : puma;
}
std::string departure_text(double t) { return std::isnan(t) ? "follows" : fmt::format("{:.2f}", t); }

std::vector<figures::Plot> panels_of(const Model& model, const std::vector<double>& t,
                                     const std::vector<std::pair<std::string, std::vector<std::vector<double>>>>& sets,
                                     const std::string& unit) {
  std::vector<figures::Plot> panels;
  for (const Dof& dof : dofs_of(model)) {
    figures::Plot panel{"", {"t", "s"}, {dof.name(), unit}};
    for (const auto& [name, rows] : sets) panel.curves.push_back({name, t, figures::column(rows, panels.size())});
    panels.push_back(std::move(panel));
  }
  return panels;
}

void write_mohan07(Page& page) {
  const Scenario forced = example("puma_forced");
  mohan07_table_1(page);
  inertia_along_the_path(page, forced);
  misprinted_constant(page, forced);
  figures_4_5_7_8(page, forced);
  how_long_angles_follow(page, forced);
  growth_of_errors(page, forced);
  single_precision(page, forced);
}

}  // namespace denoc::app
