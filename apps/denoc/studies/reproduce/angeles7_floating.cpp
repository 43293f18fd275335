// Angeles7 7.5.2: a robot on a base that floats. The joints move as given; base motion and torques follow.
#include <fmt/format.h>

#include <cmath>

#include "denoc/dynamics/study.hpp"
#include "denoc/eigen.hpp"
#include "denoc/motion/forces_along.hpp"
#include "denoc/motion/joint_motion.hpp"
#include "output/table.hpp"
#include "studies/reproduce/angeles7_parts.hpp"
#include "studies/reproduce/runs.hpp"

namespace denoc::app {
namespace {

// (7.89): T = [[1, 0], [T_0, T']]; the book prints zeros for T_0, so that links would not move with their base.
void complement_of_floating(Page& page, const Model& model) {
  const Numbers q = {0.3, -0.2, 0.5, 0.9233805168766387, 0.10259783520851541, -0.3077935056255462, 0.20519567041703082,
                     0.4, -0.8, 1.3};
  const Numbers v = {0.05, -0.08, 0.12, 0.14421052631578948, -0.17473684210526316, -0.03421052631578946,
                     0.6,  -0.5,  0.9};
  const study::Matrices m = study::matrices(model, q, v);
  const Eigen::MatrixXd T = Eigen::Map<const RowMajor>(m.T.entries.data(), m.T.rows, m.T.cols),
                        M = Eigen::Map<const RowMajor>(m.M.entries.data(), m.M.rows, m.M.cols);
  Eigen::MatrixXd printed = T;
  printed.bottomLeftCorner(T.rows() - 6, 6).setZero();
  const Eigen::VectorXd rates = map(v), t = Eigen::Map<const Eigen::VectorXd>(m.t.entries.data(), m.t.rows);
  const Numbers I = RobotAt(model, q, v).inertia();
  const auto row = [&](const char* name, const Eigen::MatrixXd& of) {
    const RowMajor square = of.transpose() * M * of;
    return Page::Row{name, fmt::format("{:.1e}", (of * rates - t).cwiseAbs().maxCoeff()),
                     fmt::format("{:.1e}", largest_difference({square.data(), square.data() + square.size()}, I)),
                     fmt::format("{:.4f}", square(3, 3))};
  };
  page.table({"T of (7.89)", ">T v - t [rad/s, m/s]", ">T^T M T - I [kg m^2]", ">mass that the base feels [kg]"},
             {row("with T_0i = [[1, 0], [-(c_i - c_0)~, 1]] below", T), row("as printed, zero below", printed)});
  page.say("All of the robot has 95 kg, its base 80 kg: with zeros below, the base would not carry its arm.");
}

}  // namespace

void floating_base(Page& page) {
  page.section("floating-base", "7.5.2: a base that floats");
  page.say(
      "The book extends T by the six columns of the base and has no example. The shipped `free_flying_arm`, three "
      "joints on a base of 80 kg without gravity, here at the state of its scenario; T is written out by `denoc study "
      "free_flying_arm --only T`.");
  const Mechanism robot("free_flying_arm");
  complement_of_floating(page, robot.tree());
  const auto model = std::make_shared<const Model>(robot.robot());
  Numbers from = robot.neutral(), to = from;
  from[7] = 0.4, from[8] = -0.8, from[9] = 1.3;
  to[7] = 1.6, to[8] = 0.3, to[9] = -0.4;
  const auto motion = point_to_point(model, from, to, 2, Profile::poly345);
  Dynamics dynamics(robot);
  figures::Record record;
  std::vector<double> turned, moved;
  double linear = 0, angular = 0, given = 0, most_speed = 0;
  forces_along(robot, *motion, {2.0, 0.01, Forces::none, robot.driven()}, [&](const AlongSample& s) {
    record.t.push_back(s.t);
    record.tau.emplace_back(s.tau.begin() + 6, s.tau.end());
    turned.push_back(2 * std::acos(std::min(1.0, std::abs(s.q[3]))) * 180 / 3.14159265358979323846);
    moved.push_back(1e3 * std::hypot(s.q[0], s.q[1], s.q[2]));
    const auto [p, L] = dynamics.momentum(s.q, s.v);
    linear = std::max(linear, norm(p));
    angular = std::max(angular, norm(L));
    for (int k = 0; k < 6; ++k) given = std::max(given, std::abs(s.tau[static_cast<std::size_t>(k)]));
    most_speed = std::max(most_speed, std::hypot(s.v[3], s.v[4], s.v[5]));
  });
  page.say(
      "The joints go from (0.4, -0.8, 1.3) to (1.6, 0.3, -0.4) rad in 2 s along the 3-4-5 polynomial; nothing drives "
      "the base, which begins at rest. What it does, and the torques of the joints, are found together:");
  page.table({"", ""}, {{"largest force or moment on the base [N, N m]", fmt::format("{:.1e}", given)},
                        {"largest linear momentum [kg m/s]",
                         fmt::format("{:.1e} (a base at its largest speed alone has {:.2f})", linear, 80 * most_speed)},
                        {"largest angular momentum [kg m^2/s]", fmt::format("{:.1e}", angular)},
                        {"the base has turned by [degrees]", fmt::format("{:.3f}", turned.back())},
                        {"and moved by [mm]", fmt::format("{:.2f}", moved.back())}});
  std::vector<figures::Curve> torques;
  for (const char* joint : {"shoulder", "upper_arm", "forearm"})
    torques.push_back({joint, record.t, figures::column(record.tau, torques.size())});
  const std::vector<figures::Plot> panels = {{"", {"t", "s"}, {"base turned", "degrees"}, {{"base", record.t, turned}}},
                                             {"", {"t", "s"}, {"base moved", "mm"}, {{"base", record.t, moved}}},
                                             {"", {"t", "s"}, {"torques", "N m"}, torques}};
  page.figure("floating-base", "The base turns and moves against the arm; torques of its joints.", panels, {600, 180});
}

}  // namespace denoc::app
