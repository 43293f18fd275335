// What a run is made of, checked once.
#pragma once
#include "denoc/simulation/simulation.hpp"

namespace denoc::simulation {

// Throws ArgumentError for a setup that makes no sense.
void require_sense(const Model& model, const SimulationSetup& setup);

}  // namespace denoc::simulation
