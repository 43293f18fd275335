// Second derivatives of inverse dynamics, with everything a robot has.
#include <gtest/gtest.h>

#include "denoc/mechanism/dynamics.hpp"
#include "denoc/model/manifold.hpp"
#include "support/data.hpp"
#include "support/random_forces.hpp"
#include "support/random_laws.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

using List = std::vector<double>;
// x + e1 d + e2 d' + e1 e2 d'': along two directions at once, e1^2 = e2^2 = 0.
using Twice = Dual<Dual<double>>;

struct Case {
  Mechanism mechanism;
  State<double> s;
  List lambda;
  Case(Random& random, const Robot& robot)
      : mechanism(robot), s(random, mechanism.tree()), lambda(random_vector<double>(random, mechanism.nv())) {}
};
// Every joint type, rotors, springs, friction; a free root now and then.
Case random_case(Random& random, bool free_root) {
  Robot robot = random_robot(random, {.bodies = 4, .free_root = free_root});
  add_forces(random, robot);
  return {random, robot};
}

// lambda . tau at integrate(q, d), v, a: inverse dynamics and forces evaluated over Twice, not a derivative written down.
class Evaluated {
 public:
  Evaluated(const Case& c, Wrenches<double> wrenches) : case_(&c), at_(model()), inverse_(model()), forces_(model()) {
    for (const auto& [body, w] : wrenches) given_.push_back({body, full<Twice>(w)});
  }
  Twice operator()(const std::vector<Twice>& d, const std::vector<Twice>& v, const std::vector<Twice>& a) {
    std::vector<Twice> q(case_->s.q.size()), tau(v.size());
    integrate<Twice>(model(), as<Twice>(case_->s.q), d, q);
    place<Twice>(model(), q, at_);
    const Loads<Twice>& loads = forces_.act(at_, q, v);
    std::vector<BodyWrench<Twice>> wrenches = given_;
    wrenches.insert(wrenches.end(), loads.wrenches.begin(), loads.wrenches.end());
    inverse_dynamics<Twice>(model(), at_, v, a, inverse_, tau, wrenches);
    Twice sum(0.0);
    for (size_t k = 0; k < tau.size(); ++k) sum += Twice(case_->lambda[k]) * (tau[k] - loads.tau[k]);
    return sum;
  }

 private:
  const Model& model() const { return case_->mechanism.tree(); }
  const Case* case_;
  Configuration<Twice> at_;
  InverseScratch<Twice> inverse_;
  ForcesOf<Twice> forces_;
  std::vector<BodyWrench<Twice>> given_ = {};
};

// The largest difference of the entries from f(j, k), of the largest entry.
template <class F> double missed(const MatrixView& found, F&& f) {
  double most = 0, size = 0;
  for (int j = 0; j < found.rows(); ++j)
    for (int k = 0; k < found.columns(); ++k) {
      most = larger(most, std::abs(found(j, k) - f(j, k)));
      size = larger(size, std::abs(found(j, k)));
    }
  return most == 0 ? 0 : most / size;
}
// Sums of some 50 n terms whose rounding adds up at random; the largest of them are no larger than the largest entry by
// more than the condition of these robots, some 10.
double rounding_of(const Case& c) { return 10 * 50 * c.mechanism.nv() * std::numeric_limits<double>::epsilon(); }

TEST(SecondOrder, IsWhatTwoDirectionsSay) {
  Random random(5);
  for (int trial = 0; trial < 6; ++trial) {
    const Case c = random_case(random, trial % 2 == 0);
    const int n = c.mechanism.nv();
    const auto wrenches = random_wrenches<double>(random, c.mechanism.tree());
    Dynamics d(c.mechanism, Forces::all);
    Evaluated f(c, wrenches);
    enum class By { q, v, a };
    const auto second = [&](By first, By other) {
      return [&, first, other](int j, int k) {
        std::vector<Twice> step(size_t(n), Twice(0.0)), v = as<Twice>(c.s.v), a = as<Twice>(c.s.a);
        const auto of = [&](By by) -> std::vector<Twice>& { return by == By::q ? step : by == By::v ? v : a; };
        of(first)[size_t(j)].x.d += 1;
        of(other)[size_t(k)].d.x += 1;
        return f(step, v, a).d.d;
      };
    };
    const auto found = d.inverse_second_order(c.s.q, c.s.v, c.s.a, c.lambda, wrenches);
    EXPECT_LE(missed(found.dqq, second(By::q, By::q)), rounding_of(c));
    EXPECT_LE(missed(found.dqv, second(By::q, By::v)), rounding_of(c));
    EXPECT_LE(missed(found.dqa, second(By::q, By::a)), rounding_of(c));
    EXPECT_LE(missed(found.dvv, second(By::v, By::v)), rounding_of(c));
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) {
        EXPECT_EQ(second(By::a, By::a)(j, k), 0);
        EXPECT_EQ(second(By::v, By::a)(j, k), 0);
        EXPECT_EQ(found.dqq(j, k), found.dqq(k, j));
      }
  }
}

// The tensor comes from the matrices dtau/dq, dtau/dv, dtau/da, the contracted ones from gradients.
TEST(SecondOrder, OfEveryForceAddsUpToThatOfTheirSum) {
  Random random(6);
  for (int trial = 0; trial < 6; ++trial) {
    const Case c = random_case(random, trial % 2 == 0);
    const int n = c.mechanism.nv();
    const auto wrenches = random_wrenches<double>(random, c.mechanism.tree());
    const std::vector<Axes> axes{Axes::world, Axes::body, Axes::world};
    Dynamics d(c.mechanism, Forces::all);
    const auto sum = d.inverse_second_order(c.s.q, c.s.v, c.s.a, c.lambda, wrenches, axes);
    const auto all = d.inverse_second_order_tensor(c.s.q, c.s.v, c.s.a, wrenches, axes);
    for (const auto& [one, each] : {std::pair(sum.dqq, all.dqq), std::pair(sum.dqv, all.dqv),
                                    std::pair(sum.dqa, all.dqa), std::pair(sum.dvv, all.dvv)}) {
      const auto added = [&, &each = each](int j, int k) {
        double x = 0;
        for (int i = 0; i < n; ++i) x += c.lambda[size_t(i)] * each(i * n + j, k);
        return x;
      };
      EXPECT_LE(missed(one, added), rounding_of(c));
    }
  }
}

// A wrench of the world is a wrench of the body whose numbers turn: its part of the second derivatives is what is left when
// it acts in the axes of the body, and that is the change of dtau/dq along q.
TEST(SecondOrder, OfWrenchesOfTheWorldIsTheChangeOfFirstDerivatives) {
  Random random(8);
  for (int trial = 0; trial < 4; ++trial) {
    const Case c = random_case(random, false);
    const Model& model = c.mechanism.tree();
    const int n = c.mechanism.nv();
    Dynamics d(c.mechanism);
    const int body = int(model.bodies().size()) - 1;
    const Wrench<double> in_world{random.vector(5), random.vector(5)};
    const std::vector<Axes> axes{Axes::world};
    // lambda^T dtau/dq at integrate(q, h e_k)
    const auto gradient = [&](int k, double h) {
      List step(size_t(n), 0.0), q(c.s.q.size()), sum(size_t(n), 0.0);
      step[size_t(k)] = h;
      integrate<double>(model, c.s.q, step, q);
      const Mat3<double> R = d.pose(q, body).R;
      const BodyWrench<double> given[] = {{body, {back(R, in_world.n), back(R, in_world.f)}}};
      const auto by = d.inverse_derivatives(q, c.s.v, c.s.a, given, axes);
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) sum[size_t(j)] += c.lambda[size_t(i)] * by.dq(i, j);
      return sum;
    };
    const Mat3<double> R = d.pose(c.s.q, body).R;
    const BodyWrench<double> given[] = {{body, {back(R, in_world.n), back(R, in_world.f)}}};
    const auto found = d.inverse_second_order(c.s.q, c.s.v, c.s.a, c.lambda, given, axes);
    // Central differences of two widths: errors of h^4 = 1e-12 and of eps/h = 2e-13 of the largest, some ten times over.
    const double h = 1e-3;
    std::vector<List> change;  // E_k E_j
    for (int k = 0; k < n; ++k) {
      const List a = gradient(k, h), b = gradient(k, -h), e = gradient(k, 2 * h), f = gradient(k, -2 * h);
      change.emplace_back();
      for (size_t j = 0; j < a.size(); ++j) change.back().push_back((8 * (a[j] - b[j]) - (e[j] - f[j])) / (12 * h));
    }
    EXPECT_LE(missed(found.dqq,
                     [&](int j, int k) { return (change[size_t(k)][size_t(j)] + change[size_t(j)][size_t(k)]) / 2; }),
              2e-11);
  }
}

TEST(SecondOrder, ByTheRatesDoesNotDependOnThem) {
  Random random(7);
  const Case c(random, random_robot(random, {.bodies = 6, .free_root = true}));
  Dynamics d(c.mechanism);
  const auto at_v = d.inverse_second_order(c.s.q, c.s.v, c.s.a, c.lambda).dvv;
  const List entries(at_v.entries().begin(), at_v.entries().end());
  const MatrixView before(entries, at_v.rows(), at_v.columns());
  const List rest(c.s.v.size(), 0.0);
  EXPECT_LE(
      missed(d.inverse_second_order(c.s.q, rest, c.s.a, c.lambda).dvv, [&](int j, int k) { return before(j, k); }),
      rounding_of(c));
}

TEST(SecondOrder, OfTheTreeOfARobotWithLoopsMustBeAskedForAsSuch) {
  const Mechanism mechanism(shipped("fourbar"));
  Dynamics d(mechanism);
  const List q = mechanism.neutral(), zero(size_t(mechanism.nv()), 0.0);
  EXPECT_THROW(d.inverse_second_order(q, zero, zero, zero), NotCovered);
  EXPECT_THROW(d.inverse_second_order_tensor(q, zero, zero), NotCovered);
  EXPECT_NO_THROW(d.inverse_second_order(q, zero, zero, zero, Loops::open));
  EXPECT_THROW(d.inverse_second_order(q, zero, zero, List(1), Loops::open), ArgumentError);
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
