// A run as a file describes it: robot, start, drives, what acts from outside, integrator and output. Its keys are in
// docs/scenario-files.md.
#pragma once
#include <filesystem>

#include "denoc/motion/trajectory.hpp"
#include "denoc/simulation/simulation.hpp"

namespace denoc {

/// A point of a body whose way the run writes down.
struct TracedPoint {
  std::string name;
  int body;
  Vec3<double> point;  // in the body's own frame
};

/// All that a scenario says, ready for simulate(*model, setup, ...).
struct Scenario {
  std::string file, text;    // where it is from, and all that stands there
  std::string title = {};    // may be empty
  std::string robot = {};    // its file
  std::string control = {};  // the name of the law: "none", "torques", ...
  std::shared_ptr<const Model> model = {};
  std::shared_ptr<const Trajectory> motion = {};  // none unless the file has one
  SimulationSetup setup = {};
  // What is written besides the trajectory.
  bool npz = false;                                   // all of it in NumPy's format, too
  bool contacts = false;                              // the forces of the ground
  std::vector<TracedPoint> points = {};               // in the order of the file
  std::vector<Fault> warnings = {};                   // of the scenario and of the robot
  std::vector<std::filesystem::path> also_read = {};  // the files of its motions
};

/// Throws RobotError with everything that is wrong with the file ("-": standard input) or its robot, and what motions
/// throw that cannot be had: Unreachable, SingularPosture, NotAssembled.
Scenario load_scenario(const std::filesystem::path& file);
/// Whether a text is a scenario rather than a robot, right or wrong: YAML that names a robot.
bool is_scenario_text(std::string_view text);
/// The same as load_scenario of a text; messages call it `name`. Without `robot`, `base` and `gravity` where a robot is
/// there already: `model`.
Scenario read_scenario(const std::string& text, const std::string& name, std::shared_ptr<const Model> model = nullptr);

}  // namespace denoc
