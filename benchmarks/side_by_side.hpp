// Contenders timed side by side: they take turns, so that whatever slows the machine slows them all, and the ratio of
// medians stays.
#pragma once
#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace denoc::benchmarks {

struct Contender {
  std::string name;
  std::function<void()> run;  // one turn
  double calls_in_a_turn;
  std::vector<double> nanoseconds = {};  // per call, one entry for each turn

  double median() const {
    std::vector<double> sorted = nanoseconds;
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    return *middle;
  }
};

inline void take_turns(std::vector<Contender>& contenders, int turns) {
  using Clock = std::chrono::steady_clock;
  for (Contender& c : contenders) c.run();  // warm
  for (int turn = 0; turn < turns; ++turn) {
    for (Contender& c : contenders) {
      const auto start = Clock::now();
      c.run();
      const std::chrono::duration<double, std::nano> spent = Clock::now() - start;
      c.nanoseconds.push_back(spent.count() / c.calls_in_a_turn);
    }
  }
}

}  // namespace denoc::benchmarks
