// Robots as URDF.
#include "target.hpp"

void denoc::fuzz::feed(const std::string& input) { read_as_robot(input, "robot.urdf"); }
