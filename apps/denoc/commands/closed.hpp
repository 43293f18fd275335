// Robots with loops on the command line: states that must be closed, driven joints, multipliers in words.
#pragma once
#include "commands/problem.hpp"
#include "denoc/forces/forces.hpp"
#include "denoc/loops/closed_chain.hpp"
#include "denoc/mechanism/dynamics.hpp"
#include "denoc/model/quaternions.hpp"
#include "output/json.hpp"

namespace denoc::app {

// What acts as the options ask; forces of the file that are left out become a remark.
Forces forces_of(const DynamicsOptions& options);
void remark_left_out(const Mechanism& robot, const DynamicsOptions& options, Session& session);
// That joints which follow others have no drive unless --driven names them; where: " (with --state)", say.
void remark_followers(const Mechanism& robot, std::string_view where, Session& session);
// Questions about the robot as the options ask them; forces of the file that are left out become a remark.
Dynamics dynamics_of(const Mechanism& robot, const DynamicsOptions& options, Session& session);
std::vector<BodyWrench<double>> wrenches_of(const State& state);

// Where motions of the loops meet, accelerations are those of all of them together: a remark, once.
void remark_dead_point(const Mechanism& robot, const Dynamics& last, const std::vector<double>& q, Session& session);

// Chooses a method: what it does not cover becomes a Failure that names the first loop.
void choose(const Mechanism& robot, const std::function<void()>& method);

// f(), where a state that leaves loops open becomes a Failure that says what to do.
template <class F> auto of_closed(F&& f) {
  try {
    return f();
  } catch (const NotAssembled& error) {
    throw Failure(Status::numbers, error.what(),
                  {"`denoc assemble MODEL --state FILE` closes it, with the nearest rates that keep it closed."});
  }
}

// The joints that an option names. Throws Failure for one that does not move, is not known or is named twice.
std::vector<std::string> joints_in(std::vector<std::string> joints, const Model& model, std::string_view option);
// The degrees of freedom of the joints that `--driven`, or another option, names, in their order; without it
// Mechanism::driven().
std::vector<int> driven_freedoms_of(const std::optional<std::string>& names, const Mechanism& robot,
                                    std::string_view option = "--driven");

// "rod and crank", as the tables call the two ends.
std::string ends_of(const Robot& robot, const Loop& loop);

// What the loops do, for one state.
struct LoopMultipliers {
  std::vector<double> multipliers;
  bool unique = true;
};
LoopMultipliers multipliers_of(const Dynamics& dynamics);  // of its last answer
std::string multiplier_tables(const Robot& robot, const StateFile& file, const std::vector<LoopMultipliers>& states);
// Adds them to the members of a state's result.
void append_multipliers(const LoopMultipliers& forces, std::vector<json::Member>& members);

}  // namespace denoc::app
