// Chains by name: serial:N and serial-rods:N, where a command takes a robot.
#pragma once
#include <optional>

#include "commands/problem.hpp"
#include "denoc/model/serial_chain.hpp"

namespace denoc::app {

struct Chain {
  int n;
  ChainLinks links;
};
// The chain that the name is of, if it is of one. Throws Failure if N is no number of joints.
std::optional<Chain> chain_named(const std::string& name);

// The chain, or the robot of the options.
Robot load_robot_or_chain(const RobotOptions& options, Session& session);

}  // namespace denoc::app
