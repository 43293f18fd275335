#include "denoc/loops/closure.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace denoc {
namespace {

// Each type by the rows it has.
struct Shape {
  std::string_view type;
  int across;  // rows that keep b's origin on a's: 3 of the world's axes, or so many of a's axes (2: on the line
               // along axis, 1: in the plane across it)
  int square;  // rows that keep axes square: 2 axis parallel, 3 no turning at all, 1 universal, 0 none
};
constexpr std::array shapes = {Shape{"revolute", 3, 2},  Shape{"prismatic", 2, 3},   Shape{"universal", 3, 1},
                               Shape{"spherical", 3, 0}, Shape{"cylindrical", 2, 2}, Shape{"planar", 1, 2},
                               Shape{"weld", 3, 3},      Shape{"fixed", 3, 3},       Shape{"point-on-line", 2, 0}};
constexpr std::array couplings = {"coupler", "gear", "belt", "bevel-gear", "rolling", "eccentric-cam"};

const Shape* shape_of(std::string_view type) {
  const auto found = std::find_if(shapes.begin(), shapes.end(), [&](const Shape& s) { return s.type == type; });
  return found == shapes.end() ? nullptr : &*found;
}

struct Axes {
  Vec3<double> x, y, z;
};
// z along the axis, x square to it and as near as can be to the frame's axis that is most square to it.
Axes axes_about(const Vec3<double>& axis) {
  const Vec3<double> z = axis * (1 / norm(axis));
  const Vec3<double> away = std::abs(z.x) <= std::abs(z.y) && std::abs(z.x) <= std::abs(z.z) ? Vec3<double>{1, 0, 0}
                            : std::abs(z.y) <= std::abs(z.z)                                 ? Vec3<double>{0, 1, 0}
                                                                                             : Vec3<double>{0, 0, 1};
  const Vec3<double> square = away - z * dot(away, z), x = square * (1 / norm(square));
  return {x, cross(z, x), z};
}

}  // namespace

bool couples_coordinates(std::string_view type) {
  return std::find(couplings.begin(), couplings.end(), type) != couplings.end();
}
bool is_loop_type(std::string_view type) {
  return type == "distance" || shape_of(type) != nullptr || couples_coordinates(type);
}

std::vector<ClosureRow> closure_rows(const Robot& robot) {
  using Row = ClosureRow::Kind;
  std::vector<ClosureRow> rows;
  for (std::size_t l = 0; l < robot.loops.size(); ++l) {
    const Loop& loop = robot.loops[l];
    const int i = static_cast<int>(l);
    if (couples_coordinates(loop.type)) {
      rows.push_back({Row::coupled, i});
      continue;
    }
    const Shape* const shape = shape_of(loop.type);
    if (shape == nullptr) {
      rows.push_back({Row::distance, i});
      continue;
    }
    const Axes a = axes_about(loop.axis);
    if (shape->across == 3) {
      for (const Vec3<double>& e : {Vec3<double>{1, 0, 0}, Vec3<double>{0, 1, 0}, Vec3<double>{0, 0, 1}}) {
        rows.push_back({Row::coincide, i, e});
      }
    } else if (shape->across == 2) {
      for (const Vec3<double>& d : {a.x, a.y}) rows.push_back({Row::along, i, d});
    } else {
      rows.push_back({Row::along, i, a.z});
    }
    if (shape->square == 1) rows.push_back({Row::square, i, a.z, axes_about(loop.axis2).z});
    if (shape->square >= 2) {
      for (const Vec3<double>& x : {a.x, a.y}) rows.push_back({Row::square, i, x, a.z});
    }
    if (shape->square == 3) rows.push_back({Row::square, i, a.x, a.y});
  }
  return rows;
}

std::vector<Vec3<double>> shared_directions(const Loop& loop) {
  const Shape* const shape = shape_of(loop.type);
  if (shape == nullptr || shape->square < 3) return {};
  const Axes a = axes_about(loop.axis);
  return {a.z, a.x};
}

}  // namespace denoc
