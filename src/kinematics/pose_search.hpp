// Steps of the joints towards a pose of a body.
#pragma once
#include <Eigen/Core>
#include <vector>

#include "denoc/kinematics/kinematics.hpp"

namespace denoc::kinematics {

// What of a body is brought to a pose, and by whom.
struct Aim {
  int body;
  Vec3<double> point = {0, 0, 0};  // of the body, in its own frame: it comes to the pose's origin
  bool with_attitude = true;       // else the pose's axes do not matter
  std::vector<int> moving = {};    // degrees of freedom that take part; empty: all
};

// Owns what it computes with: one for each search.
class PoseSearch {
 public:
  PoseSearch(const Model& model, int body, const Pose<double>& pose) : PoseSearch(model, Aim{body}, pose) {}
  PoseSearch(const Model& model, Aim aim, const Pose<double>& pose);

  // Whole steps while the miss shrinks, q moving on its manifold; whether the pose is reached to rounding.
  bool newton(std::vector<double>& q, int steps);
  // Damped steps: they come as near as there is, from farther away.
  bool damped(std::vector<double>& q, int steps);

  // How far the body of the last q is from the pose.
  double metres() const { return error_.tail<3>().norm() * size_; }
  double radians() const { return aim_.with_attitude ? error_.head<3>().norm() : 0; }
  const Kinematics<double>& kinematics() const { return kin_; }
  // From the body's origin to its point, in the world.
  Vec3<double> arm() const;
  // How the aim moves with v, in the world: turning (with the attitude), then the point's velocity in sizes of the
  // robot. Columns of those that take no part are zero.
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Rows& jacobian();
  double size() const { return size_; }

 private:
  void go_to(const std::vector<double>& q);
  bool reached() const;
  bool take(const Eigen::VectorXd& step, std::vector<double>& q);

  const Model& model_;
  Aim aim_;
  Pose<double> pose_;
  Configuration<double> at_;
  Kinematics<double> kin_;
  // Lengths are counted in sizes of the robot, so that they compare with angles.
  double size_ = 1;
  Eigen::VectorXd error_;  // the turn that is missing, and the shift in sizes
  Rows whole_, jacobian_;  // of body and origin; of the aim
  std::vector<bool> takes_part_;
  std::vector<double> trial_;
};

}  // namespace denoc::kinematics
