// MJCF: what ties bodies together: equalities, sites, tendons.
#include <gtest/gtest.h>

#include <cmath>

#include "support/build.hpp"
#include "support/expect.hpp"
#include "unit/io/mjcf_files.hpp"

namespace denoc {
namespace {
namespace THIS_FILE {

using test::all_texts;
using test::expect_near;
using test::list;
using test::mjcf;
using test::says;
using test::sound;

// A body of two: `b` is drawn at (1, 0, 1).
Loop loop_of(const std::string& words) {
  const Robot robot = sound("<mujoco>" TWO "<equality>" + words + "</equality></mujoco>");
  EXPECT_EQ(robot.loops.size(), 1U);
  return robot.loops.empty() ? Loop{} : robot.loops[0];
}

TEST(Mjcf, EqualitiesOfBodiesAreLoops) {
  const Loop ball = loop_of("<connect body1='b' body2='world' anchor='0 0 0.5'/>");
  EXPECT_EQ(ball.type, LoopType::spherical);
  EXPECT_EQ(ball.a.body, 2);
  EXPECT_EQ(ball.b.body, 0);
  expect_near(list(ball.a.frame.r), {0, 0, 0.5}, 0, "of body1");
  expect_near(list(ball.b.frame.r), {1, 0, 1.5}, 0, "where that is in body2 as drawn");
  const Loop weld = loop_of("<weld body1='b' anchor='0 1 0'/>");
  EXPECT_EQ(weld.type, LoopType::weld);
  expect_near(list(weld.a.frame.r), {-1, 1, -1}, 0, "the world's (0, 1, 0) in b");
  expect_near(list(weld.b.frame.r), {0, 1, 0}, 0, "of body2");
  const Loop placed = loop_of("<weld body1='b' relpose='1 2 3 2 2 0 0'/>");
  expect_near(list(placed.a.frame.r), {1, 2, 3}, 0, "relpose");
  expect_near(list(placed.a.frame.R), {1, 0, 0, 0, 0, -1, 0, 1, 0}, 1e-16, "relpose");
}

TEST(Mjcf, EqualitiesOfJointsAreCouplings) {
  const Loop linear = loop_of("<joint joint1='y' joint2='x' polycoef='0.5 2'/>");
  EXPECT_EQ(linear.type, LoopType::coupler);
  EXPECT_EQ(linear.a.body, 1);
  EXPECT_EQ(linear.b.body, 2);
  EXPECT_EQ(linear.ratio, 2);
  EXPECT_EQ(linear.offset, 0.5);
  const Loop padded = loop_of("<joint joint1='y' joint2='x' polycoef='0.5 2 0 0 0'/>");
  EXPECT_EQ(padded.type, LoopType::coupler) << "a line, whatever zeros follow";
  EXPECT_EQ(padded.ratio, 2);
  EXPECT_EQ(loop_of("<joint joint1='y' joint2='x'/>").ratio, 1);
  EXPECT_EQ(loop_of("<joint joint1='y' joint2='x' polycoef='0.5'/>").ratio, 1) << "what is not said of it is 0 1 0 0 0";
  const Loop curved = loop_of("<joint joint1='y' joint2='x' polycoef='1 2 3 4 0'/>");
  EXPECT_EQ(curved.type, LoopType::polynomial);
  EXPECT_EQ(curved.coefficients, (std::vector<double>{1, 2, 3, 4}));
  const Loop standing = loop_of("<joint joint1='y' polycoef='0.3'/>");
  EXPECT_EQ(standing.a.body, standing.b.body);
  EXPECT_EQ(standing.coefficients, std::vector<double>{0.3});
}

// Coordinates count from ref in MuJoCo's polynomial: q1 - ref1 = f(q2 - ref2).
TEST(Mjcf, CouplingsCountFromRef) {
  const std::string tree =
      "<mujoco><compiler angle='radian'/>" WORLD("<body name='a'><joint name='x' ref='0.2'/>" MASS
                                                 "<body name='b'><joint name='y' ref='0.3'/>" MASS "</body></body>");
  const auto only = [&](const std::string& polycoef) {
    return sound(tree + "<equality><joint joint1='y' joint2='x' polycoef='" + polycoef + "'/></equality></mujoco>")
        .loops.at(0);
  };
  EXPECT_NEAR(only("0.5 2").offset, 0.3 + 0.5 - 2 * 0.2, 1e-16);
  EXPECT_EQ(only("0 0 1").phase, -0.2);
  EXPECT_EQ(only("0 0 1").offset, 0.3);
}

TEST(Mjcf, SitesAreEndsOfLoops) {
  const Robot robot = sound(MUJOCO(WORLD(
      "<site name='s' pos='1 0 0'/><body name='a'><joint/>" MASS
      "<site name='t' pos='0 0 2' euler='90 0 0'/></body>\n") "<equality><weld site1='t' site2='s'/></equality>"));
  ASSERT_EQ(robot.loops.size(), 1U);
  EXPECT_EQ(robot.loops[0].a.body, 1);
  EXPECT_EQ(robot.loops[0].a.frame.r.z, 2);
  EXPECT_NEAR(robot.loops[0].a.frame.R.zy, 1, 1e-16);
  EXPECT_EQ(robot.loops[0].b.body, 0);
  EXPECT_EQ(robot.loops[0].b.frame.r.x, 1);
}

TEST(Mjcf, ASiteWithEndsStandsInTheirMiddle) {
  const Robot robot =
      sound(MUJOCO(WORLD("<site name='s' type='box' size='0.01' fromto='1 0 0 1 0 2'/><body name='a'><joint/>" MASS
                         "<frame pos='0 0 1'><site name='t' type='capsule' size='0.01' fromto='0.2 0 0 0.6 0 "
                         "0'/></frame></body>\n") "<equality><weld site1='t' site2='s'/></equality>"));
  ASSERT_EQ(robot.loops.size(), 1U);
  expect_near(list(robot.loops[0].a.frame.r), {0.4, 0, 1}, 1e-16, "t");
  expect_near(list(robot.loops[0].a.frame.R), {0, 0, -1, 0, 1, 0, 1, 0, 0}, 1e-16,
              "z from the second end to the first");
  expect_near(list(robot.loops[0].b.frame.r), {1, 0, 1}, 1e-16, "s");
}

// Drawn 2 m apart, which is the length at rest unless it is said.
TEST(Mjcf, ATendonFromSiteToSiteIsASpring) {
  const auto springs = [](const std::string& tendon) {
    const Document document =
        mjcf("<mujoco>\n" WORLD("<site name='s' pos='1 0 0'/><body name='arm' pos='1 0 2'>" HINGE MASS
                                "<site name='t' euler='10 20 30'/><site name='u'/></body>\n") "<tendon>" +
             tendon + "</tendon></mujoco>");
    EXPECT_TRUE(document.faults.empty()) << all_texts(document.faults);
    return document;
  };
  const std::string ends = "<site site='s'/><site site='t'/></spatial>";
  const Robot robot = springs("<spatial stiffness='3' damping='0.5'>" + ends).robot;
  ASSERT_EQ(robot.springs.size(), 1u);
  const PointSpring& spring = robot.springs[0];
  EXPECT_EQ(spring.a.body, 0);
  EXPECT_EQ(spring.a.frame.r.x, 1);
  EXPECT_EQ(spring.b.body, 1);
  EXPECT_EQ(spring.stiffness, 3);
  EXPECT_EQ(spring.damping, 0.5);
  EXPECT_EQ(spring.rest, 2);
  EXPECT_EQ(springs("<spatial stiffness='3' springlength='0.25'>" + ends).robot.springs.at(0).rest, 0.25);
  EXPECT_TRUE(springs("<spatial>" + ends).robot.springs.empty());
  for (const std::string& other :
       {"<spatial stiffness='3' springlength='0.1 0.2'>" + ends, "<spatial stiffness='3'><site site='u'/>" + ends}) {
    const Document document = springs(other);
    EXPECT_TRUE(document.robot.springs.empty());
    EXPECT_TRUE(says(document.warnings, 0, "stiffness: the force of a tendon is passed over"))
        << all_texts(document.warnings);
  }
}

// It rests where hinges and slides are at springref, balls and free joints as drawn. Lengths as MuJoCo 4.0.0 has them.
TEST(Mjcf, ATendonRestsWhereAllJointsAreAtSpringref) {
  const auto rest = [](const std::string& bodies) {
    const Document document =
        mjcf("<mujoco><compiler angle='radian'/><worldbody><site name='g' pos='0 0 1'/>" + bodies +
             "</worldbody><tendon><spatial stiffness='30'><site site='g'/><site site='s'/>"
             "</spatial></tendon></mujoco>");
    EXPECT_TRUE(document.faults.empty()) << all_texts(document.faults);
    return document.robot.springs.at(0).rest;
  };
  const auto hinge = [&](const std::string& words) {
    return rest("<body><joint axis='0 1 0' " + words + "/>" MASS "<site name='s' pos='0.4 0 0'/></body>");
  };
  EXPECT_NEAR(hinge(""), std::hypot(1, 0.4), 1e-15);
  EXPECT_NEAR(hinge("springref='0.5'"), 1.2423930259315539, 1e-15);
  EXPECT_NEAR(hinge("ref='0.7'"), 0.8028859509356527, 1e-15) << "springref is 0 unless said";
  EXPECT_NEAR(hinge("springref='0.5' springdamper='1 1'"), 1.2423930259315539, 1e-15);
  const std::string tip = MASS "<site name='s' pos='0.4 0.1 0.2'/></body></body>";
  EXPECT_NEAR(rest("<body pos='0.1 0.2 0.3' euler='0.1 0.2 0.3'><joint axis='0 1 0' pos='0.1 0 0.2' ref='0.7' "
                   "springref='0.2'/><joint type='slide' axis='1 1 0' springref='0.3' ref='0.1'/>" MASS
                   "<body pos='0 0 0.5' euler='0.4 0 0'><joint type='ball' pos='0 0.1 0'/>" MASS
                   "<body pos='0.2 0 0'><joint axis='1 0 0' springref='-0.6'/>" +
                   tip + "</body>"),
              0.8138251865211799, 1e-15);
  for (const char* armature : {"0", "0.1"}) {
    EXPECT_NEAR(rest(fmt::format("<body pos='0.1 0.2 0.3' euler='0.1 0.2 0.3'><joint type='free' armature='{}'/>" MASS
                                 "<body pos='0 0 0.5'><joint axis='1 0 0' springref='-0.6'/>",
                                 armature) +
                     tip),
                0.7160639968734411, 1e-15);
  }
}

// Its length never changes.
TEST(Mjcf, ATendonWithinOneBodyPullsNothing) {
  const Document document =
      mjcf(MUJOCO(WORLD("<body name='a'>" HINGE MASS "<site name='s'/><site name='t' pos='1 0 0'/></body>\n")  //
                  "<tendon><spatial stiffness='3'><site site='s'/><site site='t'/></spatial></tendon>\n"));
  EXPECT_TRUE(document.faults.empty()) << all_texts(document.faults);
  EXPECT_TRUE(document.warnings.empty()) << all_texts(document.warnings);
  EXPECT_TRUE(document.robot.springs.empty());
  EXPECT_TRUE(says(document.notes, 5, "tendons: passed over (1): they hold and pull nothing"))
      << all_texts(document.notes);
}

// What a warning doubts is no remark besides.
TEST(Mjcf, ATendonThatPullsIsNotOneThatPullsNothing) {
  const Document document =
      mjcf(MUJOCO(WORLD(ARM) "<tendon><fixed stiffness='10'><joint joint='h' coef='1'/></fixed></tendon>\n"));
  EXPECT_EQ(document.warnings.size(), 1u) << all_texts(document.warnings);
  EXPECT_TRUE(document.notes.empty()) << all_texts(document.notes);
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc
