// Pinocchio: rnea, aba, crba, computeMinverse, in body axes (Convention::LOCAL, the faster one). Compiled by clang, as
// g++ makes it about twice as slow.
#include <algorithm>

#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/joint-configuration.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/multibody.hpp>

#include "peer.hpp"

namespace denoc::benchmarks {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Rows3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

pinocchio::JointModel joint_of(const PlainBody& body) {
  if (body.free) return pinocchio::JointModelFreeFlyer();
  const Eigen::Vector3d axis(body.axis.data());
  if (axis == Eigen::Vector3d::UnitX()) return pinocchio::JointModelRX();
  if (axis == Eigen::Vector3d::UnitY()) return pinocchio::JointModelRY();
  if (axis == Eigen::Vector3d::UnitZ()) return pinocchio::JointModelRZ();
  return pinocchio::JointModelRevoluteUnaligned(axis);
}
pinocchio::Model model_of(const PlainRobot& robot) {
  pinocchio::Model model;
  model.gravity.linear() = Eigen::Vector3d(robot.gravity.data());
  std::vector<pinocchio::JointIndex> index = {0};
  for (const PlainBody& body : robot.bodies) {
    const pinocchio::SE3 frame(Rows3(body.R.data()), Eigen::Vector3d(body.p.data()));
    index.push_back(model.addJoint(index[body.parent], joint_of(body), frame, "j" + std::to_string(index.size())));
    const pinocchio::Inertia inertia(body.mass, Eigen::Vector3d(body.com.data()), Rows3(body.inertia.data()));
    model.appendBodyToJoint(index.back(), inertia, pinocchio::SE3::Identity());
  }
  return model;
}

class PinocchioPeer : public Peer {
 public:
  explicit PinocchioPeer(const PlainRobot& robot) : floating_(robot.floating()), model_(model_of(robot)) {}
  std::string name() const override { return "Pinocchio"; }
  bool solves(Problem) const override { return true; }
  void set_states(const std::vector<State>& states) override {
    states_.clear();
    for (State s : states) {
      if (floating_) std::rotate(&s.q[3], &s.q[4], &s.q[7]);  // w last
      for (auto* x : {&s.v, &s.a, &s.tau}) swap_halves(*x);
      states_.push_back({dense(s.q), dense(s.v), dense(s.a), dense(s.tau)});
    }
  }
  void run(Problem problem, int state) override {
    const Dense& s = states_[state];
    switch (problem) {
      case Problem::inverse:
        pinocchio::rnea(model_, data_, s.q, s.v, s.a);
        break;
      case Problem::forward:
        pinocchio::aba(model_, data_, s.q, s.v, s.tau, pinocchio::Convention::LOCAL);
        break;
      case Problem::inertia:
        pinocchio::crba(model_, data_, s.q, pinocchio::Convention::LOCAL);
        break;
      case Problem::inertia_inverse:
        pinocchio::computeMinverse(model_, data_, s.q);
    }
  }
  std::vector<double> result(Problem problem, int) override {
    if (problem == Problem::inverse || problem == Problem::forward) {
      const VectorXd& x = problem == Problem::inverse ? data_.tau : data_.ddq;
      std::vector<double> ours(x.data(), x.data() + x.size());
      swap_halves(ours);
      return ours;
    }
    // The upper triangle is theirs.
    const MatrixXd theirs = (problem == Problem::inertia ? MatrixXd(data_.M) : MatrixXd(data_.Minv));
    std::vector<double> ours;
    for (int i = 0; i < model_.nv; ++i)
      for (int j = 0; j < model_.nv; ++j)
        ours.push_back(theirs(std::min(theirs_of(i), theirs_of(j)), std::max(theirs_of(i), theirs_of(j))));
    return ours;
  }

 private:
  struct Dense {
    VectorXd q, v, a, tau;
  };
  static VectorXd dense(const std::vector<double>& x) { return VectorXd::Map(x.data(), Eigen::Index(x.size())); }
  // Of a free joint: linear first there, angular first here.
  int theirs_of(int dof) const { return floating_ && dof < 6 ? (dof + 3) % 6 : dof; }
  void swap_halves(std::vector<double>& x) const {
    if (floating_) std::swap_ranges(&x[0], &x[3], &x[3]);
  }

  bool floating_;
  pinocchio::Model model_;
  pinocchio::Data data_{model_};
  std::vector<Dense> states_;
};

}  // namespace

std::unique_ptr<Peer> pinocchio_peer(const PlainRobot& robot) { return std::make_unique<PinocchioPeer>(robot); }

}  // namespace denoc::benchmarks
