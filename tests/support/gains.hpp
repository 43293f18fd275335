// Gains of a control law for the joints that it drives.
#pragma once
#include "denoc/control/controllers.hpp"

namespace denoc::test {

inline Gains gains_of(const std::vector<int>& driven, int nv, double kp, double kd) {
  Gains gains{std::vector<double>(size_t(nv)), std::vector<double>(size_t(nv))};
  for (const int k : driven) {
    gains.kp[size_t(k)] = kp;
    gains.kd[size_t(k)] = kd;
  }
  return gains;
}

}  // namespace denoc::test
