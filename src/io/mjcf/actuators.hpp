// Tendons and actuators. A tendon from site to site is a spring between two points; the forces of others are passed
// over. What they add to the inertia is refused, by name.
#pragma once
#include "bodies.hpp"

namespace denoc::io::mjcf {

void read_tendons(const Tag& tag, const Bodies& bodies, const Classes& classes, Files& files, PassedOver& passed_over,
                  Robot& robot);
// The gear of an actuator of a joint is kept with the joint.
void read_actuators(const Tag& tag, const Bodies& bodies, const Classes& classes, Files& files, PassedOver& passed_over,
                    Robot& robot);

}  // namespace denoc::io::mjcf
