// How closed postures follow their independent joints, against postures closed in extended precision.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "denoc/loops/closed_chain.hpp"
#include "denoc/loops/closure.hpp"
#include "denoc/mechanism/dynamics.hpp"
#include "denoc/model/manifold.hpp"
#include "support/data.hpp"
#include "support/mechanisms.hpp"
#include "support/scaled.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

using Wide = long double;
using WideVector = Eigen::Matrix<Wide, Eigen::Dynamic, 1>;
using WideMatrix = Eigen::Matrix<Wide, Eigen::Dynamic, Eigen::Dynamic>;

// The d that closes the loops at q + d while some of its entries are given, in long double: d of the others by steps with
// the J of q, which get nearer by a factor of the size of d.
class Closing {
 public:
  Closing(const Robot& robot, const std::vector<double>& q, const std::vector<int>& independent)
      : model_(robot), rows_(closure_rows(robot)), q_(q.begin(), q.end()), independent_(independent) {
    for (const Loop& loop : robot.loops) paths_.push_back(path_of(model_, loop));
    // q itself is closed to the digits of double only: bring it onto the loops first.
    WideVector d = WideVector::Zero(model_.nv());
    for (int pass = 0; pass < 3; ++pass) {
      const auto [phi, J] = at(d, true);
      d -= J.completeOrthogonalDecomposition().solve(phi);
    }
    q_ = moved(d);
    dependent_ = at(WideVector::Zero(model_.nv()), true).second;
    for (const int k : independent_) dependent_.col(k).setZero();
    factor_.setThreshold(1e-9L);
    factor_.compute(dependent_);
  }
  WideVector operator()(const WideVector& u) const {
    WideVector d = WideVector::Zero(model_.nv());
    for (Eigen::Index j = 0; j < u.size(); ++j) d[independent_[size_t(j)]] = u[j];
    for (int pass = 0; pass < 12; ++pass) d -= factor_.solve(at(d, false).first);
    return d;
  }

 private:
  std::vector<Wide> moved(const WideVector& d) const {
    std::vector<Wide> q(q_.size());
    integrate<Wide>(model_, q_, std::span(d.data(), size_t(d.size())), q);
    return q;
  }
  std::pair<WideVector, WideMatrix> at(const WideVector& d, bool with_gradients) const {
    const std::vector<Wide> q = moved(d), rest(size_t(model_.nv()), 0);
    Configuration<Wide> at(model_);
    LoopKinematics<Wide> kin(model_);
    place<Wide>(model_, q, at);
    kin.move(model_, at, rest);
    const auto count = Eigen::Index(rows_.size());
    WideVector phi(count);
    WideMatrix J(count, model_.nv());
    std::vector<Wide> gradient(rest);
    for (Eigen::Index i = 0; i < count; ++i) {
      const ClosureRow& row = rows_[size_t(i)];
      const auto l = size_t(row.loop);
      const ClosureValue<Wide> value = closure_value<Wide>(model_, kin.frames(row.loop), q, rest, row);
      phi[i] = value.residual;
      if (!with_gradients) continue;
      closure_gradient<Wide>(model_, at, kin.frames(row.loop), paths_[l], row, value, gradient);
      for (Eigen::Index k = 0; k < J.cols(); ++k) J(i, k) = gradient[size_t(k)];
    }
    return {phi, J};
  }

  BasicModel<Wide> model_;
  std::vector<ClosureRow> rows_;
  std::vector<LoopPath> paths_ = {};
  std::vector<Wide> q_;
  std::vector<int> independent_;
  WideMatrix dependent_;
  Eigen::CompleteOrthogonalDecomposition<WideMatrix> factor_ = {};
};

std::vector<Robot> mechanisms() {
  std::vector<Robot> all = {floating_four_bar(), bricard(), spatial_slider_crank()};
  for (const char* name : {"fourbar", "slider_crank", "three_rrr", "hoecken", "crank_rocker"})
    all.push_back(shipped(name));
  return all;
}

// d(h u) by differences of five points. The derivatives of d grow like 1/r^k with r the distance of the next dead point:
// with h = 1e-3 and r above 0.05 (the mechanisms stand away from them) first ones err by (h/r)^4/30 of 1/r, second ones by
// (h/r)^4/90 of 1/r^2, and rounding adds 1e-19/h and 1e-19/h^2. What is compared was computed in double, J's condition
// (below 1e4) times eps.
constexpr double first_part = 1e-8, second_part = 1e-7;

TEST(AssemblyDerivatives, AreThoseOfPosturesClosedInExtendedPrecision) {
  for (const Robot& robot : mechanisms()) {
    SCOPED_TRACE(robot.name);
    const Mechanism mechanism(robot);
    Dynamics d(mechanism);
    ClosedChain chain(mechanism.tree());
    const std::vector<double> q = chain.assemble(mechanism.neutral());
    const auto found = d.assembly_derivatives(q);
    const int n = mechanism.nv(), m = int(found.independent.size());
    ASSERT_EQ(m, chain.mobility(q).freedom());
    const Closing closing(robot, q, {found.independent.begin(), found.independent.end()});
    const Wide h = 1e-3L;
    const auto along = [&](const WideVector& u) {
      // first and second derivative of d(t u) by t
      const WideVector a = closing(u * h), b = closing(u * -h), e = closing(u * (2 * h)), f = closing(u * (-2 * h));
      return std::pair<WideVector, WideVector>((8 * (a - b) - (e - f)) / (12 * h),
                                               (16 * (a + b) - (e + f)) / (12 * h * h));
    };
    const auto unit = [&](int j) -> WideVector { return WideVector::Unit(m, j); };
    double size = 1, curved = 1;
    for (int j = 0; j < m; ++j)
      for (int i = 0; i < n; ++i) size = std::max(size, std::abs(found.first(i, j)));
    for (const double x : found.second.entries()) curved = std::max(curved, std::abs(x));
    for (int j = 0; j < m; ++j) {
      const auto [first, second] = along(unit(j));
      for (int i = 0; i < n; ++i) {
        EXPECT_NEAR(found.first(i, j), double(first[i]), first_part * size) << i << ", " << j;
        EXPECT_NEAR(found.second(i * m + j, j), double(second[i]), second_part * curved) << i << ", " << j;
      }
      for (int k = 0; k < j; ++k) {
        const WideVector both = along(unit(j) + unit(k)).second, apart = along(unit(j) - unit(k)).second;
        for (int i = 0; i < n; ++i) {
          EXPECT_NEAR(found.second(i * m + j, k), double(both[i] - apart[i]) / 4, second_part * curved);
          EXPECT_EQ(found.second(i * m + j, k), found.second(i * m + k, j));
        }
      }
    }
  }
}

TEST(AssemblyDerivatives, FollowTheJointsThatAreGiven) {
  const Mechanism fourbar(shipped("fourbar"));
  Dynamics d(fourbar);
  ClosedChain chain(fourbar.tree());
  const std::vector<double> q = chain.assemble(fourbar.neutral());
  const auto by_first = d.assembly_derivatives(q, std::vector{0});
  const double ratio = by_first.first(1, 0);
  EXPECT_EQ(by_first.first(0, 0), 1);
  // The other way round, the inverse function: u' = 1/ratio.
  EXPECT_NEAR(d.assembly_derivatives(q, std::vector{1}).first(0, 0), 1 / ratio, 1e-12 / std::abs(ratio));
  EXPECT_THROW(d.assembly_derivatives(q, std::vector{0, 1}), ArgumentError);  // the second follows the first
  EXPECT_THROW(d.assembly_derivatives(q, std::vector{0, 0}), ArgumentError);
  EXPECT_THROW(d.assembly_derivatives(q, std::vector{7}), ArgumentError);
  const Mechanism pendulum(shipped("pendulum"));
  EXPECT_THROW(Dynamics(pendulum).assembly_derivatives(pendulum.neutral()), ArgumentError);
  std::vector<double> open = q;
  open[0] += 0.1;
  EXPECT_THROW(d.assembly_derivatives(open), NotAssembled);
}

// A joint that no loop holds and that is not among the independent ones follows nothing: it is named.
TEST(AssemblyDerivatives, NameTheJointThatNothingLeads) {
  Robot robot = four_bar();
  Body& loose = add(robot, joint(JointType::revolute), rod(1, 0.1));
  loose.name = "loose";
  loose.parent = 0;
  const Mechanism mechanism(robot);
  Dynamics d(mechanism);
  const std::vector<double> q = ClosedChain(mechanism.tree()).assemble(std::vector<double>{1, -0.55, 1.3, 0});
  EXPECT_EQ(d.assembly_derivatives(q, std::vector{0, 3}).first(3, 1), 1);
  try {
    d.assembly_derivatives(q, std::vector{0});
    ADD_FAILURE() << "what does the loose joint follow?";
  } catch (const ArgumentError& refused) {
    EXPECT_NE(std::string(refused.what()).find("'loose'"), std::string::npos) << refused.what();
  }
}

// A plate that slides on a plane: which of its coordinates lead is a matter of how it lies, and none does that hardly moves
// while the others do. While they lead, the others follow by no more than their own size and its square.
TEST(AssemblyDerivatives, AreLedByWhatLeadsWell) {
  for (const double tilt : {0.0, 1e-9, 1e-8, 1e-7, 1e-6, 1e-4, 0.01, 0.1, 0.8}) {
    Robot robot;
    add(robot, joint(JointType::free), mass(1, {0.1, 0.2, 0.3}, {1, 0, 1, 0, 0, 1}));
    close(robot, LoopType::planar, 1, {0, 0, 0}, 0, {0, 0, 0},
          {0.8 * std::sin(tilt), -0.6 * std::sin(tilt), std::cos(tilt)});
    const Model model(robot);
    ClosedChain chain(model);
    const auto found = chain.assembly_derivatives(std::vector<double>{0, 0, 0, 1, 0, 0, 0});
    EXPECT_EQ(found.independent.size(), 3U);
    // The axis in the plate turns with it: of three rates about it the one along it leads, of three slides two others.
    EXPECT_LE(largest(found.first), 1000) << tilt;
    EXPECT_LE(largest(found.second), 1e6) << tilt;
    if (tilt <= 1e-4) {
      EXPECT_EQ(found.independent, (std::vector<int>{2, 3, 4})) << tilt;
      EXPECT_LE(largest(found.first), 1 + 1e-12) << tilt;
    }
  }
}

// A crank and a rod of equal length lie on each other, square to the slider's way: the slider may stay where it is while
// both turn together, or move while they part.
TEST(AssemblyDerivatives, RefuseADeadPoint) {
  const Mechanism mechanism(shipped("equal_slider_crank"));
  Dynamics d(mechanism);
  ClosedChain chain(mechanism.tree());
  const std::vector<double> q{M_PI / 2, M_PI, -2};
  ASSERT_LE(chain.gap(q).size, 1e-12);
  ASSERT_TRUE(chain.mobility(q).is_dead_point());
  EXPECT_THROW(d.assembly_derivatives(q), NotCovered);
}

// A crank, and a slider with a rocker on it: an angle and a way may lead. However long a metre is, all follow them as before.
TEST(AssemblyDerivatives, AreTheSameInAnyUnit) {
  Robot robot = four_bar();
  robot.bodies.pop_back();
  const int slider = add_to(robot, 0, joint(JointType::prismatic, {0.8, 0.6, 0}), mass(1), {0.45, 0, 0});
  const int rocker = add_to(robot, slider, joint(JointType::revolute), rod(0.8, 0.4));
  robot.loops[0].b.body = rocker;
  const Mechanism one(robot);
  const std::vector<double> q = ClosedChain(one.tree()).assemble(std::vector<double>{1, -0.55, 0.03, 1.3});
  const std::vector<Dof> dofs = dofs_of(one.tree());
  for (const auto& [first, second] : {std::pair(0, 1), {0, 2}, {2, 0}, {1, 2}, {2, 3}}) {
    const int independent[] = {first, second};
    Dynamics d(one);
    const auto expected = d.assembly_derivatives(q, independent);
    for (const double length : {1.0 / 1024, 10.0, 32.0, 1000.0}) {
      SCOPED_TRACE(fmt::format("{} and {} lead, {} m", first, second, length));
      const Mechanism other(scaled(robot, {length}));
      Dynamics same(other);
      const std::vector<double> there = ClosedChain(other.tree()).assemble(scaled_q(one.tree(), q, {length}));
      const auto found = same.assembly_derivatives(there, independent);
      const auto unit = [&](int k) { return dofs[size_t(k)].angular ? 1 : length; };
      // q is closed to 1e-13 and all that follows is of size 10 at most, by Jacobians of condition 100.
      constexpr double tolerance = 1e-10;
      for (int i = 0; i < one.nv(); ++i) {
        for (int j = 0; j < 2; ++j) {
          EXPECT_NEAR(found.first(i, j) * unit(independent[j]) / unit(i), expected.first(i, j), tolerance);
          for (int k = 0; k < 2; ++k) {
            const double in_units = unit(independent[j]) * unit(independent[k]) / unit(i);
            EXPECT_NEAR(found.second(2 * i + j, k) * in_units, expected.second(2 * i + j, k), tolerance);
          }
        }
      }
    }
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
