// denoc id --motion: joint forces along a motion.
#pragma once
#include "commands/problem.hpp"

namespace denoc::app {

struct AlongMotion {
  std::optional<std::string> file = {};  // of the motion
  std::optional<std::string> lead = {};  // joints that it moves, "j1,j2"; of a robot with loops
  bool plot = false;                     // figures beside the output
};
Argument& along_arguments(Arguments& arguments, AlongMotion& options);
extern const char* const along_format;

// t, q, v, a and tau to session.output_file (CSV or NPZ); without one, what the drives give at most. `driven`: joints
// with a drive, "j1,j2"; all but free ones and those that follow another if left out.
Status id_along(const DynamicsOptions& robot, const AlongMotion& options, const std::optional<std::string>& driven,
                Session& session);

}  // namespace denoc::app
