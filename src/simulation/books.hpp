// The books of a run: work of what acts and heat, integrals of power that follow the motion and do not lead it.
#pragma once
#include "denoc/simulation/simulation.hpp"

namespace denoc::simulation {

constexpr std::size_t books = 2;  // work, dissipated

// What they may be wrong by in a step, J: a hundred times what the motion itself may, by the largest kinetic energy so far.
// Where the motion is smooth its own tolerances decide; a power may have kinks that no motion feels.
inline double tolerance_of_books(const IntegratorOptions& options, const Statistics& so_far) {
  constexpr double looser = 100;
  return looser * (options.atol + options.rtol * so_far.largest_kinetic);
}

}  // namespace denoc::simulation
