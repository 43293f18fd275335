// Bodies as they are drawn: laws that hold whatever looks well.
#include "output/figures/solids.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "denoc/io/load.hpp"
#include "output/figures/view.hpp"
#include "support/mechanisms.hpp"
#include "unit/io/files.hpp"

namespace denoc::figures {
namespace {
namespace THIS_FILE {

using Kind = Shape::Kind;

Solids drawn(const Robot& robot) {
  const Model model(robot);
  return solids_of(model, skeleton_of(model));
}
bool has_shapes(const Robot& robot) {
  return std::any_of(robot.bodies.begin(), robot.bodies.end(), [](const Body& b) { return !b.shapes.empty(); });
}
// The same robot, of another size: lengths s times as long, masses the same.
Robot scaled(Robot robot, double s) {
  for (Body& body : robot.bodies) {
    for (Pose<double>* frame : {&body.joint_frame, &body.own_frame}) frame->r = frame->r * s;
    body.inertial.com = body.inertial.com * s;
    for (Sym3<double>* tensor : {&body.inertial.inertia, &body.inertial.hub})
      for (double* entry : {&tensor->xx, &tensor->xy, &tensor->yy, &tensor->xz, &tensor->yz, &tensor->zz})
        *entry *= s * s;
    body.joint.pitch *= s;
  }
  for (Loop& loop : robot.loops) {
    for (Attachment* end : {&loop.a, &loop.b}) end->frame.r = end->frame.r * s;
    loop.length *= s;
  }
  for (PointSpring& spring : robot.springs)
    for (Attachment* end : {&spring.a, &spring.b}) end->frame.r = end->frame.r * s;
  return robot;
}

// A robot twice as large looks the same from twice as far.
TEST(Solids, GrowWithTheRobot) {
  const double s = 2;  // exact in binary: the same digits
  for (const std::string& name : shipped_robots()) {
    const Robot robot = load(name);
    if (has_shapes(robot) || name == "belt_block") continue;  // a point has no size
    const Model small(robot), large(scaled(robot, s));
    const Skeleton sticks = skeleton_of(small), longer = skeleton_of(large);
    ASSERT_EQ(longer.points.size(), sticks.points.size()) << name;
    ASSERT_EQ(longer.sticks.size(), sticks.sticks.size()) << name;
    for (std::size_t i = 0; i < sticks.points.size(); ++i)
      EXPECT_LE(norm(longer.points[i].at - sticks.points[i].at * s), 1e-9 * (1 + norm(sticks.points[i].at))) << name;
    const Solids one = solids_of(small, sticks), two = solids_of(large, longer);
    ASSERT_EQ(two.all.size(), one.all.size()) << name;
    EXPECT_NEAR(two.thickness, s * one.thickness, 1e-9 * one.thickness) << name;
    for (std::size_t i = 0; i < one.all.size(); ++i) {
      const Solid &a = one.all[i], &b = two.all[i];
      EXPECT_EQ(a.body, b.body) << name;
      EXPECT_EQ(a.shape.kind, b.shape.kind) << name;
      EXPECT_LE(norm(b.shape.size - a.shape.size * s), 1e-9 * norm(a.shape.size)) << name << ' ' << i;
      EXPECT_LE(norm(b.shape.frame.r - a.shape.frame.r * s), 1e-9 * (1 + norm(a.shape.frame.r))) << name << ' ' << i;
    }
  }
}

// A link looks the same in whatever frame the file tells of it: here in one half way to its mass centre, which is off
// the rod to the next joint.
TEST(Solids, LinksDoNotDependOnTheirFrames) {
  const auto links = [](const Point& moved) {
    Robot robot;
    Body& arm = test::add(robot, test::joint(JointType::revolute),
                          test::mass(1, Point{0, 0, 0.2} - moved, {0.001, 0, 0.001, 0, 0, 0.001}));
    arm.own_frame.r = moved;
    test::add(robot, test::joint(JointType::revolute), test::rod(1, 1), Point{1, 0, 0} - moved);
    std::vector<Shape> shapes;
    for (const Solid& solid : drawn(robot).all)
      if (solid.body == 1 && solid.role == Solid::Role::link) shapes.push_back(solid.shape);
    return shapes;
  };
  const Point by{0, 0, 0.1};
  const std::vector<Shape> one = links({}), two = links(by);
  ASSERT_EQ(two.size(), one.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(two[i].kind, one[i].kind);
    EXPECT_LE(norm(two[i].size - one[i].size), 1e-12) << i;
    EXPECT_LE(norm(two[i].frame.r + by - one[i].frame.r), 1e-12) << i;
  }
}

// How far a point is from a solid, both in the body's frame.
double distance(const Solid& solid, const Point& p) {
  const auto& [kind, size, frame, file] = solid.shape;
  const Point d = back(frame.R, p - frame.r);
  const auto beyond = [](double x, double half) { return std::max(0.0, std::abs(x) - half); };
  switch (kind) {
    case Kind::box:
      return norm(Point{beyond(d.x, size.x / 2), beyond(d.y, size.y / 2), beyond(d.z, size.z / 2)});
    case Kind::sphere:
      return beyond(norm(d), size.x);
    case Kind::cylinder:
      return std::hypot(beyond(std::hypot(d.x, d.y), size.x), beyond(d.z, size.y / 2));
    default:
      return beyond(std::hypot(d.x, d.y, beyond(d.z, size.y / 2)), size.x);
  }
}
// Nothing hangs in the air: every body reaches the joints that it carries, and its own.
TEST(Solids, HangTogether) {
  for (const std::string& name : shipped_robots()) {
    const Robot robot = load(name);
    if (has_shapes(robot)) continue;
    const Solids solids = drawn(robot);
    const auto nearest = [&](int body, const Point& p) {
      double least = 1e9;
      for (const Solid& solid : solids.all)
        if (solid.body == body) least = std::min(least, distance(solid, p));
      return least;
    };
    for (int b = 1; b < static_cast<int>(robot.bodies.size()); ++b) {
      const Body& body = robot.bodies[static_cast<std::size_t>(b)];
      const double from_joint = body.joint.type == JointType::free ? 0 : nearest(b, inverse(body.own_frame).r);
      EXPECT_LE(from_joint, 1e-6) << name << ": " << body.name << " and its joint";
      const double from_parent = body.parent > 0 ? nearest(body.parent, body.joint_frame.r) : 0;
      EXPECT_LE(from_parent, 1e-6) << name << ": what carries " << body.name;
    }
  }
}

// A uniform block, ball or cylinder at the end of an arm has its own size back, where its mass centre is.
TEST(Solids, AnEndIsTheBodyWithItsInertia) {
  const auto end = [](const Inertial& inertial) {
    Robot robot;
    test::add(robot, test::joint(JointType::revolute), test::rod(1, 1));
    test::add(robot, test::joint(JointType::revolute), inertial, {1, 0, 0});
    for (const Solid& solid : drawn(robot).all)
      if (solid.body == 2 && solid.role == Solid::Role::link) return solid.shape;
    return Shape{};
  };
  const double m = 3, a = 0.1, b = 0.2, c = 0.3;
  const auto block = [&](double x, double y, double z) {
    return Sym3<double>{m * (y * y + z * z) / 12, 0, m * (x * x + z * z) / 12, 0, 0, m * (x * x + y * y) / 12};
  };
  const Point centre{0.05, 0.02, 0.01};
  for (const auto& [x, y, z] : {Point{a, b, c}, Point{b, c, a}, Point{c, a, b}}) {
    const Shape found = end(test::mass(m, centre, block(x, y, z)));
    EXPECT_EQ(found.kind, Kind::box);
    EXPECT_LE(norm(found.size - Point{a, b, c}), 1e-12) << "edges by their length";
    EXPECT_LE(norm(found.frame.r - centre), 1e-15);
    const double along = x == c ? found.frame.R.xz : y == c ? found.frame.R.yz : found.frame.R.zz;
    EXPECT_NEAR(std::abs(along), 1, 1e-12) << "the longest edge is where it was";
  }
  const double r = 0.15, ball = m * r * r * 2 / 5;
  const Shape sphere = end(test::mass(m, centre, {ball, 0, ball, 0, 0, ball}));
  EXPECT_EQ(sphere.kind, Kind::sphere);
  EXPECT_NEAR(sphere.size.x, r, 1e-12);
  const double h = 0.31, across = m * (3 * r * r + h * h) / 12 / 4;  // of half the radius and half the height
  const Shape cylinder = end(test::mass(m, centre, {across, 0, across, 0, 0, m * r * r / 2 / 4}));
  EXPECT_EQ(cylinder.kind, Kind::cylinder);
  EXPECT_NEAR(cylinder.size.x, r / 2, 1e-12);
  EXPECT_NEAR(cylinder.size.y, h / 2, 1e-12);
}

// A trunk holds what hangs on it, on whichever side.
TEST(Solids, ATrunkCoversWhatItCarries) {
  Robot robot;
  const int trunk =
      test::add_to(robot, 0, test::joint(JointType::free), test::mass(5, {0, 0, 0}, {0.1, 0, 0.12, 0, 0, 0.14}));
  const Point places[] = {{0.4, 0, 0}, {0, -0.8, 0.2}, {0.1, 0, 1.6}, {-0.3, 0.3, -1}};
  for (const Point& p : places) test::add_to(robot, trunk, test::joint(JointType::revolute), test::rod(1, 0.5), p);
  const Solids solids = drawn(robot);
  const auto solid =
      std::find_if(solids.all.begin(), solids.all.end(), [&](const Solid& s) { return s.body == trunk; });
  ASSERT_NE(solid, solids.all.end());
  for (const Point& p : places) EXPECT_LE(distance(*solid, p), 1e-12);
  EXPECT_LE(distance(*solid, {0, 0, 0}), 1e-12) << "and its mass centre";
}

// What a body is drawn with, its joint aside.
std::vector<Kind> links(const Robot& robot, int body) {
  std::vector<Kind> kinds;
  for (const Solid& solid : drawn(robot).all)
    if (solid.body == body && solid.role == Solid::Role::link) kinds.push_back(solid.shape.kind);
  return kinds;
}
// A uniform cube of 1 kg.
Inertial cube(double edge, const Point& centre) {
  const double moment = edge * edge / 6;
  return test::mass(1, centre, {moment, 0, moment, 0, 0, moment});
}
// Longer than it is thick, a link is a rod from joint to joint, however its mass is spread.
TEST(Solids, ALongLinkIsARod) {
  Robot robot;
  test::add(robot, test::joint(JointType::revolute), cube(0.1, {0.5, 0, 0}));
  test::add(robot, test::joint(JointType::revolute), test::rod(1, 1), {1, 0, 0});
  EXPECT_EQ(links(robot, 1), std::vector<Kind>{Kind::capsule});
}
// Thicker than it is long, it is its block (a cube looks like a ball), and what is inside needs no rod.
TEST(Solids, AThickLinkHoldsItsJoints) {
  Robot robot;
  test::add(robot, test::joint(JointType::revolute), cube(0.5, {0, 0, 0}));
  test::add(robot, test::joint(JointType::revolute), test::rod(1, 3), {0.1, 0, 0});
  EXPECT_EQ(links(robot, 1), std::vector<Kind>{Kind::sphere});
}
// A joint is drawn as what it is: a drum that turns, a ball, a box to slide through, nothing that moves in no way.
TEST(Solids, JointsAreWhatTheyAre) {
  for (const auto& [type, expected] : {std::pair(JointType::revolute, std::vector<Kind>{Kind::cylinder}),
                                       std::pair(JointType::spherical, std::vector<Kind>{Kind::sphere}),
                                       std::pair(JointType::prismatic, std::vector<Kind>{Kind::box}),
                                       std::pair(JointType::fixed, std::vector<Kind>{})}) {
    Robot robot;
    test::add(robot, test::joint(JointType::free), test::rod(1, 1));
    test::add(robot, test::joint(type, {1, 0, 0}), test::rod(1, 1), {1, 0, 0});
    std::vector<Kind> found;
    for (const Solid& solid : drawn(robot).all)
      if (solid.role == Solid::Role::joint) found.push_back(solid.shape.kind);
    EXPECT_EQ(found, expected) << name_of(type);
  }
}
// A trunk that holds what it carries has its own edges back.
TEST(Solids, ATrunkIsNoLargerThanItsInertiaSays) {
  const double m = 3, a = 0.1, b = 0.2, c = 0.3;
  Robot robot;
  test::add(robot, test::joint(JointType::free),
            test::mass(m, {0, 0, 0},
                       {m * (b * b + c * c) / 12, 0, m * (a * a + c * c) / 12, 0, 0, m * (a * a + b * b) / 12}));
  test::add(robot, test::joint(JointType::revolute), test::rod(1, 1));
  for (const Solid& solid : drawn(robot).all)
    if (solid.body == 1 && solid.role == Solid::Role::link) {
      EXPECT_LE(norm(solid.shape.size - Point{a, b, c}), 1e-12);
    }
}

// Blocks stand for mass: a body without has none, nor has a rod whose mass centre lies on it.
TEST(Solids, BlocksAreWhereMassIs) {
  const Robot arm = load("planar3r");
  for (const int body : {1, 2, 3}) EXPECT_EQ(links(arm, body), std::vector<Kind>{Kind::capsule}) << body;
  Robot hub;
  const int base = test::add_to(hub, 0, test::joint(JointType::free), {});
  for (const Point& p : {Point{1, 0, 0}, Point{0, 1, 0}, Point{-1, 0, 0.5}})
    test::add_to(hub, base, test::joint(JointType::revolute), test::rod(1, 0.5), p);
  for (const Kind kind : links(hub, base)) EXPECT_EQ(kind, Kind::capsule);
}

// An arm that turns about the vertical stands on a column below its joint, whichever way is down.
TEST(Solids, ColumnsStandBelow) {
  for (const double down : {-9.81, 9.81}) {
    Robot robot = load("puma560");
    robot.gravity = {0, 0, down};
    double lowest = 0, highest = 0;
    const Solids solids = drawn(robot);
    for (const Solid& solid : solids.all) {
      if (solid.role != Solid::Role::ground) continue;
      for (const Point& corner : corners_of(solids, solid)) {
        lowest = std::min(lowest, corner.z);
        highest = std::max(highest, corner.z);
      }
    }
    EXPECT_GT(down < 0 ? -lowest : highest, 0.1) << down;
    EXPECT_LT(down < 0 ? highest : -lowest, 0.1) << down;
  }
}

// Loops show as what they are: a distance is a rod, a ball in a socket is none.
TEST(Skeleton, OnlyDistancesAreRods) {
  const auto sticks = [](LoopType type) {
    Robot robot = test::four_bar(type);
    robot.loops[0].length = type == LoopType::distance ? 0.1 : 0;
    return skeleton_of(Model(robot)).sticks.size();
  };
  EXPECT_EQ(sticks(LoopType::spherical), sticks(LoopType::revolute));
  EXPECT_EQ(sticks(LoopType::point_on_line), sticks(LoopType::revolute));
  EXPECT_EQ(sticks(LoopType::distance), sticks(LoopType::revolute) + 1);
}

// What does not move at all has no plane of motion.
TEST(View, AnArmThatStandsStillIsSeenInSpace) {
  const Model model(load("puma560"));
  const std::vector<std::vector<double>> still(3, {0.3, 0.5, -0.4, 0.6, 0.7, 0.2});
  const View view = view_of(places(model, skeleton_of(model), still), model.robot().gravity);
  EXPECT_FALSE(view.is_square_on);
  EXPECT_GT(view.towards().z, 0.2);
}

// A mesh of few triangles is drawn with all of them: in millimetres or metres, mirrored or not, stretched or flat.
TEST(Solids, MeshesAreAsDetailedInEveryScale) {
  constexpr int cells = 40;
  std::string wave;  // 6 m wide
  for (int i = 0; i <= cells; ++i)
    for (int k = 0; k <= cells; ++k)
      wave += fmt::format("v {} {} {}\n", 6.0 * i / cells - 3, 6.0 * k / cells - 3, (i + k) % 7 / 64.0);
  for (int i = 0; i < cells; ++i)
    for (int k = 0; k < cells; ++k) {
      const int a = i * (cells + 1) + k + 1, b = a + cells + 1;
      wave += fmt::format("f {} {} {}\nf {} {} {}\n", a, b, b + 1, a, b + 1, a + 1);
    }
  const test::TemporaryFile file("wave.obj", wave);
  for (const double s : {1e-3, 1.0, 1e3})
    for (const Point& scale :
         {Point{1, 1, 1}, {-1, -1, -1}, {-1, 1, 1}, {1, -1, 1}, {1, 1, -1}, {-2, 1, 1}, {1, 1, 0}, {-1, -1, 0}}) {
      Robot robot;
      test::add(robot, test::joint(JointType::revolute), test::rod(1, 1)).shapes = {
          {Kind::mesh, {1, 1, 1}, {}, file.path().string()},  // the same in other units beside it
          {Kind::mesh, scale * s, {}, file.path().string()}};
      const Solids solids = drawn(robot);
      ASSERT_EQ(solids.meshes.size(), 1U);
      EXPECT_EQ(solids.meshes[0].triangles.size(), 2U * cells * cells) << s << ": " << scale.x << scale.y << scale.z;
    }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::figures
