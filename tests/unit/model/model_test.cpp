#include "denoc/model/model.hpp"

#include <set>

#include "support/build.hpp"
#include "support/data.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

Body body_of(const std::string& name, int parent, JointType type) {
  Body body;
  body.name = name;
  body.parent = parent;
  body.joint.type = type;
  body.inertial.mass = 1;
  return body;
}

// Shah13's gripper: modules {1^1}, {1^2, 2^2}, {1^3}, the last two on the first.
TEST(Model, ModulesOfTheGripper) {
  const Model model(shipped("gripper"));
  const auto modules = model.modules();
  ASSERT_EQ(modules.size(), 4u);
  const auto names = [&](int i) {
    std::vector<std::string> all;
    for (const int b : modules[i].bodies) all.push_back(model.robot().bodies[b].name);
    return all;
  };
  EXPECT_TRUE(modules[0].bodies.empty()) << "the ground's";
  EXPECT_EQ(names(1), (std::vector<std::string>{"palm"}));
  EXPECT_EQ(names(2), (std::vector<std::string>{"finger1", "finger2"}));
  EXPECT_EQ(names(3), (std::vector<std::string>{"thumb"}));
  EXPECT_EQ(modules[1].parent, 0);
  EXPECT_EQ(modules[2].parent, 1);
  EXPECT_EQ(modules[3].parent, 1);
}

// Fixed bodies belong to what carries them; several roots are modules of their own.
TEST(Model, ModulesPassOverFixedBodies) {
  Robot robot;
  robot.bodies.push_back(body_of("post", 0, JointType::fixed));      // 1
  robot.bodies.push_back(body_of("arm", 1, JointType::revolute));    // 2
  robot.bodies.push_back(body_of("plate", 2, JointType::fixed));     // 3
  robot.bodies.push_back(body_of("hand", 3, JointType::spherical));  // 4
  robot.bodies.push_back(body_of("cart", 0, JointType::prismatic));  // 5
  const Model model(robot);
  ASSERT_EQ(model.modules().size(), 3u);
  EXPECT_EQ(model.modules()[1].bodies, (std::vector<int>{2, 4}));
  EXPECT_EQ(model.modules()[2].bodies, (std::vector<int>{5}));
  EXPECT_EQ(model.modules()[1].parent, 0);
  EXPECT_EQ(model.modules()[2].parent, 0);
}

// What counts as a pivot of nothing is measured by the trace of the inertia, however the body sits on its joint.
TEST(Model, PivotFloorsDoNotDependOnHowABodySits) {
  std::vector<std::vector<double>> floors;
  for (const Sym3<double>& moments : {Sym3<double>{3, 0, 4, 0, 0, 5}, {4, 0, 5, 0, 0, 3}, {5, 0, 3, 0, 0, 4}}) {
    Robot robot;
    add(robot, joint(JointType::revolute), mass(1));
    add(robot, joint(JointType::revolute, {0, 1, 0}), mass(1, {0, 0, 0}, moments), {1, 0, 0});
    const Model model(robot);
    floors.push_back({model.pivot_floor(0), model.pivot_floor(1)});
  }
  EXPECT_GT(floors[0][1], 0);
  EXPECT_GT(floors[0][0], floors[0][1]) << "it carries the other";
  EXPECT_EQ(floors[0], floors[1]);
  EXPECT_EQ(floors[0], floors[2]);
}

// What is not said of a joint is not there: a screw without pitch is a hinge, and no joint has a rotor of its own.
TEST(Model, AScrewWithoutPitchIsAHinge) {
  const auto inertia = [](JointType type) {
    Robot robot;
    add(robot, joint(type), mass(2, {0.5, 0, 0}, {0.1, 0, 0.2, 0, 0, 0.3}));
    const Model model(robot);
    Machine<double> machine(model, {0.4}, {0});
    return machine.inertia();
  };
  expect_near(inertia(JointType::revolute), {2 * 0.25 + 0.3}, 1e-15, "I");
  expect_near(inertia(JointType::helical), inertia(JointType::revolute), 1e-15, "I");
}

TEST(Model, CoordinatesStandInTheOrderOfTheFile) {
  Random random(11);
  for (int round = 0; round < 20; ++round) {
    const Model model(random_robot(random, {.bodies = 25}));
    int q = 0, v = 0;
    for (size_t b = 1; b < model.bodies().size(); ++b) {
      const JointType type = model.robot().bodies[b].joint.type;
      EXPECT_EQ(model.bodies()[b].q, q);
      EXPECT_EQ(model.bodies()[b].v, v);
      EXPECT_EQ(model.bodies()[b].parent, model.robot().bodies[b].parent);
      for (int k = 0; k < degrees_of_freedom(type); ++k) EXPECT_EQ(model.body_of_dof(v + k), int(b));
      q += coordinates(type);
      v += degrees_of_freedom(type);
    }
    EXPECT_EQ(model.nq(), q);
    EXPECT_EQ(model.nv(), v);
    // every degree of freedom is moved by one link
    std::set<int> moved;
    for (int i = 1; i <= model.link_count(); ++i)
      model.columns(i, [&](int k, const auto&) { EXPECT_TRUE(moved.insert(k).second); });
    EXPECT_EQ(int(moved.size()), v);
  }
}

TEST(Model, LinksAreDepthFirstAndRunsCoverThem) {
  Random random(12);
  for (int round = 0; round < 20; ++round) {
    const Model model(random_robot(random, {.bodies = 25}));
    const auto links = model.links();
    std::vector<int> children(links.size());
    for (int i = 1; i <= model.link_count(); ++i) {
      EXPECT_LT(links[i].parent, i);
      // depth first: the parent is the link before or one of its ancestors
      int ancestor = i - 1;
      while (ancestor != links[i].parent && ancestor != 0) ancestor = links[ancestor].parent;
      EXPECT_EQ(ancestor, links[i].parent);
      ++children[links[i].parent];
    }
    int next = 1;
    for (const denoc::detail::Run& run : model.runs()) {
      EXPECT_EQ(run.first, next);
      EXPECT_GE(run.last, run.first);
      for (int i = run.first + 1; i <= run.last; ++i) {
        EXPECT_EQ(links[i].parent, i - 1);
        EXPECT_EQ(children[i - 1], 1) << "only the last of a run branches";
      }
      EXPECT_EQ(run.tip, children[run.last] == 0);
      next = run.last + 1;
    }
    EXPECT_EQ(next, model.link_count() + 1);
  }
}

TEST(Model, AlikeLinksFormOneRun) {
  const auto kinds = [](const Robot& robot) {
    std::vector<int> all;
    const Model model(robot);
    for (const denoc::detail::Run& run : model.runs()) all.push_back(run.moving);
    return all;
  };
  Robot general, parallel;
  for (int k = 0; k < 10; ++k) {
    add(general, joint(JointType::revolute), mass(1), {0.3, 0.1, 0.2}).joint_frame.R =
        rotation(unit(Quaternion<double>{0.8, 0.3, -0.4, 0.2}));
    add(parallel, joint(JointType::revolute), mass(1), {0.3, 0, 0.1});
  }
  using Kinds = MovingKinds<double>;
  const int screw = Kinds::index_of<LinkKind<double, Revolute<double>, Screw<double>>>(),
            level = Kinds::index_of<LinkKind<double, Revolute<double>, ParallelScrew<double>>>(),
            slide = Kinds::index_of<LinkKind<double, Prismatic<double>, Screw<double>>>();
  // The first link stands on the ground, which is its parent's main child, too.
  EXPECT_EQ(kinds(general), (std::vector<int>{screw}));
  EXPECT_EQ(kinds(parallel), (std::vector<int>{level}));
  general.bodies[5].joint.type = JointType::prismatic;
  EXPECT_EQ(kinds(general), (std::vector<int>{screw, slide, screw}));
}

// With rotors a joint is eliminated as another kind, and moves as it did.
TEST(Model, RotorsAreAMatterOfTheElimination) {
  Robot robot;
  for (int k = 0; k < 4; ++k) add(robot, joint(JointType::revolute), mass(1), {0.3, 0.1, 0.2});
  const Model plain(robot);
  for (Body& body : robot.bodies) body.joint.armature = body.joint.type == JointType::revolute ? 2 : 0;
  const Model geared(robot);
  ASSERT_EQ(plain.runs().size(), geared.runs().size());
  EXPECT_EQ(plain.runs()[0].moving, geared.runs()[0].moving);
  EXPECT_EQ(plain.runs()[0].eliminated, plain.runs()[0].moving);
  EXPECT_GE(geared.runs()[0].eliminated, MovingKinds<double>::size);
  EXPECT_EQ(geared.rotors().size(), 4u);
  EXPECT_TRUE(plain.rotors().empty());
}

TEST(Model, FixedBodiesShareALinkAndKeepTheirFrames) {
  Robot robot;
  add(robot, joint(JointType::revolute), mass(2, {0.1, 0, 0}));
  Body& plate = add(robot, joint(JointType::fixed), mass(0.5, {0, 0.2, 0}), {0.3, 0, 0.1});
  plate.joint_frame.R = rotation(unit(Quaternion<double>{0.8, 0.3, -0.4, 0.2}));
  const Pose<double> mounted = plate.joint_frame;
  add(robot, joint(JointType::fixed), mass(0.25), {0, 0, 0.4});
  const Model model(robot);
  EXPECT_EQ(model.nv(), 1);
  EXPECT_EQ(model.link_count(), 1);
  EXPECT_EQ(model.bodies()[1].link, 1);
  EXPECT_EQ(model.bodies()[2].link, 1);
  EXPECT_EQ(model.bodies()[3].link, 1);
  Machine<double> machine(model, {0.7}, {1.5});
  const auto in_world = [&](int b) { return pose_in_world<double>(model, machine.kin, b); };
  const Pose<double> second = in_world(1) * mounted, third = second * Pose<double>{identity3<double>(), {0, 0, 0.4}};
  EXPECT_LE(norm(in_world(2).r - second.r), rounding<double>(1, 1));
  EXPECT_LE(norm(column_x(in_world(2).R) - column_x(second.R)), rounding<double>(1, 1));
  EXPECT_LE(norm(in_world(3).r - third.r), rounding<double>(1, 1));
  // All three turn: I = sum of m r^2 about the axis.
  const Vec3<double> c2 = mounted.r + mounted.R * Vec3<double>{0, 0.2, 0},
                     c3 = mounted.r + mounted.R * Vec3<double>{0, 0, 0.4};
  const double expected = 2 * 0.01 + 0.5 * (c2.x * c2.x + c2.y * c2.y) + 0.25 * (c3.x * c3.x + c3.y * c3.y);
  EXPECT_NEAR(machine.inertia()[0], expected, rounding<double>(3, expected));
}

TEST(Model, NamesOfJoints) {
  Robot robot;
  add(robot, joint(JointType::revolute), mass(1)).joint.name = "shoulder";
  add(robot, joint(JointType::spherical), mass(1));
  const Model model(robot);
  EXPECT_EQ(model.joint_name(model.body_of_dof(0)), "shoulder");
  EXPECT_EQ(model.joint_name(model.body_of_dof(3)), "body2") << "that of the body, if it has none";
}

TEST(Model, OfNothingThatMoves) {
  Robot robot;
  add(robot, joint(JointType::fixed), mass(1, {0, 0, 1}));
  for (const Robot& still : {Robot{}, robot}) {
    const Model model(still);
    EXPECT_EQ(model.nv(), 0);
    Machine<double> machine(model, {}, {});
    EXPECT_TRUE(machine.inverse({}).empty());
    EXPECT_TRUE(machine.forward({}).empty());
    EXPECT_TRUE(machine.inertia().empty());
    EXPECT_EQ(kinetic_energy<double>(model, machine.kin), 0);
  }
}

TEST(Model, RefusesARobotWithEveryFault) {
  Robot robot;
  add(robot, joint(JointType::revolute), mass(-1));
  add(robot, joint(JointType::revolute, {0, 0, 0}), mass(1));
  try {
    const Model model(robot);
    FAIL();
  } catch (const RobotError& error) {
    EXPECT_EQ(error.faults.size(), 2u);
    EXPECT_NE(std::string(error.what()).find("body1"), std::string::npos) << error.what();
  }
}

// Bodies welded to each other are judged as one, however the way to each is shared between its joint's frame and its own.
TEST(Model, DoubtsInertiasWhereverTheFramesOfWeldedBodiesAre) {
  Random random(17);
  int doubted = 0;
  constexpr int trials = 200;
  for (int trial = 0; trial < trials; ++trial) {
    Robot plain;
    plain.gravity = random.vector(10);
    for (int b = 1; b <= 3; ++b) {
      Body body = body_of("body" + std::to_string(b), b - 1, b == 1 ? JointType::revolute : JointType::fixed);
      body.inertial.inertia = {random.uniform(0.5, 1), 0, random.uniform(0.5, 1), 0, 0, random.uniform(1, 3)};
      body.inertial.com = random.vector(0.1);
      if (b > 1) body.joint_frame = {rotation(random.attitude()), random.vector(0.7)};
      plain.bodies.push_back(body);
    }
    // The same bodies, with their frames elsewhere in them.
    Robot split = plain;
    Pose<double> parent;
    for (std::size_t b = 2; b <= 3; ++b) {
      const Pose<double> own{rotation(random.attitude()), random.vector(2)},
          moved{rotation(random.attitude()), random.vector(1)};
      Body& body = split.bodies[b];
      body.joint_frame = inverse(parent) * body.joint_frame * moved * inverse(own);
      body.own_frame = own;
      body.inertial.com = back(moved.R, body.inertial.com - moved.r);
      body.inertial.inertia = turn(transposed(moved.R), body.inertial.inertia);
      parent = moved;
    }
    const std::vector<Fault> expected = warnings_of(plain), found = warnings_of(split);
    ASSERT_EQ(found.size(), expected.size()) << trial;
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i].source.element, expected[i].source.element);
    if (!found.empty()) ++doubted;
  }
  EXPECT_GT(doubted, trials / 10);
  EXPECT_LT(doubted, trials - trials / 10);
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
