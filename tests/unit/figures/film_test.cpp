// What the film of a page says, read back from its numbers and held against the robot's own kinematics.
#include "output/figures/film.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "denoc/mechanism/dynamics.hpp"
#include "denoc/model/quaternions.hpp"
#include "support/build.hpp"
#include "support/data.hpp"
#include "support/random_robot.hpp"
#include "unit/figures/parts.hpp"
#include "unit/figures/wave.hpp"

namespace denoc::figures {
namespace {
namespace THIS_FILE {

Vec3<double> vector(const test::Json& node) {
  return {node[0].as<double>(), node[1].as<double>(), node[2].as<double>()};
}

// A tree with every joint, frames of bodies away from their joints and turned.
Model all_joints(unsigned seed) {
  test::Random random(seed);
  test::RandomRobot wanted;
  wanted.bodies = 12;
  return Model(test::random_robot(random, wanted));
}

// The first frame's poses, the film's numbers times its radius.
std::vector<Pose<double>> first_frame(const test::Json& film, std::size_t bodies) {
  const std::vector<std::int16_t> values = parts(film["poses"].as<std::string>());
  const double radius = film["radius"].as<double>();
  std::vector<Pose<double>> poses(bodies);
  for (std::size_t b = 0; b < bodies; ++b) {
    std::array<double, 7> x{};
    for (std::size_t k = 0; k < 7; ++k) x[k] = values.at(7 * b + k) / whole;
    poses[b] = {rotation(unit(Quaternion<double>{x[6], x[3], x[4], x[5]})),
                {x[0] * radius, x[1] * radius, x[2] * radius}};
  }
  return poses;
}

// Seen from the ground, every body stands where the robot's kinematics has it, however the film is turned.
TEST(Film, BodiesStandWhereTheyAre) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    const Model model = all_joints(seed);
    const Record record = wave(model, 3);
    const test::Json film = YAML::Load(film_of(model, record).json);
    const std::size_t bodies = model.bodies().size();
    const std::vector<Pose<double>> poses = first_frame(film, bodies);
    const double digit = 4 * film["radius"].as<double>() / whole;
    const Mechanism mechanism(model.robot());
    Dynamics robot(mechanism);
    for (std::size_t b = 1; b < bodies; ++b) {
      const Pose<double> found = inverse(poses[0]) * poses[b], expected = robot.pose(record.q[0], int(b));
      EXPECT_NEAR(norm(found.r - expected.r), 0, digit) << "seed " << seed << ", body " << b;
      EXPECT_NEAR(norm(column_x(found.R) - column_x(expected.R)), 0, 1e-3) << "seed " << seed << ", body " << b;
      EXPECT_NEAR(norm(column_y(found.R) - column_y(expected.R)), 0, 1e-3) << "seed " << seed << ", body " << b;
    }
  }
}

// The axis of a degree of freedom is that about which, or along which, the body moves with it alone.
TEST(Film, AxesAreThoseOfTheMotion) {
  for (const unsigned seed : {1u, 2u, 3u, 4u, 5u}) {
    const Model model = all_joints(seed);
    const Record record = wave(model, 3);
    const test::Json axes = YAML::Load(film_of(model, record).json)["axes"];
    ASSERT_EQ(int(axes.size()), model.nv());
    const Mechanism mechanism(model.robot());
    Dynamics robot(mechanism);
    const std::vector<double>& q = record.q[0];
    for (int k = 0; k < model.nv(); ++k) {
      const test::Json& axis = axes[std::size_t(k)];
      const int moved = model.body_of_dof(k), at_body = axis[0].as<int>();
      const Vec3<double> at = vector(axis[1]), along = robot.pose(q, axis[2].as<int>()).R * vector(axis[3]);
      ASSERT_EQ(at_body, moved);
      std::vector<double> v(std::size_t(model.nv()));
      v[std::size_t(k)] = 1;
      const Twist<double> twist = robot.twist(q, v, moved, at);
      const bool turns = axis[4].as<int>() == 1;
      const Vec3<double>& with = turns ? twist.w : twist.v;
      EXPECT_NEAR(norm(with), 1, 1e-5) << "seed " << seed << ", dof " << k;
      EXPECT_NEAR(norm(with - along), 0, 1e-5) << "seed " << seed << ", dof " << k;
      if (turns)  // a screw goes along its axis besides
        EXPECT_NEAR(norm(cross(twist.v, along)), 0, 1e-5) << "seed " << seed << ", dof " << k;
      else
        EXPECT_EQ(norm(twist.w), 0) << "seed " << seed << ", dof " << k;
    }
  }
}

// Forces of drives are parts of the largest of their kind: those that turn by themselves, those that slide by themselves.
TEST(Film, DrivesAreThoseOfTheRun) {
  const Model model = all_joints(1);
  Record record = wave(model, 3);
  for (auto& row : record.tau)
    for (std::size_t k = 0; k < row.size(); ++k) row[k] *= 1e3 * double(k + 1);  // beyond what rounding explains
  const test::Json film = YAML::Load(film_of(model, record).json), drives = film["drives"];
  ASSERT_TRUE(drives.IsMap());
  const std::vector<std::int16_t> values = parts(drives["values"].as<std::string>());
  const std::size_t n = record.tau[0].size();
  ASSERT_EQ(values.size(), 3 * n);
  std::array<double, 2> peaks{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < n; ++k) {
      const bool turns = film["axes"][k][4].as<int>() == 1;
      const double peak = drives[turns ? "angular" : "linear"].as<double>(), tau = record.tau[i][k];
      EXPECT_NEAR(values[i * n + k] / whole * peak, tau, peak / whole) << "sample " << i << ", dof " << k;
      peaks[turns] = std::max(peaks[turns], std::abs(tau));
    }
  EXPECT_NEAR(drives["angular"].as<double>(), peaks[1], 1e-5 * peaks[1]);
  EXPECT_NEAR(drives["linear"].as<double>(), peaks[0], 1e-5 * peaks[0]);
}

// Mass centres, and where joints are: in the bodies' own frames.
TEST(Film, HasMassesAndPivots) {
  const Model model = all_joints(2);
  const test::Json film = YAML::Load(film_of(model, wave(model, 3)).json);
  for (std::size_t b = 1; b < model.bodies().size(); ++b) {
    const Body& body = model.robot().bodies[b];
    const test::Json& centre = film["centres"][b];
    EXPECT_NEAR(centre[0].as<double>(), body.inertial.mass, 1e-5 * body.inertial.mass);
    const Vec3<double> com{centre[1].as<double>(), centre[2].as<double>(), centre[3].as<double>()};
    EXPECT_NEAR(norm(com - body.inertial.com), 0, 1e-5);
    EXPECT_EQ(film["parents"][b].as<int>(), body.parent);
    // the joint's frame, seen from the body: own_frame leads from the joint to the body
    EXPECT_NEAR(norm(body.own_frame.r + body.own_frame.R * vector(film["pivots"][b])), 0, 1e-5);
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::figures
