// Many states at once give what one state gives, whatever stands beside it.
#include "denoc/batch/batch.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "denoc/io/load.hpp"
#include "denoc/model/serial_chain.hpp"
#include "denoc/scalar/instruction_set.hpp"
#include "support/build.hpp"
#include "support/laws.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

template <class E> struct Rows {
  std::vector<E> q, v, x, y;
  std::vector<RowStatus> status;
  int count;
  Rows(Random& random, const BasicModel<E>& model, int wanted)
      : y(size_t(wanted) * model.nv()), status(wanted), count(wanted) {
    for (int b = 0; b < count; ++b) {
      const auto one = random_q<E>(random, model), v1 = random_vector<E>(random, model.nv()),
                 x1 = random_vector<E>(random, model.nv(), 5);
      q.insert(q.end(), one.begin(), one.end());
      v.insert(v.end(), v1.begin(), v1.end());
      x.insert(x.end(), x1.begin(), x1.end());
    }
  }
  template <class Call> std::vector<E> run(Call call) {
    call(q, v, x, y, status);
    return y;
  }
};

template <class E> struct Batches : testing::Test {
  Random random{7};
  BasicModel<E> model{random_robot(random, {.bodies = 14})};
};
using Reals = testing::Types<double, float>;
TYPED_TEST_SUITE(Batches, Reals);

TYPED_TEST(Batches, UseWhatTheProcessorHas) {
  Executor executor(1);
  const Batch<TypeParam> batch(this->model, executor);
#if defined(__x86_64__) && defined(__OPTIMIZE__)
  const size_t otherwise = sizeof(TypeParam);  // row by row
#else
  const size_t otherwise = 16;
#endif
  const size_t bytes = instruction_set() == "avx512" ? 64 : instruction_set() == "avx2" ? 32 : otherwise;
  EXPECT_EQ(size_t(batch.lanes()), bytes / sizeof(TypeParam)) << instruction_set();
}

TYPED_TEST(Batches, AgreeWithOneCallPerState) {
  using E = TypeParam;
  const int count = 37, nq = this->model.nq(), nv = this->model.nv();
  Rows<E> rows(this->random, this->model, count);
  Executor executor(2);
  Batch<E> batch(this->model, executor);
  batch.inverse_dynamics(rows.q, rows.v, rows.x, rows.y, rows.status);
  const auto tau = rows.y;
  batch.forward_dynamics(rows.q, rows.v, tau, rows.y, rows.status);
  for (int b = 0; b < count; ++b) {
    const auto part = [&](const std::vector<E>& x, int n) {
      return std::vector<E>(x.begin() + b * n, x.begin() + (b + 1) * n);
    };
    Machine<E> machine(this->model, part(rows.q, nq), part(rows.v, nv));
    const auto a = part(rows.x, nv), one = machine.inverse(a);
    const double terms = row_sum(machine.inertia(), nv) * largest(a) + largest(machine.bias()) + largest(one);
    EXPECT_LE(largest_difference(part(tau, nv), one), rounding<E>(nv, terms));
    // forward dynamics: by its residual
    const auto back = part(rows.y, nv);
    EXPECT_LE(largest_difference(machine.inverse(back), part(tau, nv)),
              rounding<E>(nv, terms + row_sum(machine.inertia(), nv) * largest(back)));
    EXPECT_EQ(rows.status[b], RowStatus::done);
  }
}

TYPED_TEST(Batches, AreTheSameToTheLastBitWhateverStandsBesideARow) {
  using E = TypeParam;
  const int count = 5000, nq = this->model.nq(), nv = this->model.nv();
  Rows<E> rows(this->random, this->model, count);
  Executor one(1), three(3);
  Batch<E> alone(this->model, one), shared(this->model, three);
  const auto forward = [&](Batch<E>& batch) {
    return [&](auto& q, auto& v, auto& x, auto& y, auto& status) { batch.forward_dynamics(q, v, x, y, status); };
  };
  const auto reference = rows.run(forward(alone));
  EXPECT_EQ(std::memcmp(rows.run(forward(shared)).data(), reference.data(), reference.size() * sizeof(E)), 0);
  // every lane position and every short batch: rows [first, first + size)
  for (int first = 0; first < 20; ++first)
    for (int size = 1; size < 20; ++size) {
      std::vector<E> y(size_t(size) * nv);
      alone.forward_dynamics(std::span(rows.q).subspan(first * nq, size * nq),
                             std::span(rows.v).subspan(first * nv, size * nv),
                             std::span(rows.x).subspan(first * nv, size * nv), y);
      ASSERT_EQ(std::memcmp(y.data(), reference.data() + first * nv, y.size() * sizeof(E)), 0) << first << ", " << size;
    }
}

// Rows are moved four columns at a time: every remainder, full packs and short ones, and nothing beyond the last row.
TYPED_TEST(Batches, HaveRowsOfAnyWidth) {
  using E = TypeParam;
  const int count = 40;
  for (int n = 1; n <= 9; ++n) {
    const BasicModel<E> chain(serial_chain(n));
    Rows<E> rows(this->random, chain, count);
    Executor executor(1);
    Batch<E> batch(chain, executor);
    batch.inverse_dynamics(rows.q, rows.v, rows.x, rows.y);
    for (int b = 0; b < count; ++b) {
      const auto part = [&](const std::vector<E>& x) {
        return std::vector<E>(x.begin() + b * n, x.begin() + (b + 1) * n);
      };
      const std::vector<E> a = part(rows.x), tau = part(rows.y);
      Machine<E> machine(chain, part(rows.q), part(rows.v));
      const auto one = machine.inverse(a);
      const double terms = row_sum(machine.inertia(), n) * largest(a) + largest(machine.bias()) + largest(one);
      EXPECT_LE(largest_difference(tau, one), rounding<E>(n, terms)) << n << " joints, row " << b;
      std::vector<E> alone(n + 16, E(7));
      batch.inverse_dynamics(part(rows.q), part(rows.v), a, std::span(alone).first(n));
      EXPECT_EQ(std::memcmp(alone.data(), tau.data(), n * sizeof(E)), 0);
      EXPECT_EQ(std::count(alone.begin() + n, alone.end(), E(7)), 16);
    }
  }
}

TYPED_TEST(Batches, SayWhichRowsAreNotFinite) {
  using E = TypeParam;
  const int count = 21, nv = this->model.nv();
  Rows<E> rows(this->random, this->model, count);
  rows.v[4 * nv + 1] = std::numeric_limits<E>::quiet_NaN();
  rows.x[17 * nv] = std::numeric_limits<E>::infinity();
  Executor executor(1);
  Batch<E> batch(this->model, executor);
  for (const bool forward : {false, true}) {
    if (forward)
      batch.forward_dynamics(rows.q, rows.v, rows.x, rows.y, rows.status);
    else
      batch.inverse_dynamics(rows.q, rows.v, rows.x, rows.y, rows.status);
    for (int b = 0; b < count; ++b)
      EXPECT_EQ(rows.status[b], b == 4 || b == 17 ? RowStatus::not_finite : RowStatus::done) << b;
  }
}

TYPED_TEST(Batches, SayWhichRowsAreSingular) {
  using E = TypeParam;
  const BasicModel<E> rings(test::gimbal());
  const std::vector<E> q = {0.3f, 0.7f, 0.1f, 0.3f, 0, 0.1f, 0.2f, -1, 0}, v(9), tau(9, 1);
  std::vector<E> a(9);
  std::vector<RowStatus> status(3);
  Executor executor(1);
  Batch<E>(rings, executor).forward_dynamics(q, v, tau, a, status);
  EXPECT_EQ(status, (std::vector{RowStatus::done, RowStatus::singular, RowStatus::done}));
  EXPECT_TRUE(std::isnan(a[3]));
  EXPECT_TRUE(std::isfinite(a[0]) && std::isfinite(a[8]));
}

// One number too few or too many, of what is given or of what is wanted.
TYPED_TEST(Batches, RefuseWrongSizes) {
  using E = TypeParam;
  Rows<E> rows(this->random, this->model, 3);
  Executor executor(1);
  Batch<E> batch(this->model, executor);
  const auto expect = [&](bool is_right, const char* what) {
    const auto check = [&](auto run) {
      if (is_right) {
        EXPECT_NO_THROW(run()) << what;
      } else {
        EXPECT_THROW(run(), ArgumentError) << what;
      }
    };
    check([&] { batch.inverse_dynamics(rows.q, rows.v, rows.x, rows.y, rows.status); });
    check([&] { batch.forward_dynamics(rows.q, rows.v, rows.x, rows.y, rows.status); });
  };
  expect(true, "as it is");
  const auto vary = [&](auto& some, const char* what) {
    const size_t right = some.size();
    for (const size_t wrong : {right - 1, right + 1}) {
      some.resize(wrong);
      expect(false, what);
    }
    some.resize(right);
  };
  vary(rows.q, "q");
  vary(rows.v, "v");
  vary(rows.x, "a or tau");
  vary(rows.y, "the result");
  vary(rows.status, "status");
}

TEST(LaneSines, AreGoodToTwoUlp) {
  Random random(3);
  double worst = 0;
  for (int trial = 0; trial < 200000; ++trial) {
    const double range = trial % 2 ? 4 : 2e6;  // beyond 1e6 the C library is asked
    Lanes<double, 4> x{random.uniform(-range, range), random.uniform(-range, range), random.uniform(-1, 1),
                       1.5707963267948966 * random.below(1000)};
    Lanes<double, 4> s, c;
    sincos<double, 4>(x, s, c);
    for (int l = 0; l < 4; ++l) {
      const long double sine = std::sin((long double)x[l]), cosine = std::cos((long double)x[l]);
      worst = std::max({worst, double(std::abs(s[l] - sine) / std::max(std::abs(sine), 1e-20L)),
                        double(std::abs(c[l] - cosine) / std::max(std::abs(cosine), 1e-20L))});
    }
  }
  EXPECT_LE(worst, 2.5 * std::numeric_limits<double>::epsilon());
}

// Where the reduction by pi/2 would lose digits on the way, of either sign: beyond 1e6, of floats 8000.
template <class E> void expect_far_sines() {
  for (double size = 3e3; size < double(std::numeric_limits<E>::max()) / 10; size *= 7) {
    const E x = E(size);
    for (const Lanes<E, 4>& far : {Lanes<E, 4>{x, -x, 3 * x, E(0.5)}, Lanes<E, 4>{-x, E(-0.5), -2 * x, -x}}) {
      Lanes<E, 4> s, c;
      sincos<E, 4>(far, s, c);
      for (int l = 0; l < 4; ++l) {
        const long double sine = std::sin((long double)far[l]), cosine = std::cos((long double)far[l]);
        const double eps = double(std::numeric_limits<E>::epsilon());
        EXPECT_LE(std::abs(double(s[l] - sine)), 2.5 * eps * double(std::abs(sine))) << far[l];
        EXPECT_LE(std::abs(double(c[l] - cosine)), 2.5 * eps * double(std::abs(cosine))) << far[l];
      }
    }
  }
}
TEST(LaneSines, AreAsGoodFarAway) {
  expect_far_sines<double>();
  expect_far_sines<float>();
}

// ... to the last bit, also where one of them is so far that the C library is asked.
TEST(LaneSines, DoNotDependOnWhatStandsBeside) {
  Random random(4);
  for (int trial = 0; trial < 2000; ++trial) {
    Lanes<double, 4> x, s, c, beside_s, beside_c;
    for (int l = 0; l < 4; ++l) x[l] = random.uniform(-1000, 1000);
    sincos<double, 4>(x, s, c);
    x[3] = 1e9;
    sincos<double, 4>(x, beside_s, beside_c);
    for (int l = 0; l < 3; ++l) {
      EXPECT_EQ(s[l], beside_s[l]) << x[l];
      EXPECT_EQ(c[l], beside_c[l]) << x[l];
    }
  }
}

TEST(LaneSines, PassOnWhatIsNotFinite) {
  Lanes<double, 4> x{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN(), 0.5, 1e300}, s,
      c;
  sincos<double, 4>(x, s, c);
  EXPECT_TRUE(std::isnan(s[0]) && std::isnan(c[0]) && std::isnan(s[1]));
  EXPECT_EQ(s[3], std::sin(1e300));
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
