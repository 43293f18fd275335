// One file, two readers.
#pragma once
#include <filesystem>

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

// MuJoCo and we read the same robot from a file. `relative`: of the largest entry.
inline void expect_the_same_reading(const std::filesystem::path& file, double relative = 1e-10) {
  const Robot robot = load(file.string());
  const Model model(robot);
  MujocoRobot mujoco(robot, file.string());
  mju_copy3(mujoco.model()->opt.gravity, std::data({robot.gravity.x, robot.gravity.y, robot.gravity.z}));
  ASSERT_EQ(mujoco.model()->nv, model.nv());
  ASSERT_EQ(mujoco.model()->nq, model.nq());
  expect_near(neutral_posture(robot), {mujoco.model()->qpos0, mujoco.model()->qpos0 + model.nq()}, 1e-15, "qpos0");
  Random random(5);
  for (int state = 0; state < 5; ++state) {
    const auto q = state_near(random, model), v = random_vector<double>(random, model.nv()),
               a = random_vector<double>(random, model.nv(), 5);
    mujoco.set_state(q, v);
    Machine<double> machine(model, q, v);
    const std::vector<double> rest(a.size(), 0), bias = mujoco.inverse(rest), forces = mujoco.inverse(a);
    expect_near(machine.inverse(rest), bias, relative * largest(bias), "bias");
    expect_near(machine.inverse(a), forces, relative * largest(forces), "forces");
    const auto I = mujoco.inertia();
    expect_near(machine.inertia(), I, relative * largest(I), "inertia matrix");
  }
}

}  // namespace denoc::test
