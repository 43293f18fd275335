// Scenarios of a robot that is there already; nothing is simulated.
#include "denoc/scenario/scenario.hpp"

#include "denoc/io/load.hpp"
#include "target.hpp"

void denoc::fuzz::feed(const std::string& input) {
  static const auto arm = std::make_shared<const Model>(load("planar3r"));
  static_cast<void>(read_scenario(input, "scenario.yaml", arm));
}
