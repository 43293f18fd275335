// Robots as URDF.
#include "robot_target.hpp"
#include "target.hpp"

void denoc::fuzz::feed(const std::string& input) { read_as_robot(input, "robot.urdf"); }
