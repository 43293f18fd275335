// Joints from poses.
#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>

#include "denoc/mechanism/inverse_kinematics.hpp"

#include "core.hpp"
#include "interpreter.hpp"

namespace denoc::python {
namespace {

// Rotations are taken as they are up to here, and made exact: what is farther off is a mistake.
constexpr double most_skew = 1e-6;

// Of 4 x 4 numbers. Throws ArgumentError unless they are a rotation and a position.
Pose<double> pose_of(std::span<const double> m) {
  const Vec3<double> x{m[0], m[4], m[8]}, y{m[1], m[5], m[9]}, z{m[2], m[6], m[10]};
  const Vec3<double> along = x * (1 / norm(x)), upright = z - along * dot(along, z);
  const Vec3<double> up = upright * (1 / norm(upright)), across = cross(up, along);
  const auto off = [](const Vec3<double>& one, const Vec3<double>& other) { return norm(one - other); };
  const bool has_last_row = m[12] == 0 && m[13] == 0 && m[14] == 0 && m[15] == 1;
  if (!has_last_row || !(off(x, along) + off(y, across) + off(z, up) <= most_skew))
    throw ArgumentError("pose is no rotation and position: orthonormal columns, then the row 0 0 0 1, are wanted");
  return {from_columns(along, across, up), {m[3], m[7], m[11]}};
}

nb::list ik(const Core& core, int body, const std::array<double, 3>& point, nb::handle pose, bool with_attitude,
            nb::handle start) {
  const Buffer frame(pose), near(start);
  const auto from = near.numbers<const double>();
  const Target target{body, {point[0], point[1], point[2]}, with_attitude};
  const auto find = [&] {
    const Released others_may_run;
    return inverse_kinematics(core.mechanism, target, pose_of(frame.numbers<const double>()),
                              {from.begin(), from.end()});
  };
  nb::list all;
  for (const Solution& s : find())
    all.append(nb::make_tuple(array_of(s.q), s.gap, s.distance, s.is_within_limits, s.branch));
  return all;
}

}  // namespace

void bind_kinematics(nb::class_<Core>& core) { core.def("ik", &ik); }

}  // namespace denoc::python
