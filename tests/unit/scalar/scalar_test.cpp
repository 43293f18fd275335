#include "denoc/scalar/scalar.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "denoc/kinematics/energy.hpp"
#include "denoc/scalar/counted.hpp"
#include "denoc/scalar/dual.hpp"
#include "support/build.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

using C = Counted<double>;

// What f does.
template <class F> OperationCount counted(F&& f) {
  const OperationCount before = C::count();
  f();
  return C::count() - before;
}

TEST(Counted, CountsEachOperation) {
  C a(3), b(4), s, c, x;
  EXPECT_EQ(counted([&] { x = a + b; }), (OperationCount{.add = 1}));
  EXPECT_EQ(value(x), 7);
  EXPECT_EQ(counted([&] { x = a - b; }), (OperationCount{.add = 1}));
  EXPECT_EQ(value(x), -1);
  EXPECT_EQ(counted([&] { x += b; }), (OperationCount{.add = 1}));
  EXPECT_EQ(counted([&] { x -= a; }), (OperationCount{.add = 1}));
  EXPECT_EQ(value(x), 0);
  EXPECT_EQ(counted([&] { x = a * b; }), (OperationCount{.mul = 1}));
  EXPECT_EQ(value(x), 12);
  EXPECT_EQ(counted([&] { x = a * 0.0; }), (OperationCount{.mul = 1})) << "zeros count, too";
  EXPECT_EQ(counted([&] { x = a / b; }), (OperationCount{.div = 1}));
  EXPECT_EQ(value(x), 0.75);
  EXPECT_EQ(counted([&] { x = -a; }), OperationCount{}) << "a sign change is free";
  EXPECT_EQ(value(x), -3);
  EXPECT_EQ(counted([&] { x = sqrt(b); }), (OperationCount{.sqrt = 1}));
  EXPECT_EQ(value(x), 2);
  EXPECT_EQ(counted([&] { sincos(a, s, c); }), (OperationCount{.sincos = 1}));
  EXPECT_EQ(value(s), std::sin(3.0));
  EXPECT_EQ(value(c), std::cos(3.0));
  EXPECT_EQ(counted([&] { x = atan2(a, b); }), (OperationCount{.sincos = 1}));
  EXPECT_EQ(value(x), std::atan2(3.0, 4.0));
  EXPECT_EQ(counted([&] { x = select(a < b, a, b); }), OperationCount{});
  EXPECT_EQ(value(x), 3);
  EXPECT_EQ(counted([&] { x = (a + b) * (a - b) / b; }), (OperationCount{.mul = 1, .add = 2, .div = 1}));
}

TEST(Counted, KeepsOneCountPerThread) {
  const OperationCount here = counted([] {
    std::thread([] {
      const OperationCount there = counted([] { EXPECT_EQ(value(C(1) + C(2)), 3); });
      EXPECT_EQ(there.add, 1);
    }).join();
  });
  EXPECT_EQ(here, OperationCount{});
}

TEST(Zero, CostsNothing) {
  const Vec3<C> v{C(1), C(2), C(3)};
  Vec3<C> sum;
  EXPECT_EQ(counted([&] { sum = full<C>(v + Vec3<Zero>{}); }), OperationCount{});
  EXPECT_EQ(value(sum.y), 2);
  // (vx, vy, vz) x (0, 0, z) = (vy z, -vx z, 0)
  EXPECT_EQ(counted([&] { sum = full<C>(cross(v, Vec3<Zero, C>{{}, {}, C(5)})); }), (OperationCount{.mul = 2}));
  EXPECT_EQ(value(sum.x), 10);
  EXPECT_EQ(value(sum.y), -5);
  EXPECT_EQ(value(sum.z), 0);
}

// f and f' at x.
template <class F> void expect_derivative(F&& f, double x, double y, double derivative, const char* what) {
  const Dual<double> found = f(Dual<double>{x, 1.0});
  EXPECT_DOUBLE_EQ(found.x, y) << what;
  EXPECT_DOUBLE_EQ(found.d, derivative) << what;
}
TEST(Dual, DerivativesOfEachOperation) {
  using D = Dual<double>;
  const double x = 0.7;
  expect_derivative([](D a) { return a + a * 2.0 - 1.0; }, x, 3 * x - 1, 3, "sum");
  expect_derivative([](D a) { return -a; }, x, -x, -1, "sign");
  expect_derivative([](D a) { return a * a * a; }, x, x * x * x, 3 * x * x, "product");
  expect_derivative([](D a) { return 2.0 / a; }, x, 2 / x, -2 / (x * x), "quotient");
  expect_derivative([](D a) { return a / (a + 1.0); }, x, x / (x + 1), 1 / ((x + 1) * (x + 1)), "quotient");
  expect_derivative([](D a) { return sqrt(a); }, x, std::sqrt(x), 0.5 / std::sqrt(x), "root");
  expect_derivative(
      [](D a) {
        D s, c;
        sincos(a * 2.0, s, c);
        return s;
      },
      x, std::sin(2 * x), 2 * std::cos(2 * x), "sine");
  expect_derivative(
      [](D a) {
        D s, c;
        sincos(a * 2.0, s, c);
        return c;
      },
      x, std::cos(2 * x), -2 * std::sin(2 * x), "cosine");
  expect_derivative([](D a) { return atan2(a, D(2)); }, x, std::atan2(x, 2), 2 / (4 + x * x), "arc of y");
  expect_derivative([](D a) { return atan2(D(2), a); }, x, std::atan2(2, x), -2 / (4 + x * x), "arc of x");
  expect_derivative(
      [](D a) {
        D b = a;
        b += a;
        b -= D(1);
        return b;
      },
      x, 2 * x - 1, 2, "in place");
  expect_derivative([](D a) { return select(a < D(1), a * a, a); }, x, x * x, 2 * x, "choice");
}

// (sin x)/x: second derivative ((2 - x^2) sin x - 2 x cos x)/x^3.
TEST(Dual, NestsForSecondDerivatives) {
  using D = Dual<Dual<double>>;
  const double x = 0.7, s = std::sin(x), c = std::cos(x);
  const D a(Dual<double>{x, 1.0}, Dual<double>{1.0, 0.0});
  D sine, cosine;
  sincos(a, sine, cosine);
  const D y = sine / a;
  EXPECT_DOUBLE_EQ(value(y), s / x);
  EXPECT_DOUBLE_EQ(y.x.d, (x * c - s) / (x * x));
  EXPECT_DOUBLE_EQ(y.d.x, y.x.d);
  // The terms are 1/x^3 times larger than the result.
  EXPECT_NEAR(y.d.d, ((2 - x * x) * s - 2 * x * c) / (x * x * x), 8 * 2.2e-16 * 2 / (x * x * x));
}

// The stiffness of a pendulum: V = -m g l cos q, V'' = m g l cos q.
TEST(Dual, SecondDerivativesThroughTheLibrary) {
  using D = Dual<Dual<double>>;
  Robot robot;
  robot.gravity = {0, -9.81, 0};
  add(robot, joint(JointType::revolute), mass(1.5, {0, -0.75, 0}));
  const Model model(robot);
  Configuration<D> at(model);
  Kinematics<D> kin(model);
  const std::vector<D> q = {D(Dual<double>{0.6, 1.0}, Dual<double>{1.0, 0.0})};
  place<D>(model, q, at);
  positions<D>(model, at, kin);
  const D energy = potential_energy<D>(model, kin);
  EXPECT_NEAR(value(energy), -1.5 * 9.81 * 0.75 * std::cos(0.6), 1e-14);
  EXPECT_NEAR(energy.d.x, 1.5 * 9.81 * 0.75 * std::sin(0.6), 1e-14);
  EXPECT_NEAR(energy.d.d, 1.5 * 9.81 * 0.75 * std::cos(0.6), 1e-14);
}

static_assert(Scalar<double> && Scalar<float> && Scalar<long double> && Scalar<C> && Scalar<Dual<double>> &&
              Scalar<Dual<Dual<double>>>);
static_assert(!Scalar<int*>);

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
