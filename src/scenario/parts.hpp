// The parts of a scenario file. Each reads its keys; faults are in the report, and whatever is at fault has some value.
#pragma once
#include <functional>
#include <optional>

#include "denoc/scenario/scenario.hpp"
#include "values.hpp"

namespace denoc::io {

// Duration, integrator, output and method: what does not depend on the robot.
void read_run(const Fields& file, Scenario& scenario);

// Motions are made only when the whole file is known to be right.
using MakeMotion = std::function<std::shared_ptr<const Trajectory>()>;
// Empty if there is none, or it is at fault.
MakeMotion read_motion(const Fields& file, const std::shared_ptr<const Model>& model, const Vectors& vectors);

// The control law, which may follow a motion.
struct ControlReader {
  std::string word = "none";
  bool follows_motion = false;
  // What it follows of the motion: with loops, the driven joints lead and the others follow. Throws NotDriveable, and
  // NotAssembled where the loops cannot be closed.
  std::function<std::shared_ptr<const Trajectory>(std::shared_ptr<const Trajectory> motion)> led = {};
  std::function<std::shared_ptr<Controller>(std::shared_ptr<const Trajectory> motion)> make = {};
};
ControlReader read_control(const Fields& file, const std::shared_ptr<const Model>& model, const Vectors& vectors,
                           SimulationSetup& setup, Report& report);

std::vector<ExternalWrench> read_wrenches(const Fields& file, const Robot& robot, const Vectors& vectors,
                                          Report& report);
// The plane that points of the robot touch, if there is one.
std::optional<GroundContact> read_ground(const Fields& file, const Robot& robot, Report& report);
// The body of that name; reports one that is unknown.
int read_body(const Fields& fields, const Robot& robot);

}  // namespace denoc::io
