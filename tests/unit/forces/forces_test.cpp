// What every force has in common, on random robots and states: it goes through the list.
#include "denoc/forces/forces.hpp"

#include "support/build.hpp"
#include "support/random_forces.hpp"
#include "support/random_laws.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

struct Surroundings {
  std::vector<ExternalWrench> wrenches;
  GroundContact ground;
};
template <class T> auto all_forces(const ModelOf<T>& model, const Surroundings& around) {
  return std::tuple_cat(forces_from<RobotForces<T>>(model), SurroundingForces<T>(around.wrenches, around.ground));
}
constexpr double instant = 0.3;

// A robot that moves, with everything that acts on it.
struct Acted {
  Robot robot;
  Surroundings around;
  std::vector<double> q, v, a;
  std::optional<Model> model;

  Acted(Random& random, const Robot& bare) : robot(bare) {
    add_forces(random, robot);
    around = {random_external_wrenches(random, robot), random_ground(random, robot)};
    model.emplace(robot);
    q = random_q<double>(random, *model);
    v = random_vector<double>(random, model->nv(), 2);
    a = random_vector<double>(random, model->nv(), 2);
  }
};
void for_acted(const std::function<void(Random&, const Acted&)>& law) {
  for_random_robots<double>([&](Random& random, const Model& bare) { law(random, Acted(random, bare.robot())); }, 8);
}

// Placed and moving, in T.
template <class T> struct Placed {
  const ModelOf<T>& model;
  std::vector<T> q, v;
  Kinematics<T> kin;
  Placed(const ModelOf<T>& of, const std::vector<T>& coordinates, const std::vector<T>& rates)
      : model(of), q(coordinates), v(rates), kin(of) {
    Configuration<T> at(model);
    place<T>(model, q, at);
    positions<T>(model, at, kin);
    velocities<T>(model, v, kin);
  }
  Situation<T> situation() const { return {model, Real<T>(instant), q, v, &kin}; }
  template <class F> Loads<T> loads(const F& force) const {
    Loads<T> loads(model.nv(), force.wrenches());
    force.act(situation(), loads);
    return loads;
  }
};
double of(const Moving& x) { return x.x; }
double of(double x) { return x; }
// Of tau and wrenches, on the way that `moving` goes.
template <class T> double power(const Loads<T>& loads, const Placed<Moving>& moving) {
  double sum = 0;
  for (std::size_t k = 0; k < loads.tau.size(); ++k) sum += of(loads.tau[k]) * of(moving.v[k]);
  for (const auto& [body, w] : loads.wrenches) {
    const Twist<Moving> t = twist_in_body<Moving>(moving.model, moving.kin, body);
    const auto along = [](const Vec3<Moving>& x, const auto& y) {
      return of(x.x) * of(y.x) + of(x.y) * of(y.y) + of(x.z) * of(y.z);
    };
    sum += along(t.w, w.n) + along(t.v, w.f);
  }
  return sum;
}
// What rounding explains of a power: forces are known to rounding of stiffness and wrench times the robot's reach.
double power_rounding(const Placed<Moving>& moving) {
  double reach = 1, speed = 1;
  for (std::size_t b = 0; b < moving.model.bodies().size(); ++b) {
    const Vec3<Moving> r = pose_in_world<Moving>(moving.model, moving.kin, int(b)).r;
    const Twist<Moving> v = twist_in_body<Moving>(moving.model, moving.kin, int(b));
    for (const Moving& x : {r.x, r.y, r.z}) reach = std::max(reach, std::abs(x.x));
    for (const Moving& x : {v.w.x, v.w.y, v.w.z, v.v.x, v.v.y, v.v.z}) speed = std::max(speed, std::abs(x.x));
  }
  for (const Moving& x : moving.q) reach = std::max(reach, std::abs(x.x));
  for (const Moving& x : moving.v) speed = std::max(speed, std::abs(x.x));
  const int terms = moving.model.nv() + 2 * int(moving.model.bodies().size());
  return rounding<double>(terms, double(moving.model.bodies().size()) * stiffest * reach * reach * speed * speed);
}
Placed<Moving> along(const Model& model, const std::vector<double>& q, const std::vector<double>& v,
                     const std::vector<double>& a) {
  const MovingState state = moving(model, q, v, a);
  return Placed<Moving>(model, state.q, state.v);
}

// d(stored)/dt = -(power of its forces) - dissipated + input, and heat is never won.
TEST(Forces, AccountForTheirPower) {
  for_acted([](Random&, const Acted& acted) {
    const Placed<Moving> moving = along(*acted.model, acted.q, acted.v, acted.a);
    for_each_force(all_forces<Moving>(*acted.model, acted.around), [&](const auto& force) {
      const Loads<Moving> loads = moving.loads(force);
      EXPECT_NEAR(loads.stored.d, -power(loads, moving) - loads.dissipated.x + loads.input.x, power_rounding(moving))
          << force.name;
      EXPECT_GE(loads.dissipated.x, 0) << force.name;
      EXPECT_EQ(int(loads.wrenches.size()), force.wrenches()) << force.name;
    });
  });
}

// At rest on surfaces at rest, forces are minus the gradient of what they have stored. (Wrenches from outside have
// nothing stored.)
TEST(Forces, AreMinusTheGradientOfWhatTheyStore) {
  int pushing = 0;
  for_acted([&](Random&, const Acted& acted) {
    Robot robot = acted.robot;
    for (Body& body : robot.bodies) body.joint.friction.surface_speed = 0;
    const Model model(robot);
    const Placed<double> rest(model, acted.q, std::vector<double>(acted.v.size()));
    const Placed<Moving> moving = along(model, acted.q, acted.v, acted.a);
    const auto law = [&](const auto& force, const auto& differentiated) {
      const Loads<double> loads = rest.loads(force);
      EXPECT_NEAR(moving.loads(differentiated).stored.d, -power(loads, moving), power_rounding(moving)) << force.name;
      EXPECT_EQ(loads.dissipated, 0) << force.name;
      EXPECT_EQ(loads.input, 0) << force.name;
      pushing += loads.stored > 0 ? 1 : 0;
    };
    const auto each = [&]<std::size_t... i>(std::index_sequence<i...>, const auto& forces, const auto& differentiated) {
      (law(std::get<i>(forces), std::get<i>(differentiated)), ...);
    };
    each(std::make_index_sequence<std::tuple_size_v<RobotForces<double>>>(), forces_from<RobotForces<double>>(model),
         forces_from<RobotForces<Moving>>(model));
    law(GroundReaction<double>(acted.around.ground), GroundReaction<Moving>(acted.around.ground));
  });
  EXPECT_GT(pushing, 100);  // or nothing has been said
}

// The whole is the sum of its parts.
TEST(Forces, ActTogether) {
  for_acted([](Random&, const Acted& acted) {
    const Model& model = *acted.model;
    const Placed<double> placed(model, acted.q, acted.v);
    Configuration<double> at(model);
    place<double>(model, acted.q, at);
    ForcesOf<double> forces(model);
    Loads<double> sum(model.nv(), 0);
    for_each_force(forces.list(), [&](const auto& force) {
      const Loads<double> part = placed.loads(force);
      for (std::size_t k = 0; k < sum.tau.size(); ++k) sum.tau[k] += part.tau[k];
      sum.stored += part.stored;
      sum.dissipated += part.dissipated;
      sum.input += part.input;
    });
    EXPECT_NEAR(forces.stored(at, acted.q), sum.stored, 1e-14 * sum.stored);
    const Loads<double>& found = forces.act(at, acted.q, acted.v);
    EXPECT_LE(largest_difference(found.tau, sum.tau), 1e-14 * (1 + largest(sum.tau)));
    EXPECT_NEAR(found.stored, sum.stored, 1e-14 * sum.stored);
    EXPECT_NEAR(found.dissipated, sum.dissipated, 1e-14 * sum.dissipated);
    EXPECT_NEAR(found.input, sum.input, 1e-14 * (sum.dissipated + std::abs(sum.input)));
    const auto expected = placed.loads(PointSprings<double>(model)).wrenches;
    ASSERT_EQ(found.wrenches.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(found.wrenches[i].body, expected[i].body);
      EXPECT_EQ(norm(found.wrenches[i].wrench.f - expected[i].wrench.f), 0);
      EXPECT_EQ(norm(found.wrenches[i].wrench.n - expected[i].wrench.n), 0);
    }
  });
}

TEST(Forces, AreNamedWhereTheRobotHasThem) {
  Random random(7);
  Robot robot = random_robot(random, {.bodies = 3, .types = {JointType::revolute}});
  EXPECT_EQ(names_of_forces(Model(robot)), "");
  robot.bodies[2].joint.spring.stiffness = 3;
  EXPECT_EQ(names_of_forces(Model(robot)), JointSprings<double>::name);
  robot.bodies[3].joint.limits = {.upper = 1};  // a limit alone is no stop
  EXPECT_EQ(names_of_forces(Model(robot)), JointSprings<double>::name);
  add_forces(random, robot);
  std::string all;
  for_each_force(forces_from<RobotForces<double>>(Model(robot)), [&](const auto& force) {
    EXPECT_FALSE(force.empty()) << force.name;
    all += (all.empty() ? "" : ", ") + std::string(force.name);
  });
  EXPECT_EQ(names_of_forces(Model(robot)), all);
}

TEST(Forces, RefuseWrongSizes) {
  Robot robot;
  add(robot, joint(JointType::spherical), mass(1));
  const Model model(robot);
  ForcesOf<double> forces(model);
  Configuration<double> at(model);
  const std::vector<double> q = {1, 0, 0, 0}, v(3);
  EXPECT_NO_THROW(forces.act(at, q, v));
  EXPECT_THROW(forces.act(at, v, v), ArgumentError);
  EXPECT_THROW(forces.act(at, q, q), ArgumentError);
  EXPECT_THROW(forces.stored(at, v), ArgumentError);
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
