#include "denoc/kinematics/inverse_kinematics.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <numbers>
#include <set>

#include "denoc/kinematics/kinematics.hpp"
#include "kinematics/pose_search.hpp"
#include "support/build.hpp"
#include "support/data.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr double pi = std::numbers::pi;

Pose<double> pose_at(const Model& model, int body, const std::vector<double>& q) {
  Configuration<double> at(model);
  Kinematics<double> kin(model);
  place<double>(model, q, at);
  positions<double>(model, at, kin);
  return pose_in_world<double>(model, kin, body);
}
// The largest entry of both the rotation's and the position's difference.
double miss(const Pose<double>& a, const Pose<double>& b) {
  const Mat3<double> d = a.R - b.R;
  return largest<double>({d.xx, d.xy, d.xz, d.yx, d.yy, d.yz, d.zx, d.zy, d.zz, norm(a.r - b.r)});
}
double apart(const std::vector<double>& a, const std::vector<double>& b) {
  double m = 0;
  for (size_t k = 0; k < a.size(); ++k) m = larger(m, std::abs(std::remainder(a[k] - b[k], 2 * pi)));
  return m;
}
// The smallest pivot-free measure of regularity: the volume of the Jacobian.
double regularity(const Model& model, int body, const std::vector<double>& q) {
  Machine<double> machine(model, q, std::vector<double>(model.nv(), 0.0));
  std::vector<double> J(36);
  jacobian_in_world<double>(model, machine.kin, body, J);
  return std::abs(Eigen::Map<Eigen::Matrix<double, 6, 6>>(J.data()).determinant());
}

// A wrist on an arm with any axes: three bodies at random, then three whose axes meet.
Robot arm_with_wrist(Random& random) {
  Robot robot = random_robot(random, {.bodies = 3, .types = {JointType::revolute}, .chain = true});
  for (int b = 4; b <= 6; ++b) {
    Body body;
    body.name = "body" + std::to_string(b);
    body.parent = b - 1;
    body.joint.type = JointType::revolute;
    body.joint_frame = {rotation(random.attitude()), b == 4 ? random.vector(0.5) : Vec3<double>{0, 0, 0}};
    const Vec3<double> axes[] = {{0, 0, 1}, {0, 1, 0}, {0, 0, 1}};
    body.joint.axis = axes[b - 4];
    if (b > 4) body.joint_frame.R = identity3<double>();
    body.inertial = random.inertial();
    if (b == 6) body.own_frame = {rotation(random.attitude()), random.vector(0.3)};
    robot.bodies.push_back(body);
  }
  return robot;
}

// What a posture's pose, found again, must contain.
void expect_all_postures(const Model& model, const std::vector<double>& q, const std::string& what) {
  const Pose<double> pose = pose_at(model, 6, q);
  const auto postures = wrist_partitioned_postures(model, 6, pose);
  // A pose is a product of seven frames; entries of rotations are up to 1, positions below 3 m.
  for (const ArmPosture& posture : postures) {
    EXPECT_LE(miss(pose_at(model, 6, posture.q), pose), 7 * 16 * eps * 3) << what << " " << posture.branch;
    for (const double angle : posture.q) EXPECT_TRUE(angle > -pi && angle <= pi) << angle;
  }
  double nearest = 10;
  for (const ArmPosture& posture : postures) nearest = std::min(nearest, apart(posture.q, q));
  // Rounding of the pose moves the joints by its inverse of the Jacobian.
  EXPECT_LE(nearest, 1e3 * eps / std::min(regularity(model, 6, q), 1.0)) << what << ": " << postures.size();
  EXPECT_LE(postures.size(), 8u);
  EXPECT_EQ(postures.size() % 2, 0u) << what;
  std::set<std::string> branches;
  for (const ArmPosture& posture : postures) branches.insert(posture.branch);
  EXPECT_EQ(branches.size(), postures.size()) << what << ": a branch occurs twice";
  // Arms without names of their own are counted: none is left out.
  std::set<std::string> arms;
  for (const std::string& branch : branches)
    if (branch.starts_with("arm")) arms.insert(branch.substr(0, branch.find(' ')));
  for (size_t i = 1; i <= arms.size(); ++i) EXPECT_EQ(arms.count("arm" + std::to_string(i)), 1u) << what << " " << i;
}

TEST(WristPartitioned, FindsEveryPostureAgain) {
  for (const char* name : {"puma560", "kuka_kr5"}) {
    const Model model(shipped(name));
    ASSERT_TRUE(is_wrist_partitioned(model, 6)) << name;
    Random random(11);
    for (int k = 0; k < 500; ++k) {
      const auto q = random_vector<double>(random, 6, 3);
      if (regularity(model, 6, q) > 1e-6) expect_all_postures(model, q, name + std::to_string(k));
    }
  }
}

TEST(WristPartitioned, FindsEveryPostureOfAnyArm) {
  Random random(12);
  size_t most = 0;
  for (int arm = 0; arm < 200; ++arm) {
    const Model model(arm_with_wrist(random));
    ASSERT_TRUE(is_wrist_partitioned(model, 6)) << arm;
    for (int k = 0; k < 10; ++k) {
      const auto q = random_vector<double>(random, 6, 3);
      if (regularity(model, 6, q) < 1e-6) continue;
      expect_all_postures(model, q, "arm " + std::to_string(arm) + " posture " + std::to_string(k));
      most = std::max(most, wrist_partitioned_postures(model, 6, pose_at(model, 6, q)).size());
    }
  }
  EXPECT_EQ(most, 8u);  // the quartic has four real roots now and then
}

// Files have right angles of five digits, 1.5708: the axes of the wrist miss each other by micrometres, and the arm has the
// postures of the one that was meant.
TEST(WristPartitioned, FindsEveryPostureOfArmsWithFewDigits) {
  for (const char* name : {"puma560", "kuka_kr5"}) {
    Robot robot = shipped(name);
    for (size_t b = 2; b <= 6; ++b) {
      const double off = (b % 2 == 0 ? 2e-6 : -1e-6);
      robot.bodies[b].joint_frame =
          robot.bodies[b].joint_frame * Pose<double>{rotation(unit(Quaternion<double>{1, off, off, 0})), {off, 0, off}};
    }
    const Model model(robot), meant(shipped(name));
    ASSERT_TRUE(is_wrist_partitioned(model, 6)) << name;
    Random random(13);
    for (int k = 0; k < 200; ++k) {
      const auto q = random_vector<double>(random, 6, 3);
      const Pose<double> pose = pose_at(model, 6, q);
      const auto postures = wrist_partitioned_postures(model, 6, pose);
      for (const ArmPosture& posture : postures) EXPECT_LE(miss(pose_at(model, 6, posture.q), pose), 7 * 16 * eps * 3);
      double least = 1;  // of all postures there
      for (const ArmPosture& posture : postures) least = std::min(least, regularity(model, 6, posture.q));
      if (least < 0.01) continue;
      double nearest = 10;
      for (const ArmPosture& posture : postures) nearest = std::min(nearest, apart(posture.q, q));
      EXPECT_LE(nearest, 1e-9) << name << k;
      EXPECT_EQ(postures.size(), wrist_partitioned_postures(meant, 6, pose).size()) << name << k;
    }
  }
}

// Inside the reach of the PUMA all eight are there, and every name means what it says.
TEST(WristPartitioned, NamesThePosturesOfThePuma) {
  const Model model(shipped("puma560"));
  const auto postures = wrist_partitioned_postures(model, 6, pose_at(model, 6, {0.3, 0.6, -0.4, 0.5, 0.7, -0.2}));
  ASSERT_EQ(postures.size(), 8u);
  EXPECT_TRUE(std::is_sorted(postures.begin(), postures.end(),
                             [](const ArmPosture& a, const ArmPosture& b) { return a.branch < b.branch; }));
  for (const ArmPosture& posture : postures) {
    const auto has = [&](const char* word) { return posture.branch.find(word) != std::string::npos; };
    const Vec3<double> elbow = pose_at(model, 2, posture.q).r, wrist = pose_at(model, 4, posture.q).r;
    // The upper arm stands 0.15 m to the right of who looks from the waist along the reach, or to the left.
    const double c = std::cos(posture.q[0]), s = std::sin(posture.q[0]);
    const Vec3<double> side{s, -c, 0}, view{wrist.x - 0.15005 * s, wrist.y + 0.15005 * c, 0};
    EXPECT_EQ(has("right"), cross(view, side).z < 0) << posture.branch;
    // All of them reach forward and far, so that the elbow is above the line or below.
    const double reach = norm(view), along = norm(Vec3<double>{elbow.x, elbow.y, 0});
    const bool ahead = dot(elbow, view) > 0;
    EXPECT_EQ(has("above"), elbow.z > wrist.z / reach * (ahead ? along : -along)) << posture.branch;
    EXPECT_EQ(has("noflip"), posture.q[4] > 0) << posture.branch;
  }
}

TEST(WristPartitioned, GivesOneOfTheFamilyWhereSingular) {
  const Model model(shipped("puma560"));
  // The axes 4 and 6 are one; then the arm is stretched, and all postures are double.
  for (const std::vector<double>& q : {std::vector<double>{0.3, 0.6, -0.4, 0.5, 0, -0.2},
                                       {0.3, 0.6, std::atan2(0.0203, 0.4318) - pi / 2, 0.5, 0.4, -0.2}}) {
    const Pose<double> pose = pose_at(model, 6, q);
    const auto postures = wrist_partitioned_postures(model, 6, pose);
    EXPECT_GE(postures.size(), 2u);
    for (const ArmPosture& posture : postures) EXPECT_LE(miss(pose_at(model, 6, posture.q), pose), 7 * 16 * eps * 3);
  }
}

// Whatever small angle the wrist is bent by, the posture that a pose was taken from is among those found: the fifth joint
// to rounding, the fourth and sixth to rounding over the sine that they are known by.
TEST(WristPartitioned, FindsPosturesWhoseWristIsNearlyStraight) {
  for (const char* name : {"puma560", "kuka_kr5"}) {
    const Model model(shipped(name));
    for (const double bent : {1e-13, 1e-11, 1e-9, -1e-9, 1e-8, 3e-8, 1e-6, 1e-3})
      for (const std::vector<double>& arm :
           {std::vector<double>{0.3, 0.6, -0.4}, {1.4, -2.4, -1.7}, {-2.1, 0.2, 1.1}, {0.9, -0.8, 2.3}}) {
        const std::vector<double> q = {arm[0], arm[1], arm[2], -0.9, bent, 0.2};
        const Pose<double> pose = pose_at(model, 6, q);
        const double rounding = 7 * 16 * eps * 3;
        const auto is_it = [&](const ArmPosture& posture) {
          EXPECT_LE(miss(pose_at(model, 6, posture.q), pose), rounding);
          for (std::size_t k = 0; k < 6; ++k) {
            const double allowed = k == 3 || k == 5 ? 100 * rounding / std::abs(bent) : 100 * rounding;
            if (allowed < pi && std::abs(std::remainder(posture.q[k] - q[k], 2 * pi)) > allowed) return false;
          }
          return true;
        };
        const auto postures = wrist_partitioned_postures(model, 6, pose);
        EXPECT_TRUE(std::any_of(postures.begin(), postures.end(), is_it)) << name << ' ' << bent << ' ' << arm[0];
      }
  }
}

TEST(WristPartitioned, IsEmptyOutOfReach) {
  const Model model(shipped("puma560"));
  Pose<double> pose = pose_at(model, 6, {0.3, 0.6, -0.4, 0.5, 0.7, -0.2});
  pose.r = {2, 0, 0};
  EXPECT_TRUE(wrist_partitioned_postures(model, 6, pose).empty());
  pose.r = {0.01, 0, 0.3};  // nearer to the waist than the shoulder's offset
  EXPECT_TRUE(wrist_partitioned_postures(model, 6, pose).empty());
}

TEST(WristPartitioned, RefusesOtherArms) {
  EXPECT_FALSE(is_wrist_partitioned(Model(shipped("planar3r")), 3));
  EXPECT_FALSE(is_wrist_partitioned(Model(shipped("puma560")), 5));
  Robot robot = shipped("puma560");
  robot.bodies[6].joint_frame.r.x += 1e-3;
  const Model offset(robot);
  EXPECT_FALSE(is_wrist_partitioned(offset, 6));
  try {
    wrist_partitioned_postures(offset, 6, {});
    FAIL() << "a wrist with an offset";
  } catch (const ArgumentError& refused) {
    EXPECT_NE(std::string(refused.what()).find("link6"), std::string::npos) << refused.what();
    EXPECT_NE(std::string(refused.what()).find("0.001 m"), std::string::npos) << refused.what();
  }
  EXPECT_THROW(wrist_partitioned_postures(Model(shipped("puma560")), 7, {}), ArgumentError);
}

// Any tree, any joints: the pose of a posture nearby is found to rounding.
TEST(PostureNear, ReachesWhatIsNear) {
  int found = 0;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    const Model model(random_robot(random, {.bodies = 7, .chain = seed % 2 == 0}));
    const int body = 7;
    if (model.bodies()[body].link == 0) continue;
    const auto seed_q = random_q<double>(random, model);
    auto q = seed_q;
    integrate<double>(model, seed_q, random_vector<double>(random, model.nv(), 0.2), q);
    const Pose<double> pose = pose_at(model, body, q);
    const auto near = posture_near(model, body, pose, seed_q);
    EXPECT_LE(miss(pose_at(model, body, near), pose), 16 * (model.link_count() + 1) * eps * 20) << seed;
    std::vector<double> moved(model.nv());
    difference<double>(model, seed_q, near, moved);
    EXPECT_LE(largest(moved), 2) << seed;
    EXPECT_EQ(posture_near(model, body, pose, seed_q), near) << "the same bits each time";
    ++found;
  }
  EXPECT_GT(found, 50);
}

// Damped steps come to a pose from far away where whole ones overshoot: from a hundred random postures of the PUMA
// more often than not, and never farther from it than they began.
TEST(PoseSearch, DampedStepsComeFromFarAway) {
  const Model model(shipped("puma560"));
  Random random(2);
  int reached = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const Pose<double> pose = pose_at(model, 6, random_q<double>(random, model));
    kinematics::PoseSearch search(model, 6, pose);
    std::vector<double> q = random_q<double>(random, model);
    search.newton(q, 0);
    const auto miss_of = [&] { return std::hypot(search.metres() / search.size(), search.radians()); };
    const double before = miss_of();
    const bool is_there = search.damped(q, 200);
    EXPECT_LE(miss_of(), before) << trial;
    EXPECT_EQ(is_there, miss(pose_at(model, 6, q), pose) <= 7 * 16 * eps * 3) << trial;
    reached += is_there ? 1 : 0;
  }
  EXPECT_GT(reached, 50);
}

// Hinges that meet in one point, without masses: there is no length in it, and none is needed to turn it.
TEST(PostureNear, TurnsWhatHasNoLength) {
  Robot robot;
  for (const Vec3<double>& axis : {Vec3<double>{0, 0, 1}, {0, 1, 0}, {0, 0, 1}})
    add(robot, joint(JointType::revolute, axis), {});
  const Model model(robot);
  const std::vector<double> q = {0.3, 0.8, -0.5};
  const Pose<double> pose = pose_at(model, 3, q);
  expect_near(posture_near(model, 3, pose, {0.2, 0.7, -0.3}), q, 64 * eps, "q");
  const auto found = inverse_kinematics(model, {3, {0, 0, 0}, true}, pose, {0.2, 0.7, -0.3});
  ASSERT_FALSE(found.empty());
  for (const Solution& each : found) EXPECT_LE(miss(pose_at(model, 3, each.q), pose), 64 * eps);
}

TEST(PostureNear, SettlesInASingularPosture) {
  const Model model(shipped("puma560"));
  const std::vector<double> stretched = {0.3, 0.6, std::atan2(0.0203, 0.4318) - pi / 2, 0.5, 0.4, -0.2};
  const Pose<double> pose = pose_at(model, 6, stretched);
  const auto q = posture_near(model, 6, pose, {0.2, 0.7, -1.3, 0.4, 0.5, 0});
  EXPECT_LE(miss(pose_at(model, 6, q), pose), 7 * 16 * eps * 3);
}

// A pose that is moved and turned away from where the body is: the larger of the two is the gap, in m or rad.
TEST(Solutions, MissByMetresOrRadians) {
  const Model model(shipped("puma560"));
  Random random(3);
  for (const double metres : {0.0, 0.2, 0.9})
    for (const double radians : {0.0, 0.2, 0.5, 2.5}) {
      const auto q = random_q<double>(random, model);
      const Vec3<double> point = random.vector(0.3), axis = random.direction(), way = random.direction();
      const double half = radians / 2, s = std::sin(half) / norm(axis);
      Pose<double> pose = pose_at(model, 6, q);
      pose.r += pose.R * point + way * (metres / norm(way));
      pose.R = pose.R * rotation(Quaternion<double>{std::cos(half), axis.x * s, axis.y * s, axis.z * s});
      const double rounding = 7 * 16 * eps * 3;
      EXPECT_NEAR(gap(model, {6, point, true}, pose, q), std::max(metres, radians), rounding) << metres << radians;
      EXPECT_NEAR(gap(model, {6, point, false}, pose, q), metres, rounding) << metres << radians;
    }
}

// Each by its own angles, wherever the search began.
TEST(Solutions, SayWhetherTheyKeepTheLimits) {
  Robot robot = shipped("puma560");
  const double limit = 1.7;
  for (Body& body : robot.bodies) body.joint.limits.lower = -limit, body.joint.limits.upper = limit;
  const Model model(robot);
  const Pose<double> pose = pose_at(model, 6, {0.3, 0.6, -0.4, 0.5, 0.7, -0.2});
  for (const std::vector<double>& start : {std::vector<double>(6, 0.1), {0, 0, 3, 0, 0, 0}, {0, 0, 0, -3, 0, 0}}) {
    int keep = 0, leave = 0;
    for (const Solution& each : inverse_kinematics(model, {6}, pose, start)) {
      const bool is_within =
          std::all_of(each.q.begin(), each.q.end(), [&](double angle) { return std::abs(angle) <= limit; });
      EXPECT_EQ(each.is_within_limits, is_within) << each.branch;
      ++(is_within ? keep : leave);
    }
    EXPECT_GT(keep, 0);
    EXPECT_GT(leave, 0);
  }
}

// Arms in a plane have two postures for every place of the hand, or of the wrist alone, the elbow on this side of the
// line from the shoulder or on that: w is the direction of the wrist, q1' = 2 w - q1, q2' = -q2, q3' what is left. Of
// the two the nearer is given, wherever the search came to first.
TEST(Solutions, AreTheNearestOfThoseThatThereAre) {
  const Vec3<double> across{0, 1, 0};
  Random random(5);
  int asked = 0;
  for (int trial = 0; trial < 150; ++trial) {
    const bool with_attitude = trial % 2 == 0;
    const int joints = with_attitude ? 3 : 2;
    const Vec3<double> upper{random.uniform(0.3, 1), 0, 0}, fore{random.uniform(0.3, 1), 0, 0},
        hand{random.uniform(0, 0.3), 0, 0};
    Robot robot;
    add(robot, joint(JointType::revolute, across), mass(1));
    add(robot, joint(JointType::revolute, across), mass(1), upper);
    if (with_attitude) add(robot, joint(JointType::revolute, across), mass(1), fore);
    const Model model(robot);
    const Target target{joints, with_attitude ? hand : fore, with_attitude};
    std::vector<double> q = random_vector<double>(random, joints, 3);
    const std::vector<double> start = random_vector<double>(random, joints, 3);
    Pose<double> pose = pose_at(model, joints, q);
    const Vec3<double> wrist = with_attitude ? pose.r : pose.r + pose.R * fore;
    pose.r += pose.R * target.point;
    const double bend = std::abs(std::sin(q[1])), reach = norm(wrist);
    if (bend < 0.1 || reach < 0.1) continue;
    std::vector<double> other = q;
    other[0] = 2 * std::atan2(-wrist.z, wrist.x) - q[0];
    other[1] = -q[1];
    if (with_attitude) other[2] = q[0] + q[1] + q[2] - other[0] - other[1];
    double away[2] = {0, 0};
    for (const int i : {0, 1}) {
      std::vector<double>& posture = i == 0 ? q : other;
      for (std::size_t k = 0; k < posture.size(); ++k) {
        posture[k] = start[k] + std::remainder(posture[k] - start[k], 2 * pi);
        away[i] = std::hypot(away[i], posture[k] - start[k]);
      }
    }
    if (std::abs(away[0] - away[1]) < 1e-6) continue;
    ++asked;
    const auto found = inverse_kinematics(model, target, pose, start);
    ASSERT_EQ(found.size(), 1u);
    // Rounding of the place moves the joints by the inverse of their Jacobian, whose determinant this is.
    const double rounding = 1e3 * eps / (upper.x * fore.x * bend);
    expect_near(found[0].q, away[0] < away[1] ? q : other, rounding, "q");
    EXPECT_NEAR(found[0].distance, std::min(away[0], away[1]), 2 * rounding) << trial;
  }
  EXPECT_GT(asked, 100);
}

TEST(PostureNear, SaysByHowMuchItMisses) {
  const Model model(shipped("puma560"));
  Pose<double> pose = pose_at(model, 6, {0.3, 0.6, -0.4, 0.5, 0.7, -0.2});
  pose.r = {3, 0, 0};
  try {
    posture_near(model, 6, pose, std::vector<double>(6, 0.1));
    FAIL() << "the PUMA reaches 3 m";
  } catch (const Unreachable& refused) {
    EXPECT_NE(std::string(refused.what()).find(" m and "), std::string::npos) << refused.what();
    EXPECT_NE(std::string(refused.what()).find("link6"), std::string::npos) << refused.what();
  }
  // What is asked for decides what is said: of a position alone nothing about attitudes.
  for (const bool with_attitude : {true, false}) {
    try {
      inverse_kinematics(model, {6, {0, 0, 0}, with_attitude}, pose, std::vector<double>(6, 0.1));
      FAIL() << "the PUMA reaches 3 m";
    } catch (const Unreachable& refused) {
      const std::string said = refused.what();
      EXPECT_NE(said.find("the position is out of reach"), std::string::npos) << said;
      EXPECT_EQ(said.find("attitude") != std::string::npos, with_attitude) << said;
      EXPECT_EQ(said.find(" rad") != std::string::npos, with_attitude) << said;
    }
  }
  EXPECT_THROW(posture_near(model, 6, pose, {0, 0}), ArgumentError);
  pose.R.xx += 0.1;
  EXPECT_THROW(posture_near(model, 6, pose, std::vector<double>(6, 0.1)), ArgumentError);
}

// Two slides bring a body to any place of their plane and turn it not at all: from a pose that lies so far above the plane
// and is turned by so much it stays away by just that, in metres and in radians, however large the robot is.
TEST(PostureNear, SaysHowFarInEachUnit) {
  for (const double length : {1.0, 0.01, 50.0})
    for (const double above : {0.0, 0.5, 1.25})
      for (const double turned : {0.0, 0.25, 1.5, 3.0}) {
        if (above == 0 && turned == 0) continue;
        Robot robot;
        add(robot, joint(JointType::prismatic, {1, 0, 0}), mass(1)).name = "bridge";
        add(robot, joint(JointType::prismatic, {0, 1, 0}), mass(1), {length, 0, 0}).name = "carriage";
        const Model model(robot);
        Random random(3);
        const Vec3<double> axis = random.direction() * std::sin(turned / 2);
        const Pose<double> pose{rotation(Quaternion<double>{std::cos(turned / 2), axis.x, axis.y, axis.z}),
                                {1.2 * length, 0.1 * length, above * length}};
        try {
          posture_near(model, 2, pose, {0, 0});
          ADD_FAILURE() << "reached";
        } catch (const Unreachable& refused) {
          const std::string said = refused.what();
          EXPECT_NE(said.find("body 'carriage': "), std::string::npos) << said;
          double metres = -1, radians = -1;
          const std::size_t at = said.find("ended ");
          ASSERT_NE(at, std::string::npos) << said;
          ASSERT_EQ(std::sscanf(said.c_str() + at, "ended %lf m and %lf rad away", &metres, &radians), 2) << said;
          // three digits are told, and the search ends where it no longer comes nearer
          EXPECT_NEAR(metres, above * length, 6e-3 * above * length + 1e-6 * length) << said;
          EXPECT_NEAR(radians, turned, 6e-3 * turned + 1e-6) << said;
        }
      }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
