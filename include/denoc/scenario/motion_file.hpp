// A motion by itself, as a file describes it: the `motion` of a scenario, and when to look at it.
#pragma once
#include <filesystem>
#include <memory>

#include "denoc/model/model.hpp"
#include "denoc/motion/trajectory.hpp"

namespace denoc {

/// What such a file says. Times in s.
struct MotionFile {
  std::shared_ptr<const Trajectory> motion;
  double duration = 0;  // that of the motion unless the file says another
  double every = 0.01;
  std::vector<Fault> warnings = {};
  std::vector<std::filesystem::path> also_read = {};  // files that it names
};

/// YAML with `motion` (docs/scenario-files.md) and, if wanted, `title`, `duration`, `every` and `start: {q}`. Throws
/// RobotError with everything that is wrong with the file, and what motions throw that cannot be had: Unreachable,
/// SingularPosture.
MotionFile load_motion(const std::filesystem::path& file, const std::shared_ptr<const Model>& model);
/// Whether a text is of this kind, right or wrong: YAML with a motion, but no robot.
bool is_motion_text(std::string_view text);

}  // namespace denoc
