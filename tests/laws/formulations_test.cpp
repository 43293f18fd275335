// Every method of the tables does what the first of its table does, within rounding: random trees of every joint type,
// fixed and free bases, every scalar, wrenches from outside.
#include "denoc/dynamics/formulations.hpp"

#include <filesystem>

#include "denoc/io/load.hpp"
#include "support/random_laws.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

template <class T> struct Formulations : testing::Test {};
TYPED_TEST_SUITE(Formulations, Scalars);

// A robot, a state, what acts on it, and what rounding explains there.
template <class T> struct Trial {
  State<T> s;
  std::vector<BodyWrench<T>> wrenches;
  Machine<T> machine;
  Configuration<T> at;
  Rounding<Real<T>> rounding;

  Trial(Random& random, const ModelOf<T>& model)
      : s(random, model),
        wrenches(random_wrenches<T>(random, model)),
        machine(model, s.q, s.v),
        at(model),
        rounding(rounding_at<T>(model, s.q, s.v, wrenches)) {
    place<T>(model, s.q, at);
  }

  // By how much methods differ; what they say is asked twice, since stale scratch would show.
  double inverse(const InverseFormulation<T>& method) {
    const auto expected = machine.inverse(s.a, wrenches);
    std::vector<T> tau(s.v.size());
    const auto run = method.prepare(machine.model);
    for (int twice = 0; twice < 2; ++twice) run(at, s.v, s.a, tau, wrenches);
    return times_rounding(tau, expected, rounding.inverse(plain(s.a)));
  }
  double inertia(const InertiaFormulation<T>& method) {
    std::vector<T> matrix(s.v.size() * s.v.size());
    const auto run = method.prepare(machine.model);
    for (int twice = 0; twice < 2; ++twice) run(at, matrix);
    return times_rounding(matrix, machine.inertia(), rounding.inertia());
  }
  double forward(const ForwardFormulation<T>& method, const std::vector<T>& tau) {
    std::vector<T> a(s.v.size());
    const auto run = method.prepare(machine.model);
    for (int twice = 0; twice < 2; ++twice) run(at, s.v, tau, a, wrenches);
    return times_rounding(machine.inverse(a, wrenches), tau, rounding.residual(plain(a)));
  }
};
template <class T> std::vector<T> random_forces(Random& random, const ModelOf<T>& model) {
  return as<T>(random_vector<Real<T>>(random, model.nv(), 10));
}

TYPED_TEST(Formulations, OfInverseDynamicsAgree) {
  using T = TypeParam;
  for_random_robots<T>(
      [](Random& random, const ModelOf<T>& model) {
        Trial<T> trial(random, model);
        for (const auto& method : inverse_formulations<T>()) require(trial.inverse(method), method.name);
      },
      20);
}
TYPED_TEST(Formulations, OfTheInertiaMatrixAgree) {
  using T = TypeParam;
  for_random_robots<T>(
      [](Random& random, const ModelOf<T>& model) {
        Trial<T> trial(random, model);
        for (const auto& method : inertia_formulations<T>()) require(trial.inertia(method), method.name);
      },
      12);
}
TYPED_TEST(Formulations, OfForwardDynamicsInvertInverseDynamics) {
  using T = TypeParam;
  for_random_robots<T>(
      [](Random& random, const ModelOf<T>& model) {
        Trial<T> trial(random, model);
        const auto tau = random_forces<T>(random, model);
        for (const auto& method : forward_formulations<T>()) require(trial.forward(method, tau), method.name);
      },
      20);
}

TEST(LargeRobots, ForwardDynamicsInvertsInverseDynamics) {
  for_random_robots<double>(
      [](Random& random, const Model& model) {
        const auto& denoc = forward_formulations<double>().front();
        require(Trial<double>(random, model).forward(denoc, random_forces<double>(random, model)), denoc.name);
      },
      300);
}

TEST(ShippedRobots, AreTheSameByEveryMethod) {
  int robots = 0;
  for (const auto& entry : std::filesystem::directory_iterator(DENOC_MODELS_DIR)) {
    if (entry.path().extension() != ".yaml") continue;
    SCOPED_TRACE(entry.path());
    ++robots;
    const Model model(read_robot(entry.path()).robot);
    Random random(11);
    for (int states = 0; states < 5; ++states) {
      Trial<double> trial(random, model);
      const auto tau = random_forces<double>(random, model);
      for (const auto& method : inverse_formulations<double>()) EXPECT_LE(trial.inverse(method), 1) << method.name;
      for (const auto& method : inertia_formulations<double>()) EXPECT_LE(trial.inertia(method), 1) << method.name;
      for (const auto& method : forward_formulations<double>()) EXPECT_LE(trial.forward(method, tau), 1) << method.name;
    }
  }
  EXPECT_GT(robots, 0);
}

// The bound is no licence: an error of a part in 1e12 in one torque or one entry of I or C is seen, even in a long
// chain.
TEST(Rounding, ExplainsNoError) {
  Random random(3);
  for (const int bodies : {1, 6, 40}) {
    const Model model(random_robot(random, {.bodies = bodies, .types = {JointType::revolute}, .chain = true}));
    Trial<double> trial(random, model);
    const auto expect_seen = [&](const std::vector<double>& right, const std::vector<double>& allowed) {
      auto wrong = right;
      *std::max_element(wrong.begin(), wrong.end()) *= 1 + 1e-12 * bodies;
      EXPECT_GT(times_rounding(wrong, right, allowed), 1) << bodies;
    };
    expect_seen(trial.machine.inverse(trial.s.a, trial.wrenches), trial.rounding.inverse(trial.s.a));
    expect_seen(times(trial.machine.inertia(), trial.s.a), trial.rounding.product(trial.s.a));
    expect_seen(trial.machine.inertia(), trial.rounding.inertia());
    if (bodies > 1) expect_seen(trial.machine.coriolis(), trial.rounding.coriolis());  // of one joint alone C is 0
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
