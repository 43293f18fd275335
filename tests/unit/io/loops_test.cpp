// Loops of robot files: every type from YAML and from URDF, and what is refused.
#include <gtest/gtest.h>

#include "unit/io/there_and_back.hpp"

namespace denoc {
namespace {
namespace THIS_FILE {

using test::all_texts;
using test::Broken;
using test::read_text_as;
using test::says;
using test::there_and_back;

#define TREE                                                     \
  "bodies:\n"                                                    \
  "  - {name: a, joint: {type: revolute, name: hip}, mass: 1}\n" \
  "  - {name: b, joint: revolute, mass: 1}\n"                    \
  "  - {name: c, joint: prismatic, mass: 1}\n"                   \
  "  - {name: d, joint: spherical, mass: 1}\n"                   \
  "  - {name: e, joint: fixed, mass: 1}\n"                       \
  "loops:\n"
#define ENDS "a: {body: a}, b: {body: b}"

Loop only_loop(const char* name, const std::string& text) {
  const Document document = read_text_as(name, text);
  EXPECT_TRUE(document.faults.empty()) << all_texts(document.faults);
  return document.robot.loops.size() == 1 ? document.robot.loops[0] : Loop{};
}
Loop yaml(const std::string& item) { return only_loop("r.yaml", TREE "  - {" + item + "}\n"); }

TEST(Loops, EveryTypeOfYaml) {
  for (const char* type : {"revolute", "prismatic", "spherical", "cylindrical", "planar", "weld", "fixed", "universal",
                           "point-on-line", "point-on-plane", "coupler"}) {
    EXPECT_EQ(yaml(std::string("type: ") + type + ", " ENDS).type, loop_type(type));
  }
  const Loop universal = yaml("type: universal, a: {body: a, point: [1, 2, 3]}, b: {body: world}, axis: [0, 3, 0]");
  EXPECT_EQ(universal.axis.y, 1);
  EXPECT_EQ(universal.axis2.y, 1);
  EXPECT_EQ(universal.a.frame.r.z, 3);
  EXPECT_EQ(yaml("type: distance, length: 0.3, " ENDS).length, 0.3);
}

TEST(Loops, CouplingsOfYaml) {
  const Loop coupler = yaml("type: coupler, ratio: -2, offset: 0.5, a: {body: hip}, b: {body: c}");
  EXPECT_EQ(coupler.a.body, 1) << "by the name of the joint";
  EXPECT_EQ(coupler.b.body, 3) << "by the name of the body";
  EXPECT_EQ(coupler.ratio, -2);
  EXPECT_EQ(coupler.offset, 0.5);
  EXPECT_EQ(yaml("type: gear, radii: [0.3, 0.1], " ENDS).ratio, -0.3 / 0.1);
  EXPECT_EQ(yaml("type: bevel-gear, teeth: [60, 20], " ENDS).ratio, -3);
  EXPECT_EQ(yaml("type: belt, radii: [0.3, 0.1], " ENDS).ratio, 0.3 / 0.1);
  EXPECT_EQ(yaml("type: rolling, radius: 0.3, a: {body: a}, b: {body: c}").ratio, 0.3);
  const Loop cam =
      yaml("type: eccentric-cam, eccentricity: 0.01, radius: 0.04, phase: pi/2, a: {body: a}, b: {body: c}");
  EXPECT_EQ(cam.eccentricity, 0.01);
  EXPECT_EQ(cam.radius, 0.04);
  EXPECT_NEAR(cam.phase, 1.5707963267948966, 1e-16);
  const Loop curved =
      yaml("type: polynomial, coefficients: [1, 2, 3], phase: 0.5, offset: 0.1, a: {body: a}, b: {body: c}");
  EXPECT_EQ(curved.coefficients, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(curved.phase, 0.5);
  EXPECT_EQ(curved.offset, 0.1);
}

// A cam has a round follower of any radius, or a flat one, of which no radius is said.
TEST(Loops, CamsComeBackAsTheyAre) {
  for (const char* radius : {"", "radius: 0.04, ", "radius: 1, "}) {
    const Document document = read_text_as("r.yaml", TREE "  - {type: eccentric-cam, eccentricity: 0.01, " +
                                                         std::string(radius) + "a: {body: a}, b: {body: c}}\n");
    ASSERT_EQ(document.robot.loops.size(), 1u) << all_texts(document.faults);
    for (const char* name : {"r.yaml", "r.urdf"}) {
      const std::string text = robot_text(document.robot, name).text;
      EXPECT_EQ(text.find("radius") != std::string::npos, *radius != '\0') << text;
      EXPECT_EQ(there_and_back(document.robot, name).loops.at(0).radius, document.robot.loops[0].radius) << name;
    }
  }
}

#define LOOP(item) TREE "  - {" item "}\n"
const Broken broken_loops[] = {
    {"key of another type", LOOP("type: spherical, axis: [0, 0, 1], " ENDS), 8, "loops[0]: unknown key 'axis'"},
    {"misspelt key", LOOP("type: distance, lenght: 1, " ENDS), 8, "unknown key 'lenght'; did you mean 'length'?", 2},
    {"no length", LOOP("type: distance, " ENDS), 8, "missing key 'length'"},
    {"negative length", LOOP("type: distance, length: -1, " ENDS), 8, "loops[0]: length: a distance is positive"},
    {"zero axis2", LOOP("type: universal, axis2: [0, 0, 0], " ENDS), 8, "loops[0]: axis2: a zero vector"},
    {"one rigid body", LOOP("type: weld, a: {body: d}, b: {body: e}"), 8, "both its ends are on one rigid body"},
    {"coupled ball", LOOP("type: coupler, a: {body: a}, b: {body: d}"), 8, "joint 'd' has 4 coordinates"},
    {"coupled ground", LOOP("type: coupler, a: {body: a}, b: {body: world}"), 8, "joint 'world' has 0 coordinates"},
    {"coupled frame", LOOP("type: coupler, a: {body: a, point: [0, 0, 0]}, b: {body: b}"), 8, "a: unknown key 'point'"},
    {"unknown joint", LOOP("type: coupler, a: {body: hop}, b: {body: b}"), 8, "unknown body or joint 'hop'"},
    {"zero radius", LOOP("type: gear, radii: [0, 1], " ENDS), 8, "radii: a wheel of size 0 turns nothing"},
    {"no radii", LOOP("type: gear, " ENDS), 8, "missing key 'radii'"},
    {"radii and teeth", LOOP("type: gear, radii: [1, 2], teeth: [1, 2], " ENDS), 8, "either radii or teeth"},
    {"sliding gear", LOOP("type: gear, radii: [1, 2], a: {body: a}, b: {body: c}"), 8, "wants one that turns there"},
    {"turning rack", LOOP("type: rolling, radius: 1, " ENDS), 8, "wants one that slides there"},
    {"no rolling", LOOP("type: rolling, radius: 0, a: {body: a}, b: {body: c}"), 8, "radius: a wheel of radius 0"},
    {"round cam", LOOP("type: eccentric-cam, eccentricity: 0, a: {body: a}, b: {body: c}"), 8, "without eccentricity"},
    {"polynomial without coefficients", LOOP("type: polynomial, a: {body: a}, b: {body: c}"), 8, "coefficients"},
    {"cam too wide", LOOP("type: eccentric-cam, eccentricity: 0.5, radius: 0.4, a: {body: a}, b: {body: c}"), 8,
     "the roller leaves the cam"},
    {"cam too wide the other way",
     LOOP("type: eccentric-cam, eccentricity: -0.5, radius: 0.4, a: {body: a}, b: {body: c}"), 8,
     "the roller leaves the cam"},
};

class BrokenLoops : public ::testing::TestWithParam<Broken> {};
TEST_P(BrokenLoops, IsRefused) {
  const Document document = read_text_as("r.yaml", GetParam().text);
  EXPECT_TRUE(says(document.faults, GetParam().line, GetParam().fragment)) << all_texts(document.faults);
  EXPECT_EQ(document.faults.size(), std::size_t(GetParam().faults)) << all_texts(document.faults);
}
INSTANTIATE_TEST_SUITE_P(Loops, BrokenLoops, ::testing::ValuesIn(broken_loops));

// An end without a body is one fault, not also that of a body without a name; nor is it passed over.
TEST(Loops, EndsNameTheirBodies) {
  for (const auto& [type, end, fault] : {std::tuple{"coupler", "{}", "missing key 'body'"},
                                         {"revolute", "{}", "missing key 'body'"},
                                         {"coupler", "{body: ''}", "a: body: it is empty"},
                                         {"revolute", "{body: ''}", "a: body: it is empty"}}) {
    const Document document = read_text_as("r.yaml", std::string(R"(bodies:
  - {name: a, joint: {type: revolute, name: hip}, mass: 1}
  - {name: b, joint: {type: revolute, name: knee}, mass: 1}
loops:
  - {type: )") + type + ", a: " + end + ", b: {body: b}}\n");
    EXPECT_TRUE(says(document.faults, 5, fault)) << all_texts(document.faults);
    EXPECT_EQ(document.faults.size(), 1u) << all_texts(document.faults);
  }
}

std::string urdf(const std::string& loop) {
  return R"(<robot name="r">
<link name="root"/><link name="rod"/><link name="rocker"/>
<joint name="j" type="continuous"><parent link="root"/><child link="rod"/></joint>
<joint name="k" type="continuous"><parent link="root"/><child link="rocker"/></joint>
)" + loop +
         "</robot>\n";
}

TEST(Loops, OfUrdf) {
  const Loop pin = only_loop("r.urdf", urdf(R"(<loop type="revolute" name="pin">
<a link="rod" xyz="0.5 0 0"/><b link="rocker" xyz="0.4 0 0" rpy="0 0 1"/><axis xyz="0 2 0"/></loop>
)"));
  EXPECT_EQ(pin.type, LoopType::revolute);
  EXPECT_EQ(pin.a.frame.r.x, 0.5);
  EXPECT_EQ(pin.b.frame.r.x, 0.4);
  EXPECT_NEAR(pin.b.frame.R.xx, std::cos(1.0), 1e-16);
  EXPECT_EQ(pin.axis.y, 1);
  EXPECT_EQ(pin.source.element, "loop 'pin'");
  EXPECT_EQ(pin.source.line, 5);
  const Loop gear =
      only_loop("r.urdf", urdf(R"(<loop type="gear" teeth="60 20"><a joint="j"/><b link="rocker"/></loop>)"));
  EXPECT_EQ(gear.ratio, -3);
  EXPECT_EQ(gear.a.body, 2);
  EXPECT_EQ(gear.b.body, 3);
}

TEST(Loops, BrokenOfUrdf) {
  const std::pair<const char*, const char*> broken[] = {
      {R"(<loop><a link="rod"/><b link="rocker"/></loop>)", "missing attribute 'type'"},
      {R"(<loop type="hinge"><a link="rod"/><b link="rocker"/></loop>)", "unknown type of loop 'hinge'"},
      {R"(<loop type="weld"><a link="rod"/></loop>)", "missing element <b>"},
      {R"(<loop type="weld"><a link="rot"/><b link="rocker"/></loop>)", "unknown link 'rot'; did you mean 'root'?"},
      {R"(<loop type="weld" ratio="1"><a link="rod"/><b link="rocker"/></loop>)", "unknown attribute 'ratio'"},
      {R"(<loop type="weld"><a link="rod"/><b link="rocker"/><axis xyz="0 0 1"/></loop>)", "unknown element 'axis'"},
      {R"(<loop type="gear"><a joint="j"/><b joint="k"/></loop>)", "missing attribute 'radii'"},
      {R"(<loop type="gear" radii="1"><a joint="j"/><b joint="k"/></loop>)", "radii: expected 2 numbers, found 1"},
      {R"(<loop type="coupler"><a joint="j"/><b joint="i"/></loop>)", "unknown joint 'i'"},
      {R"(<loop type="weld"><a/><b link="rocker"/></loop>)", "missing attribute 'link'"},
      {R"(<loop type="gear" teeth="1 2"><a joint=""/><b joint="k"/></loop>)", "attribute 'joint' is empty"},
  };
  for (const auto& [loop, fragment] : broken) {
    const Document document = read_text_as("r.urdf", urdf(loop));
    EXPECT_TRUE(says(document.faults, 5, fragment)) << loop << "\n" << all_texts(document.faults);
    EXPECT_EQ(document.faults.size(), 1u) << all_texts(document.faults);
  }
}

// The ground has a name, but no joint: there is nothing to mimic.
TEST(Loops, NobodyMimicsTheGround) {
  const Document document = read_text_as("r.urdf", R"(<robot name="r"><link name="root"/><link name="rod"/>
<joint name="j" type="continuous"><parent link="root"/><child link="rod"/><mimic joint="world"/></joint></robot>)");
  EXPECT_TRUE(document.robot.loops.empty());
  EXPECT_TRUE(says(document.warnings, 2, "the mimic is passed over: unknown joint 'world'"))
      << all_texts(document.warnings);
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc
