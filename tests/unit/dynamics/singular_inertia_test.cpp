// What moves without inertia is refused by every method, in every posture and frame; what is small is not.
#include <functional>
#include <type_traits>

#include "denoc/batch/batch.hpp"
#include "denoc/dynamics/formulations.hpp"
#include "denoc/io/load.hpp"
#include "denoc/model/manifold.hpp"
#include "denoc/model/quaternions.hpp"
#include "denoc/model/serial_chain.hpp"
#include "support/build.hpp"
#include "support/expect.hpp"
#include "support/random_laws.hpp"
#include "support/random_robot.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

template <class R> struct Singular : testing::Test {
  const Sym3<double> ball{0.1, 0, 0.1, 0, 0, 0.1};

  static std::vector<R> solved(const Robot& robot, const std::vector<R>& q) {
    const BasicModel<R> model(robot);
    const std::vector<R> some(model.nv(), R(0.5));
    return Machine<R>(model, q, some).forward(some);
  }
  // Every way to a solution refuses, and says which joint.
  static void expect_refused(const Robot& robot, const std::vector<R>& q, const std::string& name, int dof) {
    const BasicModel<R> model(robot);
    const std::vector<R> some(model.nv(), R(0.5));
    Configuration<R> at(model);
    Factor<R> factor(model);
    place<R>(model, q, at);
    std::vector<R> a(model.nv());
    const auto expect_named = [&](std::string_view how, const std::function<void()>& solve) {
      try {
        solve();
        ADD_FAILURE() << how << " solved without inertia in joint '" << name << "'";
      } catch (const SingularInertia& refused) {
        EXPECT_NE(std::string(refused.what()).find("'" + name + "'"), std::string::npos)
            << how << ": " << refused.what();
        EXPECT_EQ(refused.dof, dof) << how;
      }
    };
    expect_named("factorize", [&] { factorize<R>(model, at, factor); });
    for (const auto& method : forward_formulations<R>())
      expect_named(method.name, [&] { method.prepare(model)(at, some, some, a, {}); });
    // Inverse dynamics asks for no inertia.
    for (const auto& method : inverse_formulations<R>()) {
      method.prepare(model)(at, some, some, a, {});
      for (const R& tau : a) EXPECT_TRUE(std::isfinite(double(tau))) << method.name;
    }
  }
};
using Reals = testing::Types<double, float, long double>;
TYPED_TEST_SUITE(Singular, Reals);

// A slide so far out that the inertia about the hinge overflows: that is said, and not that there is none.
TYPED_TEST(Singular, InertiaThatOverflowsIsToldApart) {
  using R = TypeParam;
  Robot robot;
  add(robot, joint(JointType::revolute), mass(1, {0.3, 0, 0}, this->ball)).joint.name = "hinge";
  add(robot, joint(JointType::prismatic, {1, 0, 0}), mass(1));
  try {
    this->solved(robot, {R(0), std::numeric_limits<R>::max() / 2});
    ADD_FAILURE() << "solved";
  } catch (const SingularInertia& refused) {
    EXPECT_NE(std::string(refused.what()).find("'hinge': the inertia it moves is no finite number"), std::string::npos)
        << refused.what();
  }
}

// So is a mass whose pivot is infinite; what is small, zero or negative moves without inertia.
TEST(SingularInertia, SaysWhetherTheInertiaIsTooLargeOrTooSmall) {
  const auto said_of = [](double pivot) { return std::string(SingularInertia("hinge", 0, pivot).what()); };
  const double infinite = std::numeric_limits<double>::infinity();
  for (const double pivot : {infinite, -infinite, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_NE(said_of(pivot).find("too large"), std::string::npos) << said_of(pivot);
    EXPECT_EQ(said_of(pivot).find("without inertia"), std::string::npos) << said_of(pivot);
  }
  for (const double pivot : {0.0, 1e-300, -1e-3}) {
    EXPECT_NE(said_of(pivot).find("without inertia"), std::string::npos) << said_of(pivot);
    EXPECT_EQ(said_of(pivot).find("too large"), std::string::npos) << said_of(pivot);
  }
  Robot robot;
  add(robot, joint(JointType::revolute), mass(1e308, {10, 0, 0})).joint.name = "hinge";
  const Model model(robot);
  try {
    Machine<double>(model, {0.3}, {0}).forward({1});
    ADD_FAILURE() << "solved";
  } catch (const SingularInertia& refused) {
    EXPECT_EQ(std::string(refused.what()), said_of(infinite));
  }
}

TYPED_TEST(Singular, MasslessTipIsNamed) {
  using R = TypeParam;
  Robot robot;
  add(robot, joint(JointType::revolute), mass(1, {0.3, 0, 0}, this->ball));
  add(robot, joint(JointType::revolute, {1, 0, 0}), mass(0), {0.5, 0.1, 0}).joint.name = "wrist";
  this->expect_refused(robot, {R(0.3), R(-0.4)}, "wrist", 1);
  robot.bodies[2].joint.type = JointType::prismatic;
  this->expect_refused(robot, {R(0.3), R(-0.4)}, "wrist", 1);
  robot.bodies[2].inertial = mass(0.1);
  EXPECT_NO_THROW(this->solved(robot, {R(0.3), R(-0.4)}));
}

TYPED_TEST(Singular, MasslessBetweenIsFine) {
  using R = TypeParam;
  Robot robot;
  add(robot, joint(JointType::revolute), mass(0));
  add(robot, joint(JointType::revolute, {1, 0, 0}), mass(0), {0.5, 0.1, 0});
  add(robot, joint(JointType::prismatic, {0, 1, 0}), mass(0));
  add(robot, joint(JointType::revolute, {0, 1, 0}), mass(1, {0.3, 0, 0}, this->ball), {0.2, 0, 0.3});
  EXPECT_NO_THROW(this->solved(robot, {R(0.3), R(-0.4), R(0.2), R(0.5)}));
}

// Three axes through a point, two of them massless: where the first and the last coincide one motion is lost.
TYPED_TEST(Singular, GimbalLock) {
  using R = TypeParam;
  Robot robot;
  add(robot, joint(JointType::revolute), mass(0));
  add(robot, joint(JointType::revolute, {1, 0, 0}), mass(0));
  add(robot, joint(JointType::revolute), mass(1, {0, 0, 0}, {0.2, 0, 0.3, 0, 0, 0.25}));
  this->expect_refused(robot, {R(0.3), R(0), R(0.7)}, "body1", 0);
  EXPECT_NO_THROW(this->solved(robot, {R(0.3), R(0.5), R(0.7)}));
  // The same of a universal joint and a revolute one.
  Robot universal;
  add(universal, joint(JointType::universal, {0, 0, 1}, {1, 0, 0}), mass(0));
  add(universal, joint(JointType::revolute), mass(1, {0, 0, 0}, {0.2, 0, 0.3, 0, 0, 0.25}));
  this->expect_refused(universal, {R(0.3), R(0), R(0.7)}, "body1", 0);
}

TYPED_TEST(Singular, PointMassOnTheLastAxis) {
  using R = TypeParam;
  Robot robot;
  add(robot, joint(JointType::revolute), mass(1, {0.3, 0, 0}, this->ball));
  add(robot, joint(JointType::revolute, {0, 1, 0}), mass(2, {0, 0.4, 0}), {0.5, 0.1, 0});
  this->expect_refused(robot, {R(0.3), R(-0.4)}, "body2", 1);
  // also where the axis lies askew, so that the mass is on it to rounding only
  const Vec3<double> askew{0.3, -0.7, 0.5};
  robot.bodies[2].joint.axis = askew;
  robot.bodies[2].inertial.com = askew * 0.7;
  this->expect_refused(robot, {R(0.3), R(-0.4)}, "body2", 1);
  robot.bodies[2].inertial.com = {0, 0.1, 0};
  EXPECT_NO_THROW(this->solved(robot, {R(0.3), R(-0.4)}));
}

// A rod in a ball joint, a point mass in a free one: they turn about themselves without inertia.
TYPED_TEST(Singular, RodsAndPointsThatTurnFreely) {
  using R = TypeParam;
  Robot rod;
  add(rod, joint(JointType::spherical), mass(1, {0, 0, 0.5}, {0.1, 0, 0.1, 0, 0, 0}));
  this->expect_refused(rod, {R(0.5), R(0.5), R(0.5), R(0.5)}, "body1", 2);
  Robot point;
  add(point, joint(JointType::free), mass(1));
  const BasicModel<R> model(point);
  const std::vector<R> some(6, R(0.5));
  EXPECT_THROW(Machine<R>(model, {0, 0, 0, 1, 0, 0, 0}, some).forward(some), SingularInertia);
}

// Whether a rod turns about itself without inertia is no question of the axes it is written in: its null motion may have
// any direction among the columns of its joint, also nearly that of those eliminated first, whose rounding it lifts.
TYPED_TEST(Singular, RodsInAnyDirection) {
  using R = TypeParam;
  const double eps = double(std::numeric_limits<R>::epsilon());
  // n n 1 - n n^T, which moves about n without inertia: exact, for entries of n with few digits.
  const auto rod = [](const Vec3<double>& n, double thickness) {
    const double most = dot(n, n) + thickness;
    Robot robot;
    add(robot, joint(JointType::spherical),
        mass(3, n * 0.5, {most - n.x * n.x, -n.x * n.y, most - n.y * n.y, -n.x * n.z, -n.y * n.z, most - n.z * n.z}));
    return robot;
  };
  const std::vector<R> q{R(0.5), R(0.5), R(-0.5), R(0.5)};
  for (const double x : {1.0, 0x1p-2, 0x1p-3, 0x1p-5, 0x1p-7, 0x1p-10, 0x1p-13, 0x1p-17, 0x1p-20, 0.0})
    for (const Vec3<double>& along : {Vec3<double>{x, -0.625, -0.75},
                                      {-0.625, x, 0.75},
                                      {0.625, 0.75, x},
                                      {x, x, 1},
                                      {1, -x, x},
                                      {x * x, x, 1},
                                      {x * x, 1, x}}) {
      SCOPED_TRACE(testing::Message() << along.x << ' ' << along.y << ' ' << along.z);
      const BasicModel<R> thin(rod(along, 0)), thick(rod(along, 4096 * eps));
      const std::vector<R> some{R(0.5), R(-0.3), R(0.7)};
      Configuration<R> at(thin);
      std::vector<R> a(3);
      for (const auto& method : forward_formulations<R>()) {
        place<R>(thin, q, at);
        EXPECT_THROW(method.prepare(thin)(at, some, some, a, {}), SingularInertia) << method.name;
        place<R>(thick, q, at);
        EXPECT_NO_THROW(method.prepare(thick)(at, some, some, a, {})) << method.name;
      }
      if constexpr (!std::is_same_v<R, long double>) {
        Executor executor(1);
        for (const BasicModel<R>* const model : {&thin, &thick}) {
          std::vector<RowStatus> status(1);
          Batch<R> batch(*model, executor);
          if (std::is_same_v<R, float> && batch.lanes() == 1) continue;  // in double, whose roundings are others
          batch.forward_dynamics(q, some, some, a, status);
          EXPECT_EQ(status[0], model == &thin ? RowStatus::singular : RowStatus::done);
        }
      }
    }
}

// A massless rod between two balls turns about their line in whatever posture, in batches as for one state.
TEST(SingularInertia, RodsBetweenBalls) {
  Executor executor(1);
  for (const double x : {1.0, 0.3, 0.1, 0.03, 0.01, 1e-3, 1e-4, 1e-5, 1e-6, 0.0})
    for (const double thickness : {0.0, 1e-6}) {
      Robot robot;
      add(robot, joint(JointType::spherical), mass(0, {0, 0, 0}, {thickness, 0, thickness, 0, 0, thickness}));
      add(robot, joint(JointType::spherical), mass(1, {0.3, 0.4, -0.5}, {0.02, 0, 0.025, 0, 0, 0.03}), {x, -0.6, -0.8});
      const Model model(robot);
      constexpr std::size_t rows = 64;
      std::vector<double> q, v(rows * 6), tau, a(rows * 6);
      Random random(7);
      for (std::size_t i = 0; i < rows; ++i) {
        const std::vector<double> here = random_q<double>(random, model);
        q.insert(q.end(), here.begin(), here.end());
        for (int k = 0; k < 6; ++k) tau.push_back(random.uniform(-1, 1));
      }
      std::vector<RowStatus> status(rows);
      Batch<double>(model, executor).forward_dynamics(q, v, tau, a, status);
      for (std::size_t i = 0; i < rows; ++i) {
        const std::vector<double> here(q.begin() + long(8 * i), q.begin() + long(8 * i + 8)),
            load(tau.begin() + long(6 * i), tau.begin() + long(6 * i + 6));
        EXPECT_EQ(status[i], thickness == 0 ? RowStatus::singular : RowStatus::done) << x << ", row " << i;
        if (thickness == 0)
          EXPECT_THROW(Machine<double>(model, here, std::vector<double>(6)).forward(load), SingularInertia) << x;
        else
          EXPECT_NO_THROW(Machine<double>(model, here, std::vector<double>(6)).forward(load)) << x;
      }
    }
}

// Four hinges through one point turn a body, and three would do: in one motion the body stands still and a nearly massless
// fork at the ground turns; and where two of the others are nearly in line they turn against each other and move almost
// nothing. By whatever method, accelerations are refused, or right to some per cent: they are never rounding alone.
TEST(SingularInertia, WhatIsAnsweredIsNotRounding) {
  using Wide = long double;
  const std::vector<double> rest(4), tau = {1, -0.5, 0.7, 2};
  int refused = 0, answered = 0;
  for (const double fork : {1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12, 1e-14})
    for (const double lock : {0.1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
      SCOPED_TRACE(testing::Message() << "fork " << fork << " kg m^2, " << lock << " rad from one line");
      Robot robot;
      robot.gravity = {0, 0, 0};
      const Joint z = joint(JointType::revolute), y = joint(JointType::revolute, {0, 1, 0});
      add(robot, z, mass(0, {0, 0, 0}, {fork, 0, fork, 0, 0, fork}));
      add(robot, y, mass(0));
      add(robot, z, mass(0));
      add(robot, y, mass(1, {0.3, -0.2, 0.25}, {0.1, 0, 0.15, 0, 0, 0.2}));
      const Model model(robot);
      const BasicModel<Wide> wide(robot);
      const std::vector<double> q = {0.3, 0.5, lock, 0.5};
      Machine<Wide> exact(wide, {q.begin(), q.end()}, std::vector<Wide>(4));
      std::vector<double> expected;
      try {
        for (const Wide each : exact.forward({tau.begin(), tau.end()})) expected.push_back(double(each));
      } catch (const SingularInertia&) {
        continue;  // too little for extended precision, too
      }
      Configuration<double> at(model);
      place<double>(model, q, at);
      for (const auto& method : forward_formulations<double>()) {
        std::vector<double> a(4);
        try {
          method.prepare(model)(at, rest, tau, a, {});
        } catch (const SingularInertia&) {
          ++refused;
          continue;
        }
        ++answered;
        EXPECT_LE(largest_difference(a, expected), 0.05 * largest(expected)) << method.name;
      }
    }
  EXPECT_GT(refused, 0);
  EXPECT_GT(answered, 0);
}

// Chains and ropes are long, not singular: in single precision they are solved as in double, to single precision.
TEST(SingularInertia, LongChainsAreSolvedInSinglePrecision) {
  Executor executor(1);
  for (const Robot& robot :
       {load("rope50"), load("humanoid"), serial_chain(32), serial_chain(150), serial_chain(150, ChainLinks::rods)}) {
    const Model model(robot);
    constexpr std::size_t rows = 128;
    Random random(2);
    std::vector<float> q, v, tau;
    for (std::size_t r = 0; r < rows; ++r) {
      for (const double x : random_q<double>(random, model)) q.push_back(float(x));
      for (int k = 0; k < model.nv(); ++k) v.push_back(float(random.uniform(-1, 1)));
      for (int k = 0; k < model.nv(); ++k) tau.push_back(float(random.uniform(-1, 1)));
    }
    std::vector<float> a(v.size()), back(v.size());
    std::vector<RowStatus> status(rows);
    const BasicModel<float> rounded(robot);
    Batch<float>(rounded, executor).forward_dynamics(q, v, tau, a, status);
    EXPECT_EQ(status, std::vector<RowStatus>(rows, RowStatus::done)) << robot.name;
    const std::vector<double> Q(q.begin(), q.end()), V(v.begin(), v.end()), A(a.begin(), a.end());
    for (std::size_t r = 0; r < rows; ++r) {
      const auto row = [&](const std::vector<double>& all, int n) {
        return std::vector<double>(all.begin() + long(r) * n, all.begin() + long(r + 1) * n);
      };
      std::vector<double> here = row(Q, model.nq());
      normalise<double>(model, here);
      const std::vector<double> given(tau.begin() + long(r) * model.nv(), tau.begin() + long(r + 1) * model.nv());
      Machine<double> machine(model, here, row(V, model.nv()));
      Rounding<double> rounding = rounding_at<double>(model, here, row(V, model.nv()), {});
      const std::vector<double> acceleration = row(A, model.nv());
      EXPECT_LE(times_rounding<double>(machine.inverse(acceleration, {}), given, rounding.residual(acceleration)) *
                    double(std::numeric_limits<double>::epsilon() / std::numeric_limits<float>::epsilon()),
                4)
          << robot.name << ", row " << r;
    }
  }
}

// Small is not singular: a light hand on a heavy arm.
TYPED_TEST(Singular, SmallInertiasAreKept) {
  using R = TypeParam;
  Robot robot;
  add(robot, joint(JointType::revolute), mass(100, {1, 0, 0}, {10, 0, 10, 0, 0, 10}));
  add(robot, joint(JointType::revolute), mass(1e-3, {0, 0, 0}, {1e-9, 0, 1e-9, 0, 0, 1e-9}), {2, 0, 0});
  const auto a = this->solved(robot, {R(0.3), R(-0.4)});
  EXPECT_NEAR(double(a[1]), 0.5e9, 1e6);
}

// Which pivot is told: the first from the tips that is not above its floor, be it too small, none, below zero, infinite
// or no number.
TYPED_TEST(Singular, TheFirstPivotFromTheTipsIsTold) {
  using R = TypeParam;
  Robot robot;
  const int n = 5;
  for (int i = 0; i < n; ++i)
    add(robot, joint(JointType::revolute), mass(1, {0.3, 0, 0}, this->ball)).joint.name = "j" + std::to_string(i);
  const BasicModel<R> model(robot);
  const auto first_of = [&](const std::vector<R>& pivots) {
    std::vector<R> inverse;
    for (const R d : pivots) inverse.push_back(1 / d);
    const int k = detail::below_floor<R>(model, inverse, std::identity());
    try {
      require_regular<R>(model, inverse);
      EXPECT_EQ(k, -1);
    } catch (const SingularInertia& refused) {
      EXPECT_EQ(refused.dof, k);
      EXPECT_NE(std::string(refused.what()).find("'j" + std::to_string(k) + "'"), std::string::npos) << refused.what();
    }
    return k;
  };
  EXPECT_EQ(first_of(std::vector<R>(n, 1)), -1);
  const R infinite = std::numeric_limits<R>::infinity(), none = std::numeric_limits<R>::quiet_NaN();
  for (int k = 0; k < n; ++k)
    for (const R bad : {infinite, -infinite, none, R(0), R(-1), model.pivot_floor(k) / 2}) {
      std::vector<R> pivots(n, 1);
      pivots[size_t(k)] = bad;
      EXPECT_EQ(first_of(pivots), k) << double(bad);
      for (int before = 0; before < k; ++before)
        for (const R other : {infinite, R(0), none}) {
          pivots[size_t(before)] = other;
          EXPECT_EQ(first_of(pivots), k) << double(bad) << ' ' << double(other);
        }
    }
}

// Row by row, without packs, batches of floats are computed in double, where it does not overflow.
template <class R> bool has_room(const Batch<R>& batch) { return std::is_same_v<R, float> && batch.lanes() == 1; }

// A slide so far out that the inertia of the hinge overflows, in whatever direction, before or after other joints: every
// way to an acceleration refuses, in batches as well, and none gives zeros for it.
TYPED_TEST(Singular, InertiaThatOverflowsIsRefusedByEveryMethod) {
  using R = TypeParam;
  const R huge = std::sqrt(std::numeric_limits<R>::max());
  Executor executor(1);
  for (const Vec3<double>& along : {Vec3<double>{1, 0, 0}, {0, 1, 0}, {0.6, 0.8, 0}, {0.6, 0, 0.8}})
    for (const int before : {0, 1, 2})
      for (const R far : {huge * 2, -huge * 2, huge * 1024}) {
        SCOPED_TRACE(testing::Message() << along.x << ' ' << along.y << ' ' << before << ' ' << double(far));
        Robot robot;
        for (int i = 0; i < before; ++i)
          add(robot, joint(JointType::prismatic, {0, 0, 1}), mass(1, {0, 0, 0}, this->ball));
        add(robot, joint(JointType::revolute), mass(1, {0.3, 0, 0}, this->ball)).joint.name = "hinge";
        add(robot, joint(JointType::prismatic, along), mass(1, {0, 0, 0}, this->ball));
        const BasicModel<R> model(robot);
        const size_t n = size_t(model.nv());
        const std::vector<R> rest(n), load(n, R(1));
        std::vector<R> q(n), a(n);
        q.back() = far;
        Configuration<R> at(model);
        place<R>(model, q, at);
        Factor<R> factor(model);
        EXPECT_THROW(factorize<R>(model, at, factor), SingularInertia);
        for (const auto& method : forward_formulations<R>())
          EXPECT_THROW(method.prepare(model)(at, rest, load, a, {}), SingularInertia) << method.name;
        if constexpr (!std::is_same_v<R, long double>) {
          std::vector<RowStatus> status(1);
          Batch<R> batch(model, executor);
          batch.forward_dynamics(q, rest, load, a, status);
          if (has_room(batch)) continue;
          EXPECT_NE(status[0], RowStatus::done);
          EXPECT_TRUE(std::any_of(a.begin(), a.end(), [](R x) { return !std::isfinite(x); }));
        }
      }
}

// A rotor that with what it turns is more than the largest number, while each of the two is none too large: an infinite
// pivot, and nothing that is no number beside it. It is refused in whichever joint it is, by every way to an acceleration.
TYPED_TEST(Singular, RotorsThatOverflowAreRefused) {
  using R = TypeParam;
  if constexpr (!std::is_same_v<R, long double>) {  // whose largest number no robot has
    const double most = std::numeric_limits<R>::max();
    Executor executor(1);
    for (const JointType type : {JointType::revolute, JointType::prismatic, JointType::spherical})
      for (int heavy = 1; heavy <= 3; ++heavy) {
        Robot robot;
        for (int i = 1; i <= 3; ++i)
          add(robot, joint(i == heavy ? type : JointType::revolute), mass(1, {0, 0, 0}, this->ball));
        Body& body = robot.bodies[size_t(heavy)];
        body.parent = 0;
        if (heavy < 3) robot.bodies[size_t(heavy) + 1].parent = 0;
        body.inertial = type == JointType::prismatic
                            ? mass(most * 0x1p-20)
                            : mass(1, {0, 0, 0}, Sym3<double>{most * 0x1p-20, 0, most * 0x1p-20, 0, 0, most * 0x1p-20});
        body.joint.armature = most;
        const BasicModel<R> model(robot);
        const size_t n = size_t(model.nv());
        std::vector<R> q, a(n);
        for (const double x : neutral_posture(robot)) q.push_back(R(x));
        const std::vector<R> rest(n), load(n, R(1));
        Configuration<R> at(model);
        place<R>(model, q, at);
        SCOPED_TRACE(testing::Message() << name_of(type) << " " << heavy);
        for (const auto& method : forward_formulations<R>()) {
          try {
            method.prepare(model)(at, rest, load, a, {});
            ADD_FAILURE() << method.name << " solved";
          } catch (const SingularInertia& refused) {
            EXPECT_EQ(model.body_of_dof(refused.dof), heavy) << method.name;
            EXPECT_NE(std::string(refused.what()).find("too large"), std::string::npos)
                << method.name << refused.what();
          }
        }
        std::vector<RowStatus> status(1);
        Batch<R> batch(model, executor);
        batch.forward_dynamics(q, rest, load, a, status);
        if (has_room(batch)) continue;
        EXPECT_EQ(status[0], RowStatus::singular);
        EXPECT_TRUE(std::all_of(a.begin(), a.end(), [](R x) { return std::isnan(x); }));
      }
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
