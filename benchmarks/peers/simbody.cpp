// Simbody: the operators of its matter subsystem that know no constraints.
#include <Simbody.h>

#include <algorithm>

#include "peer.hpp"

namespace denoc::benchmarks {
namespace {

using namespace SimTK;
using Numbers = std::vector<double>;

SymMat33 about_com(const PlainBody& body) {
  const auto& i = body.inertia;
  return {i[0], i[3], i[4], i[6], i[7], i[8]};
}

class SimbodyPeer : public Peer {
 public:
  explicit SimbodyPeer(const PlainRobot& robot)
      : floating_(robot.floating()), gravity_(forces_, matter_, Vec3(robot.gravity.data())) {
    std::vector<MobilizedBody> bodies = {matter_.Ground()};
    for (const PlainBody& body : robot.bodies) bodies.push_back(on_its_joint(bodies[body.parent], body));
    now_ = system_.realizeTopology();
    system_.realizeModel(now_);
    // They number joints level by level.
    for (size_t b = 1; b < bodies.size(); ++b) {
      for (int k = 0; k < bodies[b].getNumQ(now_); ++k) their_q_.push_back(bodies[b].getFirstQIndex(now_) + k);
      for (int k = 0; k < bodies[b].getNumU(now_); ++k) their_u_.push_back(bodies[b].getFirstUIndex(now_) + k);
    }
  }
  std::string name() const override { return "Simbody"; }
  bool solves(Problem problem) const override {  // their matrices of 200 joints take 20 ms each
    return problem == Problem::inverse || problem == Problem::forward || now_.getNU() <= 100;
  }
  // Of a free joint: the quaternion first; rates and forces in the ground's axes, accelerations as seen from there.
  void set_states(const std::vector<denoc::benchmarks::State>& states) override {
    states_.clear();
    for (denoc::benchmarks::State s : states) {
      Theirs theirs;
      if (floating_) {
        theirs.R = Rotation(Quaternion(s.q[3], s.q[4], s.q[5], s.q[6]));
        theirs.w_x_v = Vec3(s.v.data()) % Vec3(&s.v[3]);
        for (int k = 0; k < 3; ++k) s.a[3 + k] += theirs.w_x_v[k];
        std::rotate(&s.q[0], &s.q[3], &s.q[7]);
        for (Numbers* x : {&s.v, &s.a, &s.tau}) turn(theirs.R, x->data(), 1);
      }
      theirs.q = numbered(s.q, their_q_), theirs.v = numbered(s.v, their_u_);
      theirs.a = numbered(s.a, their_u_), theirs.tau = numbered(s.tau, their_u_);
      states_.push_back(theirs);
    }
  }
  void run(Problem problem, int state) override {
    const Theirs& s = states_[state];
    now_.updQ() = s.q;
    switch (problem) {
      case Problem::inverse:
        now_.updU() = s.v;
        system_.realize(now_, Stage::Velocity);
        matter_.calcResidualForceIgnoringConstraints(now_, none_, gravity_.getBodyForces(now_), s.a, vector_);
        break;
      case Problem::forward:
        now_.updU() = s.v;
        system_.realize(now_, Stage::Dynamics);
        matter_.calcAccelerationIgnoringConstraints(now_, s.tau, gravity_.getBodyForces(now_), vector_, of_bodies_);
        break;
      case Problem::inertia:
        system_.realize(now_, Stage::Position);
        matter_.calcM(now_, matrix_);
        break;
      case Problem::inertia_inverse:
        system_.realize(now_, Stage::Position);
        matter_.calcMInv(now_, matrix_);
    }
  }
  Numbers result(Problem problem, int state) override {
    const Rotation back(~states_[state].R);
    const int n = int(their_u_.size());
    Numbers x;
    if (problem == Problem::inverse || problem == Problem::forward) {
      for (const int k : their_u_) x.push_back(vector_[k]);
      if (floating_) turn(back, x.data(), 1);
      if (problem == Problem::forward && floating_)
        for (int k = 0; k < 3; ++k) x[3 + k] -= states_[state].w_x_v[k];
    } else {
      for (const int i : their_u_)
        for (const int k : their_u_) x.push_back(matrix_(i, k));
      for (int k = 0; floating_ && k < n; ++k) turn(back, &x[k], n);  // R^T M R, column by column and row by row
      for (int i = 0; floating_ && i < n; ++i) turn(back, &x[i * n], 1);
    }
    return x;
  }

 private:
  struct Theirs {
    Vector q, v, a, tau;
    Rotation R;
    Vec3 w_x_v{0};
  };
  static MobilizedBody on_its_joint(MobilizedBody& parent, const PlainBody& body) {
    const auto& r = body.R;
    const Vec3 com(body.com.data());
    const Body::Rigid rigid(
        MassProperties(body.mass, com, Inertia(about_com(body)).shiftFromMassCenter(com, body.mass)));
    const Transform frame(Rotation(Mat33(r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8])), Vec3(body.p.data()));
    if (body.free) return MobilizedBody::Free(parent, frame, rigid, Transform());
    const Transform about_z(Rotation(UnitVec3(Vec3(body.axis.data())), ZAxis));
    return MobilizedBody::Pin(parent, frame * about_z, rigid, about_z);
  }
  static Vector numbered(const Numbers& x, const std::vector<int>& theirs) {
    Vector all(int(x.size()));
    for (size_t k = 0; k < x.size(); ++k) all[theirs[k]] = x[k];
    return all;
  }
  // The free joint's two vectors, their entries `stride` apart.
  static void turn(const Rotation& R, double* x, int stride) {
    for (int half = 0; half < 6; half += 3) {
      const Vec3 turned = R * Vec3(x[half * stride], x[(half + 1) * stride], x[(half + 2) * stride]);
      for (int k = 0; k < 3; ++k) x[(half + k) * stride] = turned[k];
    }
  }

  bool floating_;
  MultibodySystem system_;
  SimbodyMatterSubsystem matter_{system_};
  GeneralForceSubsystem forces_{system_};
  Force::Gravity gravity_;
  SimTK::State now_;
  std::vector<int> their_q_, their_u_;  // by ours
  std::vector<Theirs> states_;
  Vector none_, vector_;
  Vector_<SpatialVec> of_bodies_;
  Matrix matrix_;
};

}  // namespace

std::unique_ptr<Peer> simbody_peer(const PlainRobot& robot) {
  for (const PlainBody& body : robot.bodies)  // it refuses the moments published for the PUMA
    if (!Inertia::isValidInertiaMatrix(about_com(body))) return nullptr;
  return std::make_unique<SimbodyPeer>(robot);
}

}  // namespace denoc::benchmarks
