// Batches of trees: every row has its own state and its own wrenches, by every kernel, in any number of threads.
#include <gtest/gtest.h>

#include "batch/kernels_of.hpp"
#include "support/build.hpp"
#include "unit/batch/rows.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

template <class E> struct BatchKernels : testing::Test {
  // Of every instruction set that is there, slowest first.
  static std::vector<const batch::Kernels<E>*> all() {
    std::vector<const batch::Kernels<E>*> found;
    for (std::size_t i = 0; i < instruction_sets().size(); ++i)
      if (instruction_sets()[i].is_there) found.push_back(&batch::kernels_of<E>(i));
    return found;
  }
};
using Reals = testing::Types<double, float>;
TYPED_TEST_SUITE(BatchKernels, Reals);

// Whatever the processor, in packs or row by row: of many rows, handed over in parts, every row has its own state, its own
// wrenches and the one that acts in all; a number that is none spoils its own row.
TYPED_TEST(BatchKernels, GiveEveryRowWhatIsItsOwn) {
  using E = TypeParam;
  for (const batch::Kernels<E>* const kernels : TestFixture::all())
    for (unsigned seed = 0; seed < 6; ++seed) {
      SCOPED_TRACE(testing::Message() << kernels->instruction_set << ", robot " << seed);
      Random random(seed);
      const Model model(random_robot(random, {.bodies = 6, .free_root = seed % 3 == 0}));
      const BasicModel<E> rounded(model.robot());
      const int lanes = kernels->lanes, count = 3 * lanes + 2, nq = model.nq(), nv = model.nv(),
                bad = lanes + lanes / 2;
      const TreeRows<E> rows(random, model, count);
      ActingOnRows<E> acting(random, model, count);
      const std::unique_ptr<void, void (*)(void*)> scratch(kernels->make_scratch(rounded), kernels->free_scratch);
      const auto ask = [&](bool is_inverse, std::vector<RowStatus>& status) {
        std::vector<E> y(rows.x.size());
        const std::vector<RowWrenches<E>> wrenches = acting.on_rows();
        for (int r = 0; r < count; r += lanes)
          (is_inverse ? kernels->inverse : kernels->forward)(rounded, scratch.get(),
                                                             {rows.q.data() + r * nq,
                                                              rows.v.data() + r * nv,
                                                              rows.x.data() + r * nv,
                                                              y.data() + r * nv,
                                                              status.data() + r,
                                                              std::min(lanes, count - r),
                                                              0,
                                                              wrenches,
                                                              std::size_t(r),
                                                              {}});
        return y;
      };
      for (const bool is_inverse : {true, false}) {
        std::vector<RowStatus> status(static_cast<std::size_t>(count));
        const std::vector<E> y = ask(is_inverse, status);
        EXPECT_EQ(status, std::vector<RowStatus>(status.size(), RowStatus::done));
        for (int r = 0; r < count; ++r)
          EXPECT_LE(roundings_off<E>(model, is_inverse, rows.row(rows.q, r, nq), rows.row(rows.v, r, nv),
                                     rows.row(rows.x, r, nv), rows.row(y, r, nv), acting.on(r)),
                    4)
              << r << " of " << count;
        for (std::size_t w = 0; w < acting.all.size(); ++w) {
          std::vector<E>& numbers = acting.all[w].second;
          if (numbers.size() == 6) continue;
          for (int i = 0; i < 6; ++i) {
            const E none = i % 2 == 0 ? std::numeric_limits<E>::quiet_NaN() : std::numeric_limits<E>::infinity();
            const E before = std::exchange(numbers[std::size_t(6 * bad + i)], none);
            std::vector<RowStatus> now(status.size());
            const std::vector<E> again = ask(is_inverse, now);
            numbers[std::size_t(6 * bad + i)] = before;
            for (int r = 0; r < count; ++r) {
              EXPECT_EQ(now[std::size_t(r)], r == bad ? RowStatus::not_finite : RowStatus::done)
                  << r << ", number " << i;
              if (r != bad) {
                EXPECT_EQ(rows.row(again, r, nv), rows.row(y, r, nv)) << r;
              }
            }
          }
        }
      }
    }
}

// A posture without an inertia matrix has no accelerations, and its row says so; where one of its numbers is none, it
// says that. Others are done, in whatever company.
TYPED_TEST(BatchKernels, TellSingularRowsFromThoseThatAreNoNumbers) {
  using E = TypeParam;
  const Model model(gimbal());
  const BasicModel<E> rounded(model.robot());
  for (const batch::Kernels<E>* const kernels : TestFixture::all()) {
    const int lanes = kernels->lanes, count = lanes + 3, nv = 3;
    const std::unique_ptr<void, void (*)(void*)> scratch(kernels->make_scratch(rounded), kernels->free_scratch);
    for (const E none : {std::numeric_limits<E>::quiet_NaN(), std::numeric_limits<E>::infinity()})
      for (int part = 0; part <= 3; ++part)  // of the row: q, v, x, its wrench
        for (int number = 0; number < (part == 3 ? 6 : nv); ++number) {
          SCOPED_TRACE(testing::Message() << kernels->instruction_set << ", part " << part << ", number " << number);
          std::vector<E> given[] = {
              std::vector<E>(std::size_t(nv * count), E(0.5)), std::vector<E>(std::size_t(nv * count), E(0.25)),
              std::vector<E>(std::size_t(nv * count), E(-0.75)), std::vector<E>(std::size_t(6 * count), E(0.125))};
          std::vector<RowStatus> expected(static_cast<std::size_t>(count), RowStatus::done);
          for (int r = 0; r < count; ++r) {
            const bool is_singular = r % 2 == 0, is_spoilt = r % 3 == 0;
            if (is_singular) given[0][std::size_t(nv * r + 1)] = 0;
            if (is_spoilt) given[part][std::size_t((part == 3 ? 6 : nv) * r + number)] = none;
            expected[std::size_t(r)] = is_spoilt     ? RowStatus::not_finite
                                       : is_singular ? RowStatus::singular
                                                     : RowStatus::done;
          }
          std::vector<E> y(given[2].size());
          std::vector<RowStatus> found(expected.size());
          const RowWrenches<E> wrenches[] = {{3, given[3]}};
          for (int r = 0; r < count; r += lanes)
            kernels->forward(rounded, scratch.get(),
                             {given[0].data() + r * nv,
                              given[1].data() + r * nv,
                              given[2].data() + r * nv,
                              y.data() + r * nv,
                              found.data() + r,
                              std::min(lanes, count - r),
                              0,
                              wrenches,
                              std::size_t(r),
                              {}});
          EXPECT_EQ(found, expected);
        }
  }
}

// The same of batches in threads, of as many rows as there may be in a part and one more.
TEST(MechanismBatch, TreesFeelTheWrenchesOfTheirRow) {
  for (unsigned seed = 0; seed < 4; ++seed) {
    Random random(40 + seed);
    const Mechanism mechanism(random_robot(random, {.bodies = 5, .free_root = seed % 2 == 0}));
    const Model& model = mechanism.tree();
    const int nq = model.nq(), nv = model.nv(), n = nv * nv;
    Dynamics d(mechanism);
    for (const int threads : {1, 3})
      for (const int count : {1, 7, 8, 33, 257}) {
        const TreeRows<double> rows(random, model, count);
        const ActingOnRows<double> acting(random, model, count);
        Executor executor(threads);
        Batch<double> batch(mechanism, executor);
        for (const batch::Problem problem : problems) {
          const Answers found = ask(batch, problem, count, rows.q, rows.v, rows.x, acting.on_rows());
          EXPECT_EQ(found.status, std::vector<RowStatus>(found.status.size(), RowStatus::done));
          for (int r = 0; r < count; ++r) {
            const auto q = row(rows.q, r, nq), v = row(rows.v, r, nv), x = row(rows.x, r, nv);
            const auto w = acting.on(r);
            if (problem == batch::Problem::inverse || problem == batch::Problem::forward) {
              EXPECT_LE(
                  roundings_off<double>(model, problem == batch::Problem::inverse, q, v, x, row(found.y[0], r, nv), w),
                  4)
                  << r << " of " << count;
              continue;
            }
            const auto expect_same = [&](const auto& expected) {
              const MatrixView all[] = {expected.dq, expected.dv,
                                        std::get<2>(std::tie(expected.dq, expected.dv, expected.dq))};
              for (int k = 0; k < 2; ++k) {
                const auto entries = all[k].entries();
                const std::vector<double> list(entries.begin(), entries.end());
                expect_near(row(found.y[std::size_t(k)], r, n), list, 1e-9 * (1 + largest(list)), "derivative");
              }
            };
            if (problem == batch::Problem::inverse_derivatives)
              expect_same(d.inverse_derivatives(q, v, x, w));
            else
              expect_same(d.forward_derivatives(q, v, x, w));
          }
        }
      }
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
