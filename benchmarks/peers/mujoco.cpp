// MuJoCo, asked for no more than the question needs: no contacts, constraints, sensors, actuators.
#include "../../tests/support/mujoco.hpp"

#include "peer.hpp"

namespace denoc::benchmarks {
namespace {

Robot robot_of(const PlainRobot& plain) {
  const auto vector = [](const std::array<double, 3>& v) { return Vec3<double>{v[0], v[1], v[2]}; };
  Robot robot;
  robot.gravity = vector(plain.gravity);
  for (const PlainBody& from : plain.bodies) {
    Body body;
    body.name = fmt::format("b{}", robot.bodies.size());
    body.parent = from.parent;
    const auto &R = from.R, &I = from.inertia;
    body.joint_frame = {{R[0], R[1], R[3], R[4], R[6], R[7], R[2], R[5], R[8]}, vector(from.p)};
    body.joint.type = from.free ? JointType::free : JointType::revolute;
    body.joint.axis = vector(from.axis);
    body.inertial.mass = from.mass;
    body.inertial.com = vector(from.com);
    body.inertial.inertia = {I[0], I[1], I[4], I[2], I[5], I[8]};
    robot.bodies.push_back(body);
  }
  return robot;
}

class MujocoPeer : public Peer {
 public:
  explicit MujocoPeer(const PlainRobot& robot) : floating_(robot.floating()), mujoco_(robot_of(robot)) {
    // They number bodies depth first.
    for (size_t b = 1; b <= robot.bodies.size(); ++b) {
      const int joint = mj_name2id(mujoco_.model(), mjOBJ_JOINT, fmt::format("b{}/0", b).c_str());
      const int columns = robot.bodies[b - 1].free ? 6 : 1;
      for (int k = 0; k < columns; ++k) theirs_of_.push_back(mujoco_.model()->jnt_dofadr[joint] + k);
    }
  }
  std::string name() const override { return "MuJoCo"; }
  bool solves(Problem problem) const override { return problem == Problem::inverse || problem == Problem::forward; }
  void set_states(const std::vector<State>& states) override {
    ours_ = states;
    states_.clear();
    const mjModel* m = mujoco_.model();
    const mjData* d = mujoco_.data();
    for (const State& s : states) {
      mujoco_.set_state(s.q, s.v);
      mujoco_.inverse(s.a);
      mujoco_.forward(s.tau);
      State theirs{
          {d->qpos, d->qpos + m->nq}, {d->qvel, d->qvel + m->nv}, {}, {d->qfrc_applied, d->qfrc_applied + m->nv}};
      mujoco_.inverse(s.a);  // forward has written its own
      theirs.a.assign(d->qacc, d->qacc + m->nv);
      states_.push_back(theirs);
    }
    answer_.resize(m->nv);
    bias_.resize(m->nv);
  }
  void run(Problem problem, int state) override {
    const State& s = states_[state];
    const mjModel* m = mujoco_.model();
    mjData* d = mujoco_.data();
    std::copy(s.q.begin(), s.q.end(), d->qpos);
    std::copy(s.v.begin(), s.v.end(), d->qvel);
    mj_kinematics(m, d);
    mj_comPos(m, d);
    if (problem == Problem::inverse) {
      std::copy(s.a.begin(), s.a.end(), d->qacc);
      mj_comVel(m, d);
      mj_rne(m, d, 1, answer_.data());
    } else {
      mj_crb(m, d);
      mj_factorM(m, d);
      mj_comVel(m, d);
      mj_rne(m, d, 0, bias_.data());
      for (size_t k = 0; k < bias_.size(); ++k) bias_[k] = s.tau[k] - bias_[k];
      mj_solveM(m, d, answer_.data(), bias_.data(), 1);
    }
  }
  // Theirs, of a free joint: linear first, in the ground's axes, the velocity's rate as seen from the ground.
  std::vector<double> result(Problem problem, int state) override {
    std::vector<double> x;
    for (const int dof : theirs_of_) x.push_back(answer_[dof]);
    if (!floating_) return x;
    const State& s = ours_[state];
    const auto& q = s.q;
    const auto& v = s.v;
    const Mat3<double> R = rotation(Quaternion<double>{q[3], q[4], q[5], q[6]});
    Vec3<double> linear = back(R, Vec3<double>{x[0], x[1], x[2]});
    if (problem == Problem::forward)
      linear = linear - cross(Vec3<double>{v[0], v[1], v[2]}, Vec3<double>{v[3], v[4], v[5]});
    const double ours[] = {x[3], x[4], x[5], linear.x, linear.y, linear.z};
    std::copy(std::begin(ours), std::end(ours), x.begin());
    return x;
  }

 private:
  bool floating_;
  test::MujocoRobot mujoco_;
  std::vector<int> theirs_of_;  // their degree of freedom, by ours
  std::vector<State> ours_, states_;
  std::vector<double> answer_, bias_;
};

}  // namespace

std::unique_ptr<Peer> mujoco_peer(const PlainRobot& robot) {
  if (robot.bodies.size() > 90) return nullptr;  // its XML reader takes no deeper tree
  return std::make_unique<MujocoPeer>(robot);
}

}  // namespace denoc::benchmarks
