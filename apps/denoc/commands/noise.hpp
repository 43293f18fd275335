// What rounding explains of a result, entry by entry: so much is printed as 0 in tables for people. (dynamics/rounding)
#pragma once
#include "commands/closed.hpp"

namespace denoc::app {

using Noise = std::vector<double>;

// Of tau, loops closed, as `dynamics` has just answered for the accelerations a. Empty: not known (a robot too large).
Noise inverse_noise(const Dynamics& dynamics, const State& state, const std::vector<double>& a);
// Of a, loops closed, as `dynamics` has just answered.
Noise forward_noise(const Dynamics& dynamics, const State& state, const std::vector<double>& a);
// Of I, by rows.
Noise inertia_noise(const Model& model, const State& state);

}  // namespace denoc::app
