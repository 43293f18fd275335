// Angeles7: the examples, friction (7.8), and in which order everything stands on the page.
#include <fmt/format.h>

#include <cmath>

#include "denoc/dynamics/study.hpp"
#include "denoc/motion/joint_motion.hpp"
#include "denoc/motion/minimum_time.hpp"
#include "output/table.hpp"
#include "studies/reproduce/angeles7_parts.hpp"
#include "studies/reproduce/documents.hpp"
#include "studies/reproduce/printed_angeles7.hpp"
#include "studies/reproduce/runs.hpp"

namespace denoc::app {
namespace {

void planar_arm(Page& page) {
  page.section("planar-arm", "Examples 7.3.1 and 7.6.2: a planar arm");
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
  page.section("spatial-arm", "Example 7.6.1: a spatial arm");
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
  const study::Matrices matrices = study::matrices(model, Numbers(3), Numbers{p, p, p});
  Numbers P(9);  // T^T M T'
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k)
      for (int r = 0; r < matrices.M.rows; ++r)
        for (int c = 0; c < matrices.M.cols; ++c)
          P[static_cast<std::size_t>(3 * i + k)] += matrices.T(r, i) * matrices.M(r, c) * matrices.T_rate(c, k);
  page.say(
      "Part (b), the rate of I: the book sums T^T M T' and its transpose (W M - M W vanishes for isotropic links). "
      "What it prints is not symmetric, as a rate of I must be, and not the sum of the matrix before it and its "
      "transpose.");
  page.compare(
      {compared("T^T M T', by rows [kg m^2/s]",
                {-p * ma2 / 4, 7 * p * ma2 / 4, -p * (ma2 / 2 + I), -p * ma2 / 2, 0, p * (ma2 / 4 + I), p * ma2 / 2,
                 p * (ma2 / 4 - I), 0},
                P, "t'_21 and t'_31 as above: the first column changes"),
       compared("I', by rows [kg m^2/s]",
                {-p * ma2 / 2, 5 * p * ma2 / 4, -p * I, 5 * p * ma2 / 4, 0, p * (ma2 + I), -p * I, p * ma2 / 2, 0},
                inertia_rate(model, Numbers(3), {p, p, p}),
                "the misprints of T^T M T', and further ones of the sum; ours is I differentiated exactly")});
}

void minimum_time_example(Page& page) {
  page.section("minimum-time", "Example 7.5.1: the shortest time of a motion");
  page.say(
      "The example is in letters. Numbers: `planar3r` from (0.1, -0.5, 0.4) by (1.2, 1.6, -1.1) rad along the 3-4-5 "
      "polynomial, with torques of at most 90, 35 and 8 N m. `denoc mintime planar3r --motion FILE --limits 90,35,8` "
      "finds it for motions of one's own, and a scenario whose motion is of type `fastest` runs it.");
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

void friction(Page& page) {
  page.section("friction", "7.8: friction");
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

Compared compared(const std::string& what, const Numbers& published, const Numbers& ours, const std::string& why) {
  return {what, listed(published), listed(ours),
          largest_difference(published, ours) > 1e-12 * largest(ours) ? why : ""};
}

void write_angeles7(Page& page) {
  counts_of_inverse_dynamics(page);
  counts_of_forward_dynamics(page);
  planar_arm(page);
  minimum_time_example(page);
  floating_base(page);
  spatial_arm(page);
  integrators(page);
  exercise_1(page);
  exercise_2(page);
  exercise_3(page);
  exercise_4(page);
  exercises_5_and_15(page);
  exercises_6_7_11(page);
  exercise_8(page);
  exercise_9(page);
  exercise_10(page);
  exercise_12(page);
  exercise_13(page);
  exercise_14(page);
  friction(page);
}

}  // namespace denoc::app
