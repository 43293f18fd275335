// A box is the same solid in whatever words a file says its surface: volume and middle by the divergence theorem,
//   V = sum a . (b x c) / 6,   V r = sum (a . (b x c) / 6) (a + b + c) / 4.
// A face that is missing, doubled or turned over changes them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <fstream>

#include "output/figures/mesh.hpp"

namespace denoc::figures {
namespace {
namespace THIS_FILE {

using Point = Vec3<double>;
constexpr double eps = std::numeric_limits<double>::epsilon();
const Point least{0.5, -1, 2}, most{1.5, 1, 5};  // 1 x 2 x 3 m; float has all these numbers
const Point middle = (least + most) * 0.5;
constexpr double volume = 6;
// Seen from outside, the corners of each face go round to the left. Corner i has the larger x, y, z for bits 0, 1, 2.
constexpr int faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};

Point corner(int i) {
  return {(i & 1) != 0 ? most.x : least.x, (i & 2) != 0 ? most.y : least.y, (i & 4) != 0 ? most.z : least.z};
}
std::vector<std::array<int, 3>> triangles() {
  std::vector<std::array<int, 3>> all;
  for (const auto& [a, b, c, d] : faces) all.push_back({a, b, c}), all.push_back({a, c, d});
  return all;
}
std::string words(const Point& p) { return fmt::format("{} {} {}", p.x, p.y, p.z); }

void expect_box(const Mesh& mesh, const Point& at = middle, double size = volume) {
  double found = 0;
  Point moment{0, 0, 0};
  for (const auto& [a, b, c] : mesh.triangles) {
    ASSERT_LT(std::max({a, b, c}), mesh.points.size());
    const Point &p = mesh.points[a], &q = mesh.points[b], &r = mesh.points[c];
    const double part = dot(p, cross(q, r)) / 6;
    found += part;
    moment += (p + q + r) * (part / 4);
  }
  // Twelve terms of products of three lengths below 8 m, with a sine and a cosine of a degree where nodes turn.
  EXPECT_NEAR(found, size, 12 * 16 * eps * 512);
  EXPECT_LE(norm(moment * (1 / size) - at), 12 * 16 * eps * 512);
}

TEST(Box, IsTheSameInBothStls) {
  std::string text = "solid box\n", bytes(80, ' ');
  const auto put = [&bytes](auto value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); };
  put(std::uint32_t{12});
  for (const auto& t : triangles()) {
    text += "facet normal 0 0 0\nouter loop\n";
    for (int k = 0; k < 3; ++k) put(0.0F);
    for (const int i : t) {
      text += "vertex " + words(corner(i)) + "\n";
      for (const double x : {corner(i).x, corner(i).y, corner(i).z}) put(static_cast<float>(x));
    }
    text += "endloop\nendfacet\n";
    put(std::uint16_t{0});
  }
  for (const std::string& file : {text + "endsolid box\n", bytes, bytes + "a tail"}) {
    const Mesh mesh = read_stl(file);
    EXPECT_EQ(mesh.triangles.size(), 12U);
    expect_box(mesh);
  }
  EXPECT_THROW(read_stl(bytes.substr(0, bytes.size() - 1)), MeshError);
}

TEST(Box, IsTheSameHoweverAnObjCountsItsPoints) {
  std::string points;
  for (int i = 0; i < 8; ++i) points += "v " + words(corner(i)) + "\n";
  std::string forward = points, backward = points, with_normals = points;
  for (const auto& face : faces) {
    for (std::string* text : {&forward, &backward, &with_normals}) *text += "f";
    for (const int i : face) {
      forward += fmt::format(" {}", i + 1);
      backward += fmt::format(" {}", i - 8);
      with_normals += fmt::format(" {}/{}/7", i + 1, 3);
    }
    for (std::string* text : {&forward, &backward, &with_normals}) *text += "\n";
  }
  for (const std::string& text : {forward, backward, with_normals}) expect_box(read_obj(text));
  for (const char* face : {"f 0 1 2\n", "f 1 2 9\n", "f -9 1 2\n"}) EXPECT_THROW(read_obj(points + face), MeshError);
}

// Triangles, faces with their number of corners, a <p> for each face; one index for a corner, or one of several.
TEST(Box, IsTheSameInEveryElementOfCollada) {
  std::string points, by_three, by_faces, each_face, several;
  for (int i = 0; i < 8; ++i) points += words(corner(i)) + " ";
  for (const auto& t : triangles()) by_three += fmt::format("{} ", fmt::join(t, " "));
  for (const auto& face : faces) {
    by_faces += fmt::format("{} ", fmt::join(face, " "));
    each_face += fmt::format("<p>{}</p>", fmt::join(face, " "));
    for (const int i : face) several += fmt::format("5 {} 6 ", i);
  }
  const auto input = [](int offset, const char* what) {
    return fmt::format("<input semantic='{}' source='#v' offset='{}'/>", what, offset);
  };
  const std::string corners = input(0, "VERTEX");
  const std::string ways[] = {"<triangles>" + corners + "<p>" + by_three + "</p></triangles>",
                              "<polylist>" + corners + "<vcount>4 4 4 4 4 4</vcount><p>" + by_faces + "</p></polylist>",
                              "<polygons>" + corners + each_face + "</polygons>",
                              "<polylist>" + input(0, "NORMAL") + input(1, "VERTEX") + input(2, "TEXCOORD") +
                                  "<vcount>4 4 4 4 4 4</vcount><p>" + several + "</p></polylist>"};
  const auto file = [&](const std::string& way, const std::string& scene, const std::string& nodes = "") {
    return "<COLLADA><asset><unit meter='0.5'/></asset><library_geometries><geometry id='g'><mesh><source id='p'>"
           "<float_array count='24'>" +
           points + "</float_array></source><vertices id='v'><input semantic='POSITION' source='#p'/></vertices>" +
           way + "</mesh></geometry></library_geometries><library_nodes>" + nodes +
           "</library_nodes><library_visual_scenes><visual_scene>" + scene +
           "</visual_scene></library_visual_scenes></COLLADA>";
  };
  const std::string it = "<instance_geometry url='#g'/>";
  // half as long, so an eighth as large
  for (const std::string& way : ways) {
    expect_box(read_dae(file(way, "<node>" + it + "</node>")), middle * 0.5, volume / 8);
    expect_box(read_dae(file(way, "")), middle * 0.5, volume / 8);
  }
  // p -> S (R p + r): turned by 90 degrees about z, then moved, then stretched; in three nodes, in one, as a matrix
  const std::string turned = "<rotate>0 0 2 90</rotate>", moved = "<translate>1 2 3</translate>",
                    longer = "<scale>1 2 4</scale>";
  const Point there = {(1 - middle.y) * 0.5, (2 + middle.x), (3 + middle.z) * 2};
  const std::string inner = "<node id='inner'>" + turned + it + "</node>";
  for (const std::string& scene :
       {"<node>" + longer + moved + turned + it + "</node>",
        "<node>" + longer + "<node>" + moved + "<instance_node url='#inner'/></node></node>",
        std::string("<node><matrix>0 -1 0 1  2 0 0 4  0 0 4 12  0 0 0 1</matrix>") + it + "</node>"})
    expect_box(read_dae(file(ways[0], scene, inner)), there, volume / 8 * 8);
  EXPECT_THROW(read_dae(file(ways[0], "<instance_node url='#inner'/><node id='a'><instance_node url='#a'/></node>",
                             "<node id='a'><instance_node url='#a'/></node>")),
               MeshError);
  EXPECT_THROW(read_dae(file("<triangles><p>0 1 2</p></triangles>", "")), MeshError);
}

// Cells that part all points leave the box; the same triangle, said twice from different corners, is there once.
TEST(Box, StaysWhenItsPointsAreGathered) {
  Mesh mesh;
  for (int i = 0; i < 8; ++i) mesh.points.push_back(corner(i)), mesh.points.push_back(corner(i));
  for (const auto& [a, b, c] : triangles()) {
    const auto point = [](int i, int copy) { return static_cast<std::uint32_t>(2 * i + copy); };
    mesh.triangles.push_back({point(a, 0), point(b, 0), point(c, 1)});
    mesh.triangles.push_back({point(c, 0), point(a, 1), point(b, 0)});
    mesh.triangles.push_back({point(b, 1), point(c, 1), point(a, 0)});
    mesh.triangles.push_back({point(a, 0), point(a, 1), point(b, 0)});  // between copies: nothing
  }
  const Mesh gathered = clustered(mesh, 0.25);
  EXPECT_EQ(gathered.points.size(), 8U);
  EXPECT_EQ(gathered.triangles.size(), 12U);
  expect_box(gathered);
}

TEST(Box, WithoutAFaceOrWithAPointTooFewIsSaidByName) {
  const auto said = [](const std::string& ending, const std::string& text) {
    const std::string name = testing::TempDir() + "box" + ending;
    std::ofstream(name, std::ios::binary) << text;
    try {
      read_mesh(name);
      return std::string("taken");
    } catch (const MeshError& error) {
      return std::string(error.what()).substr(name.size());
    }
  };
  EXPECT_EQ(said(".obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"), "taken");
  EXPECT_EQ(said(".OBJ", "v 0 0 0\nv 1 0 0\nv 0 1 0\n"), " has no triangles");
  EXPECT_EQ(said(".obj", "v 0 0 0\nv 1 0 0\nv 0 nan 0\nf 1 2 3\n").find("taken"), std::string::npos);
  EXPECT_EQ(said(".obj", "v 0 0 0\nv 1 0 0\nf 1 2 3\n"), " has a face with a corner that is no point");
  EXPECT_EQ(said(".stl", "nothing"), " is cut short, or no STL file");
  const std::string corners = "solid a\nfacet\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nvertex 0 1 1\n";
  EXPECT_EQ(said(".stl", corners), " is cut short");
  EXPECT_EQ(said(".stl", corners + "endfacet\nendsolid a\n"), " has a facet without three corners");
  EXPECT_EQ(said(".dae", "<COLLADA>"), " is no XML file");
  EXPECT_EQ(said(".dae", "<robot/>"), " is no Collada file");
  EXPECT_EQ(said(".ply", "ply\n"), " is neither STL nor OBJ nor DAE");
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::figures
