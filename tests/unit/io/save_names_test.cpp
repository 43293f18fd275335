// What robots are called in the files that are written: the ground, shapes, meshes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <limits>
#include <regex>
#include <utility>

#include "denoc/error.hpp"
#include "denoc/model/model.hpp"
#include "unit/io/there_and_back.hpp"

namespace denoc {
namespace {
namespace THIS_FILE {

using test::read_text_as;
using test::there_and_back;

// A link `world` that looks like something is more than the ground.
TEST(Save, ShapesOfTheWorldStay) {
  const Robot robot = read_text_as("r.urdf", R"(<robot name="r"><link name="world">
<visual><geometry><box size="1 2 3"/></geometry></visual></link>
<link name="a"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
<joint name="j" type="continuous"><parent link="world"/><child link="a"/></joint></robot>)")
                          .robot;
  for (const auto& [file, name] : {std::pair{"r.urdf", "world"}, {"r.yaml", "world_link"}, {"r.xml", "world_link"}}) {
    const Robot again = there_and_back(robot, file);
    const int found = again.find(name);
    ASSERT_GT(found, 0) << file;
    ASSERT_EQ(again.bodies[static_cast<std::size_t>(found)].shapes.size(), 1u) << file;
    EXPECT_EQ(again.bodies[static_cast<std::size_t>(found)].shapes[0].size.z, 3) << file;
    EXPECT_EQ(Model(again).nv(), 1) << file;
  }
}

// Ten times the bodies take some ten times as long, not a hundred times.
TEST(Save, TimeGrowsWithTheBodies) {
  const auto ticks = [](int count, int parent, const char* file) {
    Robot robot;
    for (int b = 0; b < count; ++b) {
      Body body;
      body.name = b == 0 ? "world" : fmt::format("b{}", b);
      body.parent = b == 0 ? 0 : parent;
      body.joint.type = JointType::revolute;
      body.inertial.mass = 1;
      robot.bodies.push_back(body);
    }
    double least = std::numeric_limits<double>::infinity();
    for (int trial = 0; trial < 3; ++trial) {
      const std::clock_t start = std::clock();  // of this processor, whatever else it does
      robot_text(robot, file);
      least = std::min(least, static_cast<double>(std::clock() - start));
    }
    return least;
  };
  for (const char* file : {"r.urdf", "r.yaml"})
    for (const int parent : {0, 1}) EXPECT_LT(ticks(10'000, parent, file), 40 * ticks(1000, parent, file)) << file;
}

// The file of a mesh is named from the folder of the file that names it; one that is not there as it was said.
TEST(Save, MeshesAreNamedFromTheFolderOfTheFile) {
  const test::TemporaryFile source("arm.urdf", R"(<robot name="arm"><link name="a">
<visual><geometry><mesh filename="meshes/a.stl"/></geometry></visual>
<visual><geometry><mesh filename="meshes/none.stl"/></geometry></visual>
<visual><geometry><mesh filename="package://arm/meshes/a.stl"/></geometry></visual></link></robot>)");
  const std::filesystem::path folder = source.path().parent_path();
  for (const char* each : {"meshes", "other", "arm/meshes"}) std::filesystem::create_directories(folder / each);
  for (const char* each : {"meshes/a.stl", "arm/meshes/a.stl"}) std::ofstream(folder / each) << "x";
  // As the file says them: the same after it was read again.
  const auto names = [&](const std::filesystem::path& file, const LoadOptions& options) {
    const std::string text = robot_text(read_robot(source.path(), options).robot, file).text;
    std::ofstream(file) << text;
    EXPECT_EQ(robot_text(read_robot(file, options).robot, file).text, text);
    std::vector<std::string> said;
    const std::regex mesh("[a-z.:/]+\\.stl");
    for (std::sregex_iterator each(text.begin(), text.end(), mesh), end; each != end; ++each)
      said.push_back(each->str());
    return said;
  };
  using Names = std::vector<std::string>;
  for (const char* file : {"again.urdf", "again.yaml"})
    EXPECT_EQ(names(folder / file, {}), (Names{"meshes/a.stl", "meshes/none.stl", "arm/meshes/a.stl"})) << file;
  EXPECT_EQ(names(folder / "other" / "again.urdf", {}),
            (Names{"../meshes/a.stl", "../meshes/none.stl", "../arm/meshes/a.stl"}));
  EXPECT_EQ(names(folder / "again.urdf", {.to_urdf = true}),
            (Names{"meshes/a.stl", "meshes/none.stl", "package://arm/meshes/a.stl"}));
}

// Where folders are links the way by names may lead elsewhere, to nothing or to another mesh: what is written is found.
TEST(Save, MeshesAreFoundThroughLinksToFolders) {
  namespace fs = std::filesystem;
  const test::TemporaryFile source("arm.urdf", R"(<robot name="arm"><link name="a">
<visual><geometry><mesh filename="meshes/a.stl"/></geometry></visual></link></robot>)");
  const fs::path folder = source.path().parent_path(), mesh = folder / "meshes" / "a.stl";
  for (const char* each : {"meshes", "far/near", "far/meshes", "other/near"}) fs::create_directories(folder / each);
  for (const fs::path& each : {mesh, folder / "far/meshes/a.stl"}) std::ofstream(each) << "x";
  fs::create_directory_symlink("far/near", folder / "to_another");
  fs::create_directory_symlink(folder / "other/near", folder / "to_none");
  fs::create_directory_symlink("..", folder / "meshes" / "up");
  const Robot robot = read_robot(source.path()).robot;
  for (const char* into : {".", "other", "other/near", "to_another", "to_none", "meshes/up", "meshes"})
    for (const char* name : {"r.urdf", "r.yaml"}) {
      const fs::path file = folder / into / name;
      std::ofstream(file) << robot_text(robot, file).text;
      const std::string found = read_robot(file).robot.bodies.at(1).shapes.at(0).mesh;
      std::error_code error;
      EXPECT_TRUE(fs::equivalent(found, mesh, error)) << file << ": " << found;
    }
}

// A link `world` that is fixed to the ground is the ground of a URDF, wherever it stands among the others.
TEST(Save, TheWorldMayBeTheLastLink) {
  Robot robot = read_text_as("r.yaml", "bodies: [{name: arm, joint: revolute, mass: 1}]").robot;
  Body world;
  world.name = "world";
  world.joint.type = JointType::fixed;
  robot.bodies.push_back(world);
  const Robot again = there_and_back(robot, "r.urdf");
  EXPECT_EQ(again.bodies.size(), robot.bodies.size());
  for (const Body& body : again.bodies)
    if (body.name == "arm") {
      EXPECT_EQ(again.bodies[static_cast<std::size_t>(body.parent)].name, "world");
    }
}

// Of two things called `world` the ground keeps its name: what hangs on it, and a spring tied to it, stay there.
TEST(Save, ABodyCalledWorldGivesWayToTheGround) {
  Robot robot = read_text_as("r.yaml", R"(bodies:
  - {name: arm, joint: revolute, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
  - {name: world_link, parent: arm, joint: revolute, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
  - {name: hand, parent: world_link, joint: revolute, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
springs:
  - {a: {body: world, xyz: [1, 0, 0]}, b: {body: hand}, stiffness: 3}
)")
                    .robot;
  robot.bodies[3].name = "world";
  for (const char* file : {"r.yaml", "r.urdf", "r.xml"}) {
    const Robot again = there_and_back(robot, file);
    EXPECT_EQ(again.bodies.back().name, "world_link_") << file;
    ASSERT_EQ(again.springs.size(), 1u) << file;
    const auto name_at = [&](const Attachment& end) { return again.bodies[static_cast<std::size_t>(end.body)].name; };
    EXPECT_EQ(name_at(again.springs[0].a), "world") << file;
    EXPECT_EQ(name_at(again.springs[0].b), "world_link_") << file;
    EXPECT_EQ(Model(again).nv(), 3) << file;
  }
}

TEST(Save, TheWorldAloneIsARobot) {
  const Robot robot = read_text_as("r.urdf", "<robot name='r'><link name='world'/></robot>").robot;
  for (const auto& [file, name] : {std::pair{"r.urdf", "world"}, {"r.yaml", "world_link"}, {"r.xml", "world_link"}}) {
    const Robot again = there_and_back(robot, file);
    ASSERT_EQ(again.bodies.size(), 2u) << file;
    EXPECT_EQ(again.bodies[1].name, name) << file;
  }
}

// MuJoCo's shapes have no size of 0; those of URDF may.
TEST(Save, FlatShapesAreLeftOutOfMjcf) {
  Robot robot = read_text_as("r.yaml", "bodies: [{name: arm, joint: revolute, mass: 1}]").robot;
  for (const double height : {0.0, -1.0, 0.5}) {
    robot.bodies[1].shapes = {{Shape::Kind::box, {1, 1, height}}};
    const RobotText said = robot_text(robot, "r.xml");
    EXPECT_EQ(read_text_as("r.xml", said.text).robot.bodies[1].shapes.size(), height > 0 ? 1u : 0u);
    EXPECT_EQ(said.text.find("<geom") == std::string::npos, height <= 0);
    EXPECT_EQ(
        fmt::format("{}", fmt::join(said.unsaid, "\n")).find("has a size that is not above 0") == std::string::npos,
        height > 0);
  }
}

// Postures are written in the order of the coordinates, which has to come back with them, spaces in names or not.
TEST(Save, TheOrderComesBackWhateverTheNames) {
  for (const char* second : {"b", "b c", " "}) {
    const Robot robot = read_text_as("r.yaml", fmt::format(R"(bodies:
  - {{name: a, joint: revolute, mass: 1}}
  - {{name: "{}", parent: world, joint: revolute, mass: 1}}
  - {{name: d, parent: a, joint: revolute, mass: 1}}
postures: {{home: [0.1, 0.2, 0.3]}})",
                                                           second))
                            .robot;
    const Robot again = there_and_back(robot, "r.urdf");
    std::vector<std::string> names;
    for (const Body& body : again.bodies)
      if (body.joint.type == JointType::revolute) names.push_back(body.name);
    EXPECT_EQ(names, (std::vector<std::string>{"a", second, "d"}));
    ASSERT_EQ(again.postures.size(), 1u);
    EXPECT_EQ(again.postures[0].q, robot.postures[0].q);
  }
}

TEST(Save, OrdersAreRefusedThatMeanTwoThings) {
  const auto faults = [](const std::string& order) {
    return read_text_as("r.urdf", "<robot name='r'><link name='a'/>" + order + "</robot>").faults;
  };
  EXPECT_TRUE(faults("<order><link name='a'/></order>").empty());
  EXPECT_TRUE(test::says(faults("<order links='a'><link name='a'/></order>"), 1, "not both"));
  EXPECT_TRUE(test::says(faults("<order><link name='b'/></order>"), 1, "unknown link 'b'"));
  EXPECT_TRUE(test::says(faults("<order><link/></order>"), 1, "missing attribute 'name'"));
  EXPECT_TRUE(test::says(faults("<order><body name='a'/></order>"), 1, "unknown element 'body'"));
}

// A coupling of the same two joints that says something else takes a freedom of its own.
TEST(Save, ALoopBesideAMimicStays) {
  const Robot robot = read_text_as("r.urdf", R"(<robot name="r"><link name="world"/><link name="a"/><link name="b"/>
<joint name="j" type="continuous"><parent link="world"/><child link="a"/></joint>
<joint name="k" type="continuous"><parent link="world"/><child link="b"/><mimic joint="j" multiplier="2"/></joint>
<loop type="coupler" ratio="3"><a joint="j"/><b joint="k"/></loop></robot>)")
                          .robot;
  for (const char* file : {"r.urdf", "r.yaml", "r.xml"}) {
    const Robot again = there_and_back(robot, file);
    ASSERT_EQ(again.loops.size(), 2u) << file;
    EXPECT_EQ(again.loops[0].ratio, 2) << file;
    EXPECT_EQ(again.loops[1].ratio, 3) << file;
  }
}

// What <mimic> says by the same numbers is said once; one number that differs makes it another equation, which stays.
TEST(Save, OnlyTheCoupleOfAMimicIsLeftToIt) {
  for (const double ratio : {2.0, 3.0})
    for (const double offset : {0.0, 0.5, -0.5}) {
      Robot robot = read_text_as("r.urdf", R"(<robot name="r"><link name="world"/><link name="a"/><link name="b"/>
<joint name="j" type="continuous"><parent link="world"/><child link="a"/></joint>
<joint name="k" type="continuous"><parent link="world"/><child link="b"/>
<mimic joint="j" multiplier="2" offset="0.5"/></joint></robot>)")
                        .robot;
      ASSERT_EQ(robot.loops.size(), 1u);
      Loop other = robot.loops[0];
      other.ratio = ratio;
      other.offset = offset;
      robot.loops = {other};
      const Robot again = there_and_back(robot, "r.urdf");
      const bool is_same = ratio == 2 && offset == 0.5;
      ASSERT_EQ(again.loops.size(), is_same ? 1u : 2u) << ratio << ' ' << offset;
      EXPECT_EQ(again.loops.back().ratio, ratio) << offset;
      EXPECT_EQ(again.loops.back().offset, offset) << ratio;
    }
}

TEST(Save, OtherExtensionsAreRefused) {
  try {
    robot_text(load("pendulum"), "r.sdf");
    ADD_FAILURE();
  } catch (const ArgumentError& error) {
    EXPECT_STREQ(error.what(),
                 "r.sdf: a robot is written to .yaml, .yml, .mjcf, .xml, .urdf: its extension says which");
  }
}

// Names of all scripts come back as they are from every format: of the robot, of bodies and of joints; also those that other
// words of a file look like.
TEST(Save, NamesOfAllScriptsComeBack) {
  const char* const names[] = {"\xC3\xA4rmel",     "\xE6\x89\x8B\xE8\x87\x82",
                               "\xF0\x9F\xA6\xBE", "\xC2\xA0x",
                               "a \xC3\xBF b",     "\xD0\xBB\xD0\xB0\xD0\xBF\xD0\xB0",
                               "a: b, {c}",        "say \"a\\b\"",
                               "'a' & <b>",        "#1"};
  for (const char* file : {"r.urdf", "r.yaml", "r.xml"}) {
    Robot robot;
    robot.name = names[0];
    for (const char* name : names) {
      Body body;
      body.name = name;
      body.parent = int(robot.bodies.size()) - 1;
      body.joint.type = JointType::revolute;
      body.joint.name = std::string("of ") + name;
      body.inertial.mass = 1;
      body.inertial.inertia = {1, 0, 1, 0, 0, 1};
      robot.bodies.push_back(body);
    }
    const Robot again = there_and_back(robot, file);
    EXPECT_EQ(again.name, robot.name) << file;
    for (std::size_t b = 1; b < robot.bodies.size(); ++b) {
      const int found = again.find(robot.bodies[b].name);
      ASSERT_GT(found, 0) << file << ": " << robot.bodies[b].name;
      EXPECT_EQ(again.bodies[static_cast<std::size_t>(found)].joint.name, robot.bodies[b].joint.name) << file;
    }
  }
}

// Words that stand for no text in YAML, or for a number, a sign or a part of its syntax, are names as others.
TEST(Save, NamesThatLookLikeSomethingElseComeBack) {
  const char* const names[] = {"null", "Null", "NULL", "nULL", "~",   "true", "False", "yes", "NO", "on", "1e3",
                               "0x1F", ".inf", ".NaN", "-1",   "1.5", "pi",   "-",     "?",   ":",  "a:", "a #",
                               "<<",   "=",    "*a",   "&a",   "!a",  "%a",   "@a",    "`a`", "|",  ">",  "[]",
                               "{}",   ",",    "---",  "...",  "\\",  "'",    "\"",    "\\n", " a", "a ", "A.b/c_1"};
  for (const char* file : {"r.yaml", "r.urdf", "r.xml"}) {
    Robot robot;
    robot.gravity = {0, 0, -9.81};
    for (const char* name : names) {
      Body body;
      body.name = name;
      body.parent = int(robot.bodies.size()) - 1;
      body.joint.type = JointType::revolute;
      body.joint.name = names[robot.bodies.size() % std::size(names)];  // of the next
      body.inertial.mass = 1;
      body.inertial.inertia = {1, 0, 1, 0, 0, 1};
      robot.bodies.push_back(body);
    }
    for (const char* name : names) {
      robot.name = name;
      robot.postures = {{name, std::vector<double>(std::size(names), 0.5), {}}};
      const Robot again = there_and_back(robot, file);
      EXPECT_EQ(again.name, name) << file;
      ASSERT_EQ(again.postures.size(), 1u) << file << ": " << name;
      EXPECT_EQ(again.postures[0].name, name) << file;
      for (std::size_t b = 1; b < robot.bodies.size(); ++b) {
        const int found = again.find(robot.bodies[b].name);
        ASSERT_GT(found, 0) << file << ": " << robot.bodies[b].name;
        EXPECT_EQ(again.bodies[static_cast<std::size_t>(found)].joint.name, robot.bodies[b].joint.name) << file;
      }
    }
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc
