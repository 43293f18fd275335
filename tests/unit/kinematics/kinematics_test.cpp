#include "denoc/kinematics/kinematics.hpp"
#include "denoc/kinematics/inverse_rates.hpp"

#include "support/build.hpp"
#include "support/expect.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

// cos 1 + sin [a] + (1 - cos) a a^T                                                              (Rodrigues)
Mat3<double> about(Vec3<double> axis, double angle) {
  axis = axis * (1 / norm(axis));
  const double c = std::cos(angle), s = std::sin(angle), t = 1 - c;
  const auto [x, y, z] = axis;
  return {c + t * x * x,     t * x * y - s * z, t * x * y + s * z, c + t * y * y, t * x * z - s * y,
          t * y * z + s * x, t * x * z + s * y, t * y * z - s * x, c + t * z * z};
}
// What the joint does to its frame, straight from its definition (CONTRACT: Coordinates).
Pose<double> motion(const Joint& j, const double* q) {
  const Vec3<double> along = j.axis * (1 / norm(j.axis));
  const Mat3<double> none = identity3<double>();
  switch (j.type) {
    case JointType::fixed:
      return {};
    case JointType::revolute:
    case JointType::continuous:
      return {about(j.axis, q[0]), {0, 0, 0}};
    case JointType::prismatic:
      return {none, along * q[0]};
    case JointType::helical:
      return {about(j.axis, q[0]), along * (j.pitch * q[0])};
    case JointType::universal:
      return {about(j.axis, q[0]) * about(j.axis2, q[1]), {0, 0, 0}};
    case JointType::cylindrical:
      return {about(j.axis, q[0]), along * q[1]};
    case JointType::planar:
      return {about({0, 0, 1}, q[2]), {q[0], q[1], 0}};
    case JointType::spherical:
      return {rotation(Quaternion<double>{q[0], q[1], q[2], q[3]}), {0, 0, 0}};
    case JointType::free:
      return {rotation(Quaternion<double>{q[3], q[4], q[5], q[6]}), {q[0], q[1], q[2]}};
  }
  return {};
}
double distance(const Pose<double>& a, const Pose<double>& b) {
  return std::max({norm(a.r - b.r), norm(column_x(a.R) - column_x(b.R)), norm(column_y(a.R) - column_y(b.R)),
                   norm(column_z(a.R) - column_z(b.R))});
}

struct Moved {
  Model model;
  std::vector<double> q, v, a;
  Moved(Random& random, const RandomRobot& wanted)
      : model(random_robot(random, wanted)),
        q(random_q<double>(random, model)),
        v(random_vector<double>(random, model.nv())),
        a(random_vector<double>(random, model.nv(), 5)) {}
};
// Some robots with all joint types; lengths are of order one, so a pose many joints away is of order `bodies`.
template <class F> void for_some_robots(F&& f) {
  Random random(31);
  for (int round = 0; round < 40; ++round) {
    const RandomRobot wanted{
        .bodies = 1 + random.below(15), .chain = round % 2 == 0, .nearly_parallel = round % 5 == 0};
    Moved robot(random, wanted);
    if (robot.model.nv() > 0) f(robot);
  }
}
const Vec3<double> derivative(const Vec3<Moving>& x) { return {x.x.d, x.y.d, x.z.d}; }

TEST(Kinematics, PosesAreProductsOfTheFilesFrames) {
  for_some_robots([](Moved& robot) {
    Machine<double> machine(robot.model, robot.q, robot.v);
    const auto& bodies = robot.model.robot().bodies;
    std::vector<Pose<double>> expected(bodies.size());
    for (size_t b = 1; b < bodies.size(); ++b) {
      const Body& body = bodies[b];
      expected[b] = expected[body.parent] * body.joint_frame *
                    motion(body.joint, &robot.q.data()[robot.model.bodies()[b].q]) * body.own_frame;
      EXPECT_LE(distance(pose_in_world<double>(robot.model, machine.kin, int(b)), expected[b]),
                rounding<double>(int(bodies.size()), 2.0 * int(bodies.size())))
          << name_of(body.joint.type);
    }
    EXPECT_LE(distance(pose_in_world<double>(robot.model, machine.kin, 0), {}), rounding<double>(1, 1)) << "the ground";
  });
}

TEST(Kinematics, TwistsAndTheirRatesAreDerivatives) {
  for_some_robots([](Moved& robot) {
    const Model& model = robot.model;
    Machine<double> still(model, robot.q, robot.v);
    accelerations<double>(model, robot.v, robot.a, still.kin);
    const auto state = moving(model, robot.q, robot.v, robot.a);
    Machine<Moving> moved(model, state.q, state.v);
    const int n = int(model.bodies().size());
    for (int b = 0; b < n; ++b) {
      const auto pose = pose_in_world<Moving>(model, moved.kin, b);
      const auto t = velocity_in_world<double>(model, still.kin, b),
                 rate = acceleration_in_world<double>(model, still.kin, b);
      // r' and R' = [w] R
      const double tolerance = rounding<double>(n, n * (1 + norm(t.w) + norm(t.v)));
      EXPECT_LE(norm(derivative(pose.r) - t.v), tolerance);
      const auto R = pose_in_world<double>(model, still.kin, b).R;
      EXPECT_LE(norm(derivative(column_x(pose.R)) - cross(t.w, column_x(R))), tolerance);
      EXPECT_LE(norm(derivative(column_y(pose.R)) - cross(t.w, column_y(R))), tolerance);
      const auto twist = velocity_in_world<Moving>(model, moved.kin, b);
      const double speeds = 1 + norm(t.w) + norm(t.v), rates = n * (norm(rate.w) + norm(rate.v) + speeds * speeds);
      EXPECT_LE(norm(derivative(twist.w) - rate.w), rounding<double>(n, rates));
      EXPECT_LE(norm(derivative(twist.v) - rate.v), rounding<double>(n, rates));
      const auto in_body = twist_in_body<Moving>(model, moved.kin, b);
      const auto rate_in_body = twist_rate_in_body<double>(model, still.kin, b);
      EXPECT_LE(norm(derivative(in_body.w) - rate_in_body.w), rounding<double>(n, rates));
      EXPECT_LE(norm(derivative(in_body.v) - rate_in_body.v), rounding<double>(n, rates));
    }
  });
}

TEST(Kinematics, JacobianColumnsAreDerivatives) {
  for_some_robots([](Moved& robot) {
    const Model& model = robot.model;
    const int n = model.nv(), last = int(model.bodies().size()) - 1;
    Machine<double> still(model, robot.q, robot.v);
    std::vector<double> in_world(6 * n, 99.0), in_body(6 * n, 99.0);
    jacobian_in_world<double>(model, still.kin, last, in_world);
    jacobian_in_body<double>(model, still.kin, last, in_body);
    const Mat3<double> R = pose_in_world<double>(model, still.kin, last).R;
    const double tolerance = rounding<double>(last, 2.0 * last);
    for (int k = 0; k < n; ++k) {
      std::vector<double> one(n, 0.0);
      one[k] = 1;
      const auto state = moving(model, robot.q, one, one);
      Machine<Moving> moved(model, state.q, state.v);
      const auto pose = pose_in_world<Moving>(model, moved.kin, last);
      const auto column = [&](const std::vector<double>& J, int row) {
        return Vec3<double>{J[row * n + k], J[(row + 1) * n + k], J[(row + 2) * n + k]};
      };
      EXPECT_LE(norm(derivative(pose.r) - column(in_world, 3)), tolerance);
      EXPECT_LE(norm(derivative(column_x(pose.R)) - cross(column(in_world, 0), column_x(R))), tolerance);
      EXPECT_LE(norm(derivative(column_z(pose.R)) - cross(column(in_world, 0), column_z(R))), tolerance);
      EXPECT_LE(norm(R * column(in_body, 0) - column(in_world, 0)), tolerance);
      EXPECT_LE(norm(R * column(in_body, 3) - column(in_world, 3)), tolerance);
    }
    // J v is the twist
    Twist<double> sum = zero_twist<double>;
    for (int k = 0; k < n; ++k)
      sum += Twist<double>{{in_body[k], in_body[n + k], in_body[2 * n + k]},
                           {in_body[3 * n + k], in_body[4 * n + k], in_body[5 * n + k]}} *
             robot.v[k];
    const auto t = twist_in_body<double>(model, still.kin, last);
    EXPECT_LE(norm(sum.w - t.w), rounding<double>(n, 2.0 * last));
    EXPECT_LE(norm(sum.v - t.v), rounding<double>(n, 2.0 * last));
  });
}

// Three slides square to each other, entries of 0 all over: their rates are the velocity, in any order of the slides.
TEST(Kinematics, RatesOfAGantryAreTheVelocity) {
  const Vec3<double> axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (const auto& [a, b, c] : {std::array{0, 1, 2}, {1, 2, 0}, {2, 1, 0}}) {
    Robot robot;
    for (const int k : {a, b, c}) add(robot, joint(JointType::prismatic, axes[k]), mass(1), {0.1, 0.2, 0.3});
    const Model model(robot);
    Machine<double> machine(model, {0.5, -1, 2}, {0, 0, 0});
    InverseRatesScratch<double> scratch(model);
    std::vector<double> v(3);
    const double velocity[] = {3, -5, 7};
    joint_rates<double>(model, machine.kin, 3, {{0, 0, 0}, {3, -5, 7}}, scratch, v);
    expect_near(v, {velocity[a], velocity[b], velocity[c]}, 16 * std::numeric_limits<double>::epsilon() * 7, "v");
  }
}

// Eight joints for six rows: of all rates the shortest, whatever was asked before.
TEST(Kinematics, RatesOfRedundantArmsForgetWhatWasAskedBefore) {
  Random random(5);
  const Model model(random_robot(random, {.bodies = 8, .types = {JointType::revolute}, .chain = true}));
  const std::vector<double> q = random_q<double>(random, model), still(8);
  Machine<double> machine(model, q, still);
  InverseRatesScratch<double> used(model), fresh(model);
  std::vector<double> v(8), again(8);
  const Twist<double> first{{1, 2, 3}, {4, 5, 6}}, second{{-1, 0.5, 2}, {0.3, -2, 1}};
  joint_rates<double>(model, machine.kin, 8, first, used, v);
  joint_rates<double>(model, machine.kin, 8, second, used, v);
  joint_rates<double>(model, machine.kin, 8, second, fresh, again);
  EXPECT_EQ(v, again);
}

// Two bodies, by hand.
TEST(Kinematics, MassCentreAndEnergies) {
  Robot robot;
  robot.gravity = {0, 0, -10};
  add(robot, joint(JointType::prismatic, {1, 0, 0}), mass(2), {0, 0, 1});
  add(robot, joint(JointType::prismatic, {0, 0, 1}), mass(6, {0, 0.5, 0}));
  const Model model(robot);
  Machine<double> machine(model, {0.5, 2}, {3, -1});
  const auto centre = mass_centre<double>(model, machine.kin);
  EXPECT_EQ(centre.mass, 8);
  EXPECT_NEAR(centre.position.x, 0.5, 1e-15);
  EXPECT_NEAR(centre.position.y, 6 * 0.5 / 8, 1e-15);
  EXPECT_NEAR(centre.position.z, (2 * 1 + 6 * 3.0) / 8, 1e-15);
  EXPECT_NEAR(kinetic_energy<double>(model, machine.kin), 0.5 * 2 * 9 + 0.5 * 6 * 10, 1e-13);
  EXPECT_NEAR(potential_energy<double>(model, machine.kin), 10 * (2 * 1 + 6 * 3.0), 1e-13);
  const auto momentum = momentum_in_world<double>(model, machine.kin);
  EXPECT_NEAR(momentum.f.x, 8 * 3, 1e-14);
  EXPECT_NEAR(momentum.f.z, -6, 1e-14);
  // r x m v: body 1 at (.5, 0, 1) with (3, 0, 0) 2; body 2 at (.5, .5, 3) with (3, 0, -1) 6
  EXPECT_NEAR(momentum.n.x, 6 * (0.5 * -1), 1e-13);
  EXPECT_NEAR(momentum.n.y, 2 * 3 + 6 * (3 * 3 + 0.5), 1e-13);
  EXPECT_NEAR(momentum.n.z, -6 * 0.5 * 3, 1e-13);
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
