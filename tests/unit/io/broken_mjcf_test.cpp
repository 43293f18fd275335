// MJCF: what is doubted and what is refused, each in its words.
#include <gtest/gtest.h>

#include "unit/io/mjcf_files.hpp"

namespace denoc {
namespace {
namespace THIS_FILE {

using test::all_texts;
using test::Broken;
using test::mjcf;
using test::says;

#define TWO_ARMS ARM "<body><joint/>" MASS "</body>\n"

// What changes the motion and is left out of it is doubted.
struct Doubted {
  const char* name;
  const char* text;
  int line;
  const char* fragment;
};
const Doubted doubted_files[] = {
    {"equality of tendons",
     MUJOCO(WORLD(ARM) "<tendon><fixed name='t'><joint joint='h' coef='1'/></fixed></tendon>\n"
                       "<equality>\n<tendon name='e' tendon1='t'/></equality>\n"),
     7, "tendon 'e': an equality of tendons is passed over: the robot moves as if it did not hold"},
    {"tendon spring",
     MUJOCO(WORLD(ARM) "<tendon>\n<fixed name='t' stiffness='2'><joint joint='h' coef='1'/></fixed></tendon>\n"), 6,
     "fixed 't': stiffness: the force of a tendon is passed over"},
    {"efforts of two sizes",
     MUJOCO(WORLD("<body name='arm'>\n<joint name='h' actuatorfrcrange='-2 5'/>" MASS "</body>\n")), 4,
     "joint 'h': actuatorfrcrange: the limit of effort is one for both ways, and taken as 5"},
    {"air", MUJOCO("<option density='1.2'/>\n" WORLD(ARM)), 2, "density: the forces of the air or water"},
    {"gravity compensation", MUJOCO(WORLD("<body name='arm' gravcomp='1'>" HINGE MASS "</body>\n")), 3,
     "body 'arm': gravcomp: the force that holds the weight of the body is passed over"},
    {"mocap", MUJOCO(WORLD(ARM "<body name='m' mocap='true'>" MASS "</body>\n")), 4, "mocap: the body stands where"},
    {"range of a ball", MUJOCO(WORLD("<body><joint type='ball' range='0 90'/>" MASS "</body>\n")), 3,
     "range: the limit of a ball's angle is passed over"},
    {"spring of a ball", MUJOCO(WORLD("<body><joint type='ball' stiffness='1'/>" MASS "</body>\n")), 3,
     "stiffness: the spring of a ball joint is passed over"},
    {"springs that yield", MUJOCO(WORLD("<body><joint stiffness='1' springyield='0.1'/>" MASS "</body>\n")), 3,
     "springyield: the spring is taken as elastic: it never yields"},
    {"springdamper", MUJOCO(WORLD("<body><joint springdamper='1 1'/>" MASS "</body>\n")), 3,
     "springdamper is passed over"},
    {"nonlinear damping", MUJOCO(WORLD("<body><joint damping='1 2'/>" MASS "</body>\n")), 3,
     "damping: what is not linear in it is passed over"},
    {"equalities off",
     MUJOCO("<option><flag equality='disable'/></option>\n" TWO
            "<equality><joint joint1='x' joint2='y'/></equality>\n"),
     2, "equality=\"disable\": equalities are loops all the same"},
};
class MjcfDoubts : public ::testing::TestWithParam<Doubted> {};
TEST_P(MjcfDoubts, AreToldAndRefusedByStrict) {
  const Doubted& doubted = GetParam();
  const Document document = mjcf(doubted.text);
  EXPECT_TRUE(document.faults.empty()) << all_texts(document.faults);
  EXPECT_TRUE(says(document.warnings, doubted.line, doubted.fragment)) << all_texts(document.warnings);
  EXPECT_TRUE(says(mjcf(doubted.text, {.strict = true}).faults, doubted.line, doubted.fragment));
}
std::string name_of_case(const std::string& said) {
  std::string name = said;
  for (char& c : name) c = c == ' ' ? '_' : c;
  return name;
}
INSTANTIATE_TEST_SUITE_P(MjcfFiles, MjcfDoubts, ::testing::ValuesIn(doubted_files),
                         [](const auto& file) { return name_of_case(file.param.name); });

#define BODY(content) MUJOCO(WORLD("<body name='arm'>\n" content "</body>\n"))
#define SITES WORLD("<site name='g'/><body name='arm'>" HINGE MASS "<site name='s'/></body>\n")
const Broken broken_files[] = {
    {"no XML", "<mujoco><worldbody></mujoco>", 1, ""},
    {"unknown section", MUJOCO("<worldbodies/>\n"), 2, "unknown element 'worldbodies'; did you mean 'worldbody'?"},
    {"no body", MUJOCO(WORLD("<geom type='plane' size='1 1 1'/>\n")), 1, "<mujoco>: a robot has at least one body"},
    {"no world", MUJOCO("<option/>\n"), 1, "<mujoco>: a robot has at least one body"},
    {"unknown element", BODY("<jiont/>\n"), 4, "unknown element 'jiont'; did you mean 'joint'?"},
    {"unknown actuator", MUJOCO(WORLD(ARM) "<actuator>\n<motr joint='h'/></actuator>\n"), 6,
     "unknown element 'motr'; did you mean 'motor'?"},
    {"unknown attribute of a joint", BODY("<joint dampin='1'/>" MASS "\n"), 4, "unknown attribute 'dampin'"},
    {"unknown attribute of a geom", BODY(HINGE "<geom size='1' densty='1'/>\n"), 4, "unknown attribute 'densty'"},
    {"unknown attribute of a default", MUJOCO("<default><joint armatur='1'/></default>\n" WORLD(TWO_ARMS)), 2,
     "default class 'main': joint: unknown attribute 'armatur'"},
    {"unknown attribute of a site", BODY(HINGE MASS "<site form='0 0 0'/>\n"), 4, "<site>: unknown attribute 'form'"},
    {"unknown attribute of a weld", MUJOCO(TWO "<equality><weld body1='a' body2='b' relpos='0 0 0'/></equality>\n"), 0,
     "<weld>: unknown attribute 'relpos'; did you mean 'relpose'?"},
    {"unknown attribute of a coupling", MUJOCO(TWO "<equality><joint joint1='x' polycof='1'/></equality>\n"), 0,
     "<joint>: unknown attribute 'polycof'; did you mean 'polycoef'?"},
    {"unknown attribute of a tendon",
     MUJOCO(WORLD("<site name='s'/>" ARM) "<tendon><spatial springlenght='1'><site site='s'/></spatial></tendon>\n"), 0,
     "<spatial>: unknown attribute 'springlenght'; did you mean 'springlength'?"},
    {"unknown attribute of the way of a tendon",
     MUJOCO(WORLD(ARM) "<tendon><fixed><joint joint='h' coeff='1'/></fixed></tendon>\n"), 0,
     "<joint>: unknown attribute 'coeff'; did you mean 'coef'?"},
    {"unknown way of a tendon", MUJOCO(WORLD(ARM) "<tendon><fixed><site site='h'/></fixed></tendon>\n"), 0,
     "<site>: unknown element 'site'"},
    {"unknown attribute of an actuator", MUJOCO(WORLD(ARM) "<actuator><motor joint='h' armatur='1'/></actuator>\n"), 0,
     "<motor>: unknown attribute 'armatur'; did you mean 'armature'?"},
    {"unknown attribute of the options", MUJOCO("<option gravty='0 0 0'/>\n" WORLD(ARM)), 2,
     "<option>: unknown attribute 'gravty'; did you mean 'gravity'?"},
    {"unknown flag", MUJOCO("<option><flag gravty='disable'/></option>\n" WORLD(ARM)), 2,
     "<flag>: unknown attribute 'gravty'; did you mean 'gravity'?"},
    {"unknown option", MUJOCO("<option><flags/></option>\n" WORLD(ARM)), 2, "unknown element 'flags'"},
    {"unknown equality", MUJOCO(TWO "<equality><welt body1='a'/></equality>\n"), 0,
     "unknown element 'welt'; did you mean 'weld'?"},
    {"no number", BODY(HINGE "<inertial pos='0 0 0' mass='1,5' diaginertia='1 1 1'/>\n"), 4, "<inertial>: mass: "},
    {"too few numbers", BODY("<joint name='j' axis='1 0'/>" MASS "\n"), 4,
     "joint 'j': axis: expected 3 numbers, found 2"},
    {"range at infinity", BODY("<joint name='j' range='1e300 1e301'/>" MASS "\n"), 4,
     "no number lies between the lower limit inf and the upper inf"},
    {"limited without range", BODY("<joint name='j' limited='true'/>" MASS "\n"), 4,
     "joint 'j': limited: there is no range"},
    {"range in reverse", BODY("<joint name='j' range='2 1'/>" MASS "\n"), 4,
     "joint 'j': range: its first number is not above its second"},
    {"range of effort in reverse", BODY("<joint name='j' actuatorfrcrange='2 1'/>" MASS "\n"), 4,
     "joint 'j': actuatorfrcrange: its first number is not above its second"},
    {"zero axis", BODY("<joint name='j' axis='0 0 0'/>" MASS "\n"), 4, "axis"},
    {"unknown type of joint", BODY("<joint name='j' type='hing'/>" MASS "\n"), 4,
     "joint 'j': type: unknown word 'hing'; did you mean 'hinge'?"},
    {"zero quaternion", MUJOCO(WORLD("<body name='arm' quat='0 0 0 0'>" HINGE MASS "</body>\n")), 3,
     "body 'arm': quat: a zero quaternion is no rotation"},
    {"turned twice", MUJOCO(WORLD("<body name='arm' quat='1 0 0 0' euler='0 0 0'>" HINGE MASS "</body>\n")), 3,
     "body 'arm': an element is turned in one way: quat, axisangle, euler, xyaxes or zaxis"},
    {"turned twice by a default",
     MUJOCO(
         "<default><geom quat='1 0 0 0' euler='0 0 0'/></default>\n" WORLD("<body>" HINGE "<geom size='1'/></body>\n")),
     2, "default class 'main': geom: an element is turned in one way"},
    {"parallel axes", MUJOCO(WORLD("<body name='arm' xyaxes='1 0 0 2 0 0'>" HINGE MASS "</body>\n")), 3,
     "xyaxes: two axes that are not zero and not parallel"},
    {"euler sequence", MUJOCO("<compiler eulerseq='xyw'/>\n" WORLD(ARM)), 2,
     "<compiler>: eulerseq: three letters of x, y, z, X, Y, Z, not 'xyw'"},
    {"global coordinates", MUJOCO("<compiler coordinate='global'/>\n" WORLD(ARM)), 2,
     "coordinate: global coordinates are not read: save the file with coordinate=\"local\""},
    {"unknown class", BODY("<joint name='j' class='leg'/>" MASS "\n"), 4, "joint 'j': class: unknown class 'leg'"},
    {"class given twice", MUJOCO("<default><default class='a'/>\n<default class='a'/></default>\n" WORLD(ARM)), 3,
     "class: there is a class 'a' already"},
    {"include of nothing", MUJOCO("<include/>\n" WORLD(ARM)), 2, "<include>: missing attribute 'file'"},
    {"include without a name", MUJOCO("<include file=''/>\n" WORLD(ARM)), 2, "<include>: attribute 'file' is empty"},
    {"missing file", MUJOCO("<include file='nowhere.xml'/>\n" WORLD(ARM)), 2,
     "'nowhere.xml' cannot be included: there is no such file"},
    {"joint in the world", MUJOCO(WORLD("<joint/>\n" ARM)), 3, "<joint>: the world has no joints"},
    {"free joint within", MUJOCO(WORLD("<body name='a'>" HINGE MASS "\n<body><freejoint/>" MASS "</body></body>\n")), 4,
     "<freejoint>: a free joint is the only joint of a body in the world"},
    {"free joint and another", BODY("<freejoint/><joint/>" MASS "\n"), 4, "a free joint is the only joint"},
    {"two inertials", BODY(HINGE MASS "\n" MASS "\n"), 5, "<inertial>: body 'arm' has an <inertial> already"},
    {"no mass", BODY(HINGE "<inertial pos='0 0 0' diaginertia='1 1 1'/>\n"), 4, "<inertial>: missing attribute 'mass'"},
    {"negative mass", BODY(HINGE "<inertial pos='0 0 0' mass='-1' diaginertia='1 1 1'/>\n"), 4,
     "<inertial>: mass: it is not negative"},
    {"two tensors", BODY(HINGE "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1' fullinertia='1 1 1 0 0 0'/>\n"), 4,
     "either diaginertia or fullinertia, not both"},
    {"turned tensor", BODY(HINGE "<inertial pos='0 0 0' mass='1' euler='90 0 0' fullinertia='1 1 1 0 0 0'/>\n"), 4,
     "fullinertia: the tensor stands in the axes of the body"},
    {"box with one size", BODY(HINGE "<geom name='g' type='box' size='1'/>\n"), 4,
     "geom 'g': size: a box has 3 positive numbers"},
    {"geom without size", BODY(HINGE "<geom/>\n"), 4, "<geom>: size: a sphere has 1 positive number"},
    {"ends of a sphere", BODY(HINGE "<geom size='1' fromto='0 0 0 0 0 1'/>\n"), 4, "fromto: a sphere has no ends"},
    {"ends of a round site",
     MUJOCO(WORLD("<site name='g'/><body>" HINGE MASS "\n<site name='s' fromto='0 0 0 0 0 1'/></body>\n")  //
            "<equality><connect site1='g' site2='s'/></equality>\n"),
     4, "site 's': fromto: a sphere has no ends"},
    {"ends that meet", BODY(HINGE "<geom type='capsule' size='1' fromto='0 0 1 0 0 1'/>\n"), 4,
     "fromto: its two points are the same"},
    {"ends and a place", BODY(HINGE "<geom type='capsule' size='1' fromto='0 0 0 0 0 1' pos='1 0 0'/>\n"), 4,
     "fromto: it says where the ends are, and pos says it again"},
    {"a place by default of what has ends",
     MUJOCO("<default><geom pos='1 0 0'/></default>\n" WORLD(
         "<body>" HINGE "\n<geom type='capsule' size='1' fromto='0 0 0 0 0 1'/></body>\n")),
     5, "fromto: it says where the ends are, and pos says it again"},
    {"ends and a place of a site",
     MUJOCO(WORLD("<site name='g'/><body>" HINGE MASS
                  "\n<site name='s' type='capsule' fromto='0 0 0 0 0 1' pos='0 1 0'/></body>\n")  //
            "<equality><connect site1='g' site2='s'/></equality>\n"),
     4, "site 's': fromto: it says where the ends are"},
    {"a range that may be none",
     MUJOCO("<compiler autolimits='false'/>\n" WORLD("<body>\n<joint name='j' range='-1 1'/>" MASS "</body>\n")), 5,
     "joint 'j': range: without autolimits it needs limited=\"true\" or \"false\""},
    {"a range of effort that may be none",
     MUJOCO("<compiler autolimits='false'/>\n" WORLD("<body>\n<joint name='j' actuatorfrcrange='-1 1'/>" MASS
                                                     "</body>\n")),
     5, "joint 'j': actuatorfrcrange: without autolimits it needs actuatorfrclimited=\"true\" or \"false\""},
    {"a plane that moves", BODY(HINGE MASS "\n<body>\n<geom type='plane' size='1 1 1'/></body>\n"), 6,
     "type: a plane stands: this body moves"},
    {"a hollow geom of a mesh",
     MUJOCO("<asset><mesh name='m' file='m.obj'/></asset>\n" WORLD(
         "<body>" HINGE "\n<geom type='mesh' mesh='m' shellinertia='true'/></body>\n")),
     5, "shellinertia: say it of the mesh: <mesh inertia=\"shell\"/>"},
    {"two defaults of a kind", MUJOCO("<default><joint damping='1'/>\n<joint armature='1'/></default>\n" WORLD(ARM)), 3,
     "<joint>: there is a <joint> already"},
    {"negative density", BODY(HINGE "<geom size='1' density='-1'/>\n"), 4, "density: it is not negative"},
    {"unknown mesh", BODY(HINGE "<geom type='mesh' mesh='hull'/>\n"), 4, "mesh: unknown mesh 'hull'"},
    // Names are looked up where nothing else is read of an element, too: MuJoCo refuses them.
    {"unknown mesh beside an inertial", BODY(HINGE MASS "<geom type='mesh' mesh='hull' group='3'/>\n"), 4,
     "mesh: unknown mesh 'hull'"},
    {"a mesh without a name beside an inertial", BODY(HINGE MASS "<geom type='mesh'/>\n"), 4,
     "a geom of type mesh names one"},
    {"inertia of the world", MUJOCO(WORLD(MASS "\n" ARM)), 3, "the world has no inertia"},
    {"unknown site of a tendon that pulls nothing",
     MUJOCO(WORLD("<site name='s'/>" ARM) "<tendon><spatial><site site='s'/>\n<site site='t'/></spatial></tendon>\n"),
     6, "<site>: site: unknown site 't'"},
    {"unknown joint of a fixed tendon",
     MUJOCO(WORLD(ARM) "<tendon><fixed><joint joint='hh' coef='1'/></fixed></tendon>\n"), 5, "unknown joint 'hh'"},
    {"a site called twice", MUJOCO(WORLD("<site name='s'/>\n<site name='s'/>" ARM)), 4,
     "name: another site is called 's'"},
    {"unknown site of an actuator", MUJOCO(WORLD(ARM) "<actuator><motor site='s'/></actuator>\n"), 5,
     "unknown site 's'"},
    {"unknown site of a sensor", MUJOCO(WORLD(ARM) "<sensor><gyro site='s'/></sensor>\n"), 5, "unknown site 's'"},
    {"unknown body of an exclude", MUJOCO(WORLD(ARM) "<contact><exclude body1='arm' body2='leg'/></contact>\n"), 5,
     "body2: unknown body 'leg'"},
    {"unknown joint of an equality that does not act",
     MUJOCO(WORLD(ARM) "<equality><joint joint1='k' active='false'/></equality>\n"), 5, "joint1: unknown joint 'k'"},
    {"missing mesh file",
     MUJOCO("<asset><mesh name='hull' file='hull.stl'/></asset>\n" WORLD("<body name='arm'>" HINGE
                                                                         "<geom type='mesh' mesh='hull'/></body>\n")),
     2, "The body has no <inertial>: its inertia would come from the mesh"},
    {"composite", BODY(HINGE MASS "<composite type='grid'/>\n"), 4,
     "<composite> is not read: save the model as MuJoCo compiles it, and give that"},
    {"called world", BODY("<body name='world'><joint/>" MASS "</body>" HINGE MASS "\n"), 4,
     "name: 'world' is the ground"},
    {"names given twice", MUJOCO(WORLD(ARM "<body name='arm'><joint/>" MASS "</body>\n")), 4, "duplicate"},
    {"unknown body", MUJOCO(TWO "<equality>\n<connect body1='c' anchor='0 0 0'/></equality>\n"), 0,
     "body1: unknown body 'c'"},
    {"connect without anchor", MUJOCO(TWO "<equality><connect name='e' body1='b'/></equality>\n"), 0,
     "connect 'e': missing attribute 'anchor'"},
    {"equality of nothing", MUJOCO(TWO "<equality><weld/></equality>\n"), 0, "it names body1, or site1 and site2"},
    {"sites with a relpose of bodies",
     MUJOCO(SITES "<equality><weld site1='g' site2='s' relpose='0 0 1 1 0 0 0'/></equality>\n"), 0,
     "relpose: the ends are two sites, or on two bodies: site1 and site2 stand without it"},
    {"sites with an anchor of bodies",
     MUJOCO(SITES "<equality><connect site1='g' site2='s' anchor='0 0 1'/></equality>\n"), 0,
     "anchor: the ends are two sites"},
    {"a site and a body", MUJOCO(SITES "<equality><connect body1='arm' site2='g' anchor='0 0 0'/></equality>\n"), 0,
     "body1: the ends are two sites"},
    {"sites and a body", MUJOCO(SITES "<equality><weld site1='g' site2='s' body2='arm'/></equality>\n"), 0,
     "body2: the ends are two sites"},
    {"unknown joint of an actuator", MUJOCO(WORLD(ARM) "<actuator>\n<motor joint='hh'/></actuator>\n"), 6,
     "joint: unknown joint 'hh'; did you mean 'h'?"},
    {"unknown joint", MUJOCO(TWO "<equality><joint joint1='z'/></equality>\n"), 0, "joint1: unknown joint 'z'"},
    {"coupling of a ball",
     MUJOCO(WORLD("<body><joint name='s' type='ball'/>" MASS "</body>" ARM)  //
            "<equality><joint joint1='s' joint2='h'/></equality>\n"),
     0, "joint 's' has 4 coordinates: a coupling wants joints with one"},
    {"first site of a tendon",
     MUJOCO(SITES "<tendon>\n<spatial stiffness='1'>\n<site site='gg'/>\n<site site='s'/></spatial></tendon>\n"), 7,
     "site: unknown site 'gg'"},
    {"second site of a tendon",
     MUJOCO(SITES "<tendon>\n<spatial stiffness='1'>\n<site site='g'/>\n<site site='t'/></spatial></tendon>\n"), 8,
     "site: unknown site 't'"},
    {"armature of a tendon",
     MUJOCO(WORLD(ARM) "<tendon><fixed name='t' armature='1'><joint joint='h' coef='1'/></fixed></tendon>\n"), 0,
     "armature: the inertia of a tendon is not computed: say it as armature of the joints"},
    {"armature of an actuator", MUJOCO(WORLD(ARM) "<actuator><motor joint='h' armature='1'/></actuator>\n"), 0,
     "armature: say it as armature of the joint: gear^2 times this"},
    {"long keyframe", MUJOCO(TWO "<keyframe><key name='k' qpos='1 2 3'/></keyframe>\n"), 0,
     "key 'k': qpos: expected 0 to 2 numbers, found 3"},
    {"keyframe with a zero quaternion",
     MUJOCO(WORLD("<body><joint name='s' type='ball'/>" MASS
                  "</body>\n") "<keyframe><key name='k' qpos='0 0 0 0'/></keyframe>\n"),
     0, "key 'k': qpos: the quaternion of joint 's' is zero"},
    {"keyframes of one name", MUJOCO(TWO "<keyframe><key name='k' qpos='1 1'/><key name='k' qpos='1 1'/></keyframe>\n"),
     0, "key 'k': duplicate name: there is another posture 'k'"},
    {"replicas without end", BODY(HINGE MASS "<replicate count='1e9'><geom size='1'/></replicate>\n"), 4,
     "count: a whole number from 0 to 100000"},
};
class BrokenMjcf : public ::testing::TestWithParam<Broken> {};
TEST_P(BrokenMjcf, IsRefusedWithFileLineElementAndRule) {
  const Broken& broken = GetParam();
  const Document document = mjcf(broken.text);
  EXPECT_TRUE(says(document.faults, broken.line, broken.fragment)) << all_texts(document.faults);
  EXPECT_EQ(document.faults.size(), broken.faults) << all_texts(document.faults);
  for (const Fault& fault : document.faults) {
    if (!fault.source.file.ends_with("nowhere.xml")) {
      EXPECT_GT(fault.source.line, 0) << fault.text();
    }
  }
}
INSTANTIATE_TEST_SUITE_P(MjcfFiles, BrokenMjcf, ::testing::ValuesIn(broken_files),
                         [](const auto& file) { return name_of_case(file.param.name); });

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc
