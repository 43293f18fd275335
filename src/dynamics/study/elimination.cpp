#include <numeric>

#include "denoc/error.hpp"
#include "links.hpp"

namespace denoc::study {

// E_k = 1 - alpha_k lambda_k^T with alpha_ik = i_ik i_kk^-1 above block k: its column vanishes.     [Saha97 (20)-(23)]
ReverseElimination reverse_elimination(const Matrix& inertia, std::span<const int> sizes) {
  const int n = inertia.rows;
  if (inertia.cols != n || std::accumulate(sizes.begin(), sizes.end(), 0) != n)
    throw ArgumentError("the blocks of " + std::to_string(n) + " x " + std::to_string(inertia.cols) +
                        " entries do not add up to a square matrix of that size");
  ReverseElimination result;
  MatrixXd L = to_eigen(inertia), U = MatrixXd::Identity(n, n), D = MatrixXd::Zero(n, n);
  int end = n;
  for (size_t k = sizes.size(); k-- > 0;) {
    const int size = sizes[k], begin = end - size;
    const MatrixXd pivot = L.block(begin, begin, size, size);
    D.block(begin, begin, size, size) = pivot;
    if (begin > 0) {
      MatrixXd E = MatrixXd::Identity(n, n);
      // alpha = L_k pivot^-1, from pivot alpha^T = L_k^T
      const MatrixXd alpha =
          pivot.selfadjointView<Eigen::Lower>().ldlt().solve(L.block(0, begin, begin, size).transpose()).transpose();
      E.block(0, begin, begin, size) = -alpha;
      L = E * L;
      U.block(0, begin, begin, size) = alpha;
      result.elementary.push_back(to_matrix(E));
    }
    end = begin;
  }
  result.U = to_matrix(U);
  result.D = to_matrix(D);
  return result;
}

}  // namespace denoc::study
