// Contenders timed side by side: they take turns, so that whatever slows the machine slows them all, and ratios stay.
#pragma once
#include <algorithm>
#include <chrono>
#include <deque>
#include <functional>
#include <string>
#include <vector>

namespace denoc::benchmarks {

struct Contender {
  std::function<void()> run;
  double calls;                          // in one run
  int repeats = 1;                       // runs in a turn
  std::vector<double> nanoseconds = {};  // per call, one entry for each turn

  // Of the turns, the lower quartile: on a shared machine much of what is above is somebody else's.
  double time() const {
    std::vector<double> sorted = nanoseconds;
    const auto quartile = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 4);
    std::nth_element(sorted.begin(), quartile, sorted.end());
    return *quartile;
  }
};

class SideBySide {
 public:
  // The reference stays good.
  Contender& add(std::function<void()> run, double calls) {
    return all_.emplace_back(Contender{std::move(run), calls});
  }

  void take_turns(int turns, double nanoseconds_of_a_turn = 5e5) {
    for (Contender& c : all_) {  // warm, and see how many runs make a turn
      spent(c);
      c.repeats = std::clamp(int(nanoseconds_of_a_turn / spent(c)), 1, 100000);
    }
    for (int turn = 0; turn < turns; ++turn)
      for (Contender& c : all_) c.nanoseconds.push_back(spent(c) / (c.calls * c.repeats));
  }

 private:
  static double spent(Contender& c) {
    const auto start = std::chrono::steady_clock::now();
    for (int k = 0; k < c.repeats; ++k) c.run();
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
  }
  std::deque<Contender> all_;
};

}  // namespace denoc::benchmarks
