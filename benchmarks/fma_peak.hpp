// What one core can do at best: multiplications with additions, on full vectors, none waiting for another.
#pragma once

namespace denoc::benchmarks {

class FmaPeak {
 public:
  static constexpr int chains = 12, steps = 1000;
#ifdef __AVX512F__
  static constexpr int lanes = 8;
#elif defined(__AVX__)
  static constexpr int lanes = 4;
#else
  static constexpr int lanes = 2;
#endif
  static constexpr double operations = 2.0 * lanes * chains * steps;  // of a run

  void run() {
    Vector x[chains];
    for (int k = 0; k < chains; ++k) x[k] = start_[k];
    Vector factor = factor_, term = term_;
    asm volatile("" : "+x"(factor), "+x"(term));
    for (int step = 0; step < steps; ++step) {
#pragma GCC unroll 12
      for (int k = 0; k < chains; ++k) x[k] = x[k] * factor + term;
    }
    for (int k = 0; k < chains; ++k) start_[k] = x[k];
  }

 private:
  using Vector [[gnu::vector_size(lanes * sizeof(double))]] = double;
  Vector start_[chains] = {}, factor_ = Vector{} + 0.5, term_ = Vector{} + 0.25;
};

}  // namespace denoc::benchmarks
