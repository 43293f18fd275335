// What derivatives cost: multiplications that are left when zeros, ones and the robot's constants are folded.
#include <gtest/gtest.h>

#include "denoc/dynamics/derivatives/forward.hpp"
#include "denoc/dynamics/derivatives/products.hpp"
#include "denoc/scalar/symbol.hpp"
#include "support/random_robot.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

// An arm of seven revolute joints at right angles, as many are: the geometry of a common one of 855 mm reach.
Robot seven_joints() {
  const double rows[][3] = {{0, 0.333, 0},        {0, 0, -1}, {0, 0.316, 1}, {0.0825, 0, 1},
                            {-0.0825, 0.384, -1}, {0, 0, 1},  {0.088, 0, 1}};  // a, d, alpha in right angles
  Random random(1);
  Robot robot;
  for (const auto& [a, d, s] : rows) {
    Body body;
    body.name = "link" + std::to_string(robot.bodies.size());
    body.parent = int(robot.bodies.size()) - 1;
    const double c = s == 0 ? 1 : 0;
    body.joint_frame = {{1, 0, 0, c, 0, s, 0, -s, c}, {a, -s * d, c * d}};
    body.joint.type = JointType::revolute;
    body.inertial = random.inertial();
    robot.bodies.push_back(body);
  }
  return robot;
}

class Recorded {
 public:
  explicit Recorded(const Model& model) : model_(model), at_(model) {
    const auto inputs = [&](const char* name, int n) {
      std::vector<Symbol> all;
      for (int k = 0; k < n; ++k) all.push_back(graph_.input(name + std::to_string(k)));
      return all;
    };
    v = inputs("v", model.nv()), x = inputs("x", model.nv()), lambda = inputs("lambda", model.nv());
    place<Symbol>(model, inputs("q", model.nq()), at_);
    for (const auto& z : at_.z) placed_.insert(placed_.end(), {z.theta.c, z.theta.s, z.d});
  }
  // Of what f leaves in a list of results, the joints being placed.
  template <class F> OperationCount count(F&& f) {
    std::vector<Symbol> results;
    f(at_, results);
    return graph_.operations(results, placed_);
  }
  std::vector<Symbol> v, x, lambda;

 private:
  const Model& model_;
  Graph graph_;
  Configuration<Symbol> at_;
  std::vector<Symbol> placed_;
};

long multiplications(const OperationCount& c) { return c.mul + c.div + c.sqrt; }

TEST(DerivativeCounts, SevenJointsTakeFewMultiplications) {
  const Model model(seven_joints());
  const size_t nn = 49;
  Recorded recorded(model);
  const OperationCount inverse = recorded.count([&](const Configuration<Symbol>& at, std::vector<Symbol>& results) {
    InverseDerivativesScratch<Symbol> scratch(model);
    results.resize(3 * nn);
    const std::span<Symbol> all(results);
    inverse_derivatives<Symbol>(model, at, recorded.v, recorded.x, scratch, all.first(nn), all.subspan(nn, nn),
                                all.last(nn));
  });
  RecordProperty("inverse_derivatives", int(multiplications(inverse)));
  EXPECT_LE(multiplications(inverse), 2300);
  const OperationCount gradient = recorded.count([&](const Configuration<Symbol>& at, std::vector<Symbol>& results) {
    GradientScratch<Symbol> scratch(model);
    results.resize(21);
    const std::span<Symbol> all(results);
    inverse_gradient<Symbol>(model, at, recorded.v, recorded.x, recorded.lambda, scratch, all.first(7),
                             all.subspan(7, 7), all.last(7));
  });
  RecordProperty("inverse_gradient", int(multiplications(gradient)));
  EXPECT_LE(multiplications(gradient), 1000);
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
