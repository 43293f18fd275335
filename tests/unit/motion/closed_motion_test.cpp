#include "denoc/motion/closed_motion.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "denoc/kinematics/kinematics.hpp"
#include "denoc/model/quaternions.hpp"
#include "denoc/motion/joint_motion.hpp"
#include "denoc/motion/line.hpp"
#include "support/build.hpp"
#include "support/data.hpp"
#include "support/mechanisms.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

using Vector = std::vector<double>;

struct State {
  Vector q, v, a;
};
State at(const Trajectory& motion, const Model& model, double t) {
  State state{Vector(std::size_t(model.nq())), Vector(std::size_t(model.nv())), Vector(std::size_t(model.nv()))};
  motion.at(t, state.q, state.v, state.a);
  return state;
}
std::string refusal(const std::shared_ptr<const Model>& model, const std::shared_ptr<const Trajectory>& motion,
                    const std::vector<int>& driven) {
  try {
    closed_motion(model, motion, driven);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "it was closed";
}

// x = r cos(crank) + l cos(b), l sin(b) = -r sin(crank); the rod's own angle is relative: b = crank + rod
TEST(ClosedMotion, OfASliderCrankFollowsItsCrank) {
  const auto model = std::make_shared<const Model>(shipped("slider_crank"));
  const double r = 0.15, l = 0.45;
  const auto motion = closed_motion(
      model, point_to_point(model, {0.5, -0.6, 0.57}, {0.5 + 4 * M_PI, 9, 9}, 3, Profile::cycloidal), {0});
  EXPECT_EQ(motion->duration(), 3);
  ClosedChain chain(*model);
  for (const double t : {0.0, 0.4, 1.0, 1.7, 2.9, 3.0, 5.0}) {
    const State s = at(*motion, *model, t);
    const double x = s.q[0], v = s.v[0], a = s.a[0];
    const double b = -std::asin(r / l * std::sin(x)), bv = -r * std::cos(x) * v / (l * std::cos(b)),
                 ba = (-r * (std::cos(x) * a - std::sin(x) * v * v) + l * std::sin(b) * bv * bv) / (l * std::cos(b));
    EXPECT_NEAR(std::remainder(s.q[0] + s.q[1] - b, 2 * M_PI), 0, 1e-13) << t;
    EXPECT_NEAR(s.q[2], r * std::cos(x) + l * std::cos(b), 1e-13) << t;
    EXPECT_NEAR(s.v[0] + s.v[1], bv, 1e-12) << t;
    EXPECT_NEAR(s.v[2], -r * std::sin(x) * v - l * std::sin(b) * bv, 1e-12) << t;
    EXPECT_NEAR(s.a[0] + s.a[1], ba, 1e-11) << t;
    EXPECT_NEAR(s.a[2], -r * (std::cos(x) * v * v + std::sin(x) * a) - l * (std::cos(b) * bv * bv + std::sin(b) * ba),
                1e-11)
        << t;
    EXPECT_LE(chain.gap(s.q).size, 1e-12);
  }
  EXPECT_NEAR(at(*motion, *model, 3).q[0], 0.5 + 4 * M_PI, 1e-14);
}

// Where the crank goes there and back, the others do: however long it rests before and after.
TEST(ClosedMotion, GoesThereAndBackHoweverLongItRests) {
  const auto model = std::make_shared<const Model>(shipped("fourbar"));
  const Vector here = ClosedChain(*model).assemble(Vector{0.5, -0.5, 1}, {0});
  Vector there = here;
  there[0] = -2;
  const auto resting = [&](double time) {
    return closed_motion(
        model,
        sequence(model, {hold(model, here, time), point_to_point(model, here, there, 0.5, Profile::cycloidal),
                         point_to_point(model, there, here, 0.5, Profile::cycloidal), hold(model, here, time)}),
        {0});
  };
  const auto briefly = resting(0.05);
  for (const double time : {1.0, 10.3}) {
    const auto longer = resting(time);
    for (int i = 0; i <= 22; ++i) {
      const double t = 0.05 * i;
      expect_near(at(*longer, *model, t - 0.05 + time).q, at(*briefly, *model, t).q, 1e-12, "q");
    }
  }
}
// A crank that swings once a second is after whole seconds where it was, and so are the others: however long it swings.
TEST(ClosedMotion, OfASwingDoesNotDependOnHowLongItIs) {
  const auto model = std::make_shared<const Model>(shipped("fourbar"));
  const Vector start = ClosedChain(*model).assemble(Vector{0.5, -0.5, 1}, {0});
  const auto swing = [&](double phase, double duration) {
    const CoordinateFunction q = [=](double t, std::span<Jet> x) {
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = Jet{start[i]};
      x[0] = Jet{0.5 - 2 * std::sin(phase)} + Jet{2} * sin(Jet{2 * M_PI * t + phase, 2 * M_PI, 0});
    };
    return closed_motion(model, given_motion(model, q, duration), {0});
  };
  for (const double phase : {0.0, -M_PI / 2}) {
    const auto once = swing(phase, 1);
    for (const double duration : {7.9, 8.0, 16.0}) {
      const auto often = swing(phase, duration);
      for (int i = 0; i < 20; ++i)
        expect_near(at(*often, *model, 5 + 0.05 * i).q, at(*once, *model, 0.05 * i).q, 1e-12, "q");
    }
  }
}
// ... and one that jerks between rests, unseen, goes the way of one that does nothing else.
TEST(ClosedMotion, FollowsWhatNoPostureBesideItShows) {
  const auto model = std::make_shared<const Model>(shipped("fourbar"));
  const Vector start = ClosedChain(*model).assemble(Vector{0.5, -0.5, 1}, {0});
  const auto jerk = [&](double middle, double duration) {
    const CoordinateFunction q = [=](double t, std::span<Jet> x) {
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = Jet{start[i]};
      const Jet s{(t - middle) / 0.05, 1 / 0.05, 0};
      x[0] = Jet{0.5} - Jet{2.5} * exp(-(s * s));
    };
    return closed_motion(model, given_motion(model, q, duration), {0});
  };
  const auto alone = jerk(0.4, 0.8), among = jerk(5.2, 16);
  for (int i = 0; i <= 40; ++i)
    expect_near(at(*among, *model, 4.8 + 0.02 * i).q, at(*alone, *model, 0.02 * i).q, 1e-12, "q");
}

// A slider that swings beyond where crank and rod reach is refused where they are stretched, x = r + l, however often
// it swings: though at the ends of steps of many periods, and on the way, it may be where it was.
TEST(ClosedMotion, OfSwingsOutOfReachIsRefusedHoweverFastTheyAre) {
  const auto model = std::make_shared<const Model>(shipped("slider_crank"));
  const Vector start = ClosedChain(*model).assemble(Vector{0.5, -0.6, 0.57});
  const double r = 0.15, l = 0.45, far = 0.3;
  const double phase = std::asin((r + l - start[2]) / far) / (2 * M_PI);
  // A step of the sixteenth of the motion in as many periods as a number of Fibonacci's has nearly whole ones at the
  // golden sections as well.
  for (const int periods : {1, 5, 16, 16 * 8, 16 * 55, 16 * 89, 16 * 144, 16 * 233, 16 * 377, 16 * 610}) {
    const double rate = 2 * M_PI * periods;
    const CoordinateFunction q = [=](double t, std::span<Jet> x) {
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = Jet{start[i]};
      x[2] = Jet{start[2]} + Jet{far} * sin(Jet{rate * t, rate, 0});
    };
    const std::string refused = refusal(model, given_motion(model, q, 1), {2});
    double t = 0;
    ASSERT_EQ(std::sscanf(refused.c_str(), "t = %lf s of the motion", &t), 1) << periods << ": " << refused;
    // steps are no shorter than 1e-9 of the motion, and six digits are told
    EXPECT_NEAR(t * periods, phase, 4e-9 * periods + 1e-5 * phase) << periods << ": " << refused;
  }
}

// A crank r and two rods r + d: the sliders x = r cos(q) + sqrt((r + d)^2 - r^2 sin(q)^2) never change sides where d > 0,
// however narrowly. With d = 0 they go through the dead point, x = 2 r cos(q); below it nothing closes.
struct NearlyEqual {
  static constexpr double r = 0.4, from = 0.5, to = 2.5;
  std::shared_ptr<const Model> model;
  std::shared_ptr<const Trajectory> motion;

  explicit NearlyEqual(double d) {
    Robot robot;
    const int crank = add_to(robot, 0, joint(JointType::revolute), rod(1, r));
    for (int i = 0; i < 2; ++i) {
      const int coupler = add_to(robot, crank, joint(JointType::revolute), rod(1, r + d), {r, 0, 0});
      const int slider = add_to(robot, 0, joint(JointType::prismatic, {1, 0, 0}), mass(1));
      close(robot, LoopType::revolute, coupler, {r + d, 0, 0}, slider, {0, 0, 0});
    }
    model = std::make_shared<const Model>(robot);
    motion = point_to_point(model, {from, -1, 0.7, -1, 0.7}, {to, -1, 0.7, -1, 0.7}, 1, Profile::linear);
  }
  Vector end() const { return at(*closed_motion(model, motion, {0}), *model, 1).q; }
};
TEST(ClosedMotion, StaysOnItsSideHoweverNearTheOtherIs) {
  const double r = NearlyEqual::r, to = NearlyEqual::to;
  for (const double d : {1e-3, 1e-4, 1e-5, 1e-6, 1e-8, 1e-10}) {
    const double x = r * std::cos(to) + std::sqrt((r + d) * (r + d) - r * r * std::sin(to) * std::sin(to));
    const Vector q = NearlyEqual(d).end();
    for (const std::size_t slider : {2u, 4u}) EXPECT_NEAR(q[slider], x, 1e-12) << d;
    if (d < 1e-9) continue;  // as nearly closed as any posture there
    const std::string refused = refusal(NearlyEqual(-d).model, NearlyEqual(-d).motion, {0});
    double t = 0;
    ASSERT_EQ(std::sscanf(refused.c_str(), "t = %lf s of the motion", &t), 1) << d << ": " << refused;
    const double ends = (std::asin((r - d) / r) - NearlyEqual::from) / (to - NearlyEqual::from);
    EXPECT_NEAR(t, ends, 1e-5) << d << ": " << refused;
  }
  const Vector q = NearlyEqual(0).end();
  for (const std::size_t slider : {2u, 4u}) EXPECT_NEAR(q[slider], 2 * r * std::cos(to), 1e-12);
}

// A parallelogram goes through its change points from wherever it starts: its rocker turns as its crank does.
TEST(ClosedMotion, OfAParallelogramGoesRoundFromAnywhere) {
  Robot robot;
  const int crank = add_to(robot, 0, joint(JointType::revolute), rod(1, 0.4));
  const int coupler = add_to(robot, crank, joint(JointType::revolute), rod(1, 1), {0.4, 0, 0});
  const int rocker = add_to(robot, 0, joint(JointType::revolute), rod(1, 0.4), {1, 0, 0});
  close(robot, LoopType::revolute, coupler, {1, 0, 0}, rocker, {0.4, 0, 0});
  const auto model = std::make_shared<const Model>(robot);
  for (int i = 0; i < 100; ++i) {
    const double from = 0.5 + 0.01 * i, to = from + 7;
    const auto motion =
        closed_motion(model, point_to_point(model, {from, -from, from}, {to, -to, to}, 1, Profile::linear), {0});
    for (const double t : {0.123, 0.456, 0.789, 1.0}) {
      const Vector q = at(*motion, *model, t).q;
      EXPECT_NEAR(q[2], from + 7 * t, 1e-8) << from;
      EXPECT_NEAR(q[1], -(from + 7 * t), 1e-8) << from;
    }
  }
  // ... however long it goes on, and rests.
  const auto often = closed_motion(
      model,
      sequence(model, {hold(model, {0.5, -0.5, 0.5}, 100),
                       point_to_point(model, {0.5, -0.5, 0.5}, {1000.5, -1000.5, 1000.5}, 100, Profile::linear)}),
      {0});
  for (const double t : {100.3, 142.4, 199.9}) EXPECT_NEAR(at(*often, *model, t).q[2], 0.5 + 10 * (t - 100), 1e-7) << t;
}

TEST(ClosedMotion, IsLedByTheFirstThatAreDriven) {
  const Model model(shipped("three_rrr"));
  ClosedChain chain(model);
  const Vector q = chain.assemble(Vector(7));
  EXPECT_EQ(leading(model, q, {0, 3, 5}), (std::vector<int>{0, 3, 5}));
  EXPECT_EQ(leading(model, q, {}), chain.independent(q));
  EXPECT_EQ(leading(model, q, {0, 1, 3, 4, 6}), (std::vector<int>{0, 1, 3}));
}

// The crank leads the rocker as well: the next that leads is the pendulum beside them.
TEST(ClosedMotion, IsLedByNoneThatOthersLead) {
  Robot robot = four_bar();
  add_to(robot, 0, joint(JointType::revolute), rod(1, 1));
  const Model model(robot);
  const Vector q = ClosedChain(model).assemble(Vector{1, -0.55, 1.3, 0.4});
  EXPECT_EQ(leading(model, q, {0, 1, 2, 3}), (std::vector<int>{0, 3}));
  EXPECT_EQ(leading(model, q, {2, 0, 3}), (std::vector<int>{2, 3}));
  EXPECT_EQ(leading(model, q, {3, 2, 1}), (std::vector<int>{3, 2}));
}

TEST(ClosedMotion, IsRefusedWhereNothingLeads) {
  const auto platform = std::make_shared<const Model>(shipped("three_rrr"));
  const auto rest = point_to_point(platform, Vector(7), Vector(7), 1, Profile::linear);
  const std::string two = refusal(platform, rest, {0, 3});
  EXPECT_NE(two.find("leave joint '"), std::string::npos) << two;
  EXPECT_NE(two.find("drive it, or a joint that moves it"), std::string::npos) << two;
  // The slider leads no crank through its dead point; and no crank reaches what is out of reach.
  const auto crank = std::make_shared<const Model>(shipped("slider_crank"));
  const std::string dead =
      refusal(crank, point_to_point(crank, {0.5, -0.6, 0.57}, {0, 0, 0.65}, 1, Profile::linear), {2});
  EXPECT_NE(dead.find(" s of the motion"), std::string::npos) << dead;
  EXPECT_THROW(closed_motion(crank, rest, {0}), ArgumentError) << "a motion of another robot";
  EXPECT_THROW(leading(*crank, Vector(3), {3}), ArgumentError);
}

// A platform on three legs goes along a line where the leg leads that the line moves it by; with a drive in each leg's
// first joint that leg would bend as the loops say, and the platform go elsewhere.
TEST(ClosedMotion, GoesAlongCurvesWhereTheirJointsLead) {
  const auto model = std::make_shared<const Model>(shipped("three_rrr"));
  const int platform = 3;
  const Vector start = ClosedChain(*model).assemble(Vector(7));
  const auto line = straight_line(model, platform, start, {0.02, 0.03, 0}, 1, Profile::cycloidal);
  const auto twice = sequence(model, {hold(model, start, 1), line});
  for (const auto& motion : {std::shared_ptr<const Trajectory>(line), twice}) {
    const std::string refused = refusal(model, motion, {0, 3, 5});
    EXPECT_NE(
        refused.find("the body would leave the curve in space that crank1, arm1, platform lead it along, as joint "
                     "'arm1' follows the loops"),
        std::string::npos)
        << refused;
  }
  // A joint that rests as the curve says has to lead as well: the loops would turn it.
  const Guide by_two{platform, {0.2, 0.1155, 0}, false, {0, 1}};
  const auto of_two = straight_line(model, by_two, start, {0.01, 0, 0}, 1, Profile::cycloidal);
  EXPECT_NE(refusal(model, of_two, {0, 1, 3}).find("would leave the curve"), std::string::npos);

  const auto closed = closed_motion(model, line, {0, 1, 2});
  const auto place_of = [&](double t) {
    Configuration<double> at_q(*model);
    Kinematics<double> kin(*model);
    place<double>(*model, at(*closed, *model, t).q, at_q);
    positions<double>(*model, at_q, kin);
    return pose_in_world<double>(*model, kin, platform).r;
  };
  const Vec3<double> way = place_of(1) - place_of(0);
  EXPECT_LE(norm(way - Vec3<double>{0.02, 0.03, 0}), 1e-13);
}

// ... and the message says which joints lead, each once: a crank on a universal joint does with both of its angles.
TEST(ClosedMotion, SaysWhichJointsLead) {
  Robot robot = spatial_slider_crank();
  robot.bodies[1].joint = joint(JointType::universal, {1, 0, 0}, {0, 1, 0});
  robot.loops[0].a.frame.r = {-.18, 0, 0};  // a rod too short for the far side
  const auto one = std::make_shared<const Model>(robot);
  const Vector start = ClosedChain(*one).assemble(Vector{M_PI, 0, 0.15, 0, 0});
  Vector end = start;
  end[0] = 0;
  const std::string far = refusal(one, point_to_point(one, start, end, 1, Profile::linear), {0, 1});
  EXPECT_NE(far.find("(body1 leads as the motion says, the others follow)"), std::string::npos) << far;
  const auto three = std::make_shared<const Model>(shipped("three_rrr"));
  const Vector closed = ClosedChain(*three).assemble(Vector(7));
  Vector apart = closed;
  for (const size_t k : {0, 3, 5}) apart[k] += 2;
  const std::string wide = refusal(three, point_to_point(three, closed, apart, 1, Profile::linear), {0, 3, 5});
  EXPECT_NE(wide.find(" lead as the motion says, the others follow)"), std::string::npos) << wide;
}

// Loops that leave no motion: no joint leads, whatever is driven, and the robot rests where it is closed.
TEST(ClosedMotion, OfARigidRobotStandsStill) {
  for (const int joints : {1, 2, 3}) {
    Robot robot;
    for (int k = 0; k < joints; ++k)
      add(robot, joint(JointType::revolute, {0, 1, 0}), mass(1, {0.3, 0, 0}), {k == 0 ? 0.0 : 0.5, 0, 0});
    Loop weld;
    weld.type = LoopType::weld;
    for (int k = 1; k <= joints; ++k) {
      weld.a.body = k;
      weld.a.frame.r = {k == 1 ? 0.0 : -0.5 * (k - 1), 0, 0};
      robot.loops.push_back(weld);
    }
    const auto model = std::make_shared<const Model>(robot);
    const Vector zero(std::size_t(joints), 0.0), far(std::size_t(joints), 0.3);
    EXPECT_EQ(leading(*model, zero, {}), std::vector<int>());
    for (const std::vector<int>& driven : {std::vector<int>{}, {0}, {joints - 1}}) {
      const auto motion = closed_motion(model, point_to_point(model, zero, far, 1, Profile::cycloidal), driven);
      for (const double t : {0.0, 0.3, 0.5, 1.0}) {
        const State here = at(*motion, *model, t);
        for (const Vector& numbers : {here.q, here.v, here.a}) EXPECT_EQ(numbers, zero) << joints << " " << t;
      }
    }
  }
}

// Where there is nothing to close, it is the motion that was given.
TEST(ClosedMotion, OfATreeIsTheMotionItself) {
  const auto model = std::make_shared<const Model>(shipped("planar3r"));
  const auto given = point_to_point(model, {0.1, -0.5, 0.4}, {1.3, 1.1, -0.7}, 2, Profile::cycloidal);
  const auto closed = closed_motion(model, given, {});
  for (const double t : {0.0, 0.7, 2.0}) {
    const State expected = at(*given, *model, t), found = at(*closed, *model, t);
    expect_near(found.q, expected.q, 1e-14, "q");
    expect_near(found.v, expected.v, 1e-14, "v");
    expect_near(found.a, expected.a, 1e-14, "a");
  }
}

// A motion that does not ask who calls it.
struct Trusting final : Trajectory {
  double duration() const override { return 1; }
  void at(double, std::span<double> q, std::span<double> v, std::span<double> a) const override {
    for (const std::span<double> each : {q, v, a}) ASSERT_EQ(each.size(), 3u);
    q[0] = 1, q[1] = -0.55, q[2] = 1.3;
    for (const std::span<double> rates : {v, a}) std::fill(rates.begin(), rates.end(), 0.0);
  }
};
TEST(ClosedMotion, AsksForMemoryOfTheRightSizeBeforeItHandsItOn) {
  const auto model = std::make_shared<const Model>(shipped("fourbar"));
  const auto motion = closed_motion(model, std::make_shared<Trusting>(), {0});
  Vector q(3), v(3), a(3);
  EXPECT_NO_THROW(motion->at(0.5, q, v, a));
  for (const std::size_t wrong : {2u, 4u}) {
    Vector other(wrong);
    EXPECT_THROW(motion->at(0.5, other, v, a), ArgumentError) << wrong;
    EXPECT_THROW(motion->at(0.5, q, other, a), ArgumentError) << wrong;
    EXPECT_THROW(motion->at(0.5, q, v, other), ArgumentError) << wrong;
  }
}

// A body that a rod holds at a distance turns about two axes of its three, or floats in five ways of six: part of a
// quaternion leads nothing.
TEST(ClosedMotion, IsNotLedByPartOfAQuaternion) {
  for (const JointType type : {JointType::spherical, JointType::free}) {
    Robot robot;
    add(robot, joint(type), mass(1, {0.3, 0, 0}, {0.1, 0, 0.1, 0, 0, 0.1}));
    close(robot, LoopType::distance, 1, {1, 0, 0}, 0, {2, 0, 1});
    robot.loops[0].length = 1.5;
    const auto model = std::make_shared<const Model>(robot);
    const std::string refused = refusal(model, hold(model, neutral_posture(robot), 1), {});
    EXPECT_NE(refused.find("joint 'body1' would lead the loops in part"), std::string::npos) << refused;
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
