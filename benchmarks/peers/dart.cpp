// DART: the skeleton's inverse and forward dynamics, its inertia matrix and the inverse of that.
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>

#include "peer.hpp"

namespace denoc::benchmarks {
namespace {

using namespace dart::dynamics;
using Eigen::Vector3d;
using Eigen::VectorXd;
using Rows3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

SkeletonPtr skeleton_of(const PlainRobot& robot) {
  const SkeletonPtr skeleton = Skeleton::create(robot.name);
  skeleton->setGravity(Vector3d(robot.gravity.data()));
  std::vector<BodyNode*> nodes = {nullptr};
  for (const PlainBody& body : robot.bodies) {
    BodyNode::Properties node;
    node.mName = "b" + std::to_string(nodes.size());
    if (body.free) {
      nodes.push_back(skeleton->createJointAndBodyNodePair<FreeJoint>(nodes[body.parent], {}, node).second);
    } else {
      RevoluteJoint::Properties joint;
      joint.mName = "j" + std::to_string(nodes.size());
      joint.mAxis = Vector3d(body.axis.data());
      joint.mT_ParentBodyToJoint.linear() = Rows3(body.R.data());
      joint.mT_ParentBodyToJoint.translation() = Vector3d(body.p.data());
      nodes.push_back(skeleton->createJointAndBodyNodePair<RevoluteJoint>(nodes[body.parent], joint, node).second);
    }
    nodes.back()->setInertia(Inertia(body.mass, Vector3d(body.com.data()), Rows3(body.inertia.data())));
  }
  return skeleton;
}

class DartPeer : public Peer {
 public:
  explicit DartPeer(const PlainRobot& robot) : floating_(robot.floating()), skeleton_(skeleton_of(robot)) {}
  std::string name() const override { return "DART"; }
  bool solves(Problem problem) const override {  // their matrices of 200 joints take 50 ms each
    return problem == Problem::inverse || problem == Problem::forward || skeleton_->getNumDofs() <= 100;
  }
  void set_states(const std::vector<State>& states) override {
    states_.clear();
    for (const State& s : states) states_.push_back({positions(s.q), dense(s.v), dense(s.a), dense(s.tau)});
  }
  void run(Problem problem, int state) override {
    const Dense& s = states_[state];
    skeleton_->setPositions(s.q);
    switch (problem) {
      case Problem::inverse:
        skeleton_->setVelocities(s.v);
        skeleton_->setAccelerations(s.a);
        skeleton_->computeInverseDynamics();
        break;
      case Problem::forward:
        skeleton_->setVelocities(s.v);
        skeleton_->setForces(s.tau);
        skeleton_->computeForwardDynamics();
        break;
      case Problem::inertia:
        skeleton_->getMassMatrix();
        break;
      case Problem::inertia_inverse:
        skeleton_->getInvMassMatrix();
    }
  }
  std::vector<double> result(Problem problem, int) override {
    switch (problem) {
      case Problem::inverse:
        return plain(skeleton_->getForces());
      case Problem::forward:
        return plain(skeleton_->getAccelerations());
      case Problem::inertia:
        return plain(skeleton_->getMassMatrix());
      case Problem::inertia_inverse:
        break;
    }
    return plain(skeleton_->getInvMassMatrix());
  }

 private:
  struct Dense {
    VectorXd q, v, a, tau;
  };
  static VectorXd dense(const std::vector<double>& x) { return VectorXd::Map(x.data(), Eigen::Index(x.size())); }
  template <class Matrix> static std::vector<double> plain(const Matrix& x) { return {x.data(), x.data() + x.size()}; }
  // Of a free joint: the rotation's logarithm and the position.
  VectorXd positions(const std::vector<double>& q) const {
    if (!floating_) return dense(q);
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    pose.linear() = Eigen::Quaterniond(q[3], q[4], q[5], q[6]).toRotationMatrix();
    pose.translation() = Vector3d(q.data());
    VectorXd all(Eigen::Index(q.size()) - 1);
    all << FreeJoint::convertToPositions(pose), VectorXd::Map(&q[7], Eigen::Index(q.size()) - 7);
    return all;
  }

  bool floating_;
  SkeletonPtr skeleton_;
  std::vector<Dense> states_;
};

}  // namespace

std::unique_ptr<Peer> dart_peer(const PlainRobot& robot) { return std::make_unique<DartPeer>(robot); }

}  // namespace denoc::benchmarks
