// Runge and Kutta's method of order 4:
//   k_s = f(x + h node_s k_(s-1)),   x <- x + h sum of weight_s k_s
#pragma once
#include <cstddef>

namespace denoc::runge_kutta4 {

inline constexpr std::size_t stages = 4;
inline constexpr double node[stages] = {0, 0.5, 0.5, 1}, weight[stages] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};

}  // namespace denoc::runge_kutta4
