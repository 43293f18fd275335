// denoc demo: what `make run` shows. Torques of the PUMA of Mohan07 along its trajectory, and the accelerations back.
#include <cmath>
#include <numbers>

#include "denoc/dynamics/formulations.hpp"
#include "problem.hpp"
#include "table.hpp"

namespace denoc::app {
namespace {

constexpr double duration = 10, turn = std::numbers::pi;  // s, rad

struct Motion {
  double q, v, a;
};
// All joints alike, at rest at both ends: theta = theta(T)/T (t - T/(2 pi) sin(2 pi t/T))               [Mohan07 (38)]
Motion trajectory(double t) {
  const double w = 2 * std::numbers::pi / duration, mean = turn / duration;
  return {mean * (t - std::sin(w * t) / w), mean * (1 - std::cos(w * t)), mean * w * std::sin(w * t)};
}

}  // namespace

Status demo(Session& session) {
  const RobotOptions options{.model = "puma_mohan07"};
  const Model model(load_robot(options, session));
  session.remarks.clear();  // the massless wrist of the paper is no news
  const std::vector<Dof> dofs = dofs_of(model);
  const std::size_t n = dofs.size();
  Workspace<double> work(model);

  std::vector<double> times;
  for (int t = 0; t <= 10; ++t) times.push_back(t * duration / 10);
  std::vector<std::vector<double>> columns(n);
  double residual = 0, largest = 0;
  for (const double t : times) {
    const auto [angle, rate, acceleration] = trajectory(t);
    const std::vector<double> q(n, angle), v(n, rate), a(n, acceleration);
    std::vector<double> tau(n), back(n);
    place<double>(model, q, work.at);
    inverse_dynamics<double>(model, work.at, v, a, work.inverse, tau);
    forward_dynamics<double>(model, work.at, v, tau, work.forward, back);
    for (std::size_t k = 0; k < n; ++k) {
      columns[k].push_back(tau[k]);
      residual = std::max(residual, std::abs(back[k] - a[k]));
      largest = std::max(largest, std::abs(a[k]));
    }
  }

  std::vector<std::string> headings = {">t [s]"};
  std::vector<std::vector<std::string>> cells = {shown_alike(times)};
  for (std::size_t k = 0; k < n; ++k) {
    headings.push_back(fmt::format(">tau{} [{}]", k + 1, dofs[k].force_unit()));
    cells.push_back(shown_alike(columns[k]));
  }
  Table table(headings);
  for (std::size_t i = 0; i < times.size(); ++i) {
    std::vector<std::string> row = {fmt::format("{:.1f}", times[i])};
    for (std::size_t k = 0; k < n; ++k) row.push_back(cells[k + 1][i]);
    table.row(row);
  }
  session.out = fmt::format(
      "The PUMA of Mohan & Saha 2007: all six joints turn from 0 to 180 degrees in {} s along a cycloid.\n"
      "Torques of its motors by inverse dynamics:\n\n{}\n"
      "Forward dynamics gives the accelerations back from these torques: max |a_back - a| = {:.1e} rad/s^2, of\n"
      "accelerations up to {:.2f} rad/s^2. That is rounding: 2.2e-16, times the condition number of the inertia\n"
      "matrix (4892 to 11350 along the way), times accelerations whose torques hold the arm up as well.\n\n"
      "Next:  {} info puma560                         what a robot is made of\n"
      "       {} id ROBOT.urdf --state STATE.json     torques of your own robot (id --help says what is in STATE)\n",
      duration, table.text(), residual, largest, session.program, session.program);
  return Status::done;
}

}  // namespace denoc::app
