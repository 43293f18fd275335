// What bodies look like: read without a doubt where it is sound, told where it is not or where it is lost.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "denoc/io/save.hpp"
#include "unit/io/files.hpp"
#include "unit/io/mjcf_files.hpp"

namespace denoc {
namespace {
namespace THIS_FILE {

namespace fs = std::filesystem;
using test::all_texts;
using test::mjcf;
using test::read_text_as;
using test::says;
using test::TemporaryFile;

std::string urdf_with(const std::string& looks) {
  return fmt::format(
      "<robot name='r'><link name='base'/><link name='arm'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' "
      "ixy='0' ixz='0' iyz='0'/></inertial>{}</link><joint name='j' type='continuous'><parent link='base'/>"
      "<child link='arm'/></joint></robot>",
      looks);
}

// URDF has as many of them as it likes.
TEST(Shapes, LinksMayHaveSeveral) {
  const std::string sphere = "<geometry><sphere radius='1'/></geometry>",
                    box = "<geometry><box size='1 1 1'/></geometry>";
  for (const char* kind : {"visual", "collision"})
    for (const bool to_urdf : {false, true}) {
      const Document document = read_text_as(
          "r.urdf", urdf_with(fmt::format("<{0}>{1}</{0}><{0}>{2}</{0}>", kind, sphere, box)), {.to_urdf = to_urdf});
      EXPECT_TRUE(document.warnings.empty()) << kind << all_texts(document.warnings);
      EXPECT_EQ(document.robot.bodies.back().shapes.size(), 2u) << kind;
    }
}

TEST(Shapes, OfSizesThatMeanNothingAreDoubted) {
  const auto doubts = [](const std::string& geometry) {
    return read_text_as("r.urdf", urdf_with("<visual><geometry>" + geometry + "</geometry></visual>")).warnings;
  };
  EXPECT_TRUE(doubts("<mesh filename='a.stl' scale='2'/>").empty());
  EXPECT_TRUE(doubts("<mesh filename='a.stl' scale='1 -1 2'/>").empty()) << "mirrored";
  EXPECT_TRUE(says(doubts("<mesh filename='a.stl' scale='1 2'/>"), 1, "expected one number or three, found 2"));
  EXPECT_TRUE(
      says(doubts("<sphere radius='-1'/>"), 1, "link 'arm': a shape that it looks like has a negative size: -1"));
  EXPECT_TRUE(says(doubts("<cylinder radius='1' length='-2'/>"), 1, "negative size: 1, -2"));
  EXPECT_TRUE(doubts("<box size='0 1 1'/>").empty()) << "flat";
  const Document yaml = read_text_as(
      "r.yaml", "bodies: [{name: a, joint: revolute, mass: 1, shapes: [{type: box, size: [1, 1, -0.5]}]}]");
  EXPECT_TRUE(says(yaml.warnings, 1, "body 'a': a shape that it looks like has a negative size"))
      << all_texts(yaml.warnings);
}

// A mesh that lies in the folder where somebody happens to work is not the robot's.
TEST(Shapes, MeshesLieBesideTheRobot) {
  const fs::path before = fs::current_path();
  const TemporaryFile elsewhere("a.stl", "x");
  fs::current_path(elsewhere.path().parent_path());
  for (const auto& [file, text] :
       {std::pair<std::string, std::string>{
            "r.urdf", urdf_with("<visual><geometry><mesh filename='a.stl'/></geometry></visual>")},
        {"s.urdf", urdf_with("<visual><geometry><mesh filename='file://a.stl'/></geometry></visual>")},
        {"r.yaml", "bodies: [{name: a, joint: revolute, mass: 1, shapes: [{type: mesh, file: a.stl}]}]"},
        {"r.xml", MUJOCO("<asset><mesh name='a' file='a.stl'/></asset>" WORLD(
                      "<body><joint/>" MASS "<geom type='mesh' mesh='a'/></body>"))}}) {
    const TemporaryFile robot(file, text);
    const fs::path beside = robot.path().parent_path() / "a.stl",
                   out = robot.path().parent_path() / "deep" / "out.yaml";
    fs::create_directory(out.parent_path());
    for (const bool is_there : {false, true}) {
      if (is_there) std::ofstream(beside) << "x";
      const Robot read = read_robot(robot.path()).robot;
      ASSERT_EQ(read.bodies.back().shapes.size(), 1u) << file;
      EXPECT_EQ(read.bodies.back().shapes[0].mesh, beside.string()) << file << is_there;
      EXPECT_NE(robot_text(read, out).text.find("\"../a.stl\""), std::string::npos)
          << file << is_there << robot_text(read, out).text;
    }
  }
  fs::current_path(before);
}

TEST(Shapes, OfPackagesAreFoundHoweverManySlashesTheirNamesHave) {
  const TemporaryFile somewhere("x", "");
  const fs::path folder = somewhere.path().parent_path();
  fs::create_directories(folder / "arm/meshes");
  fs::create_directories(folder / "arm/urdf");
  std::ofstream(folder / "arm/meshes/a.stl") << "solid a\nendsolid a\n";
  const fs::path urdf = folder / "arm/urdf/r.urdf", beside = folder / "arm/urdf/b.stl";
  fs::copy_file(folder / "arm/meshes/a.stl", beside, fs::copy_options::overwrite_existing);
  const auto found = [&](const std::string& said, bool to_urdf) {
    std::ofstream(urdf) << urdf_with("<visual><geometry><mesh filename='" + said + "'/></geometry></visual>");
    const std::string mesh = read_robot(urdf.string(), {.to_urdf = to_urdf}).robot.bodies.back().shapes.at(0).mesh;
    return mesh.find("://") != std::string::npos ? mesh : fs::weakly_canonical(mesh).string();
  };
  const std::string expected = fs::weakly_canonical(folder / "arm/meshes/a.stl").string();
  for (const std::string scheme : {"package://", "package:///", "package:////", "model://", "model:///"}) {
    EXPECT_EQ(found(scheme + "arm/meshes/a.stl", false), expected);
    EXPECT_EQ(found(scheme + "arm/meshes/none.stl", false), scheme + "arm/meshes/none.stl");
    EXPECT_EQ(found(scheme + "arm/meshes/a.stl", true), scheme + "arm/meshes/a.stl") << "stays";
    EXPECT_EQ(found(scheme + "leg/meshes/a.stl", false), scheme + "leg/meshes/a.stl") << "another package's";
  }
  // A file is where it is, whichever format it is written to.
  for (const bool to_urdf : {false, true})
    for (const std::string& said : std::vector<std::string>{"b.stl", "file://b.stl", "file://" + beside.string()})
      EXPECT_EQ(found(said, to_urdf), fs::weakly_canonical(beside).string()) << said;
}

// What is not drawn is said: meshes that MuJoCo makes or that stand in the file itself, and what stands in the world.
TEST(Shapes, OfMjcfThatAreNotReadAreNamed) {
  const Document document = mjcf(MUJOCO("<asset><mesh name='tet' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset>\n" WORLD(
      "<geom type='box' size='1 1 1' contype='0' conaffinity='0'/><geom type='plane' size='1 1 1'/>\n<body name='b'>"
      "<joint/>" MASS "<geom type='mesh' mesh='tet' contype='0' conaffinity='0'/></body>")));
  ASSERT_TRUE(document.faults.empty()) << all_texts(document.faults);
  EXPECT_TRUE(says(document.notes, 5, "meshes without a file: passed over (1)")) << all_texts(document.notes);
  EXPECT_TRUE(says(document.notes, 4, "geoms of the world: passed over (1)")) << all_texts(document.notes);
  EXPECT_TRUE(document.robot.bodies.back().shapes.empty());
  for (const char* file : {"r.yaml", "r.urdf"}) {
    const Document again = read_text_as(file, robot_text(document.robot, file).text);
    EXPECT_TRUE(again.faults.empty() && again.warnings.empty()) << all_texts(again.faults) << all_texts(again.warnings);
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc
