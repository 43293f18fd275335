// Motions that are followed from posture to posture where several branches meet, or nearly meet.
#pragma once
#include <Eigen/Dense>

namespace denoc::motion {

// A step this small (rad, or lengths of the robot) that seems to lead past a singular posture leads through it: lengths
// that are equal to 12 digits are meant to be equal, and an error d of them parts branches by sqrt(d). Who asks has to
// take steps as small.
constexpr double through_singular = 1e-6;

// Whether a step, from a posture where what follows has the Jacobian J (of full column rank) to one nearby where it has
// K, seems to lead past a singular posture. On one branch it goes from J to K by matrices of full rank, of which the
// straight way (1 - x) J + x K is one where the step is short: J^+ K has no eigenvalue -(1 - x)/x then. Where branches
// nearly meet, a step may come upon the other one, along whose tangent it has gone: what J takes one way K takes the
// other. A smaller step tells (through_singular).
bool passes_singular(const Eigen::MatrixXd& J, const Eigen::MatrixXd& K);

}  // namespace denoc::motion
