#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "readers.hpp"

namespace denoc::io {
namespace {

// The largest entry first: no square of a file's number overflows or vanishes.
long double length(const Vec3<double>& v) {
  return std::hypot(static_cast<long double>(v.x), static_cast<long double>(v.y), static_cast<long double>(v.z));
}

}  // namespace

Mat3<long double> turn_x(double angle) {
  const long double c = std::cos(static_cast<long double>(angle)), s = std::sin(static_cast<long double>(angle));
  return from_columns(Vec3<long double>{1, 0, 0}, Vec3<long double>{0, c, s}, Vec3<long double>{0, -s, c});
}
Mat3<long double> turn_z(double angle) {
  const long double c = std::cos(static_cast<long double>(angle)), s = std::sin(static_cast<long double>(angle));
  return from_columns(Vec3<long double>{c, s, 0}, Vec3<long double>{-s, c, 0}, Vec3<long double>{0, 0, 1});
}
Mat3<long double> turn_rpy(const Vec3<double>& rpy) {
  const long double c = std::cos(static_cast<long double>(rpy.y)), s = std::sin(static_cast<long double>(rpy.y));
  const auto pitch = from_columns(Vec3<long double>{c, 0, -s}, Vec3<long double>{0, 1, 0}, Vec3<long double>{s, 0, c});
  return turn_z(rpy.z) * pitch * turn_x(rpy.x);
}
Mat3<long double> turn_quaternion(const std::array<double, 4>& wxyz) {
  const auto [w, x, y, z] = wxyz;
  const long double n = std::hypot(static_cast<long double>(w), length({x, y, z}));
  return rotation(Quaternion<long double>{w / n, x / n, y / n, z / n});
}
// cos a E + sin a [u] + (1 - cos a) u u^T
Mat3<long double> turn_about(const Vec3<double>& axis, double angle) {
  using Wide = long double;
  const Wide n = length(axis), c = std::cos(Wide(angle)), s = std::sin(Wide(angle));
  const Vec3<Wide> u{axis.x / n, axis.y / n, axis.z / n};
  const auto column = [&](const Vec3<Wide>& e, Wide along) { return e * c + cross(u, e) * s + u * ((1 - c) * along); };
  return from_columns(column({1, 0, 0}, u.x), column({0, 1, 0}, u.y), column({0, 0, 1}, u.z));
}
// E + [k] + [k]^2 / (1 + n_z), k = z x n; 1 + n_z = (n_x^2 + n_y^2) / (1 - n_z) where that cancels less.
Mat3<long double> turn_z_to(const Vec3<double>& direction) {
  using Wide = long double;
  const Wide length_of = length(direction);
  const Wide x = direction.x / length_of, y = direction.y / length_of, z = direction.z / length_of;
  const Wide across = x * x + y * y;
  if (z < 0 && across == 0) return from_columns(Vec3<Wide>{1, 0, 0}, Vec3<Wide>{0, -1, 0}, Vec3<Wide>{0, 0, -1});
  const Wide f = z < 0 ? (1 - z) / across : 1 / (1 + z);
  return from_columns(Vec3<Wide>{1 - x * x * f, -x * y * f, -x}, Vec3<Wide>{-x * y * f, 1 - y * y * f, -y},
                      Vec3<Wide>{x, y, z});
}
Mat3<double> rounded(const Mat3<long double>& turn) { return full<double>(turn); }

// A whole turn is written with few digits, too: 6.2832.
std::string doubt_of_angle(double angle) {
  if (std::abs(angle) <= 2 * std::numbers::pi + 1e-3) return "";
  return fmt::format("{} rad is more than a whole turn: is it in degrees?", angle);
}
// Joints may turn often, to limits of 100 or 1e16 rad: eighths of a turn show that degrees are meant.
std::string doubt_of_limit(double angle) {
  return std::abs(angle) <= 360 && std::fmod(angle, 45) == 0 ? doubt_of_angle(angle) : "";
}
std::string doubt_of_length(double length) {
  return std::abs(length) <= 100 ? "" : fmt::format("{} m is far: is it in millimetres?", length);
}

Vec3<double> unit(const Vec3<double>& direction) {
  const long double n = length(direction);
  if (n == 0) return direction;
  return full<double>(Vec3<long double>{direction.x / n, direction.y / n, direction.z / n});
}

}  // namespace denoc::io
