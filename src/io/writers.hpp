// Robots as the text of a file. Numbers have the digits that give the same number again.
#pragma once
#include <fmt/format.h>

#include <array>
#include <string>
#include <vector>

#include "denoc/model/robot.hpp"

namespace denoc::io {

std::string write_yaml(const Robot& robot, std::vector<std::string>& unsaid);
std::string write_urdf(const Robot& robot, std::vector<std::string>& unsaid);
std::string write_mjcf(const Robot& robot, std::vector<std::string>& unsaid);

inline std::vector<double> list(const Vec3<double>& v) { return {v.x, v.y, v.z}; }
bool is_identity(const Mat3<double>& R);
bool is_identity(const Pose<double>& frame);

// w x y z, and the angles of Rz(yaw) Ry(pitch) Rx(roll): what turn_quaternion and turn_rpy give the rotation back from.
std::array<double, 4> wxyz_of(const Mat3<double>& R);
Vec3<double> rpy_of(const Mat3<double>& R);

bool is_empty(const Inertial& inertial);
// The link `world` of a URDF, which stands on the ground and is nothing else; alone it is a robot of one body.
bool is_ground(const Robot& robot, int body);
// A body's name in a file: `world` is that of the ground alone, and another body that has it is called otherwise.
std::string name_beside_ground(const Robot& robot, int body);
// Whether a reader that goes depth first, siblings as they stand, comes to the same order.
bool is_depth_first(const Robot& robot);

}  // namespace denoc::io
