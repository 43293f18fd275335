#include "denoc/dynamics/singular_inertia.hpp"

#include <cmath>
#include <cstdio>

namespace denoc {

namespace {
std::string message(const std::string& joint, double pivot) {
  if (!std::isfinite(pivot))
    return "joint '" + joint +
           "': the inertia it moves is no finite number: something in the robot or in q is too large";
  char number[32];
  std::snprintf(number, sizeof number, "%.3g", pivot);
  return "joint '" + joint + "': it moves without inertia (pivot " + number +
         (pivot == 0 ? "" : ", no more than rounding") +
         "); give its link or what it carries mass or inertia, or leave the singular posture";
}
}  // namespace

SingularInertia::SingularInertia(const std::string& joint, int dof_, double pivot_)
    : Error(message(joint, pivot_)), dof(dof_), pivot(pivot_) {}

}  // namespace denoc
