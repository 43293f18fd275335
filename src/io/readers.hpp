// What the readers of robots and states share among themselves.
#pragma once
#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "denoc/io/load.hpp"
#include "denoc/io/report.hpp"

namespace denoc::io {

// Why a file cannot even be opened, or nothing.
std::string obstacle(const std::filesystem::path& file);
// The text of a file, or of standard input if it is called "-". What cannot be a text is reported.
std::optional<std::string> read_text(const std::filesystem::path& file, Report& report);

// Whatever can be read of the robot; everything that cannot is in the report.
Robot read_yaml(std::string_view text, const LoadOptions& options, Report& report);
Robot read_urdf(const std::string& text, const LoadOptions& options, Report& report);

// Frames are worked out in long double and rounded once. Right angles come out as the cosine of the file's number:
// nothing is snapped here.
Mat3<long double> turn_x(double angle);
Mat3<long double> turn_z(double angle);
Mat3<long double> turn_rpy(const Vec3<double>& rpy);                   // Rz(yaw) Ry(pitch) Rx(roll)
Mat3<long double> turn_quaternion(const std::array<double, 4>& wxyz);  // of any length but zero
Mat3<double> rounded(const Mat3<long double>& turn);
// The same direction at length one; zero stays zero, for the rules to refuse.
Vec3<double> unit(const Vec3<double>& direction);

}  // namespace denoc::io
