// States of a robot with every kind of coordinate.
#include "denoc/io/state.hpp"

#include "denoc/io/load.hpp"
#include "target.hpp"

void denoc::fuzz::feed(const std::string& input) {
  static const Robot robot = read_robot_text(R"(bodies:
  - {name: torso, joint: free, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
  - {name: arm, joint: revolute, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
  - {name: hand, joint: spherical, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
  - {name: tool, joint: universal, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
)",
                                             "robot.yaml")
                                 .robot;
  static const InputFile file(".json");
  for (const State& state : read_states(file.with(input), robot).states) {
    require(state.q.size() == 14 && state.v.size() == 12 && state.a.size() == 12 && state.tau.size() == 12, "sizes");
    for (const double x : state.q) require(x == x, "a state that is no number");
  }
}
