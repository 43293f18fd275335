// What the commands that differentiate have in common.
#pragma once
#include "commands/problem.hpp"
#include "denoc/mechanism/dynamics.hpp"
#include "output/table.hpp"

namespace denoc::app {

// There is one method.
using DifferentiatedOptions = DynamicsOptions;
void differentiated_arguments(Arguments& arguments, DifferentiatedOptions& options);

// The axes that the wrenches of a state are constant in.
std::vector<Axes> axes_of(const State& state);

}  // namespace denoc::app
