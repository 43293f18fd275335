// URDF that is refused: on which line, and in which words.
#include <gtest/gtest.h>

#include "unit/io/files.hpp"

namespace denoc {
namespace {
namespace THIS_FILE {

using test::all_texts;
using test::Broken;
using test::read_text_as;
using test::says;

#define LINK(name) "<link name='" name "'/>\n"
#define JOINT(name, type, parent, child, more) \
  "<joint name='" name "' type='" type "'><parent link='" parent "'/><child link='" child "'/>" more "</joint>\n"
#define CONTINUOUS(name, parent, child) JOINT(name, "continuous", parent, child, "")
#define ROBOT(content) "<robot name='r'>\n" content "</robot>\n"
#define WITH_INERTIAL(content) ROBOT("<link name='a'><inertial>\n" content "</inertial></link>\n")
#define MASS(value) "<mass value='" value "'/>\n"
#define SPHERE "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/>\n"
#define JOINT_WITH(type, more) ROBOT(LINK("a") LINK("b") JOINT("j", type, "a", "b", "\n" more))

const Broken broken_files[] = {
    {"several roots", ROBOT(LINK("a") LINK("b")), 3,
     "link 'b': several roots: it has no parent, and neither has 'a' (line 2)"},
    {"two parents",
     ROBOT(LINK("a") LINK("b") LINK("c") CONTINUOUS("j", "a", "b") CONTINUOUS("k", "a", "c") CONTINUOUS("l", "b", "c")),
     7, "joint 'l': link 'c' has two parents: it is already the child of joint 'k' (line 6)"},
    {"loop without root", ROBOT(LINK("a") LINK("b") CONTINUOUS("j", "a", "b") CONTINUOUS("k", "b", "a")), 5,
     "joint 'k': the links form a loop"},
    {"loop beside the tree", ROBOT(LINK("r") LINK("a") LINK("b") CONTINUOUS("j", "a", "b") CONTINUOUS("k", "b", "a")),
     6, "the links form a loop"},
    {"self-parent", ROBOT(LINK("a") LINK("b") CONTINUOUS("j", "a", "b") CONTINUOUS("k", "b", "b")), 5,
     "link 'b' is its own parent"},
    {"only a self-parent", ROBOT(LINK("a") CONTINUOUS("k", "a", "a")), 3, "link 'a' is its own parent"},
    {"duplicate link", ROBOT(LINK("a") LINK("b") CONTINUOUS("j", "a", "b") LINK("b")), 5,
     "duplicate name: 'b' is already the name of another body (line 3)"},
    {"duplicate joint", ROBOT(LINK("a") LINK("b") LINK("c") CONTINUOUS("j", "a", "b") CONTINUOUS("j", "a", "c")), 6,
     "joint 'j': duplicate name: 'j' is already the name of another joint (line 5)"},
    {"duplicate joint higher up",  // depth first it is the first of the two
     ROBOT(LINK("a") LINK("b") LINK("c") CONTINUOUS("j", "b", "c") CONTINUOUS("j", "a", "b")), 6,
     "joint 'j': duplicate name: 'j' is already the name of another joint (line 5)"},
    {"unknown parent", ROBOT(LINK("base_link") LINK("arm") CONTINUOUS("j", "bas_link", "arm")), 4,
     "joint 'j': parent: unknown link 'bas_link'; did you mean 'base_link'?"},
    {"unknown child", ROBOT(LINK("a") CONTINUOUS("j", "a", "nowhere")), 3, "child: unknown link 'nowhere'"},
    {"missing parent", ROBOT(LINK("a") "<joint name='j' type='fixed'>\n<child link='a'/></joint>\n"), 3,
     "joint 'j': missing element <parent>"},
    {"missing child", ROBOT(LINK("a") "<joint name='j' type='fixed'>\n<parent link='a'/></joint>\n"), 3,
     "missing element <child>"},
    {"parent without link",
     ROBOT(LINK("a") LINK("b") "<joint name='j' type='fixed'>\n<parent/><child link='b'/></joint>\n"), 5,
     "parent: missing attribute 'link'"},
    {"zero axis", JOINT_WITH("revolute", "<axis xyz='0 0 0'/>\n"), 5, "joint 'j': axis: a zero vector is no axis"},
    {"zero planar axis", JOINT_WITH("planar", "<axis xyz='0 0 0'/>\n"), 5, "axis: a zero vector is no axis"},
    {"axis of two", JOINT_WITH("revolute", "<axis xyz='0 1'/>\n"), 5,
     "joint 'j': axis: xyz: expected 3 numbers, found 2"},
    {"axis of four", JOINT_WITH("revolute", "<axis xyz='0 1 0 0'/>\n"), 5, "expected 3 numbers, found 4"},
    {"empty axis", JOINT_WITH("revolute", "<axis xyz=''/>\n"), 5, "expected 3 numbers, found 0"},
    {"axis with commas", JOINT_WITH("revolute", "<axis xyz='0,1,0'/>\n"), 5, "comma", 2},
    {"axis with a word", JOINT_WITH("revolute", "<axis xyz='0 up 0'/>\n"), 5, "'up' is not a number"},
    {"axis with nan", JOINT_WITH("revolute", "<axis xyz='nan 0 1'/>\n"), 5, "'nan' is not a finite number"},
    {"bad origin", JOINT_WITH("revolute", "<origin xyz='0 0 0' rpy='0 0 90deg'/>\n"), 5,
     "origin: rpy: '90deg': 'deg' follows the number"},
    {"zero quaternion", JOINT_WITH("continuous", "<origin quat_xyzw='0 0 -0 0'/>\n"), 5,
     "joint 'j': origin: quat_xyzw: a zero quaternion is no rotation"},
    {"quaternion of three", JOINT_WITH("continuous", "<origin quat_xyzw='0 0 1'/>\n"), 5,
     "origin: quat_xyzw: expected 4 numbers, found 3"},
    {"rpy and quaternion", JOINT_WITH("continuous", "<origin rpy='0 0 0' quat_xyzw='0 0 0 1'/>\n"), 5,
     "joint 'j': origin: rpy: either rpy or quat_xyzw, not both"},
    {"no type", ROBOT(LINK("a") LINK("b") "<joint name='j'><parent link='a'/><child link='b'/></joint>\n"), 4,
     "missing attribute 'type'"},
    {"unknown type", JOINT_WITH("revolut", ""), 4, "unknown joint type 'revolut'; did you mean 'revolute'?"},
    {"negative friction", JOINT_WITH("revolute", "<dynamics friction='-0.1'/>\n"), 5,
     "Coulomb friction is not negative"},
    {"mimic of itself", JOINT_WITH("revolute", "<mimic joint='j'/>\n"), 5, "does not mimic itself"},
    {"no links", ROBOT(""), 1, "at least one link"},
    {"comma in mass", WITH_INERTIAL(MASS("1,5") SPHERE), 3,
     "link 'a': inertial: mass: value: '1,5': decimals are written with a point"},
    {"nan mass", WITH_INERTIAL(MASS("nan") SPHERE), 3, "'nan' is not a finite number"},
    {"inf mass", WITH_INERTIAL(MASS("inf") SPHERE), 3, "'inf' is not a finite number"},
    {"too large mass", WITH_INERTIAL(MASS("1e999") SPHERE), 3, "'1e999' is too large"},
    {"mass with unit", WITH_INERTIAL(MASS("1.5kg") SPHERE), 3, "'1.5kg': 'kg' follows the number"},
    {"empty mass", WITH_INERTIAL(MASS("") SPHERE), 3, "empty where a number is expected"},
    {"hexadecimal mass", WITH_INERTIAL(MASS("0x10") SPHERE), 3, "hexadecimal"},
    {"mass given twice", WITH_INERTIAL("<mass value='1' value='2'/>\n" SPHERE), 3,
     "an attribute is malformed, or given twice"},
    {"negative mass", WITH_INERTIAL(MASS("-1") SPHERE), 3, "link 'a': mass: a mass is not negative: -1"},
    {"xacro expression", WITH_INERTIAL(MASS("${m}") SPHERE), 3, "xacro expression"},
    {"other root", "<?xml version='1.0'?>\n<sdf/>\n", 2, "the root element is <sdf>, expected <robot>"},
    {"two roots", ROBOT(LINK("a")) ROBOT(LINK("a")), 4, "a second root element <robot>"},
    {"text after the end", ROBOT(LINK("a")) "\nand so on", 5, "text outside of all elements"},
    {"unclosed", "<robot name='r'>\n" LINK("a"), 0, "not XML"},
    {"mismatched", "<robot name='r'>\n<link name='a'>\n</robot>\n", 0, "closing tag does not match"},
    {"unquoted attribute", "<robot name='r'>\n<link name=a/>\n</robot>\n", 2, "an attribute is malformed"},
    {"unclosed comment", "<robot name='r'>\n<!-- \n</robot>\n", 2, "a comment is not ended"},
    {"yaml in urdf", "dh: {}\n", 0, "not XML"},
    {"only a comment", "<!-- nothing -->\n", 1, "no element in the file"},
};

class BrokenUrdf : public ::testing::TestWithParam<Broken> {};

TEST_P(BrokenUrdf, IsRefusedWithLineAndRule) {
  const Broken& broken = GetParam();
  const Document document = read_text_as("robot.urdf", broken.text);
  EXPECT_TRUE(says(document.faults, broken.line, broken.fragment)) << broken.name << "\n" << all_texts(document.faults);
  EXPECT_EQ(document.faults.size(), broken.faults) << broken.name << "\n" << all_texts(document.faults);
}

std::string test_name(const ::testing::TestParamInfo<Broken>& info) {
  std::string name = info.param.name;
  for (char& c : name) c = c == ' ' || c == '-' ? '_' : c;
  return name;
}
INSTANTIATE_TEST_SUITE_P(Files, BrokenUrdf, ::testing::ValuesIn(broken_files), test_name);

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc
