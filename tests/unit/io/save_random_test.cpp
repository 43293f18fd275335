// Robots at random with all that a robot may have, written to each format and read again: at corresponding states they
// stand, feel and close their loops alike.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <tinyxml2.h>

#include <Eigen/Dense>

#include "io/writers.hpp"
#include "support/random_loops.hpp"
#include "unit/io/same_robot.hpp"
#include "unit/io/there_and_back.hpp"

namespace denoc {
namespace {
namespace THIS_FILE {

using test::expect_same;
using test::file_rounding;
using test::Random;
using test::there_and_back;

std::size_t at(int i) { return static_cast<std::size_t>(i); }
bool has_one(const Joint& joint) { return coordinates(joint.type) == 1; }
bool has_quaternion(const Joint& joint) { return coordinates(joint.type) != degrees_of_freedom(joint.type); }

// What MJCF has no words for is left out, or all of it is said.
enum class Words { of_mjcf, all };
struct Wanted {
  Words words = Words::all;
  int bodies = 8;
  int massless = 3;  // one body of so many
  std::vector<JointType> types = test::RandomRobot::all_types();
};

// The inertia of a rotor that turns with the body, about the axis n of the length 1: of rank one.
Sym3<double> hub_about(const Vec3<double>& n) {
  return {n.x * n.x, n.x * n.y, n.y * n.y, n.x * n.z, n.y * n.z, n.z * n.z};
}

void furnish(Random& random, Words words, Joint& joint) {
  const auto is = [&] { return random.below(2) == 0; };
  const bool one_by_one = !has_quaternion(joint), says_all = words == Words::all;
  joint.friction = {.viscous = is() ? random.uniform(0.1, 1) : 0,
                    .coulomb = is() && one_by_one ? random.uniform(0.1, 1) : 0};
  if (says_all && is()) joint.friction.stribeck_epsilon = 0.2, joint.friction.stribeck_gamma = random.uniform(1, 3);
  if (says_all && is()) joint.friction.surface_speed = random.uniform(-1, 1);
  if (one_by_one && is()) joint.spring = {random.uniform(1, 5), is() ? random.uniform(-1, 1) : 0};
  Limits& limits = joint.limits;
  if (one_by_one && is()) limits.lower = random.uniform(-1, -0.1);
  if (one_by_one && is()) limits.upper = random.uniform(0.1, 1);
  if (is()) limits.velocity = random.uniform(1, 2);
  if (is()) limits.effort = random.uniform(1, 2);
  const bool has_stops = std::isfinite(limits.lower) || std::isfinite(limits.upper);
  if (says_all && has_stops && is()) limits.stiffness = random.uniform(1, 100), limits.damping = random.uniform(0, 1);
  joint.actuator = {};
  if (has_one(joint) && is()) joint.actuator.gear = random.uniform(2, 9);
  if (has_one(joint) && is()) joint.actuator.rotor_inertia = random.uniform(0.01, 0.1);
  if (has_one(joint) && is()) joint.actuator.max_torque = random.uniform(1, 9);
  joint.armature = joint.type != JointType::free && is() ? random.uniform(0.01, 1) : 0;
}

// All q of a joint, turned by any angle.
std::vector<double> random_coordinates(Random& random, JointType type) {
  std::vector<double> q(at(coordinates(type)));
  for (double& x : q) x = random.uniform(-1, 1);
  if (coordinates(type) == degrees_of_freedom(type)) return q;
  const Quaternion<double> turn = random.attitude();
  std::copy_n(std::data({turn.w, turn.x, turn.y, turn.z}), 4, q.end() - 4);
  return q;
}
std::vector<double> random_q(Random& random, const Robot& robot) {
  std::vector<double> all;
  for (std::size_t b = 1; b < robot.bodies.size(); ++b)
    for (const double x : random_coordinates(random, robot.bodies[b].joint.type)) all.push_back(x);
  return all;
}

// Depth first: each body hangs on the one before or on one that carries it. Every third robot stands on its first body,
// which has a frame of its own.
Robot random_robot(Random& random, unsigned seed, const Wanted& wanted) {
  Robot robot = test::random_robot(
      random,
      {.bodies = wanted.bodies, .types = wanted.types, .chain = true, .free_root = seed % 3 != 2, .rotors = false});
  const int first = seed % 3 == 2 ? 0 : 1;
  for (int b = 2; b <= wanted.bodies; ++b) {
    int& parent = robot.bodies[at(b)].parent;
    while (parent > first && random.below(4) == 0) parent = robot.bodies[at(parent)].parent;
  }
  for (std::size_t b = 1; b < robot.bodies.size(); ++b) {
    Body& body = robot.bodies[b];
    const int frame = random.below(4);
    body.own_frame = {frame > 1 ? rotation(random.attitude()) : identity3<double>(),
                      frame % 2 == 1 ? random.vector(0.3) : Vec3<double>{0, 0, 0}};
    if (random.below(wanted.massless) == 0 && b + 1 < robot.bodies.size()) body.inertial = {};
    if (random.below(4) == 0) body.inertial.hub = hub_about(random.direction());
    if (body.joint.type == JointType::fixed && random.below(2) == 0)
      body.inertial = {.mass = 0, .hub = hub_about(random.direction())};
    if (random.below(3) == 0) body.joint.name = fmt::format("joint{}", b);
    if (b == 1 && seed % 3 == 0) {
      body.joint.type = JointType::fixed;
      body.joint_frame = {};
      body.own_frame.r = random.vector(0.3);
    }
    if (body.joint.type == JointType::fixed) continue;
    furnish(random, wanted.words, body.joint);
    const bool is_drawn_as_said = !has_quaternion(body.joint) || (body.joint.type == JointType::free && b == 1);
    if ((wanted.words == Words::all || is_drawn_as_said) && random.below(2) == 0)
      body.joint.neutral = random_coordinates(random, body.joint.type);
  }
  robot.postures = {{"home", random_q(random, robot), {}}, {"away", random_q(random, robot), {}}};
  return robot;
}

// Between any two bodies, the ground among them, or joints that may have it; false where there are none. Five seeds have
// polynomials of every degree up to the 4th.
bool add_loop(Random& random, unsigned seed, LoopType type, Robot& robot) {
  const int size = static_cast<int>(robot.bodies.size());
  for (int trial = 0; trial < 100; ++trial) {
    Loop loop = test::random_loop(random, type, random.below(size), random.below(size));
    if (!shape_of(type).has("axis")) loop.axis = Loop{}.axis;  // rows of a weld are along any axes
    if (type == LoopType::polynomial) loop.coefficients.resize(1 + seed % 5, 0.3);
    robot.loops.push_back(loop);
    if (faults_of(robot).empty()) return true;
    robot.loops.pop_back();
  }
  return false;
}

void expect_same_joint(const Joint& found, const Joint& was, const std::string& where) {
  for (const auto& [what, x, y] : {std::tuple{"viscous", found.friction.viscous, was.friction.viscous},
                                   {"coulomb", found.friction.coulomb, was.friction.coulomb},
                                   {"stribeck epsilon", found.friction.stribeck_epsilon, was.friction.stribeck_epsilon},
                                   {"stribeck gamma", found.friction.stribeck_gamma, was.friction.stribeck_gamma},
                                   {"surface speed", found.friction.surface_speed, was.friction.surface_speed},
                                   {"stiffness", found.spring.stiffness, was.spring.stiffness},
                                   {"rest", found.spring.rest, was.spring.rest},
                                   {"lower", found.limits.lower, was.limits.lower},
                                   {"upper", found.limits.upper, was.limits.upper},
                                   {"velocity", found.limits.velocity, was.limits.velocity},
                                   {"effort", found.limits.effort, was.limits.effort},
                                   {"end stops", found.limits.stiffness, was.limits.stiffness},
                                   {"their damping", found.limits.damping, was.limits.damping},
                                   {"gear", found.actuator.gear, was.actuator.gear},
                                   {"rotor", found.actuator.rotor_inertia, was.actuator.rotor_inertia},
                                   {"max_torque", found.actuator.max_torque, was.actuator.max_torque},
                                   {"armature", found.armature, was.armature}})
    EXPECT_EQ(x, y) << where << " " << what;
  EXPECT_EQ(found.neutral, was.neutral) << where;
}

TEST(SaveRandom, RobotsComeBackFromYamlAndUrdf) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    Random random(seed);
    Robot robot = random_robot(random, seed, {});
    for (const LoopShape& shape : loop_shapes) add_loop(random, seed, shape.type, robot);
    const Model model(robot);
    for (const char* file : {"r.yaml", "r.urdf"}) {
      const Robot again = there_and_back(robot, file);
      const std::string where = fmt::format("{} of seed {}: ", file, seed);
      test::expect_same_tree(again, robot, where);
      for (const Body& body : again.bodies)
        for (const Body& was : robot.bodies)
          if (body.joint.type != JointType::fixed && name_of_joint(body) == name_of_joint(was))
            expect_same_joint(body.joint, was.joint, where + name_of_joint(was));
      const std::vector<double> q = random_q(random, robot);
      expect_same(ClosedChain(Model(again)).residual(q), ClosedChain(model).residual(q), where + "loops ");
    }
  }
}

// A state in MJCF: q, and v = T v_ours, a = T a_ours + drift (docs/mjcf.md).
struct Corresponding {
  std::vector<double> q;
  Eigen::MatrixXd T;
  Eigen::VectorXd drift;
};
Corresponding corresponding(const Robot& robot, const std::vector<double>& q, std::span<const double> v) {
  Corresponding all;
  const auto nv = static_cast<Eigen::Index>(v.size());
  all.T = Eigen::MatrixXd::Zero(2 * nv, nv);
  all.drift = Eigen::VectorXd::Zero(2 * nv);
  Eigen::Index row = 0, column = 0;
  auto x = q.begin();
  for (std::size_t b = 1; b < robot.bodies.size(); ++b) {
    const Body& body = robot.bodies[b];
    const Eigen::Index n = degrees_of_freedom(body.joint.type);
    const std::vector<double> own(x, x + coordinates(body.joint.type));
    x += coordinates(body.joint.type);
    all.T.block(row, column, n, n).setIdentity();
    if (body.joint.type == JointType::helical) {  // a hinge, and a slide that follows it
      all.q.insert(all.q.end(), {own[0], body.joint.pitch * own[0]});
      all.T(row + 1, column) = body.joint.pitch;
      row += 1;
    } else if (body.joint.type == JointType::free) {
      const Pose<double> moved{rotation(Quaternion<double>{own[3], own[4], own[5], own[6]}), {own[0], own[1], own[2]}};
      if (body.parent == 0) {  // the pose in the world
        const Pose<double> pose = body.joint_frame * moved;
        Eigen::Matrix3d R;
        R << pose.R.xx, pose.R.xy, pose.R.xz, pose.R.yx, pose.R.yy, pose.R.yz, pose.R.zx, pose.R.zy, pose.R.zz;
        const Eigen::Quaterniond turn(R);
        all.q.insert(all.q.end(), {pose.r.x, pose.r.y, pose.r.z, turn.w(), turn.x(), turn.y(), turn.z()});
      } else {  // the velocity of the origin along the axes of the joint's frame, then the angular velocity
        all.q.insert(all.q.end(), own.begin(), own.end());
        const Vec3<double> columns[] = {column_x(moved.R), column_y(moved.R), column_z(moved.R)};
        all.T.block(row, column, 3, 3).setZero();
        for (Eigen::Index k = 0; k < 3; ++k)
          all.T.block(row, column + 3 + k, 3, 1) << columns[k].x, columns[k].y, columns[k].z;
        all.T.block(row + 3, column, 3, 6) << Eigen::Matrix3d::Identity(), Eigen::Matrix3d::Zero();
        const double* const rates = v.data() + column;
        const Vec3<double> w{rates[0], rates[1], rates[2]}, u{rates[3], rates[4], rates[5]}, d = moved.R * cross(w, u);
        all.drift.segment(row, 3) << d.x, d.y, d.z;
      }
    } else {
      all.q.insert(all.q.end(), own.begin(), own.end());
    }
    row += n;
    column += n;
  }
  all.T.conservativeResize(row, nv);
  all.drift.conservativeResize(row);
  return all;
}

Eigen::VectorXd dense(std::span<const double> x) {
  return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}
std::vector<double> list(const Eigen::MatrixXd& x) { return {x.data(), x.data() + x.size()}; }
Eigen::MatrixXd dense(const MatrixView& A) {
  return Eigen::Map<const Eigen::MatrixXd>(A.entries().data(), A.rows(), A.columns());  // symmetric
}

// tau = T^T tau_mjcf, I = T^T I_mjcf T, and each body is where it was.
void expect_corresponding(Random& random, const Robot& found, const Robot& expected, const std::string& where) {
  const Mechanism theirs(found), ours(expected);
  Dynamics a(theirs, Forces::all, Loops::open), b(ours, Forces::all, Loops::open);
  const std::vector<double> q = random_q(random, expected), v = test::random_vector<double>(random, ours.nv()),
                            acc = test::random_vector<double>(random, ours.nv());
  const Corresponding state = corresponding(expected, q, v);
  ASSERT_EQ(theirs.nv(), state.T.rows()) << where;
  ASSERT_EQ(theirs.nq(), std::ssize(state.q)) << where;
  const std::vector<double> tau =
      list(dense(a.inverse(state.q, list(state.T * dense(v)), list(state.T * dense(acc) + state.drift))));
  expect_same(list(state.T.transpose() * dense(tau)), b.inverse(q, v, acc), where + "tau ");
  expect_same(list(state.T.transpose() * dense(a.inertia(state.q)) * state.T), b.inertia(q).entries(), where + "I ");
  for (std::size_t i = 1; i < expected.bodies.size(); ++i) {
    const std::string& name = expected.bodies[i].name;
    if (found.find(name) < 0) continue;  // a body without mass that became a joint
    const Pose<double> x = a.pose(state.q, name), y = b.pose(q, name);
    for (const auto& [p, r] :
         {std::pair{x.r, y.r}, std::pair{column_x(x.R), column_x(y.R)}, std::pair{column_z(x.R), column_z(y.R)}})
      EXPECT_NEAR(norm(p - r), 0, file_rounding * 10) << where << name;
  }
  const auto same_posture = [&](const std::vector<double>& x, const std::vector<double>& y, const std::string& what) {
    std::vector<double> wanted = corresponding(expected, y, v).q;
    ASSERT_EQ(x.size(), wanted.size());
    for (const QuaternionPlace& place : quaternions_of(found)) {  // a quaternion and its opposite are one turn
      const auto first = at(place.first);
      double sum = 0;
      for (std::size_t i = first; i < first + 4; ++i) sum += x[i] * wanted[i];
      for (std::size_t i = first; i < first + 4; ++i) wanted[i] *= sum < 0 ? -1 : 1;
    }
    expect_same(x, wanted, where + what);
  };
  same_posture(neutral_posture(found), neutral_posture(expected), "neutral ");
  ASSERT_EQ(found.postures.size(), expected.postures.size()) << where;
  for (std::size_t i = 0; i < found.postures.size(); ++i)
    same_posture(found.postures[i].q, expected.postures[i].q, "posture ");
}

TEST(SaveRandom, RobotsComeBackFromMjcf) {
  for (unsigned seed = 1; seed <= 24; ++seed) {
    Random random(seed);
    Wanted wanted{.words = Words::of_mjcf};
    if (seed % 2 == 0)
      wanted.massless = 1, wanted.types = {JointType::revolute, JointType::universal, JointType::planar};
    const Robot robot = random_robot(random, seed, wanted);
    expect_corresponding(random, there_and_back(robot, "r.xml"), robot, fmt::format("seed {}: ", seed));
  }
}

int most_freedoms(const tinyxml2::XMLElement& body) {
  int own = 0, most = 0;
  for (const auto* joint = body.FirstChildElement("joint"); joint != nullptr;
       joint = joint->NextSiblingElement("joint"))
    own += joint->Attribute("type", "ball") != nullptr ? 3 : 1;
  for (const auto* child = body.FirstChildElement("body"); child != nullptr; child = child->NextSiblingElement("body"))
    most = std::max(most, most_freedoms(*child));
  return std::max(own, most);
}

// MuJoCo takes six freedoms of a body: of longer chains without mass some bodies stay, and all move as they did.
TEST(SaveRandom, ChainsWithoutMassBecomeBodiesOfSixFreedomsAtMost) {
  for (unsigned massless = 1; massless <= 9; ++massless) {
    for (const std::vector<JointType>& types : {std::vector{JointType::revolute},
                                                {JointType::universal},
                                                {JointType::planar, JointType::prismatic},
                                                {JointType::cylindrical, JointType::helical, JointType::spherical}}) {
      Random random(massless);
      Robot robot = test::random_robot(
          random, {.bodies = static_cast<int>(massless) + 1, .types = types, .chain = true, .rotors = false});
      for (std::size_t b = 1; b <= massless; ++b) robot.bodies[b].inertial = {};
      tinyxml2::XMLDocument document;
      const std::string text = robot_text(robot, "r.xml").text;
      ASSERT_EQ(document.Parse(text.c_str()), tinyxml2::XML_SUCCESS);
      EXPECT_LE(most_freedoms(*document.RootElement()->FirstChildElement("worldbody")), 6) << text;
      expect_corresponding(random, there_and_back(robot, "r.xml"), robot, fmt::format("{} without mass: ", massless));
    }
  }
}

// Moves the last loop's end b, or its offset, to where q closes it.
void close_at(const std::vector<double>& q, Robot& robot) {
  Loop& loop = robot.loops.back();
  const auto residual = [&] { return ClosedChain(Model(robot)).residual(q).back(); };
  if (couples_coordinates(loop.type)) {  // phi is linear in the offset
    const double open = residual();
    loop.offset += 1;
    const double slope = residual() - open;
    loop.offset -= 1 + open / slope;
    return;
  }
  const Mechanism mechanism(robot);
  Dynamics at(mechanism, Forces::none, Loops::open);
  const auto pose = [&](int b) { return b == 0 ? Pose<double>{} : at.pose(q, robot.bodies[std::size_t(b)].name); };
  loop.b.frame = inverse(pose(loop.b.body)) * (pose(loop.a.body) * loop.a.frame);
}

// Where a loop is closed in one it is closed in the other, and leaves as many freedoms; rates that keep it closed do so in
// both.
TEST(SaveRandom, LoopsComeBackFromMjcf) {
  const LoopType types[] = {LoopType::spherical, LoopType::revolute,  LoopType::weld,       LoopType::fixed,
                            LoopType::coupler,   LoopType::gear,      LoopType::bevel_gear, LoopType::belt,
                            LoopType::rolling,   LoopType::polynomial};
  for (const LoopType type : types) {
    int count = 0;
    for (unsigned seed = 1; seed <= 5; ++seed) {
      const std::string where = fmt::format("{} of seed {}: ", name_of(type), seed);
      Random random(seed);
      Wanted wanted{.words = Words::of_mjcf};
      std::erase(wanted.types, JointType::free);
      Robot robot = random_robot(random, seed, wanted);
      if (!add_loop(random, seed, type, robot)) continue;  // no joint slides, or none turns
      ++count;
      const std::vector<double> q = random_q(random, robot);
      close_at(q, robot);
      const Model ours(robot), theirs(there_and_back(robot, "r.xml"));
      ClosedChain a(theirs), b(ours);
      ASSERT_LE(b.gap(q).size, 10 * file_rounding) << where;
      const std::vector<double> v = b.closed_rates(q, test::random_vector<double>(random, ours.nv()));
      const Corresponding state = corresponding(robot, q, v);
      EXPECT_LE(a.gap(state.q).size, 10 * file_rounding) << where;
      const auto screws = state.T.rows() - state.T.cols();  // which equalities tie
      EXPECT_EQ(std::ssize(theirs.robot().loops), (type == LoopType::revolute ? 2 : 1) + screws) << where;
      EXPECT_EQ(a.mobility(state.q).freedom(), b.mobility(q).freedom()) << where;
      for (const double rate : a.rate(state.q, list(state.T * dense(v))))
        EXPECT_NEAR(rate, 0, 10 * file_rounding) << where;
    }
    EXPECT_GE(count, 1) << name_of(type);
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc
