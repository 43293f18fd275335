// KDL: ChainIdSolver_RNE, ChainFdSolver_RNE and ChainDynParam for serial chains, TreeIdSolver_RNE for trees on a fixed
// base.
#include <fmt/format.h>
#include <kdl/chaindynparam.hpp>
#include <kdl/chainfdsolver_recursive_newton_euler.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>
#include <kdl/tree.hpp>
#include <kdl/treeidsolver_recursive_newton_euler.hpp>

#include "peer.hpp"

namespace denoc::benchmarks {
namespace {

KDL::Vector vector(const std::array<double, 3>& v) { return {v[0], v[1], v[2]}; }

KDL::Segment segment(const PlainBody& body, int number) {
  const std::string name = fmt::format("b{}", number);
  const auto& R = body.R;
  const auto& I = body.inertia;
  const KDL::Frame frame(KDL::Rotation(R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]), vector(body.p));
  const KDL::Joint joint(fmt::format("j{}", number), frame.p, frame.M * vector(body.axis), KDL::Joint::RotAxis);
  const KDL::RotationalInertia tensor(I[0], I[4], I[8], I[1], I[2], I[5]);
  return KDL::Segment(name, joint, frame, KDL::RigidBodyInertia(body.mass, vector(body.com), tensor));
}
KDL::JntArray array(const std::vector<double>& x) {
  KDL::JntArray all(static_cast<unsigned>(x.size()));
  for (size_t k = 0; k < x.size(); ++k) all(static_cast<unsigned>(k)) = x[k];
  return all;
}

// What chains and trees share.
class KdlPeer : public Peer {
 public:
  explicit KdlPeer(int n) : answer_(static_cast<unsigned>(n)) {}
  std::string name() const override { return "KDL"; }
  void set_states(const std::vector<State>& states) override {
    states_.clear();
    for (const State& s : states) states_.push_back({array(s.q), array(s.v), array(s.a), array(s.tau)});
  }
  std::vector<double> result(Problem, int) override { return {answer_.data.begin(), answer_.data.end()}; }

 protected:
  struct Arrays {
    KDL::JntArray q, v, a, tau;
  };
  std::vector<Arrays> states_;
  KDL::JntArray answer_;
};

class KdlChain : public KdlPeer {
 public:
  explicit KdlChain(const PlainRobot& robot)
      : KdlPeer(int(robot.bodies.size())),
        chain_(chain_of(robot)),
        inverse_(chain_, vector(robot.gravity)),
        forward_(chain_, vector(robot.gravity)),
        parameters_(chain_, vector(robot.gravity)),
        none_(robot.bodies.size(), KDL::Wrench::Zero()),
        inertia_(static_cast<unsigned>(robot.bodies.size())) {}
  bool solves(Problem problem) const override { return problem != Problem::inertia_inverse; }
  void run(Problem problem, int state) override {
    const Arrays& s = states_[state];
    if (problem == Problem::inverse)
      inverse_.CartToJnt(s.q, s.v, s.a, none_, answer_);
    else if (problem == Problem::forward)
      forward_.CartToJnt(s.q, s.v, s.tau, none_, answer_);
    else
      parameters_.JntToMass(s.q, inertia_);
  }
  std::vector<double> result(Problem problem, int state) override {
    if (problem != Problem::inertia) return KdlPeer::result(problem, state);
    return {inertia_.data.data(), inertia_.data.data() + inertia_.data.size()};  // symmetric
  }

 private:
  static KDL::Chain chain_of(const PlainRobot& robot) {
    KDL::Chain chain;
    for (const PlainBody& body : robot.bodies) chain.addSegment(segment(body, body.parent + 1));
    return chain;
  }
  KDL::Chain chain_;
  KDL::ChainIdSolver_RNE inverse_;
  KDL::ChainFdSolver_RNE forward_;
  KDL::ChainDynParam parameters_;
  KDL::Wrenches none_;
  KDL::JntSpaceInertiaMatrix inertia_;
};

class KdlTree : public KdlPeer {
 public:
  explicit KdlTree(const PlainRobot& robot)
      : KdlPeer(int(robot.bodies.size())), tree_(tree_of(robot)), inverse_(tree_, vector(robot.gravity)) {}
  bool solves(Problem problem) const override { return problem == Problem::inverse; }
  void run(Problem, int state) override {
    const Arrays& s = states_[state];
    inverse_.CartToJnt(s.q, s.v, s.a, none_, answer_);
  }

 private:
  static KDL::Tree tree_of(const PlainRobot& robot) {
    KDL::Tree tree("b0");
    for (size_t b = 0; b < robot.bodies.size(); ++b)
      tree.addSegment(segment(robot.bodies[b], int(b) + 1), fmt::format("b{}", robot.bodies[b].parent));
    return tree;
  }
  KDL::Tree tree_;
  KDL::TreeIdSolver_RNE inverse_;
  KDL::WrenchMap none_;
};

}  // namespace

std::unique_ptr<Peer> kdl_peer(const PlainRobot& robot) {
  if (robot.floating()) return nullptr;
  if (robot.serial()) return std::make_unique<KdlChain>(robot);
  return std::make_unique<KdlTree>(robot);
}

}  // namespace denoc::benchmarks
