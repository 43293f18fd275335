// The recursions for one state in double, as they are compiled for each instruction set that the processor has.
#include <gtest/gtest.h>

#include <cstdlib>

#include "denoc/dynamics/formulations.hpp"
#include "denoc/dynamics/rounding.hpp"
#include "denoc/io/load.hpp"
#include "denoc/mechanism/dynamics.hpp"
#include "dynamics/recursions.hpp"
#include "support/random_robot.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

using Numbers = std::vector<double>;

// What the facade and the free functions do, with the passes of one instruction set.
struct OneState {
  const Model& model;
  const Recursions& by;
  Configuration<double> at;
  ForwardScratch<double> scratch;

  OneState(const Model& of, const Recursions& recursions, const Numbers& q)
      : model(of), by(recursions), at(model), scratch(model) {
    by.place(model, q, at);
  }
  Numbers inverse(const Numbers& v, const Numbers& a) {
    Numbers tau(v.size());
    by.body_wrenches(model, at, v, a, scratch.inverse);
    by.project_to_joints(model, at, scratch.inverse, tau);
    add_rotors<double>(model, a, tau);
    return tau;
  }
  Numbers forward(const Numbers& v, const Numbers& tau) {
    Numbers a(v.size());
    by.bias_wrenches(model, at, v, Zero{}, scratch.inverse);
    by.eliminate_loaded_joints(model, at, tau, scratch);
    by.solve_lower(model, at, scratch.factor, scratch.solve.phi_hat, scratch.solve, a);
    return a;
  }
  Numbers solved(const Numbers& phi) {
    Factor<double> factor(model);
    Numbers x(phi.size());
    by.eliminate_joints(model, at, factor);
    by.solve_upper(model, at, factor, phi, scratch.solve, scratch.solve.phi_hat);
    by.solve_lower(model, at, factor, scratch.solve.phi_hat, scratch.solve, x);
    return x;
  }
  Numbers inertia() {
    CompositeScratch<double> s(model);
    Numbers I(size_t(model.nv()) * size_t(model.nv()));
    by.inertia_matrix(model, at, s, I);
    return I;
  }
  Numbers inertia_inverse() {
    Factor<double> factor(model);
    InertiaInverseScratch<double> s(model);
    Numbers inverse(size_t(model.nv()) * size_t(model.nv()));
    by.eliminate_joints(model, at, factor);
    by.inertia_inverse(model, at, factor, s, inverse);
    return inverse;
  }
};

struct State {
  Numbers q, v, x;
  State(const Model& model, unsigned seed) {
    Random random(seed);
    q = random_q<double>(random, model);
    v = random_vector<double>(random, model.nv());
    x = random_vector<double>(random, model.nv(), 5);
  }
};

std::vector<Model> robots() {
  std::vector<Model> all;
  for (const char* name : {"puma560", "humanoid", "chain20"}) all.emplace_back(load(name));
  for (unsigned seed = 0; seed < 6; ++seed) {
    Random random(seed);
    all.emplace_back(random_robot(random, {.bodies = 12, .free_root = seed % 2 == 0}));
  }
  return all;
}

// The two differ by no more than rounding explains of both.
void expect_within(const Numbers& found, const Numbers& expected, const Numbers& bounds, std::string_view what) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t k = 0; k < found.size(); ++k)
    EXPECT_LE(std::abs(found[k] - expected[k]), 2 * bounds[k]) << what << " " << k;
}

// On the processors that are emulated the tests know what is there (tests/CMakeLists.txt).
TEST(InstructionSets, AreThoseOfTheProcessor) {
  const auto all = instruction_sets();
  EXPECT_EQ(all.front().name, "baseline");
  EXPECT_TRUE(all.front().is_there);
  EXPECT_TRUE(all[instruction_set_in_use()].is_there);
  EXPECT_EQ(all[instruction_set_in_use()].name, instruction_set());
  if (std::getenv("DENOC_ISA") != nullptr) return;
  for (size_t better = instruction_set_in_use() + 1; better < all.size(); ++better)
    EXPECT_FALSE(all[better].is_there) << all[better].name;
  const char* const expected = std::getenv("DENOC_TEST_ISA");
  EXPECT_EQ(instruction_set(), expected == nullptr ? instruction_set() : expected);
}

TEST(InstructionSets, AgreeWithinRounding) {
  for (const Model& model : robots()) {
    const State state(model, 3);
    OneState baseline(model, recursions_of(0), state.q);
    Rounding<double> rounding(model);
    rounding.evaluate(baseline.at, state.v);
    const auto n = size_t(model.nv());
    const Numbers tau = baseline.inverse(state.v, state.x), I = baseline.inertia();
    bool is_rounded_otherwise = false;
    for (size_t i = 1; i < instruction_sets().size(); ++i) {
      const auto [name, is_there] = instruction_sets()[i];
      if (!is_there) continue;
      SCOPED_TRACE(name);
      OneState other(model, recursions_of(i), state.q);
      expect_within(other.inverse(state.v, state.x), tau, rounding.inverse(state.x), "tau");
      expect_within(other.inertia(), I, rounding.inertia(), "I");
      // What solves, by what is left of it.
      const Numbers a = other.forward(state.v, state.x), x = other.solved(state.x);
      expect_within(baseline.inverse(state.v, a), state.x, rounding.residual(a), "I a + bias");
      const Numbers inverse = other.inertia_inverse();
      const auto left = [&](const Numbers& of) {
        Numbers product(n);
        for (size_t j = 0; j < n; ++j)
          for (size_t k = 0; k < n; ++k) product[j] += I[j * n + k] * of[k];
        return product;
      };
      expect_within(left(x), state.x, rounding.product(x), "I x");
      for (size_t k = 0; k < n; ++k) {
        const Numbers column(inverse.begin() + std::ptrdiff_t(k * n), inverse.begin() + std::ptrdiff_t((k + 1) * n));
        Numbers unit(n);
        unit[k] = 1;
        expect_within(left(column), unit, rounding.product(column), "I I^-1");
      }
      is_rounded_otherwise |= other.inverse(state.v, state.x) != tau;
    }
    // With FMA products are not rounded before they are added: the same bits everywhere would be the same code.
    EXPECT_EQ(is_rounded_otherwise, instruction_sets().size() > 1 && instruction_sets()[1].is_there);
  }
}

// Facade, table and free functions: the same bits as the passes of the one in use.
TEST(InstructionSets, OneStateRunsOnTheOneInUse) {
  const Mechanism mechanism("puma560");
  const Model& model = mechanism.tree();
  const State state(model, 5);
  OneState in_use(model, recursions_of(instruction_set_in_use()), state.q);
  const Numbers tau = in_use.inverse(state.v, state.x), a = in_use.forward(state.v, state.x);
  const auto list = [](std::span<const double> x) { return Numbers(x.begin(), x.end()); };

  Dynamics dynamics(mechanism);
  EXPECT_EQ(list(dynamics.inverse(state.q, state.v, state.x)), tau);
  EXPECT_EQ(list(dynamics.forward(state.q, state.v, state.x)), a);
  EXPECT_EQ(list(dynamics.inertia(state.q).entries()), in_use.inertia());
  EXPECT_EQ(list(dynamics.inertia_inverse(state.q).entries()), in_use.inertia_inverse());

  Configuration<double> at(model);
  ForwardScratch<double> scratch(model);
  Numbers found(tau.size());
  place<double>(model, state.q, at);
  inverse_dynamics<double>(model, at, state.v, state.x, scratch.inverse, found);
  EXPECT_EQ(found, tau);
  forward_dynamics<double>(model, at, state.v, state.x, scratch, found);
  EXPECT_EQ(found, a);
  inverse_formulations<double>().front().prepare(model)(at, state.v, state.x, found, {});
  EXPECT_EQ(found, tau);
  forward_formulations<double>().front().prepare(model)(at, state.v, state.x, found, {});
  EXPECT_EQ(found, a);
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
