// The settings of <compiler>: how the numbers of the file are meant, and what is made of masses and inertias.
#pragma once
#include <filesystem>

#include "files.hpp"

namespace denoc::io::mjcf {

struct Compiler {
  enum class Inference { never, where_missing, always };  // of a body's inertia from its geoms

  bool in_degrees = true;
  std::string euler_axes = "xyz";  // lower case: of the turned frame, upper case: of the fixed one
  Inference from_geoms = Inference::where_missing;
  double first_group = 0, last_group = 5;  // of the geoms that count for it
  double least_mass = 0, least_moment = 0, total_mass = -1;
  bool balances_inertia = false;
  bool infers_limits = true;  // a range alone makes a joint limited
  bool strips_paths = false;
  bool aligns_free = false;
  bool fuses_static = false;  // what is welded to the world is part of it, and has no mass
  std::filesystem::path mesh_directory = {};

  // All of them together; of two that say the same the later counts.
  static Compiler read(const std::vector<Tag>& tags);
  // An angle of the file, in radians.
  double radians(double angle) const;
};

// A rotation, and which of its two quaternions MuJoCo takes: the qpos0 of a free joint is that one.
struct Turn {
  Mat3<double> R = identity3<double>();
  Quaternion<double> q = {1, 0, 0, 0};
};
// Where an element stands: pos, and one of quat, axisangle, euler, xyaxes, zaxis. Whichever of these the element says
// counts, not another one that a default says.
Pose<double> read_pose(const Said& said, const Compiler& compiler, Quaternion<double>* turn = nullptr);
// The turn of three Euler angles as `euler_axes` says.
Turn turn_euler(const Vec3<double>& angles, const Compiler& compiler);
// As a quaternion w, x, y, z of length one: of the two there are the one near this.
std::vector<double> unit_quaternion(const Mat3<double>& turn, const Quaternion<double>& near);

}  // namespace denoc::io::mjcf
