// Many threads at once have the bits that one alone has, and the thread sanitizer (`make sanitize`) has nothing to say.
#include <gtest/gtest.h>

#include <numeric>
#include <thread>

#include "denoc/batch/batch.hpp"
#include "denoc/denoc.hpp"
#include "denoc/mechanism/random_posture.hpp"
#include "denoc/scenario/scenario.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

using Numbers = std::vector<double>;

// work(k) for k below `count`, each in a thread of its own.
template <class Work> std::vector<Numbers> side_by_side(int count, const Work& work) {
  std::vector<Numbers> found(static_cast<std::size_t>(count));
  std::vector<std::thread> threads;
  threads.reserve(found.size());
  for (int k = 0; k < count; ++k) threads.emplace_back([&, k] { found[static_cast<std::size_t>(k)] = work(k); });
  for (std::thread& thread : threads) thread.join();
  return found;
}
// What all of them found, held against what each finds alone.
template <class Work> void expect_the_same(int count, const Work& work) {
  const std::vector<Numbers> found = side_by_side(count, work);
  for (int k = 0; k < count; ++k) EXPECT_EQ(found[static_cast<std::size_t>(k)], work(k)) << "thread " << k;
}

void append(Numbers& all, std::span<const double> more) { all.insert(all.end(), more.begin(), more.end()); }

TEST(SideBySide, OneMechanismInSixteenThreads) {
  for (const char* name : {"humanoid", "fourbar"}) {
    const Mechanism robot(name);
    expect_the_same(16, [&](int k) {
      Chance chance(static_cast<unsigned>(k));
      Dynamics d(robot, Forces::all);
      const Numbers zero(static_cast<std::size_t>(robot.nv()));
      Numbers all;
      for (int state = 0; state < 5; ++state) {
        const Numbers q = random_posture(robot, chance);
        append(all, d.inverse(q, zero, zero));
        append(all, d.forward(q, zero, zero));
        all.push_back(d.energy(q, zero).potential);
      }
      return all;
    });
  }
}

TEST(SideBySide, Simulations) {
  for (const char* name : {"pendulum", "fourbar_computed_torque"}) {
    const std::string file = DENOC_SOURCE "/examples/scenarios/" + std::string(name) + ".yaml";
    expect_the_same(4, [&](int) {
      Scenario scenario = load_scenario(file);  // a control law has a memory of its own
      scenario.setup.duration = 0.2;
      Numbers all;
      simulate(*scenario.model, scenario.setup, {.sample = [&](const Sample& sample) { append(all, sample.q); }});
      return all;
    });
  }
}

TEST(SideBySide, Loading) {
  const std::vector<const char*> names = {"puma560", "fourbar", "humanoid", "gripper", "rope50", "wrist"};
  expect_the_same(static_cast<int>(names.size()), [&](int k) {
    const Mechanism robot(names[static_cast<std::size_t>(k)]);
    return robot.neutral();
  });
}

// Each with an executor of its own, of several threads.
TEST(SideBySide, Batches) {
  const Mechanism robot("puma560");
  constexpr std::size_t rows = 1000;
  const auto n = static_cast<std::size_t>(robot.nv());
  Numbers state(rows * n);
  std::iota(state.begin(), state.end(), 0.0);
  for (double& x : state) x = 1e-3 * x - 3;
  expect_the_same(4, [&](int k) {
    Executor executor(1 + k);
    Batch<double> batch(robot, executor);
    Numbers tau(rows * n), a(rows * n);
    batch.inverse_dynamics(state, state, state, tau);
    batch.forward_dynamics(state, state, tau, a);
    append(tau, a);
    return tau;
  });
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
