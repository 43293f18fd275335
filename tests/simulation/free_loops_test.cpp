// Free bodies in loops move as the same bodies do in other coordinates: on joints that leave what the loops leave, or
// on sliders and a ball joint instead of the free one.
#include <cmath>

#include "denoc/kinematics/kinematics.hpp"
#include "denoc/model/manifold.hpp"
#include "support/laws.hpp"
#include "support/mechanisms.hpp"
#include "support/simulated.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

struct Start {
  Robot robot;
  std::vector<double> q = {}, v = {};
  int body = 0;  // the one to look at

  SimulationSetup setup(double duration, const IntegratorOptions& options) const {
    return setup_of(q, v, duration, duration / 10, options);
  }
};
struct Twins {
  const char* name;
  Start looped, reference;
  double duration;
};

const Inertial brick = mass(5, {0, 0, 0}, {0.1, 0, 0.12, 0, 0, 0.2});

// A body held at a point beside its mass centre by a loop, against a spherical joint there.
Twins pin(const Vec3<double>& spin) {
  const Vec3<double> at{0.1, 0, 0}, v = cross(at, spin);
  Twins twins{"pin", {}, {}, 1};
  twins.looped = {{}, {0, 0, 0, 1, 0, 0, 0}, {spin.x, spin.y, spin.z, v.x, v.y, v.z}, 1};
  add_to(twins.looped.robot, 0, joint(JointType::free), brick);
  close(twins.looped.robot, LoopType::spherical, 1, at, 0, at);
  twins.reference = {{}, {1, 0, 0, 0}, {spin.x, spin.y, spin.z}, 1};
  add(twins.reference.robot, joint(JointType::spherical), brick, at).own_frame.r = -at;
  return twins;
}

// Two free bodies tied by a loop that is a hinge about x, against the hinge as a joint.
Twins hinge() {
  const Vec3<double> on_a{0.2, 0.1, 0}, on_b{-0.1, 0, 0.15}, axis{1, 0, 0}, w{1, -2, 0.5}, v{0.3, 0, 1};
  const double rate = 4;
  Twins twins{"hinge", {}, {}, 1};
  Robot& looped = twins.looped.robot;
  add_to(looped, 0, joint(JointType::free), brick);
  add_to(looped, 0, joint(JointType::free), brick);
  close(looped, LoopType::revolute, 1, on_a, 2, on_b, axis);
  const Vec3<double> r = on_a - on_b, w_b = w + axis * rate, v_b = v + cross(w, on_a) - cross(w_b, on_b);
  twins.looped.q = {0, 0, 0, 1, 0, 0, 0, r.x, r.y, r.z, 1, 0, 0, 0};
  twins.looped.v = {w.x, w.y, w.z, v.x, v.y, v.z, w_b.x, w_b.y, w_b.z, v_b.x, v_b.y, v_b.z};
  twins.looped.body = 2;
  Robot& reference = twins.reference.robot;
  add(reference, joint(JointType::free), brick);
  add(reference, joint(JointType::revolute, axis), brick, on_a).own_frame.r = -on_b;
  twins.reference.q = {0, 0, 0, 1, 0, 0, 0, 0};
  twins.reference.v = {w.x, w.y, w.z, v.x, v.y, v.z, rate};
  twins.reference.body = 2;
  return twins;
}

// Stewart's platform: six legs on universal joints, each a slider with a spring of its own, tied to the platform by
// spherical loops. The platform's own axes are turned against the world's.
Start stewart(bool is_free) {
  const Quaternion<double> turn = unit(Quaternion<double>{0.3, -0.5, 0.7, 0.2});
  const Mat3<double> R = rotation(turn);
  const Vec3<double> centre{0.05, 0, 0.8};
  Start start;
  Robot& robot = start.robot;
  if (is_free) {
    start.body = add_to(robot, 0, joint(JointType::free), brick);
    start.q = {centre.x, centre.y, centre.z};
  } else {
    int last = 0;
    for (const Vec3<double>& axis : {Vec3<double>{1, 0, 0}, Vec3<double>{0, 1, 0}, Vec3<double>{0, 0, 1}})
      last = add_to(robot, last, joint(JointType::prismatic, axis), mass(0));
    start.body = add_to(robot, last, joint(JointType::spherical), brick);
    start.q = {centre.x, centre.y, centre.z};
  }
  for (const double x : {turn.w, turn.x, turn.y, turn.z}) start.q.push_back(x);
  for (int i = 0; i < 6; ++i) {
    const double sector = M_PI / 3 * (2 * (i / 2)), side = i % 2 == 0 ? -1 : 1;
    const auto on_circle = [](double radius, double angle) {
      return Vec3<double>{radius * std::cos(angle), radius * std::sin(angle), 0};
    };
    const Vec3<double> foot = on_circle(0.6, sector + side * 0.9), top = centre + on_circle(0.3, sector + side * 0.3),
                       leg = top - foot, z = leg * (1 / norm(leg)), across = cross(Vec3<double>{0, 0, 1}, z),
                       x = across * (1 / norm(across)), y = cross(z, x);
    const int lower = add_to(robot, 0, joint(JointType::universal, {1, 0, 0}, {0, 1, 0}),
                             mass(0.5, {0, 0, 0.2}, {0.01, 0, 0.01, 0, 0, 0.001}), foot);
    robot.bodies.back().joint_frame.R = {x.x, y.x, x.y, y.y, x.z, y.z, z.x, z.y, z.z};  // columns x, y, z
    Joint slider = joint(JointType::prismatic, {0, 0, 1});
    slider.spring = {.stiffness = 400.0 + 100 * i, .rest = norm(leg)};
    const int upper = add_to(robot, lower, slider, mass(0.5, {0, 0, -0.2}, {0.01, 0, 0.01, 0, 0, 0.001}));
    close(robot, LoopType::spherical, start.body, back(R, top - centre), upper, {0, 0, 0});
    for (const double q : {0.0, 0.0, norm(leg)}) start.q.push_back(q);
  }
  start.v = std::vector<double>(24);
  return start;
}

Twins platform() { return {"platform", stewart(true), stewart(false), 0.5}; }

// How far apart the two bodies are, the largest of all samples: m, rad, m/s, rad/s.
double apart(const Start& a, const Simulated& of_a, const Start& b, const Simulated& of_b) {
  struct Seen {
    Pose<double> pose;
    Twist<double> twist;
  };
  const auto seen = [](const Start& start, const Kept& sample) {
    const Model model(start.robot);
    Configuration<double> at(model);
    Kinematics<double> kin(model);
    place<double>(model, sample.q, at);
    positions<double>(model, at, kin);
    velocities<double>(model, sample.v, kin);
    return Seen{pose_in_world<double>(model, kin, start.body), twist_in_body<double>(model, kin, start.body)};
  };
  EXPECT_EQ(of_a.samples.size(), of_b.samples.size());
  double most = 0;
  for (size_t i = 0; i < of_a.samples.size(); ++i) {
    const Seen one = seen(a, of_a.samples[i]), other = seen(b, of_b.samples[i]);
    for (const Vec3<double>& axis : {Vec3<double>{1, 0, 0}, Vec3<double>{0, 1, 0}, Vec3<double>{0, 0, 1}})
      most = std::max(most, norm(one.pose.R * axis - other.pose.R * axis));
    most = std::max(
        {most, norm(one.pose.r - other.pose.r), norm(one.twist.w - other.twist.w), norm(one.twist.v - other.twist.v)});
  }
  return most;
}

// What the steps may err, if each errs as much as error control lets it: of one-step methods every entry by
// atol + rtol |y|, of multistep methods the root mean square of all.
double allowed(const Start& start, const Simulated& run, const IntegratorOptions& options) {
  double size = 0;
  for (const Kept& sample : run.samples) size = std::max({size, largest(sample.q), largest(sample.v)});
  const double entries = is_multistep(options.method) ? double(start.q.size() + start.v.size()) : 1;
  return double(run.statistics.steps) * std::sqrt(entries) * (options.atol + options.rtol * size);
}

// As near as the steps justify, and with about as many of them: free joints are no harder than others.
void expect_twins(const Twins& twins, std::initializer_list<IntegratorOptions> all) {
  const auto& [name, looped, reference, duration] = twins;
  const Model model(looped.robot), other(reference.robot);
  const Simulated exact = simulated(other, reference.setup(duration, tight(1e-13)));
  for (const IntegratorOptions& options : all) {
    if (is_multistep(options.method) && !has_multistep()) continue;
    SCOPED_TRACE(name + std::string(" by ") + std::string(name_of(options.method)));
    const Simulated run = simulated(model, looped.setup(duration, options)),
                    usual = simulated(other, reference.setup(duration, options));
    const double may_err = allowed(looped, run, options);
    EXPECT_LE(apart(looped, run, reference, exact), may_err);
    // |dE| <= sum of m (|g| + |v|) |dx|, with no more than 16 kg at no more than 10 m/s
    EXPECT_LE(run.statistics.balance_defect, 16 * (9.81 + 10) * may_err);
    EXPECT_LE(run.statistics.steps + run.statistics.rejected, 2 * (usual.statistics.steps + usual.statistics.rejected));
    EXPECT_LE(run.statistics.loop_defect, 1e-12);
    if (is_multistep(options.method)) continue;
    EXPECT_LE(run.statistics.evaluations, 3 * usual.statistics.evaluations / 2);
  }
}
const std::initializer_list<IntegratorOptions> adaptive = {IntegratorOptions{},
                                                           tight(1e-6),
                                                           tight(1e-8),
                                                           tight(1e-10),
                                                           tight(1e-8, IntegrationMethod::adams),
                                                           tight(1e-8, IntegrationMethod::bdf),
                                                           tight(1e-8, IntegrationMethod::ida)};

TEST(FreeLoops, APinIsABallJoint) {
  expect_twins(pin({0, 0, 0}), adaptive);
  expect_twins(pin({3, -2, 5}), adaptive);
}
TEST(FreeLoops, TwoBodiesAreTiedByAHinge) { expect_twins(hinge(), adaptive); }
TEST(FreeLoops, StewartsPlatformIsFree) { expect_twins(platform(), adaptive); }

// RK4 errs by c h^4 against the same motion in other coordinates.
TEST(FreeLoops, FixedStepsConvergeWithTheirOrder) {
  for (const auto& [name, looped, reference, duration] : {pin({3, -2, 5}), hinge(), platform()}) {
    const Model model(looped.robot), other(reference.robot);
    const Simulated exact = simulated(other, reference.setup(duration, tight(1e-13)));
    const auto error = [&, &looped = looped, &reference = reference, duration = duration](double step) {
      return apart(looped, simulated(model, looped.setup(duration, fixed(step))), reference, exact);
    };
    EXPECT_NEAR(std::log2(error(duration / 250) / error(duration / 500)), 4, 0.2) << name;
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
