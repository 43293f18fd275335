// Every method of the tables does what the first of its table does, within rounding: random trees of every joint type,
// fixed and free bases, every scalar, wrenches from outside.
#include "denoc/dynamics/formulations.hpp"

#include <filesystem>

#include "denoc/io/load.hpp"
#include "support/random_laws.hpp"

namespace denoc::test {
namespace {

template <class T> struct Formulations : testing::Test {};
TYPED_TEST_SUITE(Formulations, Scalars);

// A robot, a state, what acts on it, and what rounding explains there.
template <class T> struct Trial {
  using R = Real<T>;
  State<T> s;
  std::vector<BodyWrench<T>> wrenches;
  Machine<T> machine;
  Workspace<T> work;
  Rounding<R> rounding;

  Trial(Random& random, const ModelOf<T>& model)
      : s(random, model),
        wrenches(random_wrenches<T>(random, model)),
        machine(model, s.q, s.v),
        work(model),
        rounding(model) {
    place<T>(model, s.q, work.at);
    Configuration<R> at(model);
    place<R>(model, values(s.q), at);
    std::vector<BodyWrench<R>> plain;
    for (const auto& [body, w] : wrenches) plain.push_back({body, {values(w.n), values(w.f)}});
    rounding.evaluate(at, values(s.v), plain);
  }
  static R values(const T& x) { return R(value(x)); }
  static Vec3<R> values(const Vec3<T>& x) { return {values(x.x), values(x.y), values(x.z)}; }
  static std::vector<R> values(const std::vector<T>& x) {
    std::vector<R> all;
    for (const T& e : x) all.push_back(values(e));
    return all;
  }

  // Differences in units of what rounding explains, the largest; what the method says is asked twice, since stale
  // scratch would show.
  static double times(const std::vector<T>& x, const std::vector<T>& expected, const std::vector<double>& allowed) {
    double most = 0;
    for (size_t k = 0; k < x.size(); ++k) {
      const double found = std::abs(double(values(x[k] - expected[k])));
      most = larger(most, found == 0 ? 0 : found / allowed[k]);
    }
    return most;
  }
  double inverse(const InverseFormulation<T>& method) {
    const auto expected = machine.inverse(s.a, wrenches);
    std::vector<T> tau(s.v.size());
    for (int twice = 0; twice < 2; ++twice) method.run(machine.model, work, s.v, s.a, tau, wrenches);
    return times(tau, expected, rounding.inverse(values(s.a)));
  }
  double inertia(const InertiaFormulation<T>& method) {
    std::vector<T> matrix(s.v.size() * s.v.size());
    for (int twice = 0; twice < 2; ++twice) method.run(machine.model, work, matrix);
    return times(matrix, machine.inertia(), rounding.inertia());
  }
  double forward(const ForwardFormulation<T>& method, const std::vector<T>& tau) {
    std::vector<T> a(s.v.size());
    for (int twice = 0; twice < 2; ++twice) method.run(machine.model, work, s.v, tau, a, wrenches);
    return times(machine.inverse(a, wrenches), tau, rounding.residual(values(a)));
  }
};
template <class T> std::vector<T> random_forces(Random& random, const ModelOf<T>& model) {
  return as<T>(random_vector<Real<T>>(random, model.nv(), 10));
}

// The law, with the method's name and by how much it is broken.
void require(double times, std::string_view method) {
  if (!(times <= 1)) RC_FAIL(std::string(method) + ": " + std::to_string(times) + " times what rounding explains");
}

TYPED_TEST(Formulations, OfInverseDynamicsAgree) {
  using T = TypeParam;
  for_random_robots<T>(
      [](Random& random, const ModelOf<T>& model) {
        Trial<T> trial(random, model);
        for (const auto& method : inverse_formulations<T>) require(trial.inverse(method), method.name);
      },
      20);
}
TYPED_TEST(Formulations, OfTheInertiaMatrixAgree) {
  using T = TypeParam;
  for_random_robots<T>(
      [](Random& random, const ModelOf<T>& model) {
        Trial<T> trial(random, model);
        for (const auto& method : inertia_formulations<T>) require(trial.inertia(method), method.name);
      },
      12);
}
TYPED_TEST(Formulations, OfForwardDynamicsInvertInverseDynamics) {
  using T = TypeParam;
  for_random_robots<T>(
      [](Random& random, const ModelOf<T>& model) {
        Trial<T> trial(random, model);
        const auto tau = random_forces<T>(random, model);
        for (const auto& method : forward_formulations<T>) require(trial.forward(method, tau), method.name);
      },
      20);
}

TEST(LargeRobots, ForwardDynamicsInvertsInverseDynamics) {
  for_random_robots<double>(
      [](Random& random, const Model& model) {
        const auto& denoc = forward_formulations<double>[0];
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
      for (const auto& method : inverse_formulations<double>) EXPECT_LE(trial.inverse(method), 1) << method.name;
      for (const auto& method : inertia_formulations<double>) EXPECT_LE(trial.inertia(method), 1) << method.name;
      for (const auto& method : forward_formulations<double>) EXPECT_LE(trial.forward(method, tau), 1) << method.name;
    }
  }
  EXPECT_GT(robots, 0);
}

// The bound is no licence: an error of a part in 1e12 in one torque or one entry of I is seen, even in a long chain.
TEST(Rounding, ExplainsNoError) {
  Random random(3);
  for (const int bodies : {1, 6, 40}) {
    const Model model(random_robot(random, {.bodies = bodies, .types = {JointType::revolute}, .chain = true}));
    Trial<double> trial(random, model);
    for (const double relative : {1e-12 * bodies}) {
      const auto tau = trial.machine.inverse(trial.s.a, trial.wrenches), I = trial.machine.inertia();
      auto wrong = tau, wrong_I = I;
      *std::max_element(wrong.begin(), wrong.end()) *= 1 + relative;
      *std::max_element(wrong_I.begin(), wrong_I.end()) *= 1 + relative;
      EXPECT_GT(Trial<double>::times(wrong, tau, trial.rounding.inverse(trial.s.a)), 1) << bodies;
      EXPECT_GT(Trial<double>::times(wrong_I, I, trial.rounding.inertia()), 1) << bodies;
    }
  }
}

}  // namespace
}  // namespace denoc::test
