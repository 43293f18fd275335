// Angeles7, exercises on matrices and forces: 7.1 to 7.3, 7.5 to 7.8, 7.11, 7.14, 7.15.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "denoc/dynamics/study.hpp"
#include "denoc/eigen.hpp"
#include "denoc/kinematics/inverse_rates.hpp"
#include "output/table.hpp"
#include "studies/reproduce/angeles7_parts.hpp"
#include "studies/reproduce/printed_angeles7.hpp"
#include "studies/reproduce/runs.hpp"

namespace denoc::app {
namespace {

Eigen::MatrixXd dense(const study::Matrix& m) { return Eigen::Map<const RowMajor>(m.entries.data(), m.rows, m.cols); }
Eigen::VectorXd column(const Numbers& x) { return map(x); }
Numbers by_rows(const Eigen::MatrixXd& m) {
  const RowMajor rows = m;
  return {rows.data(), rows.data() + rows.size()};
}

// Some motion that is nothing special.
struct Motion {
  explicit Motion(const Model& model) {
    for (int k = 0; k < model.nv(); ++k) {
      q.push_back(0.3 + 0.4 * k);
      v.push_back(1 - 0.7 * k);
      a.push_back(0.5 * k - 1);
    }
  }
  Motion after(double t) const {
    Motion there = *this;
    for (std::size_t k = 0; k < q.size(); ++k) {
      there.q[k] += t * (v[k] + t / 2 * a[k]);
      there.v[k] += t * a[k];
    }
    return there;
  }
  Numbers q = {}, v = {}, a = {};
};

}  // namespace

Numbers inertia_rate(const Model& model, const Numbers& q, const Numbers& direction) {
  using Moving = Dual<double>;
  std::vector<Moving> moved, inertia(q.size() * q.size());
  for (std::size_t k = 0; k < q.size(); ++k) moved.push_back({q[k], direction[k]});
  Configuration<Moving> at(model);
  CompositeScratch<Moving> scratch(model);
  place<Moving>(model, moved, at);
  inertia_matrix<Moving>(model, at, scratch, inertia);
  Numbers rate;
  for (const Moving& x : inertia) rate.push_back(x.d);
  return rate;
}

void exercise_1(Page& page) {
  page.section("exercise-1", "Exercise 7.1: angular velocities and momenta of the links");
  page.say(
      "Show that W t = 0, that M' = W M - M W, and that the momenta mu = M t of the links change by M t' + W M t "
      "(7.15). Here they are computed at a state that is nothing special; the last column goes another road, by the "
      "recursion: the momentum equations, projected by T, must give the joint torques without gravity.");
  std::vector<Page::Row> rows;
  for (const char* name : {"planar3r", "spatial3r", "puma560"}) {
    Robot robot = shipped(name);
    robot.gravity = {0, 0, 0};
    const Model model(robot);
    const Motion here(model);
    const study::Matrices m = study::matrices(model, here.q, here.v);
    const auto momentum = [&](const Motion& at) {
      const study::Matrices there = study::matrices(model, at.q, at.v);
      return Eigen::MatrixXd(dense(there.M) * dense(there.t));
    };
    const Eigen::VectorXd rate = dense(m.T) * column(here.a) + dense(m.T_rate) * column(here.v),
                          wrench = dense(m.M) * rate + dense(m.W) * dense(m.M) * dense(m.t);
    const double h = 1e-5;
    const Eigen::VectorXd difference = (momentum(here.after(h)) - momentum(here.after(-h))) / (2 * h) - wrench;
    const Numbers projected = by_rows(dense(m.T).transpose() * wrench);
    const auto residual = [&](std::string_view law) {
      for (const study::Identity& identity : study::identities(model, here.q, here.v, m))
        if (identity.law == law) return identity.residual;
      throw ArgumentError(fmt::format("there is no law '{}'", law));
    };
    const auto text = [](double x) { return fmt::format("{:.1e}", x); };
    rows.push_back({name, text(residual("W t = 0")), text(residual("W M - M W = M'")),
                    fmt::format("{} of {:.1f}", text(difference.cwiseAbs().maxCoeff()), wrench.cwiseAbs().maxCoeff()),
                    text(largest_difference(projected, RobotAt(model, here.q, here.v).torques(here.a)))});
  }
  page.table({"largest entry of", ">W t", ">M' - (W M - M W)", ">mu' - (M t' + W M t)", ">T^T (M t' + W M t) - tau"},
             rows);
  page.say("M' by differentiating the attitudes exactly, mu' by differences over 2e-5 s.");
}

void exercise_2(Page& page) {
  page.section("exercise-2", "Exercise 7.2: what gamma of Example 7.3.1 means");
  page.say(
      "Compute eta = (d(I theta')/dtheta) theta' for the arm of Example 7.3.1 and compare it with gamma, in which the "
      "matrix is transposed. eta is nothing but iota = I' theta'; gamma is twice the gradient of the kinetic energy. "
      "They differ, but have the same power theta'^T I' theta', and eta - gamma/2 is the term of Coriolis and "
      "centrifugal forces. `planar3r` at theta = (0.4, -0.7, 1.1), rates (0.8, -1.3, 2.1) rad/s; I is differentiated "
      "exactly.");
  const Model model(shipped("planar3r"));
  const Numbers q = {0.4, -0.7, 1.1}, v = {0.8, -1.3, 2.1};
  const printed::PlanarArm book(model.robot(), q, v);
  const auto derivative = [&](const Numbers& direction) {
    return Eigen::MatrixXd(Eigen::Map<const RowMajor>(inertia_rate(model, q, direction).data(), 3, 3));
  };
  const Eigen::VectorXd rates = column(v), eta = derivative(v) * rates;
  Eigen::VectorXd gamma(3);
  for (int k = 0; k < 3; ++k) {
    Numbers unit(3);
    unit[static_cast<std::size_t>(k)] = 1;
    gamma[k] = rates.dot(derivative(unit) * rates);
  }
  page.compare(
      {compared("eta; published: iota [N m]", book.iota(), by_rows(eta),
                "the factor of theta1' theta3' in iota_2 is a1 s23 + 2 a2 s3"),
       compared("gamma [N m]", book.gamma_of_731(), by_rows(gamma), "the lone square in gamma_3 is that of theta2'"),
       compared("eta - gamma/2; published: nu of 7.6.2 [N m]", book.velocity_forces(), by_rows(eta - gamma / 2), "")});
  page.table(
      {"", ">theta'^T eta [W]", ">theta'^T gamma [W]", "C theta' by the recursion [N m]"},
      {{"ours", shown(rates.dot(eta)), shown(rates.dot(gamma)), listed(RobotAt(model, q, v).velocity_forces())}});
}

// The arm of the exercise, with Z_7 square to Z_6 as its note says: link 6 carries F_7, turned by alpha_6 = 90 degrees, and
// its mass centre and inertia are given there.
Robot arm_with_square_hand() {
  Robot robot = shipped("decoupled_arm");
  Body& hand = robot.bodies[6];
  const double b = hand.own_frame.r.z;
  hand.own_frame.R = identity3<double>();
  hand.own_frame.R.yy = hand.own_frame.R.zz = 0;
  hand.own_frame.R.zy = 1, hand.own_frame.R.yz = -1;
  hand.inertial.com = {0, -b, -0.019};  // rho_6 = (0, 0, -0.019) from O_6, less b y
  return robot;
}

void exercise_3(Page& page) {
  page.section("exercise-3", "Exercise 7.3: torques of a six-axis arm for a motion of its hand");
  page.say(
      "The figure with the robot's dimensions and posture stands in another chapter: `decoupled_arm` has the masses "
      "and inertias of the exercise on the dimensions of a PUMA, here at theta = (0.3, -0.6, 0.9, 0.4, -0.8, pi/2). "
      "The note asks for Z_7 square to Z_5 and Z_6: alpha_6 = 90 degrees makes it square to Z_6, theta_6 = 90 degrees "
      "to Z_5. O_7 is the operation point.");
  const Model model(arm_with_square_hand());
  const Numbers q = {0.3, -0.6, 0.9, 0.4, -0.8, std::numbers::pi / 2};
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
  Numbers by_lagrange(6), by_newton_euler(6);
  EulerLagrange<double>(model).run(model, at, v, a, by_lagrange, {});
  NewtonEuler<double>(model).run(model, at, v, a, by_newton_euler);
  const auto axis = [&](int body) { return column_z(pose_in_world<double>(model, kin, body).R); };
  page.table({"", "ours"},
             {{"cosines between Z_7 and Z_6, Z_7 and Z_5",  // axes of F_7, F_6 and F_5: of bodies 6, 5 and 4
               fmt::format("{:.0e}, {:.0e}", dot(axis(6), axis(5)), dot(axis(6), axis(4)))},
              {"joint rates [rad/s]", listed(v)},
              {"joint accelerations [rad/s^2]", listed(a)},
              {"torques [N m]", listed(RobotAt(model, q, v).torques(a))},
              {"the same by `newton-euler`", listed(by_newton_euler)},
              {fmt::format("the same by `{}`", EulerLagrange<double>::method.name), listed(by_lagrange)}});
}

void exercises_5_and_15(Page& page) {
  page.section("exercise-5", "Exercises 7.5 and 7.15: I' - 2 C is skew-symmetric");
  page.say(
      "Show that I' - 2 C is skew-symmetric, for the planar arm and for any robot, C = T^T M T' + T^T W M T of (7.59): "
      "then I' = C + C^T. I' by differentiating I exactly; C by its own recursion and written out.");
  std::vector<Page::Row> rows;
  for (const char* name : {"planar3r", "spatial3r", "puma560"}) {
    const Model model(shipped(name));
    const Motion here(model);
    const auto n = static_cast<Eigen::Index>(model.nv());
    Numbers C(here.q.size() * here.q.size());
    Configuration<double> at(model);
    CoriolisScratch<double> scratch(model);
    place<double>(model, here.q, at);
    coriolis_matrix<double>(model, at, here.v, scratch, C);
    const Eigen::MatrixXd recursive = Eigen::Map<const RowMajor>(C.data(), n, n);
    const Numbers rate = inertia_rate(model, here.q, here.v);
    const study::Matrices m = study::matrices(model, here.q, here.v);
    const Eigen::MatrixXd T = dense(m.T), M = dense(m.M),
                          written = T.transpose() * (M * dense(m.T_rate) + dense(m.W) * M * T);
    const auto skew = [&](const Eigen::MatrixXd& of) {
      return fmt::format("{:.1e}", largest_difference(rate, by_rows(of + of.transpose())));
    };
    rows.push_back({name, shown(largest(rate)), skew(recursive), skew(written)});
  }
  page.table({"largest entry of", ">I' [kg m^2/s]", ">I' - C - C^T, recursion", ">the same, (7.59)"}, rows);
}

void exercises_6_7_11(Page& page) {
  page.section("exercise-6", "Exercises 7.6, 7.7, 7.11: a wrist, a pointing device, an RRP arm");
  page.say(
      "The book asks for formulas and has no answers: closed forms derived for them are beside ours, at the states of "
      "the scenarios `wrist`, `pointing_device` and `rrp`. Where the figure is missing, the robot's file states its "
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
  page.say(
      "Exercise 7.7 (c) and (d) ask for the rate of I twice: by differentiating I itself, and by its three factors, "
      "I' = T'^T M T + T^T (W M - M W) T + T^T M T'.");
  const study::Matrices m = study::matrices(*device.model, device.setup.q, device.setup.v);
  const Eigen::MatrixXd T = dense(m.T), T_rate = dense(m.T_rate), M = dense(m.M), W = dense(m.W);
  page.table(
      {"7.7, the rate of I by rows [kg m^2/s]", ""},
      {{"I differentiated along the motion", listed(inertia_rate(*device.model, device.setup.q, device.setup.v))},
       {"by the three factors", listed(by_rows(T_rate.transpose() * M * T + T.transpose() * (W * M - M * W) * T +
                                               T.transpose() * M * T_rate))}});
}

void exercise_8(Page& page) {
  page.section("exercise-8", "Exercise 7.8: no gyroscopic terms in the plane");
  page.say(
      "Show that T_i^T W_i M_i T_i vanishes when link i moves in a plane. Every column of T_i turns about the plane's "
      "normal e, so that an entry is e . (w e x I_i e) = 0 whatever the inertia of the link. Largest entry over the "
      "links, and of a robot that leaves the plane:");
  Robot lopsided = shipped("planar3r");
  for (std::size_t b = 1; b <= 3; ++b) lopsided.bodies[b].inertial.inertia = {0.3, 0.05, 0.25, -0.04, 0.06, 0.2};
  const std::pair<const char*, Robot> robots[] = {{"`planar3r`", shipped("planar3r")},
                                                  {"`planar3r` with products of inertia", lopsided},
                                                  {"`spatial3r`", shipped("spatial3r")}};
  std::vector<Page::Row> rows;
  for (const auto& [name, robot] : robots) {
    const Model model(robot);
    const Motion here(model);
    const study::Matrices m = study::matrices(model, here.q, here.v);
    const Eigen::MatrixXd T = dense(m.T), gyroscopic = dense(m.W) * dense(m.M) * T;
    double most = 0, largest_wrench = gyroscopic.cwiseAbs().maxCoeff();
    for (Eigen::Index i = 0; i < T.rows(); i += 6)
      most = std::max(most, (T.middleRows(i, 6).transpose() * gyroscopic.middleRows(i, 6)).cwiseAbs().maxCoeff());
    rows.push_back({name, fmt::format("{:.1e}", most), shown(largest_wrench)});
  }
  page.table({"", ">T_i^T W_i M_i T_i", ">W_i M_i T_i itself"}, rows);
}

void exercise_14(Page& page) {
  page.section("exercise-14", "Exercise 7.14: the inertia matrix in numbers");
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

}  // namespace denoc::app
