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
