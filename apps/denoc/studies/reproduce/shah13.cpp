// Shah13: the gripper by modules (Tables 1 and 3), its torques (Fig. 5) and fall (Fig. 6), subsystems of closed chains,
// the rope (Fig. 7), operation counts (Table 4, Fig. 8).
#include <fmt/format.h>

#include <ctime>

#include "denoc/dynamics/study.hpp"
#include "denoc/kinematics/kinematics.hpp"
#include "denoc/loops/closed_chain.hpp"
#include "output/table.hpp"
#include "studies/distinct_methods.hpp"
#include "studies/reproduce/counts.hpp"
#include "studies/reproduce/documents.hpp"
#include "studies/reproduce/robot_at.hpp"
#include "studies/reproduce/runs.hpp"
#include "studies/subsystems.hpp"

namespace denoc::app {
namespace {

constexpr double degrees = 180 / 3.14159265358979323846;

// Torques along (15) at every millisecond, and the time of the processor.
struct TimedTorques {
  double seconds;
  int instants;
};
TimedTorques timed_torques(const Scenario& closing) {
  std::vector<double> instants;
  for (int ms = 0; ms <= 1000; ++ms) instants.push_back(ms / 1000.0);
  const Desired path = desired(closing, instants);
  const Model& model = *closing.model;
  Configuration<double> at(model);
  InverseScratch<double> scratch(model);
  Numbers tau(static_cast<std::size_t>(model.nv()));
  const std::clock_t start = std::clock();
  for (std::size_t i = 0; i < instants.size(); ++i) {
    place<double>(model, path.q[i], at);
    inverse_dynamics<double>(model, at, path.v[i], path.a[i], scratch, tau);
  }
  return {static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, static_cast<int>(instants.size())};
}

// The state of the falling gripper's motion that the tables in letters are shown at: half way along (15).
struct GripperState {
  Scenario closing = example("gripper_torques");
  Numbers q = Numbers(4), v = Numbers(4), a = Numbers(4);
  GripperState() { closing.motion->at(0.4, q, v, a); }
};

void modules(Page& page) {
  page.section("modules", "(1)-(14), (16)-(21): the gripper by modules");
  page.say(
      "The gripper has three modules: palm (M_1), finger with two links (M_2), thumb (M_3). The document has their "
      "matrices in letters; here is the shipped `gripper` at t = 0.4 s of the motion (15). `denoc study gripper --only "
      "modules` writes all of them out for any robot: N^i, A^{i,beta}, M^i, M~^i (17), Mhat^i (20), Phi^i (21), Psi^i, "
      "t^i, w^i. The document leaves open where the thumb stands; here it is at the middle of the palm, as in the "
      "authors' simulator.");
  const GripperState s;
  const Model& model = *s.closing.model;
  const study::Modular robot = study::modular(model, s.q, study::Grouping::modules);
  const auto motion = study::modular_inverse(model, s.q, s.v, s.a, study::Grouping::modules);
  std::vector<Page::Row> rows;
  for (std::size_t i = 0; i < robot.modules.size(); ++i) {
    const study::ModuleMatrices& m = robot.modules[i];
    const std::size_t number = i + 1;
    rows.push_back({fmt::format("t^{} = A t^beta + N q' (5)", number), listed(motion[i].t.entries)});
    rows.push_back({fmt::format("Ihat^{} = N^T Psihat (19)", number), listed(m.I_hat.entries)});
    Numbers trace;
    for (int k = 0; k < m.Phi.rows; ++k) trace.push_back(m.Phi(k, k));
    rows.push_back({fmt::format("diagonal of Phi^{} (21)", number), listed(trace)});
  }
  page.table({"", "entries, world axes, angular first"}, rows);
  const study::Matrix by_blocks = study::composite_inertia(robot);
  Numbers in_order(16);
  for (std::size_t r = 0; r < 4; ++r)
    for (std::size_t c = 0; c < 4; ++c)
      in_order[static_cast<std::size_t>(robot.dofs[r]) * 4 + static_cast<std::size_t>(robot.dofs[c])] =
          by_blocks.entries[r * 4 + c];
  page.table({"", "I, by rows [kg m^2]"},
             {{"blocks N^jT M~^j A^ji N^i (16), (17)", listed(in_order)},
              {"composite bodies, link by link", listed(RobotAt(model, s.q, s.v).inertia())}});
}

void table_1(Page& page) {
  page.section("table-1", "Table 1: inverse dynamics of the gripper, from module to module and from link to link");
  page.say(
      "The table is in letters; these are the torques at t = 0.4 s of the motion (15). Twists, twist rates and "
      "wrenches outward, w~ and tau inward; gravity accelerates the base.");
  const GripperState s;
  const Model& model = *s.closing.model;
  const auto torques = [&](study::Grouping grouping) {
    const study::Modular robot = study::modular(model, s.q, grouping);
    const auto motion = study::modular_inverse(model, s.q, s.v, s.a, grouping);
    Numbers tau(4);
    for (std::size_t i = 0; i < motion.size(); ++i)
      for (std::size_t k = 0; k < robot.modules[i].dofs.size(); ++k)
        tau[static_cast<std::size_t>(robot.modules[i].dofs[k])] = motion[i].tau.entries[k];
    return tau;
  };
  std::vector<Page::Row> rows = {{"inter-modular recursion", listed(torques(study::Grouping::modules))},
                                 {"intra-modular recursion, link by link", listed(torques(study::Grouping::links))}};
  for (Page::Row& row : RobotAt(model, s.q, s.v).by_each(inverse_formulations<double>(), s.a))
    rows.push_back(std::move(row));
  page.table({"", "torques of palm, finger (two joints) and thumb [N m]"}, rows);
}

void closed_chain_subsystems(Page& page) {
  page.section("subsystems", "2.2: determinate and indeterminate subsystems of closed chains");
  page.say(
      "The document cuts the loops and calls a subsystem determinate if its equations are enough for its driving "
      "torques and Lagrange multipliers; those are then known loads for the next. It has no example. `denoc subsystems "
      "MODEL --driven JOINTS` says for any robot which subsystems there are, which joints and loops they have, and in "
      "which order they are solved; here for shipped ones:");
  std::vector<Page::Row> rows;
  for (const char* name : {"fourbar", "three_rrr", "andrews"}) {
    const Mechanism robot(name);
    const Numbers q = ClosedChain(robot.tree()).assemble(robot.neutral());
    const auto found = solved_subsystems(robot, q, independent_freedoms(robot, q));
    for (const SolvedSubsystem& subsystem : found)
      rows.push_back({&subsystem == &found.front() ? fmt::format("`{}`", name) : "", fmt::format("{}", subsystem.order),
                      fmt::format("{}", fmt::join(subsystem.joints, ", ")),
                      fmt::format("{}", fmt::join(subsystem.driven, ", ")),
                      fmt::format("{}", fmt::join(subsystem.loops, "; ")),
                      subsystem.is_determinate ? "determinate" : "indeterminate: solved together"});
  }
  page.table({"robot", ">order", "joints", "driven", "loops whose forces it gives", ""}, rows);
}

void gripper(Page& page) {
  page.section("fig-5", "Fig. 5: torques of the gripper");
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

  const TimedTorques timed = timed_torques(closing);
  page.compare(
      {{"time for the torques [s]", "0.025 (ADAMS: 1.95)", fmt::format("{:.5f}", timed.seconds),
        fmt::format("compiled code on a machine of another decade; {} instants, 1 ms apart", timed.instants)}});

  page.section("fig-6", "Fig. 6: the gripper falls");
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
  page.section("table-3", "Table 3: forward dynamics of the gripper, from module to module and from link to link");
  page.say(
      "The table is in letters; these are the accelerations when the gripper of Fig. 6 is let go. Read with its "
      "misprints corrected: row 1^3 is eta_13 = Psi_13 phihat_13, row 1^2 carries eta_12 = Psi_12 phihat_12 + "
      "etatil_12, N^1 is transposed, mu^1 = N^1 q''^1. `denoc study gripper --only modules` writes the matrices out.");
  const Scenario falling = example("gripper_fall");
  const Model& model = *falling.model;
  const Numbers &q = falling.setup.q, &v = falling.setup.v;
  RobotAt here(model, q, v);
  const Numbers none(v.size());
  Numbers phi = here.torques(none);
  for (double& x : phi) x = -x;
  std::vector<Page::Row> rows = {
      {"inter-modular recursion", listed(study::solve(study::modular(model, q, study::Grouping::modules), phi))},
      {"intra-modular recursion, link by link",
       listed(study::solve(study::modular(model, q, study::Grouping::links), phi))}};
  for (Page::Row& row : here.by_each(distinct_forward_methods<double>(), none)) rows.push_back(std::move(row));
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
  page.section("fig-7", "Fig. 7: a rope of 100 degrees of freedom");
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
  std::vector<NamedCost> inverse, forward;  // of Table 4
  for (const PublishedCount& p : published_counts()) {
    if (!p.is_in("Shah13 Table 4")) continue;
    const NamedCost cost{std::string(p.who.empty() ? "Shah13" : p.who), {p.mul, p.add}};
    (p.problem == "inverse" ? inverse : forward).push_back(cost);
  }
  page.section("table-4", "Table 4: operations of inverse and forward dynamics");
  cost_table(page, inverse, our_costs("inverse"));
  const auto ours = our_costs(phi_given);
  page.say("Forward dynamics, phi given:");
  cost_table(page, forward, ours);
  page.say("Table 4 prints 10 3/2 n^3 for the second term of [14]; it is read as 11 1/2 n^2. Ours with the bias:");
  const auto whole = our_costs("forward");
  cost_table(page, {}, whole);
  page.say("Articulated bodies are left out: they are the code of `denoc`.");

  page.section("fig-8", "Fig. 8: operations against the number of joints");
  const PolynomialCost own = forward.front().cost, cubic = forward.back().cost;
  std::vector<Compared> rows = {{"phi given: fewer multiplications and fewer additions than [14] from n =",
                                 fmt::format("{} (from Table 4)", crossover(own, cubic, Criterion::both)),
                                 fmt::to_string(crossover(ours.front().cost, cubic, Criterion::both)),
                                 "fewer operations of ours"}};
  for (const NamedCost& cost : whole) {
    if (cost.cost.mul.c[3] == 0) continue;
    rows.push_back({fmt::format("bias included: `{}` takes fewer operations (M + A) than `{}` from n =",
                                whole.front().name, cost.name),
                    "", fmt::to_string(crossover(whole.front().cost, cost.cost, Criterion::sum))});
  }
  page.compare(rows);
  std::vector<NamedCost> drawn = forward;
  drawn.push_back({"ours, phi given", ours.front().cost});
  for (const NamedCost& cost : whole) drawn.push_back({fmt::format("ours, {}", cost.name), cost.cost, cost.only_six});
  page.figure("fig8", "Multiplications and additions of forward dynamics against the number of joints.",
              cost_plot(drawn, 100), {640, 420});
  page.say("The published ones and the first of ours are with phi given, the others with the bias included.");
}

}  // namespace

void write_shah13(Page& page) {
  modules(page);
  table_1(page);
  closed_chain_subsystems(page);
  gripper(page);
  table_3(page);
  rope(page);
  counts(page);
}

}  // namespace denoc::app
