// Each force by itself, against its formula.
#include <cmath>

#include "denoc/forces/forces.hpp"
#include "support/build.hpp"
#include "support/expect.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

// One force on a robot at q, v.
template <class F>
Loads<double> loads_of(const F& force, const Model& model, std::vector<double> q, std::vector<double> v) {
  Configuration<double> at(model);
  Kinematics<double> kin(model);
  place<double>(model, q, at);
  positions<double>(model, at, kin);
  velocities<double>(model, v, kin);
  Loads<double> loads(model.nv(), force.wrenches());
  force.act(Situation<double>{model, 2.0, q, v, &kin}, loads);
  return loads;
}

// Something that slides along x.
Model slider(const std::function<void(Joint&)>& with) {
  Robot robot;
  Joint slide = joint(JointType::prismatic, {1, 0, 0});
  with(slide);
  add(robot, slide, mass(2));
  return Model(robot);
}

TEST(JointSprings, PullToTheirRest) {
  const Model model = slider([](Joint& j) { j.spring = {.stiffness = 30, .rest = 0.5}; });
  const Loads<double> loads = loads_of(JointSprings<double>(model), model, {2}, {7});
  EXPECT_EQ(loads.tau[0], -45);
  EXPECT_EQ(loads.stored, 33.75);
}

// What a surface that moves with s brings in is the force it exerts times s.
TEST(Friction, TakesPowerFromMovingSurfaces) {
  const Model model = slider([](Joint& j) {
    j.friction = {.viscous = 4, .coulomb = 3, .stribeck_epsilon = 0.5, .stribeck_gamma = 2, .surface_speed = 1.5};
  });
  const double dry = 3 + 0.5 * std::exp(-2.0);
  struct Case {
    double v, viscous, dry;
  };
  for (const auto& [v, viscous, sliding] : {Case{2.5, -4, -dry}, Case{0.5, 4, dry}, Case{1.5, 0, 0}}) {
    const double u = v - 1.5;
    for (const auto& [loads, force] : {std::pair(loads_of(ViscousFriction<double>(model), model, {0}, {v}), viscous),
                                       std::pair(loads_of(SlidingFriction<double>(model), model, {0}, {v}), sliding)}) {
      EXPECT_DOUBLE_EQ(loads.tau[0], force) << v;
      EXPECT_DOUBLE_EQ(loads.dissipated, -force * u) << v;
      EXPECT_DOUBLE_EQ(loads.input, force * 1.5) << v;
      EXPECT_EQ(loads.stored, 0);
    }
  }
}

// They push back by stiffness x (1 + damping x'), and let go of a joint that leaves faster than they can follow.
TEST(EndStops, NeverPull) {
  const double upper = 1, lower = -2, stiffness = 50, damping = 20;
  const Model model = slider(
      [&](Joint& j) { j.limits = {.lower = lower, .upper = upper, .stiffness = stiffness, .damping = damping}; });
  const EndStops<double> stops(model);
  int let_go = 0;
  for (const double x : {0.0, 1e-6, 0.01, 0.3}) {
    for (const double rate : {-3.0, -1 / damping, -0.02, 0.0, 0.02, 3.0}) {
      const double push = std::max(0.0, stiffness * x * (1 + damping * rate));
      const Loads<double> above = loads_of(stops, model, {upper + x}, {rate}),
                          below = loads_of(stops, model, {lower - x}, {-rate});
      EXPECT_LE(above.tau[0], 0);
      EXPECT_GE(below.tau[0], 0);
      EXPECT_NEAR(above.tau[0], -push, 1e-14 * stiffness * (1 + damping * 3));
      EXPECT_NEAR(below.tau[0], push, 1e-14 * stiffness * (1 + damping * 3));
      for (const Loads<double>& loads : {above, below}) {
        EXPECT_NEAR(loads.stored, stiffness * x * x / 2, 1e-14 * stiffness);
        EXPECT_GE(loads.dissipated, 0);
      }
      let_go += x > 0 && push == 0 ? 1 : 0;
    }
  }
  EXPECT_GT(let_go, 0);
  for (const double q : {lower, -0.5, upper}) {
    const Loads<double> between = loads_of(stops, model, {q}, {5});
    EXPECT_EQ(between.tau[0], 0);
    EXPECT_EQ(between.stored, 0);
    EXPECT_EQ(between.dissipated, 0);
  }
}
TEST(EndStops, StandWhereALimitIsGiven) {
  const Model model = slider([](Joint& j) { j.limits = {.upper = 1, .stiffness = 50}; });
  const EndStops<double> stops(model);
  EXPECT_EQ(loads_of(stops, model, {-1e9}, {0}).tau[0], 0);
  EXPECT_EQ(loads_of(stops, model, {1.5}, {0}).tau[0], -25);
  EXPECT_TRUE(EndStops<double>(slider([](Joint& j) { j.limits = {.upper = 1}; })).empty());
}

// In a joint with several degrees of freedom they act on each, but springs and stops not on quaternions.
TEST(JointForces, ActOnEveryDegreeOfFreedom) {
  Joint plane = joint(JointType::planar), ball = joint(JointType::spherical);
  plane.spring.stiffness = 3;
  plane.limits = {.upper = 1, .stiffness = 10};
  plane.friction.viscous = ball.friction.viscous = 2;
  ball.friction.coulomb = 5;
  Robot robot;
  add(robot, plane, mass(1));
  add(robot, ball, mass(1, {0, 0, 0}, {1, 0, 1, 0, 0, 1}));
  const Model model(robot);
  Configuration<double> at(model);
  const std::vector<double> q = {0.5, 2, -1, 1, 0, 0, 0}, v = {0.1, 0.2, 0.3, 0.4, -0.5, 0};
  place<double>(model, q, at);
  expect_near(ForcesOf<double>(model).act(at, q, v).tau, {-1.7, -6 - 10 - 0.4, 3 - 0.6, -5.8, 6, 0}, 1e-14, "tau");
}

// On a rail beside the point where the spring hangs: L = 5, L' = -2 4/5. Springs, dampers, and both, with a length at rest
// and without.
TEST(PointSprings, PullTheirEndsTogether) {
  for (const auto& [stiffness, damping] : {std::pair(10.0, 5.0), {10.0, 0.0}, {0.0, 5.0}})
    for (const double rest : {1.0, 0.0, 7.0}) {
      Robot robot;
      add(robot, joint(JointType::prismatic), mass(2));
      PointSpring spring;
      spring.a = {1, {}};
      spring.b.frame.r = {3, 0, 4};
      spring.stiffness = stiffness, spring.damping = damping, spring.rest = rest;
      spring.source.element = "springs[0]";
      robot.springs = {spring};
      const Model model(robot);
      const PointSprings<double> springs(model);
      const Loads<double> loads = loads_of(springs, model, {0}, {2});
      const double stretch = 5 - rest, pull = stiffness * stretch + damping * (-2 * 0.8);
      ASSERT_EQ(loads.wrenches.size(), 2u);
      const auto& [on, on_ground] = std::pair(loads.wrenches[0].wrench, loads.wrenches[1].wrench);
      EXPECT_LE(norm(on.f - Vec3<double>{0.6 * pull, 0, 0.8 * pull}), 1e-13);
      EXPECT_LE(norm(on.n), 1e-13);
      EXPECT_LE(norm(on_ground.f + on.f), 1e-13);
      EXPECT_LE(norm(on_ground.n - cross(Vec3<double>{3, 0, 4}, on_ground.f)), 1e-12);
      EXPECT_NEAR(loads.stored, stiffness * stretch * stretch / 2, 1e-12);
      EXPECT_NEAR(loads.dissipated, damping * 1.6 * 1.6, 1e-13);
    }
}
// Ends that coincide leave a force without direction, by its name, but energy; without rest and damping nothing at all.
TEST(PointSprings, NeedADirection) {
  Robot robot;
  add(robot, joint(JointType::prismatic), mass(2));
  PointSpring spring;
  spring.a = {1, {}};
  spring.stiffness = 10, spring.rest = 2;
  spring.source.element = "springs[0]";
  robot.springs = {spring};
  const std::vector<double> q = {0}, v = {1};
  const auto forces_at_ends =
      [&](const std::function<void(const Model&, ForcesOf<double>&, Configuration<double>&)>& f) {
        const Model model(robot);
        ForcesOf<double> forces(model);
        Configuration<double> at(model);
        place<double>(model, q, at);
        f(model, forces, at);
      };
  forces_at_ends([&](const Model&, ForcesOf<double>& forces, const Configuration<double>& at) {
    EXPECT_EQ(forces.stored(at, q), 20);
    try {
      forces.act(at, q, v);
      ADD_FAILURE() << "a force without direction";
    } catch (const NoForce& error) {
      EXPECT_NE(std::string(error.what()).find("springs[0]"), std::string::npos) << error.what();
    }
  });
  robot.springs[0].rest = 0;
  forces_at_ends([&](const Model&, ForcesOf<double>& forces, const Configuration<double>& at) {
    EXPECT_EQ(forces.stored(at, q), 0);
    EXPECT_EQ(forces.act(at, q, v).wrenches[0].wrench.f.z, 0);
  });
  robot.springs[0].damping = 3;
  forces_at_ends([&](const Model&, ForcesOf<double>& forces, const Configuration<double>& at) {
    EXPECT_THROW(forces.act(at, q, v), NoForce);
  });
}

// A turned body, somewhere.
struct Flying {
  Model model = made();
  std::vector<double> q = {0.3, -0.4, 0.5, 0.5, 0.1, -0.7, 0.5}, v = {0.3, -1.2, 0.7, 2, -1, 0.5};
  Pose<double> pose;
  Twist<double> velocity;  // in world axes, of the body's origin
  Flying() {
    normalise<double>(model, q);
    Configuration<double> at(model);
    Kinematics<double> kin(model);
    place<double>(model, q, at);
    positions<double>(model, at, kin);
    velocities<double>(model, v, kin);
    pose = pose_in_world<double>(model, kin, 1);
    velocity = velocity_in_world<double>(model, kin, 1);
  }
  static Model made() {
    Robot robot;
    add(robot, joint(JointType::free), mass(1, {0, 0, 0}, {1, 0, 1, 0, 0, 1}), {1, 2, 3});
    return Model(robot);
  }
};

// Statics does not ask for axes: about the world's origin the wrench is n + p x f and f, p where it acts.
TEST(ExternalWrenches, AreTheSameInAnyAxes) {
  const Flying body;
  const Vec3<double> point{0.2, -0.5, 0.3}, p = body.pose.r + body.pose.R * point;
  const Wrench<double> in_world{{1, -2, 5}, {3, 4, -6}};
  const Vec3<double> about_origin = in_world.n + cross(p, in_world.f);
  const Wrench<double> turned{back(body.pose.R, in_world.n), back(body.pose.R, in_world.f)};
  ExternalWrench by_world, by_body;
  by_world.body = by_body.body = 1;
  by_world.point = by_body.point = point;
  by_world.in_world_axes = true;
  by_world.at = [&](double t) { return Wrench<double>{in_world.n * (t - 1), in_world.f * (t - 1)}; };  // at t = 2
  by_body.at = [&](double) { return turned; };
  // what it does to a body whose point moves with p'
  const Vec3<double> rate = body.velocity.v + cross(body.velocity.w, body.pose.R * point);
  const double power = dot(in_world.n, body.velocity.w) + dot(in_world.f, rate);
  for (const ExternalWrench& given : {by_world, by_body}) {
    const Loads<double> loads = loads_of(ExternalWrenches<double>({given}), body.model, body.q, body.v);
    ASSERT_EQ(loads.wrenches.size(), 1u);
    const Wrench<double> found = body.pose.to_parent(loads.wrenches[0].wrench);
    EXPECT_LE(norm(found.f - in_world.f), 1e-14);
    EXPECT_LE(norm(found.n - about_origin), 1e-13);
    EXPECT_NEAR(loads.input, power, 1e-13);
    EXPECT_EQ(loads.stored, 0);
    EXPECT_EQ(loads.dissipated, 0);
  }
}

// f = F n - friction F u / sqrt(|u|^2 + slip_speed^2) at the point that touches, as the world sees it.
TEST(GroundReaction, PushesAndDrags) {
  const Flying body;
  const Vec3<double> point{0.2, -0.5, 0.3}, p = body.pose.r + body.pose.R * point;
  const Vec3<double> rate = body.velocity.v + cross(body.velocity.w, body.pose.R * point);
  GroundContact ground;
  ground.normal = {0.6, 0, 0.8};
  ground.stiffness = 40, ground.damping = 0.3, ground.friction = 0.7, ground.slip_speed = 0.5;
  ground.points = {{1, point}};
  for (const double depth : {-0.1, 0.0, 0.05, 0.2}) {
    ground.point = p + ground.normal * depth;
    const double inward = -dot(ground.normal, rate), F = std::max(0.0, 40 * depth * (1 + 0.3 * inward));
    const Vec3<double> u = rate + ground.normal * inward;
    const double drag = depth > 0 ? 0.7 * F / std::hypot(norm(u), 0.5) : 0;
    const Vec3<double> force = depth > 0 ? ground.normal * F - u * drag : Vec3<double>{0, 0, 0};
    const Loads<double> loads = loads_of(GroundReaction<double>(ground), body.model, body.q, body.v);
    ASSERT_EQ(loads.wrenches.size(), 1u);
    const Wrench<double> found = body.pose.to_parent(loads.wrenches[0].wrench);
    EXPECT_LE(norm(found.f - force), 1e-13) << depth;
    EXPECT_LE(norm(found.n - cross(p, force)), 1e-12) << depth;
    EXPECT_NEAR(loads.stored, depth > 0 ? 20 * depth * depth : 0, 1e-13) << depth;
    EXPECT_NEAR(loads.dissipated, depth > 0 ? (F - 40 * depth) * inward + drag * dot(u, u) : 0, 1e-12) << depth;
    EXPECT_EQ(loads.input, 0);
  }
  EXPECT_TRUE(GroundReaction<double>(std::nullopt).empty());
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
