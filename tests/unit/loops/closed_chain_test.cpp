// Closed chains: laws of mechanics on random ones, and mechanisms whose freedoms are known.
#include "denoc/loops/closed_chain.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <numeric>

#include "denoc/dynamics/inertia/composite.hpp"
#include "denoc/dynamics/inverse/denoc.hpp"
#include "denoc/mechanism/dynamics.hpp"
#include "support/build.hpp"
#include "support/closed_rounding.hpp"
#include "support/data.hpp"
#include "support/dense.hpp"
#include "support/mechanisms.hpp"
#include "support/random_loops.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

double dot_of(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}
// I a + bias
std::vector<double> tree_forces(const Model& model, const std::vector<double>& q, const std::vector<double>& v,
                                const std::vector<double>& a, Wrenches<double> wrenches = {}) {
  Configuration<double> at(model);
  InverseScratch<double> scratch(model);
  std::vector<double> tau(v.size());
  place<double>(model, q, at);
  inverse_dynamics<double>(model, at, v, a, scratch, tau, wrenches);
  return tau;
}
std::vector<int> all_of(const Model& model) {
  std::vector<int> dofs(std::size_t(model.nv()));
  std::iota(dofs.begin(), dofs.end(), 0);
  return dofs;
}

Attachment at_point(int body, const Vec3<double>& point) {
  Attachment end;
  end.body = body;
  end.frame.r = point;
  return end;
}

TEST(ClosedChain, LawsOfRandomOnes) {
  Random random(5);
  for (int trial = 0; trial < 40; ++trial) {
    const LoopType type = geometric_loops()[std::size_t(trial) % geometric_loops().size()];
    SCOPED_TRACE(name_of(type));
    const Closed closed = closed_robot(random, {type});
    const Model model(closed.robot);
    ClosedChain chain(model);
    // b's frame was put where a's is through some ten poses, each of a few metres.
    EXPECT_LE(chain.gap(closed.q).size, rounding<double>(model.nv(), 10));
    const std::vector<double> v = chain.closed_rates(closed.q, random_vector<double>(random, model.nv())),
                              tau = random_vector<double>(random, model.nv(), 10);
    const ClosedChain::Forward forward = chain.forward_dynamics(closed.q, v, tau);
    const ClosedRounding left(model, chain, closed.q, v, tau, forward);
    EXPECT_LE(chain.opening(closed.q, v).size, left.closing * largest(v));
    // I a + bias = tau + J^T f; the loop does no work on motions that keep it closed
    const std::vector<double> in_loops = joint_forces(chain, closed.q, forward.multipliers);
    const std::vector<double> needed = tree_forces(model, closed.q, v, forward.a);
    for (std::size_t k = 0; k < tau.size(); ++k) EXPECT_NEAR(needed[k], tau[k] + in_loops[k], left.forces);
    double opening_work = 0;
    for (const double f : forward.multipliers) opening_work += std::abs(f) * left.closing * largest(v);
    EXPECT_NEAR(dot_of(in_loops, v), 0, opening_work);
    // J a + J'v = 0
    const std::vector<double> J = chain.jacobian(closed.q), bias = chain.bias(closed.q, v);
    for (std::size_t i = 0; i < bias.size(); ++i) {
      const std::vector<double> row(J.begin() + long(i * v.size()), J.begin() + long((i + 1) * v.size()));
      EXPECT_NEAR(dot_of(row, forward.a) + bias[i], 0, left.closing * (largest(forward.a) + largest(bias)));
    }
    // The multipliers as wrenches on the bodies are the same forces.
    const std::vector<double> with_wrenches =
        tree_forces(model, closed.q, v, forward.a, chain.wrenches(closed.q, forward.multipliers));
    for (std::size_t k = 0; k < tau.size(); ++k) EXPECT_NEAR(with_wrenches[k], tau[k], left.forces);
    // and back
    const ClosedChain::Inverse inverse = chain.inverse_dynamics(closed.q, v, forward.a, all_of(model));
    const ClosedChain::Forward again = chain.forward_dynamics(closed.q, v, inverse.tau);
    expect_near(again.a, forward.a, left.accelerations, "a");
    EXPECT_LE(std::sqrt(dot_of(inverse.tau, inverse.tau)), std::sqrt(dot_of(tau, tau)) + left.sharing)
        << "not the shortest";
  }
}

// A02: N parallelograms in a row, N + 1 upright rods on pins 1 m apart joined at their tips.
Robot parallelograms(int count) {
  Robot robot;
  for (int i = 0; i <= count; ++i) {
    Body& rod = add(robot, joint(JointType::revolute), mass(1, {0, 0.5, 0}, {1.0 / 12, 0, 0, 0, 0, 1.0 / 12}),
                    {double(i), 0, 0});
    rod.parent = 0;
  }
  for (int i = 0; i < count; ++i) {
    Body& bar =
        add(robot, joint(JointType::revolute), mass(1, {0.5, 0, 0}, {0, 0, 1.0 / 12, 0, 0, 1.0 / 12}), {0, 1, 0});
    bar.parent = i + 1;
    Loop pin;
    pin.type = LoopType::revolute;
    pin.a = at_point(int(robot.bodies.size()) - 1, {1, 0, 0});
    pin.b = at_point(i + 2, {0, 1, 0});
    robot.loops.push_back(pin);
  }
  return robot;
}

TEST(ClosedChain, ParallelogramsHaveADeadPointWhenFlat) {
  for (const int n : {1, 2, 5}) {
    const Model model(parallelograms(n));
    ClosedChain chain(model);
    std::vector<double> upright(std::size_t(model.nv())), flat = upright;
    const Mobility up = chain.mobility(upright);
    EXPECT_EQ(up.freedom(), 1);
    EXPECT_EQ(up.gruebler(), 2 * n + 1 - 5 * n);
    EXPECT_FALSE(up.is_dead_point());
    for (int k = 0; k <= n; ++k) flat[std::size_t(k)] = -M_PI / 2;
    for (int k = n + 1; k <= 2 * n; ++k) flat[std::size_t(k)] = M_PI / 2;
    ASSERT_LE(chain.gap(flat).size, 1e-15);
    const Mobility down = chain.mobility(flat);
    EXPECT_EQ(down.freedom(), n + 1);
    EXPECT_TRUE(down.is_dead_point());
  }
}

// A parallelogram that lies flat may go on as one or as an antiparallelogram: with w the rates of crank, coupler and
// rocker in the world, r and l their lengths, r w1 + l w2 = r w3 across, and -r w1^2 - l w2^2 + r w3^2 = 0 along it. Rates
// that meet the first alone lead nowhere.
TEST(ClosedChain, RatesThatLeadNowhereAreRefused) {
  const double r = 0.2, l = 0.5, x = -(l + r) / (l - r);
  Robot robot;
  robot.gravity = {0, 0, 0};
  const int crank = add_to(robot, 0, joint(JointType::revolute), rod(1, r)),
            coupler = add_to(robot, crank, joint(JointType::revolute), rod(1, l), {r, 0, 0}),
            rocker = add_to(robot, 0, joint(JointType::revolute), rod(1, r), {l, 0, 0});
  close(robot, LoopType::revolute, coupler, {l, 0, 0}, rocker, {r, 0, 0});
  const Mechanism mechanism(robot);
  Dynamics d(mechanism);
  const std::vector<double> flat(3), tau(3);
  const auto rates = [&](double w3) { return std::vector<double>{1, r * (w3 - 1) / l - 1, w3}; };
  for (const double w3 : {1.0, x}) {
    const auto a = d.forward(flat, rates(w3), tau);
    d.drive({{"body1", "body3"}});
    EXPECT_NO_THROW(d.inverse(flat, rates(w3), std::vector<double>(a.begin(), a.end()))) << w3;
  }
  for (const double w3 : {-1.0, 0.0, 0.9, 2 * x}) {
    try {
      d.forward(flat, rates(w3), tau);
      ADD_FAILURE() << w3 << " was taken";
    } catch (const NotAssembled& refused) {
      EXPECT_NE(std::string(refused.what()).find("no accelerations keep it closed: the posture is a dead point"),
                std::string::npos)
          << refused.what();
    }
  }
}

// Of several linkages side by side the one is named that accelerations part, the first as the last, and by how much: a
// crank of the length r that is ahead of its rocker by 3/s^2 takes the ends of the loop apart by 3 r a second squared.
TEST(ClosedChain, TheLoopThatAccelerationsPartIsNamed) {
  constexpr int many = 3;
  const double r = 0.2, l = 0.5, push = 3;
  Robot robot;
  robot.gravity = {0, 0, 0};
  for (int i = 0; i < many; ++i) {
    const Vec3<double> at{0, double(i), 0};
    const Inertial upright = mass(1, {0, r / 2, 0}, {0.01, 0, 0.01, 0, 0, 0.01});
    const int crank = add_to(robot, 0, joint(JointType::revolute), upright, at),
              coupler = add_to(robot, crank, joint(JointType::revolute), rod(1, l), {0, r, 0}),
              rocker = add_to(robot, 0, joint(JointType::revolute), upright, at + Vec3<double>{l, 0, 0});
    close(robot, LoopType::revolute, coupler, {l, 0, 0}, rocker, {0, r, 0});
    robot.loops.back().source.element = "loops[" + std::to_string(i) + "]";
  }
  const Mechanism mechanism(robot);
  Dynamics d(mechanism);
  const std::vector<double> upright(std::size_t(mechanism.nv())), rest = upright;
  for (int parted = 0; parted < many; ++parted) {
    std::vector<double> a;
    for (int i = 0; i < many; ++i) a.insert(a.end(), {1.0 + i, -1.0 - i, 1.0 + i});
    EXPECT_NO_THROW(d.inverse(upright, rest, a));
    // the coupler turns back by as much: it stays level
    a[std::size_t(3 * parted)] += push;
    a[std::size_t(3 * parted + 1)] -= push;
    try {
      d.inverse(upright, rest, a);
      ADD_FAILURE() << parted << " was taken";
    } catch (const NotDriveable& refused) {
      const std::string said = refused.what(), name = fmt::format("loops[{}]: ", parted);
      EXPECT_TRUE(said.starts_with(name)) << said;
      EXPECT_NE(said.find(fmt::format("part it by {:.3g} a second squared", push * r)), std::string::npos) << said;
    }
  }
}

// A04: five rods, six hinges square to each other: one hinge more than Gruebler would allow.
TEST(ClosedChain, BricardMovesThoughItIsOverconstrained) {
  const Vec3<double> points[] = {{0, 0, 0}, {1, 0, 0}, {1, -1, 0}, {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};
  const Vec3<double> axes[] = {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
  Robot robot;
  robot.gravity = {0, -9.81, 0};
  for (int i = 0; i < 5; ++i) {
    const Vec3<double> rod = points[i + 1] - points[i];
    const auto across = [&](double along) { return along != 0 ? 0.01 / 6 : 1.01 / 12; };
    add(robot, joint(JointType::revolute, axes[i]),
        mass(1, rod * 0.5, {across(rod.x), 0, across(rod.y), 0, 0, across(rod.z)}),
        i == 0 ? points[0] : points[i] - points[i - 1]);
  }
  Loop hinge;
  hinge.type = LoopType::revolute;
  hinge.a = at_point(5, points[5] - points[4]);
  hinge.b = at_point(0, points[5]);
  hinge.axis = axes[5];
  robot.loops = {hinge};
  const Model model(robot);
  ClosedChain chain(model);
  const std::vector<double> q(5), still(5);
  ASSERT_LE(chain.gap(q).size, 1e-15);
  const Mobility mobility = chain.mobility(q);
  EXPECT_EQ(mobility.rows, 5);
  EXPECT_EQ(mobility.rank, 4);
  EXPECT_EQ(mobility.freedom(), 1);
  EXPECT_EQ(mobility.gruebler(), 0);
  EXPECT_FALSE(mobility.is_dead_point());
  const ClosedChain::Forward forward = chain.forward_dynamics(q, still, still);
  EXPECT_FALSE(forward.unique);
  EXPECT_FALSE(chain.inverse_dynamics(q, still, forward.a, {0}).unique);
}

// A ball joint cut open says nothing twice: one force, and the same by both ways.
TEST(ClosedChain, ForcesOfLoopsThatSayNothingTwiceAreUnique) {
  const Model model(spatial_slider_crank());
  ClosedChain chain(model);
  const std::vector<double> q = chain.assemble(std::vector<double>(4)), still(4);
  const ClosedChain::Forward forward = chain.forward_dynamics(q, still, std::vector<double>{0.1, 0, 0, 0});
  const ClosedChain::Inverse inverse = chain.inverse_dynamics(q, still, forward.a, {0});
  EXPECT_TRUE(forward.unique);
  EXPECT_TRUE(inverse.unique);
  expect_near(inverse.multipliers, forward.multipliers, 1e-9, "multipliers");
}

// Whether the forces are the only ones is a matter of the rows, whatever the links weigh.
TEST(ClosedChain, ForcesAreUniqueWhereNoRowDependsOnOthers) {
  for (const LoopType type : {LoopType::revolute, LoopType::spherical, LoopType::distance}) {
    for (const int light : {0, 2, 3}) {
      SCOPED_TRACE(fmt::format("{}, without mass: {}", name_of(type), light));
      Robot robot = four_bar(type);
      robot.loops[0].length = 0.05;
      if (light > 0) robot.bodies[std::size_t(light)].inertial = {};
      const Model model(robot);
      ClosedChain chain(model);
      const std::vector<double> q = chain.assemble(std::vector<double>{1, -0.55, 1.3}),
                                v = chain.closed_rates(q, std::vector<double>{5, 1, 1});
      const Mobility mobility = chain.mobility(q);
      EXPECT_EQ(chain.forward_dynamics(q, v, std::vector<double>{0.3, 0.1, -0.2}).unique,
                mobility.rank == mobility.rows);
    }
  }
}

// A plane four-bar closed by a hinge in space (5 rows, 2 of them independent) moves as one closed by a ball joint.
TEST(ClosedChain, RedundantRowsDoNotChangeTheMotion) {
  Robot hinged = shipped("fourbar"), balled = hinged;
  balled.loops[0].type = LoopType::spherical;
  const Model a(hinged), b(balled);
  ClosedChain one(a), other(b);
  const std::vector<double> q = one.assemble(std::vector<double>{1, -0.55, 1.3}),
                            v = one.closed_rates(q, std::vector<double>{5, 1, 1}), tau = {0.3, 0.1, -0.2};
  const ClosedChain::Forward found = one.forward_dynamics(q, v, tau), expected = other.forward_dynamics(q, v, tau);
  expect_near(found.a, expected.a, 1e-11 * 1e3, "a");
  EXPECT_EQ(one.mobility(q).rank, 2);
  EXPECT_FALSE(found.unique);
  for (int k = 0; k < 3; ++k)
    EXPECT_NEAR(found.multipliers[std::size_t(k)], expected.multipliers[std::size_t(k)], 1e-9);
}

TEST(ClosedChain, OnlyDrivenJointsDrive) {
  const Model model(shipped("fourbar"));
  ClosedChain chain(model);
  const std::vector<double> q = chain.assemble(std::vector<double>{1, -0.55, 1.3}),
                            v = chain.closed_rates(q, std::vector<double>{5, 0, 0}), none(3);
  const std::vector<double> a = chain.forward_dynamics(q, v, none).a;
  // Falling freely needs no drive; any one joint can do any other motion, none cannot.
  expect_near(chain.inverse_dynamics(q, v, a, {0}).tau, none, 1e-10, "tau");
  std::vector<double> faster = chain.forward_dynamics(q, v, std::vector<double>{0.5, 0, 0}).a;
  expect_near(chain.inverse_dynamics(q, v, faster, {0}).tau, {0.5, 0, 0}, 1e-10, "tau of the crank");
  for (const int k : {1, 2}) {
    const std::vector<double> tau = chain.inverse_dynamics(q, v, faster, {k}).tau;
    EXPECT_EQ(tau[std::size_t((k + 1) % 3)], 0);
    expect_near(chain.forward_dynamics(q, v, tau).a, faster, 1e-9, "a");
  }
  EXPECT_THROW(chain.inverse_dynamics(q, v, faster, {}), NotDriveable);
  faster[2] += 1;
  EXPECT_THROW(chain.inverse_dynamics(q, v, faster, {0, 1, 2}), NotDriveable);
}

// Two wheels that roll on each other: one coordinate, inertia I1 + (r1/r2)^2 I2.
TEST(ClosedChain, GearsAddTheirInertias) {
  Robot robot;
  robot.gravity = {0, 0, 0};
  const double I1 = 0.3, I2 = 0.02;
  for (const double I : {I1, I2}) {
    add(robot, joint(JointType::revolute), mass(1, {0, 0, 0}, {I / 2, 0, I / 2, 0, 0, I})).parent = 0;
  }
  Loop gear;
  gear.type = LoopType::gear;
  gear.a.body = 1;
  gear.b.body = 2;
  gear.ratio = -0.4 / 0.1;
  robot.loops = {gear};
  const Model model(robot);
  ClosedChain chain(model);
  const double a = 2 / (I1 + 16 * I2);
  const ClosedChain::Forward found =
      chain.forward_dynamics(std::vector<double>{0.1, -0.4}, std::vector<double>{1, -4}, std::vector<double>{2, 0});
  expect_near(found.a, {a, -4 * a}, 1e-14 * 4 * a, "a");
  // slope f on a's joint, -f on b's
  EXPECT_NEAR(-found.multipliers[0], I2 * -4 * a, 1e-14);
  EXPECT_TRUE(found.unique);
}

// q_b = f(q_a): (I + m f'^2) a + m f' f'' v^2 = tau, without gravity.
TEST(ClosedChain, CouplingsAgainstOneCoordinate) {
  const double I = 0.3, m = 2, e = 0.05, r = 0.2, x = 0.7, v = 3, tau = 1.1;
  const double s = std::sin(x), c = std::cos(x), root = std::sqrt(r * r - e * e * s * s);
  // f, f', f''; the root's by differentiating root^2 = r^2 - e^2 sin^2 x twice
  const double step = -e * e * s * c / root, bend = (-e * e * (c * c - s * s) - step * step) / root;
  struct Law {
    LoopType type;
    double f, slope, curvature;
  };
  const Law laws[] = {{LoopType::rolling, r * (x - 0.4) + 0.1, r, 0},
                      {LoopType::coupler, r * (x - 0.4) + 0.1, r, 0},
                      {LoopType::eccentric_cam, e * c + root + 0.1, -e * s + step, -e * c + bend},
                      {LoopType::polynomial, 0.01 - 0.03 * x + 0.05 * x * x + 0.02 * x * x * x + 0.1,
                       -0.03 + 0.1 * x + 0.06 * x * x, 0.1 + 0.12 * x}};
  for (const Law& law : laws) {
    SCOPED_TRACE(name_of(law.type));
    Robot robot;
    robot.gravity = {0, 0, 0};
    add(robot, joint(JointType::revolute), mass(1, {0, 0, 0}, {I / 2, 0, I / 2, 0, 0, I})).parent = 0;
    add(robot, joint(JointType::prismatic), mass(m)).parent = 0;
    Loop loop;
    loop.type = law.type;
    loop.a.body = 1;
    loop.b.body = 2;
    loop.ratio = r;
    loop.offset = 0.1;
    if (law.curvature != 0) loop.phase = 0.4;
    if (loop.type == LoopType::eccentric_cam) {
      loop.eccentricity = e;
      loop.radius = r;
    } else if (loop.type == LoopType::polynomial) {
      loop.coefficients = {0.01, -0.03, 0.05, 0.02};
    }
    robot.loops = {loop};
    const Model model(robot);
    ClosedChain chain(model);
    const std::vector<double> q = {x - 0.4, law.f}, rates = {v, law.slope * v};
    EXPECT_LE(chain.gap(q).size, 1e-16);
    EXPECT_LE(chain.opening(q, rates).size, 1e-16);
    const double a = (tau - m * law.slope * law.curvature * v * v) / (I + m * law.slope * law.slope);
    const ClosedChain::Forward found = chain.forward_dynamics(q, rates, std::vector<double>{tau, 0});
    expect_near(found.a, {a, law.slope * a + law.curvature * v * v}, 1e-14 * 10, "a");
  }
}

// A polynomial of degree 0 of the joint itself: it stands there, whatever pulls at it.
TEST(ClosedChain, AJointThatStandsWhereAPolynomialOfDegreeZeroSays) {
  Robot robot;
  robot.gravity = {0, 0, 0};
  add(robot, joint(JointType::revolute), mass(1, {0, 0, 0}, {1, 0, 1, 0, 0, 2})).parent = 0;
  Loop loop;
  loop.type = LoopType::polynomial;
  loop.a.body = loop.b.body = 1;
  loop.coefficients = {0.3};
  robot.loops = {loop};
  const Model model(robot);
  ClosedChain chain(model);
  EXPECT_EQ(chain.gap(std::vector<double>{0.3}).size, 0);
  EXPECT_NEAR(chain.gap(std::vector<double>{0.5}).size, 0.2, 1e-16);
  const ClosedChain::Forward found =
      chain.forward_dynamics(std::vector<double>{0.3}, std::vector<double>{0}, std::vector<double>{5});
  expect_near(found.a, {0}, 1e-15, "a");
  EXPECT_NEAR(std::abs(found.multipliers[0]), 5, 1e-14);
}

// Several questions about one state that is placed once: the same bits as one by one.
TEST(ClosedChain, AnswersAboutTheStateItHasGoneTo) {
  const Model model(shipped("three_rrr"));
  ClosedChain chain(model), another(model);
  const std::vector<double> q = chain.assemble(std::vector<double>(std::size_t(model.nq()), 0.1));
  std::vector<double> v(std::size_t(model.nv()), 0.2), tau(v.size(), 0.3);
  v = chain.closed_rates(q, v);
  Configuration<double> at(model);
  place<double>(model, q, at);
  chain.move_to(at, q, v);
  EXPECT_EQ(chain.gap().size, another.gap(q).size);
  EXPECT_EQ(chain.opening().size, another.opening(q, v).size);
  const ClosedChain::Forward found = chain.forward_dynamics(tau, {}), expected = another.forward_dynamics(q, v, tau);
  EXPECT_EQ(found.a, expected.a);
  EXPECT_EQ(found.multipliers, expected.multipliers);
  const auto wrenches = chain.wrenches(found.multipliers), one_by_one = another.wrenches(q, found.multipliers);
  ASSERT_EQ(wrenches.size(), one_by_one.size());
  for (std::size_t i = 0; i < wrenches.size(); ++i) EXPECT_EQ(wrenches[i].wrench.f.x, one_by_one[i].wrench.f.x);
  const std::vector<int> driven = leading_freedoms(model);
  const auto tau_found = chain.inverse_dynamics(found.a, driven, {}, {}).tau;
  EXPECT_EQ(tau_found, another.inverse_dynamics(q, v, found.a, driven).tau);
}

// A chain in the plane of x and y, of links whose frames are askew to it: what rounding moves across the plane is no
// motion, and those rows are none that depend on others.
TEST(ClosedChain, RowsAcrossThePlaneAreLeftAside) {
  const int links = 20;
  const Vec3<double> axis = Vec3<double>{1, 2, 3} * (1 / std::sqrt(14.0)),
                     along = Vec3<double>{3, 0, -1} * (1 / std::sqrt(10.0)), across = cross(axis, along);
  Pose<double> askew;  // along becomes x, the axis z
  askew.R.xx = along.x, askew.R.xy = along.y, askew.R.xz = along.z;
  askew.R.yx = across.x, askew.R.yy = across.y, askew.R.yz = across.z;
  askew.R.zx = axis.x, askew.R.zy = axis.y, askew.R.zz = axis.z;
  Robot robot;
  robot.gravity = {0, -9.81, 0};
  for (int i = 0; i < links; ++i)
    add(robot, joint(JointType::revolute, axis), mass(1, along * 0.5, {0.1, 0, 0.1, 0, 0, 0.1}), along);
  robot.bodies[1].joint_frame = askew;
  close(robot, LoopType::revolute, links, along, 0, {-0.7, 0, 0}, axis);
  robot.loops[0].b.frame.R = askew.R;
  const Model model(robot);
  ClosedChain chain(model);
  const std::vector<double> bent(std::size_t{links}, 0.3), none(std::size_t{links});
  const auto found = chain.forward_dynamics(chain.assemble(bent), none, none);
  EXPECT_FALSE(found.rows_depend);
  EXPECT_FALSE(found.unique) << "forces across the plane are for elastic bodies to tell";
}

// A four-bar on a turntable, whose links are one tree, cut at each of its pins: two drives and the two rows in the plane
// are as many as its joints, which determine each other.
TEST(ClosedChain, ALinkageWithinOneTreeIsDeterminateWhereverItIsCut) {
  const Joint hinge = joint(JointType::revolute);
  for (const int cut : {0, 1, 2}) {  // at the crank's tip, the rocker's, or the rocker's pin
    SCOPED_TRACE(cut);
    Robot robot;
    const int table = add_to(robot, 0, hinge, mass(5, {}, {1, 0, 1, 0, 0, 1})),
              crank = add_to(robot, table, hinge, rod(0.4, 0.2));
    int rocker = 0;
    if (cut == 2) {
      const int coupler = add_to(robot, crank, hinge, rod(1, 0.5), {0.2, 0, 0});
      rocker = add_to(robot, coupler, hinge, rod(0.8, 0.4), {0.5, 0, 0});
      close(robot, LoopType::revolute, rocker, {0.4, 0, 0}, table, {0.45, 0, 0});
    } else {
      rocker = add_to(robot, table, hinge, rod(0.8, 0.4), {0.45, 0, 0});
      const int from = cut == 0 ? rocker : crank, to = cut == 0 ? crank : rocker;
      const int coupler = add_to(robot, from, hinge, rod(1, 0.5), {cut == 0 ? 0.4 : 0.2, 0, 0});
      close(robot, LoopType::revolute, coupler, {0.5, 0, 0}, to, {cut == 0 ? 0.2 : 0.4, 0, 0});
    }
    const Model model(robot);
    ClosedChain chain(model);
    const std::vector<double> q = chain.assemble(std::vector<double>{0.3, 1, cut == 1 ? 1.3 : 1.9, 0.4});
    const auto found = chain.subsystems(q, {0, 1});
    ASSERT_EQ(found.size(), 1u);
    EXPECT_TRUE(found[0].is_determinate);
    EXPECT_EQ(found[0].dofs.size(), 4u);
    EXPECT_FALSE(chain.subsystems(q, {0, 1, 2})[0].is_determinate) << "one drive too many";
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
