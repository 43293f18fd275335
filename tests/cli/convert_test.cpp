// denoc convert from outside.
#include <fmt/format.h>

#include <fstream>

#include "run.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

struct Convert : testing::Test {
  Folder folder;
  std::string read(const std::string& file) const {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
  }
};

TEST_F(Convert, ARobotGivesTheSameNumbersInEveryFormat) {
  const std::string state = folder.write("state.json", R"({"q": [0.1, -0.2, 0.3, 0.4, -0.5, 0.6],
"v": [1, 2, -1, 0.5, 0.25, -2], "a": [1, 1, 1, 1, 1, 1]})");
  const Row expected = row(json({"id", "puma560", "--state", state})["tau"]);
  for (const char* name : {"puma.yaml", "puma.urdf"}) {
    const std::string file = folder.path(name);
    const Outcome outcome = run({"convert", "puma560", file});
    ASSERT_EQ(outcome.status, 0) << outcome;
    EXPECT_NE(outcome.out.find("robot 'puma560' with 6 bodies"), std::string::npos) << outcome;
    expect_close(row(json({"id", file, "--state", state})["tau"]), expected, 1e-12 * 100, name);
  }
}

constexpr char disc[] = R"(<robot name="disc"><link name="root"><inertial><mass value="3"/>
<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
<link name="a"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="5"/></inertial></link>
<joint name="j" type="continuous"><parent link="root"/><child link="a"/></joint></robot>)";

TEST_F(Convert, RepairsWhatItWrites) {
  const std::string broken = folder.write("disc.urdf", disc), sound = folder.path("sound.urdf");
  EXPECT_EQ(run({"check", broken}).status, 3);
  const Outcome outcome = run({"convert", broken, sound, "--repair"});
  ASSERT_EQ(outcome.status, 0) << outcome;
  EXPECT_NE(outcome.err.find("repaired"), std::string::npos) << outcome;
  EXPECT_EQ(run({"check", sound}).status, 0) << run({"check", sound});
  EXPECT_NE(read(sound).find("<mass value=\"3\"/>"), std::string::npos) << "the root keeps what only a free base feels";
}

// From a URDF to a URDF the root keeps its inertia; the postures beside it are those of the fixed base all the same.
TEST_F(Convert, KeepsThePosturesOfAFixedBase) {
  const std::string file = folder.write("disc.urdf", disc), again = folder.path("again.urdf");
  folder.write("disc.srdf",
               "<robot name='disc'><group name='g'><joint name='j'/></group>"
               "<group_state name='half' group='g'><joint name='j' value='0.5'/></group_state></robot>");
  const Outcome outcome = run({"convert", file, again});
  ASSERT_EQ(outcome.status, 0) << outcome;
  EXPECT_EQ(row(json({"state", again, "--posture", "half"})["q"]), Row{0.5});
}

// From URDF to URDF nothing is lost that only a URDF says, whatever the files are called.
TEST_F(Convert, KeepsTheInertiaOfTheRoot) {
  const std::string urdf = folder.write("disc.urdf", disc), xml = folder.write("disc.xml", disc);
  const std::string kept = "<mass value=\"3\"/>";
  for (const auto& [from, to] : {std::pair{urdf, "a.urdf"}, {xml, "b.urdf"}, {urdf, "c.URDF"}}) {
    ASSERT_EQ(run({"convert", from, folder.path(to)}).status, 0) << to;
    EXPECT_NE(read(folder.path(to)).find(kept), std::string::npos) << from << to;
  }
  ASSERT_EQ(run({"convert", "-", folder.path("d.urdf")}, {.in = disc}).status, 0);
  EXPECT_NE(read(folder.path("d.urdf")).find(kept), std::string::npos);
  ASSERT_EQ(run({"convert", urdf, folder.path("e.yaml")}).status, 0);
  EXPECT_EQ(read(folder.path("e.yaml")).find("mass: 3"), std::string::npos) << "nobody feels it on the ground";
}

// What was written is written again, and again: the base stays fixed.
TEST_F(Convert, WritesAUrdfAgain) {
  const std::string yaml = folder.write("arm.yaml", R"(name: arm
bodies:
  - {name: a, joint: {type: revolute, axis: [0, 1, 0]}, mass: 1, com: [0.1, 0, 0], inertia: [1, 1, 1, 0, 0, 0]}
postures: {home: [0.5]}
)"),
                    once = folder.path("once.urdf"), twice = folder.path("twice.urdf");
  ASSERT_EQ(run({"convert", yaml, once}).status, 0);
  const Outcome outcome = run({"convert", once, twice, "--strict"});
  ASSERT_EQ(outcome.status, 0) << outcome;
  EXPECT_EQ(read(twice), read(once));
  EXPECT_EQ(run({"info", once, "--base", "free"}).status, 0) << run({"info", once, "--base", "free"});
}

// What a URDF has for other programs and is not written again is listed once for each kind, and by `convert` alone.
TEST_F(Convert, ListsWhatAUrdfLoses) {
  const std::string link = R"(<visual><geometry><sphere radius="1"/></geometry><material name="red"/></visual>
<collision><geometry><sphere radius="1"/></geometry></collision>)";
  const std::string file = folder.write(
      "full.urdf",
      fmt::format(R"(<robot name="full"><material name="red"/><link name="a">{0}</link><link name="b">{0}</link>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/><calibration rising="0"/><safety_controller k_velocity="1"/></joint>
<transmission name="t"><joint name="j"/></transmission><gazebo/><gazebo reference="a"/></robot>)",
                  link));
  const Outcome again = run({"convert", file, folder.path("again.urdf")});
  EXPECT_EQ(again.status, 0) << again;
  for (const char* kind : {"collision", "material", "calibration", "safety_controller", "transmission", "gazebo"}) {
    const std::string words = fmt::format("<{}> is not written again", kind);
    const std::size_t first = again.err.find(words);
    EXPECT_NE(first, std::string::npos) << kind << again;
    EXPECT_EQ(again.err.find(words, first + 1), std::string::npos) << kind << again;
  }
  EXPECT_EQ(run({"info", file}).err.find("not written"), std::string::npos);
}

TEST_F(Convert, AsksForNoFreeBase) {
  const std::string inertial =
      "<inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>";
  const std::string hangs = folder.write(
      "hangs.urdf",
      "<robot name='r'><link name='a'>" + inertial +
          "</link><joint name='j' type='continuous'><parent link='world'/><child link='a'/></joint></robot>");
  const Outcome outcome = run({"convert", hangs, folder.path("again.urdf")});
  EXPECT_EQ(outcome.status, 0) << outcome;
  const std::string branches = folder.write(
      "branches.urdf", "<robot name='r'><link name='base'/><link name='a'>" + inertial + "</link><link name='b'>" +
                           inertial +
                           "</link><joint name='j' type='continuous'><parent link='base'/><child link='a'/></joint>"
                           "<joint name='k' type='continuous'><origin xyz='1 0 0'/><parent link='base'/><child "
                           "link='b'/></joint></robot>");
  const Outcome strict = run({"convert", branches, folder.path("again.urdf"), "--strict"});
  EXPECT_EQ(strict.status, 0) << strict;
}

// The posture stands in both files then.
TEST_F(Convert, InPlaceBesideAnSrdf) {
  const std::string file = folder.write("disc.urdf", disc);
  folder.write("disc.srdf",
               "<robot name='disc'><group_state name='half'><joint name='j' value='0.5'/></group_state></robot>");
  ASSERT_EQ(run({"convert", file, file, "--repair"}).status, 0);
  const Outcome outcome = run({"check", file, "--strict"});
  EXPECT_EQ(outcome.status, 0) << outcome;
  EXPECT_EQ(row(json({"state", file, "--posture", "half"})["q"]), Row{0.5});
}

// A universal joint becomes two hinges of MJCF, whose names may be another's.
TEST_F(Convert, ListsWhichJointsAreCalledOtherwise) {
  const std::string twice = folder.write("twice.yaml", R"(name: twice
bodies:
  - {name: a, joint: universal, mass: 1, com: [0.1, 0, 0], inertia: [1, 1, 1, 0, 0, 0]}
  - {name: a.1, joint: revolute, mass: 1, com: [0.1, 0, 0], inertia: [1, 1, 1, 0, 0, 0]}
)"),
                    target = folder.path("twice.xml");
  const Outcome outcome = run({"convert", twice, target});
  ASSERT_EQ(outcome.status, 0) << outcome;
  EXPECT_NE(read(target).find("<joint name=\"a.1_\""), std::string::npos) << read(target);
  EXPECT_NE(outcome.err.find("joint 'a.1': called 'a.1_', as another joint is 'a.1' in MJCF"), std::string::npos)
      << outcome;
}

// An axis says a direction: how long it is written makes no slide longer, where it stands as drawn either.
TEST_F(Convert, SlidesAreDrawnWhereTheyStandWhateverTheLengthOfTheirAxes) {
  const std::string robot = folder.write("slide.yaml", R"(bodies:
  - {name: slide, joint: {type: prismatic, axis: [0, 0, 2]}, neutral: [0.5], mass: 1}
)"),
                    target = folder.path("slide.xml");
  ASSERT_EQ(run({"convert", robot, target}).status, 0);
  for (const std::string& file : {robot, target})
    EXPECT_EQ(row(json({"fk", file})["poses"]["slide"]["xyz"]), (Row{0, 0, 0.5})) << file;
}

TEST_F(Convert, ListsWhatTheFormatCannotSay) {
  const std::string file = folder.path("fourbar.urdf");
  const Outcome outcome = run({"convert", "fourbar", file});
  EXPECT_EQ(outcome.status, 0) << outcome;
  EXPECT_NE(outcome.err.find("loops[0]: in an element of ours"), std::string::npos) << outcome;
  EXPECT_GE(json({"convert", "fourbar", file})["unsaid"].size(), 1u);
  const std::string arm = folder.write("arm.yaml", R"(bodies:
  - {name: plain, joint: revolute, mass: 1, friction: {viscous: 1, coulomb: 2}, limits: {lower: -1, upper: 1}}
  - {name: sprung, joint: revolute, neutral: [0.5], mass: 1, spring: {stiffness: 3, rest: 0.1}, limits: {upper: 2, stiffness: 100}}
  - {name: driven, joint: revolute, mass: 1, actuator: {gear: 50, rotor_inertia: 1e-4}, friction: {coulomb: 1, surface_speed: 0.1}}
)");
  const Outcome told = run({"convert", arm, folder.path("arm.urdf")});
  EXPECT_EQ(told.status, 0) << told;
  EXPECT_EQ(told.err.find("'plain'"), std::string::npos) << told;
  for (const char* line :
       {"joint 'sprung': its spring, its end stops, its neutral q: in an element of ours",
        "joint 'driven': the inertia of its rotor, its drive, what its friction is besides damping and "
        "Coulomb's: in an element of ours"})
    EXPECT_NE(told.err.find(line), std::string::npos) << told << "\nnot: " << line;
}

TEST_F(Convert, RefusesFormatsItDoesNotWrite) {
  const Outcome outcome = run({"convert", "fourbar", folder.path("robot.sdf")});
  EXPECT_EQ(outcome.status, 2) << outcome;
  EXPECT_NE(outcome.err.find("a robot is written to .yaml, .yml"), std::string::npos) << outcome;
  EXPECT_EQ(run({"convert", "fourbar", "/nowhere/robot.yaml"}).status, 5);
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
