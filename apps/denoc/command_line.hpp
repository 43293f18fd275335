// The words of a command line, and what they ask for.
#pragma once
#include <string>
#include <vector>

#include "commands/command.hpp"

namespace denoc::app {

// What is to be run; session.output_file is set. Throws Failure with what is wrong, and the nearest word that is known.
Action read_command_line(const std::vector<std::string>& words, Session& session);

}  // namespace denoc::app
