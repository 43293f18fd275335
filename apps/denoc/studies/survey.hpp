// What can be said of a robot's loops before any state is given, for `info` and `check`.
#pragma once
#include "commands/closed.hpp"

namespace denoc::app {

struct Survey {
  ClosedChain::Gap gap;                             // at the neutral posture
  std::vector<std::vector<double>> ways = {};       // to close the loops, the nearest to it first
  std::vector<std::string> held = {};               // joints that were held there to tell the ways apart
  std::optional<Mobility> mobility = std::nullopt;  // at the first of them

  bool is_closed() const;
};
// Of a robot with loops.
Survey survey(const Model& model);

// What `check` warns of; empty if the neutral posture closes the loops.
std::vector<Fault> loop_warnings(const Model& model, const Survey& survey);
std::string json_loops(const Model& model);
std::string json_mobility(const Survey& survey);
std::string loop_text(const Model& model, const Survey& survey);

}  // namespace denoc::app
