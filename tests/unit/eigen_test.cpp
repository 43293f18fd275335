// Eigen in and out: the same numbers in the same memory.
#include "denoc/eigen.hpp"

#include <gtest/gtest.h>

namespace denoc::test {
namespace {
namespace THIS_FILE {

TEST(EigenViews, LookAtTheNumbersThemselves) {
  const Mechanism robot("puma560");
  Dynamics d(robot);
  const Eigen::VectorXd q = Eigen::VectorXd::LinSpaced(6, -0.4, 0.9), v = Eigen::VectorXd::LinSpaced(6, 1, -1),
                        a = Eigen::VectorXd::Constant(6, 0.5);
  EXPECT_EQ(entries(q).data(), q.data());
  const std::span<const double> tau = d.inverse(entries(q), entries(v), entries(a));
  EXPECT_EQ(map(tau).data(), tau.data());
  // I a + bias = tau: rows are rows
  const Eigen::VectorXd left = map(d.inertia(entries(q))) * a + map(d.bias(entries(q), entries(v)));
  EXPECT_LE((left - map(tau)).norm(), 1e-12 * map(tau).norm());
  // Jacobian times rates is the twist: 6 x n
  const auto J = map(d.jacobian(entries(q), "link6"));
  ASSERT_EQ(J.rows(), 6);
  const Eigen::Vector<double, 6> twist = eigen(d.twist(entries(q), entries(v), "link6"));
  EXPECT_LE((J * v - twist).norm(), 1e-13);
}

TEST(EigenViews, TakeSegmentsAndMapsAndAreWrittenThrough) {
  const Mechanism robot("puma560");
  Dynamics d(robot);
  Eigen::VectorXd state = Eigen::VectorXd::LinSpaced(12, -0.4, 0.9);
  const Eigen::VectorXd q = state.head(6), v = state.tail(6), none = Eigen::VectorXd::Zero(6);
  const Eigen::VectorXd by_vectors = map(d.forward(entries(q), entries(v), entries(none)));
  const Eigen::VectorXd by_segments = map(d.forward(entries(state.head(6)), entries(state.tail(6)), entries(none)));
  EXPECT_EQ(by_vectors, by_segments);
  Eigen::VectorXd moved_q = q, moved_v = v;
  d.step(entries(moved_q), entries(moved_v), entries(none), 1e-3);
  EXPECT_NE(moved_v, v);
}

// Power: six numbers of a twist times six of a wrench are w . n + v . f, and J^T takes the wrench to the joints, which
// hold against it where nothing else acts.
TEST(EigenViews, TwistsAndWrenchesAreDual) {
  const Mechanism robot("puma560");
  Dynamics d(robot);
  const Eigen::VectorXd q = Eigen::VectorXd::LinSpaced(6, -0.4, 0.9), none = Eigen::VectorXd::Zero(6);
  const Wrench<double> wrench{{1, -2, 3.5}, {0.5, 7, -4}};
  const Twist<double> twist{{0.3, -0.7, 1.1}, {2, 0.9, -1.3}};
  EXPECT_NEAR(eigen(twist).dot(eigen(wrench)), dot(twist, wrench), 1e-14);
  EXPECT_EQ(eigen(wrench).head<3>(), eigen(wrench.n));
  EXPECT_EQ(eigen(wrench).tail<3>(), eigen(wrench.f));
  EXPECT_EQ(eigen(twist).head<3>(), eigen(twist.w));
  EXPECT_EQ(eigen(twist).tail<3>(), eigen(twist.v));
  // In the body's own axes, where the wrench is, and in the world's, where the Jacobian is.
  const Eigen::Matrix3d R = eigen(d.pose(entries(q), "link6")).linear();
  Eigen::Vector<double, 6> in_world = eigen(wrench);
  in_world << R * in_world.head<3>(), R * in_world.tail<3>();
  const Eigen::VectorXd felt = map(d.jacobian(entries(q), "link6")).transpose() * in_world,
                        weight = map(d.inverse(entries(q), entries(none), entries(none)));
  const std::vector<BodyWrench<double>> acting = {{robot.body("link6"), wrench}};
  const Eigen::VectorXd held = map(d.inverse(entries(q), entries(none), entries(none), acting));
  EXPECT_LE((weight - felt - held).norm(), 1e-13 * (weight.norm() + felt.norm()));
}

TEST(EigenViews, OfAFrameMoveItsPoints) {
  const Mechanism robot("puma560");
  Dynamics d(robot);
  const Eigen::VectorXd q = Eigen::VectorXd::LinSpaced(6, -0.4, 0.9);
  const Vec3<double> point{0.1, -0.2, 0.3};
  const Eigen::Vector3d by_frame = eigen(d.pose(entries(q), "link6")) * eigen(point);
  EXPECT_LE((by_frame - eigen(d.pose(entries(q), "link6", point).r)).norm(), 1e-15);
  const Vec3<double> back = vec3(eigen(point));
  EXPECT_TRUE(back.x == point.x && back.y == point.y && back.z == point.z);
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
