// What pictures of a run are drawn from: the record, skeletons, where they are seen from.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "denoc/io/load.hpp"
#include "denoc/loops/closed_chain.hpp"
#include "output/dofs.hpp"
#include "output/figures/page.hpp"
#include "output/figures/picture.hpp"
#include "output/figures/view.hpp"
#include "support/data.hpp"
#include "unit/figures/wave.hpp"

namespace denoc::figures {
namespace {
namespace THIS_FILE {

TEST(Record, BalanceOfTheWaveHolds) {
  const Model model(load("pendulum"));
  for (const double defect : balance_defect(wave(model))) EXPECT_NEAR(defect, 0, 1e-15);
}
TEST(Record, RateOfAParabolaIsExact) {
  const std::vector<double> t = {0, 0.1, 0.3, 0.35, 1};
  std::vector<double> y;
  y.reserve(t.size());
  for (const double x : t) y.push_back(3 * x * x - 2 * x + 1);
  const std::vector<double> slopes = rate(t, y);
  for (std::size_t i = 0; i < t.size(); ++i) EXPECT_NEAR(slopes[i], 6 * t[i] - 2, 1e-13);
}
TEST(Record, RateOfFewSamplesIsThatOfTheirLine) {
  EXPECT_EQ(rate({1, 3}, {5, 2}), (std::vector<double>{-1.5, -1.5}));
  EXPECT_EQ(rate({1}, {5}), std::vector<double>{0});
  EXPECT_TRUE(rate({}, {}).empty());
}
TEST(Record, InstantsAreEvenAndHaveTheEnds) {
  Record record;
  for (int i = 0; i < 1001; ++i) record.t.push_back(i * 0.01);
  record.t.push_back(10.003);
  EXPECT_EQ(instants(record, 5), (std::vector<std::size_t>{0, 250, 500, 750, 1001}));
  EXPECT_EQ(instants(record, 5000).size(), 1002U);
}
// However they lie: all of them, where there are no more than asked for.
TEST(Record, FewInstantsAreAllTaken) {
  Record record;
  record.t = {0, 0.1, 0.2, 0.3, 10};
  for (const std::size_t most : {5, 6}) EXPECT_EQ(instants(record, most), (std::vector<std::size_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(instants(record, 2), (std::vector<std::size_t>{0, 4}));
}

TEST(Coordinates, AreNamedOncePerEntry) {
  for (const std::string& name : shipped_robots()) {
    const Model model(load(name));
    EXPECT_EQ(app::coordinates_of(model).size(), static_cast<std::size_t>(model.nq())) << name;
    EXPECT_EQ(app::dofs_of(model).size(), static_cast<std::size_t>(model.nv())) << name;
  }
}

// Crank, coupler and rocker of a four-bar, and a pin that coupler and rocker share.
TEST(Skeleton, ALoopClosesAtItsPin) {
  const Model model(load("fourbar"));
  const Skeleton skeleton = skeleton_of(model);
  ASSERT_EQ(skeleton.sticks.size(), 3U);
  EXPECT_EQ(skeleton.joints.size(), 4U);
  EXPECT_TRUE(skeleton.tips.empty());
  const std::vector<std::vector<double>> closed = {ClosedChain(model).assemble(std::vector<double>{0.5, 0, 1})};
  const auto at = places(model, skeleton, closed).front();
  std::vector<double> lengths;
  for (const auto& [from, to, body] : skeleton.sticks)
    lengths.push_back(norm(at[static_cast<std::size_t>(to)] - at[static_cast<std::size_t>(from)]));
  std::sort(lengths.begin(), lengths.end());
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(lengths[i], std::vector<double>({0.2, 0.4, 0.5})[i], 1e-15);
  const auto end_of = [&](int body) {
    for (const auto& [from, to, carrier] : skeleton.sticks)
      if (skeleton.points[static_cast<std::size_t>(to)].body == body) return at[static_cast<std::size_t>(to)];
    return Point{};
  };
  EXPECT_NEAR(norm(end_of(2) - end_of(3)), 0, 1e-10);
}
TEST(Skeleton, APendulumEndsAtItsMass) {
  const Model model(load("pendulum"));
  const Skeleton skeleton = skeleton_of(model);
  ASSERT_EQ(skeleton.tips.size(), 1U);
  const std::vector<std::vector<double>> q = {{0.0}, {0.7}};
  const auto frames = places(model, skeleton, q);
  EXPECT_NEAR(frames[1][static_cast<std::size_t>(skeleton.tips[0])].x, std::sin(0.7), 1e-15);
  EXPECT_NEAR(frames[1][static_cast<std::size_t>(skeleton.tips[0])].y, -std::cos(0.7), 1e-15);
}
TEST(Skeleton, ASlenderRodEndsAtItsTip) {
  const Model model(load("gripper"));  // rods of uniform mass: the finger's last link is 0.05 long
  const Skeleton skeleton = skeleton_of(model);
  const auto frames = places(model, skeleton, std::vector<std::vector<double>>{{0, 0, 0, 0}});
  ASSERT_EQ(skeleton.tips.size(), 2U);
  EXPECT_NEAR(frames[0][static_cast<std::size_t>(skeleton.tips[0])].x, 0.2, 1e-12);
  EXPECT_NEAR(frames[0][static_cast<std::size_t>(skeleton.tips[1])].x, 0.1, 1e-12);
}
TEST(Skeleton, AFlywheelIsACrankOfItsRadiusOfGyration) {
  Robot robot = load("pendulum");
  robot.bodies[1].inertial = {.mass = 2, .com = {0, 0, 0}, .inertia = {0.3, 0, 0.3, 0, 0, 0.5}};
  const Model model(robot);
  const Skeleton skeleton = skeleton_of(model);
  const auto frames = places(model, skeleton, std::vector<std::vector<double>>{{0}});
  const Point tip = frames[0][static_cast<std::size_t>(skeleton.tips[0])];
  EXPECT_NEAR(norm(tip), 0.5, 1e-15);
  EXPECT_NEAR(tip.z, 0, 1e-15);
}
// What floats stands on no ground, and nothing ties it to the world.
TEST(Skeleton, WhatFloatsIsTiedToNothing) {
  const Model model(load("free_flying_arm"));
  const Skeleton skeleton = skeleton_of(model);
  EXPECT_TRUE(skeleton.ground.empty());
  EXPECT_FALSE(skeleton.sticks.empty());
  for (const auto& stick : skeleton.sticks) EXPECT_GT(stick.body, 0);
}
TEST(Skeleton, SticksOfABodyKeepTheirLength) {
  const Model model(load("puma560"));
  const Skeleton skeleton = skeleton_of(model);
  const auto frames = places(model, skeleton, wave(model).q);
  for (const auto& [from, to, body] : skeleton.sticks) {
    const auto length = [&, a = static_cast<std::size_t>(from), b = static_cast<std::size_t>(to)](const auto& frame) {
      return norm(frame[a] - frame[b]);
    };
    for (const auto& frame : frames) EXPECT_NEAR(length(frame), length(frames.front()), 1e-14);
  }
}

TEST(View, PlanarMotionIsSeenSquareOnWithGravityDown) {
  for (const char* name : {"pendulum", "planar3r", "gripper"}) {
    const Model model(load(name));
    const View view = view_of(places(model, skeleton_of(model), wave(model).q), model.robot().gravity);
    EXPECT_NEAR(view.towards().z, 1, 1e-9) << name;
    EXPECT_NEAR(view.above().y, 1, 1e-9) << name;
    EXPECT_NEAR(view.right().x, 1, 1e-9) << name;
  }
}
TEST(View, MotionInSpaceIsSeenFromAboveWithGravityDown) {
  const Model model(load("puma560"));
  const View view = view_of(places(model, skeleton_of(model), wave(model).q), model.robot().gravity);
  EXPECT_NEAR(view.right().z, 0, 1e-15);
  EXPECT_GT(view.above().z, 0.8);
  EXPECT_GT(view.towards().z, 0.2);
}
// What moves in the horizontal plane is seen from above, x to the right.
TEST(View, HorizontalMotionIsSeenFromAbove) {
  const std::vector<std::vector<Point>> frames = {
      {{0, 0, 1}, {1, 0, 1}}, {{0, 0, 1}, {0, 1, 1}}, {{0, 0, 1}, {-1, 0, 1}}};
  for (const double down : {-9.81, 9.81}) {
    const View view = view_of(frames, {0, 0, down});
    EXPECT_TRUE(view.is_square_on);
    EXPECT_NEAR(view.towards().z, down < 0 ? 1 : -1, 1e-12) << down;
    EXPECT_NEAR(view.right().x, 1, 1e-12) << down;
  }
}
// One point that leaves the plane is enough, whichever it is.
TEST(View, EveryPointHasASayInThePlaneOfMotion) {
  const std::vector<Point> start = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  std::vector<Point> up = start, along = start;
  for (Point& p : up) p.y += 1;
  for (Point& p : along) p.x += 1;
  EXPECT_TRUE(view_of({start, up, along}, {0, -9.81, 0}).is_square_on);
  for (std::size_t i = 0; i < start.size(); ++i) {
    std::vector<Point> out = up;
    out[i].z += 1;
    EXPECT_FALSE(view_of({start, out, along}, {0, -9.81, 0}).is_square_on) << i;
    EXPECT_FALSE(view_of({start, along, out}, {0, -9.81, 0}).is_square_on) << i;
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::figures
