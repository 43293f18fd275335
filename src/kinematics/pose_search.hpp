// Steps of the joints towards a pose of a body.
#pragma once
#include <Eigen/Core>
#include <limits>
#include <memory>
#include <vector>

#include "denoc/kinematics/kinematics.hpp"
#include "eigen/views.hpp"

namespace denoc::kinematics {

using Rows = views::ByRows;

// Equations c(q) = 0 that hold besides, in m or rad: loops that stay closed.
class Conditions {
 public:
  virtual ~Conditions() = default;
  virtual void evaluate(const std::vector<double>& q) = 0;
  virtual const Eigen::VectorXd& values() const = 0;  // c, of one size for all q
  virtual const Rows& jacobian() const = 0;           // how c changes with v
  // A posture near q that meets them, to start a search from; q itself where none is found.
  virtual std::vector<double> met_near(const std::vector<double>& q) = 0;
  // As near as loops are closed by who assembles them; a pose taken there is no nearer to them.   m or rad
  static constexpr double met_to = 1e-13;
  virtual bool are_met() const = 0;  // c may be zero elsewhere, too: loops closed the wrong way round

 protected:
  Conditions() = default;
  Conditions(const Conditions&) = default;
  Conditions& operator=(const Conditions&) = default;
};

// What of a body is brought to a pose, and by whom.
struct Aim {
  int body;
  Vec3<double> point = {0, 0, 0};           // of the body, in its own frame: it comes to the pose's origin
  bool with_attitude = true;                // else the pose's axes do not matter
  std::vector<int> moving = {};             // degrees of freedom that take part; empty: all
  std::shared_ptr<Conditions> beside = {};  // what else holds, for all degrees of freedom
};

// Owns what it computes with: one for each search.
class PoseSearch {
 public:
  PoseSearch(const Model& model, int body, const Pose<double>& pose) : PoseSearch(model, Aim{body}, pose) {}
  PoseSearch(const Model& model, Aim aim, const Pose<double>& pose);

  // Whole steps, the shortest in units of the degrees of freedom, while the miss shrinks, q moving on its manifold;
  // whether the pose is reached to rounding.
  bool newton(std::vector<double>& q, int steps);
  // Damped steps: they come as near as there is, from farther away.
  bool damped(std::vector<double>& q, int steps);

  // How far the body of the last q is from the pose.
  double metres() const { return error_.segment<3>(pose_rows() - 3).norm() * size_; }
  double radians() const { return aim_.with_attitude ? error_.head<3>().norm() : 0; }
  const Kinematics<double>& kinematics() const { return kin_; }
  // From the body's origin to its point, in the world.
  Vec3<double> arm() const;
  // How the aim moves with v, in the world: turning (with the attitude), then the point's velocity in sizes of the
  // robot. Columns of those that take no part are zero. Below them the rows of what holds besides.
  const Rows& jacobian();
  double size() const { return size_; }
  // What degrees of freedom are measured in: rad, or the length of the robot.
  const Eigen::VectorXd& units() const { return units_; }
  // What rounding leaves unknown of a pose and of the rows above: c n eps for n links, c as in dynamics/rounding.hpp,
  // twice, since the sines and cosines of the joints are rounded as well.
  double rounding() const {
    constexpr double c = 8;
    return 2 * c * (model_.link_count() + 1) * std::numeric_limits<double>::epsilon();
  }

 private:
  Eigen::Index pose_rows() const { return aim_.with_attitude ? 6 : 3; }
  void go_to(const std::vector<double>& q);
  bool reached() const;
  Eigen::MatrixXd measured() { return jacobian() * units_.asDiagonal(); }
  bool take(const Eigen::VectorXd& by, std::vector<double>& q);

  const Model& model_;
  Aim aim_;
  Pose<double> pose_;
  Configuration<double> at_;
  Kinematics<double> kin_;
  // Lengths are counted in sizes of the robot, so that they compare with angles.
  double size_ = 1;
  double unit_ = 1;        // of the conditions, m and rad: the size of a robot that is larger than a metre
  Eigen::VectorXd units_;  // of the degrees of freedom
  Eigen::VectorXd error_;  // the turn that is missing, the shift in sizes, and what the conditions lack
  Rows whole_, jacobian_;  // of body and origin; of the aim
  std::vector<bool> takes_part_;
  std::vector<double> trial_;
};

}  // namespace denoc::kinematics
