// Angeles7: operation counts (Tables 7.3 and 7.4), the examples, the exercises with numbers, friction (7.8).
#include <fmt/format.h>

#include <cmath>

#include "denoc/dynamics/operation_counts.hpp"
#include "denoc/kinematics/inverse_rates.hpp"
#include "denoc/model/serial_chain.hpp"
#include "denoc/motion/joint_motion.hpp"
#include "denoc/motion/minimum_time.hpp"
#include "reproduce/documents.hpp"
#include "reproduce/printed_angeles7.hpp"
#include "reproduce/published_costs.hpp"
#include "reproduce/robot_at.hpp"
#include "reproduce/runs.hpp"
#include "table.hpp"

namespace denoc::app {
namespace {

std::string listed(const Numbers& x) {
  Page::Row cells;
  for (const double y : x) cells.push_back(shown(y, largest(x)));
  return fmt::format("{}", fmt::join(cells, ", "));
}
struct NamedCount {
  std::string method;
  OperationCount count;
};
// An entry that agrees to rounding says nothing about why it differs.
Compared compared(const std::string& what, const Numbers& printed, const Numbers& ours, const std::string& why) {
  return {what, listed(printed), listed(ours), largest_difference(printed, ours) > 1e-12 * largest(ours) ? why : ""};
}

void counts(Page& page) {
  page.section("Tables 7.3 and 7.4: operations of inverse dynamics");
  cost_table(page,
             {{"Hollerbach, Euler-Lagrange", {{{-277, 412}}, {{-201, 320}}}},
              {"Luh and others, Newton-Euler", {{{-48, 150}}, {{-48, 131}}}},
              {"Walker and Orin, Newton-Euler", {{{-22, 137}}, {{-11, 101}}}},
              {"(7.43), Newton-Euler", {{{-22, 137}}, {{-14, 110}}}},
              {"Khalil and others, Newton-Euler", {{{-92, 105}}, {{-86, 94}}}},
              {"Angeles and others, Kane", {{{-109, 105}}, {{-105, 90}}}},
              {"Balafoutis and Patel, tensors", {{{-69, 93}}, {{-65, 81}}}},
              {"Li and Sankar, Euler-Lagrange", {{{-69, 88}}, {{-66, 76}}}}},
             our_costs("inverse"));
  page.say(
      "137n-22 M, 110n-14 A include the positions and velocities of the mass centres (Table 7.1), which inverse "
      "dynamics does not need; Tables 7.1 and 7.2 are its parts. Table 7.4 has 420 A for Balafoutis and Patel, where "
      "81n-65 of "
      "Table 7.3 gives 421 (Mata02 prints 81n-66).");
  page.section("(7.112)-(7.117): operations of the inertia matrix and of forward dynamics");
  cost_table(page, {{"(7.112) and (7.113), P and I", {{{0, -12, 20}}, {{0, -7.5, 12.5}}}}}, our_costs("inertia"));
  cost_table(page,
             {{"(7.117), NOC and Cholesky", {{{-22, 367. / 3, 37. / 2, 1. / 6}}, {{-14, 298. / 3, 23. / 2, 1. / 6}}}}},
             our_costs("forward"));
  page.say("(7.117) is not the sum of its parts, (7.112) to (7.116); it is shown as printed.");
}

void planar_arm(Page& page) {
  page.section("Examples 7.3.1 and 7.6.2: a planar arm");
  page.say(
      "The book gives formulas; both columns are their values for the shipped `planar3r` at theta = (0.4, -0.7, 1.1), "
      "rates (0.8, -1.3, 2.1) rad/s. Ours are computed by the recursions.");
  const Model model(shipped("planar3r"));
  const Numbers q = {0.4, -0.7, 1.1}, v = {0.8, -1.3, 2.1};
  RobotAt robot(model, q, v);
  const printed::PlanarArm book(model.robot(), q, v);
  Numbers weight = robot.gravity();
  for (double& x : weight) x = -x;
  page.compare(
      {compared("I, by rows [kg m^2]", book.inertia(), robot.inertia(), ""),
       compared("nu = C theta' [N m]", book.velocity_forces(), robot.velocity_forces(), ""),
       compared("gamma of 7.6.2 [N m]", book.gravity_of_762(), weight,
                "the factors 2 before m2 a2 c12 and m3 a3 c123 do not belong there: mass centres are at the middle"),
       compared("-dV/dtheta of 7.3.1 [N m]", book.gravity_of_731(), weight, ""),
       compared("squared speed of C_3 in 7.3.1 [m^2/s^2]", {book.squared_speed_3()},
                {printed::squared_speed_of_mass_centre(model, q, v, 3)}, "a2 a3 cos(theta3) has the factor 1, not 2")});
}

void spatial_arm(Page& page) {
  page.section("Example 7.6.1: a spatial arm");
  const double m = 2.5, a = 0.4, I = 0.03, p = 1.7, ma2 = m * a * a;
  page.say(
      "Formulas of the book and ours for the shipped `spatial3r`: m = 2.5 kg, a = 0.4 m, I = 0.03 kg m^2, p = 1.7 "
      "rad/s.");
  const Model model(shipped("spatial3r"));
  RobotAt robot(model, Numbers(3), {p, p, p});
  page.compare(
      {compared("I, by rows [kg m^2]", {11 * ma2 / 4 + 3 * I, ma2, 0, ma2, 7 * ma2 / 4 + 2 * I, 0, 0, 0, ma2 / 4 + I},
                robot.inertia(), ""),
       compared("C theta' [N m]", {p * p * (ma2 / 2 - I), p * p * (I - ma2 / 4), p * p * (ma2 - I)},
                robot.velocity_forces(),
                "the first entry is p^2 (a^2 m - I): t'_21 and t'_31 are p [0; (a/2)(i - 3j)]")});
}

void minimum_time_example(Page& page) {
  page.section("Example 7.5.1: the shortest time of a motion");
  page.say(
      "The example is in letters. Numbers: `planar3r` from (0.1, -0.5, 0.4) by (1.2, 1.6, -1.1) rad along the 3-4-5 "
      "polynomial, with torques of at most 90, 35 and 8 N m.");
  const std::vector<double> limits = {90, 35, 8};
  const Numbers from = {0.1, -0.5, 0.4}, to = {1.3, 1.1, -0.7};
  std::vector<Page::Row> rows;
  for (const bool with_gravity : {false, true}) {
    Robot robot = shipped("planar3r");
    if (!with_gravity) robot.gravity = {0, 0, 0};
    const auto model = std::make_shared<const Model>(robot);
    const MinimumTime least = minimum_time(*model, *point_to_point(model, from, to, 1, Profile::poly345), limits);
    Page::Row row = {with_gravity ? "with gravity" : "without gravity, as in the book"};
    for (const auto& [x, duration] : least.per_dof) row.push_back(fmt::format("{:.6f} at x = {:.4f}", duration, x));
    row.push_back(fmt::format("**{:.6f}** by joint {}", least.duration, least.dof + 1));
    rows.push_back(row);
  }
  page.table({"", ">T_1 [s]", ">T_2 [s]", ">T_3 [s]", ">T_min [s]"}, rows);
  const Scenario fastest = example("minimum_time");
  const Run motion = run(fastest);
  auto part = motion.record.tau;
  for (auto& row : part) {
    for (std::size_t k = 0; k < row.size(); ++k) row[k] /= limits[k];
  }
  page.figure("minimum-time",
              "Torques of the fastest motion with gravity, as parts of their limits: drive 1 touches its own.",
              figures::Plot{"", {"t", "s"}, {"torque / limit", ""}, curves_of(*fastest.model, motion.record.t, part)});
}

void exercises(Page& page) {
  page.section("Exercises 7.6, 7.7, 7.11: a wrist, a pointing device, an RRP arm");
  page.say(
      "The book asks for formulas and has no answers: closed forms derived for them are beside ours, at the states of "
      "the "
      "scenarios `wrist`, `pointing_device` and `rrp`. Where the figure is missing, the robot's file states its "
      "geometry.");
  const Scenario wrist = example("wrist"), device = example("pointing_device"), rrp = example("rrp");
  const auto at = [](const Scenario& s) { return RobotAt(*s.model, s.setup.q, s.setup.v); };
  RobotAt wrist_at = at(wrist), device_at = at(device), rrp_at = at(rrp);
  std::vector<Page::Row> rows;
  const auto add = [&](const std::string& what, const Numbers& closed_form, const Numbers& ours) {
    rows.push_back(
        {what, listed(closed_form), listed(ours), fmt::format("{:.0e}", largest_difference(closed_form, ours))});
  };
  add("7.6 (a): I, by rows [kg m^2]", printed::wrist_inertia(wrist.setup.q), wrist_at.inertia());
  add("7.6: dV/dtheta [N m]", {0, 0.6 * 9.81 * 0.05 * std::sin(wrist.setup.q[1]), 0}, wrist_at.gravity());
  add("7.11 (b): I, by rows", printed::rrp_inertia(rrp.setup.q), rrp_at.inertia());
  add("7.11 (a): forces at no acceleration [N m, N m, N]", printed::rrp_forces(rrp.setup.q, rrp.setup.v),
      rrp_at.torques(Numbers(3)));
  page.table({"", "closed form", "ours", ">largest difference"}, rows);
  page.table({"", "7.6, wrist", "7.7, pointing device", "7.11, RRP arm"},
             {{"C theta'", listed(wrist_at.velocity_forces()), listed(device_at.velocity_forces()),
               listed(rrp_at.velocity_forces())},
              {"gravity", listed(wrist_at.gravity()), listed(device_at.gravity()), listed(rrp_at.gravity())},
              {"I, by rows", listed(wrist_at.inertia()), listed(device_at.inertia()), listed(rrp_at.inertia())}});
}

void exercise_3(Page& page) {
  page.section("Exercise 7.3: torques of a six-axis arm for a motion of its hand");
  page.say(
      "The figure with the robot's dimensions and posture is not in the text: `decoupled_arm` has the masses and "
      "inertias "
      "of the exercise on the dimensions of a PUMA, here at theta = (0.3, -0.6, 0.9, 0.4, -0.8, 1.1).");
  const Model model(shipped("decoupled_arm"));
  const Numbers q = {0.3, -0.6, 0.9, 0.4, -0.8, 1.1};
  const Twist<double> twist{{0, 1, 0}, {1, 0, 1}}, rate{{1, 0, 1}, {0, 1, 0}};
  Numbers v(6), a(6);
  Configuration<double> at(model);
  Kinematics<double> kin(model);
  InverseRatesScratch<double> scratch(model);
  place<double>(model, q, at);
  positions<double>(model, at, kin);
  joint_rates<double>(model, kin, 6, twist, scratch, v);
  velocities<double>(model, v, kin);
  joint_accelerations<double>(model, kin, 6, v, rate, scratch, a);
  page.table({"", "ours"}, {{"joint rates [rad/s]", listed(v)},
                            {"joint accelerations [rad/s^2]", listed(a)},
                            {"torques [N m]", listed(RobotAt(model, q, v).torques(a))}});
}

// Inverse dynamics of six links, folded, by method.
std::vector<NamedCount> inverse_counts(const Robot& robot) {
  std::vector<NamedCount> counts;
  for (const ProblemCount& row : operation_counts(Model(robot))) {
    if (row.problem == "inverse") counts.push_back({row.method, row.folded.value()});
  }
  return counts;
}

void exercises_in_counts(Page& page) {
  page.section("Exercise 7.10: operations of Coriolis and centrifugal forces");
  cost_table(page, {}, our_costs("bias"));
  page.say("With gravity, which costs nothing: the base accelerates (7.44).");
  page.section("Exercise 7.12: what links save whose inertia is isotropic");
  Robot isotropic = serial_chain(6);
  for (Body& body : isotropic.bodies) {
    const double moment = body.inertial.inertia.xx;
    body.inertial.inertia = {moment, 0, moment, 0, 0, moment};
  }
  const auto general = inverse_counts(serial_chain(6)), alike = inverse_counts(isotropic);
  std::vector<Page::Row> rows;
  for (std::size_t i = 0; i < general.size(); ++i) {
    const auto text = [](const OperationCount& c) { return fmt::format("{} M, {} A", c.mul + c.div, c.add); };
    rows.push_back({general[i].method, text(general[i].count), text(alike[i].count)});
  }
  page.table({"inverse dynamics, n = 6", ">general links", ">isotropic links"}, rows);
  page.say(
      "Isotropic about the mass centre, and so not about the joint: methods that work about the joints, and need no "
      "less "
      "there, save nothing.");
}

void inertia_of_equal_links(Page& page) {
  page.section("Exercise 7.14: the inertia matrix in numbers");
  Robot robot = shipped("planar3r");
  for (std::size_t b = 1; b <= 3; ++b) {
    Inertial& link = robot.bodies[b].inertial;
    const double a = robot.bodies[b].own_frame.r.x;
    link.inertia.yy = link.inertia.zz = link.mass * a * a;
  }
  const Numbers q = {0.4, -0.7, 1.1}, v(3);
  const Model model(robot);
  page.compare({compared("I of `planar3r` with I_i = m_i a_i^2, by rows [kg m^2]; published: formulas of 7.3.1",
                         printed::PlanarArm(robot, q, v).inertia(), RobotAt(model, q, v).inertia(), "")});
}

// Exercise 7.15 and the remark after (7.59).
void skew_symmetry(Page& page) {
  page.section("Exercises 7.5 and 7.15: I' - 2 C is skew-symmetric");
  std::vector<Compared> rows;
  for (const char* name : {"planar3r", "spatial3r", "puma560"}) {
    const Model model(shipped(name));
    const auto n = static_cast<std::size_t>(model.nv());
    Numbers q, v, C(n * n);
    for (std::size_t k = 0; k < n; ++k) {
      q.push_back(0.3 + 0.4 * static_cast<double>(k));
      v.push_back(1 - 0.7 * static_cast<double>(k));
    }
    Configuration<double> at(model);
    CoriolisScratch<double> scratch(model);
    place<double>(model, q, at);
    coriolis_matrix<double>(model, at, v, scratch, C);
    const auto inertia_at = [&](double time) {
      Numbers moved = q;
      for (std::size_t k = 0; k < n; ++k) moved[k] += time * v[k];
      return RobotAt(model, moved, v).inertia();
    };
    const double h = 1e-5;
    const Numbers before = inertia_at(-h), after = inertia_at(h);
    double worst = 0;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < n; ++k) {
        const double rate = (after[i * n + k] - before[i * n + k]) / (2 * h);
        worst = std::max(worst, std::abs(rate - C[i * n + k] - C[k * n + i]));
      }
    }
    rows.push_back({fmt::format("{}: largest entry of I' - C - C^T", name), "0", fmt::format("{:.1e}", worst),
                    "I' by differences over 2e-5 s: rounding of I over that time"});
  }
  page.compare(rows);
}

void friction(Page& page) {
  page.section("7.8: friction");
  const Scenario pendulum = example("friction_pendulum"), belt = example("belt");
  const Run swing = run(pendulum), slip = run(belt);
  page.say(
      "The book has formulas only. The power that goes is 2 Delta for viscous friction (7.130), Delta for (7.135), and "
      "sum |theta'|(tauC + eps exp(-gamma |theta'|)) for (7.136), not Delta of (7.138). sgn(0) is no number: at rest "
      "friction is an unknown within its limits, and the joint sticks.");
  std::vector<Page::Row> rows;
  for (const FrictionEvent& event : swing.events) {
    rows.push_back({event.kind == FrictionEvent::Kind::stick ? "sticks" : "turns", fmt::format("{:.9f}", event.t),
                    fmt::format("{:.9f}", event.position)});
  }
  page.table({"pendulum", ">t [s]", ">angle [rad]"}, rows);
  const std::vector<figures::Plot> panels = {
      {"", {"t", "s"}, {"angle", "rad"}, curves_of(*pendulum.model, swing.record.t, swing.record.q)},
      {"", {"t", "s"}, {"dissipated", "J"}, {{"dissipated", swing.record.t, swing.record.dissipated}}}};
  page.figure("friction-pendulum",
              "A pendulum with viscous, Coulomb and Stribeck friction comes to rest off the vertical.", panels,
              {600, 190});
  const std::vector<figures::Plot> belt_panels = {
      {"", {"t", "s"}, {"position", "m"}, curves_of(*belt.model, slip.record.t, slip.record.q)},
      {"", {"t", "s"}, {"speed", "m/s"}, curves_of(*belt.model, slip.record.t, slip.record.v)}};
  page.figure("belt", "A block on a belt: carried along while it sticks, thrown back while it slips.", belt_panels,
              {600, 190});
}

}  // namespace

void write_angeles7(Page& page) {
  counts(page);
  planar_arm(page);
  minimum_time_example(page);
  spatial_arm(page);
  exercise_3(page);
  exercises(page);
  exercises_in_counts(page);
  inertia_of_equal_links(page);
  skew_symmetry(page);
  friction(page);
}

}  // namespace denoc::app
