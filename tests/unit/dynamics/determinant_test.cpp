// det I from the pivots of I = U D U^T, against that of the matrix itself.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "denoc/dynamics/inertia/composite.hpp"
#include "denoc/dynamics/inertia/udut.hpp"
#include "denoc/mechanism/mechanism.hpp"
#include "denoc/model/quaternions.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

TEST(Determinant, IsThatOfTheInertiaMatrix) {
  for (const char* name : {"planar3r", "puma560", "free_flying_arm"}) {
    SCOPED_TRACE(name);
    const Mechanism robot(name);
    const Model& tree = robot.tree();
    const auto n = static_cast<Eigen::Index>(tree.nv());
    Configuration<double> at(tree);
    Factor<double> factor(tree);
    CompositeScratch<double> scratch(tree);
    Eigen::MatrixXd I(n, n);
    std::vector<double> q = neutral_posture(tree.robot());
    for (std::size_t k = q.size() - 3; k < q.size(); ++k) q[k] += 0.3 * static_cast<double>(k);
    place<double>(tree, q, at);
    factorize<double>(tree, at, factor);
    inertia_matrix<double>(tree, at, scratch, {I.data(), static_cast<std::size_t>(n * n)});
    const Eigen::VectorXd sizes = I.jacobiSvd().singularValues();
    const double condition = sizes[0] / sizes[n - 1], expected = I.determinant();
    EXPECT_NEAR(determinant<double>(factor), expected,
                4 * double(n) * std::numeric_limits<double>::epsilon() * condition * expected);
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
