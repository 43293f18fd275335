// What one core can do at best: multiplications with additions, on full vectors, none waiting for another. Compiled for
// this processor, whatever the rest is compiled for.
#pragma once

namespace denoc::benchmarks {

class FmaPeak {
 public:
  static double operations();  // of a run
  void run();

 private:
  static constexpr int chains = 12, most_lanes = 8;
  double start_[chains * most_lanes] = {};
};

}  // namespace denoc::benchmarks
