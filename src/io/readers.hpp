// What the readers of robots and states share among themselves.
#pragma once
#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "denoc/io/load.hpp"
#include "denoc/io/report.hpp"

namespace denoc::io {

// Why a file cannot even be opened, or nothing.
std::string obstacle(const std::filesystem::path& file);
// What is in a file, whatever it is; nothing, and why, if that cannot be had or is beyond all reason.
std::optional<std::string> read_bytes(const std::filesystem::path& file, std::string& why);
// The text of a file, or of standard input if it is called "-". What cannot be a text is reported.
std::optional<std::string> read_text(const std::filesystem::path& file, Report& report);

// As the public one. `said_in` is the file that asks, empty on a command line: a robot beside it that the name lacks
// nothing but the ending of is named in the message.
std::string find_robot(const std::string& file_or_shipped_name, const std::filesystem::path& said_in);

// Whatever can be read of the robot; everything that cannot is in the report.
Robot read_yaml(const std::string& text, const LoadOptions& options, Report& report);
Robot read_urdf(const std::string& text, const LoadOptions& options, Report& report);
// `file` is where the text comes from: what it includes and its meshes lie beside it.
Robot read_mjcf(const std::string& text, const std::filesystem::path& file, Report& report);

// A limit of this size or more is none.
inline constexpr double no_limit = 1e300;

// Frames are worked out in long double and rounded once. Right angles come out as the cosine of the file's number:
// nothing is snapped here.
Mat3<long double> turn_x(double angle);
Mat3<long double> turn_z(double angle);
Mat3<long double> turn_rpy(const Vec3<double>& rpy);                   // Rz(yaw) Ry(pitch) Rx(roll)
Mat3<long double> turn_quaternion(const std::array<double, 4>& wxyz);  // of any length but zero
Mat3<long double> turn_about(const Vec3<double>& axis, double angle);  // an axis of any length but zero
// The smallest turn that takes z to a direction of any length but zero; to -z: about x.
Mat3<long double> turn_z_to(const Vec3<double>& direction);
Mat3<double> rounded(const Mat3<long double>& turn);
// Whether they look like degrees or millimetres: what to say of it, or nothing.
std::string doubt_of_angle(double angle);
std::string doubt_of_limit(double angle);
std::string doubt_of_length(double length);
template <class Fields, class Key>
void doubt_entries(const Fields& fields, Key key, const Vec3<double>& entries, std::string (*doubt_of)(double)) {
  for (const double x : {entries.x, entries.y, entries.z}) {
    if (const std::string doubt = doubt_of(x); !doubt.empty()) return fields.warn(key, doubt);
  }
}
template <class Fields> void doubt_limits(const Fields& fields, const Limits& of_angle) {
  for (const auto& [key, limit] : {std::pair{"lower", of_angle.lower}, std::pair{"upper", of_angle.upper}})
    if (const std::string doubt = doubt_of_limit(limit); !doubt.empty()) return fields.warn(key, doubt);
}
// A frame by xyz, and rpy or the quaternion of that key, of any length but zero, whose w stands at `w`. `fields` are
// those of a map of YAML or the attributes of an element of XML.
template <class Fields> Pose<double> read_frame(const Fields& fields, const char* quaternion, std::size_t w) {
  Pose<double> pose;
  pose.r = fields.vec3("xyz", pose.r);
  const Vec3<double> rpy = fields.vec3("rpy", {0, 0, 0});
  pose.R = rounded(turn_rpy(rpy));
  doubt_entries(fields, "xyz", pose.r, doubt_of_length);
  doubt_entries(fields, "rpy", rpy, doubt_of_angle);
  if (fields.has("rpy") && fields.has(quaternion))
    fields.refuse("rpy", std::string("either rpy or ") + quaternion + ", not both");
  const std::vector<double> q = fields.numbers(quaternion, 4);
  if (q.empty()) return pose;
  if (q == std::vector<double>(4, 0)) {
    fields.refuse(quaternion, "a zero quaternion is no rotation");
  } else {
    pose.R = rounded(turn_quaternion({q[w], q[(w + 1) % 4], q[(w + 2) % 4], q[(w + 3) % 4]}));
  }
  return pose;
}
// The same direction at length one; zero stays zero, for the rules to refuse.
Vec3<double> unit(const Vec3<double>& direction);

}  // namespace denoc::io
