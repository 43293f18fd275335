// The root of a URDF that is written: the one link on which all others hang, with what the robot says of it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "denoc/model/manifold.hpp"
#include "support/build.hpp"
#include "unit/io/same_robot.hpp"
#include "unit/io/there_and_back.hpp"

namespace denoc {
namespace {
namespace THIS_FILE {

using test::add;
using test::expect_same_tree;
using test::joint;
using test::mass;
using test::read_text_as;
using Names = std::vector<std::string>;

std::string urdf_of(const Robot& robot) { return robot_text(robot, "r.urdf").text; }
Names found_in(const std::string& text, const char* pattern) {
  Names names;
  const std::regex each(pattern);
  for (std::sregex_iterator i(text.begin(), text.end(), each), end; i != end; ++i) names.push_back((*i)[1]);
  return names;
}
// The links that are no joint's child.
Names roots_of(const std::string& text) {
  Names links = found_in(text, "<link name=\"([^\"]*)\"");
  for (const std::string& child : found_in(text, "<child link=\"([^\"]*)\"")) std::erase(links, child);
  return links;
}
// What stands between <link name="..."> and its end.
std::string link_of(const std::string& text, const std::string& name) {
  const std::size_t from = text.find("<link name=\"" + name + "\""), close = text.find('>', from);
  return text[close - 1] == '/' ? "" : text.substr(close, text.find("</link>", close) - close);
}
bool says_mass(const std::string& text, const std::string& link) {
  return link_of(text, link).find("<inertial>") != std::string::npos;
}

// A body of the given joint on the ground, and a hinge on it.
Robot on(JointType type, const Inertial& inertial, const Pose<double>& joint_frame = {}, const Pose<double>& own = {}) {
  Robot robot;
  robot.name = "r";
  Body& post = add(robot, joint(type), inertial);
  post.name = "post";
  post.joint_frame = joint_frame;
  post.own_frame = own;
  add(robot, joint(JointType::revolute, {0, 1, 0}), mass(1, {0.3, 0, 0}, {0.1, 0, 0.1, 0, 0, 0.1}), {0, 0, 0.5}).name =
      "arm";
  return robot;
}
const Pose<double> moved{identity3<double>(), {0.1, 0.2, 0.3}},
    turned{rotation(unit(Quaternion<double>{1, 0.2, -0.3, 0.4})), {}};

// A body that stands on the ground as it is, without inertia, is the root itself, whose inertia no reader counts; one
// that weighs something, is moved or turned, and one that moves, hangs on a link for the ground. Either way there is one
// root, and the robot comes back with all that it weighs.
TEST(SaveUrdf, HasOneRoot) {
  for (const JointType type : {JointType::fixed, JointType::revolute, JointType::prismatic})
    for (const Inertial& inertial : {mass(0), mass(2, {0.1, 0, 0}, {0.1, 0, 0.1, 0, 0, 0.1})})
      for (const Pose<double>& frame : {Pose<double>{}, moved, turned})
        for (const Pose<double>& own : {Pose<double>{}, moved, turned}) {
          const auto lies = [](const Pose<double>& p) { return norm(p.r) == 0 && p.R.xx == 1 && p.R.yy == 1; };
          const bool is_root = type == JointType::fixed && inertial.mass == 0 && lies(frame) && lies(own);
          const Robot robot = on(type, inertial, frame, own);
          const std::string text = urdf_of(robot);
          EXPECT_EQ(roots_of(text), Names{is_root ? "post" : "world"}) << text;
          EXPECT_EQ(std::ranges::count(found_in(text, "<link name=\"([^\"]*)\""), "world"), is_root ? 0 : 1) << text;
          const Document document = read_text_as("r.urdf", text);
          ASSERT_TRUE(document.faults.empty()) << test::all_texts(document.faults);
          expect_same_tree(document.robot, robot, text);
          double mass = 0;
          for (const Body& body : document.robot.bodies) mass += body.inertial.mass;
          EXPECT_EQ(mass, 1 + inertial.mass) << text;
        }
}

// The root of a URDF that stands on the ground has inertia for a free base alone: it is kept from URDF to URDF, and no
// other format has a word for it.
TEST(SaveUrdf, KeepsTheInertiaOfItsRoot) {
  const Robot robot =
      read_text_as("r.urdf", R"(<robot name="r"><link name="post"><inertial><origin xyz="0 0 1"/><mass value="5"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link><link name="arm"/>
<joint name="j" type="fixed"><parent link="post"/><child link="arm"/></joint></robot>)")
          .robot;
  EXPECT_EQ(robot.bodies[1].inertial.mass, 0);
  EXPECT_NE(link_of(urdf_of(robot), "post").find("<mass value=\"5\"/>"), std::string::npos) << urdf_of(robot);
  EXPECT_EQ(roots_of(urdf_of(robot)), Names{"post"});
  EXPECT_TRUE(robot_text(robot, "r.urdf").unsaid.empty());
  for (const char* file : {"r.yaml", "r.xml"}) {
    const RobotText said = robot_text(robot, file);
    ASSERT_EQ(std::ranges::count(said.unsaid, "link 'post': its inertia, which only a free base feels"), 1) << file;
    EXPECT_EQ(said.text.find("mass: 5"), std::string::npos) << said.text;
  }
}

// Two bodies on the ground have no root among them; a body that hangs on the first does not count, wherever it stands.
TEST(SaveUrdf, TwoBodiesOnTheGroundHaveALinkForIt) {
  for (const int parent : {0, 1})
    for (const JointType type : {JointType::fixed, JointType::revolute}) {
      Robot robot = on(JointType::fixed, mass(0));
      Body& other = add(robot, joint(type), mass(1, {0, 0.1, 0}, {0.1, 0, 0.1, 0, 0, 0.1}), {0, 0, 1});
      other.name = "other";
      other.parent = parent;
      const std::string text = urdf_of(robot);
      EXPECT_EQ(roots_of(text), Names{parent == 0 ? "world" : "post"}) << text;
      expect_same_tree(read_text_as("r.urdf", text).robot, robot, text);
    }
}

// A link `world` is the ground itself, where it says nothing more; beside others on the ground, too.
TEST(SaveUrdf, ALinkCalledWorldIsTheGround) {
  for (const int parents : {0, 1})
    for (const double weight : {0.0, 2.0}) {
      Robot robot = on(JointType::fixed, mass(weight));
      robot.bodies[1].name = "world";
      robot.bodies[2].parent = parents;
      const std::string text = urdf_of(robot);
      ASSERT_EQ(roots_of(text), Names{"world"}) << text;
      EXPECT_EQ(std::ranges::count(found_in(text, "<link name=\"([^\"]*)\""), "world"), 1) << text;
      expect_same_tree(read_text_as("r.urdf", text).robot, robot, text);
    }
}

// A link that is welded and says nothing has no <inertial>; whatever one of its numbers is not zero, or it moves, it
// has one, and all of it comes back. (Of the root itself a reader has no use.)
TEST(SaveUrdf, MasslessLinksSaySoWhereTheyMove) {
  std::vector<Inertial> some(4);
  some[0].mass = 2;
  some[1].com = {0, 0, 0.25};
  some[2].inertia = {0.5, 0, 0.5, 0, 0, 0.25};
  some[3].hub = {0, 0, 0, 0, 0, 0.125};
  for (const JointType type : {JointType::fixed, JointType::revolute}) {
    const auto with = [&](const Inertial& inertial) {
      Robot robot = on(JointType::revolute, mass(1, {0.1, 0, 0}, {0.1, 0, 0.1, 0, 0, 0.1}));
      add(robot, joint(type), inertial, {0, 0, 0.5}).name = "tip";
      return robot;
    };
    EXPECT_EQ(says_mass(urdf_of(with({})), "tip"), type != JointType::fixed) << urdf_of(with({}));
    for (const Inertial& inertial : some) {
      const std::string text = urdf_of(with(inertial));
      EXPECT_TRUE(says_mass(text, "tip")) << text;
      const Robot again = read_text_as("r.urdf", text).robot;
      const Inertial& found = again.bodies[static_cast<std::size_t>(again.find("tip"))].inertial;
      EXPECT_EQ(found.mass, inertial.mass) << text;
      EXPECT_EQ(norm(found.com - inertial.com), 0) << text;
      for (const auto& [x, y] : {std::pair{found.inertia, inertial.inertia}, {found.hub, inertial.hub}})
        for (const auto entry : {&Sym3<double>::xx, &Sym3<double>::yy, &Sym3<double>::zz})
          EXPECT_EQ(x.*entry, y.*entry) << text;
    }
  }
  EXPECT_FALSE(says_mass(urdf_of(on(JointType::fixed, {})), "post"));
  EXPECT_TRUE(says_mass(urdf_of(on(JointType::fixed, mass(2))), "post"));
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc
