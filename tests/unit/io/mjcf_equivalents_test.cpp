// MJCF: files that say the same in other words are read as the same robot.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <numbers>

#include "support/expect.hpp"
#include "unit/io/mjcf_files.hpp"
#include "unit/io/readings.hpp"

namespace denoc {
namespace {
namespace THIS_FILE {

using test::all_texts;
using test::body_with;
using test::expect_near;
using test::list;
using test::mjcf;
using test::Random;
using test::Reading;
using test::says;
using test::text_of;

constexpr double epsilon = std::numeric_limits<double>::epsilon(), pi = std::numbers::pi;

std::string text_of(const Vec3<double>& v) { return fmt::format("{} {} {}", v.x, v.y, v.z); }
std::string text_of(const Quaternion<double>& q) { return fmt::format("{} {} {} {}", q.w, q.x, q.y, q.z); }
Reading read(const std::string& text) { return test::reading_of(mjcf(text)); }
void expect_same(const std::string& said, const std::string& plain, double roundings = 0) {
  const Reading found = read(said), expected = read(plain);
  EXPECT_TRUE(test::is_same(found, expected, roundings)) << said << "\n"
                                                         << text_of(found) << "not, as\n"
                                                         << plain << "\n"
                                                         << text_of(expected);
}
// One arm on a hinge.
std::string arm(const std::string& content, const std::string& settings = "", const std::string& sections = "") {
  return fmt::format(
      "<mujoco>{}<worldbody><site name='g' pos='1 2 3'/><body name='arm'><joint name='h'/>{}</body></worldbody>{}"
      "</mujoco>",
      settings, content, sections);
}

// Letter for letter: a small one turns about an axis that has turned along, which is a frame within; a capital about
// one that stands, which is a frame around all.
TEST(MjcfEquivalents, EulerAnglesAreFramesWithinAndAroundEachOther) {
  Random random(1);
  const std::string_view letters = "xyzXYZ";
  for (std::size_t sequence = 0; sequence < 216; ++sequence) {
    const std::string word = {letters[sequence % 6], letters[sequence / 6 % 6], letters[sequence / 36]};
    const Vec3<double> angles = random.vector(170);
    std::string before, after;
    for (std::size_t i = 0; i < 3; ++i) {
      const char letter = word[i];
      const std::size_t axis = letters.find(letter) % 3;
      const std::string frame = fmt::format("<frame axisangle='{} {} {} {}'>", axis == 0 ? 1 : 0, axis == 1 ? 1 : 0,
                                            axis == 2 ? 1 : 0, std::array{angles.x, angles.y, angles.z}[i]);
      before = letters.find(letter) < 3 ? before + frame : frame + before;
      after += "</frame>";
    }
    const std::string ball = "<body name='b'>" HINGE MASS "</body>",
                      settings = fmt::format("<mujoco><compiler eulerseq='{}'/><worldbody>", word),
                      end = "</worldbody></mujoco>";
    expect_same(fmt::format("{}<frame euler='{}'>{}</frame>{}", settings, text_of(angles), ball, end),
                settings + before + ball + after + end, 8);
  }
}

// The first axis as it is, the second in the plane of both on its own side, the third square to them: whatever their
// lengths are.
TEST(MjcfEquivalents, TwoAxesOfAnyLengthsAndAngleAreARotation) {
  Random random(2);
  for (int i = 0; i < 100; ++i) {
    const Vec3<double> x = random.direction() * random.uniform(0.1, 9), y = random.direction() * random.uniform(0.1, 9);
    const double sine = norm(cross(x, y)) / (norm(x) * norm(y));
    if (sine < 0.1) continue;
    const Mat3<double> R =
        body_with("", fmt::format("xyaxes='{} {}'", text_of(x), text_of(y)), HINGE MASS).joint_frame.R;
    const Vec3<double> first = transposed(R) * x, second = transposed(R) * y;
    const double roundings = 16 * epsilon / sine;
    expect_near(list(first * (1 / norm(x))), {1, 0, 0}, roundings, "x");
    EXPECT_GT(second.y, 0);
    EXPECT_NEAR(second.z / norm(y), 0, roundings);
    expect_near(list(transposed(R) * R), {1, 0, 0, 0, 1, 0, 0, 0, 1}, roundings, "a rotation");
    EXPECT_GT(dot(cross(R * Vec3<double>{1, 0, 0}, R * Vec3<double>{0, 1, 0}), R * Vec3<double>{0, 0, 1}), 0);
  }
}

// What stands in a frame stands as without it, and all of it is moved: mass centre, tensor and shapes.
TEST(MjcfEquivalents, AFrameMovesAllThatStandsInIt) {
  Random random(3);
  const std::string geoms[] = {"size='0.1'",
                               "size='0.1' pos='0.1 0.2 0.3'",
                               "type='capsule' size='0.1 0.3' euler='10 20 30'",
                               "type='capsule' size='0.1' fromto='0.1 0.2 0.3 -0.4 0.7 0.5'",
                               "type='cylinder' size='0.1' fromto='0.1 0.2 0.3 -0.4 0.7 0.5'",
                               "type='box' size='0.1' fromto='0.1 0.2 0.3 -0.4 0.7 0.5'",
                               "type='ellipsoid' size='0.1' fromto='0.1 0.2 0.3 -0.4 0.7 0.5'",
                               "type='box' size='0.1 0.2 0.3' xyaxes='1 2 3 3 2 1' pos='0.3 0 0.1'",
                               "type='ellipsoid' size='0.1 0.2 0.3' zaxis='1 2 3' pos='0.3 0 0.1'"};
  std::vector<std::string> contents = {"<inertial pos='0.1 0.2 0.3' mass='2' diaginertia='1 2 2.5' quat='1 2 3 4'/>",
                                       "<inertial pos='0.1 0.2 0.3' mass='2' fullinertia='1 2 2.5 0.1 0.2 0.3'/>", ""};
  for (const std::string& words : geoms) {
    contents.push_back("<geom " + words + "/>");
    contents[2] += contents.back();  // all of them
  }
  for (const std::string& content : contents) {
    const Vec3<double> r = random.vector(2);
    const Quaternion<double> q = random.attitude();
    const Pose<double> frame{rotation(q), r};
    const Body plain = body_with("", "", HINGE + content),
               moved = body_with(
                   "", "", fmt::format(HINGE "<frame pos='{}' quat='{}'>{}</frame>", text_of(r), text_of(q), content));
    const double roundings = 64 * epsilon, mass = plain.inertial.mass,
                 size = test::largest(list(plain.inertial.inertia));
    EXPECT_NEAR(moved.inertial.mass, mass, roundings * mass);
    const Vec3<double> com = r + frame.R * plain.inertial.com;
    expect_near(list(moved.inertial.com), list(com), roundings * 4, content);
    expect_near(list(moved.inertial.inertia), list(turn(frame.R, plain.inertial.inertia)),
                roundings * (size + mass * dot(com, com)), content);
    ASSERT_EQ(moved.shapes.size(), plain.shapes.size());
    for (std::size_t i = 0; i < plain.shapes.size(); ++i) {
      const Pose<double> expected = frame * plain.shapes[i].frame;
      expect_near(list(moved.shapes[i].frame.r), list(expected.r), roundings * 4, content);
      expect_near(list(moved.shapes[i].frame.R), list(expected.R), roundings * 4, content);
      expect_near(list(moved.shapes[i].size), list(plain.shapes[i].size), 0, content);
    }
  }
}

// A joint, a site and a body within move along as well.
TEST(MjcfEquivalents, AFrameIsABodyThatIsWelded) {
  const std::string frame = "pos='0.1 0.2 0.3' euler='10 20 30'", joint = "<joint name='j' pos='1 2 3' axis='3 2 1'/>",
                    tip = "<body name='tip' pos='0.3 0.2 0.1' euler='40 30 20'>" + joint + MASS "</body>";
  const Body framed = test::named(test::sound(arm(MASS "<frame " + frame + ">" + tip + "</frame>")), "tip");
  const Robot welded = test::sound(arm(MASS "<body name='post' " + frame + ">" + tip + "</body>"));
  const Pose<double> expected = test::named(welded, "post").joint_frame * test::named(welded, "tip").joint_frame;
  expect_near(list(framed.joint_frame.r), list(expected.r), 8 * epsilon, "place");
  expect_near(list(framed.joint_frame.R), list(expected.R), 8 * epsilon, "turn");
  expect_same(arm(MASS "<frame " + frame + "><frame " + frame + ">" + tip + "</frame></frame>"),
              arm(MASS "<frame " + frame + "><frame euler='10 20 30' pos='0.1 0.2 0.3'><frame>" + tip +
                  "</frame></frame></frame>"));
}

TEST(MjcfEquivalents, EndsAreAMiddleAnAxisAndHalfALength) {
  for (const char* type : {"capsule", "cylinder"})
    expect_same(arm(fmt::format("<geom type='{}' size='0.1' fromto='0.1 0.2 0.3 0.3 0.4 0.4'/>", type)),
                arm(fmt::format("<geom type='{}' size='0.1 0.15' pos='0.2 0.3 0.35' zaxis='-0.2 -0.2 -0.1'/>", type)),
                8);
  for (const char* type : {"box", "ellipsoid"})
    expect_same(
        arm(fmt::format("<geom type='{}' size='0.1' fromto='0.1 0.2 0.3 0.3 0.4 0.4'/>", type)),
        arm(fmt::format("<geom type='{}' size='0.1 0.1 0.15' pos='0.2 0.3 0.35' zaxis='-0.2 -0.2 -0.1'/>", type)), 8);
}

// A mass that is said, by the geom or a class, counts before any density.
TEST(MjcfEquivalents, AMassCountsBeforeADensity) {
  for (const char* mass : {"0", "2"}) {
    for (const char* density : {"0", "300"}) {
      const std::string by_mass = fmt::format("mass='{}'", mass), by_density = fmt::format("density='{}'", density),
                        plain = arm(MASS "<body name='b'><geom size='0.1' pos='1 2 3' " + by_mass + "/></body>");
      const auto of = [&](const std::string& said_by_class, const std::string& said) {
        return arm(MASS "<body name='b'><geom size='0.1' pos='1 2 3' " + said + "/></body>",
                   "<default><geom " + said_by_class + "/></default>");
      };
      expect_same(of("", by_mass + " " + by_density), plain);
      expect_same(of(by_density, by_mass), plain);
      expect_same(of(by_mass, by_density), plain);
      expect_same(of(by_mass + " " + by_density, ""), plain);
    }
  }
}

// All that moves, products of inertia as well.
TEST(MjcfEquivalents, ATotalMassScalesMassesAndTensors) {
  const auto two = [](const std::string& settings, double scale) {
    const auto inertial = [&](const char* pos, std::array<double, 7> numbers) {
      for (double& x : numbers) x *= scale;
      const auto& [m, xx, yy, zz, xy, xz, yz] = numbers;
      return fmt::format("<inertial pos='{}' mass='{}' fullinertia='{} {} {} {} {} {}'/>", pos, m, xx, yy, zz, xy, xz,
                         yz);
    };
    return arm(inertial("0.1 0.2 0.3", {2, 1, 2, 2.5, 0.1, 0.2, 0.3}) + "<body name='b'><joint name='j'/>" +
                   inertial("0.3 0.2 0.1", {3, 4, 5, 6, -0.3, 0.7, 0.5}) + "</body>",
               settings);
  };
  for (const double scale : {0.5, 2.0, 8.0})
    expect_same(two(fmt::format("<compiler settotalmass='{}'/>", 5 * scale), 1), two("", scale));
  for (const char* none : {"0", "-1"})
    expect_same(two(fmt::format("<compiler settotalmass='{}'/>", none), 1), two("", 1));
}

// What has no mass has none of any total: no body has any, or all that have some stand still and are fused.
TEST(MjcfEquivalents, ATotalMassOfNothingIsNone) {
  for (const char* weightless : {"<inertial pos='1 2 3' mass='0' diaginertia='0 0 0'/>", ""})
    for (const char* fuses : {"true", "false"}) {
      const auto said = [&](const char* total) {
        return arm(weightless, fmt::format("<compiler fusestatic='{}' {}/>", fuses, total));
      };
      expect_same(said("settotalmass='5'"), said(""));
    }
  const auto post = [](const char* total) {
    return fmt::format("<mujoco><compiler fusestatic='true' {}/><worldbody><body name='post'>" MASS
                       "<body name='arm'><joint name='h'/></body></body></worldbody></mujoco>",
                       total);
  };
  expect_same(post("settotalmass='5'"), post(""));
}

// Replicas' names end with their numbers, counted from 0, with as many digits as the count has (as MuJoCo 4.0.0).
TEST(MjcfEquivalents, ReplicasAreBodiesWithNumbers) {
  const auto body = [](const std::string& number, int x) {
    return fmt::format("<frame pos='{0} 0 0'><body name='b{1}'><joint name='j{1}'/>" MASS "</body></frame>", x, number);
  };
  const auto all = [](const std::string& content) { return "<mujoco><worldbody>" + content + "</worldbody></mujoco>"; };
  const std::pair<int, const char*> counts[] = {{1, "{}"},     {2, "{}"},     {9, "{}"},     {10, "{:02}"},
                                                {11, "{:02}"}, {99, "{:02}"}, {100, "{:03}"}};
  for (const auto& [count, number] : counts) {
    std::string bodies, separated;
    for (int i = 0; i < count; ++i) {
      const std::string digits = fmt::format(fmt::runtime(number), i);
      bodies += body(digits, i);
      separated += body("_" + digits, i);
    }
    expect_same(all(fmt::format("<replicate count='{}' offset='1 0 0'>{}</replicate>", count, body("", 0))),
                all(bodies));
    expect_same(all(fmt::format("<replicate count='{}' offset='1 0 0' sep='_'>{}</replicate>", count, body("", 0))),
                all(separated));
  }
  // Of replicas within replicas the inner number stands first.
  std::string grid;
  for (int row = 0; row < 2; ++row)
    for (int column = 0; column < 10; ++column) grid += body(fmt::format("-{:02}+{}", column, row), column + 100 * row);
  expect_same(all("<replicate count='2' offset='100 0 0' sep='+'><replicate count='10' offset='1 0 0' sep='-'>" +
                  body("", 0) + "</replicate></replicate>"),
              all(grid));
}

// Bodies that carry others are aligned with nothing; what would be is refused, whoever says so.
TEST(MjcfEquivalents, OnlyAFreeBodyThatCarriesNothingMayBeAligned) {
  const auto free = [](const char* compiler, const char* align, const char* content) {
    return fmt::format("<mujoco><compiler {}/><worldbody><body name='b'><freejoint name='f' {}/>" MASS
                       "{}</body></worldbody></mujoco>",
                       compiler, align, content);
  };
  const char* child = "<body name='c'><joint name='j'/>" MASS "</body>";
  const char* rule = "align: a body turned to its principal axes is not read: say align=\"false\"";
  struct Row {
    const char *compiler, *align;
    bool is_aligned;
  };
  const Row rows[] = {{"", "align='true'", true},
                      {"", "align='false'", false},
                      {"", "align='auto'", false},
                      {"alignfree='true'", "", true},
                      {"alignfree='true'", "align='true'", true},
                      {"alignfree='true'", "align='false'", false},
                      {"alignfree='true'", "align='auto'", true},
                      {"alignfree='false'", "align='true'", true},
                      {"alignfree='false'", "align='auto'", false}};
  for (const Row& row : rows) {
    expect_same(free(row.compiler, row.align, child), free("", "", child));
    EXPECT_EQ(says(mjcf(free(row.compiler, row.align, "")).faults, 0, rule), row.is_aligned)
        << row.compiler << ' ' << row.align;
    if (!row.is_aligned) expect_same(free(row.compiler, row.align, ""), free("", "", ""));
  }
  expect_same("<mujoco><worldbody><body name='b'><joint type='free' name='f'/>" MASS "</body></worldbody></mujoco>",
              free("", "", ""));
}

// It stands for stiffness and damping; where it is 0 0 it says nothing, and MuJoCo takes no other.
TEST(MjcfEquivalents, ASpringdamperIsTwoPositiveNumbersOrNothing) {
  const auto joint = [](const char* words) {
    return fmt::format("<mujoco><worldbody><body name='b'><joint name='j' stiffness='3' damping='2' {}/>" MASS
                       "</body></worldbody></mujoco>",
                       words);
  };
  expect_same(joint("springdamper='0 0'"), joint(""));
  for (const char* half : {"0.1 0", "0 0.1", "0.1 -1", "-1 0.1", "-1 -1"}) {
    const Document document = mjcf(joint(fmt::format("springdamper='{}'", half).c_str()));
    EXPECT_TRUE(says(document.faults, 1, "joint 'j': springdamper: its numbers are positive, or both are 0"))
        << half << all_texts(document.faults);
  }
  EXPECT_TRUE(mjcf(joint("springdamper='0.1 2'")).faults.empty());
}

// The larger of both ways, which is told where they differ.
TEST(MjcfEquivalents, EffortOfTwoSizesIsTheLarger) {
  struct Row {
    const char* range;
    double effort;
  };
  for (const Row& row : {Row{"-50 30", 50}, {"-30 50", 50}, {"-50 -30", 50}, {"10 20", 20}, {"-5 0", 5}, {"0 7", 7}}) {
    const Document document = mjcf(fmt::format("<mujoco><worldbody><body name='b'><joint actuatorfrcrange='{}'/>" MASS
                                               "</body></worldbody></mujoco>",
                                               row.range));
    EXPECT_TRUE(document.faults.empty()) << all_texts(document.faults);
    EXPECT_EQ(test::named(document.robot, "b").joint.limits.effort, row.effort) << row.range;
    EXPECT_TRUE(says(document.warnings, 0, fmt::format("and taken as {}", row.effort))) << all_texts(document.warnings);
  }
}

// A relpose is a site on body1, and the anchor one on body2; a quaternion of any length turns it, and without one it
// says nothing.
TEST(MjcfEquivalents, AWeldOfBodiesIsOneOfSites) {
  const auto two = [](const std::string& weld, const std::string& site1 = "", const std::string& site2 = "") {
    return fmt::format("<mujoco>" WORLD("<body name='a' pos='0 0 1'><joint name='x'/>" MASS
                                        "{}<body name='b' pos='1 0 0'><joint name='y'/>" MASS
                                        "{}</body></body>") "<equality><weld {}/></equality></mujoco>",
                       site1, site2, weld);
  };
  Random random(5);
  std::vector<Quaternion<double>> turns = {{3, 0, 0, 0}, {0, 3, 0, 0}, {0, 0, 3, 0}, {0, 0, 0, -3}, {0, 1, 2, 3}};
  for (int i = 0; i < 5; ++i) turns.push_back(random.attitude());
  for (const Quaternion<double>& q : turns) {
    const std::string place = text_of(random.vector(1)), anchor = text_of(random.vector(1));
    expect_same(two(fmt::format("body1='a' body2='b' anchor='{}' relpose='{} {}'", anchor, place, text_of(q))),
                two("site1='s' site2='t'", fmt::format("<site name='s' pos='{}' quat='{}'/>", place, text_of(q)),
                    fmt::format("<site name='t' pos='{}'/>", anchor)),
                8);
  }
  expect_same(two("body1='a' body2='b' relpose='1 2 3 0 0 0 0'"), two("body1='a' body2='b'"));
}

TEST(MjcfEquivalents, OfTheGearsAtAJointTheFirstCounts) {
  const auto driven = [](const std::string& motors) { return arm(MASS, "", "<actuator>" + motors + "</actuator>"); };
  for (const char* more : {"<motor joint='h' gear='7'/>", "<motor joint='h' gear='7'/><position joint='h' gear='9'/>",
                           "<motor joint='h' gear='1'/>", "<motor joint='h' gear='0'/>", "<motor joint='h'/>"})
    expect_same(driven(std::string("<motor joint='h' gear='3'/>") + more), driven("<motor joint='h' gear='3'/>"));
  expect_same(driven("<motor joint='h' gear='0'/><motor joint='h' gear='3 0 0 0 0 0'/>"),
              driven("<motor joint='h' gear='3'/>"));
}

// What is not linear in the length or its rate is no spring of ours, and that is told.
TEST(MjcfEquivalents, TendonsWithOtherWordsForTheSameSpring) {
  const auto with = [](const std::string& words) {
    return arm(MASS "<site name='s' pos='0.1 0.2 0.3'/>", "",
               "<tendon><spatial " + words + "><site site='g'/><site site='s'/></spatial></tendon>");
  };
  expect_same(with("stiffness='2' springlength='-1'"), with("stiffness='2'"));
  expect_same(with("stiffness='2 0 0'"), with("stiffness='2'"));
  expect_same(with("damping='2 0'"), with("damping='2'"));
  for (const double length : {0.0, 0.25, 9.0}) {
    expect_same(with(fmt::format("stiffness='2' springlength='{0} {0}'", length)),
                with(fmt::format("stiffness='2' springlength='{}'", length)));
    EXPECT_EQ(mjcf(with(fmt::format("stiffness='2' springlength='{}'", length))).robot.springs.at(0).rest, length);
  }
  for (const char* force : {"stiffness", "damping"}) {
    for (const char* curved : {"2 0.5", "2 0 0.5", "0 0.5", "2 -0.5 0.5"}) {
      const Document document = mjcf(with(fmt::format("{}='{}'", force, curved)));
      EXPECT_TRUE(document.faults.empty()) << all_texts(document.faults);
      EXPECT_TRUE(document.robot.springs.empty()) << curved;
      EXPECT_TRUE(says(document.warnings, 0, fmt::format("{}: the force of a tendon is passed over", force)))
          << all_texts(document.warnings);
    }
  }
}

// MuJoCo draws groups 0 to 2; the mass of all of them counts.
TEST(MjcfEquivalents, GroupsAreDrawnUpToTheSecond) {
  for (int group = 0; group < 6; ++group) {
    const Body body = body_with("", "", fmt::format(HINGE "<geom size='0.1' mass='2' group='{}'/>", group));
    EXPECT_EQ(body.shapes.size(), group <= 2 ? 1u : 0u) << group;
    EXPECT_EQ(body.inertial.mass, 2) << group;
  }
}

// Whatever is an angle.
TEST(MjcfEquivalents, DegreesAreRadians) {
  const auto with = [](const char* unit, double scale) {
    const auto angle = [&](double degrees) { return degrees * scale; };
    return fmt::format(
        "<mujoco><compiler angle='{}'/><worldbody><replicate count='2' euler='{} {} {}'>"
        "<body name='a' euler='{} {} {}'><joint name='j' range='{} {}' ref='{}' springref='{}' stiffness='1'/>"
        "<joint name='k' type='slide' range='-10 20' ref='0.3' springref='0.4'/><frame axisangle='1 2 3 {}'>"
        "<geom type='box' size='0.1 0.2 0.3' euler='{} 0 0'/></frame></body></replicate></worldbody></mujoco>",
        unit, angle(1), angle(2), angle(3), angle(10), angle(20), angle(30), angle(-40), angle(50), angle(60),
        angle(70), angle(80), angle(90));
  };
  expect_same(with("degree", 1), with("radian", pi / 180), 8);
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc
