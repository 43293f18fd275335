// Chains by name: serial:N and serial-rods:N, where a command takes a robot.
#pragma once
#include <optional>

#include "commands/problem.hpp"
#include "denoc/model/serial_chain.hpp"
#include "output/json.hpp"

namespace denoc::app {

struct Chain {
  int n;
  ChainLinks links;
};
// The chain that the name is of, if it is of one. Throws Failure if N is no number of joints.
std::optional<Chain> chain_named(const std::string& name);

// The chain, or the robot of the options.
Robot load_robot_or_chain(const RobotOptions& options, Session& session);

// What is said of a robot with loops where the tree alone is looked at: behind the title, and in JSON.
std::string_view of_tree(const Model& model);
void append_of_tree(const Model& model, std::vector<json::Member>& members);

}  // namespace denoc::app
