#include "output/figures/mesh.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "output/figures/base64.hpp"

namespace denoc::figures {
namespace {
namespace THIS_FILE {

using Triangle = std::array<Vec3<double>, 3>;
constexpr const char* unit_triangle_stl =
    "solid t\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1e0 "
    "+0.5\nendloop\nendfacet\nendsolid\n";

std::string binary_stl(const std::vector<Triangle>& triangles, const std::string& title = "") {
  std::string bytes = title;
  bytes.resize(80, ' ');
  const auto put = [&bytes](auto value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); };
  put(static_cast<std::uint32_t>(triangles.size()));
  for (const Triangle& t : triangles) {
    for (int k = 0; k < 3; ++k) put(0.0F);
    for (const auto& p : t)
      for (const double x : {p.x, p.y, p.z}) put(static_cast<float>(x));
    put(std::uint16_t{0});
  }
  return bytes;
}
void expect_at(const Vec3<double>& p, double x, double y, double z) {
  EXPECT_NEAR(p.x, x, 1e-12);
  EXPECT_NEAR(p.y, y, 1e-12);
  EXPECT_NEAR(p.z, z, 1e-12);
}

TEST(Stl, TextAndBinarySayTheSame) {
  const Mesh text = read_stl(unit_triangle_stl);
  // "solid" at the start of a binary file is legal, if unkind
  const Mesh binary = read_stl(binary_stl({{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0.5}}}}, "solid t"));
  for (const Mesh& mesh : {text, binary}) {
    ASSERT_EQ(mesh.triangles.size(), 1U);
    expect_at(mesh.points[mesh.triangles[0][2]], 0, 1, 0.5);
  }
}
TEST(Stl, WhatIsCutShortIsRefused) {
  const std::string whole = binary_stl({{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}});
  EXPECT_THROW(read_stl(whole.substr(0, 100)), MeshError);
  EXPECT_THROW(read_stl("solid t\nfacet normal 0 0 1\nouter loop\nvertex 0 0 x\n"), MeshError);
  const std::string text = std::string(unit_triangle_stl) + unit_triangle_stl;
  EXPECT_EQ(read_stl(text).triangles.size(), 2U);
  for (std::size_t size = std::string(unit_triangle_stl).size() + 20; size < text.size() - 1; ++size)
    EXPECT_THROW(read_stl(text.substr(0, size)), MeshError) << size;
}
TEST(Obj, FacesMayHaveManyCornersAndCountBack) {
  const Mesh mesh =
      read_obj("# a square\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvn 0 0 1\nf 1/1/1 2//1 3 4 # 7\nf -4 -3 -2\n");
  EXPECT_EQ(mesh.points.size(), 4U);
  ASSERT_EQ(mesh.triangles.size(), 3U);
  EXPECT_EQ(mesh.triangles[0], (std::array<std::uint32_t, 3>{3, 0, 1}));
  EXPECT_EQ(mesh.triangles[1], (std::array<std::uint32_t, 3>{3, 1, 2}));
  EXPECT_EQ(mesh.triangles[2], (std::array<std::uint32_t, 3>{0, 1, 2}));
  EXPECT_THROW(read_obj("v 0 0 0\nf 1 2 3\n"), MeshError);
}
// An arrowhead: the cut goes from the notch to the tip, wherever the face begins. What crosses itself is not drawn.
TEST(Obj, FacesNeedNotBeConvex) {
  const std::string points = "v 0 0 0\nv 3 0 0\nv 1 1 0\nv 0 3 0\nv 3 3 0\n";
  for (const char* face : {"f 1 2 3 4\n", "f 2 3 4 1\n"})
    for (const auto& triangle : read_obj(points + face).triangles) {
      EXPECT_TRUE(std::ranges::find(triangle, 0U) != triangle.end()) << face;
      EXPECT_TRUE(std::ranges::find(triangle, 2U) != triangle.end()) << face;
    }
  EXPECT_EQ(read_obj(points + "f 1 2 3 4\nf 1 5 2 4\n").triangles.size(), 2U);
}
// In centimetres, turned by 90 degrees about z, then moved: (1, 0, 0) -> (0, 1, 0) -> (5, 1, 0) cm.
TEST(Dae, NodesPlaceTheirGeometries) {
  const std::string text =
      R"(<?xml version="1.0"?><COLLADA><asset><unit name="cm" meter="0.01"/><up_axis>Y_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="pa" count="12">0 0 0 1 0 0 1 1 0 0 1 0</float_array></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<polylist count="1"><input semantic="VERTEX" source="#v" offset="0"/><input semantic="NORMAL" source="#n" offset="1"/>
<vcount>4</vcount><p>0 0 1 0 2 0 3 0</p></polylist>
<triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene><node><translate>5 0 0</translate><rotate>0 0 1 90</rotate>
<instance_geometry url="#g"/></node></visual_scene></library_visual_scenes></COLLADA>)";
  const Mesh mesh = read_dae(text);
  ASSERT_EQ(mesh.triangles.size(), 3U);
  ASSERT_EQ(mesh.points.size(), 4U);
  expect_at(mesh.points[1], 0.05, 0.01, 0);
  EXPECT_THROW(read_dae("<COLLADA>"), MeshError);
  EXPECT_THROW(read_dae("<robot/>"), MeshError);
}
// A corner's point stands where its input says, in whatever order the inputs are listed.
TEST(Dae, InputsStandInAnyOrder) {
  const std::string vertex = "<input semantic='VERTEX' source='#v' offset='0'/>",
                    normal = "<input semantic='NORMAL' source='#n' offset='1'/>",
                    texture = "<input semantic='TEXCOORD' source='#t' offset='2'/>";
  std::vector<std::string> inputs = {vertex, normal, texture};
  std::ranges::sort(inputs);
  do {
    const Mesh mesh = read_dae(
        "<COLLADA><library_geometries><geometry id='g'><mesh><source id='p'><float_array count='12'>0 0 0 1 0 0 1 1 0 "
        "0 "
        "1 0</float_array></source><vertices><input semantic='POSITION' source='#p'/></vertices><triangles>" +
        inputs[0] + inputs[1] + inputs[2] +
        "<p>0 3 9 1 3 9 2 3 9 0 5 7 2 5 7 3 5 7</p></triangles></mesh></geometry></library_geometries>"
        "<library_visual_scenes><visual_scene><node><instance_geometry url='#g'/></node></visual_scene>"
        "</library_visual_scenes></COLLADA>");
    ASSERT_EQ(mesh.triangles.size(), 2U);
    for (const std::uint32_t corner : {0U, 1U, 2U}) EXPECT_EQ(mesh.triangles[0][corner], corner);
    EXPECT_EQ(mesh.triangles[1][2], 3U);
  } while (std::ranges::next_permutation(inputs).found);
}
// Inputs may share an index: there are as many to a corner as the largest offset says.
TEST(Dae, InputsMayShareAnIndex) {
  const Mesh mesh = read_dae(
      "<COLLADA><library_geometries><geometry id='g'><mesh><source id='p'><float_array count='12'>0 0 0 1 0 0 1 1 0 0 "
      "1 0"
      "</float_array></source><vertices><input semantic='POSITION' source='#p'/></vertices><triangles>"
      "<input semantic='VERTEX' source='#v' offset='0'/><input semantic='NORMAL' source='#n' offset='0'/>"
      "<input semantic='TEXCOORD' source='#t' offset='1'/><p>0 9 1 9 2 9 0 7 2 7 3 7</p></triangles></mesh></geometry>"
      "</library_geometries><library_visual_scenes><visual_scene><node><instance_geometry "
      "url='#g'/></node></visual_scene>"
      "</library_visual_scenes></COLLADA>");
  ASSERT_EQ(mesh.triangles.size(), 2U);
  for (const std::uint32_t corner : {0U, 1U, 2U}) EXPECT_EQ(mesh.triangles[0][corner], corner);
  EXPECT_EQ(mesh.triangles[1][1], 2U);
  EXPECT_EQ(mesh.triangles[1][2], 3U);
}
// Thirty nodes, each of which shows the next one twice, are a thousand million.
TEST(Dae, NodesThatShowEachOtherTwiceAreBounded) {
  const auto doubled = [](int levels) {
    std::string nodes = "<node id='n0'><instance_geometry url='#g'/></node>";
    for (int i = 1; i <= levels; ++i)
      nodes += fmt::format("<node id='n{0}'><instance_node url='#n{1}'/><instance_node url='#n{1}'/></node>", i, i - 1);
    return fmt::format(
        "<COLLADA><library_geometries><geometry id='g'><mesh><source id='p'><float_array count='9'>0 0 0 1 0 0 1 1 0"
        "</float_array></source><vertices><input semantic='POSITION' source='#p'/></vertices><triangles>"
        "<input semantic='VERTEX' offset='0'/><p>0 1 2</p></triangles></mesh></geometry></library_geometries>"
        "<library_nodes>{}</library_nodes><library_visual_scenes><visual_scene><node><instance_node url='#n{}'/></node>"
        "</visual_scene></library_visual_scenes></COLLADA>",
        nodes, levels);
  };
  EXPECT_EQ(read_dae(doubled(5)).triangles.size(), 32U);
  EXPECT_THROW(read_dae(doubled(30)), MeshError);
}
TEST(Mesh, ProblemsNameTheFile) {
  const std::string file = testing::TempDir() + "empty.obj";
  std::ofstream(file) << "v 0 0 0\n";
  for (const std::string& name : {file, testing::TempDir() + "missing.stl", std::string("part.step")}) {
    try {
      read_mesh(name);
      FAIL() << name;
    } catch (const MeshError& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with(name)) << error.what();
    }
  }
}
// Whether letters of an ending are large or small means nothing, in none of them and for no format.
TEST(Mesh, EndingsMayHaveLargeLetters) {
  const std::string collada =
      R"(<COLLADA><library_geometries><geometry id="g"><mesh>
<source id="p"><float_array count="9">0 0 0 1 0 0 0 1 0.5</float_array></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles>
</mesh></geometry></library_geometries></COLLADA>)";
  for (const auto& [ending, text] : {std::pair<std::string, std::string>{"stl", unit_triangle_stl},
                                     {"obj", "v 0 0 0\nv 1 0 0\nv 0 1 0.5\nf 1 2 3\n"},
                                     {"dae", collada}})
    for (unsigned large = 0; large < 8; ++large) {
      std::string file = testing::TempDir() + "Mesh.1.";
      for (unsigned i = 0; i < 3; ++i)
        file += static_cast<char>((large >> i & 1U) != 0 ? std::toupper(ending[i]) : ending[i]);
      std::ofstream(file, std::ios::binary) << text;
      const Mesh mesh = read_mesh(file);
      ASSERT_EQ(mesh.triangles.size(), 1U) << file;
      expect_at(mesh.points[mesh.triangles[0][2]], 0, 1, 0.5);
      std::filesystem::remove(file);
    }
}
// What no page can carry is refused before it is read. (A file with nothing in it takes no place on the disk.)
TEST(Mesh, HugeFilesAreRefusedUnread) {
  const std::string file = testing::TempDir() + "huge.stl";
  std::ofstream(file).close();
  std::filesystem::resize_file(file, 200'000'001);
  try {
    read_mesh(file);
    ADD_FAILURE() << "was read";
  } catch (const MeshError& error) {
    EXPECT_EQ(error.what(), file + " is larger than 200 MB");
  }
  std::filesystem::remove(file);
}
// A sphere of 40 x 40 patches keeps its shape to the size of a cell, with far fewer triangles.
TEST(Mesh, ClusteringKeepsTheShape) {
  Mesh ball;
  constexpr std::uint32_t n = 40;
  for (std::uint32_t i = 0; i <= n; ++i)
    for (std::uint32_t k = 0; k <= n; ++k) {
      const double a = 3.141592653589793 * i / n, b = 2 * 3.141592653589793 * k / n;
      ball.points.push_back({std::sin(a) * std::cos(b), std::sin(a) * std::sin(b), std::cos(a)});
    }
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t k = 0; k < n; ++k)
      ball.add_polygon({i * (n + 1) + k, (i + 1) * (n + 1) + k, (i + 1) * (n + 1) + k + 1, i * (n + 1) + k + 1});
  constexpr double cell = 0.25;
  const Mesh thin = clustered(ball, cell);
  EXPECT_LT(thin.triangles.size(), ball.triangles.size() / 2);
  EXPECT_GT(thin.triangles.size(), 100U);
  for (const auto& p : thin.points) EXPECT_NEAR(norm(p), 1, cell);
  // as fine as the mesh: nothing is lost but the seam and the poles
  EXPECT_GT(clustered(ball, 1e-6).triangles.size(), ball.triangles.size() - 2 * n - 1);
}
// A triangle is no triangle any more when two of its corners fall together, whichever two; nor when all do.
TEST(Mesh, ClusteringLeavesNoLines) {
  constexpr double cell = 1;
  Mesh mesh;
  mesh.points = {{0, 0, 0}, {0.1, 0, 0}, {0, 0.1, 0}, {5, 0, 0}, {0, 5, 0}};  // three that fall together, two apart
  std::array<std::uint32_t, 3> corners{};
  for (corners[0] = 0; corners[0] < 5; ++corners[0])
    for (corners[1] = 0; corners[1] < 5; ++corners[1])
      for (corners[2] = 0; corners[2] < 5; ++corners[2]) mesh.triangles.push_back(corners);
  const Mesh thin = clustered(mesh, cell);
  EXPECT_EQ(thin.points.size(), 3U);
  ASSERT_EQ(thin.triangles.size(), 2U);  // the one that is left, from either side
  for (const auto& [a, b, c] : thin.triangles)
    EXPECT_NEAR(norm(cross(thin.points[b] - thin.points[a], thin.points[c] - thin.points[a])), 25, 0.5);
}
TEST(Base64, IsThatOfTheStandard) {
  const auto text = [](std::string_view bytes) { return base64(std::vector<char>(bytes.begin(), bytes.end())); };
  EXPECT_EQ(text(""), "");
  EXPECT_EQ(text("f"), "Zg==");
  EXPECT_EQ(text("fo"), "Zm8=");
  EXPECT_EQ(text("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64(std::vector<std::int16_t>{1, -1}), "AQD//w==");
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::figures
