// Derivatives at many states at once are those of one state after the other.
#include <gtest/gtest.h>

#include <cstring>

#include "denoc/batch/batch.hpp"
#include "denoc/model/serial_chain.hpp"
#include "support/build.hpp"
#include "support/data.hpp"
#include "support/random_forces.hpp"
#include "support/random_laws.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

// States, and what is found for them.
struct DerivativeRows {
  std::vector<double> q, v, x, dq, dv, dx;
  std::vector<RowStatus> status;
  int count, nq, nv;
  DerivativeRows(Random& random, const Model& model, int wanted)
      : dq(size_t(wanted) * size_t(model.nv()) * size_t(model.nv())),
        dv(dq),
        dx(dq),
        status(size_t(wanted)),
        count(wanted),
        nq(model.nq()),
        nv(model.nv()) {
    for (int r = 0; r < count; ++r) {
      const State<double> s(random, model);
      q.insert(q.end(), s.q.begin(), s.q.end());
      v.insert(v.end(), s.v.begin(), s.v.end());
      x.insert(x.end(), s.a.begin(), s.a.end());
    }
  }
  static std::span<const double> part(const std::vector<double>& all, int r, int n) {
    return std::span(all).subspan(size_t(r) * size_t(n), size_t(n));
  }
  void inverse(Batch<double>& batch, Batch<double>::GivenWrenches wrenches = {}) {
    batch.inverse_derivatives(q, v, x, dq, dv, dx, status, wrenches);
  }
  void forward(Batch<double>& batch, Batch<double>::GivenWrenches wrenches = {}) {
    batch.forward_derivatives(q, v, x, dq, dv, dx, status, wrenches);
  }
  // Matrices of row r are these, up to so many parts of their largest entry.
  void expect(int r, const MatrixView& by_q, const MatrixView& by_v, const MatrixView& by_x, double part_of) const {
    const auto check = [&](const std::vector<double>& all, const MatrixView& expected, const char* what) {
      const std::vector<double> whole(expected.entries().begin(), expected.entries().end());
      const auto found = part(all, r, nv * nv);
      EXPECT_LE(largest_difference({found.begin(), found.end()}, whole), part_of * std::max(largest(whole), 1e-3))
          << what << ", row " << r;
    };
    check(dq, by_q, "by q");
    check(dv, by_v, "by v");
    check(dx, by_x, "by a or tau");
    EXPECT_EQ(status[size_t(r)], RowStatus::done);
  }
  void expect_inverse(Dynamics& d, double part_of) const {
    for (int r = 0; r < count; ++r) {
      const auto [by_q, by_v, by_a] = d.inverse_derivatives(part(q, r, nq), part(v, r, nv), part(x, r, nv));
      expect(r, by_q, by_v, by_a, part_of);
    }
  }
  void expect_forward(Dynamics& d, double part_of) const {
    for (int r = 0; r < count; ++r) {
      const auto [by_q, by_v, by_tau] = d.forward_derivatives(part(q, r, nq), part(v, r, nv), part(x, r, nv));
      expect(r, by_q, by_v, by_tau, part_of);
    }
  }
};

// Of forward dynamics rounding is multiplied by the condition of the inertia matrix.
double condition_at(const Mechanism& mechanism, const DerivativeRows& rows) {
  Dynamics d(mechanism);
  double worst = 1;
  for (int r = 0; r < rows.count; ++r) {
    const auto q = DerivativeRows::part(rows.q, r, rows.nq);
    const auto all = [](const MatrixView& m) { return std::vector<double>(m.entries().begin(), m.entries().end()); };
    worst = std::max(worst, row_sum(all(d.inertia(q)), rows.nv) * row_sum(all(d.inertia_inverse(q)), rows.nv));
  }
  return worst;
}

TEST(BatchDerivatives, AgreeWithOneCallPerState) {
  Random random(11);
  for (int trial = 0; trial < 12; ++trial) {
    const Mechanism mechanism(
        random_robot(random, {.bodies = 3 + trial, .chain = trial % 3 == 0, .free_root = trial % 2 == 0}));
    if (mechanism.nv() == 0) continue;
    Dynamics d(mechanism);
    Executor executor(2);
    Batch<double> batch(mechanism, executor);
    DerivativeRows rows(random, mechanism.tree(), 21);
    rows.inverse(batch);
    rows.expect_inverse(d, 1e-12);
    rows.forward(batch);
    rows.expect_forward(d, std::max(1e-12, rounding<double>(rows.nv, condition_at(mechanism, rows))));
  }
}

TEST(BatchDerivatives, AreTheSameToTheLastBitWhateverStandsBesideARow) {
  Random random(3);
  const Model model(random_robot(random, {.bodies = 8, .free_root = true}));
  DerivativeRows rows(random, model, 300);
  Executor one(1), three(3);
  Batch<double> alone(model, one), shared(model, three);
  const size_t numbers = size_t(rows.nv) * size_t(rows.nv);
  for (const bool forward : {false, true}) {
    const auto run = [&](Batch<double>& batch) { forward ? rows.forward(batch) : rows.inverse(batch); };
    run(alone);
    const std::vector<double> reference[] = {rows.dq, rows.dv, rows.dx};
    run(shared);
    const std::vector<double>* const found[] = {&rows.dq, &rows.dv, &rows.dx};
    for (size_t k = 0; k < 3; ++k)
      EXPECT_EQ(std::memcmp(found[k]->data(), reference[k].data(), reference[k].size() * sizeof(double)), 0) << k;
    // every place in a pack, every short batch, and nothing beyond the last row
    for (int first = 0; first < 9; ++first)
      for (int size = 1; size < 10; ++size) {
        const auto from = [&](const std::vector<double>& all, int n) {
          return std::span(all).subspan(size_t(first * n), size_t(size * n));
        };
        std::vector<double> y[3];
        for (auto& each : y) each.assign(size_t(size) * numbers + 16, 7.0);
        const auto to = [&](size_t k) { return std::span(y[k]).first(size_t(size) * numbers); };
        const auto q = from(rows.q, rows.nq), v = from(rows.v, rows.nv), x = from(rows.x, rows.nv);
        if (forward)
          alone.forward_derivatives(q, v, x, to(0), to(1), to(2));
        else
          alone.inverse_derivatives(q, v, x, to(0), to(1), to(2));
        for (size_t k = 0; k < 3; ++k) {
          ASSERT_EQ(std::memcmp(y[k].data(), reference[k].data() + size_t(first) * numbers, to(k).size_bytes()), 0)
              << first << ", " << size << ", matrix " << k;
          EXPECT_EQ(std::count(y[k].end() - 16, y[k].end(), 7.0), 16);
        }
      }
  }
}

TEST(BatchDerivatives, SayWhichRowsHaveNone) {
  const Model model(test::gimbal());
  Random random(1);
  DerivativeRows rows(random, model, 19);
  for (int r = 0; r < rows.count; ++r) rows.q[size_t(3 * r + 1)] = 1;
  rows.q[3 * 5 + 1] = 0;
  rows.v[3 * 12] = std::numeric_limits<double>::quiet_NaN();
  Executor executor(1);
  Batch<double> batch(model, executor);
  const auto expect_nan = [&](int r) {
    for (const auto* all : {&rows.dq, &rows.dv, &rows.dx})
      for (const double each : DerivativeRows::part(*all, r, 9)) EXPECT_TRUE(std::isnan(each));
  };
  rows.forward(batch);
  for (int r = 0; r < rows.count; ++r)
    EXPECT_EQ(rows.status[size_t(r)], r == 5    ? RowStatus::singular
                                      : r == 12 ? RowStatus::not_finite
                                                : RowStatus::done)
        << r;
  expect_nan(5);
  expect_nan(12);
  rows.inverse(batch);
  for (int r = 0; r < rows.count; ++r)
    EXPECT_EQ(rows.status[size_t(r)], r == 12 ? RowStatus::not_finite : RowStatus::done) << r;
  expect_nan(12);
}

// Springs, friction, stops and wrenches go state by state, with nothing left out.
TEST(BatchDerivatives, HaveForcesAndWrenches) {
  Random random(4);
  // A wrench that its body carries along turns with the joints before it.
  Robot robot =
      random_robot(random, {.bodies = 5, .types = {JointType::revolute, JointType::prismatic}, .chain = true});
  const Mechanism bare(robot);
  add_forces(random, robot);
  const Mechanism mechanism(robot);
  Executor executor(2);
  const double on_tip[] = {1, 2, 3, 4, 5, 6};
  const RowWrenches<double> wrenches[] = {{int(robot.bodies.size()) - 1, on_tip}};
  for (const auto& [of, forces] : {std::pair{&mechanism, Forces::all}, {&bare, Forces::none}}) {
    Batch<double> batch(*of, executor, forces);
    DerivativeRows rows(random, of->tree(), 9);
    Dynamics d(*of, forces);
    d.wrenches({{int(robot.bodies.size()) - 1, {{1, 2, 3}, {4, 5, 6}}}});
    rows.inverse(batch, wrenches);
    rows.expect_inverse(d, 0);
    rows.forward(batch, wrenches);
    rows.expect_forward(d, 0);
  }
}

TEST(BatchDerivatives, RefuseWhatTheyDoNotCover) {
  const Mechanism fourbar(shipped("fourbar"));
  Executor executor(1);
  Batch<double> closed(fourbar, executor), open(fourbar, executor, Forces::none, Loops::open);
  const size_t n = size_t(fourbar.nv());
  const std::vector<double> q = fourbar.neutral(), v(n);
  std::vector<double> dq(n * n), dv(dq), dx(dq);
  EXPECT_THROW(closed.inverse_derivatives(q, v, v, dq, dv, dx), NotCovered);
  EXPECT_NO_THROW(open.inverse_derivatives(q, v, v, dq, dv, dx));
  for (auto* const matrix : {&dq, &dv, &dx})
    for (const size_t wrong : {n, n * n - 1, n * n + 1}) {
      matrix->resize(wrong);
      EXPECT_THROW(open.inverse_derivatives(q, v, v, dq, dv, dx), ArgumentError);
      EXPECT_THROW(open.forward_derivatives(q, v, v, dq, dv, dx), ArgumentError);
      matrix->resize(n * n);
    }
  const Model alone(serial_chain(int(n)));
  Batch<double> of_tree(alone, executor);
  const double numbers[6] = {};
  const RowWrenches<double> wrench[] = {{1, numbers}};
  EXPECT_THROW(of_tree.forward_derivatives(v, v, v, dq, dv, dx, {}, wrench), NotCovered);
}

// The derivatives of a closed chain are those of Dynamics.
TEST(BatchDerivatives, KeepLoopsClosed) {
  const Mechanism mechanism(shipped("fourbar"));
  Dynamics d(mechanism);
  const auto closed = d.assemble(mechanism.neutral());
  const std::vector<double> q(closed.begin(), closed.end()), v(size_t(mechanism.nv())), tau(v.size(), 1.0);
  std::vector<double> dq(v.size() * v.size()), dv(dq), dtau(dq);
  Executor executor(1);
  Batch<double> batch(mechanism, executor);
  RowStatus status[1];
  batch.forward_derivatives(q, v, tau, dq, dv, dtau, status);
  const auto expected = d.forward_derivatives(q, v, tau);
  EXPECT_EQ(status[0], RowStatus::done);
  EXPECT_EQ(dq, std::vector<double>(expected.dq.entries().begin(), expected.dq.entries().end()));
  EXPECT_EQ(dtau, std::vector<double>(expected.dtau.entries().begin(), expected.dtau.entries().end()));
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
