// What the rules and the warnings about robots share.
#pragma once
#include <array>
#include <cmath>
#include <string>
#include <string_view>

#include "denoc/model/robot.hpp"

namespace denoc::inspection {

template <class... N> bool finite(N... x) { return (std::isfinite(x) && ...); }
inline bool finite(const Sym3<double>& s) { return finite(s.xx, s.xy, s.yy, s.xz, s.yz, s.zz); }
inline bool finite(const Pose<double>& p) {
  return finite(p.r) && finite(column_x(p.R)) && finite(column_y(p.R)) && finite(column_z(p.R));
}
inline double length(const Vec3<double>& v) { return std::hypot(v.x, v.y, v.z); }

// The source of a part of an element: "link 'arm': mass".
Source part_of(const Source& whole, std::string_view part);
Source source_of(const Body& body);
Source source_of_joint(const Body& body);

// Sorted.
std::array<double, 3> principal_moments(const Sym3<double>& s);

}  // namespace denoc::inspection
