// MJCF: what a class says is as if the elements said it, and sections that continue each other are one section: of each
// attribute in turn.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string_view>
#include <utility>

#include "unit/io/mjcf_files.hpp"
#include "unit/io/readings.hpp"

namespace denoc {
namespace {
namespace THIS_FILE {

using test::is_same;
using test::Reading;
using test::text_of;

// Files of one name in one folder, so that their messages and meshes are called the same.
class Folder {
 public:
  void put(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = main_.path().parent_path() / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }
  // Small tetrahedra and large ones.
  void put_mesh(const std::string& name, double size) const {
    put(name, fmt::format("v 0 0 0\nv {0} 0 0\nv 0 {0} 0\nv 0 0 {0}\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n", size));
  }
  Reading read(const std::string& text) const {
    std::ofstream(main_.path(), std::ios::binary) << text;
    return test::reading_of(read_robot(main_.path()));
  }

 private:
  test::TemporaryFile main_{"robot.xml", ""};
};

// Two things that may be said of a kind of element, and are not the same.
struct Words {
  const char *kind, *one, *other;
};

const Words words_of_classes[] = {
    {"joint", "type='slide'", "type='ball'"},
    {"joint", "pos='0.1 0.2 0.3'", "pos='0.3 0 0.1'"},
    {"joint", "axis='1 2 3'", "axis='0 1 0'"},
    {"joint", "range='-10 20'", "range='-30 40'"},
    {"joint", "range='-10 20' limited='false'", "range='-10 20' limited='true'"},
    {"joint", "ref='20'", "ref='-30'"},
    {"joint", "stiffness='2'", "stiffness='3'"},
    {"joint", "springref='20'", "springref='30'"},
    {"joint", "springdamper='1 2' stiffness='1'", "springdamper='0 0' stiffness='1'"},
    {"joint", "damping='2'", "damping='3'"},
    {"joint", "frictionloss='2'", "frictionloss='3'"},
    {"joint", "armature='2'", "armature='3'"},
    {"joint", "actuatorfrcrange='-20 20'", "actuatorfrcrange='-30 30'"},
    {"joint", "actuatorfrcrange='-2 2' actuatorfrclimited='false'", "actuatorfrcrange='-2 2'"},
    {"geom", "size='0.1'", "size='0.2'"},
    {"geom", "type='box' size='0.1 0.2 0.3'", "type='ellipsoid' size='0.1 0.2 0.3'"},
    {"geom", "type='capsule' size='0.1' fromto='0 0 0 1 2 3'", "type='capsule' size='0.1' fromto='0 0 0 3 2 1'"},
    {"geom", "size='0.1' pos='0 1 2'", "size='0.1' pos='2 1 0'"},
    {"geom", "size='0.1' mass='2'", "size='0.1' mass='3'"},
    {"geom", "size='0.1' density='200'", "size='0.1' density='300'"},
    {"geom", "size='0.1' density='0' mass='1'", "size='0.1' density='300' mass='2'"},
    {"geom", "size='0.1' group='3'", "size='0.1' group='2'"},
    {"geom", "type='cylinder' size='0.1 0.3' quat='1 2 3 4'", "type='cylinder' size='0.1 0.3' quat='4 3 2 1'"},
    {"geom", "type='cylinder' size='0.1 0.3' euler='20 30 40'", "type='cylinder' size='0.1 0.3' euler='40 30 20'"},
    {"geom", "type='mesh' mesh='m'", "type='sphere' size='0.1'"},
    {"site", "pos='0.1 0.2 0.3'", "pos='0.3 0 0.1'"},
    {"site", "quat='1 2 3 4'", "quat='4 3 2 1'"},
    {"site", "type='capsule' fromto='0 0 0 1 2 3'", "type='capsule' fromto='1 1 1 3 2 2'"},
    {"tendon", "stiffness='2'", "stiffness='3'"},
    {"tendon", "damping='2'", "damping='3'"},
    {"tendon", "stiffness='2' springlength='0'", "stiffness='2' springlength='0.1'"},
    {"equality", "active='false'", "active='true'"},
    {"motor", "gear='20'", "gear='30'"},
    {"mesh", "scale='0.1 0.2 0.3'", "scale='0.3 0.2 0.1'"},
    {"mesh", "inertia='shell'", "inertia='exact'"},
};

// What is said where, beside the words of the row.
struct Said {
  std::string defaults = {}, body = {}, frame = {}, element = {};
};
// A robot with an element of each kind.
std::string robot_of(const Words& row, const Said& said) {
  const auto words = [&](std::string_view kind, const char* otherwise) {
    return row.kind == kind ? said.element : std::string(otherwise);
  };
  const bool has_mesh = row.kind == std::string_view("mesh");
  return fmt::format(
      "<mujoco>{0}<asset><mesh name='m' file='m.obj' {1}/></asset><worldbody>"
      "<body name='post' pos='1 2 3' {2}><frame {3}><site name='g' {6}/></frame></body>"
      "<body name='arm' {2}><frame {3}><joint name='h' {4}/><geom {5}/><site name='s' {6}/></frame></body></worldbody>"
      "<tendon><spatial {7}><site site='g'/><site site='s'/></spatial></tendon>"
      "<equality><weld site1='g' site2='s' {8}/></equality><actuator><motor joint='h' {9}/></actuator></mujoco>",
      said.defaults, words("mesh", ""), said.body, said.frame, words("joint", ""),
      words("geom", has_mesh ? "type='mesh' mesh='m'" : "size='0.1'"), words("site", ""),
      words("tendon", "stiffness='1'"), words("equality", ""), words("motor", ""));
}

// The nearest that says it counts: the element, its class, the childclass of the nearest frame or body around it, the
// classes around that class; of two sections the later.
TEST(MjcfClasses, SayWhatTheElementWouldSay) {
  const Folder folder;
  folder.put_mesh("m.obj", 1);
  for (const Words& row : words_of_classes) {
    const auto read = [&](const Said& said) { return folder.read(robot_of(row, said)); };
    const auto tag = [&](const char* words) { return fmt::format("<{} {}/>", row.kind, words); };
    const auto a_class = [](const std::string& name, const std::string& content) {
      return fmt::format("<default class='{}'>{}</default>", name, content);
    };
    const auto section = [](const std::string& content) { return fmt::format("<default>{}</default>", content); };
    const std::string one = tag(row.one), other = tag(row.other),
                      two_classes = section(a_class("c", one) + a_class("d", other));
    const Reading plain = read({.element = row.one});
    ASSERT_FALSE(is_same(plain, read({.element = row.other}))) << row.kind << ": " << row.one;
    std::vector<Said> all = {
        {.defaults = section(one)},
        {.defaults = section(other), .element = row.one},
        {.defaults = section(other) + section(one)},
        {.defaults = section(other) + section("") + section(one) + section("")},
        {.defaults = section(a_class("c", one)), .element = "class='c'"},
        {.defaults = section(other + a_class("c", one)), .element = "class='c'"},
        {.defaults = section(other) + section(a_class("c", one)), .element = "class='c'"},
        {.defaults = section(a_class("c", one)) + section(other), .element = "class='c'"},
        {.defaults = section(a_class("c", other)), .element = fmt::format("class='c' {}", row.one)},
        {.defaults = section(a_class("d", other + a_class("c", one))), .element = "class='c'"},
        {.defaults = section(a_class("d", one + a_class("c", ""))), .element = "class='c'"},
        {.defaults = section(one + a_class("c", other)), .element = "class='main'"},
    };
    const bool stands_in_a_body = row.kind == std::string_view("joint") || row.kind == std::string_view("geom") ||
                                  row.kind == std::string_view("site");
    if (stands_in_a_body)
      all.insert(all.end(), {{.defaults = two_classes, .body = "childclass='c'"},
                             {.defaults = two_classes, .frame = "childclass='c'"},
                             {.defaults = two_classes, .body = "childclass='d'", .frame = "childclass='c'"},
                             {.defaults = two_classes, .body = "childclass='c'", .frame = "pos='0 0 0'"},
                             {.defaults = two_classes, .frame = "childclass='d'", .element = "class='c'"},
                             {.defaults = two_classes, .frame = "childclass='d'", .element = row.one},
                             {.defaults = section(one + a_class("c", "")), .frame = "childclass='c'"}});
    for (const Said& said : all) {
      const Reading found = read(said);
      EXPECT_TRUE(is_same(found, plain)) << row.kind << ": " << row.one << "\n"
                                         << robot_of(row, said) << "\n"
                                         << text_of(found) << "not\n"
                                         << text_of(plain);
    }
  }
}

// Of each setting, too.
const std::pair<const char*, const char*> words_of_compilers[] = {
    {"angle='radian'", "angle='degree'"},
    {"eulerseq='xYz'", "eulerseq='ZyX'"},
    {"inertiafromgeom='true'", "inertiafromgeom='false'"},
    {"inertiagrouprange='0 0'", "inertiagrouprange='1 3'"},
    {"boundmass='0.5'", "boundmass='0.3'"},
    {"boundinertia='0.03'", "boundinertia='0.02'"},
    {"balanceinertia='true'", "balanceinertia='false'"},
    {"settotalmass='5'", "settotalmass='6'"},
    {"settotalmass='5' fusestatic='true'", "settotalmass='5' fusestatic='false'"},
    {"autolimits='false'", "autolimits='true'"},
    {"alignfree='true'", "alignfree='false'"},
    {"strippath='true'", "strippath='false'"},
    {"meshdir='here'", "meshdir='there'"},
    {"assetdir='here'", "assetdir='there'"},
};
// Its posts, angles, geoms, inertias, limits and meshes feel every setting.
std::string robot_with(const std::string& compilers) {
  return fmt::format(
      "<mujoco>{}<asset><mesh name='m' file='deep/m.obj'/></asset><worldbody><body name='post'>"
      "<geom size='0.1'/></body><body name='arm' euler='0.1 0.2 0.3'><joint name='h' range='-1 2'/>"
      "<inertial pos='0.1 0 0' mass='0.1' diaginertia='0.01 0.02 0.05'/><geom size='0.1'/>"
      "<geom type='box' size='0.1 0.2 0.3' group='1'/><body name='tool'><joint name='t'/><geom size='0.2' group='3'/>"
      "<geom type='mesh' mesh='m'/></body></body><body name='ball'><freejoint name='f'/>" MASS
      "</body></worldbody></mujoco>",
      compilers);
}

TEST(MjcfCompiler, SectionsThatContinueEachOtherAreOne) {
  const Folder folder;
  double size = 1;
  for (const char* name : {"m.obj", "deep/m.obj", "here/deep/m.obj", "there/deep/m.obj"})
    folder.put_mesh(name, size *= 1.25);
  const auto read = [&](const std::string& compilers) { return folder.read(robot_with(compilers)); };
  const auto section = [](const std::string& words) { return fmt::format("<compiler {}/>", words); };
  const auto expect_same = [&](const std::string& compilers, const Reading& expected) {
    const Reading found = read(compilers);
    EXPECT_TRUE(is_same(found, expected)) << compilers << "\n" << text_of(found) << "not\n" << text_of(expected);
  };
  for (const auto& [words, other_words] : words_of_compilers) {
    const std::string one = section(words), other = section(other_words);
    const Reading plain = read(one);
    ASSERT_FALSE(is_same(plain, read(other))) << words;
    expect_same(one + section(""), plain);
    expect_same(section("") + one, plain);
    expect_same(other + one, plain);
    expect_same(fmt::format("{}{}{}", other, section("conflict='merge'"), one), plain);
    // With one that says another attribute; a meshdir counts before an assetdir within one section only.
    const auto attribute = [](std::string_view all) { return all.substr(0, all.find('=')); };
    for (const auto& [more, unused] : words_of_compilers) {
      if (attribute(words) == attribute(more) || attribute(words) == "meshdir") continue;
      expect_same(one + section(more), read(section(fmt::format("{} {}", words, more))));
    }
  }
}

// meshdir counts before an assetdir beside it, whichever stands first; of two sections the later counts.
TEST(MjcfCompiler, MeshesLieInMeshdirBeforeAssetdir) {
  const Folder folder;
  folder.put_mesh("here/deep/m.obj", 1);
  folder.put_mesh("there/deep/m.obj", 2);
  const auto read = [&](const char* compilers) { return folder.read(robot_with(compilers)); };
  const Reading here = read("<compiler meshdir='here'/>"), there = read("<compiler meshdir='there'/>");
  ASSERT_FALSE(is_same(here, there));
  for (const char* compilers :
       {"<compiler assetdir='here'/>", "<compiler meshdir='here' assetdir='there'/>",
        "<compiler assetdir='there' meshdir='here'/>", "<compiler assetdir='there'/><compiler meshdir='here'/>",
        "<compiler meshdir='there'/><compiler assetdir='here'/>", "<compiler assetdir='here' texturedir='there'/>"})
    EXPECT_TRUE(is_same(read(compilers), here)) << compilers;
}

// All actuators have one default, whatever word says it; MuJoCo 4.0 has the same gears.
TEST(MjcfClasses, OfActuatorsAreShared) {
  for (const auto& [of_class, gear] : {std::pair{"", 50}, {" class='c'", 7}}) {
    const Robot robot = test::sound(
        fmt::format("<mujoco><default><general gear='50'/><default class='c'><position "
                    "gear='7'/></default></default><worldbody><body>"
                    "<joint name='j'/>" MASS "</body></worldbody><actuator><motor joint='j'{}/></actuator></mujoco>",
                    of_class));
    EXPECT_EQ(robot.bodies[1].joint.actuator.gear, gear);
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc
