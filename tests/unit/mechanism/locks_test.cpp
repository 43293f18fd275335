// Joints that are locked: those that a coupling speaks of are refused, on either side of it; others are not.
#include "denoc/error.hpp"
#include "denoc/io/load.hpp"
#include "denoc/mechanism/dynamics.hpp"
#include "support/expect.hpp"
#include "support/mechanisms.hpp"
#include "support/random_loops.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

using List = std::vector<double>;

void expect_coupled(const Robot& robot, const std::string& joint, const std::string& what) {
  try {
    changed(robot, {.locked = {{joint, {0.1}}}});
    ADD_FAILURE() << what << ": " << joint << " was locked";
  } catch (const NotCovered& refused) {
    EXPECT_EQ(refused.what(), "joint '" + joint + "' is coupled to another one: it cannot be locked by itself") << what;
  }
}
void expect_lockable(const Robot& robot, const std::string& joint, const std::string& what) {
  const Robot locked = changed(robot, {.locked = {{joint, {0.1}}}});
  EXPECT_EQ(Model(locked).nv(), Model(robot).nv() - 1) << what << ": " << joint;
  EXPECT_EQ(locked.loops.size(), robot.loops.size()) << what << ": " << joint;
}

// A hinge before, one that leads, one between, one that follows (or slides), one behind.
Robot five_joints(JointType follower) {
  Robot robot;
  for (const char* name : {"before", "leads", "between", "follows", "behind"}) {
    const JointType type = std::string(name) == "follows" ? follower : JointType::revolute;
    Body& body = add(robot, joint(type, {0, 1, 0}), mass(1, {0.3, 0, 0}, {0.1, 0, 0.1, 0, 0, 0.1}), {0.5, 0, 0});
    body.name = name;
  }
  return robot;
}

// Whichever way round, of every type of coupling: neither the joint that leads nor the one that follows.
TEST(Locks, AreRefusedOnEitherSideOfACoupling) {
  Random random(1);
  for (const LoopType type : couplings())
    for (const bool turned_round : {false, true}) {
      const bool slides = shape_of(type).coupled == Coupled::turning_and_sliding;
      if (slides && turned_round) continue;  // what slides is b
      Robot robot = five_joints(slides ? JointType::prismatic : JointType::revolute);
      robot.loops.push_back(random_loop(random, type, turned_round ? 4 : 2, turned_round ? 2 : 4));
      const std::string what(name_of(type));
      for (const char* name : {"leads", "follows"}) expect_coupled(robot, name, what);
      for (const char* name : {"before", "between", "behind"}) expect_lockable(robot, name, what);
    }
}

// ... of a second coupling too, and where one joint follows and leads another in turn.
TEST(Locks, AreRefusedInAChainOfCouplings) {
  Robot robot = five_joints(JointType::revolute);
  Random random(2);
  for (const auto& [a, b] : {std::pair{2, 3}, {3, 4}})
    robot.loops.push_back(random_loop(random, LoopType::coupler, a, b));
  for (const char* name : {"leads", "between", "follows"}) expect_coupled(robot, name, "chain");
  for (const char* name : {"before", "behind"}) expect_lockable(robot, name, "chain");
}

// What a URDF says by <mimic> is such a coupling: the joint that is mimicked knows nothing of it in the file.
TEST(Locks, AreRefusedForAJointThatIsMimicked) {
  const Robot fingers = read_robot_text(R"(<robot name="fingers"><link name="palm"/>
<link name="a"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
<link name="b"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
<link name="c"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
<joint name="lead" type="continuous"><parent link="palm"/><child link="a"/></joint>
<joint name="follow" type="continuous"><parent link="palm"/><child link="b"/><mimic joint="lead" multiplier="2"/></joint>
<joint name="other" type="continuous"><parent link="palm"/><child link="c"/></joint></robot>)",
                                        "fingers.urdf")
                            .robot;
  for (const char* name : {"lead", "follow"}) expect_coupled(fingers, name, "mimic");
  expect_lockable(fingers, "other", "mimic");
  Robot noted = fingers;  // a robot of a program's may say it without the loop
  noted.loops.clear();
  expect_coupled(noted, "follow", "mimic alone");
}

// Loops that tie places are another matter: each joint of theirs may be locked, and what is left moves as if its drive
// held it.
TEST(Locks, AreNotRefusedForLoopsThatTiePlaces) {
  Random random(3);
  for (const LoopType type : geometric_loops()) {
    Closed closed{five_joints(JointType::revolute), {}};
    closed.q = random_vector<double>(random, 5, 1);
    close_at(random, type, 2, 4, closed);
    for (const char* name : {"leads", "between", "follows"})
      expect_lockable(closed.robot, name, std::string(name_of(type)));
  }
  // A four-bar on a slide, locked where the slide is: the crank moves as on the ground.
  Robot robot;
  robot.gravity = {0, -9.81, 0};
  add(robot, joint(JointType::prismatic, {1, 0, 0}), mass(5));
  const Robot bars = four_bar();
  for (size_t b = 1; b < bars.bodies.size(); ++b) {
    Body body = bars.bodies[b];
    body.name = "bar" + std::to_string(b);
    ++body.parent;
    robot.bodies.push_back(body);
  }
  Loop loop = bars.loops[0];
  ++loop.a.body, ++loop.b.body;
  robot.loops.push_back(loop);
  const Mechanism locked(robot, {.locked = {{"body1", {0.3}}}}), alone(bars);
  Dynamics d(locked), e(alone);
  const auto assembled = e.assemble(List{1, -0.55, 1.3});
  const List q(assembled.begin(), assembled.end()), still(3), tau = {0.3, 0, 0};
  const auto a = d.forward(q, still, tau), b = e.forward(q, still, tau);
  expect_near(List(a.begin(), a.end()), List(b.begin(), b.end()),
              1e3 * Epsilon<double>::epsilon() * largest(List(b.begin(), b.end())), "a");
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
