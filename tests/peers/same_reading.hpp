// One file, two readers.
#pragma once
#include <algorithm>
#include <filesystem>
#include <numeric>
#include <optional>

#include "denoc/model/quaternions.hpp"
#include "support/data.hpp"
#include "support/mujoco.hpp"

namespace denoc::test {

// A random state: q about the posture that the file draws.
inline std::vector<double> state_near(Random& random, const Model& model) {
  std::vector<double> q = neutral_posture(model.robot());
  for (double& x : q) x += random.uniform(-1, 1);
  for (const QuaternionPlace& place : quaternions_of(model.robot())) {
    const auto first = q.begin() + std::ptrdiff_t(place.first);
    const double length = std::hypot(std::hypot(first[0], first[1]), std::hypot(first[2], first[3]));
    std::for_each(first, first + 4, [&](double& x) { x /= length; });
  }
  return q;
}

// Where MuJoCo has the principal axes of inertias from: the file gives them, or it finds them itself, by turns in one
// plane after the other until the cosine of the next would be 1 to 1e-12, or the entry that it would take away is below
// 1e-12 kg m^2.
enum class PrincipalAxes { given, found };

// What that may leave of the tensors: that entry, or a turn by sqrt(2e-12) between two moments, in each of three planes.
inline double lost_inertia(const mjModel& model) {
  double sum = 0;
  for (int b = 1; b < model.nbody; ++b) {
    const auto [least, most] = std::minmax_element(model.body_inertia + 3 * b, model.body_inertia + 3 * b + 3);
    sum += 3 * std::max(1e-12, std::sqrt(2e-12) * (*most - *least));
  }
  return sum;
}
inline double sum_of_sizes(const std::vector<double>& x) {
  return std::accumulate(x.begin(), x.end(), 0.0, [](double sum, double each) { return sum + std::abs(each); });
}

// MuJoCo and we read the same robot from a file: inertia matrix and forces differ by some roundings of their terms for
// each body, and by what MuJoCo loses of inertias, of which angular rates w and accelerations make moments
// |dI| (|w'| + w^2), |w| <= sum |v|, |w'| <= sum |a| + (sum |v|)^2.
// `relative`, where given, stands for the roundings.
inline void expect_the_same_reading(const std::filesystem::path& file, PrincipalAxes axes,
                                    std::optional<double> relative = std::nullopt) {
  const Robot robot = load(file.string());
  const Model model(robot);
  MujocoRobot mujoco(robot, file.string());
  mju_copy3(mujoco.model()->opt.gravity, std::data({robot.gravity.x, robot.gravity.y, robot.gravity.z}));
  ASSERT_EQ(mujoco.model()->nv, model.nv());
  ASSERT_EQ(mujoco.model()->nq, model.nq());
  expect_near(neutral_posture(robot), {mujoco.model()->qpos0, mujoco.model()->qpos0 + model.nq()}, 1e-15, "qpos0");
  const double rounding = relative.value_or(64 * double(robot.bodies.size()) * std::numeric_limits<double>::epsilon()),
               lost = axes == PrincipalAxes::found ? lost_inertia(*mujoco.model()) : 0;
  Random random(5);
  for (int state = 0; state < 5; ++state) {
    const auto q = state_near(random, model), v = random_vector<double>(random, model.nv()),
               a = random_vector<double>(random, model.nv(), 5);
    mujoco.set_state(q, v);
    Machine<double> machine(model, q, v);
    const std::vector<double> rest(a.size(), 0), bias = mujoco.inverse(rest), forces = mujoco.inverse(a);
    const auto I = mujoco.inertia();  // of the state that the forces were asked for
    const double rates = std::pow(sum_of_sizes(v), 2), size = largest(I);
    expect_near(machine.inertia(), I, rounding * size + lost, "inertia matrix");
    // Terms of the bias that cancel are about |I| times squares of rates.
    const double of_bias = largest(bias) + size * rates;
    expect_near(machine.inverse(rest), bias, rounding * of_bias + lost * 2 * rates, "bias");
    expect_near(machine.inverse(a), forces,
                rounding * (of_bias + size * sum_of_sizes(a)) + lost * (sum_of_sizes(a) + 2 * rates), "forces");
  }
}

}  // namespace denoc::test
