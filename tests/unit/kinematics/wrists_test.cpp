// Postures of arms with a spherical wrist however the file draws them: frames anywhere, axes at any angle, tools and
// stands.
#include <Eigen/Dense>
#include <numbers>
#include <set>

#include "denoc/error.hpp"
#include "denoc/kinematics/inverse_kinematics.hpp"
#include "denoc/kinematics/kinematics.hpp"
#include "support/build.hpp"
#include "support/data.hpp"
#include "support/laws.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

constexpr double eps = std::numeric_limits<double>::epsilon(), pi = std::numbers::pi;
using Vector = std::vector<double>;

Pose<double> random_pose(Random& random, double size) { return {rotation(random.attitude()), random.vector(size)}; }

// Welds a body to the last one, or to the ground.
void weld(Random& random, Robot& robot, double size) {
  Body& body = add(robot, joint(JointType::fixed), {});
  body.joint_frame = random_pose(random, size);
  body.own_frame = random_pose(random, size);
}

Pose<double> pose_at(const Model& model, int body, const Vector& q) {
  Configuration<double> at(model);
  Kinematics<double> kin(model);
  place<double>(model, q, at);
  positions<double>(model, at, kin);
  return pose_in_world<double>(model, kin, body);
}

// A stand, three hinges in space, three whose axes meet, and a tool; each body has a frame of its own somewhere else,
// some carry another that is welded on. Lengths are of some 0.5 units.
struct AnyArm {
  Robot robot;
  int tool;  // body
  std::vector<int> moving;
  enum class Wrist { any, square, narrow };  // the angles between its axes: some, 90 degrees, some 4
  AnyArm(Random& random, double unit, Wrist kind = Wrist::any) {
    const double size = 0.5 * unit;
    weld(random, robot, size);
    Pose<double> to_moved;       // from the last body's frame to where its joint has brought it
    Vec3<double> wrist{};        // ... and the point where the axes of the wrist meet, seen from there
    Vec3<double> last{0, 0, 1};  // ... and the axis of that joint
    for (int k = 1; k <= 6; ++k) {
      Pose<double> frame = random_pose(random, size);
      Vec3<double> axis = unit_vector(random);
      while (k > 4 && norm(cross(last, axis)) < 0.5) axis = unit_vector(random);
      if (k > 4 && kind == Wrist::square) axis = normed(cross(last, axis));
      if (k > 4 && kind == Wrist::narrow) axis = normed(last + axis * 0.09);
      axis = back(frame.R, axis);
      const double along = random.uniform(-size, size);  // from the joint's origin to the wrist
      if (k > 4) frame.r = wrist - frame.R * axis * along;
      Body& body = add(robot, joint(k % 2 == 0 ? JointType::revolute : JointType::continuous, axis), random.inertial());
      body.joint_frame = to_moved * frame;
      body.own_frame = random_pose(random, size);
      moving.push_back(int(robot.bodies.size()) - 1);
      to_moved = inverse(body.own_frame);
      last = axis;
      wrist = axis * along;
      if (k >= 4 || random.below(2) == 0) continue;
      weld(random, robot, size);
      to_moved = inverse(robot.bodies.back().joint_frame * robot.bodies.back().own_frame) * to_moved;
    }
    weld(random, robot, size);
    weld(random, robot, size);
    tool = int(robot.bodies.size()) - 1;
  }
  // Of the hinge k, in the world.
  Vec3<double> axis(const Model& model, int k, const Vector& q) const {
    const Body& body = robot.bodies[size_t(moving[size_t(k - 1)])];
    return pose_at(model, body.parent, q).R * (body.joint_frame.R * body.joint.axis);
  }

 private:
  static Vec3<double> normed(const Vec3<double>& v) { return v * (1 / norm(v)); }
  static Vec3<double> unit_vector(Random& random) { return normed(random.direction()); }
};

// Entries of rotations, and positions in units of length.
double miss(const Pose<double>& a, const Pose<double>& b, double unit) {
  const Mat3<double> d = a.R - b.R;
  return largest<double>({d.xx, d.xy, d.xz, d.yx, d.yy, d.yz, d.zx, d.zy, d.zz, norm(a.r - b.r) / unit});
}
double apart(const Vector& a, const Vector& b) {
  double m = 0;
  for (size_t k = 0; k < a.size(); ++k) m = larger(m, std::abs(std::remainder(a[k] - b[k], 2 * pi)));
  return m;
}
double regularity(const Model& model, int body, const Vector& q, double unit) {
  Machine<double> machine(model, q, Vector(6));
  Vector J(36);
  jacobian_in_world<double>(model, machine.kin, body, J);
  return std::abs(Eigen::Map<Eigen::Matrix<double, 6, 6>>(J.data()).determinant()) / (unit * unit * unit);
}

// A pose is a product of at most 18 frames, each good to some eps of a whole that is below 16 units long.
constexpr double of_pose = 18 * 16 * eps * 16;

// The pose that a posture has leads back to it, and every posture that is found has that pose, whatever unit lengths
// are counted in: metres, millimetres, kilometres.
TEST(Wrists, OfAnyArmLeadBackToThePosture) {
  for (const double unit : {1.0, 1e3, 1e-3})
    for (const AnyArm::Wrist kind : {AnyArm::Wrist::any, AnyArm::Wrist::square, AnyArm::Wrist::narrow}) {
      Random random(21);
      size_t most = 0;
      int tried = 0;
      for (int trial = 0; trial < 60; ++trial) {
        const AnyArm arm(random, unit, kind);
        const Model model(arm.robot);
        ASSERT_TRUE(is_wrist_partitioned(model, arm.tool)) << trial;
        for (int k = 0; k < 5; ++k) {
          const Vector q = random_vector<double>(random, 6, 3);
          const double regular = regularity(model, arm.tool, q, unit);
          if (regular < 1e-4) continue;
          ++tried;
          const Pose<double> pose = pose_at(model, arm.tool, q);
          const auto postures = wrist_partitioned_postures(model, arm.tool, pose);
          double nearest = 10;
          std::set<std::string> branches;
          for (const ArmPosture& posture : postures) {
            EXPECT_LE(miss(pose_at(model, arm.tool, posture.q), pose, unit), of_pose) << trial << posture.branch;
            for (const double angle : posture.q) EXPECT_TRUE(angle > -pi && angle <= pi) << angle;
            nearest = std::min(nearest, apart(posture.q, q));
            branches.insert(posture.branch);
            // noflip: axis 5 along the cross product of the axes 4 and 6
            const double along =
                dot(arm.axis(model, 5, posture.q), cross(arm.axis(model, 4, posture.q), arm.axis(model, 6, posture.q)));
            EXPECT_EQ(posture.branch.ends_with(" noflip"), along > 0) << trial << posture.branch;
          }
          EXPECT_LE(nearest, 1e3 * eps / std::min(regular, 1.0)) << trial << ", of " << postures.size();
          EXPECT_EQ(branches.size(), postures.size()) << trial;
          EXPECT_EQ(postures.size() % 2, 0u) << trial;
          most = std::max(most, postures.size());
        }
      }
      EXPECT_TRUE(most == 8u || kind == AnyArm::Wrist::narrow) << most;  // a narrow one does not turn every way
      EXPECT_GT(tried, 50);
    }
}

// Every body that the wrist carries is led, by its own frame: the one that turns last, and those welded to it. The
// frame of the one is that of the other, moved: the postures are the same.
TEST(Wrists, LeadWhateverTheyCarry) {
  Random random(22);
  for (int trial = 0; trial < 20; ++trial) {
    const AnyArm arm(random, 1);
    const Model model(arm.robot);
    const Vector q = random_vector<double>(random, 6, 3);
    if (regularity(model, arm.tool, q, 1) < 1e-2) continue;
    const auto by_tool = wrist_partitioned_postures(model, arm.tool, pose_at(model, arm.tool, q));
    for (int body = arm.moving.back(); body < arm.tool; ++body) {
      const auto found = wrist_partitioned_postures(model, body, pose_at(model, body, q));
      ASSERT_EQ(found.size(), by_tool.size()) << trial;
      for (size_t i = 0; i < found.size(); ++i) EXPECT_LE(apart(found[i].q, by_tool[i].q), 1e-9) << trial;
    }
    for (int body = 1; body < arm.moving.back(); ++body) EXPECT_FALSE(is_wrist_partitioned(model, body)) << body;
  }
}

// Inverse kinematics finds them all, whatever limits the joints have, and says which keep them.
TEST(Wrists, KeepTheirOwnLimits) {
  Random random(23);
  int keep = 0, leave = 0;
  for (int trial = 0; trial < 100; ++trial) {
    AnyArm arm(random, 1);
    for (const int b : arm.moving) {
      Limits& limits = arm.robot.bodies[size_t(b)].joint.limits;
      limits.lower = random.uniform(-3, -1.5), limits.upper = random.uniform(1.5, 3);
    }
    const Model model(arm.robot);
    const Vector q = random_vector<double>(random, 6, 1.4);
    if (regularity(model, arm.tool, q, 1) < 1e-2) continue;
    const Pose<double> pose = pose_at(model, arm.tool, q);
    const auto all = inverse_kinematics(model, {arm.tool}, pose, Vector(6));
    EXPECT_EQ(all.size(), wrist_partitioned_postures(model, arm.tool, pose).size());
    for (const Solution& each : all) {
      bool is_within = true;
      for (size_t k = 0; k < 6; ++k) {
        const Limits& limits = arm.robot.bodies[size_t(arm.moving[k])].joint.limits;
        is_within = is_within && each.q[k] >= limits.lower && each.q[k] <= limits.upper;
      }
      EXPECT_EQ(each.is_within_limits, is_within) << trial << each.branch;
      EXPECT_LE(miss(pose_at(model, arm.tool, each.q), pose, 1), of_pose) << trial << each.branch;
      ++(is_within ? keep : leave);
    }
  }
  EXPECT_GT(keep, 30);
  EXPECT_GT(leave, 30);
}

// A ball stands beside the arm, a finger slides on its tool, a lamp turns on its third link: none of them moves the
// tool. Its postures are those of the arm alone, and the others stay as they start.
TEST(Wrists, AreFoundAmongOtherJoints) {
  Random random(25);
  for (int trial = 0; trial < 30; ++trial) {
    const AnyArm arm(random, 1);
    Robot whole;
    const auto put = [&](const char* name, JointType type, int parent) {
      Body& body = add(whole, joint(type), random.inertial());
      body.name = name;
      body.parent = parent;
    };
    put("ball", JointType::spherical, 0);
    for (size_t b = 1; b < arm.robot.bodies.size(); ++b) {
      whole.bodies.push_back(arm.robot.bodies[b]);
      if (whole.bodies.back().parent > 0) ++whole.bodies.back().parent;
    }
    const int tool = arm.tool + 1;
    put("finger", JointType::prismatic, tool);
    put("lamp", JointType::revolute, arm.moving[2] + 1);
    const Model alone(arm.robot), model(whole);
    const Vector q = random_vector<double>(random, 6, 3), elsewhere = {0.5, -0.5, 0.5, 0.5, 0, 0, 0, 0, 0, 0, 0.7, 2};
    if (regularity(alone, arm.tool, q, 1) < 1e-3) continue;
    const Pose<double> pose = pose_at(alone, arm.tool, q);
    const auto expected = wrist_partitioned_postures(alone, arm.tool, pose);
    const auto expect_same = [&](const Vector& found, const Vector& of_arm) {
      EXPECT_LE(apart(Vector(found.begin() + 4, found.begin() + 10), of_arm), 1e-9) << trial;
    };
    ASSERT_TRUE(is_wrist_partitioned(model, tool)) << trial;
    EXPECT_FALSE(is_wrist_partitioned(model, tool + 1)) << trial;  // the finger
    const auto neutral = wrist_partitioned_postures(model, tool, pose);
    const auto found = wrist_partitioned_postures(model, tool, pose, elsewhere);
    ASSERT_EQ(found.size(), expected.size()) << trial;
    ASSERT_EQ(neutral.size(), expected.size()) << trial;
    for (size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(found[i].branch, expected[i].branch) << trial;
      expect_same(found[i].q, expected[i].q);
      expect_same(neutral[i].q, expected[i].q);
      EXPECT_EQ(neutral[i].q[0], 1) << trial;
    }
    const auto all = inverse_kinematics(model, {tool}, pose, elsewhere);
    EXPECT_EQ(all.size(), expected.size()) << trial;
    for (const Solution& each : all) {
      EXPECT_LE(each.gap, of_pose) << trial;
      for (const size_t k : {0u, 1u, 2u, 3u, 10u, 11u}) EXPECT_EQ(each.q[k], elsewhere[k]) << trial << ' ' << k;
    }
    // The finger goes where it is to go by one of many ways.
    EXPECT_EQ(inverse_kinematics(model, {tool + 1}, pose_at(model, tool + 1, elsewhere), elsewhere).size(), 1u)
        << trial;
  }
}

// Six hinges by their axes and a point of each; the body's frame is the world's at q = 0.
struct Hinge {
  Vec3<double> axis, point;
};
Robot of_hinges(const std::vector<Hinge>& hinges) {
  Robot robot;
  Vec3<double> last{};
  for (const Hinge& hinge : hinges) {
    add(robot, joint(JointType::revolute, hinge.axis), mass(1, {0.1, 0, 0}, {0.1, 0, 0.1, 0, 0, 0.1}),
        hinge.point - last);
    last = hinge.point;
  }
  return robot;
}

// Where angles are right or straight, and two postures fall together, each is listed once, by angles above -pi.
TEST(Wrists, ListEveryPostureOnceByItsLeastAngles) {
  const Vec3<double> y{0, 1, 0}, z{0, 0, 1}, wrist{0.4, 0.15, 0.6};
  const Model model(
      of_hinges({{z, {}}, {y, {0, 0.15, 0.2}}, {y, {0.4, 0.15, 0.2}}, {z, wrist}, {y, wrist}, {z, wrist}}));
  const double angles[] = {0, pi / 2, pi};
  for (int number = 0; number < 729; ++number) {
    Vector q(6);
    for (int k = 0, left = number; k < 6; ++k, left /= 3) q[size_t(k)] = angles[left % 3];
    const Pose<double> pose = pose_at(model, 6, q);
    const auto postures = wrist_partitioned_postures(model, 6, pose);
    for (size_t i = 0; i < postures.size(); ++i) {
      EXPECT_LE(miss(pose_at(model, 6, postures[i].q), pose, 1), of_pose) << number;
      for (const double angle : postures[i].q) EXPECT_TRUE(angle > -pi && angle <= pi) << number << " " << angle;
      for (size_t j = 0; j < i; ++j) EXPECT_GT(apart(postures[i].q, postures[j].q), 1e-7) << number;
    }
  }
}

// Where the wrist lies on the third axis that joint moves it nowhere, and where the first two axes meet as well, the
// wrist keeps its distance from there: any turn of the third joint is as good as another. Poses that the arm has are
// found again, however the distance rounds; what is nearer or farther is out of reach.
TEST(Wrists, OnTheThirdAxisAreReachedByAnyTurnOfIt) {
  const Vec3<double> x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  const auto normed = [](const Vec3<double>& v) { return v * (1 / norm(v)); };
  Random random(4);
  for (const Vec3<double>& wrist : {Vec3<double>{0.5, 0, 0}, {0.3, 0.4, 0}, {0.25, 0.1, -0.7}})
    for (const Vec3<double>& aside : {Vec3<double>{0, 0, 0}, x * 0.3, y * -0.25}) {  // of where the axes 1 and 2 meet
      const Vec3<double> axis = normed(wrist - aside), across = normed(cross(axis, z)), third = cross(axis, across);
      const Model model(of_hinges({{z, {}}, {y, {}}, {axis, aside}, {across, wrist}, {third, wrist}, {axis, wrist}}));
      ASSERT_TRUE(is_wrist_partitioned(model, 6));
      for (int trial = 0; trial < 40; ++trial) {
        Vector q = random_vector<double>(random, 6, 3);
        if (trial < 10)
          for (double& angle : q) angle = trial == 0 ? 0 : pi / 2 * random.below(4);
        const Pose<double> pose = pose_at(model, 6, q);
        const auto postures = wrist_partitioned_postures(model, 6, pose);
        EXPECT_FALSE(postures.empty()) << trial << ": " << wrist.x << " " << aside.x;
        for (const ArmPosture& each : postures) EXPECT_LE(miss(pose_at(model, 6, each.q), pose, 1), of_pose) << trial;
        for (const double farther : {0.9, 1.1}) {
          const Pose<double> beyond{pose.R, pose.r * farther};  // the wrist is the origin of the last body
          EXPECT_TRUE(wrist_partitioned_postures(model, 6, beyond).empty()) << trial;
        }
      }
    }
}

// Why an arm is none of these: each of the rules by itself, the others kept.
TEST(Wrists, ThatAreNoneSayWhy) {
  const Vec3<double> x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1}, wrist{0.3, 0, 0.6};
  const std::vector<Hinge> puma = {{z, {}},    {y, {0.1, 0, 0.2}}, {y, {0.4, 0, 0.2}},
                                   {x, wrist}, {y, wrist},         {z, wrist + z * 0.1}};
  const auto said_of = [](const Robot& robot, int body) {
    const Model model(robot);
    try {
      wrist_partitioned_postures(model, body, {});
    } catch (const ArgumentError& refused) {
      EXPECT_FALSE(is_wrist_partitioned(model, body));
      return std::string(refused.what());
    }
    EXPECT_TRUE(is_wrist_partitioned(model, body));
    return std::string();
  };
  const auto expect = [&](const std::vector<Hinge>& hinges, const std::string& words) {
    const std::string said = said_of(of_hinges(hinges), int(hinges.size()));
    EXPECT_EQ(said.empty(), words.empty()) << said;
    EXPECT_NE(said.find(words), std::string::npos) << said;
    // ... in any unit of length
    for (const double unit : {1e3, 1e-3}) {
      std::vector<Hinge> scaled = hinges;
      for (Hinge& hinge : scaled) hinge.point = hinge.point * unit;
      EXPECT_EQ(said_of(of_hinges(scaled), int(hinges.size())).empty(), words.empty()) << words << unit;
    }
  };
  expect(puma, "");
  for (size_t k = 3; k < 6; ++k) {
    std::vector<Hinge> off = puma;
    off[k].point = off[k].point + Vec3<double>{0.02, 0.03, 0.05};
    expect(off, "its axes 4, 5, 6 do not meet: they miss each other by");
    std::vector<Hinge> along = puma;  // a point of an axis is as good as another
    along[k].point = along[k].point + along[k].axis * 0.7;
    expect(along, "");
  }
  std::vector<Hinge> apart = puma;  // 5 passes 4 by 2 cm, 6 meets 4
  apart[4].point = wrist + z * 0.02;
  expect(apart, "they miss each other by 0.02 m");
  std::vector<Hinge> beside = puma;  // 4 and 5 meet, 6 passes by 3 cm
  beside[5].point = wrist + x * 0.03;
  expect(beside, "they miss each other by 0.03 m");
  for (const size_t k : {3u, 5u})
    for (const double sign : {1.0, -1.0}) {
      std::vector<Hinge> level = puma;
      level[k].axis = y * sign;
      expect(level, "its axes 4, 5, 6 make no wrist: two are parallel");
    }
  for (const double sign : {1.0, -1.0}) {
    std::vector<Hinge> one = puma;
    one[1] = {z * sign, {0, 0, 0.4}};
    expect(one, "its axes 1 and 2 are one");
    one[1].point.x = 0.2;  // parallel, but apart
    expect(one, "");
  }
  std::vector<Hinge> meet = puma;  // 1 and 2
  meet[1].point.x = 0;
  expect(meet, "");
  std::vector<Hinge> few = puma, many = puma;
  few.erase(few.begin() + 1);
  many.insert(many.begin() + 1, {x, {0, 0, 0.1}});
  expect(few, "it moves by 5 joints, not by six");
  expect(many, "it moves by 7 joints, not by six");
  for (size_t k = 1; k <= 6; ++k)
    for (const JointType type : {JointType::prismatic, JointType::helical}) {
      Robot other = of_hinges(puma);
      other.bodies[k].joint.type = type;
      other.bodies[k].joint.pitch = 0.1;
      EXPECT_NE(said_of(other, 6).find("its joint " + std::to_string(k) + " is not revolute"), std::string::npos);
    }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
