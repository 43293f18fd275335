// Collada: the geometries that the scene shows, each where its nodes put it. Materials, skins and animations are not of
// interest here.
#include <fmt/format.h>
#include <tinyxml2.h>

#include <cmath>
#include <map>
#include <numbers>
#include <string>

#include "output/figures/mesh.hpp"
#include "output/figures/words.hpp"

namespace denoc::figures {
namespace {

using Element = tinyxml2::XMLElement;

std::string_view text_of(const Element* element) {
  const char* text = element != nullptr ? element->GetText() : nullptr;
  return text != nullptr ? text : "";
}
std::string_view attribute(const Element& element, const char* name) {
  const char* value = element.Attribute(name);
  return value != nullptr ? value : "";
}
// "#name" is the element whose id is name.
std::string reference(const Element& element, const char* name) {
  const std::string_view value = attribute(element, name);
  return std::string(value.starts_with('#') ? value.substr(1) : value);
}
template <class F> void each(const Element* parent, const char* name, F&& visit) {
  if (parent == nullptr) return;
  for (const Element* e = parent->FirstChildElement(name); e != nullptr; e = e->NextSiblingElement(name)) visit(*e);
}

// p -> A p + b, A any matrix.
struct Affine {
  Mat3<double> A = identity3<double>();
  Vec3<double> b{0, 0, 0};

  Vec3<double> operator()(const Vec3<double>& p) const { return A * p + b; }
  Affine operator*(const Affine& inner) const { return {A * inner.A, (*this)(inner.b)}; }
};

// What one element of a node does to what stands after it; most do nothing.
Affine transform_of(const Element& element) {
  Affine result;
  Words words(text_of(&element));
  const std::string_view kind = element.Name();
  const auto vector = [&words] { return Vec3<double>{words.number(), words.number(), words.number()}; };
  if (kind == "translate") {
    result.b = vector();
  } else if (kind == "scale") {
    const Vec3<double> s = vector();
    result.A.xx = s.x, result.A.yy = s.y, result.A.zz = s.z;
  } else if (kind == "rotate") {
    const Vec3<double> axis = vector();
    const double half = words.number() * std::numbers::pi / 360, s = std::sin(half) / norm(axis);
    result.A = rotation(Quaternion<double>{std::cos(half), s * axis.x, s * axis.y, s * axis.z});
  } else if (kind == "matrix") {  // by rows
    auto& [A, b] = result;
    A.xx = words.number(), A.xy = words.number(), A.xz = words.number(), b.x = words.number();
    A.yx = words.number(), A.yy = words.number(), A.yz = words.number(), b.y = words.number();
    A.zx = words.number(), A.zy = words.number(), A.zz = words.number(), b.z = words.number();
  }
  return result;
}

class Reader {
 public:
  explicit Reader(const Element& root) {
    each(root.FirstChildElement("library_geometries"), "geometry",
         [&](const Element& e) { geometries_[std::string(attribute(e, "id"))] = &e; });
    each(root.FirstChildElement("library_nodes"), "node",
         [&](const Element& e) { nodes_[std::string(attribute(e, "id"))] = &e; });
    Affine metres;
    if (const Element* asset = root.FirstChildElement("asset"))
      if (const Element* unit = asset->FirstChildElement("unit"))
        if (!attribute(*unit, "meter").empty())
          metres.A.xx = metres.A.yy = metres.A.zz = Words::as<double>(attribute(*unit, "meter"));
    each(root.FirstChildElement("library_visual_scenes"), "visual_scene",
         [&](const Element& scene) { each(&scene, "node", [&](const Element& node) { add_node(node, metres, 0); }); });
    if (mesh_.triangles.empty())  // no scene: every geometry as it stands
      for (const auto& [name, geometry] : geometries_) add_geometry(*geometry, metres);
  }
  Mesh take() { return std::move(mesh_); }

 private:
  static constexpr int deepest = 64;  // nodes may refer to each other in a circle
  // Each counted as often as it is shown: nodes that show others twice are many in a short file.
  static constexpr int most_nodes = 100'000;
  static constexpr std::size_t most_points = 50'000'000;
  std::map<std::string, const Element*> geometries_ = {}, nodes_ = {};
  Mesh mesh_ = {};
  int shown_ = 0;

  void add_node(const Element& node, Affine at, int depth) {
    if (depth > deepest) throw MeshError("has nodes inside each other without end");
    if (++shown_ > most_nodes) throw MeshError(fmt::format("shows more than {} nodes", most_nodes));
    for (const Element* e = node.FirstChildElement(); e != nullptr; e = e->NextSiblingElement())
      at = at * transform_of(*e);
    each(&node, "instance_geometry", [&](const Element& e) {
      const auto found = geometries_.find(reference(e, "url"));
      if (found != geometries_.end()) add_geometry(*found->second, at);
    });
    each(&node, "instance_node", [&](const Element& e) {
      const auto found = nodes_.find(reference(e, "url"));
      if (found != nodes_.end()) add_node(*found->second, at, depth + 1);
    });
    each(&node, "node", [&](const Element& child) { add_node(child, at, depth + 1); });
  }

  void add_geometry(const Element& geometry, const Affine& at) {
    const Element* mesh = geometry.FirstChildElement("mesh");
    if (mesh == nullptr) return;
    if (mesh_.points.size() > most_points) throw MeshError(fmt::format("shows more than {} points", most_points));
    const auto first = static_cast<std::uint32_t>(mesh_.points.size());
    add_points(*mesh, at);
    for (const char* kind : {"triangles", "polylist", "polygons"})
      each(mesh, kind, [&](const Element& faces) { add_faces(faces, first); });
  }

  // <vertices> names the <source> of its positions.
  void add_points(const Element& mesh, const Affine& at) {
    std::string wanted;
    each(mesh.FirstChildElement("vertices"), "input", [&](const Element& input) {
      if (attribute(input, "semantic") == "POSITION") wanted = reference(input, "source");
    });
    each(&mesh, "source", [&](const Element& source) {
      if (attribute(source, "id") != wanted) return;
      const Element* numbers = source.FirstChildElement("float_array");
      if (numbers == nullptr) throw MeshError("has points without numbers");
      Words words(text_of(numbers));
      for (long left = Words::as<long>(attribute(*numbers, "count")); left >= 3; left -= 3)
        mesh_.points.push_back(at({words.number(), words.number(), words.number()}));
    });
  }

  // <p> has for every corner one index for each input, at its offset; <vcount> says how many corners a face has.
  void add_faces(const Element& faces, std::uint32_t first) {
    long stride = 0, offset = 0;
    each(&faces, "input", [&](const Element& input) {
      const long at = Words::as<long>(attribute(input, "offset"));
      stride = std::max(stride, at + 1);
      if (attribute(input, "semantic") == "VERTEX") offset = at;
    });
    if (stride == 0) throw MeshError("has faces without corners");
    const Element* counts = faces.FirstChildElement("vcount");
    Words sizes(text_of(counts));
    each(&faces, "p", [&](const Element& p) {
      Words words(text_of(&p));
      std::vector<std::uint32_t> corners;
      long wanted = 0;
      for (std::string_view word = words.next(); !word.empty();) {
        if (corners.empty()) wanted = next_size(faces, counts, sizes);
        long index = 0;
        for (long k = 0; k < stride; ++k, word = words.next())
          if (k == offset) index = Words::as<long>(word);
        corners.push_back(first + static_cast<std::uint32_t>(index));
        if (static_cast<long>(corners.size()) != wanted) continue;
        mesh_.add_polygon(corners);
        corners.clear();
      }
      if (wanted < 0) mesh_.add_polygon(corners);
    });
  }
  // Corners of the next face; -1: all that are left, as <polygons> has one face in each <p>.
  static long next_size(const Element& faces, const Element* counts, Words& sizes) {
    if (counts != nullptr) return sizes.whole();
    return std::string_view(faces.Name()) == "polygons" ? -1 : 3;
  }
};

}  // namespace

Mesh read_dae(std::string_view text) {
  tinyxml2::XMLDocument document;
  if (document.Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS) throw MeshError("is no XML file");
  const Element* root = document.RootElement();
  if (root == nullptr || std::string_view(root->Name()) != "COLLADA") throw MeshError("is no Collada file");
  return Reader(*root).take();
}

}  // namespace denoc::figures
