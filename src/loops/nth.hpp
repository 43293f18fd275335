// Entries by the signed numbers that loops, bodies, rows and Eigen's entries have.
#pragma once
#include <cstddef>

namespace denoc {

template <class Values> decltype(auto) nth(Values&& values, std::ptrdiff_t i) {
  return values[static_cast<std::size_t>(i)];
}

}  // namespace denoc
