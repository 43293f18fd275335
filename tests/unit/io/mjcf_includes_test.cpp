// MJCF: files that include others.
#include <gtest/gtest.h>

#include "unit/io/mjcf_files.hpp"

namespace denoc {
namespace {
namespace THIS_FILE {

using test::all_texts;
using test::mjcf;
using test::says;
using test::TemporaryFile;

TEST(Mjcf, AnIncludedFileStandsWhereItIsIncluded) {
  const TemporaryFile main("robot.xml", MUJOCO(WORLD("<body name='a'><joint/>" MASS "\n<include file='part.xml'/>"
                                                     "</body>\n<body name='c'><joint/>" MASS "</body>\n")));
  const auto part = [&](const std::string& content) {
    std::ofstream(main.path().parent_path() / "part.xml") << "<mujocoinclude>\n" + content + "</mujocoinclude>\n";
    return read_robot(main.path());
  };
  const Document document = part("<body name='b'><joint name='j' type='slide'/><camera/>" MASS "</body>\n");
  EXPECT_TRUE(document.faults.empty()) << all_texts(document.faults);
  ASSERT_EQ(document.robot.bodies.size(), 4U);
  EXPECT_EQ(document.robot.bodies[2].name, "b");
  EXPECT_EQ(document.robot.bodies[2].parent, 1);
  EXPECT_TRUE(says(document.notes, 2, "part.xml:2: cameras: passed over (1): it moves nothing"))
      << all_texts(document.notes);
  EXPECT_TRUE(
      says(part("<body name='b'><joint axis='1 x 0'/>" MASS "</body>\n").faults, 2, "part.xml:2: <joint>: axis: "));
  EXPECT_TRUE(says(part("<include file='robot.xml'/>\n").faults, 2, "'robot.xml' is included twice"));
}

// Elements of a file that an included one includes, too; what only looks like an include stays.
TEST(Mjcf, TheWholeOfAFileReadsAsTheFileWithWhatItIncludes) {
  const TemporaryFile main("robot.xml",
                           "<mujoco model='&lt;!-- m'><!-- <include file='none.xml'/> -->\n" WORLD(
                               "<body name='a'><joint/>" MASS "\n<include file='part.xml'/></body>\n") "</mujoco>");
  const auto folder = main.path().parent_path();
  std::ofstream(folder / "part.xml") << "<mujocoinclude><body name='b'><joint/>" MASS
                                        "<include file='tip.xml'/></body><body name='c'><joint type='slide'/>" MASS
                                        "</body></mujocoinclude>";
  std::ofstream(folder / "tip.xml") << "<mujocoinclude><body name='tip'>" MASS "</body></mujocoinclude>";
  const Document parts = read_robot(main.path());
  ASSERT_TRUE(parts.faults.empty()) << all_texts(parts.faults);
  const Document whole = mjcf(parts.whole);
  EXPECT_TRUE(whole.faults.empty()) << all_texts(whole.faults);
  EXPECT_EQ(whole.robot.name, "<!-- m");
  ASSERT_EQ(whole.robot.bodies.size(), parts.robot.bodies.size());
  for (std::size_t b = 0; b < parts.robot.bodies.size(); ++b) {
    EXPECT_EQ(whole.robot.bodies[b].name, parts.robot.bodies[b].name);
    EXPECT_EQ(whole.robot.bodies[b].parent, parts.robot.bodies[b].parent);
    EXPECT_EQ(whole.robot.bodies[b].joint.type, parts.robot.bodies[b].joint.type);
  }
  EXPECT_EQ(whole.whole, "") << "it includes nothing";
  EXPECT_EQ(whole.format, "MJCF");
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc
