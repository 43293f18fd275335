#include "geoms.hpp"

#include <cmath>
#include <numbers>

#include "../readers.hpp"

namespace denoc::io::mjcf {
namespace {

constexpr double pi = std::numbers::pi;

// Size and place of a geom of simple shape.
struct Figure {
  const struct FigureRow* row = nullptr;
  std::vector<double> size;
  Pose<double> frame;
};
// The types of simple shape. `sizes` are how many numbers say the size; the last is half the length along z where
// fromto says it instead.
struct FigureRow {
  std::string_view name;
  std::size_t sizes;
  bool has_length;
  Shape::Kind kind;
  Vec3<double> (*shape)(const std::vector<double>& s);  // as Shape says sizes
  double (*volume)(const std::vector<double>& s);
  Vec3<double> (*inertia)(const std::vector<double>& s);  // principal moments of one kg
};

Vec3<double> box_like(const std::vector<double>& s, double f) {
  return {f * (s[1] * s[1] + s[2] * s[2]), f * (s[2] * s[2] + s[0] * s[0]), f * (s[0] * s[0] + s[1] * s[1])};
}
Vec3<double> sphere_inertia(const std::vector<double>& s) {
  const double moment = s[0] * s[0] * 2 / 5;
  return {moment, moment, moment};
}
Vec3<double> cylinder_inertia(const std::vector<double>& s) {
  const double r2 = s[0] * s[0], across = r2 / 4 + s[1] * s[1] / 3;
  return {across, across, r2 / 2};
}
// A cylinder of length l and two half balls. Their mass centres lie 3 r/8 above the ends of the cylinder; about its
// middle they have 2/5 r^2 + l (2 l + 3 r)/8 of their mass.
Vec3<double> capsule_inertia(const std::vector<double>& s) {
  const double r = s[0], l = 2 * s[1], balls = 4 * r / (4 * r + 3 * l), rest = 1 - balls;
  const Vec3<double> cylinder = cylinder_inertia(s);
  const double ball = r * r * 2 / 5, across = rest * cylinder.x + balls * (ball + l * (2 * l + 3 * r) / 8);
  return {across, across, rest * cylinder.z + balls * ball};
}

constexpr FigureRow figures[] = {
    {"sphere", 1, false, Shape::Kind::sphere,
     [](const std::vector<double>& s) {
       return Vec3<double>{s[0], 0, 0};
     },
     [](const std::vector<double>& s) { return 4 * pi / 3 * s[0] * s[0] * s[0]; }, sphere_inertia},
    {"capsule", 2, true, Shape::Kind::capsule,
     [](const std::vector<double>& s) {
       return Vec3<double>{s[0], 2 * s[1], 0};
     },
     [](const std::vector<double>& s) { return pi * s[0] * s[0] * (2 * s[1] + s[0] * 4 / 3); }, capsule_inertia},
    {"cylinder", 2, true, Shape::Kind::cylinder,
     [](const std::vector<double>& s) {
       return Vec3<double>{s[0], 2 * s[1], 0};
     },
     [](const std::vector<double>& s) { return 2 * pi * s[0] * s[0] * s[1]; }, cylinder_inertia},
    {"ellipsoid", 3, true, Shape::Kind::ellipsoid,
     [](const std::vector<double>& s) {
       return Vec3<double>{s[0], s[1], s[2]};
     },
     [](const std::vector<double>& s) { return 4 * pi / 3 * s[0] * s[1] * s[2]; },
     [](const std::vector<double>& s) { return box_like(s, 1.0 / 5); }},
    {"box", 3, true, Shape::Kind::box,
     [](const std::vector<double>& s) {
       return Vec3<double>{2 * s[0], 2 * s[1], 2 * s[2]};
     },
     [](const std::vector<double>& s) { return 8 * s[0] * s[1] * s[2]; },
     [](const std::vector<double>& s) { return box_like(s, 1.0 / 3); }},
};
const Words& types() {
  static const Words words = [] {
    Words all = {"plane", "hfield", "mesh", "sdf"};
    for (const FigureRow& row : figures) all.push_back(row.name);
    return all;
  }();
  return words;
}
std::string shape_type(const Said& said) { return said.word("type", types(), "sphere"); }

const FigureRow* row_of(const std::string& type) {
  const auto* const found =
      std::find_if(std::begin(figures), std::end(figures), [&](const FigureRow& row) { return row.name == type; });
  return found == std::end(figures) ? nullptr : found;
}

// From one end to the other: the middle, z along it, and half the length. Nothing if it is at fault.
struct Ends {
  Pose<double> frame;
  double half = 0;
};
std::optional<Ends> read_ends(const Said& said, const std::string& type) {
  const std::vector<double> ends = said.numbers("fromto", 6);
  if (ends.empty()) return std::nullopt;
  if (norm(said.vec3("pos", {0, 0, 0})) > 0) said.refuse("fromto", "it says where the ends are, and pos says it again");
  const Vec3<double> from{ends[0], ends[1], ends[2]}, to{ends[3], ends[4], ends[5]}, way = from - to;
  const FigureRow* const row = row_of(type);
  const bool has_length = row != nullptr && row->has_length;
  if (!has_length || !(norm(way) > 0)) {
    said.refuse("fromto", has_length ? "its two points are the same" : fmt::format("a {} has no ends", type));
    return std::nullopt;
  }
  return Ends{{rounded(turn_z_to(way)), (from + to) * 0.5}, norm(way) / 2};
}

// Nothing if it is at fault.
std::optional<Figure> read_figure(const Geom& geom, const FigureRow& row, const Compiler& compiler) {
  const Said& said = geom.said;
  const bool has_ends = said.has("fromto");
  Figure figure{&row, said.numbers("size", 1, 3), read_pose(said, compiler)};
  const std::size_t needed = has_ends ? 1 : row.sizes;
  const auto is_positive = [](double x) { return x > 0; };
  if (figure.size.size() < needed ||
      !std::all_of(figure.size.begin(), figure.size.begin() + static_cast<std::ptrdiff_t>(needed), is_positive)) {
    said.refuse("size", fmt::format("a {}{} has {} positive {}", row.name, has_ends ? " with ends" : "", needed,
                                    needed == 1 ? "number" : "numbers"));
    return std::nullopt;
  }
  if (has_ends) {
    const auto ends = read_ends(said, std::string(row.name));
    if (!ends) return std::nullopt;
    const double radius = figure.size[0];
    figure.size = row.sizes == 3 ? std::vector<double>{radius, radius, ends->half} : std::vector{radius, ends->half};
    figure.frame = ends->frame;
  }
  figure.frame = geom.frame * figure.frame;
  return figure;
}

void require_mesh(const Said& said, const Meshes& meshes) {
  const std::string name = said.text("mesh");
  if (meshes.has(name)) return;
  if (name.empty()) {
    said.refuse("a geom of type mesh names one: mesh=\"...\"");
  } else {
    said.refuse("mesh", unknown("mesh", name, meshes.names()));
  }
}

}  // namespace

Pose<double> site_pose(const Said& said, const Compiler& compiler) {
  if (!said.has("fromto")) return read_pose(said, compiler);
  const auto ends = read_ends(said, shape_type(said));
  return ends ? ends->frame : Pose<double>{};
}
void check_site(const Said& said) {
  said.only_attributes({"name", "class", "type", "group", "pos", "quat", "material", "size", "fromto", "axisangle",
                        "xyaxes", "zaxis", "euler", "rgba", "user", "mesh"});
}

void Geoms::check(const Said& said) const {
  said.only_attributes(
      {"name",     "class",    "type", "contype",    "conaffinity",  "condim",   "group",      "priority",   "size",
       "material", "friction", "mass", "density",    "shellinertia", "solmix",   "solref",     "solimp",     "margin",
       "gap",      "fromto",   "pos",  "quat",       "axisangle",    "xyaxes",   "zaxis",      "euler",      "hfield",
       "mesh",     "fitscale", "rgba", "fluidshape", "fluidcoef",    "adhesion", "castshadow", "surfacevel", "user"});
  if (said.has("mesh") || shape_type(said) == "mesh") require_mesh(said, meshes_);
}

Inertial Geoms::inertia(const std::vector<Geom>& geoms) const {
  Lump lump;
  for (const Geom& geom : geoms) {
    const Said& said = geom.said;
    const double group = said.number("group", 0), density = said.number("density", 1000),
                 mass = said.number("mass", -1);
    const std::string type = shape_type(said);
    const bool is_massless = said.has("mass") ? mass == 0 : density == 0;
    if (group < compiler_.first_group || group > compiler_.last_group || is_massless) continue;
    if (type == "plane" || type == "hfield") continue;  // they have no volume
    if (said.has("mass") ? mass < 0 : density < 0) {
      said.refuse(said.has("mass") ? "mass" : "density", "it is not negative");
    } else if (type == "sdf") {
      said.refuse("type", "the inertia of a signed distance field is not computed: give the body an <inertial>");
    } else if (type == "mesh" && said.flag("shellinertia", false)) {
      said.refuse("shellinertia", "say it of the mesh: <mesh inertia=\"shell\"/>");
    } else if (type == "mesh") {
      const std::string name = said.text("mesh");
      const std::optional<Solid> solid = meshes_.has(name) ? meshes_.solid(name) : std::nullopt;
      if (solid)
        lump.add(*solid, said.has("mass") ? mass : density * solid->mass, geom.frame * read_pose(said, compiler_));
    } else if (said.has("mesh")) {
      said.refuse("mesh", fmt::format("a {} fitted to a mesh is not read: give the body an <inertial>", type));
    } else if (said.flag("shellinertia", false)) {
      said.refuse("shellinertia", "the inertia of a hollow shape is not computed: give the body an <inertial>");
    } else if (const auto figure = read_figure(geom, *row_of(type), compiler_)) {
      const double volume = figure->row->volume(figure->size);
      const Vec3<double> moments = figure->row->inertia(figure->size) * volume;
      const Solid solid{volume, {0, 0, 0}, {moments.x, 0, moments.y, 0, 0, moments.z}};
      lump.add(solid, said.has("mass") ? mass : density * volume, figure->frame);
    }
  }
  return lump.total();
}

std::vector<Shape> Geoms::shapes(const std::vector<Geom>& geoms) const {
  std::vector<Shape> shapes;
  for (const Geom& geom : geoms) {
    const Said& said = geom.said;
    const std::string type = said.text("type", "sphere");
    if (said.number("group", 0) > 2 || said.has("mesh") != (type == "mesh")) continue;
    if (type == "mesh" && meshes_.has(said.text("mesh"))) {
      if (auto shape = meshes_.shape(said.text("mesh"))) {
        shape->frame = geom.frame * read_pose(said, compiler_) * shape->frame;
        shapes.push_back(*std::move(shape));
      } else {
        passed_over_.note(said.tag(), "meshes without a file", "they are not drawn");
      }
    } else if (const FigureRow* row = row_of(type)) {
      if (const auto figure = read_figure(geom, *row, compiler_))
        shapes.push_back({row->kind, row->shape(figure->size), figure->frame, ""});
    }
  }
  return shapes;
}

bool Geoms::touches(const Geom& geom) {
  return geom.said.number("contype", 1) != 0 || geom.said.number("conaffinity", 1) != 0;
}

}  // namespace denoc::io::mjcf
