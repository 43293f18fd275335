// The elimination I = U D U^T of a planar arm of two links, written about mass centres, in single precision: what
// Mata02 5.1 compares with. Twists are (w, vx, vy) in world axes.                                       [Saha97
// (24)-(27)]
#pragma once
#include "denoc/model/robot.hpp"

namespace denoc::app {

// q1'' of the arm at rest with q1 = 0 under its weight.
double first_acceleration_about_mass_centres(const Robot& robot, double q2);

}  // namespace denoc::app
