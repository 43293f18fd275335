// Steps of the joints towards a pose of a body.
#pragma once
#include <Eigen/Core>
#include <vector>

#include "denoc/kinematics/kinematics.hpp"

namespace denoc::kinematics {

// Owns what it computes with: one for each search.
class PoseSearch {
 public:
  PoseSearch(const Model& model, int body, const Pose<double>& pose);

  // Whole steps while the miss shrinks, q moving on its manifold; whether the pose is reached to rounding.
  bool newton(std::vector<double>& q, int steps);
  // Damped steps: they come as near as there is, from farther away.
  bool damped(std::vector<double>& q, int steps);

  // How far the body of the last q is from the pose.
  double metres() const { return error_.tail<3>().norm() * size_; }
  double radians() const { return error_.head<3>().norm(); }
  const Kinematics<double>& kinematics() const { return kin_; }

 private:
  using Vector6 = Eigen::Matrix<double, 6, 1>;
  void go_to(const std::vector<double>& q);
  void linearise();
  bool reached() const;
  bool take(const Eigen::VectorXd& step, std::vector<double>& q);

  const Model& model_;
  int body_;
  Pose<double> pose_;
  Configuration<double> at_;
  Kinematics<double> kin_;
  // Lengths are counted in sizes of the robot, so that they compare with angles.
  double size_ = 1;
  Vector6 error_;
  Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::RowMajor> jacobian_;
  std::vector<double> trial_;
};

}  // namespace denoc::kinematics
