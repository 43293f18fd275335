// Of the samples of a study.
#pragma once
#include <numeric>
#include <vector>

namespace denoc::app {

inline double mean(const std::vector<double>& x) {
  return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
}

}  // namespace denoc::app
