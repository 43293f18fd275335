// What pictures of a run are drawn from: the record, skeletons, where they are seen from.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "denoc/io/load.hpp"
#include "denoc/loops/closed_chain.hpp"
#include "denoc/mechanism/dynamics.hpp"
#include "output/dofs.hpp"
#include "output/figures/film.hpp"
#include "output/figures/page.hpp"
#include "output/figures/picture.hpp"
#include "output/figures/view.hpp"
#include "support/data.hpp"
#include "support/mechanisms.hpp"
#include "support/random_loops.hpp"
#include "unit/figures/parts.hpp"
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

// A record whose every number says which sample it is of.
Sample sample_of(int i, std::vector<double>& row, std::vector<Wrench<double>>& reactions) {
  const double x = i;
  row = {x, x};
  reactions.assign(reactions.size(), {{x, x, x}, {x, x, x}});
  return {x, row, row, row, row, x, x, x, x, x, x, reactions, {}};
}
// Whatever is left of a record, all of its series tell of the same samples.
TEST(Record, SeriesStayTogether) {
  for (const bool has_reactions : {false, true}) {
    Record record;
    std::vector<double> row, expected;
    std::vector<Wrench<double>> reactions(has_reactions ? 3 : 0);
    const auto expect_together = [&] {
      EXPECT_EQ(record.t, expected);
      EXPECT_EQ(record.size(), expected.size());
      EXPECT_EQ(record.reactions.size(), has_reactions ? expected.size() : 0);
      for (const auto* rows : {&record.q, &record.v, &record.tau}) {
        ASSERT_EQ(rows->size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i)
          EXPECT_EQ((*rows)[i], (std::vector<double>{expected[i], expected[i]}));
      }
      for (const auto* series : {&record.kinetic, &record.potential, &record.input_power, &record.dissipated_power,
                                 &record.work, &record.dissipated})
        EXPECT_EQ(*series, expected);
      for (std::size_t i = 0; i < record.reactions.size(); ++i) {
        ASSERT_EQ(record.reactions[i].size(), 3U);
        for (const Wrench<double>& w : record.reactions[i]) EXPECT_TRUE(w.n.x == expected[i] && w.f.z == expected[i]);
      }
    };
    int next = 0;
    for (const int more : {1, 2, 5, 8, 21}) {
      for (int i = 0; i < more; ++i, ++next) {
        store(record, sample_of(next, row, reactions));
        expected.push_back(next);
      }
      expect_together();
      thin(record);  // the first stays, then every second one
      std::vector<double> kept;
      for (std::size_t i = 0; i < expected.size(); i += 2) kept.push_back(expected[i]);
      expected = kept;
      expect_together();
      drop_last(record);
      expected.pop_back();
      expect_together();
    }
  }
}
// Of a long run the film has the reactions of the instants that it shows.
TEST(Record, FilmsOfThinnedRunsShowTheirOwnReactions) {
  const Model model(load("pendulum"));
  Record record = wave(model, 3001);
  for (const double t : record.t) record.reactions.push_back({{}, {{0, 0, 0}, {0, 0, 1 + t}}});
  while (record.size() > 1000) thin(record);
  const test::Json film = YAML::Load(film_of(model, record).json);
  const std::vector<std::int16_t> values = parts(film["reactions"]["values"].as<std::string>());
  const std::size_t frames = film["t"].size(), width = values.size() / frames;
  ASSERT_EQ(values.size(), frames * width);
  // which of the numbers of a frame grows with time, and no other
  const double last = 1 + record.t.back();
  for (std::size_t i = 0; i < frames; ++i) {
    const double expected = (1 + film["t"][i].as<double>()) / last;
    double most = 0;
    for (std::size_t k = 0; k < width; ++k) most = std::max(most, std::abs(values[i * width + k] / whole));
    EXPECT_NEAR(most, expected, 1e-3) << i;
  }
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
// Loops at random, closed: a rod is drawn from its point of a to that of b, as long as it says; a hinge where both
// bodies have it, along its axis; springs from one end to the other; joints where their bodies turn.
TEST(Skeleton, WhatClosesIsDrawnWhereItIs) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    test::Random random(seed);
    const std::vector<LoopType> types = {LoopType::distance, LoopType::spherical, LoopType::revolute,
                                         LoopType::distance};
    test::RandomRobot tree;
    tree.bodies = 7;
    tree.types = test::moving_joints();
    tree.distant_frames = seed % 2 == 0;
    test::Closed closed = test::closed_robot(random, types, tree);
    std::swap(closed.robot.loops[3].a, closed.robot.loops[3].b);  // of the later body to the earlier one
    for (int i = 0; i < 2; ++i)
      closed.robot.springs.push_back({{1 + i, {rotation(random.attitude()), random.vector(0.4)}},
                                      {6 - 5 * i * i, {rotation(random.attitude()), random.vector(0.4)}},
                                      100,
                                      0,
                                      0.1,
                                      {}});
    const Model model(closed.robot);
    const Skeleton skeleton = skeleton_of(model);
    const std::vector<Pose<double>> at = poses(model, std::vector<std::vector<double>>{closed.q}).front();
    const std::vector<Point> points = places(model, skeleton, std::vector<std::vector<double>>{closed.q}).front();
    const Mechanism mechanism(model.robot());
    Dynamics robot(mechanism);
    const auto place = [&](int body, const Point& r) {  // by the robot's own kinematics
      if (body == 0) return r;
      const Pose<double> pose = robot.pose(closed.q, body);
      return pose.r + pose.R * r;
    };
    const auto point = [&](int i) { return points[static_cast<std::size_t>(i)]; };
    const double near = 1e-11;  // m: chains of seven joints, lengths of some metres
    std::vector<const Loop*> rods;
    for (const Loop& loop : model.robot().loops)
      if (loop.type == LoopType::distance) rods.push_back(&loop);
    ASSERT_EQ(rods.size(), 2U);
    ASSERT_GE(skeleton.sticks.size(), 2U);
    for (std::size_t i = 0; i < 2; ++i) {
      const Skeleton::Stick& rod = skeleton.sticks[skeleton.sticks.size() - 2 + i];
      EXPECT_NEAR(norm(point(rod.from) - point(rod.to)), rods[i]->length, near) << seed;
      EXPECT_NEAR(norm(point(rod.from) - place(rods[i]->a.body, rods[i]->a.frame.r)), 0, near) << seed;
      EXPECT_NEAR(norm(point(rod.to) - place(rods[i]->b.body, rods[i]->b.frame.r)), 0, near) << seed;
      EXPECT_LT(rod.body, 0) << "its ends move apart as far as a stick is concerned";
    }
    const Loop& hinge = model.robot().loops[2];
    const Skeleton::Joint& drawn = skeleton.joints.back();
    EXPECT_EQ(drawn.symbol, Skeleton::Symbol::turning);
    EXPECT_NEAR(norm(point(drawn.at) - place(hinge.a.body, hinge.a.frame.r)), 0, near);
    EXPECT_NEAR(norm(point(drawn.at) - place(hinge.b.body, hinge.b.frame.r)), 0, near);
    EXPECT_NEAR(norm((point(drawn.from) + point(drawn.to)) * 0.5 - point(drawn.at)), 0, near);
    const Point axis = at[static_cast<std::size_t>(hinge.a.body)].R * (hinge.a.frame.R * unit(hinge.axis));
    EXPECT_NEAR(dot(unit(point(drawn.to) - point(drawn.from)), axis), 1, near);
    ASSERT_EQ(skeleton.springs.size(), 2U);
    for (std::size_t i = 0; i < 2; ++i) {
      const PointSpring& spring = model.robot().springs[i];
      EXPECT_NEAR(norm(point(skeleton.springs[i].from) - place(spring.a.body, spring.a.frame.r)), 0, near) << seed;
      EXPECT_NEAR(norm(point(skeleton.springs[i].to) - place(spring.b.body, spring.b.frame.r)), 0, near) << seed;
    }
    // Strokes of the tree's joints, in the order of the bodies; a universal joint has two.
    std::size_t next = 0;
    for (int b = 1; b < int(model.bodies().size()); ++b) {
      const Body& body = model.robot().bodies[static_cast<std::size_t>(b)];
      const Point there = place(b, inverse(body.own_frame).r);
      for (int k = 0; k < (body.joint.type == JointType::universal ? 2 : 1); ++k) {
        ASSERT_LT(next, skeleton.joints.size());
        const Skeleton::Joint& joint = skeleton.joints[next++];
        EXPECT_NEAR(norm(point(joint.at) - there), 0, near) << seed << ", body " << b;
        const Point along = point(joint.to) - point(joint.from);
        if (joint.symbol == Skeleton::Symbol::ball) {
          EXPECT_EQ(norm(along), 0);
          continue;
        }
        EXPECT_NEAR(norm((point(joint.from) + point(joint.to)) * 0.5 - there), 0, near) << seed << ", body " << b;
        std::vector<double> v(static_cast<std::size_t>(model.nv()));
        v[static_cast<std::size_t>(model.bodies()[static_cast<std::size_t>(b)].v + k)] = 1;
        const Twist<double> twist = robot.twist(closed.q, v, b, {0, 0, 0});
        const Point& moved = norm(twist.w) > 0.5 ? twist.w : twist.v;
        EXPECT_NEAR(std::abs(dot(unit(along), unit(moved))), 1, near) << seed << ", body " << b;
      }
    }
    EXPECT_EQ(next + 1, skeleton.joints.size()) << "and the hinge";
  }
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

// Strokes along the axes of all joints, those that close loops as well, or of none: balls, where there are too many.
TEST(Skeleton, StrokesAreOfAllJointsOrOfNone) {
  for (int bars = 1; bars <= 12; ++bars) {  // three hinges each, one of them in the loop, and the first rod
    const Model model(test::four_bars(bars));
    const Skeleton skeleton = skeleton_of(model);
    const auto is_stroke = [](const Skeleton::Joint& joint) { return joint.from != joint.to; };
    const auto strokes = std::count_if(skeleton.joints.begin(), skeleton.joints.end(), is_stroke);
    const bool are_shown = 2 * bars + 1 <= 16;
    EXPECT_EQ(strokes, are_shown ? 3 * bars + 1 : 0) << bars;
    for (const Skeleton::Joint& joint : skeleton.joints)
      EXPECT_EQ(joint.symbol, are_shown ? Skeleton::Symbol::turning : Skeleton::Symbol::ball) << bars;
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::figures
