// MJCF: inertias as the file says them, of geoms and meshes, and what the compiler makes of them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <numbers>

#include "support/expect.hpp"
#include "unit/io/mjcf_files.hpp"

namespace denoc {
namespace {
namespace THIS_FILE {

using test::all_texts;
using test::body_with;
using test::expect_near;
using test::list;
using test::mjcf;
using test::named;
using test::says;
using test::TemporaryFile;

constexpr double pi = std::numbers::pi;

TEST(Mjcf, Inertials) {
  const Inertial turned =
      body_with("", "", HINGE "<inertial pos='1 2 3' mass='4' diaginertia='1 2 2.5' euler='90 0 0'/>").inertial;
  EXPECT_EQ(turned.mass, 4);
  expect_near(list(turned.com), {1, 2, 3}, 0, "mass centre");
  expect_near(list(turned.inertia), {1, 2.5, 2, 0, 0, 0}, 1e-15, "the axes of 2 and 2.5 trade places");
  const Inertial full =
      body_with("", "", HINGE "<inertial pos='0 0 0' mass='4' fullinertia='1 2 2.5 0.1 0.2 0.3'/>").inertial;
  expect_near(list(full.inertia), {1, 2, 2.5, 0.1, 0.2, 0.3}, 0, "xx yy zz xy xz yz");
}

// As MuJoCo 4.0.0 has them.
TEST(Mjcf, AnInertialStandsInTheFramesAroundIt) {
  const Inertial turned =
      body_with("", "",
                HINGE
                "<frame pos='1 2 3' euler='10 20 30'><frame pos='0 0 1' euler='0 40 0'>"
                "<inertial pos='0.5 0.1 0.2' mass='2' euler='50 0 0' diaginertia='1 2 2.5'/></frame></frame>")
          .inertial;
  EXPECT_EQ(turned.mass, 2);
  expect_near(list(turned.com), {1.653835292219, 2.224801687681, 3.696845592241}, 1e-12, "mass centre");
  expect_near(list(turned.inertia),
              {2.2108867492971593, 1.8462585559010936, 1.4428546948017473, -0.42064619936783915, 0.35821304345829014,
               0.3612200417614507},
              1e-15, "inertia");
  const Inertial full = body_with("", "",
                                  HINGE
                                  "<frame pos='1 0 0' euler='0 0 90'>"
                                  "<inertial pos='0.5 0 0' mass='2' fullinertia='1 2 2.5 0.1 0.2 0.3'/></frame>")
                            .inertial;
  expect_near(list(full.com), {1, 0.5, 0}, 1e-16, "mass centre");
  expect_near(list(full.inertia), {2, 1, 2.5, -0.1, -0.3, 0.2}, 1e-15, "the whole tensor turns along");
}

TEST(Mjcf, AnInertialCountsWhereNoGeomDoes) {
  const std::string said = HINGE "<inertial pos='1 0 0' mass='3' diaginertia='1 1 1'/>";
  const auto mass = [&](const std::string& words, const std::string& geom) {
    return body_with("<compiler inertiafromgeom='true' " + words + "/>", "", said + geom).inertial.mass;
  };
  EXPECT_EQ(mass("", ""), 3);
  EXPECT_EQ(mass("", "<geom size='0.1' mass='0'/>"), 3);
  EXPECT_EQ(mass("", "<geom size='0.1' density='0'/>"), 3);
  EXPECT_EQ(mass("inertiagrouprange='3 4'", "<geom size='0.1'/>"), 3);
  EXPECT_EQ(mass("", "<geom size='0.1' mass='2'/>"), 2);
}

// Of all that turn a geom the nearest counts, whatever its words are. The last two moments as MuJoCo 4.0.0 has them.
TEST(Mjcf, WhatTurnsAGeomIsNotTurnedByADefault) {
  const auto moments = [](const std::string& of_default, const std::string& of_class, const std::string& of_geom) {
    const std::string settings = "<default><geom type='capsule' size='0.05 0.2' mass='1' " + of_default +
                                 "/><default class='c'><geom " + of_class + "/></default></default>";
    return list(body_with(settings, "", HINGE "<geom class='c' " + of_geom + "/>").inertial.inertia);
  };
  const std::vector<std::string> turns = {"quat='0.5 0.5 0.5 0.5'", "euler='30 40 50'", "zaxis='0 1 1'",
                                          "axisangle='1 2 3 40'", "xyaxes='0 1 0 1 0 1'"};
  for (const std::string& near : turns) {
    for (const std::string& far : turns) {
      const std::vector<double> alone = moments("", "", near);
      EXPECT_EQ(moments(far, "", near), alone) << far << " " << near;
      EXPECT_EQ(moments(far, near, ""), alone) << far << " " << near;
      EXPECT_EQ(moments("", far, near), alone) << far << " " << near;
    }
  }
  expect_near(moments("quat='0.5 0.5 0.5 0.5'", "", "euler='30 40 50'"),
              {0.01158849728473448, 0.016299304250244957, 0.011112198465020578, 0.004352498551259313,
               -0.007538748630651064, 0.004492165382121544},
              1e-17 * 10, "a default's quaternion, angles of the geom");
  expect_near(moments("euler='10 20 30'", "", "pos='0 0 0'"),
              {0.01682485713114097, 0.018422140817764672, 0.003753002051094365, 0.0009866313221291072,
               -0.005595464279856198, 0.0026695649366942115},
              1e-17 * 10, "a default's angles, none of the geom");
}

// The moments of homogeneous bodies.
TEST(Mjcf, GeomsOfSimpleShapeGiveTheInertia) {
  struct Row {
    const char* words;
    double mass;
    std::vector<double> moments;  // of one kg
  };
  const double r = 0.1, l = 0.4, ball = 4 * pi / 3 * r * r * r, tube = pi * r * r * l, capsule = ball + tube;
  // The half balls' mass centres are 3 r/8 off their flat sides.
  const double across =
      (tube * (r * r / 4 + l * l / 12) + ball * (2 * r * r / 5 + l * l / 4 + 3 * l * r / 8)) / capsule;
  const double along = (tube * r * r / 2 + ball * 2 * r * r / 5) / capsule;
  const double a = 0.1, b = 0.2, c = 0.3, rod = r * r / 4 + l * l / 12;
  const Row rows[] = {
      {"type='sphere' size='0.1'", 1000 * ball, {2 * r * r / 5, 2 * r * r / 5, 2 * r * r / 5}},
      {"size='0.1'", 1000 * ball, {2 * r * r / 5, 2 * r * r / 5, 2 * r * r / 5}},
      {"type='capsule' size='0.1 0.2'", 1000 * capsule, {across, across, along}},
      {"type='capsule' size='0.1' fromto='-0.2 0 0 0.2 0 0'", 1000 * capsule, {along, across, across}},
      {"type='cylinder' size='0.1 0.2' density='500'", 500 * tube, {rod, rod, r * r / 2}},
      {"type='cylinder' size='0.1' fromto='0 0.2 0 0 -0.2 0' mass='3'", 3, {rod, r * r / 2, rod}},
      {"type='box' size='0.1 0.2 0.3'",
       8000 * a * b * c,
       {(b * b + c * c) / 3, (a * a + c * c) / 3, (a * a + b * b) / 3}},
      {"type='ellipsoid' size='0.1 0.2 0.3' mass='2'",
       2,
       {(b * b + c * c) / 5, (a * a + c * c) / 5, (a * a + b * b) / 5}},
  };
  for (const Row& row : rows) {
    const Inertial found = body_with("", "", HINGE "<geom " + std::string(row.words) + "/>").inertial;
    EXPECT_NEAR(found.mass, row.mass, 1e-14 * row.mass) << row.words;
    std::vector<double> moments = row.moments;
    for (double& moment : moments) moment *= row.mass;
    moments.insert(moments.end(), {0, 0, 0});
    expect_near(list(found.inertia), moments, 1e-15 * row.mass, row.words);
  }
}

// What has no volume adds nothing to what has.
TEST(Mjcf, PlanesAndHeightFieldsWeighNothing) {
  const std::string ball = "<geom size='0.1' pos='0.3 0 0'/>";
  const Inertial alone = body_with("", "", ball).inertial;
  for (const char* flat : {"<geom type='plane' size='1 1 1'/>", "<geom type='hfield' hfield='hills'/>"}) {
    const Inertial both =
        body_with("<asset><hfield name='hills' nrow='2' ncol='2' size='1 1 1 1'/></asset>", "", ball + flat).inertial;
    EXPECT_EQ(both.mass, alone.mass) << flat;
    EXPECT_EQ(list(both.com), list(alone.com)) << flat;
    EXPECT_EQ(list(both.inertia), list(alone.inertia)) << flat;
  }
}

// Geoms without mass, or with less than any number, are none, wherever they stand; many of them are none, too.
TEST(Mjcf, GeomsWithoutMassAddNothing) {
  const std::string none = "<geom size='0.1' pos='1 2 3' mass='0'/>", speck = "<geom size='1e-120' pos='1 2 3'/>";
  for (const std::string& geoms : {none, none + none, speck, speck + speck, none + speck}) {
    const Document document = mjcf("<mujoco><worldbody><body name='arm'>" HINGE MASS "<body name='plate'>" + geoms +
                                   "</body></body></worldbody></mujoco>");
    ASSERT_TRUE(document.faults.empty()) << all_texts(document.faults);
    const Inertial& inertial = named(document.robot, "plate").inertial;
    EXPECT_EQ(inertial.mass, 0);
    expect_near(list(inertial.com), {0, 0, 0}, 0, geoms);
    expect_near(list(inertial.inertia), {0, 0, 0, 0, 0, 0}, 0, geoms);
  }
}

// Two balls on a bar without mass: m (d/2)^2 each, and their own.
TEST(Mjcf, GeomsAreAddedUpAboutTheirMassCentre) {
  const std::string dumbbell =
      HINGE "<geom size='0.1' mass='2' pos='1 0 0'/><geom size='0.1' mass='2' pos='3 0 0' group='3'/>";
  const Inertial both = body_with("", "", dumbbell).inertial;
  EXPECT_EQ(both.mass, 4);
  EXPECT_EQ(both.com.x, 2);
  const double own = 2 * 2 * 0.01 * 2 / 5;
  expect_near(list(both.inertia), {own, own + 4, own + 4, 0, 0, 0}, 1e-15, "inertia");
  const Inertial first = body_with("<compiler inertiagrouprange='0 2'/>", "", dumbbell).inertial;
  EXPECT_EQ(first.mass, 2);
  EXPECT_EQ(first.com.x, 1);
  const std::string said = dumbbell + MASS;
  EXPECT_EQ(body_with("", "", said).inertial.mass, 1) << "an <inertial> comes first";
  EXPECT_EQ(body_with("<compiler inertiafromgeom='true'/>", "", said).inertial.mass, 4);
}

// A block of edges 1/4, 1/2, 1 with a corner in the origin, its faces seen counterclockwise from outside.
constexpr float block_corners[8][3] = {{0, 0, 0}, {0.25, 0, 0}, {0.25, 0.5, 0}, {0, 0.5, 0},
                                       {0, 0, 1}, {0.25, 0, 1}, {0.25, 0.5, 1}, {0, 0.5, 1}};
constexpr std::int32_t block_faces[12][3] = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}, {0, 1, 5}, {0, 5, 4},
                                             {1, 2, 6}, {1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};
template <class T> std::string bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}
std::string block_as(const std::string& format) {
  std::string text;
  if (format == "block.obj") {
    for (const auto& c : block_corners) text += fmt::format("v {} {} {}\n", c[0], c[1], c[2]);
    for (const auto& f : block_faces) text += fmt::format("f {}/1 {} {} # side\n", f[0] + 1, f[1] + 1, f[2] - 8);
  } else if (format == "block.msh") {
    text = bytes_of(std::array<std::int32_t, 4>{8, 0, 0, 12}) + bytes_of(block_corners) + bytes_of(block_faces);
  } else if (format == "block.stl") {
    text = std::string(80, ' ') + bytes_of(std::uint32_t{12});
    for (const auto& f : block_faces) {
      text += std::string(12, '\0');
      for (const std::int32_t corner : f) text += bytes_of(block_corners[corner]);
      text += std::string(2, '\0');
    }
  } else {  // text.stl
    text = "solid block\n";
    for (const auto& f : block_faces) {
      text += "facet\n";
      for (const std::int32_t corner : f)
        text += fmt::format("vertex {} {} {}\n", block_corners[corner][0], block_corners[corner][1],
                            block_corners[corner][2]);
      text += "endfacet\n";
    }
    text += "endsolid block\n";
  }
  return text;
}

TEST(Mjcf, MeshesGiveTheInertiaOfTheirVolume) {
  for (const char* format : {"block.obj", "block.msh", "block.stl", "text.stl"}) {
    for (const char* filling : {"legacy", "exact"}) {
      const TemporaryFile main(
          "robot.xml",
          fmt::format("<mujoco><compiler meshdir='meshes'/><asset><mesh name='block' file='{}' scale='2 1 -1' "
                      "inertia='{}'/></asset><worldbody><body name='arm'><joint/><geom type='mesh' mesh='block' "
                      "pos='0 0 3'/></body></worldbody></mujoco>",
                      format, filling));
      const std::filesystem::path meshes = main.path().parent_path() / "meshes";
      std::filesystem::create_directory(meshes);
      std::ofstream(meshes / format, std::ios::binary) << block_as(format);
      const Document document = read_robot(main.path());
      EXPECT_TRUE(document.faults.empty()) << all_texts(document.faults);
      const Inertial& found = named(document.robot, "arm").inertial;
      const double m = 250;  // 1/2 x 1/2 x 1
      EXPECT_NEAR(found.mass, m, 1e-13 * m) << format;
      expect_near(list(found.com), {0.25, 0.25, 2.5}, 1e-15 * 3, format);
      expect_near(list(found.inertia), {m * 1.25 / 12, m * 1.25 / 12, m * 0.5 / 12, 0, 0, 0}, 1e-14 * m, format);
    }
  }
}

// Normals are three numbers each, texture coordinates two: faces stand behind them, however many they are.
TEST(Mjcf, MshMeshesMayHaveNormalsAndTextures) {
  const TemporaryFile main("robot.xml",
                           "<mujoco><asset><mesh name='m' file='m.msh'/></asset><worldbody><body name='arm'><joint/>"
                           "<geom type='mesh' mesh='m'/></body></worldbody></mujoco>");
  for (const std::int32_t normals : {0, 1, 8, 36}) {
    for (const std::int32_t textures : {0, 1, 3, 8, 36}) {
      std::string text = bytes_of(std::array<std::int32_t, 4>{8, normals, textures, 12}) + bytes_of(block_corners);
      for (std::int32_t i = 0; i < 3 * normals + 2 * textures; ++i) text += bytes_of(0.25F * float(i));
      std::ofstream(main.path().parent_path() / "m.msh", std::ios::binary) << text + bytes_of(block_faces);
      const Document document = read_robot(main.path());
      EXPECT_TRUE(document.faults.empty()) << normals << ' ' << textures << all_texts(document.faults);
      EXPECT_NEAR(named(document.robot, "arm").inertial.mass, 125, 1e-11) << "1/4 x 1/2 x 1";
      expect_near(list(named(document.robot, "arm").inertial.com), {0.125, 0.25, 0.5}, 1e-14, "its middle");
    }
  }
}

// The folders in the name of a file count, unless the compiler is told to pass them over.
TEST(Mjcf, MeshesLieInTheFoldersTheirNamesSay) {
  for (const auto& [compiler, folder] :
       {std::pair{"", "deep"}, {"<compiler strippath='false'/>", "deep"}, {"<compiler strippath='true'/>", "."}}) {
    const TemporaryFile main(
        "robot.xml",
        fmt::format("<mujoco>{}<asset><mesh name='block' file='deep/block.obj'/></asset><worldbody><body name='arm'>"
                    "<joint/><geom type='mesh' mesh='block'/></body></worldbody></mujoco>",
                    compiler));
    std::filesystem::create_directory(main.path().parent_path() / "deep");
    std::ofstream(main.path().parent_path() / folder / "block.obj") << block_as("block.obj");
    const Document document = read_robot(main.path());
    EXPECT_TRUE(document.faults.empty()) << all_texts(document.faults);
    std::filesystem::remove(main.path().parent_path() / folder / "block.obj");
  }
}

// A tetrahedron without any symmetry. Of a volume V with corners u and mass centre c (their mean) the second moments are
// V / 20 times the sum of (u - c)(u - c)^T: in fractions V = 119 / 6, and the six numbers below.
TEST(Mjcf, AMeshHasItsInertiaToTheLastDigits) {
  const TemporaryFile main("robot.xml",
                           "<mujoco><asset><mesh name='m' file='m.obj'/></asset><worldbody><body name='arm'><joint/>"
                           "<geom type='mesh' mesh='m' density='1'/></body></worldbody></mujoco>");
  std::ofstream(main.path().parent_path() / "m.obj") << "v 1 2 3\nv 5 2 4\nv 2 7 1\nv 3 3 9\n"
                                                        "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  const Document document = read_robot(main.path());
  EXPECT_TRUE(document.faults.empty()) << all_texts(document.faults);
  const Inertial& found = named(document.robot, "arm").inertial;
  const double few = 4 * std::numeric_limits<double>::epsilon(), largest = 8211 / 160.0;
  EXPECT_NEAR(found.mass, 119 / 6.0, few * 20);
  expect_near(list(found.com), {11 / 4.0, 7 / 2.0, 17 / 4.0}, few * 5, "mass centre");
  expect_near(list(found.inertia), {8211 / 160.0, 3451 / 80.0, 12257 / 480.0, 833 / 240.0, -833 / 160.0, 2737 / 240.0},
              few * largest, "inertia");
}

// A file is looked for beside the main one, then beside the one that includes it.
TEST(Mjcf, IncludesLieBesideWhatIncludesThem) {
  for (const bool is_beside_main : {true, false}) {
    const TemporaryFile main("robot.xml", "<mujoco><include file='deep/outer.xml'/></mujoco>");
    const std::filesystem::path folder = main.path().parent_path(), deep = folder / "deep";
    std::filesystem::create_directory(deep);
    const auto body = [](const char* name) {
      return fmt::format("<mujoco><worldbody><body name='{}'><joint/>" MASS "</body></worldbody></mujoco>", name);
    };
    std::ofstream(deep / "outer.xml") << "<mujoco><include file='inner.xml'/></mujoco>";
    std::ofstream(deep / "inner.xml") << body("deep");
    if (is_beside_main) std::ofstream(folder / "inner.xml") << body("shallow");
    const Document document = read_robot(main.path());
    EXPECT_TRUE(document.faults.empty()) << all_texts(document.faults);
    EXPECT_EQ(document.robot.bodies.at(1).name, is_beside_main ? "shallow" : "deep");
    std::filesystem::remove_all(deep);
    std::filesystem::remove(folder / "inner.xml");
  }
}

// All objects of a file count; MuJoCo takes the first, so that they are doubted.
TEST(Mjcf, ObjectsOfAMeshAreDoubted) {
  const char* const corners = "v 1 2 3\nv 5 2 4\nv 2 7 1\nv 3 3 9\n";
  const char* const faces = "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  for (const auto& [text, objects] :
       {std::pair(fmt::format("{}{}", corners, faces), 1),
        {fmt::format("o one\n{}usemtl red\ns off\n{}", corners, faces), 1},
        {fmt::format("o one\ng part\n{}{}o empty\n", corners, faces), 1},
        {fmt::format("o one\n{0}{1}o two\n{0}f 5 7 6\nf 5 6 8\nf 5 8 7\nf 6 7 8\n", corners, faces), 2}}) {
    const TemporaryFile main("robot.xml",
                             "<mujoco><asset><mesh name='m' file='m.obj'/></asset><worldbody><body name='arm'><joint/>"
                             "<geom type='mesh' mesh='m' density='1'/></body></worldbody></mujoco>");
    std::ofstream(main.path().parent_path() / "m.obj") << text;
    const Document document = read_robot(main.path());
    EXPECT_TRUE(document.faults.empty()) << all_texts(document.faults);
    EXPECT_EQ(says(document.warnings, 1, "m.obj has 2 objects: all of them count here, MuJoCo takes the first"),
              objects > 1)
        << all_texts(document.warnings);
    EXPECT_NEAR(named(document.robot, "arm").inertial.mass, objects * 119 / 6.0, 1e-12);
  }
}

TEST(Mjcf, WhatTheCompilerMakesOfInertias) {
  const std::string light = HINGE "<inertial pos='0 0 0' mass='0.1' diaginertia='0.01 0.02 0.025'/>";
  EXPECT_EQ(body_with("<compiler boundmass='0.5'/>", "", light).inertial.mass, 0.5);
  expect_near(list(body_with("<compiler boundinertia='0.015'/>", "", light).inertial.inertia),
              {0.015, 0.02, 0.025, 0, 0, 0}, 1e-17, "bound");
  const Inertial scaled = body_with("<compiler settotalmass='3'/>", "", light).inertial;
  EXPECT_NEAR(scaled.mass, 3, 1e-15);
  EXPECT_NEAR(scaled.inertia.yy, 0.6, 1e-15);
  // As MuJoCo 4.0.0: a body of nothing has its mass where it stands, by its own frame once more.
  const Body empty = body_with("<compiler boundmass='0.5' boundinertia='0.01'/>", "pos='4 5 6'", HINGE);
  EXPECT_EQ(empty.inertial.mass, 0.5);
  expect_near(list(empty.inertial.com), {4, 5, 6}, 0, "mass centre of nothing");
  expect_near(list(empty.inertial.inertia), {0.01, 0.01, 0.01, 0, 0, 0}, 1e-17, "bound of nothing");
  EXPECT_EQ(body_with("<compiler boundmass='0.5'/>", "pos='4 5 6'", HINGE MASS).inertial.com.x, 0);
  const std::string impossible = HINGE "<inertial pos='0 0 0' mass='1' diaginertia='1 1 4'/>";
  expect_near(list(body_with("<compiler balanceinertia='true'/>", "", impossible).inertial.inertia), {2, 2, 2, 0, 0, 0},
              1e-15, "balanced: the mean, three times");
  EXPECT_TRUE(says(mjcf("<mujoco><worldbody><body name='arm'>" + impossible + "</body></worldbody></mujoco>").warnings,
                   1, "body 'arm': inertia: triangle inequality"));
}

// As MuJoCo 4.0.0: of a body without mass nothing is left when it becomes part of the one that it is welded to.
TEST(Mjcf, BoundsAreThoseOfWhatIsLeft) {
  const auto tool = [](const char* compiler, const char* attributes) {
    const Robot robot =
        test::sound(fmt::format("<mujoco><compiler boundinertia='1' {}/><worldbody><body name='arm'>" HINGE MASS
                                "<body name='tool' {}/></body></worldbody></mujoco>",
                                compiler, attributes));
    return named(robot, "tool").inertial.inertia.zz;
  };
  EXPECT_EQ(tool("", ""), 1);
  EXPECT_EQ(tool("fusestatic='true'", ""), 0);
  EXPECT_EQ(tool("fusestatic='true'", "fuse='false'"), 1);
  EXPECT_EQ(tool("fusestatic='true' boundmass='1'", ""), 1) << "it has mass";
}

TEST(Mjcf, AnInertialThatMujocoLosesAsItFusesIsDoubted) {
  const auto doubts = [](const char* compiler, const char* joint) {
    const Document document = mjcf(fmt::format("<mujoco><compiler {}/>\n<worldbody><body name='arm'>" HINGE MASS
                                               "\n<body name='tool'>{}" MASS "</body></body></worldbody></mujoco>",
                                               compiler, joint));
    EXPECT_TRUE(document.faults.empty());
    EXPECT_EQ(named(document.robot, "tool").inertial.mass, 1) << "what the file says";
    return document.warnings;
  };
  const auto found = doubts("inertiafromgeom='true' fusestatic='true'", "");
  EXPECT_EQ(found.size(), 1u);
  EXPECT_TRUE(says(found, 3, "it counts: with inertiafromgeom and fusestatic MuJoCo loses it as it fuses the body"));
  EXPECT_TRUE(doubts("inertiafromgeom='true' fusestatic='true'", "<joint/>").empty());
  EXPECT_TRUE(doubts("fusestatic='true'", "").empty());
  EXPECT_TRUE(doubts("inertiafromgeom='true'", "").empty());
}

// What is welded to the world is part of it with fusestatic, and has no mass; what is welded to a body that moves has.
TEST(Mjcf, TheTotalMassIsThatOfWhatIsLeft) {
  const auto arm = [](const char* fuses) {
    const Robot robot = test::sound(fmt::format(
        "<mujoco><compiler settotalmass='6' fusestatic='{}'/><worldbody><body name='post'>" MASS
        "<body name='arm'>" HINGE MASS "<body name='tool'>" MASS "</body></body></body></worldbody></mujoco>",
        fuses));
    return named(robot, "arm").inertial.mass;
  };
  EXPECT_NEAR(arm("false"), 2, 1e-15);
  EXPECT_NEAR(arm("true"), 3, 1e-15);
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc
