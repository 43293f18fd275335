#include "denoc/loops/closure.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace denoc {
namespace {

struct Triad {
  Vec3<double> x, y, z;
};
// z along the axis, x square to it and as near as can be to the frame's axis that is most square to it.
Triad axes_about(const Vec3<double>& axis) {
  const Vec3<double> z = axis * (1 / norm(axis));
  const Vec3<double> away = std::abs(z.x) <= std::abs(z.y) && std::abs(z.x) <= std::abs(z.z) ? Vec3<double>{1, 0, 0}
                            : std::abs(z.y) <= std::abs(z.z)                                 ? Vec3<double>{0, 1, 0}
                                                                                             : Vec3<double>{0, 0, 1};
  const Vec3<double> square = away - z * dot(away, z), x = square * (1 / norm(square));
  return {x, cross(z, x), z};
}

const std::array<Vec3<double>, 3> world_axes = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

}  // namespace

std::vector<ClosureRow> closure_rows(const Robot& robot) {
  using Row = ClosureRow::Kind;
  std::vector<ClosureRow> rows;
  for (std::size_t l = 0; l < robot.loops.size(); ++l) {
    const Loop& loop = robot.loops[l];
    const int i = static_cast<int>(l);
    const LoopShape& shape = shape_of(loop.type);
    if (couples_coordinates(loop.type) || shape.across == 0) {
      rows.push_back({couples_coordinates(loop.type) ? Row::coupled : Row::distance, i});
      continue;
    }
    const Triad a = axes_about(loop.axis);
    if (shape.across == 3) {
      for (const Vec3<double>& e : world_axes) rows.push_back({Row::coincide, i, e});
    } else if (shape.across == 2) {
      for (const Vec3<double>& d : {a.x, a.y}) rows.push_back({Row::along, i, d});
    } else {
      rows.push_back({Row::along, i, a.z});
    }
    if (shape.square == 1) rows.push_back({Row::square, i, a.z, axes_about(loop.axis2).z});
    if (shape.square >= 2) {
      for (const Vec3<double>& x : {a.x, a.y}) rows.push_back({Row::square, i, x, a.z});
    }
    if (shape.square == 3) rows.push_back({Row::square, i, a.x, a.y});
  }
  return rows;
}

std::vector<Vec3<double>> shared_directions(const Loop& loop) {
  const int square = shape_of(loop.type).square;
  const Triad a = axes_about(loop.axis);
  if (square == 3) return {a.z, a.x};
  if (square == 2) return {a.z};
  return {};
}

std::vector<ClosureRow> assembly_rows(const Robot& robot) {
  std::vector<ClosureRow> rows = closure_rows(robot);
  std::erase_if(rows, [&](const ClosureRow& row) {
    return row.kind == ClosureRow::Kind::square &&
           !shared_directions(robot.loops[static_cast<std::size_t>(row.loop)]).empty();
  });
  for (std::size_t l = 0; l < robot.loops.size(); ++l)
    for (const Vec3<double>& direction : shared_directions(robot.loops[l]))
      for (const Vec3<double>& e : world_axes)
        rows.push_back({ClosureRow::Kind::alike, static_cast<int>(l), direction, e});
  return rows;
}

}  // namespace denoc
