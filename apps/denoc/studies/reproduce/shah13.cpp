// Shah13: the gripper's torques (Fig. 5) and fall (Fig. 6), its recursion (Table 3), the rope (Fig. 7), operation
// counts (Table 4, Fig. 8). counts (Table 4, Fig. 8).
#include <fmt/format.h>

#include "denoc/dynamics/study.hpp"
#include "denoc/kinematics/kinematics.hpp"
#include "output/table.hpp"
#include "studies/reproduce/documents.hpp"
#include "studies/reproduce/published_costs.hpp"
#include "studies/reproduce/robot_at.hpp"
#include "studies/reproduce/runs.hpp"

namespace denoc::app {
namespace {

constexpr double degrees = 180 / 3.14159265358979323846;

void gripper(Page& page) {
  page.section("Fig. 5: torques of the gripper");
  const Scenario closing = example("gripper_torques");
  const Run torques = run(closing);
  const std::vector<double>& t = torques.record.t;
  page.say(
      "The figure is missing from the scan, and the paper leaves open where the thumb stands; here it is at the middle "
      "of the palm, as in the authors' simulator.");
  page.figure("fig5", "Torques that lead the gripper along (15), Table 2.",
              figures::Plot{"", {"t", "s"}, {"torque", "N m"}, curves_of(*closing.model, t, torques.record.tau)});
  const auto error = distance(torques.record.q, desired(closing, t).q);
  page.compare({{"simulated under these torques, angles off by at most [rad]", "0 (they are the torques of the motion)",
                 fmt::format("{:.1e}", *std::max_element(error.begin(), error.end())),
                 "nothing corrects the errors of integration (tolerance 1e-12)"}});

  page.section("Fig. 6: the gripper falls");
  const Scenario falling = example("gripper_fall");
  const Run fall = run(falling);
  auto angles = fall.record.q;
  for (auto& row : angles) {
    for (double& x : row) x *= degrees;
  }
  page.figure("fig6", "Joint angles of the gripper, let go with the palm at -60 degrees.",
              figures::Plot{"", {"t", "s"}, {"angle", "degrees"}, curves_of(*falling.model, fall.record.t, angles)});
  page.compare({{"time for the simulation [s]", "0.29 (ADAMS: 31)", fmt::format("{:.4f}", fall.seconds),
                 "compiled code on a machine of another decade; 1 s simulated with steps of 1 ms"},
                {"energy gone astray [J]", "not given", fmt::format("{:.1e}", fall.statistics.balance_defect)}});
}

// Table 3 of the falling gripper: phi = tau - bias, and I^-1 phi by its two recursions.
void table_3(Page& page) {
  page.section("Table 3: forward dynamics of the gripper, from module to module and from link to link");
  page.say(
      "The table is in letters; these are the accelerations when the gripper of Fig. 6 is let go. Read with its "
      "misprints "
      "corrected: row 1^3 is eta_13 = Psi_13 phihat_13, row 1^2 carries eta_12 = Psi_12 phihat_12 + etatil_12, N^1 is "
      "transposed, mu^1 = N^1 q''^1. `denoc study gripper --only modules` writes the matrices out.");
  const Scenario falling = example("gripper_fall");
  const Model& model = *falling.model;
  const Numbers &q = falling.setup.q, &v = falling.setup.v;
  Numbers phi = RobotAt(model, q, v).torques(Numbers(v.size()));
  for (double& x : phi) x = -x;
  Configuration<double> at(model);
  place<double>(model, q, at);
  std::vector<Page::Row> rows = {
      {"inter-modular recursion", listed(study::solve(study::modular(model, q, study::Grouping::modules), phi))},
      {"intra-modular recursion, link by link",
       listed(study::solve(study::modular(model, q, study::Grouping::links), phi))}};
  for (const auto& method : forward_formulations<double>()) {
    Numbers a(v.size());
    method.prepare(model)(at, v, Numbers(v.size()), a, {});
    rows.push_back({fmt::format("`{}`", method.name), listed(a)});
  }
  page.table({"", "accelerations of palm, finger (two joints) and thumb [rad/s^2]"}, rows);
}

// Places of the joints and of the free end.
figures::Curve shape(const Model& model, double t, const Numbers& q) {
  Configuration<double> at(model);
  Kinematics<double> kin(model);
  place<double>(model, q, at);
  positions<double>(model, at, kin);
  figures::Curve curve;
  curve.name = fmt::format("{:.2f} s", t);
  const auto add = [&](const Vec3<double>& r) {
    curve.x.push_back(r.x);
    curve.y.push_back(r.z);
  };
  const int last = static_cast<int>(model.bodies().size()) - 1;
  for (int body = 1; body <= last; ++body) add(pose_in_world<double>(model, kin, body).r);
  const Pose<double> end = pose_in_world<double>(model, kin, last);
  add(end.r + end.R * Vec3<double>{0.05, 0, 0});
  return curve;
}

void rope(Page& page) {
  page.section("Fig. 7: a rope of 100 degrees of freedom");
  const Scenario scenario = example("rope");
  const Run fall = run(scenario);
  figures::Plot plot{"", {"x", "m"}, {"z", "m"}};
  for (std::size_t i = 0; i < fall.record.size(); i += 25) {
    plot.curves.push_back(shape(*scenario.model, fall.record.t[i], fall.record.q[i]));
  }
  page.figure("fig7", "The rope every 0.25 s; it starts straight along x, at rest.", plot, {600, 300});
  page.compare({{"time for 1.75 s [s]", "3.44 (4.54 by Featherstone's count)", fmt::format("{:.3f}", fall.seconds),
                 "compiled code on a machine of another decade; RK4 with steps of 1 ms"},
                {"energy gone astray, of the largest kinetic energy", "not given",
                 fmt::format("{:.1e}", fall.statistics.balance_defect / fall.statistics.largest_kinetic)}});
}

void counts(Page& page) {
  page.section("Table 4: operations of inverse dynamics");
  cost_table(page, {{"Shah13", {{{-81, 94}}, {{-75, 82}}}}, {"[13], Balafoutis and Patel", {{{-69, 93}}, {{-65, 81}}}}},
             our_costs("inverse"));
  page.section("Table 4 and Fig. 8: operations of forward dynamics, phi given");
  const NamedCost lilly_orin{"[14], O(n^3)", {{{-51, 121. / 3, 23. / 2, 1. / 6}}, {{-51, 305. / 6, 7, 1. / 6}}}};
  const auto ours = our_costs("phi given");
  cost_table(page, {published::shah13, published::mohan07, published::featherstone, lilly_orin}, ours);
  page.say("Table 4 prints 10 3/2 n^3 for the second term of [14]; it is read as 11 1/2 n^2. Ours with the bias:");
  const auto forward = our_costs("forward");
  cost_table(page, {}, forward);
  std::vector<Compared> rows = {
      {"O(n) wins over [14] from n = (M and A)",
       fmt::format("{} (from Table 4)", crossover(published::shah13.cost, lilly_orin.cost, true)),
       fmt::to_string(crossover(ours.front().cost, lilly_orin.cost, true)), "fewer operations of ours"}};
  std::vector<NamedCost> drawn = {published::shah13,
                                  published::mohan07,
                                  published::featherstone,
                                  lilly_orin,
                                  {"ours, phi given", ours.front().cost}};
  for (const auto& [name, cost, only_six] : forward) {
    if (cost.mul.c[3] == 0) continue;
    const int from = crossover(forward.front().cost, cost, true);
    rows.push_back({fmt::format("{} wins over {} from n =", forward.front().name, name), "", fmt::to_string(from)});
  }
  drawn.insert(drawn.end(), forward.begin(), forward.end());
  page.compare(rows);
  page.figure("fig8", "Multiplications and additions of forward dynamics against the number of joints.",
              cost_plot(drawn, 100), {640, 420});
}

}  // namespace

void write_shah13(Page& page) {
  gripper(page);
  table_3(page);
  rope(page);
  counts(page);
}

}  // namespace denoc::app
