#include "fma_peak.hpp"

#include <cstring>

namespace denoc::benchmarks {
namespace {

constexpr int steps = 1000;
#ifdef __AVX512F__
constexpr int lanes = 8;
#elif defined(__AVX__)
constexpr int lanes = 4;
#else
constexpr int lanes = 2;
#endif
using Vector [[gnu::vector_size(lanes * sizeof(double))]] = double;

}  // namespace

double FmaPeak::operations() { return 2.0 * lanes * chains * steps; }

void FmaPeak::run() {
  Vector x[chains];
  std::memcpy(x, start_, sizeof x);
  Vector factor = Vector{} + 0.5, term = Vector{} + 0.25;
  asm volatile("" : "+x"(factor), "+x"(term));
  for (int step = 0; step < steps; ++step) {
#pragma GCC unroll 12
    for (int k = 0; k < chains; ++k) x[k] = x[k] * factor + term;
  }
  std::memcpy(start_, x, sizeof x);
}

}  // namespace denoc::benchmarks
