// The PUMA led along a line in 5 s [Mata02 5.2], recomputed with 50 digits.
#include "denoc/motion/line.hpp"

#include <Eigen/Dense>

#include "support/data.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

TEST(PumaLine, JointsAndTorques) {
  const Json json = data("puma_line_reference.json");
  const auto model = std::make_shared<const Model>(shipped("puma560"));
  const auto speed = numbers(json["velocity"]);
  const auto line = straight_line(model, 6, numbers(json["branch_q0"]),
                                  Vec3<double>{speed[0], speed[1], speed[2]} * 5.0, 5, Profile::linear);
  ASSERT_EQ(json["samples"].size(), 11u);
  for (const Json& row : json["samples"]) {
    const double t = number(row["t"]);
    const auto expected_q = numbers(row["q"]), expected_v = numbers(row["qd"]), expected_a = numbers(row["qdd"]),
               expected_tau = numbers(row["tau"]);
    std::vector<double> q(6), v(6), a(6);
    line->at(t, q, v, a);
    // Joints are as uncertain as the pose is rounded, times how far they move for it.
    Machine<double> machine(*model, q, v);
    std::vector<double> J(36);
    jacobian_in_world<double>(*model, machine.kin, 6, J);
    const Eigen::MatrixXd inverse = Eigen::Map<Eigen::Matrix<double, 6, 6, Eigen::RowMajor>>(J.data()).inverse();
    const double gain = inverse.cwiseAbs().rowwise().sum().maxCoeff();
    const std::string where = "t = " + std::to_string(t);
    const double off = rounding<double>(6, gain);
    expect_near(q, expected_q, off, where + ": q");
    expect_near(v, expected_v, off * gain * largest(expected_v), where + ": v");
    expect_near(a, expected_a, off * gain * gain * largest(expected_v), where + ": a");
    // Torques change with q by no more than gravity's.
    const auto tau = machine.inverse(a);
    expect_near(tau, expected_tau, 6 * off * largest(expected_tau), where + ": tau");
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
