#include "compiler.hpp"

#include <Eigen/Geometry>
#include <numbers>

#include "../readers.hpp"
#include "denoc/model/manifold.hpp"
#include "denoc/spatial/attitude.hpp"
#include "eigen/views.hpp"

namespace denoc::io::mjcf {
namespace {

void read_euler_axes(const Said& said, std::string& axes) {
  if (!said.has("eulerseq")) return;
  const std::string word = said.text("eulerseq");
  if (word.size() == 3 && word.find_first_not_of("xyzXYZ") == std::string::npos) {
    axes = word;
  } else {
    said.refuse("eulerseq", fmt::format("three letters of x, y, z, X, Y, Z, not {}", in_quotes(word)));
  }
}

Compiler::Inference inference(const std::string& word) {
  if (word == "true") return Compiler::Inference::always;
  return word == "false" ? Compiler::Inference::never : Compiler::Inference::where_missing;
}

Vec3<double> axis_of(char letter) {
  return {letter == 'x' || letter == 'X' ? 1.0 : 0.0, letter == 'y' || letter == 'Y' ? 1.0 : 0.0,
          letter == 'z' || letter == 'Z' ? 1.0 : 0.0};
}

// (cos a/2, u sin a/2)
Quaternion<double> quaternion_about(const Vec3<double>& axis, double angle) {
  const Vec3<double> v = unit(axis) * std::sin(angle / 2);
  return {std::cos(angle / 2), v.x, v.y, v.z};
}

// As MuJoCo makes it of a matrix: the largest entry is positive.
Quaternion<double> largest_positive(const Mat3<double>& R) {
  const Eigen::Quaterniond q(views::dense(R));
  return {q.w(), q.x(), q.y(), q.z()};
}

// x as it is, y made square to it.
Mat3<double> turn_axes(const Vec3<double>& x_said, const Vec3<double>& y_said, const Element& level) {
  const auto x = full<long double>(unit(x_said)), y = full<long double>(y_said);
  const auto square = y - x * dot(x, y);
  const long double length = norm(square);
  if (is_zero(x_said) || length == 0) {
    level.refuse("xyaxes", "two axes that are not zero and not parallel");
    return identity3<double>();
  }
  const auto unit_y = square * (1 / length);
  return rounded(from_columns(x, unit_y, cross(x, unit_y)));
}

const Words& turn_attributes() {
  static const Words words = {"quat", "axisangle", "euler", "xyaxes", "zaxis"};
  return words;
}

Turn read_turn(const Element& level, const Compiler& compiler) {
  if (const auto q = level.numbers("quat", 4); !q.empty()) {
    const Eigen::Vector4d said = Eigen::Vector4d(q[0], q[1], q[2], q[3]).stableNormalized();
    if (q != std::vector<double>(4, 0))
      return {rounded(turn_quaternion({q[0], q[1], q[2], q[3]})), {said[0], said[1], said[2], said[3]}};
    level.refuse("quat", "a zero quaternion is no rotation");
  }
  if (const auto a = level.numbers("axisangle", 4); !a.empty()) {
    const Vec3<double> axis{a[0], a[1], a[2]};
    const double angle = compiler.radians(a[3]);
    if (!is_zero(axis)) return {rounded(turn_about(axis, angle)), quaternion_about(axis, angle)};
    level.refuse("axisangle", "a zero vector is no axis");
  }
  if (const auto e = level.numbers("euler", 3); !e.empty()) return turn_euler({e[0], e[1], e[2]}, compiler);
  if (const auto a = level.numbers("xyaxes", 6); !a.empty()) {
    const Mat3<double> R = turn_axes({a[0], a[1], a[2]}, {a[3], a[4], a[5]}, level);
    return {R, largest_positive(R)};
  }
  if (const auto z = level.numbers("zaxis", 3); !z.empty()) {
    const Vec3<double> axis{z[0], z[1], z[2]};
    if (!is_zero(axis)) {
      const Mat3<double> R = rounded(turn_z_to(axis));
      return {R, quaternion_of(R)};  // w is not negative
    }
    level.refuse("zaxis", "a zero vector is no axis");
  }
  return {};
}

}  // namespace

Compiler Compiler::read(const std::vector<Tag>& tags) {
  Compiler c;
  for (const Tag& tag : tags) {
    const Said said(tag);
    tag.element().only_attributes(
        {"autolimits",    "boundmass",       "boundinertia", "settotalmass",    "balanceinertia",    "strippath",
         "coordinate",    "angle",           "fitaabb",      "eulerseq",        "meshdir",           "texturedir",
         "discardvisual", "usethread",       "fusestatic",   "inertiafromgeom", "inertiagrouprange", "saveinertial",
         "savecompiled",  "savecanonical",   "assetdir",     "alignfree",       "conflict",          "passthrough",
         "convexhull",    "exactmeshinertia"});
    if (said.word("coordinate", {"local", "global"}, "local") == "global")
      said.refuse("coordinate", "global coordinates are not read: save the file with coordinate=\"local\"");
    c.in_degrees = said.word("angle", {"degree", "radian"}, c.in_degrees ? "degree" : "radian") == "degree";
    read_euler_axes(said, c.euler_axes);
    if (said.has("inertiafromgeom"))
      c.from_geoms = inference(said.word("inertiafromgeom", {"false", "true", "auto"}, "auto"));
    if (const auto range = said.numbers("inertiagrouprange", 2); !range.empty())
      c.first_group = range[0], c.last_group = range[1];
    c.least_mass = said.number("boundmass", c.least_mass);
    c.least_moment = said.number("boundinertia", c.least_moment);
    c.total_mass = said.number("settotalmass", c.total_mass);
    c.balances_inertia = said.flag("balanceinertia", c.balances_inertia);
    c.infers_limits = said.flag("autolimits", c.infers_limits);
    c.strips_paths = said.flag("strippath", c.strips_paths);
    c.aligns_free = said.flag("alignfree", c.aligns_free);
    c.fuses_static = said.flag("fusestatic", c.fuses_static);
    if (said.flag("exactmeshinertia", false))
      said.refuse("exactmeshinertia", "say it of each mesh: <mesh inertia=\"exact\"/>");
    for (const char* directory : {"assetdir", "meshdir"})  // the latter counts where both are said
      if (said.has(directory)) c.mesh_directory = said.text(directory);
  }
  return c;
}

double Compiler::radians(double angle) const { return in_degrees ? angle * std::numbers::pi / 180 : angle; }

Turn turn_euler(const Vec3<double>& angles, const Compiler& compiler) {
  auto turn = identity3<long double>();
  Quaternion<double> q{1, 0, 0, 0};
  const double each[] = {angles.x, angles.y, angles.z};
  for (std::size_t i = 0; i < 3; ++i) {
    const char letter = compiler.euler_axes[i];
    const Vec3<double> axis = axis_of(letter);
    const double angle = compiler.radians(each[i]);
    const auto step = turn_about(axis, angle);
    const Quaternion<double> half = quaternion_about(axis, angle);
    const bool is_of_turned_frame = letter >= 'a';
    turn = is_of_turned_frame ? turn * step : step * turn;
    q = is_of_turned_frame ? q * half : half * q;
  }
  return {rounded(turn), q};
}

Pose<double> read_pose(const Said& said, const Compiler& compiler, Quaternion<double>* turn) {
  const Element& level = said.at_any(turn_attributes());
  const auto turns = std::count_if(turn_attributes().begin(), turn_attributes().end(),
                                   [&](std::string_view word) { return level.has(word.data()); });
  if (turns > 1) level.refuse("an element is turned in one way: quat, axisangle, euler, xyaxes or zaxis");
  const auto [R, q] = read_turn(level, compiler);
  if (turn != nullptr) *turn = q;
  return {R, said.vec3("pos", {0, 0, 0})};
}

std::vector<double> unit_quaternion(const Mat3<double>& turn, const Quaternion<double>& near) {
  Eigen::Quaterniond q = Eigen::Quaterniond(views::dense(turn)).normalized();
  if (q.dot(Eigen::Quaterniond(near.w, near.x, near.y, near.z)) < 0) q.coeffs() = -q.coeffs();
  return {q.w(), q.x(), q.y(), q.z()};
}

}  // namespace denoc::io::mjcf
