// What of Eigen costs most to compile and runs longest, compiled in compiled_once.cpp and nowhere else. Left to themselves all files compile it, at
// the level of each, and the linker takes the first: closed chains were solved by a product of matrices that had been compiled for size.
#pragma once

#include <Eigen/Dense>

namespace denoc::compiled_once {

using ByColumns = Eigen::internal::const_blas_data_mapper<double, Eigen::Index, Eigen::ColMajor>;
using ByRows = Eigen::internal::const_blas_data_mapper<double, Eigen::Index, Eigen::RowMajor>;
using Product = Eigen::internal::blas_data_mapper<double, Eigen::Index, Eigen::ColMajor>;
using Blocks = Eigen::internal::gebp_traits<double, double>;

}  // namespace denoc::compiled_once

// DENOC_COMPILED_ONCE(...): each of them after `extern template` here, after `template` where they are compiled.
#define DENOC_COMPILED_ONCE(TEMPLATE)                                                                                 \
  TEMPLATE struct Eigen::internal::gebp_kernel<double, double, Eigen::Index, denoc::compiled_once::Product,           \
                                               denoc::compiled_once::Blocks::mr, denoc::compiled_once::Blocks::nr>;   \
  TEMPLATE struct Eigen::internal::general_matrix_matrix_product<Eigen::Index, double, 0, false, double, 0, false, 0, \
                                                                 1>;                                                  \
  TEMPLATE struct Eigen::internal::general_matrix_matrix_product<Eigen::Index, double, 0, false, double, 1, false, 0, \
                                                                 1>;                                                  \
  TEMPLATE struct Eigen::internal::general_matrix_matrix_product<Eigen::Index, double, 1, false, double, 0, false, 0, \
                                                                 1>;                                                  \
  TEMPLATE struct Eigen::internal::general_matrix_matrix_product<Eigen::Index, double, 1, false, double, 1, false, 0, \
                                                                 1>;                                                  \
  TEMPLATE struct Eigen::internal::general_matrix_vector_product<Eigen::Index, double, denoc::compiled_once::ByRows,  \
                                                                 1, false, double, denoc::compiled_once::ByColumns,   \
                                                                 false, 0>;                                           \
  TEMPLATE struct Eigen::internal::general_matrix_vector_product<Eigen::Index, double,                                \
                                                                 denoc::compiled_once::ByColumns, 0, false, double,   \
                                                                 denoc::compiled_once::ByRows, false, 0>;             \
  TEMPLATE struct Eigen::internal::general_matrix_vector_product<Eigen::Index, double,                                \
                                                                 denoc::compiled_once::ByColumns, 0, false, double,   \
                                                                 denoc::compiled_once::ByColumns, false, 0>;          \
  TEMPLATE struct Eigen::internal::general_matrix_vector_product<                                                     \
      Eigen::Index, double, denoc::compiled_once::ByRows, 1, false, double, denoc::compiled_once::ByRows, false, 1>;  \
  TEMPLATE class Eigen::ColPivHouseholderQR<Eigen::MatrixXd>;                                                         \
  TEMPLATE class Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>;                                             \
  TEMPLATE class Eigen::HouseholderQR<Eigen::MatrixXd>;                                                               \
  TEMPLATE class Eigen::PartialPivLU<Eigen::MatrixXd>;                                                                \
  TEMPLATE class Eigen::FullPivLU<Eigen::MatrixXd>;                                                                   \
  TEMPLATE class Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>;                                                      \
  TEMPLATE class Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>

DENOC_COMPILED_ONCE(extern template);
