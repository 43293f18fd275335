// What is doubted in robot files: told with its line, computed with, refused by --strict; and every dialect of URDF.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "denoc/model/loop_types.hpp"
#include "unit/io/files.hpp"

namespace denoc {
namespace {
namespace THIS_FILE {

using test::all_texts;
using test::read_text_as;
using test::says;
using test::TemporaryFile;

Document urdf(std::string_view text, const LoadOptions& options = {}) {
  return read_text_as("robot.urdf", text, options);
}

#define LINK(name) "<link name='" name "'/>\n"
#define JOINT(type, more) "<joint name='j' type='" type "'><parent link='a'/><child link='b'/>\n" more "</joint>\n"
#define LIMIT "<limit lower='-1' upper='1' effort='1' velocity='1'/>\n"
#define ROBOT(content) "<robot name='r'>\n" content "</robot>\n"
#define JOINT_WITH(type, more) ROBOT(LINK("a") "<link name='b'>" BODY "</link>\n" JOINT(type, more))
#define MASS "<mass value='1'/>\n"
#define SPHERE "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/>\n"
#define BODY "<inertial>" MASS SPHERE "</inertial>"
#define WITH_INERTIAL(content) \
  ROBOT(LINK("a") JOINT("continuous", "") "<link name='b'><inertial>\n" content "</inertial></link>\n")
#define YAML_BODY(keys) "name: r\nbodies:\n  - {name: arm, joint: revolute, " keys "}\n"
#define DH(words, keys) "name: r\ndh:\n  " words "\n  links:\n    - {name: arm, joint: revolute, mass: 1, " keys "}\n"

// A file that is read, with a doubt on that line and in those words.
struct Doubted {
  const char* name;
  const char* file;
  const char* text;
  int line;
  const char* fragment;
};
const Doubted doubted_files[] = {
    {"triangle inequality", "r.urdf",
     WITH_INERTIAL(MASS "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='2.001'/>\n"), 7,
     "link 'b': inertia: triangle inequality: no mass distribution has the principal moments 1, 1, 2.001; the largest "
     "exceeds the sum of the others by 0.0009999999999"},
    {"negative moment", "r.urdf", WITH_INERTIAL(MASS "<inertia ixx='-1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/>\n"),
     7, "link 'b': inertia: an inertia is positive semidefinite; its principal moments are -1, 1, 1"},
    {"products too large", "r.urdf", WITH_INERTIAL(MASS "<inertia ixx='1' ixy='2' ixz='0' iyy='1' iyz='0' izz='1'/>\n"),
     7, "positive semidefinite"},
    {"triangle of yaml", "r.yaml", YAML_BODY("mass: 1, inertia: [1, 1, 2.0000001, 0, 0, 0]"), 3,
     "body 'arm': inertia: triangle inequality"},
    {"only zz", "r.yaml", YAML_BODY("mass: 1, inertia: [0, 0, 1, 0, 0, 0]"), 3, "triangle inequality"},
    {"hidden triangle", "r.yaml", YAML_BODY("mass: 1, inertia: [1, 1, 1, 0.9, 0, 0]"), 3, "triangle inequality"},
    {"inertia without mass", "r.yaml", YAML_BODY("inertia: [1, 1, 1, 0, 0, 0]"), 3,
     "body 'arm': mass: it has inertia (principal moments 1, 1, 1) and no mass"},
    {"inertia of what is welded on", "r.yaml",
     "name: r\nbodies:\n  - {name: arm, joint: revolute}\n  - {name: tip, joint: fixed, inertia: [1, 1, 1, 0, 0, 0]}\n",
     4, "body 'tip': mass: it has inertia (principal moments 1, 1, 1) and no mass"},
    {"two axes", "r.urdf", JOINT_WITH("continuous", "<axis xyz='0 0 1'/>\n<axis xyz='0 1 0'/>\n"), 8,
     "joint 'j': axis: given twice: the first counts (line 7)"},
    {"two inertials", "r.urdf",
     ROBOT(LINK("a") JOINT("continuous", "") "<link name='b'>" BODY "\n<inertial/></link>\n"), 8,
     "inertial: given twice"},
    {"limits crossed", "r.urdf", JOINT_WITH("revolute", "<limit lower='1' upper='-1' effort='1' velocity='1'/>\n"), 7,
     "joint 'j': limit: no number lies between the lower limit 1 and the upper -1: taken as unlimited"},
    {"limits at infinity", "r.urdf",
     JOINT_WITH("revolute", "<limit lower='1e300' upper='inf' effort='1' velocity='1'/>\n"), 7,
     "joint 'j': limit: no number lies between the lower limit inf and the upper inf: taken as unlimited"},
    {"limits crossed in yaml", "r.yaml",
     YAML_BODY("mass: 1, inertia: [1, 1, 1, 0, 0, 0], limits: {lower: 1, upper: 0}"), 3,
     "limits: lower: no number lies between the lower limit 1 and the upper 0: taken as unlimited"},
    {"no limit", "r.urdf", JOINT_WITH("revolute", ""), 6, "URDF wants a <limit>"},
    {"negative effort", "r.urdf", JOINT_WITH("revolute", "<limit lower='-1' upper='1' effort='-1' velocity='1'/>\n"), 7,
     "effort: -1 is negative: taken as unlimited"},
    {"nameless robot", "r.urdf", "<robot>\n" LINK("a") "</robot>", 1, "robot: it has no name: called 'r' by its file"},
    {"nameless link", "r.urdf", ROBOT("<link/>\n"), 2, "a link without a name: called 'link1' by its number"},
    {"nameless body", "r.yaml", "name: r\nbodies:\n  - {name: '', joint: revolute, mass: 1}\n", 3,
     "a body without a name: called 'link1'"},
    {"nameless joint", "r.urdf",
     ROBOT(LINK("a") "<link name='b'>" BODY
                     "</link><joint type='continuous'><parent link='a'/><child link='b'/></joint>\n"),
     5, "<joint>: a joint without a name: called as its child"},
    {"mass without value", "r.urdf", WITH_INERTIAL("<mass/>\n" SPHERE), 6,
     "mass: missing attribute 'value': taken as 0"},
    {"no mass", "r.urdf", WITH_INERTIAL(SPHERE), 5, "link 'b': inertial: missing element <mass>: taken as 0"},
    {"no inertia", "r.urdf", WITH_INERTIAL(MASS), 5, "missing element <inertia>: taken as zero"},
    {"incomplete inertia", "r.urdf", WITH_INERTIAL(MASS "<inertia ixx='1' iyy='1' izz='1'/>\n"), 7,
     "inertia: missing attributes, taken as 0: ixy, iyz, ixz"},
    {"left over xacro", "r.urdf", ROBOT("<xacro:property name='m' value='1'/>\n" LINK("a")), 2,
     "<xacro:property> is left over from xacro: passed over"},
    {"mimic on a fixed joint", "r.urdf",
     ROBOT(LINK("a") LINK("b") LINK("c") JOINT(
         "fixed",
         "<mimic joint='k'/>\n") "<joint name='k' type='continuous'><parent link='a'/><child link='c'/></joint>\n"),
     6, "joint 'j': mimic: joint 'j' is fixed, which has no coordinates, not one: the mimic is passed over"},
    {"mimic of a fixed joint", "r.urdf",
     ROBOT(LINK("a") LINK("b") LINK("c") JOINT(
         "continuous",
         "<mimic joint='k'/>\n") "<joint name='k' type='fixed'><parent link='a'/><child link='c'/></joint>\n"),
     6, "joint 'k' is fixed, which has no coordinates"},
    {"mimic of nothing", "r.urdf", JOINT_WITH("continuous", "<mimic joint='ghost'/>\n"), 7,
     "joint 'j': mimic: the mimic is passed over: unknown joint 'ghost'; known: world_to_a, j"},
    {"mimic of a link", "r.urdf", JOINT_WITH("continuous", "<mimic joint='a'/>\n"), 7,
     "joint 'j': mimic: the mimic is passed over: unknown joint 'a'; known: world_to_a, j"},
    {"limits of a ball", "r.yaml",
     "bodies:\n  - {name: a, joint: spherical, mass: 1, inertia: [1, 1, 1, 0, 0, 0],\n     limits: {upper: 1}}\n", 3,
     "body 'a': limits: lower and upper limit nothing: q of a joint of type spherical is a quaternion"},
    {"implicit world", "r.urdf",
     ROBOT("<link name='b'>" BODY
           "</link>\n<joint name='j' type='continuous'>\n<parent link='world'/><child link='b'/></joint>\n"),
     6, "no link is called 'world': it is taken as the ground"},
    {"rpy in degrees", "r.urdf", JOINT_WITH("continuous", "<origin rpy='0 90 0'/>\n"), 7,
     "joint 'j': origin: rpy: 90 rad is more than a whole turn: is it in degrees?"},
    {"limits in degrees", "r.urdf",
     JOINT_WITH("revolute", "<limit lower='-180' upper='180' effort='1' velocity='1'/>\n"), 7,
     "joint 'j': limit: lower: -180 rad is more than a whole turn: is it in degrees?"},
    {"limits in degrees in yaml", "r.yaml",
     YAML_BODY("mass: 1, inertia: [1, 1, 1, 0, 0, 0], limits: {lower: 0, upper: 90}"), 3,
     "body 'arm': limits: upper: 90 rad is more than a whole turn: is it in degrees?"},
    {"millimetres", "r.urdf", JOINT_WITH("continuous", "<origin xyz='0 400 0'/>\n"), 7,
     "xyz: 400 m is far: is it in millimetres?"},
    {"alpha in degrees", "r.yaml", DH("convention: distal", "alpha: 90"), 5,
     "link 'arm': alpha: 90 rad is more than a whole turn: is it in degrees? (`degrees: true` in the table says so)"},
    {"a in millimetres", "r.yaml", DH("convention: distal", "a: 400"), 5, "a: 400 m is far: is it in millimetres?"},
    {"d in millimetres", "r.yaml", DH("convention: craig", "d: -400"), 5, "d: -400 m is far"},
    {"negative damping", "r.urdf", JOINT_WITH("continuous", "<dynamics damping='-0.1'/>\n"), 7,
     "joint 'j': friction: viscous friction (damping) is negative: -0.1: it drives the joint"},
    {"negative viscous friction", "r.yaml", YAML_BODY("mass: 1, inertia: [1, 1, 1, 0, 0, 0], friction: {viscous: -1}"),
     3, "body 'arm': friction: viscous friction (damping) is negative: -1"},
    {"columns of one name", "r.yaml",
     "name: r\nbodies:\n  - {name: a, joint: universal, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}\n"
     "  - {name: a.1, joint: revolute, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}\n",
     4, "body 'a.1': results call a coordinate of it 'a.1', and one of joint 'a' as well"},
    {"rates of one name", "r.yaml",
     "name: r\nbodies:\n  - {name: b, joint: {type: revolute, name: hip.wx}, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}\n"
     "  - {name: hip, joint: spherical, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}\n",
     4, "body 'hip': results call a coordinate of it 'hip.wx', and one of joint 'hip.wx' as well"},
    {"mass in grams", "r.yaml", "name: r\nbodies: [{name: arm, joint: revolute, mass: 8000}]\n", 2,
     "mass: 8000 kg: is it in grams?"},
};

class Doubts : public ::testing::TestWithParam<Doubted> {};

TEST_P(Doubts, AreToldAndRefusedByStrict) {
  const Doubted& doubted = GetParam();
  const Document document = read_text_as(doubted.file, doubted.text);
  EXPECT_TRUE(document.faults.empty()) << all_texts(document.faults);
  EXPECT_TRUE(says(document.warnings, doubted.line, doubted.fragment)) << all_texts(document.warnings);
  const Document strict = read_text_as(doubted.file, doubted.text, {.strict = true});
  EXPECT_TRUE(says(strict.faults, doubted.line, doubted.fragment)) << all_texts(strict.faults);
  EXPECT_EQ(strict.faults.size(), document.warnings.size());
  EXPECT_TRUE(strict.warnings.empty());
}
std::string test_name(const ::testing::TestParamInfo<Doubted>& info) {
  std::string name = info.param.name;
  for (char& c : name) c = c == ' ' ? '_' : c;
  return name;
}
INSTANTIATE_TEST_SUITE_P(Files, Doubts, ::testing::ValuesIn(doubted_files), test_name);

// Joints may turn often; eighths of a turn in degrees are doubted, and of nothing but an angle.
TEST(Limits, OfManyTurnsAreFine) {
  const auto doubts = [](const char* type, const char* limit) {
    return urdf(fmt::format(ROBOT(LINK("a") "<link name='b'>" BODY "</link>\n"
                                            "<joint name='j' type='{}'><parent link='a'/><child link='b'/>\n"
                                            "<limit lower='-{}' upper='{}' effort='1' velocity='1'/>\n</joint>\n"),
                            type, limit, limit))
        .warnings.size();
  };
  for (const char* limit : {"3.1416", "6.2832", "12.57", "50", "100", "314", "1000", "1e16", "inf"})
    EXPECT_EQ(doubts("revolute", limit), 0u) << limit;
  for (const char* limit : {"45", "90", "135", "180", "360"}) {
    EXPECT_EQ(doubts("revolute", limit), 1u) << limit;
    EXPECT_EQ(doubts("prismatic", limit), 0u) << limit;
  }
}

// A disc, rounded to the digits that are printed; as many digits that are no rounding; and sums of them.
TEST(Inertias, AreJudgedByTheDigitsPrinted) {
  const auto doubts = [](const char* entries) {
    return urdf(fmt::format(WITH_INERTIAL(MASS "<inertia {}/>"), entries)).warnings.size();
  };
  EXPECT_EQ(doubts("ixx='0.083333' ixy='0' ixz='0' iyy='0.083333' iyz='0' izz='0.166667'"), 0u);
  EXPECT_EQ(doubts("ixx='8.3333e-2' ixy='0' ixz='0' iyy='8.3333e-2' iyz='0' izz='1.66667e-1'"), 0u);
  EXPECT_EQ(doubts("ixx='0.100000' ixy='0' ixz='0' iyy='0.100000' iyz='0' izz='0.200001'"), 0u);
  EXPECT_EQ(doubts("ixx='0.083333' ixy='0' ixz='0' iyy='0.083333' iyz='0' izz='0.166669'"), 1u);
  EXPECT_EQ(doubts("ixx='0.1' ixy='0' ixz='0' iyy='0.1' iyz='0' izz='0.200001'"), 1u);
  EXPECT_EQ(doubts("ixx='0.1' ixy='0' ixz='0' iyy='0.1' iyz='0' izz='0.3'"), 1u);
  EXPECT_EQ(
      read_text_as("r.yaml", YAML_BODY("mass: 1, inertia: [0.083333, 0.083333, 0.166667, 0, 0, 0]")).warnings.size(),
      0u);
}

// Joint j carries link b, on which k carries c; d is welded to b.
std::string chain(const char* b, const char* d, const char* k_origin) {
  return fmt::format(
      ROBOT(LINK("a") "<link name='b'>{}</link>\n<link name='c'>" BODY "</link>\n<link name='d'>{}</link>\n" JOINT(
          "continuous",
          "") "<joint name='k' type='continuous'><parent link='b'/><child link='c'/><origin xyz='{}'/></joint>\n"
              "<joint name='w' type='fixed'><parent link='b'/><child link='d'/><origin xyz='0 0 1'/></joint>\n"),
      b, d, k_origin);
}

// A link that reaches from joint to joint, or looks like something, has a mass; axes that cross need none.
TEST(Inertias, ThatWereForgottenBetweenJointsAreDoubted) {
  const char arm[] = "0 0 1", crossing[] = "0 0 0",
             looks[] = "<visual><geometry><sphere radius='1'/></geometry></visual>",
             nothing[] =
                 "<inertial><mass value='0'/><inertia ixx='0' ixy='0' ixz='0' iyy='0' iyz='0' izz='0'/></inertial>";
  const char rule[] = "link 'b': it has no <inertial>, and moves between joints without mass: was it forgotten?";
  const auto doubts = [](const std::string& text) { return urdf(text).warnings; };
  for (const std::string& text : {chain("", "", arm), chain(looks, "", crossing), chain("", looks, crossing)}) {
    EXPECT_EQ(doubts(text).size(), 1u) << all_texts(doubts(text));
    EXPECT_TRUE(says(doubts(text), 3, rule)) << all_texts(doubts(text));
  }
  for (const std::string& text : {chain("", "", crossing), chain("", "", "0 2.77E-17 0"), chain("", BODY, arm),
                                  chain(BODY, looks, arm), chain(nothing, looks, arm)})
    EXPECT_TRUE(doubts(text).empty()) << all_texts(doubts(text));
}

// What is welded together is one link: where on it the next joint stands, and what part of it has the shape, is the same.
TEST(Inertias, ThatWereForgottenAreThoseOfAllThatIsWelded) {
  const std::string looks = "<visual><geometry><sphere radius='1'/></geometry></visual>";
  for (const char* carrier : {"b", "d"})
    for (const char* shape : {"b", "d", "neither"}) {
      std::string text = chain(*shape == 'b' ? looks.c_str() : "", *shape == 'd' ? looks.c_str() : "", "0 0 0");
      const std::string parent = "'k' type='continuous'><parent link='";
      text.replace(text.find(parent) + parent.size(), 1, carrier);
      text.replace(text.find("xyz='0 0 1'"), 11, "xyz='0 0 0'");
      const std::vector<Fault> warnings = urdf(text).warnings;
      EXPECT_EQ(warnings.size(), *shape == 'n' ? 0u : 1u) << text << all_texts(warnings);
      EXPECT_EQ(says(warnings, 3, "link 'b': it has no <inertial>"), *shape != 'n') << text << all_texts(warnings);
    }
}

// At the end of a chain a link without mass leaves its joint without an answer, unless a rotor or a loop gives one.
TEST(Inertias, ThatAreMissingAtTheEndAreDoubtedWhereNothingElseCarries) {
  const auto doubts = [](const std::string& keys, const std::string& loops) {
    return read_text_as("r.yaml",
                        "name: r\nbodies:\n  - {name: a, joint: revolute, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}\n"
                        "  - {name: b, joint: revolute" +
                            keys + "}\n" + loops)
        .warnings;
  };
  EXPECT_TRUE(says(doubts("", ""), 4, "body 'b': massless last link: forward dynamics has no answer for joint 'b'"));
  EXPECT_EQ(doubts(", actuator: {gear: 3}", "").size(), 1u) << "a gear without a rotor";
  EXPECT_TRUE(doubts(", armature: 0.1", "").empty());
  EXPECT_TRUE(doubts(", actuator: {gear: 3, rotor_inertia: 0.1}", "").empty());
  EXPECT_TRUE(doubts(", hub: [0.1, 0.1, 0.1, 0, 0, 0]", "").empty()) << "its inertia is felt about the joint";
  EXPECT_TRUE(doubts("", "loops:\n  - {type: coupler, a: {body: a}, b: {body: b}}\n").empty());
}

// Half a body that none has, and the other half that makes it one.
TEST(Inertias, AreJudgedWithWhatIsWeldedToThem) {
  const auto welded = [](const char* izz, const char* type) {
    return urdf(fmt::format(R"(<robot name='r'><link name='root'/>
<link name='a'><inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='{}'/></inertial></link>
<link name='b'><inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link>
<joint name='j' type='{}'><parent link='root'/><child link='a'/></joint>
<joint name='k' type='fixed'><parent link='a'/><child link='b'/><origin xyz='0 0 1'/></joint></robot>)",
                            izz, type));
  };
  EXPECT_TRUE(welded("3", "continuous").warnings.empty()) << all_texts(welded("3", "continuous").warnings);
  const Document broken = welded("5", "continuous");
  ASSERT_EQ(broken.warnings.size(), 1u) << all_texts(broken.warnings);
  EXPECT_TRUE(says(broken.warnings, 2, "link 'a': inertia: triangle inequality")) << all_texts(broken.warnings);
  EXPECT_TRUE(says(broken.warnings, 2, "with what is welded to it they are 2.5, 2.5, 6")) << all_texts(broken.warnings);
  EXPECT_TRUE(welded("5", "fixed").warnings.empty()) << "nobody feels what stands on the ground";
}
// ... each as far from their common mass centre as it is: 9 kg at 0.1 m and 1 kg at 0.9 m, 0.9 kg m^2 across.
TEST(Inertias, OfWhatIsWeldedAreAboutTheCommonMassCentre) {
  const auto welded = [](double ixx) {
    return read_text_as("r.yaml", fmt::format(R"(name: r
bodies:
  - {{name: heavy, joint: revolute, mass: 9, inertia: [{}, 0.1, 0.1, 0, 0, 0]}}
  - {{name: light, joint: fixed, mass: 1, com: [1, 0, 0], inertia: [0, 0, 0, 0, 0, 0]}}
)",
                                              ixx));
  };
  EXPECT_TRUE(welded(1.9).warnings.empty()) << all_texts(welded(1.9).warnings);  // 1.9, 1, 1
  EXPECT_TRUE(says(welded(2.1).warnings, 3, "triangle inequality")) << all_texts(welded(2.1).warnings);
}

// Eigenvalues of S = tr(I)/2 E - I: 2.5, 2.5, -1.5. The last becomes 0: a move of 1.5.
TEST(Inertias, AreRepairedInThePseudoInertiasMetric) {
  const Document repaired =
      urdf(WITH_INERTIAL(MASS "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='5'/>\n"), {.repair = true});
  const Sym3<double> i = repaired.robot.bodies[2].inertial.inertia;
  EXPECT_NEAR(i.xx, 2.5, 1e-15);
  EXPECT_NEAR(i.yy, 2.5, 1e-15);
  EXPECT_NEAR(i.zz, 5, 1e-15);
  EXPECT_TRUE(says(repaired.warnings, 7,
                   "repaired: the principal moments 1, 1, 5 became 2.5, 2.5, 5; the "
                   "pseudo-inertia at the mass centre moved by 1.5 kg m^2"))
      << all_texts(repaired.warnings);
  EXPECT_TRUE(warnings_of(repaired.robot).empty());
  const Document strict = urdf(WITH_INERTIAL(MASS "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='5'/>\n"),
                               {.strict = true, .repair = true});
  EXPECT_TRUE(strict.faults.empty()) << "what is repaired is doubted no more";
}

TEST(Dialects, XacroFilesAreRefusedWithTheCommandThatExpandsThem) {
  const Document document = read_text_as("arm.urdf.xacro", ROBOT(LINK("a")));
  EXPECT_TRUE(says(document.faults, 0, "it is xacro, which makes URDF: expand it first (`xacro "))
      << all_texts(document.faults);
}

TEST(Dialects, BallsAndImplicitWorld) {
  for (const char* type : {"spherical", "ball"}) {
    const Document document = urdf(fmt::format(JOINT_WITH("{}", ""), type));
    EXPECT_TRUE(document.faults.empty()) << all_texts(document.faults);
    EXPECT_EQ(document.robot.bodies[2].joint.type, JointType::spherical);
  }
  const char hung[] =
      ROBOT("<link name='b'/>\n<joint name='j' type='fixed'><parent link='world'/><child link='b'/></joint>\n");
  const Document document = urdf(hung);
  EXPECT_EQ(document.robot.bodies.size(), 3u);
  EXPECT_EQ(document.robot.bodies[1].name, "world");
  EXPECT_TRUE(says(urdf(hung, {Base::free, {}}).faults, 3, "the file ties its root to the ground"));
}

TEST(Dialects, TransmissionsAreGears) {
  const auto with = [](const std::string& transmission) {
    return urdf("<robot name='r'>" LINK("a") "<link name='b'>" BODY
                                             "</link>\n" JOINT("continuous", "") "<transmission name='t'>" +
                transmission + "</transmission></robot>");
  };
  const auto gear = [&](const std::string& transmission) {
    return with(transmission).robot.bodies[2].joint.actuator.gear;
  };
  EXPECT_EQ(gear("<joint name='j'/><actuator name='m'><mechanicalReduction>50</mechanicalReduction></actuator>"), 50);
  EXPECT_EQ(gear("<joint name='j'/><actuator name='m'/><mechanicalReduction>-63.5</mechanicalReduction>"), -63.5);
  EXPECT_EQ(gear("<joint name='j'/>"), 1);
  const auto doubts = [&](const std::string& transmission) { return all_texts(with(transmission).warnings); };
  const char* passed = "its mechanicalReduction is passed over: ";
  EXPECT_NE(
      doubts("<joint name='j'/><mechanicalReduction>0</mechanicalReduction>").find(passed + std::string("a gear")),
      std::string::npos);
  EXPECT_NE(doubts("<joint name='x'/><mechanicalReduction>2</mechanicalReduction>")
                .find(passed + std::string("there is no joint 'x'")),
            std::string::npos);
  EXPECT_NE(doubts("<joint name='b'/><mechanicalReduction>2</mechanicalReduction>")
                .find(passed + std::string("there is no joint 'b'")),
            std::string::npos)
      << "b is a link";
  EXPECT_NE(doubts("<joint name='j'/><joint name='k'/><mechanicalReduction>2</mechanicalReduction>").find(passed),
            std::string::npos);
  // Of several for one joint the first counts, and the file hears of the others.
  const auto reduced = [](const std::string& gear) {
    return "<joint name='j'/><mechanicalReduction>" + gear + "</mechanicalReduction>";
  };
  const std::string next = "</transmission><transmission name='u'>";
  for (const char* first : {"1", "50"})
    for (const char* second : {"1", "50"}) {
      const std::string both = reduced(first) + next + reduced(second);
      EXPECT_EQ(gear(both), std::stod(first));
      EXPECT_EQ(
          doubts(both).find(passed + std::string("joint 'j' has a gear of ") + first + " already") != std::string::npos,
          std::string(first) != second)
          << doubts(both);
    }
}

TEST(Dialects, LimitsMayBeInfinite) {
  const Document document =
      urdf(JOINT_WITH("revolute", "<limit lower='-inf' upper='1' effort='inf' velocity='1e300'/>\n"));
  EXPECT_TRUE(document.faults.empty()) << all_texts(document.faults);
  const Limits& limits = document.robot.bodies[2].joint.limits;
  EXPECT_TRUE(std::isinf(limits.lower) && std::isinf(limits.effort) && std::isinf(limits.velocity));
  EXPECT_EQ(limits.upper, 1);
  const double inf = std::numeric_limits<double>::infinity();
  for (const auto& [word, value] : {std::pair("inf", inf),
                                    {"+Inf", inf},
                                    {"INF", inf},
                                    {"Infinity", inf},
                                    {" INFINITY ", inf},
                                    {"-INF", -inf},
                                    {"-infinity", -inf}}) {
    const Document said = urdf(fmt::format(JOINT_WITH("revolute", "<limit {}='{}' effort='1' velocity='1'/>\n"),
                                           value < 0 ? "lower" : "upper", word));
    EXPECT_TRUE(said.faults.empty()) << all_texts(said.faults);
    const Limits& found = said.robot.bodies[2].joint.limits;
    EXPECT_EQ(value < 0 ? found.lower : found.upper, value) << word;
  }
  EXPECT_TRUE(says(urdf(JOINT_WITH("revolute", "<limit upper='nan' effort='1' velocity='1'/>\n")).faults, 7,
                   "'nan' is not a finite number"));
}

TEST(Dialects, EmptyNamesMayBeMeant) {
  const Document document =
      urdf(ROBOT("<link name=''/>\n<link name='b'/>\n"
                 "<joint name='j' type='fixed'><parent link=''/><child link='b'/></joint>\n"));
  EXPECT_TRUE(document.faults.empty()) << all_texts(document.faults);
  EXPECT_EQ(document.robot.bodies[2].parent, 1);
}

TEST(Dialects, NamespacesAndCommentsArePassedOver) {
  const Document document = urdf(R"(<?xml version="1.0"?><!-- made by hand -->
<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro" xmlns:drake="http://drake.mit.edu">
  <!-- <link name="ghost"/> -->
  <drake:ignore_collision_filter_groups name="x"/>
  <link name="a"><drake:thing/></link>
</robot>)");
  EXPECT_TRUE(document.faults.empty() && document.warnings.empty())
      << all_texts(document.faults) << all_texts(document.warnings);
}

TEST(Dialects, ShapesAreThoseOfVisualsOrOfCollisions) {
  const auto shapes = [](const std::string& inside) {
    return urdf("<robot name='r'><link name='a'>" + inside + "</link></robot>");
  };
  const auto box = shapes(
      "<visual><origin xyz='1 2 3'/><geometry><box size='1 2 3'/></geometry></visual>"
      "<visual><geometry><capsule radius='0.1' length='0.5'/></geometry></visual>"
      "<collision><geometry><sphere radius='1'/></geometry></collision>");
  ASSERT_EQ(box.robot.bodies[1].shapes.size(), 2u);
  EXPECT_EQ(box.robot.bodies[1].shapes[0].kind, Shape::Kind::box);
  EXPECT_EQ(box.robot.bodies[1].shapes[0].frame.r.z, 3);
  EXPECT_EQ(box.robot.bodies[1].shapes[1].kind, Shape::Kind::capsule);
  EXPECT_EQ(box.robot.bodies[1].shapes[1].size.y, 0.5);
  const auto sphere = shapes("<collision><geometry><sphere radius='2'/></geometry></collision>");
  ASSERT_EQ(sphere.robot.bodies[1].shapes.size(), 1u);
  EXPECT_EQ(sphere.robot.bodies[1].shapes[0].size.x, 2);
  const auto broken = shapes("<visual><geometry><box size='1 2'/></geometry></visual>");
  EXPECT_TRUE(broken.faults.empty() && broken.robot.bodies[1].shapes.empty());
  EXPECT_TRUE(says(broken.warnings, 1, "<visual> is passed over: line 1: size: expected 3 numbers, found 2"))
      << all_texts(broken.warnings);
}

TEST(Dialects, MeshesAreFoundBesideTheFileAndInPackages) {
  const TemporaryFile file("arm.urdf", R"(<robot name="r"><link name="a">
<visual><geometry><mesh filename="arm.stl"/></geometry></visual>
<visual><geometry><mesh filename="package://arm_description/meshes/hand.stl" scale="0.001 0.001 0.001"/></geometry></visual>
<visual><geometry><mesh filename="package://elsewhere/hand.stl"/></geometry></visual></link></robot>)");
  const auto folder = file.path().parent_path();
  std::ofstream(folder / "arm.stl") << "x";
  std::filesystem::create_directories(folder / "arm_description" / "meshes");
  std::ofstream(folder / "arm_description" / "meshes" / "hand.stl") << "x";
  const std::vector<Shape> shapes = read_robot(file.path()).robot.bodies[1].shapes;
  ASSERT_EQ(shapes.size(), 3u);
  EXPECT_EQ(shapes[0].mesh, (folder / "arm.stl").string());
  EXPECT_EQ(shapes[1].mesh, (folder / "arm_description" / "meshes" / "hand.stl").string());
  EXPECT_EQ(shapes[1].size.y, 0.001);
  EXPECT_EQ(shapes[2].mesh, "package://elsewhere/hand.stl");
}

TEST(Dh, KnowsTheWordsOfTheTextbooks) {
  const auto joint_and_link = [](const char* words, const char* keys) {
    const Document document =
        read_text_as("r.yaml", std::string("name: r\ndh:\n  ") + words +
                                   "\n  links:\n    - {name: arm, joint: revolute, mass: 1, " + keys + "}\n");
    EXPECT_TRUE(document.faults.empty() && document.warnings.empty())
        << all_texts(document.faults) << all_texts(document.warnings);
    return document.robot.bodies[1].joint_frame * document.robot.bodies[1].own_frame;
  };
  const char ours[] = "a: 0.3, b: 0.2, alpha: pi/2, theta: pi/6";
  const Pose<double> distal = joint_and_link("convention: distal", ours);
  const Pose<double> proximal = joint_and_link("convention: proximal", ours);
  EXPECT_GT(std::abs(distal.r.z - proximal.r.z), 0.1);
  const auto expect_same = [](const Pose<double>& a, const Pose<double>& b) {
    for (const auto& [x, y] :
         {std::pair{a.r, b.r}, std::pair{column_x(a.R), column_x(b.R)}, std::pair{column_z(a.R), column_z(b.R)}})
      EXPECT_NEAR(std::hypot(x.x - y.x, x.y - y.y, x.z - y.z), 0, 2e-16);
  };
  for (const char* word : {"standard", "classic"})
    expect_same(joint_and_link(fmt::format("convention: {}", word).c_str(), "a: 0.3, d: 0.2, alpha: pi/2, theta: pi/6"),
                distal);
  for (const char* word : {"modified", "craig"})
    expect_same(joint_and_link(fmt::format("convention: {}", word).c_str(), "a: 0.3, d: 0.2, alpha: pi/2, theta: pi/6"),
                proximal);
  expect_same(joint_and_link("convention: classic\n  degrees: true", "a: 0.3, d: 0.2, alpha: 90, theta: 30"), distal);
}

TEST(Dh, RefusesWhatMeansTwoThings) {
  const auto faults = [](const char* words, const char* keys) {
    return read_text_as(
               "r.yaml",
               fmt::format(
                   "name: r\ndh:\n  convention: distal\n  {}\n  links:\n    - {{joint: revolute, mass: 1, {}}}\n",
                   words, keys))
        .faults;
  };
  EXPECT_TRUE(says(faults("degrees: false", "b: 1, d: 1"), 6, "d: another word for b: either of them, not both"));
  EXPECT_TRUE(says(faults("degrees: true", "alpha: pi/2"), 6, "the table is in degrees: no pi and no deg(...) here"));
  EXPECT_TRUE(faults("degrees: true", "alpha: 90").empty());
}

TEST(Yaml, ABodyMayBeCalledBase) {
  const Document document = read_text_as("r.yaml", R"(name: r
bodies:
  - {name: base, parent: world, joint: free, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
  - {name: arm, parent: base, joint: revolute, mass: 1}
  - {name: post, parent: world, joint: revolute, mass: 1})");
  ASSERT_TRUE(document.faults.empty()) << all_texts(document.faults);
  EXPECT_EQ(document.robot.bodies[2].parent, 1);
  EXPECT_EQ(document.robot.bodies[3].parent, 0);
  EXPECT_EQ(document.robot.find("base"), 1);
  const Document ground = read_text_as("r.yaml", "bodies: [{name: arm, parent: base, joint: revolute, mass: 1}]");
  EXPECT_EQ(ground.robot.bodies[1].parent, 0);
}

// Whatever type it is and whichever of its ends, a loop on a massless link, or on what is welded to that at any depth, holds
// it, and its joint is not doubted. A coupling does where the joint at its other end moves something.
TEST(Inertias, ThatAreMissingAtTheEndAreNotDoubtedWhereALoopHolds) {
  const auto doubts = [](int welds, const std::string& loops) {
    std::string text = R"(name: r
bodies:
  - {name: a, joint: revolute, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
  - {name: b0, joint: revolute}
)";
    for (int i = 1; i <= welds; ++i) text += fmt::format("  - {{name: b{}, parent: b{}, joint: fixed}}\n", i, i - 1);
    text +=
        "  - {name: side, parent: a, joint: revolute}\n  - {name: slide, parent: world, joint: prismatic, mass: 1}\n";
    return read_text_as("r.yaml", text + loops);
  };
  const auto is_doubted = [](const Document& read, const char* joint) {
    return says(read.warnings, 0,
                fmt::format("massless last link: forward dynamics has no answer for joint '{}'", joint));
  };
  for (const LoopShape& shape : loop_shapes) {
    SCOPED_TRACE(std::string(shape.name));
    const std::string needed =
        shape.has("radii")        ? ", radii: [1, 2]"
        : shape.needed == nullptr ? ""
                                  : fmt::format(", {}: {}", shape.needed, shape.has("coefficients") ? "[0, 1]" : "0.5");
    const auto loop = [&](const std::string& a, const std::string& b) {
      return fmt::format("loops:\n  - {{type: {}, a: {{body: {}}}, b: {{body: {}}}{}}}\n", shape.name, a, b, needed);
    };
    if (shape.coupled != Coupled::no) {
      const bool to_a_slide = shape.coupled == Coupled::turning_and_sliding;
      const Document held = doubts(2, loop("b0", to_a_slide ? "slide" : "a"));
      ASSERT_TRUE(held.faults.empty()) << all_texts(held.faults);
      EXPECT_FALSE(is_doubted(held, "b0"));
      EXPECT_TRUE(is_doubted(held, "side")) << "no loop is on it";
      if (to_a_slide) continue;
      const Document neither = doubts(2, loop("b0", "side"));
      ASSERT_TRUE(neither.faults.empty()) << all_texts(neither.faults);
      EXPECT_TRUE(is_doubted(neither, "b0")) << "nothing moves at either end";
      EXPECT_TRUE(is_doubted(neither, "side"));
      continue;
    }
    for (int welds = 0; welds < 4; ++welds)
      for (int on = 0; on <= welds; ++on)
        for (const char* other : {"world", "a", "slide"})
          for (const bool is_first : {true, false}) {
            const std::string end = fmt::format("b{}", on);
            const Document read = doubts(welds, is_first ? loop(end, other) : loop(other, end));
            ASSERT_TRUE(read.faults.empty()) << all_texts(read.faults);
            EXPECT_FALSE(is_doubted(read, "b0")) << welds << ' ' << on << ' ' << other << ' ' << is_first;
            EXPECT_TRUE(is_doubted(read, "side")) << "no loop is on it";
          }
  }
  EXPECT_TRUE(is_doubted(doubts(3, ""), "b0")) << "welds alone hold nothing";
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc
