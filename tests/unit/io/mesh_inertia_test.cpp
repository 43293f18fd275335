// Bodies whose inertia MJCF takes from meshes: surfaces, meshes that are moved, and files that are none.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "unit/io/files.hpp"

namespace denoc {
namespace {
namespace THIS_FILE {

using test::all_texts;
using test::TemporaryFile;

// A cube of edge 1 with a corner in the origin, as OBJ.
std::string cube() {
  std::string text;
  for (int i = 0; i < 8; ++i) text += fmt::format("v {} {} {}\n", i & 1, (i >> 1) & 1, (i >> 2) & 1);
  for (const char* face : {"1 3 4 2", "5 6 8 7", "1 2 6 5", "3 7 8 4", "1 5 7 3", "2 4 8 6"})
    text += fmt::format("f {}\n", face);
  return text;
}
Document with_mesh(const std::string& attributes, const std::string& name, const std::string& content,
                   const std::string& geom = "") {
  const TemporaryFile main("robot.xml",
                           fmt::format("<mujoco><asset><mesh name='m' file='{}' {}/></asset><worldbody><body "
                                       "name='arm'><joint/><geom type='mesh' mesh='m' density='6' {}/>"
                                       "</body></worldbody></mujoco>",
                                       name, attributes, geom));
  std::ofstream(main.path().parent_path() / name, std::ios::binary) << content;
  return read_robot(main.path());
}
Inertial inertial_of(const std::string& attributes, const std::string& geom = "") {
  const Document document = with_mesh(attributes, "m.obj", cube(), geom);
  EXPECT_TRUE(document.faults.empty()) << all_texts(document.faults);
  return document.robot.bodies.back().inertial;
}
void expect_near(const Vec3<double>& found, const Vec3<double>& expected, double tolerance) {
  EXPECT_LE(norm(found - expected), tolerance) << found.x << ' ' << found.y << ' ' << found.z;
}
constexpr double few = 64 * std::numeric_limits<double>::epsilon();

// Filled: m a^2/6 about each axis. Its six faces alone, by their area: two across the axis with m/6 a^2/6 each, four
// along it with m/6 (a^2/12 + a^2/4) each, in all 5/18 m a^2.
TEST(MeshInertia, OfACubeFilledAndHollow) {
  for (const char* filled : {"", "inertia='exact'", "inertia='legacy'"}) {
    const Inertial found = inertial_of(filled);
    EXPECT_NEAR(found.mass, 6, few * 6);
    expect_near(found.com, {0.5, 0.5, 0.5}, few);
    expect_near({found.inertia.xx, found.inertia.yy, found.inertia.zz}, {1, 1, 1}, few * 4);
    expect_near({found.inertia.xy, found.inertia.yz, found.inertia.xz}, {0, 0, 0}, few);
  }
  const Inertial hollow = inertial_of("inertia='shell'");
  EXPECT_NEAR(hollow.mass, 36, few * 36);
  expect_near(hollow.com, {0.5, 0.5, 0.5}, few);
  expect_near({hollow.inertia.xx, hollow.inertia.yy, hollow.inertia.zz}, {10, 10, 10}, few * 40);
  // Stretched, the faces differ: 2 x 3 x 1 has areas 6, 2 and 3 twice each.
  const Inertial box = inertial_of("inertia='shell' scale='2 3 1'");
  EXPECT_NEAR(box.mass, 6 * 22, few * 200);
  expect_near(box.com, {1, 1.5, 0.5}, few * 4);
}

// a x b x c of 6 kg/m^3 has m = 6 abc and m/12 (b^2 + c^2), ...; mirrored, its faces are turned back.
TEST(MeshInertia, GoesWithItsScale) {
  for (const double size : {0.25, 1.0, 3.0})
    for (const double side : {-1.0, 1.0})
      for (const char* filling : {"exact", "legacy"}) {
        const double a = size, b = 2 * size, c = size / 2, m = 6 * a * b * c;
        const Inertial found = inertial_of(fmt::format("inertia='{}' scale='{} {} {}'", filling, a, side * b, c));
        EXPECT_NEAR(found.mass, m, few * m) << filling << size << side;
        expect_near(found.com, {a / 2, side * b / 2, c / 2}, few * size);
        const auto moment = [&](double x, double y) { return m / 12 * (x * x + y * y); };
        expect_near({found.inertia.xx, found.inertia.yy, found.inertia.zz}, {moment(b, c), moment(a, c), moment(a, b)},
                    few * m * size * size);
      }
}

// The file's corner c stands at R^T (c - r) for refquat R and refpos r; the geom's own frame comes on top.
TEST(MeshInertia, MovesWithItsReference) {
  const Inertial moved = inertial_of("refpos='1 2 3'");
  expect_near(moved.com, {-0.5, -1.5, -2.5}, few * 4);
  // A quarter turn about z takes x to y: back, (x, y, z) comes to (y, -x, z).
  const Inertial turned = inertial_of("refpos='1 2 3' refquat='1 0 0 1' scale='2 3 1'");
  EXPECT_NEAR(turned.mass, 36, few * 36);
  expect_near(turned.com, {2 * -1.5, 3 * 0.5, -2.5}, few * 8);
  expect_near({turned.inertia.xx, turned.inertia.yy, turned.inertia.zz}, {30, 15, 39}, few * 100);
  const Inertial placed = inertial_of("refpos='1 2 3'", "pos='1 0 0' quat='1 0 0 1'");
  expect_near(placed.com, {1 + 1.5, -0.5, -2.5}, few * 8);
}

// Where a picture draws the corner c of the file, at R s + r for s its scaled copy, is where the inertia has it.
TEST(MeshInertia, IsDrawnWhereItIsWeighed) {
  for (const char* said : {"refpos='1 2 3' scale='0.1 0.1 0.1'", "refpos='1 2 3' scale='2 3 1'",
                           "refpos='1 2 3' refquat='1 0 2 1' scale='2 2 2'"}) {
    const Document document = with_mesh(said, "m.obj", cube());
    EXPECT_TRUE(document.warnings.empty()) << all_texts(document.warnings);
    const Body& body = document.robot.bodies.back();
    const auto& [x, y, z] = body.shapes.at(0).size;
    const Vec3<double> middle = body.shapes[0].frame.R * Vec3<double>{x / 2, y / 2, z / 2} + body.shapes[0].frame.r;
    expect_near(middle, body.inertial.com, few * 16);
  }
  const Document sheared = with_mesh("refquat='1 0 2 1' scale='1 2 3'", "m.obj", cube());
  EXPECT_NE(all_texts(sheared.warnings).find("it is drawn scaled before it is turned"), std::string::npos);
}

// R^T S is S R^T where S is one number, or R nothing: else the picture is another one, whichever of the numbers differs,
// and that is told.
TEST(MeshInertia, IsDoubtedWhereItIsDrawnOtherwise) {
  for (const char* turn : {"1 0 0 0", "1 2 3 4"})
    for (const double x : {1.0, 2.0})
      for (const double y : {1.0, 2.0})
        for (const double z : {1.0, 2.0}) {
          const Document document =
              with_mesh(fmt::format("refquat='{}' scale='{} {} {}'", turn, x, y, z), "m.obj", cube());
          const Body& body = document.robot.bodies.back();
          const Pose<double>& frame = body.shapes.at(0).frame;
          const Vec3<double> middle = frame.R * (body.shapes[0].size * 0.5) + frame.r;
          const bool is_drawn_there = norm(middle - body.inertial.com) <= few * 16;
          EXPECT_EQ(document.warnings.empty(), is_drawn_there) << turn << ' ' << x << y << z;
          EXPECT_EQ(is_drawn_there, turn[2] == '0' || (x == y && y == z)) << turn << ' ' << x << y << z;
        }
}

// An L of 6 kg/m^2, or 6 kg/m^3, whose two faces of six corners count once wherever they begin: 2 x 11 + 24 = 46 m^2.
TEST(MeshInertia, FacesNeedNotBeConvex) {
  std::string text;
  for (const int z : {0, 1})
    for (const char* corner : {"0 0", "6 0", "6 1", "1 1", "1 6", "0 6"}) text += fmt::format("v {} {}\n", corner, z);
  for (int i = 0; i < 6; ++i) text += fmt::format("f {} {} {} {}\n", i + 1, (i + 1) % 6 + 1, (i + 1) % 6 + 7, i + 7);
  for (int start = 0; start < 6; ++start) {
    std::string below = "f", above = "f";
    for (int i = 0; i < 6; ++i)
      below += fmt::format(" {}", (start + 5 - i) % 6 + 1), above += fmt::format(" {}", (start + i) % 6 + 7);
    for (const auto& [filling, expected] : {std::pair("shell", 46.0), std::pair("exact", 11.0)}) {
      const Document document =
          with_mesh(fmt::format("inertia='{}'", filling), "m.obj", fmt::format("{}{}\n{}\n", text, below, above));
      EXPECT_TRUE(document.faults.empty()) << all_texts(document.faults);
      EXPECT_NEAR(document.robot.bodies.back().inertial.mass, 6 * expected, few * 6 * expected) << filling << start;
    }
  }
  const Document crossed = with_mesh("", "m.obj", "v 0 0 0\nv 1 1 0\nv 1 0 0\nv 0 2 0\n\nf 1 2 3 4\n");
  EXPECT_TRUE(test::says(crossed.faults, 0, "m.obj: the edges of the face in line 6 cross"))
      << all_texts(crossed.faults);
  // ... among faces that are sound, too
  const Document among = with_mesh("", "m.obj", cube() + "f 1 4 2 3\n");
  EXPECT_TRUE(test::says(among.faults, 0, "m.obj: the edges of the face in line 15 cross")) << all_texts(among.faults);
}

// A file that is cut short, or names corners that are not there, is refused by its name; nothing is made up.
TEST(MeshInertia, OfFilesThatAreNoneIsRefused) {
  const auto bytes = [](auto... values) {
    std::string text;
    (text.append(reinterpret_cast<const char*>(&values), sizeof values), ...);
    return text;
  };
  const std::string triangle = bytes(0.F, 0.F, 0.F, 1.F, 0.F, 0.F, 0.F, 1.F, 0.F);
  const std::string stl = std::string(80, ' ') + bytes(std::uint32_t{1}) + std::string(12, '\0') + triangle + "  ";
  const std::string msh = bytes(3, 0, 0, 1) + triangle + bytes(0, 1, 2);
  const auto refused = [](const std::string& name, const std::string& content) {
    const Document document = with_mesh("inertia='shell'", name, content);
    return test::says(document.faults, 0, "it is no mesh in the format of its ending");
  };
  EXPECT_FALSE(refused("m.stl", stl));
  EXPECT_FALSE(refused("m.msh", msh));
  EXPECT_FALSE(refused("m.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 -1\n"));
  const std::string facet =
      "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n";
  EXPECT_FALSE(refused("m.stl", "solid a facet\n" + facet + "endsolid a facet\n"));
  EXPECT_FALSE(refused("m.stl", "solid\n" + facet + "endsolid\nsolid b\n" + facet + facet + "endsolid b"));
  const std::string text = "solid\n" + facet + facet + "endsolid";
  for (std::size_t size = 0; size < text.size(); ++size) EXPECT_TRUE(refused("m.stl", text.substr(0, size))) << size;
  EXPECT_TRUE(refused("m.stl", "solid\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendsolid\n"));
  EXPECT_TRUE(refused("m.stl", "solid\nfacet\nvertex 0 0 0\nvertex 1 0 0\nendfacet\nendsolid\n"));
  EXPECT_TRUE(refused("m.stl", "solid\n" + facet + "vertex 0 0 0\nendsolid\n"));
  EXPECT_TRUE(refused("m.stl", "solid\nendsolid\n" + facet)) << "outside of a solid";
  EXPECT_TRUE(refused("m.stl", "solid\nsolid\n" + facet + "endsolid\n")) << "a solid within another";
  EXPECT_TRUE(refused("m.stl", "solid\n" + facet + "endsolid\nendsolid\nsolid\n" + facet + "endsolid\n"));
  EXPECT_TRUE(refused("m.stl", "solid\n" + facet + "endfacet\nendsolid\n"));
  EXPECT_TRUE(refused("m.stl", "solid\nfacet\n" + facet + "endfacet\nendsolid\n")) << "within another";
  EXPECT_TRUE(refused("m.stl", stl.substr(0, stl.size() - 1)));
  EXPECT_TRUE(refused("m.stl", stl.substr(0, 83)));
  EXPECT_TRUE(refused("m.msh", msh.substr(0, msh.size() - 1)));
  for (const int corner : {-1, 3}) EXPECT_TRUE(refused("m.msh", bytes(3, 0, 0, 1) + triangle + bytes(0, 1, corner)));
  EXPECT_TRUE(refused("m.msh", bytes(3, 1, 0, 1) + triangle + bytes(0, 1, 2))) << "a normal is missing";
  EXPECT_TRUE(refused("m.msh", bytes(3, 4, 0, 1) + triangle + bytes(0, 1, 2))) << "and more than one";
  EXPECT_TRUE(refused("m.msh", bytes(3, 0, -1, 1) + triangle + bytes(0, 1, 2)));
  for (const char* face : {"f 1 2 4", "f 0 1 2", "f 1 2 -4", "f 1 2 x"})
    EXPECT_TRUE(refused("m.obj", std::string("v 0 0 0\nv 1 0 0\nv 0 1 0\n") + face + "\n")) << face;
  EXPECT_TRUE(refused("m.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n")) << "no face";
  EXPECT_TRUE(refused("m.obj", "v 0 0 0\nv 1 0\nv 0 1 0\nf 1 2 3\n"));
  EXPECT_TRUE(refused("m.stl", std::string(80, ' ') + bytes(std::uint32_t{1}) + std::string(12, '\0') +
                                   bytes(0.F, 0.F, INFINITY, 1.F, 0.F, 0.F, 0.F, 1.F, 0.F) + "  "));
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc
