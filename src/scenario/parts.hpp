// The parts of a scenario file. Each reads its keys; faults are in the report, and whatever is at fault has some value.
#pragma once
#include <filesystem>
#include <functional>
#include <optional>

#include "denoc/scenario/scenario.hpp"
#include "values.hpp"

namespace denoc::io {

// Duration, integrator and method: what does not depend on the robot.
void read_run(const Fields& file, Scenario& scenario);
// What is written, and when. The robot may be missing, if it is at fault.
void read_output(const Fields& file, Scenario& scenario, Report& report);

// With loops: what `start` names stays as it says, and the rest follows; what cannot stay is told.
void close_start(const Fields& start, const Vectors& vectors, const Model& model, SimulationSetup& setup);

// Motions are made only when the whole file is known to be right; `here` is where one begins that does not say so
// itself.
using MakeMotion = std::function<std::shared_ptr<const Trajectory>(const std::vector<double>& here)>;
// What the readers of motions know besides the fields: see motions/motions.hpp for the list of them.
struct MotionPlace {
  std::shared_ptr<const Model> model;
  const Vectors& vectors;
  std::filesystem::path folder;  // of the file
  double run = 0;                // its duration, which a motion has that says none; 0: unknown
  bool has_start = false;        // something else says where the motion begins
  Report& report;
};
// Empty if there is none, or it is at fault.
MakeMotion read_motion(const Fields& file, const MotionPlace& place);
// Refuses one whose q, v or a is not finite where it begins.
void require_finite_start(const Fields& file, const Trajectory& motion, const Model& model);
// Doubts one that still moves where it ends, within a run that goes on.
void doubt_end(const Fields& file, const Trajectory& motion, const Model& model, double run);

// The control law, which may follow a motion.
struct ControlReader {
  std::string word = "none";
  bool follows_motion = false;
  // What it follows of the motion: with loops, the driven joints lead and the others follow. Throws NotDriveable, and
  // NotAssembled where the loops cannot be closed.
  std::function<std::shared_ptr<const Trajectory>(std::shared_ptr<const Trajectory> motion)> led = {};
  std::function<std::shared_ptr<Controller>(std::shared_ptr<const Trajectory> motion)> make = {};
};
// laws/laws.hpp has the list of them.
ControlReader read_control(const Fields& file, const std::shared_ptr<const Model>& model, const Vectors& vectors,
                           SimulationSetup& setup, Report& report);

std::vector<ExternalWrench> read_wrenches(const Fields& file, const Robot& robot, const Vectors& vectors,
                                          Report& report);
// The plane that points of the robot touch, if there is one.
std::optional<GroundContact> read_ground(const Fields& file, const Robot& robot, Report& report);
// The body of that name; reports one that is unknown.
int read_body(const Fields& fields, const Robot& robot);
// Whether it is a map that has the key.
bool has_key(const Node& node, std::string_view key);
// The degrees of freedom of the joints in a list of names; those unknown, or fixed, are reported.
std::vector<int> read_joints(const Fields& fields, std::string_view key, const Model& model, Report& report);

}  // namespace denoc::io
