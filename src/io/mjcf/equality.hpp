// <equality>: connect, weld and joint are loops.
#pragma once
#include "bodies.hpp"

namespace denoc::io::mjcf {

void read_equality(const Tag& tag, const Bodies& bodies, const Classes& classes, Files& files, PassedOver& passed_over,
                   Robot& robot);

}  // namespace denoc::io::mjcf
