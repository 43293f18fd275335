// phi, J and J'v of every type of loop are derivatives of each other, and so are those of the rows that close loops from
// far away: dual numbers along a motion say so exactly.
#include "denoc/loops/closure.hpp"

#include <gtest/gtest.h>

#include "support/random_loops.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

using D = Dual<double>;

template <class T> struct Rows {
  std::vector<ClosureValue<T>> values;
  Configuration<T> at;
  LoopKinematics<T> kin;
  Rows(const Model& model, const std::vector<ClosureRow>& rows, const std::vector<T>& q, const std::vector<T>& v)
      : at(model), kin(model) {
    place<T>(model, q, at);
    kin.move(model, at, v);
    for (const ClosureRow& row : rows) values.push_back(closure_value<T>(model, kin.frames(row.loop), q, v, row));
  }
};

// q + e v, e^2 = 0
std::vector<D> moving(const Model& model, const std::vector<double>& q, const std::vector<double>& v) {
  std::vector<D> start(q.begin(), q.end()), step(v.size()), result(q.size());
  for (std::size_t k = 0; k < v.size(); ++k) step[k] = D(0.0, v[k]);
  integrate<D>(model, start, step, result);
  return result;
}

void expect_derivatives(const Model& model, const std::vector<ClosureRow>& rows, Random& random) {
  const std::vector<double> q = random_q<double>(random, model), v = random_vector<double>(random, model.nv(), 2);
  const Rows<double> here(model, rows, q, v);
  const std::vector<D> along = moving(model, q, v);
  const Rows<D> moved(model, rows, along, std::vector<D>(v.begin(), v.end()));
  // Every term is a product of lengths, cosines and rates over at most `bodies` bodies, each of a few units: q to 2 m,
  // frames to 1 m, rates to 2, twice multiplied; a distance divides by its length.
  const double bodies = double(model.robot().bodies.size()), size = 4 * bodies, speed = 8 * bodies;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    SCOPED_TRACE(std::string(name_of(model.robot().loops[std::size_t(rows[i].loop)].type)) + ", row " +
                 std::to_string(i));
    const double eps = 1e-15 * size, tolerance = 20 * eps * speed;
    EXPECT_NEAR(here.values[i].rate, moved.values[i].residual.d, tolerance);
    EXPECT_NEAR(here.values[i].bias, moved.values[i].rate.d, tolerance * speed);
    std::vector<double> gradient(v.size());
    const Loop& loop = model.robot().loops[std::size_t(rows[i].loop)];
    closure_gradient<double>(model, here.at, here.kin.frames(rows[i].loop), path_of(model, loop), rows[i],
                             here.values[i], gradient);
    double rate = 0;
    for (std::size_t k = 0; k < v.size(); ++k) rate += gradient[k] * v[k];
    EXPECT_NEAR(rate, here.values[i].rate, tolerance);
  }
}

TEST(Closure, EveryTypeHasItsRows) {
  Random random(3);
  Robot robot = random_robot(random, {.bodies = 3, .types = {JointType::revolute}});
  for (const LoopShape& shape : loop_shapes) {
    robot.loops = {random_loop(random, shape.type, 1, 3)};
    EXPECT_EQ(int(closure_rows(robot).size()), rows_of(shape.type)) << shape.name;
    EXPECT_EQ(loop_type(shape.name), shape.type);
  }
  EXPECT_FALSE(loop_type("hinge"));
}

TEST(Closure, RatesAndAccelerationsAreDerivatives) {
  Random random(7);
  for (int trial = 0; trial < 30; ++trial) {
    Robot robot = random_robot(random, {.bodies = 2 + random.below(6), .types = moving_joints()});
    const int bodies = int(robot.bodies.size());
    for (const LoopType type : geometric_loops()) {
      const int a = random.below(bodies), b = (a + 1 + random.below(bodies - 1)) % bodies;
      robot.loops.push_back(random_loop(random, type, a, b));
    }
    expect_derivatives(Model(robot), closure_rows(robot), random);
    expect_derivatives(Model(robot), assembly_rows(robot), random);
  }
}

TEST(Closure, CouplingsAreDerivatives) {
  Random random(11);
  for (int trial = 0; trial < 20; ++trial) {
    Robot robot = random_robot(random, {.bodies = 4, .types = {JointType::revolute}});
    robot.bodies[2].joint.type = robot.bodies[4].joint.type = JointType::prismatic;
    for (const LoopType type : couplings()) {
      const bool slides = type == LoopType::rolling || type == LoopType::eccentric_cam;
      robot.loops.push_back(random_loop(random, type, 1, slides ? 2 : 3));
    }
    expect_derivatives(Model(robot), closure_rows(robot), random);
  }
}

// The centre of an eccentric disc turns about its pivot; the follower's roller stays at `radius` from it, straight
// above.
TEST(Closure, AnEccentricCamIsAnOffsetCircle) {
  Robot robot;
  for (const JointType type : {JointType::revolute, JointType::prismatic}) {
    Body body;
    body.name = std::string(name_of(type));
    body.joint.type = type;
    robot.bodies.push_back(body);
  }
  Loop cam;
  cam.type = LoopType::eccentric_cam;
  cam.a.body = 1;
  cam.b.body = 2;
  cam.eccentricity = 0.02;
  cam.radius = 0.05;
  cam.phase = 0.4;
  for (const double radius : {0.05, 0.0}) {
    cam.radius = radius;
    robot.loops = {cam};
    const Model model(robot);
    for (const double angle : {0.0, 0.7, 2.5, -1.9}) {
      const double x = angle + cam.phase, across = 0.02 * std::sin(x), up = 0.02 * std::cos(x);
      const double lift = radius == 0 ? up : up + std::sqrt(radius * radius - across * across);
      EXPECT_NEAR(Rows<double>(model, closure_rows(model.robot()), {angle, lift}, {0, 0}).values[0].residual, 0, 1e-17);
    }
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
