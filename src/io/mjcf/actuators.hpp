// Tendons and actuators: their forces are passed over; what they add to the inertia is refused, by name.
#pragma once
#include "bodies.hpp"

namespace denoc::io::mjcf {

void read_tendons(const Tag& tag, const Classes& classes, Files& files, PassedOver& passed_over);
// The gear of an actuator of a joint is kept with the joint.
void read_actuators(const Tag& tag, const Bodies& bodies, const Classes& classes, Files& files, PassedOver& passed_over,
                    Robot& robot);

}  // namespace denoc::io::mjcf
