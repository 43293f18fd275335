// Named postures of YAML, of URDF and of the SRDF beside it.
#include <gtest/gtest.h>

#include "denoc/mechanism/mechanism.hpp"
#include "unit/io/files.hpp"
#include "unit/io/there_and_back.hpp"

namespace denoc {
namespace {
namespace THIS_FILE {

using test::all_texts;
using test::read_text_as;
using test::says;
using test::TemporaryFile;

#define ARM                                                                           \
  "bodies:\n"                                                                         \
  "  - {name: hip, joint: spherical, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}\n"         \
  "  - {name: arm, joint: {type: revolute, name: elbow}, mass: 1, neutral: [0.25]}\n" \
  "  - {name: hand, joint: fixed, mass: 1}\n"                                         \
  "postures:\n"

TEST(Postures, OfYamlAreListsOrMapsByJoint) {
  const Document document = read_text_as("r.yaml", ARM
                                         "  home: [1, 0, 0, 0, pi/2]\n"
                                         "  ready: {elbow: 0.5}\n"
                                         "  by_body: {arm: [0.75], hip: [0, 1, 0, 0]}\n"
                                         "  drawn: {}\n");
  ASSERT_TRUE(document.faults.empty()) << all_texts(document.faults);
  const std::vector<Posture>& postures = document.robot.postures;
  ASSERT_EQ(postures.size(), 4u);
  EXPECT_EQ(postures[0].name, "home");
  EXPECT_NEAR(postures[0].q[4], 1.5707963267948966, 1e-16);
  EXPECT_EQ(postures[1].q, (std::vector<double>{1, 0, 0, 0, 0.5}));
  EXPECT_EQ(postures[2].q, (std::vector<double>{0, 1, 0, 0, 0.75}));
  EXPECT_EQ(postures[3].q, (std::vector<double>{1, 0, 0, 0, 0.25})) << "what is not said is where the file draws it";
  EXPECT_EQ(postures[1].source.line, 7);
}

TEST(Postures, AreRefusedWhereTheyMeanNothing) {
  const auto faults = [](const std::string& posture) { return read_text_as("r.yaml", ARM + posture).faults; };
  EXPECT_TRUE(says(faults("  home: [1, 0]\n"), 6, "posture 'home': expected 5 numbers, found 2"));
  EXPECT_TRUE(says(faults("  home: {elbo: 1}\n"), 6, "unknown joint 'elbo'; did you mean 'elbow'?"));
  EXPECT_TRUE(says(faults("  home: {hand: 1}\n"), 6, "unknown joint 'hand'"));
  EXPECT_TRUE(says(faults("  home: {hip: [2, 0, 0, 0]}\n"), 6, "the quaternion of joint 'hip' has length 2"));
  EXPECT_TRUE(says(faults("  home: {elbow: [1, 2]}\n"), 6, "posture 'home': elbow: expected 1 numbers, found 2"));
  EXPECT_TRUE(says(faults("  home: {elbow: x}\n"), 6, "'x'"));
  EXPECT_TRUE(says(faults("  home: {elbow: 0.1, hip: [1, 0, 0, 0], elbow: 0.5}\n"), 6,
                   "posture 'home': elbow: the joint is given twice (first on line 6, as 'elbow')"));
  EXPECT_TRUE(says(faults("  home:\n    elbow: 0.1\n    arm: 0.7\n"), 8,
                   "posture 'home': arm: the joint is given twice (first on line 7, as 'elbow')"));
  EXPECT_TRUE(says(faults("  [1, 2]\n"), 0, "expected a map of names and postures"));
}

// A robot with a joint locked is written with the postures that are left, and read again; postures that programs make have
// the robot's size.
TEST(Postures, OfARobotThatIsLockedAreWrittenAndReadAgain) {
  Robot robot = read_text_as("r.yaml", ARM "  home: [0, 1, 0, 0, 0.75]\n").robot;
  const Robot of_hip = changed(robot, {.locked = {{"elbow", {0.5}}}}),
              of_arm = changed(robot, {.locked = {{"hip", {1, 0, 0, 0}}}});
  for (const char* file : {"r.yaml", "r.urdf"}) {
    EXPECT_EQ(test::there_and_back(of_hip, file).postures.at(0).q, (std::vector<double>{0, 1, 0, 0})) << file;
    EXPECT_EQ(test::there_and_back(of_arm, file).postures.at(0).q, std::vector<double>{0.75}) << file;
  }
  robot.postures[0].q.pop_back();
  EXPECT_TRUE(says(faults_of(robot), 6, "posture 'home' has 4 numbers, the robot 5 coordinates"));
}

constexpr char urdf[] = R"(<robot name="r"><link name="a"/><link name="b"/><link name="c"/>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint>
<joint name="k" type="continuous"><parent link="b"/><child link="c"/></joint>
<posture name="drawn" q="0.5 0.25"/></robot>)";

TEST(Postures, OfTheSrdfBesideAUrdf) {
  const TemporaryFile file("arm.urdf", urdf);
  std::ofstream(file.path().parent_path() / "arm.srdf") << R"(<?xml version="1.0"?>
<robot name="r">
  <virtual_joint name="root_joint" type="floating" parent_frame="world" child_link="a"/>
  <group_state name="home" group="arm">
    <joint name="root_joint" value="1 2 3 0 0 0.6 0.8"/>
    <joint name="j" value="0.1"/>
  </group_state>
  <group_state name="home" group="hand"><joint name="k" value="0.2"/></group_state>
  <group_state name="odd" group="hand"><joint name="l" value="0.2"/></group_state>
</robot>)";
  const Document document = read_robot(file.path());
  ASSERT_TRUE(document.faults.empty()) << all_texts(document.faults);
  const std::vector<Posture>& postures = document.robot.postures;
  ASSERT_EQ(postures.size(), 3u);
  EXPECT_EQ(postures[0].q, (std::vector<double>{0.5, 0.25}));
  EXPECT_EQ(postures[1].name, "home");
  EXPECT_EQ(postures[1].q, (std::vector<double>{0.1, 0.2}));
  EXPECT_TRUE(says(document.warnings, 9, "arm.srdf:9: group_state 'odd': unknown joint 'l'"))
      << all_texts(document.warnings);
}

// Of no concern to postures, and of some to dynamics.
TEST(Postures, RotorsOfAnSrdfAreDoubted) {
  const TemporaryFile urdf("arm.urdf", "<robot name='arm'><link name='a'/></robot>");
  std::ofstream(urdf.path().parent_path() / "arm.srdf")
      << "<robot name='arm'>\n<rotor_params><joint name='j' mass='1e-5' gear_ratio='100'/></rotor_params></robot>";
  const Document document = read_robot(urdf.path());
  EXPECT_TRUE(says(document.warnings, 2, "<rotor_params>: it is passed over, and with it the inertia of the rotors"))
      << all_texts(document.warnings);
  EXPECT_EQ(document.warnings.size(), 1u) << all_texts(document.warnings);
}

// A joint that mimics another follows it, and one that follows that one, unless the state tells it; of a joint told twice
// the first counts.
TEST(Postures, OfAnSrdfFollowAndCountOnce) {
  const TemporaryFile file("arm.urdf",
                           R"(<robot name="r"><link name="a"/><link name="b"/><link name="c"/><link name="d"/>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/><mimic joint="k" multiplier="3"/></joint>
<joint name="k" type="continuous"><parent link="b"/><child link="c"/><mimic joint="l" multiplier="2" offset="0.5"/></joint>
<joint name="l" type="continuous"><parent link="c"/><child link="d"/></joint></robot>)");
  std::ofstream(file.path().parent_path() / "arm.srdf") << R"(<robot name="r">
<group_state name="led"><joint name="l" value="1"/></group_state>
<group_state name="told"><joint name="l" value="1"/><joint name="k" value="7"/></group_state>
<group_state name="twice"><joint name="l" value="1"/>
<joint name="l" value="2"/></group_state>
<group_state name="twice" group="other"><joint name="l" value="1"/><joint name="j" value="0"/></group_state>
<group_state name="twice" group="third">
<joint name="j" value="3"/></group_state></robot>)";
  const Document document = read_robot(file.path());
  const std::vector<Posture>& postures = document.robot.postures;
  ASSERT_EQ(postures.size(), 3u) << all_texts(document.warnings);
  EXPECT_EQ(postures[0].q, (std::vector<double>{7.5, 2.5, 1}));
  EXPECT_EQ(postures[1].q, (std::vector<double>{21, 7, 1}));
  EXPECT_EQ(postures[2].q, (std::vector<double>{0, 2.5, 1}));
  EXPECT_TRUE(says(document.warnings, 5, "joint 'l' is told twice: the first counts")) << all_texts(document.warnings);
  EXPECT_TRUE(says(document.warnings, 8, "joint 'j' is told twice: the first counts")) << all_texts(document.warnings);
  EXPECT_FALSE(says(document.warnings, 6, "told twice")) << "by the same number";
}

TEST(Postures, OfAFreeBase) {
  const TemporaryFile file("arm.urdf", R"(<robot name="r"><link name="a"/></robot>)");
  std::ofstream(file.path().parent_path() / "arm.srdf")
      << R"(<robot name="r"><group_state name="home"><joint name="root_joint" value="1 2 3 0 0 0.6 0.8"/></group_state></robot>)";
  const Document document = read_robot(file.path(), {Base::free, {}});
  ASSERT_EQ(document.robot.postures.size(), 1u) << all_texts(document.warnings);
  const std::vector<double> expected = {1, 2, 3, 0.8, 0, 0, 0.6};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(document.robot.postures[0].q[i], expected[i], 1e-16);
}

// SRDF's quaternions are x y z w, ours w x y z: of a base, of a ball and of what floats in the middle of the robot.
TEST(Postures, OfAnSrdfTurnAsItsQuaternionsDo) {
  const TemporaryFile file("arm.urdf",
                           R"(<robot name="r"><link name="a"/><link name="b"/><link name="c"/><link name="d"/>
<joint name="ball" type="spherical"><parent link="a"/><child link="b"/></joint>
<joint name="k" type="continuous"><parent link="b"/><child link="c"/></joint>
<joint name="kite" type="floating"><parent link="c"/><child link="d"/></joint></robot>)");
  std::ofstream(file.path().parent_path() / "arm.srdf") << R"(<robot name="r"><group_state name="home">
<joint name="root_joint" value="1 2 3 0.5 0.1 0.7 0.5"/><joint name="ball" value="0.1 0.5 0.5 0.7"/>
<joint name="k" value="4"/><joint name="kite" value="5 6 7 0.7 0.5 0.5 0.1"/></group_state></robot>)";
  const auto home = [&](Base base) {
    const Document document = read_robot(file.path(), {.base = base});
    EXPECT_EQ(document.robot.postures.size(), 1u) << all_texts(document.warnings);
    return document.robot.postures.at(0).q;
  };
  std::vector<double> expected = {0.7, 0.1, 0.5, 0.5, 4, 5, 6, 7, 0.1, 0.7, 0.5, 0.5};
  EXPECT_EQ(home(Base::fixed), expected);
  const std::vector<double> base = {1, 2, 3, 0.5, 0.5, 0.1, 0.7};
  expected.insert(expected.begin(), base.begin(), base.end());
  EXPECT_EQ(home(Base::free), expected);
}

// The file knows nothing of a free base that is asked for: it stays where it is drawn.
TEST(Postures, OfAUrdfMayLeaveOutTheFreeBase) {
  const Document document = read_text_as("arm.urdf", urdf, {.base = Base::free});
  ASSERT_EQ(document.robot.postures.size(), 1u) << all_texts(document.faults);
  EXPECT_EQ(document.robot.postures[0].q, (std::vector<double>{0, 0, 0, 1, 0, 0, 0, 0.5, 0.25}));
  std::string whole = urdf, between = urdf;
  whole.replace(whole.find("0.5 0.25"), 8, "1 2 3 0 1 0 0 0.5 0.25");
  between.replace(between.find("0.5 0.25"), 8, "1 0.5 0.25");
  EXPECT_EQ(read_text_as("arm.urdf", whole, {.base = Base::free}).robot.postures.at(0).q,
            (std::vector<double>{1, 2, 3, 0, 1, 0, 0, 0.5, 0.25}));
  EXPECT_TRUE(says(read_text_as("arm.urdf", between, {.base = Base::free}).faults, 4,
                   "posture 'drawn': q: expected 9 numbers, or 2 without those of the free base, found 3"));
  EXPECT_TRUE(says(read_text_as("arm.urdf", between).faults, 4, "posture 'drawn': q: expected 2 numbers, found 3"));
}

// What `convert` has written into the URDF stands in the SRDF beside it as well.
TEST(Postures, OfBothAreDoubtedWhereTheyDiffer) {
  const TemporaryFile file("arm.urdf", urdf);
  const auto read_beside = [&](const char* value) {
    std::ofstream(file.path().parent_path() / "arm.srdf")
        << "<robot name='r'><group_state name='drawn'><joint name='j' value='0.5'/><joint name='k' value='" << value
        << "'/></group_state></robot>";
    return read_robot(file.path());
  };
  const Document same = read_beside("0.25"), other = read_beside("0.75");
  EXPECT_EQ(same.robot.postures.size(), 1u);
  EXPECT_FALSE(says(same.warnings, 0, "duplicate")) << all_texts(same.warnings);
  EXPECT_TRUE(says(other.warnings, 1, "group_state 'drawn': passed over: duplicate name")) << all_texts(other.warnings);
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc
