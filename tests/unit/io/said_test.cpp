// Robots as text: what they have, and nothing else.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "denoc/io/report.hpp"
#include "denoc/io/save.hpp"
#include "denoc/model/utf8.hpp"
#include "io/mjcf/principal.hpp"
#include "unit/io/files.hpp"

namespace denoc {
namespace {
namespace THIS_FILE {

using test::read_text_as;
using test::TemporaryFile;

std::size_t count(const std::string& text, const std::string& words) {
  std::size_t found = 0;
  for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1)) ++found;
  return found;
}

// A file that every reader of URDF understands stays one.
TEST(Said, PlainUrdfStaysPlain) {
  const Robot robot = read_text_as("r.urdf", R"(<robot name="r"><link name="base"/>
<link name="arm"><inertial><origin xyz="0 0 0.1"/><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="flange"/>
<joint name="j" type="revolute"><parent link="base"/><child link="arm"/><limit lower="-1" upper="1" effort="5" velocity="2"/></joint>
<joint name="k" type="fixed"><origin xyz="0 0 0.2"/><parent link="arm"/><child link="flange"/></joint></robot>)")
                          .robot;
  const RobotText said = robot_text(robot, "r.urdf");
  EXPECT_TRUE(said.unsaid.empty()) << fmt::format("{}", fmt::join(said.unsaid, "\n"));
  EXPECT_EQ(count(said.text, "<link "), 3u) << "the root is the ground already\n" << said.text;
  EXPECT_EQ(count(said.text, "<joint "), 2u) << said.text;
  EXPECT_EQ(count(said.text, "<inertial>"), 1u) << "links without mass say nothing of it\n" << said.text;
  const Robot again = read_text_as("r.urdf", said.text).robot;
  ASSERT_EQ(again.bodies.size(), robot.bodies.size());
  for (std::size_t b = 1; b < robot.bodies.size(); ++b) EXPECT_EQ(again.bodies[b].name, robot.bodies[b].name);
}

// Only the joints that have a rotor are said to have one.
TEST(Said, RotorsAreToldOfTheirOwnJoints) {
  const Robot robot = read_text_as("r.yaml", R"(bodies:
  - {name: bare, joint: revolute, mass: 1}
  - {name: driven, joint: revolute, mass: 1, actuator: {gear: 10, rotor_inertia: 1e-3}}
  - {name: heavy, joint: revolute, mass: 1, armature: 0.1}
)")
                          .robot;
  const std::string told = fmt::format("{}", fmt::join(robot_text(robot, "r.urdf").unsaid, "\n"));
  EXPECT_EQ(count(told, "the inertia of its rotor"), 2u) << told;
  EXPECT_EQ(count(told, "'driven'"), 1u) << told;
  EXPECT_EQ(count(told, "'heavy'"), 1u) << told;
}

// MJCF calls the ground so in every element; readers other than ours do not guess it.
TEST(Said, TheGroundOfMjcfIsTheWorld) {
  const Robot robot = read_text_as("r.yaml", R"(bodies:
  - {name: arm, joint: revolute, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
loops:
  - {type: spherical, a: {body: arm, frame: {xyz: [1, 0, 0]}}, b: {body: world, frame: {xyz: [1, 0, 0]}}}
  - {type: weld, a: {body: world}, b: {body: arm}}
)")
                          .robot;
  const std::string text = robot_text(robot, "r.xml").text;
  EXPECT_EQ(count(text, "body1=\"arm\" body2=\"world\""), 1u) << text;
  EXPECT_EQ(count(text, "body1=\"world\" body2=\"arm\""), 1u) << text;
}

// A + B >= C for all three, and none negative, however little: MuJoCo takes no other body.
TEST(Said, MujocoTakesMomentsThatABodyCanHave) {
  using io::mjcf::is_taken_by_mujoco;
  const auto each_axis_first = [](double a, double b, double c) {
    return std::vector<Vec3<double>>{{a, b, c}, {b, c, a}, {c, a, b}};
  };
  for (const auto& m : each_axis_first(3, 1, 2)) EXPECT_TRUE(is_taken_by_mujoco(m)) << "flat";
  for (const auto& m : each_axis_first(0, 1, 1)) EXPECT_TRUE(is_taken_by_mujoco(m)) << "a rod";
  EXPECT_TRUE(is_taken_by_mujoco({0, 0, 0})) << "a point";
  for (const auto& m : each_axis_first(3.0001, 1, 2)) EXPECT_FALSE(is_taken_by_mujoco(m)) << "no body";
  for (const auto& m : each_axis_first(-1e-20, 1, 1)) EXPECT_FALSE(is_taken_by_mujoco(m)) << "negative";
}

// Rounding alone is put right: a moment beyond the sum of the others by some of its digits becomes the sum.
TEST(Said, FlatBodiesAreFlatToTheLastDigit) {
  using io::mjcf::settle_flat;
  const double sum = 0.1 + 0.2, beyond = sum * (1 + 1e-15), far = sum * (1 + 1e-13);
  for (int axis = 0; axis < 3; ++axis) {
    const auto at = [&](double x, double y, double z) {
      return axis == 0 ? Vec3<double>{x, y, z} : axis == 1 ? Vec3<double>{z, x, y} : Vec3<double>{y, z, x};
    };
    Vec3<double> near = at(beyond, 0.1, 0.2), impossible = at(far, 0.1, 0.2), round = at(0.25, 0.1, 0.2);
    settle_flat(near), settle_flat(impossible), settle_flat(round);
    EXPECT_EQ(near.x + near.y + near.z, at(sum, 0.1, 0.2).x + at(sum, 0.1, 0.2).y + at(sum, 0.1, 0.2).z);
    EXPECT_TRUE(io::mjcf::is_taken_by_mujoco(near));
    EXPECT_FALSE(io::mjcf::is_taken_by_mujoco(impossible)) << "no rounding";
    EXPECT_EQ(std::max({round.x, round.y, round.z}), 0.25);
  }
}

// Folders of packages, one after the other as the environment names them.
TEST(Said, MeshesAreFoundInTheFoldersOfTheEnvironment) {
  const TemporaryFile file("arm.urdf", R"(<robot name="r"><link name="a">
<visual><geometry><mesh filename="package://one/x.stl"/></geometry></visual>
<visual><geometry><mesh filename="package://two/x.stl"/></geometry></visual>
<visual><geometry><mesh filename="package://three/x.stl"/></geometry></visual></link></robot>)");
  const TemporaryFile elsewhere("x", "");
  const auto root = elsewhere.path().parent_path();
  std::string folders;
  for (const char* package : {"one", "two", "three"}) {
    std::filesystem::create_directories(root / "of" / package / package);
    std::ofstream(root / "of" / package / package / "x.stl") << "x";
    folders += (folders.empty() ? "" : ":") + (root / "of" / package).string();
  }
  const char* const was = std::getenv("ROS_PACKAGE_PATH");
  const std::string before = was != nullptr ? was : "";
  ::setenv("ROS_PACKAGE_PATH", folders.c_str(), 1);
  const std::vector<Shape> shapes = read_robot(file.path()).robot.bodies[1].shapes;
  ::setenv("ROS_PACKAGE_PATH", before.c_str(), 1);
  ASSERT_EQ(shapes.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_TRUE(std::filesystem::is_regular_file(shapes[i].mesh)) << shapes[i].mesh;
}

// A package may be in any of the folders above the file.
TEST(Said, MeshesAreFoundInPackagesAboveTheFile) {
  const TemporaryFile elsewhere("x", "");
  const auto root = elsewhere.path().parent_path();
  std::filesystem::create_directories(root / "robots" / "arm" / "urdf");
  std::filesystem::create_directories(root / "arm_description" / "meshes");
  std::ofstream(root / "arm_description" / "meshes" / "hand.stl") << "x";
  const auto file = root / "robots" / "arm" / "urdf" / "arm.urdf";
  std::ofstream(file) << R"(<robot name="r"><link name="a">
<visual><geometry><mesh filename="package://arm_description/meshes/hand.stl"/></geometry></visual></link></robot>)";
  const std::vector<Shape> shapes = read_robot(file).robot.bodies[1].shapes;
  ASSERT_EQ(shapes.size(), 1u);
  EXPECT_EQ(shapes[0].mesh, (root / "arm_description" / "meshes" / "hand.stl").string());
}

// Of XML the root element says what it is, whatever stands before it.
TEST(Said, XmlIsWhatItsRootElementSays) {
  const std::string mjcf =
      R"(<mujoco model="m"><worldbody><body name="b"><joint name="j"/><inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/></body></worldbody></mujoco>)";
  for (const char* before : {"", "<?xml version='1.0'?>", "<!-- a comment with <robot> in it -->\n",
                             "<?xml version='1.0'?>\n<!-- one -->\n<!-- two -->"}) {
    const Document document = read_text_as("r.xml", before + mjcf);
    EXPECT_TRUE(document.faults.empty()) << before;
    EXPECT_EQ(document.robot.name, "m") << before;
  }
  EXPECT_FALSE(read_text_as("r.xml", "<!-- without an end " + mjcf).faults.empty());
}

std::string in_utf8(unsigned code) {
  const auto byte = [](unsigned x) { return std::string(1, static_cast<char>(x)); };
  const auto more = [&](unsigned x) { return byte(0x80 | (x & 0x3F)); };
  if (code < 0x80) return byte(code);
  if (code < 0x800) return byte(0xC0 | code >> 6) + more(code);
  if (code < 0x10000) return byte(0xE0 | code >> 12) + more(code >> 6) + more(code);
  return byte(0xF0 | code >> 18) + more(code >> 12) + more(code >> 6) + more(code);
}

// In messages every character of Unicode stands as it is, but those that do something to a terminal or are none: each is
// one '?'. So is each byte that is not UTF-8.
TEST(Said, WordsOfAllScriptsStandInMessages) {
  for (unsigned code = 0; code < 0x110000; ++code) {
    if (code >= 0xD800 && code < 0xE000) continue;
    const bool is_control = code < 0x20 || (code >= 0x7F && code < 0xA0),
               is_none = code % 0x10000 >= 0xFFFE || (code >= 0xFDD0 && code < 0xFDF0);
    const std::string one = in_utf8(code), shown = is_control || is_none ? "?" : one;
    ASSERT_EQ(io::in_quotes(one), "'" + shown + "'") << code;
    ASSERT_EQ(io::in_quotes("a" + one + one + "z"), "'a" + shown + shown + "z'") << code;
  }
  for (unsigned byte = 0x80; byte < 0x100; ++byte)
    EXPECT_EQ(io::in_quotes("a" + std::string(1, static_cast<char>(byte)) + "z"), "'a?z'") << byte;
}
// Long words are cut between characters, at 40 bytes of the text; what is shown is UTF-8.
TEST(Said, LongWordsAreCutBetweenCharacters) {
  for (const unsigned code : {0x61u, 0xE4u, 0x81C2u, 0x1F9BEu}) {
    const std::string one = in_utf8(code);
    for (std::size_t before = 0; before < 4; ++before)
      for (std::size_t many = 1; many < 50; ++many) {
        std::string text(before, 'x');
        for (std::size_t i = 0; i < many; ++i) text += one;
        const std::string said = io::in_quotes(text);
        if (text.size() <= 40) {
          EXPECT_EQ(said, "'" + text + "'");
          continue;
        }
        const std::size_t shown = before + (40 - before) / one.size() * one.size();
        EXPECT_EQ(said, "'" + text.substr(0, shown) + "...'");
      }
  }
}
// Names with letters beyond ASCII are told, and found again when they are mistyped, in whatever place of the file.
TEST(Said, NamesBeyondAsciiAreTold) {
  for (const char* name :
       {"\xC3\xA4rmel", "m\xC3\xBCller", "\xE6\x89\x8B\xE8\x87\x82", "\xF0\x9F\xA6\xBE\xF0\x9F\xA6\xBE"}) {
    const std::string word = name, mistyped = "x" + word;
    EXPECT_EQ(io::unknown("body", mistyped, {"other", word}),
              "unknown body '" + mistyped + "'; did you mean '" + word + "'?");
    const Document read =
        read_text_as("r.yaml", "name: r\nbodies:\n  - {name: " + word + ", parent: " + mistyped + "}\n");
    EXPECT_TRUE(test::says(read.faults, 3, "'" + mistyped + "'")) << test::all_texts(read.faults);
    EXPECT_TRUE(test::says(read.faults, 3, "'" + word + "'")) << test::all_texts(read.faults);
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc
