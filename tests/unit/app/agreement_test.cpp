// The verdict of denoc compare: a method that is wrong, not only rounded, ends in exit status 4.
#include "studies/agreement.hpp"

#include <gtest/gtest.h>

#include "denoc/dynamics/formulations.hpp"
#include "denoc/dynamics/rounding.hpp"
#include "denoc/io/load.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

using app::Agreement;
using app::Status;

TEST(Agreement, KeepsTheWorstAndWhereItIs) {
  Agreement row{"inverse", "kane"};
  row.meet(std::vector<double>{1, 2, 3}, std::vector<double>{1, 2.5, 3.1}, std::vector<double>{1, 1, 0.1}, 7);
  EXPECT_DOUBLE_EQ(row.times, std::abs(3 - 3.1) / 0.1);
  EXPECT_EQ(row.dof, 2u);
  EXPECT_EQ(row.state, 7u);
  row.meet(0.5, 1, 0, 8);  // no worse
  EXPECT_EQ(row.state, 7u);
  Agreement equal{"inverse", "noc"};
  equal.meet(0, 0, 0, 0);  // nothing differs where nothing may
  EXPECT_TRUE(equal.holds());
  equal.meet(1e-300, 0, 0, 0);
  EXPECT_FALSE(equal.holds());
}

TEST(Agreement, OfARowThatIsNoNumberIsNone) {
  Agreement broken{"forward", "noc-qr"};
  broken.meet(std::nan(""), 1, 0, 0);
  EXPECT_EQ(app::verdict_of({{"forward", "denoc"}, broken, {"forward", "noc-cholesky"}}).status(), Status::numbers);
}

// Every inverse dynamics of the PUMA, and one that is not quite right: it takes link 3 for a part in 1e11 too heavy.
TEST(Agreement, AMethodThatIsWrongIsFound) {
  Robot robot = read_robot(std::string(DENOC_MODELS_DIR) + "/puma560.yaml").robot;
  const Model model(robot);
  robot.bodies[3].inertial.mass *= 1 + 1e-11;
  const Model heavier(robot);
  const std::vector<double> q = {0.3, -0.6, 0.9, 0.4, -0.8, 1.1}, v = {0.5, 1, -0.7, 1.2, 0.4, -0.9}, a(6, 2.0);
  Configuration<double> at(model), wrong(heavier);
  InverseScratch<double> scratch(model);
  Rounding<double> rounding(model);
  place<double>(model, q, at);
  place<double>(heavier, q, wrong);
  rounding.evaluate(at, v);
  std::vector<double> expected(6), tau(6);
  inverse_dynamics<double>(model, at, v, a, scratch, expected);
  const std::vector<double> allowed = rounding.inverse(a);

  std::vector<Agreement> rows;
  for (const auto& method : inverse_formulations<double>()) {
    method.prepare(model)(at, v, a, tau, {});
    rows.push_back({"inverse", method.name});
    rows.back().meet(tau, expected, allowed, 0);
  }
  EXPECT_TRUE(app::verdict_of(rows).agree);
  EXPECT_EQ(app::verdict_of(rows).status(), Status::done);
  inverse_dynamics<double>(heavier, wrong, v, a, scratch, tau);
  rows.push_back({"inverse", "too heavy"});
  rows.back().meet(tau, expected, allowed, 0);
  const app::Verdict verdict = app::verdict_of(rows);
  EXPECT_FALSE(verdict.agree);
  EXPECT_EQ(verdict.worst.method, "too heavy");
  EXPECT_EQ(static_cast<int>(verdict.status()), 4);
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
