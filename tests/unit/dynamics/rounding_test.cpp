// What rounding explains is a quantity like those it bounds: it has their units, and of one pendulum it is known by hand.
#include "denoc/dynamics/rounding.hpp"

#include "support/build.hpp"
#include "support/expect.hpp"
#include "support/random_laws.hpp"
#include "support/random_robot.hpp"
#include "support/scaled.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

using Vector = std::vector<double>;

// A point mass m at r on a hinge: I = m r^2 is the one term of I; in tau there meet m r^2 |a|, of the rate twice and of
// the energy once m r^2 w^2, m r g, and the moment that acts.
TEST(Rounding, OfAPendulumIsKnown) {
  const double m = 3, r = 0.5, w = -2, a = 7, g = 9.81, moment = 4;
  Robot robot;
  robot.gravity = {0, 0, -g};
  add(robot, joint(JointType::revolute, {0, 1, 0}), mass(m, {r, 0, 0}));
  const Model model(robot);
  Configuration<double> at(model);
  place<double>(model, Vector{0.3}, at);
  Rounding<double> rounding(model);
  rounding.evaluate(at, Vector{w}, std::vector<BodyWrench<double>>{{1, {{0, moment, 0}, {0, 0, 0}}}});
  const double unit = rounding.inertia()[0] / (m * r * r);  // c n eps
  EXPECT_NEAR(unit, 8 * std::numeric_limits<double>::epsilon(), 1e-12 * unit);
  const double tau = m * r * r * (std::abs(a) + 3 * w * w) + m * r * g + moment;
  EXPECT_NEAR(rounding.inverse(Vector{a})[0] / unit, tau, 1e-12 * tau);
  EXPECT_NEAR(rounding.product(Vector{a})[0] / unit, m * r * r * std::abs(a), 1e-12 * tau);
  EXPECT_NEAR(rounding.residual(Vector{a})[0] / unit, tau + m * r * r * std::abs(a), 1e-12 * tau);
  // r_k = 2 (W s + w t) = 4 |w| s, on both sides of C.
  EXPECT_NEAR(rounding.coriolis()[0] / unit, 8 * std::abs(w) * m * r * r, 1e-12 * tau);
}

// A force on a tool is one on the link that it is welded to, with the moment of its arm: what rounding explains is the same.
TEST(Rounding, KnowsTheArmOfAForceOnATool) {
  const double m = 3, r = 0.5, arm = 20, force = 4, g = 9.81;
  Robot robot;
  robot.gravity = {0, 0, -g};
  add(robot, joint(JointType::revolute, {0, 1, 0}), mass(m, {r, 0, 0}));
  add(robot, joint(JointType::fixed), mass(0), {arm, 0, 0});
  const Model model(robot);
  Configuration<double> at(model);
  place<double>(model, Vector{0.3}, at);
  const auto bounds = [&](int body, const Wrench<double>& acting) {
    Rounding<double> rounding(model);
    rounding.evaluate(at, Vector{0}, std::vector<BodyWrench<double>>{{body, acting}});
    return std::pair(rounding.inverse(Vector{0})[0], rounding.residual(Vector{0})[0]);
  };
  const auto on_tool = bounds(2, {{0, 0, 0}, {0, 0, force}}),
             on_link = bounds(1, {{0, -arm * force, 0}, {0, 0, force}});
  EXPECT_NEAR(on_tool.first, on_link.first, 1e-12 * on_link.first);
  EXPECT_NEAR(on_tool.second, on_link.second, 1e-12 * on_link.second);
  // in tau there meet m r g and the moment of the force
  const double tau = m * r * g + arm * force, unit = 8 * std::numeric_limits<double>::epsilon();
  EXPECT_NEAR(on_tool.first / unit, tau, 1e-12 * tau);
}

// A long chain folded back upon its first axis: the places of its last link are known to the digits of its length, not to
// those of the short way that is left. What double precision makes of its inertias and forces is off, against extended
// precision, by no more than rounding explains.
TEST(Rounding, OfAFoldedChainIsThatOfItsLength) {
  const double length = 1000, m = 2, off = 0.1;
  Robot robot;
  robot.gravity = {0, 0, 0};
  const Joint hinge = joint(JointType::revolute, {0, 1, 0});
  add(robot, hinge, mass(0));
  add(robot, hinge, mass(0), {length, 0, 0});
  add(robot, hinge, mass(m, {off, 0, 0}), {length, 0, 0});
  const Model model(robot);
  const BasicModel<long double> wide(robot);
  for (const double lead : {0.0, 0.3, 1.0, 2.5, -1.7}) {
    SCOPED_TRACE(lead);
    const Vector q = {lead, M_PI, 0.4}, v = {1, 0, 0}, a = {1, 0, 0};
    Machine<double> machine(model, q, v);
    Machine<long double> exact(wide, {q.begin(), q.end()}, {v.begin(), v.end()});
    Rounding<double> rounding = rounding_at<double>(model, q, v, {});
    const auto in_double = [](const std::vector<long double>& x) { return Vector(x.begin(), x.end()); };
    EXPECT_LE(times_rounding<double>(machine.inertia(), in_double(exact.inertia()), rounding.inertia()), 1);
    EXPECT_LE(
        times_rounding<double>(machine.inverse(a), in_double(exact.inverse({a.begin(), a.end()})), rounding.inverse(a)),
        1);
    // It is no more than the chain's length explains: m l^2, n eps.
    EXPECT_LE(rounding.inertia()[0],
              8 * 3 * std::numeric_limits<double>::epsilon() * m * (length + off) * (length + off) * (1 + 1e-12));
  }
}

// Two points of mass on one hinge, welded: the way to the mass centres is their root mean square,
// M d^2 = m_1 r_1^2 + m_2 r_2^2, and their inertia about the one they have together m_1 m_2/M (r_1 - r_2)^2 about two axes.
TEST(Rounding, OfWeldedBodiesIsKnown) {
  for (const auto& [m1, r1, m2, r2] : {std::array{3.0, 0.0, 0.1, 2.0}, {3.0, 0.5, 0.1, 2.0}, {0.2, 1.5, 4.0, 0.3}}) {
    Robot robot;
    add(robot, joint(JointType::revolute, {0, 1, 0}), mass(m1, {r1, 0, 0}));
    add(robot, joint(JointType::fixed), mass(m2), {r2, 0, 0});
    const Model model(robot);
    Configuration<double> at(model);
    place<double>(model, Vector{0.3}, at);
    Rounding<double> rounding(model);
    rounding.evaluate(at, Vector{0});
    const double expected = 2 * m1 * m2 / (m1 + m2) * (r1 - r2) * (r1 - r2) + m1 * r1 * r1 + m2 * r2 * r2;
    EXPECT_NEAR(rounding.inertia()[0] / (8 * std::numeric_limits<double>::epsilon()), expected, 1e-12 * expected);
  }
}

// A body that is cut into parts of the same shape, welded, is the same body.
TEST(Rounding, DoesNotFeelCuts) {
  Random random(9);
  for (int trial = 0; trial < 20; ++trial) {
    const Robot whole = random_robot(random, {.bodies = 6, .types = {JointType::revolute, JointType::spherical}});
    Robot parts = whole;
    for (size_t b = 1; b < whole.bodies.size(); ++b) {
      const double part = random.uniform(0.05, 0.95);
      const auto share = [&](Inertial& inertial, double by) {
        inertial.mass *= by;
        Sym3<double>& I = inertial.inertia;
        for (double* const each : {&I.xx, &I.xy, &I.yy, &I.xz, &I.yz, &I.zz}) *each *= by;
      };
      Body welded;
      welded.name = "part" + std::to_string(b);
      welded.parent = int(b);
      welded.joint.type = JointType::fixed;
      welded.inertial = whole.bodies[b].inertial;
      share(welded.inertial, part);
      share(parts.bodies[b].inertial, 1 - part);
      parts.bodies.push_back(welded);
    }
    const Model one(whole), cut(parts);
    const Vector q = random_q<double>(random, one);
    const Vector v = random_vector<double>(random, one.nv()), a = random_vector<double>(random, one.nv(), 5);
    const auto bounds = [&](const Model& model) {
      Configuration<double> at(model);
      place<double>(model, q, at);
      Rounding<double> rounding(model);
      rounding.evaluate(at, v);
      return std::vector<Vector>{rounding.inertia(), rounding.coriolis(), rounding.product(a), rounding.inverse(a),
                                 rounding.residual(a)};
    };
    const auto expected = bounds(one), found = bounds(cut);
    for (size_t kind = 0; kind < found.size(); ++kind)
      expect_near(found[kind], expected[kind], 1e-12 * largest(expected[kind]), "bounds " + std::to_string(kind));
  }
}

// In other units of length, time and mass all forces of hinges are larger by length^2 mass / time^2.
TEST(Rounding, HasTheUnitsOfWhatItBounds) {
  const double length = 2, rate = 4, weight = 8;
  Random random(7);
  for (int trial = 0; trial < 20; ++trial) {
    const Robot robot = random_robot(random, {.bodies = 7, .types = {JointType::revolute, JointType::spherical}});
    const Model one(robot), other(scaled(robot, {length, weight, rate}));
    const Vector q = random_q<double>(random, one);
    const Vector v = random_vector<double>(random, one.nv()), a = random_vector<double>(random, one.nv(), 5);
    const Vec3<double> n = random.vector(5), f = random.vector(5);
    const double moment = weight * length * length * rate * rate;
    const auto bounds = [&](const Model& model, double time, double moment_by, double force_by) {
      Configuration<double> at(model);
      place<double>(model, q, at);
      Vector rates = v, accelerations = a;
      for (double& x : rates) x *= time;
      for (double& x : accelerations) x *= time * time;
      Rounding<double> rounding(model);
      rounding.evaluate(at, rates, std::vector<BodyWrench<double>>{{5, {n * moment_by, f * force_by}}});
      return std::vector<Vector>{rounding.inertia(), rounding.coriolis(), rounding.product(accelerations),
                                 rounding.inverse(accelerations), rounding.residual(accelerations)};
    };
    const auto found = bounds(other, rate, moment, moment / length);
    auto expected = bounds(one, 1, 1, 1);
    const double by[] = {moment / (rate * rate), moment / rate, moment, moment, moment};
    for (size_t kind = 0; kind < found.size(); ++kind) {
      for (double& x : expected[kind]) x *= by[kind];
      expect_near(found[kind], expected[kind], 1e-12 * largest(expected[kind]), "bounds " + std::to_string(kind));
    }
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
