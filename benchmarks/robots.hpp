// The robots to measure with, and states of them.
#pragma once
#include "denoc/model/model.hpp"
#include "peers/peer.hpp"

namespace denoc::benchmarks {

struct Named {
  std::string name;
  Robot robot;
};
// PUMA 560, a seven-joint arm, chains of 32 and 200 joints, the humanoid on a fixed base and floating.
std::vector<Named> robots();

// Throws ArgumentError for joints that are neither revolute nor a free root.
PlainRobot plain(const Robot& robot);

// Random, the same for the same model.
std::vector<State> random_states(const Model& model, int count);

}  // namespace denoc::benchmarks
