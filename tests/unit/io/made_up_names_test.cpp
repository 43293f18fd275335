// A link of URDF without a name is called by its number, and yields to the names that the file gives anywhere.
#include <gtest/gtest.h>

#include "unit/io/files.hpp"

namespace denoc {
namespace {
namespace THIS_FILE {

using test::all_texts;
using test::read_text_as;
using test::says;
using Names = std::vector<std::string>;

Names names_of(const Robot& robot) {
  Names names;
  for (std::size_t i = 1; i < robot.bodies.size(); ++i) names.push_back(robot.bodies[i].name);
  return names;
}

const std::string mass =
    "<inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link>\n";
std::string joint(const std::string& attributes, const std::string& parent, const std::string& child) {
  return "<joint " + attributes + " type='continuous'><parent link='" + parent + "'/><child link='" + child +
         "'/></joint>\n";
}

TEST(MadeUpNames, OfLinksYieldToLinksFurtherDown) {
  const Document document = read_text_as("r.urdf", "<robot name='r'><link>" + mass + "<link name='link1'>" + mass +
                                                       "<link name='tip'>" + mass + joint("name='j'", "", "link1") +
                                                       joint("name='k'", "link1", "tip") + "</robot>");
  EXPECT_TRUE(document.faults.empty()) << all_texts(document.faults);
  EXPECT_TRUE(says(document.warnings, 1, "a link without a name: called 'link1_' by its number"))
      << all_texts(document.warnings);
  ASSERT_EQ(names_of(document.robot), (Names{"link1_", "link1", "tip"}));
  EXPECT_EQ(document.robot.bodies[2].parent, 1);
  EXPECT_EQ(document.robot.bodies[3].parent, 2) << "the link that is called so, not the one without a name";
}

// A joint without a name is called as its child.
TEST(MadeUpNames, OfLinksYieldToJoints) {
  const Document document =
      read_text_as("r.urdf", "<robot name='r'><link name='a'>" + mass + "<link>" + mass + "<link name='b'>" + mass +
                                 joint("", "a", "") + joint("name='link2'", "a", "b") + "</robot>");
  EXPECT_TRUE(document.faults.empty()) << all_texts(document.faults);
  EXPECT_EQ(names_of(document.robot), (Names{"a", "link2_", "b"}));
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc
