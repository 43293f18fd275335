#include "principal.hpp"

#include <Eigen/Eigenvalues>
#include <limits>

namespace denoc::io::mjcf {

Principal principal(const Sym3<double>& I) {
  if (I.xy == 0 && I.xz == 0 && I.yz == 0) return {{I.xx, I.yy, I.zz}};
  using Wide = Eigen::Matrix<long double, 3, 3>;
  Wide tensor;
  tensor << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
  const Eigen::SelfAdjointEigenSolver<Wide> solver(tensor);
  Wide axes = solver.eigenvectors();
  if (axes.determinant() < 0) axes.col(0) *= -1;
  const auto d = [](long double x) { return static_cast<double>(x); };
  const auto column = [&](int c) { return Vec3<double>{d(axes(0, c)), d(axes(1, c)), d(axes(2, c))}; };
  const auto& m = solver.eigenvalues();
  return {{d(m[0]), d(m[1]), d(m[2])}, from_columns(column(0), column(1), column(2))};
}

void settle_flat(Vec3<double>& moments) {
  double* const m[] = {&moments.x, &moments.y, &moments.z};
  for (int i = 0; i < 3; ++i) {
    const double others = *m[(i + 1) % 3] + *m[(i + 2) % 3];
    if (*m[i] > others && *m[i] - others <= 8 * std::numeric_limits<double>::epsilon() * *m[i]) *m[i] = others;
  }
}

bool is_taken_by_mujoco(const Vec3<double>& m) {
  return m.x >= 0 && m.y >= 0 && m.z >= 0 && m.x + m.y >= m.z && m.y + m.z >= m.x && m.z + m.x >= m.y;
}

}  // namespace denoc::io::mjcf
