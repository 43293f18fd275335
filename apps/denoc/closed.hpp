// Robots with loops on the command line: states that must be closed, driven joints, multipliers in words.
#pragma once
#include "denoc/loops/closed_chain.hpp"
#include "denoc/model/quaternions.hpp"
#include "json.hpp"
#include "problem.hpp"

namespace denoc::app {

// The chain of a robot with loops, or with joints that have no drive (a floating base); none for a plain tree. One
// method knows either: another is refused.
std::optional<ClosedChain> closed_chain(const Model& model, const std::optional<std::string>& method,
                                        bool drives_some = false);

// Throws Failure: q does not close the loops, or v opens them.
void require_closed(ClosedChain& chain, const State& state);

// The degrees of freedom of the joints called "j1,j2"; all of them if nothing is said.
std::vector<int> driven_dofs(const Model& model, const std::optional<std::string>& joints);

// "rod and crank", as the tables call the two ends.
std::string ends_of(const Robot& robot, const Loop& loop);

// What the loops do, for one state.
struct LoopForces {
  std::vector<double> multipliers;
  bool unique = true;
};
std::string multiplier_tables(const Robot& robot, const StateFile& file, const std::vector<LoopForces>& states);
// Adds them to the members of a state's result.
void append_loop_forces(const LoopForces& forces, std::vector<json::Member>& members);

}  // namespace denoc::app
