// States to try the methods at: those of a file, or some at random.
#pragma once
#include "commands/problem.hpp"
#include "denoc/model/postures.hpp"

namespace denoc::app {

// Throws Failure for a robot of which nothing moves.
void require_tryable(const Model& model, std::string_view command);

// What is left out for a robot of that size, as a line of text; none if nothing is.
std::string left_out(const Model& model);

// MODEL may be a chain; --state takes the place of random states.
void trial_arguments(Arguments& arguments, StateOptions& options);
extern const std::string trial_format;

// Those of the file, zeros where it says nothing but q; without a file this many at random, the same for the same
// robot. Throws Failure.
StateFile trial_states(const StateOptions& options, int at_random, const Model& model, Session& session);

// q = 0 (quaternions: no turn), nothing moves, nothing drives.
State rest(const Model& model);

}  // namespace denoc::app
