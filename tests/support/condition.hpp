// The condition number of a symmetric positive matrix (n x n by rows), by Eigen.
#pragma once
#include <vector>

namespace denoc::test {

template <class R> R condition(const std::vector<R>& matrix, int n);

}  // namespace denoc::test
