// What is known of a run when it is over.
#pragma once
#include <string>
#include <vector>

#include "denoc/scenario/scenario.hpp"

namespace denoc::app {

struct RunResult {
  const Scenario& scenario;
  Statistics statistics = {};
  double seconds = 0;  // that it took
  // of the last sample
  std::vector<double> q = {}, v = {};
  double kinetic = 0, potential = 0;
  double first_energy = 0;
  std::vector<FrictionEvent> events = {};  // the first few
  std::vector<std::string> files = {};     // written

  double real_time_factor() const { return seconds > 0 ? scenario.setup.duration / seconds : 0; }
  // What is missing in the balance of energy, as a part of the largest kinetic energy; 0 if nothing moved but by rounding.
  double relative_balance() const;
};
// The last state, as the other commands read it: {"t", "q", "v"}.
std::string json_final(const RunResult& result);
std::string json_summary(const RunResult& result);
std::string text_summary(const RunResult& result);

}  // namespace denoc::app
