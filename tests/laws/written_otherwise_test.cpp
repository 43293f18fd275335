// A mechanism is its bodies and joints, in the world. Which joints are the tree and which close loops, which body comes
// first, in what frames bodies are written and how the world lies is a matter of writing: nothing moves otherwise for it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "denoc/mechanism/dynamics.hpp"
#include "support/build.hpp"
#include "support/random_robot.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

struct Hinge {
  int a, b;  // bodies; 0 is the ground
  Vec3<double> at, axis;
};
struct Linkage {
  std::vector<Vec3<double>> centre;  // of bodies 1, 2, ...
  std::vector<Hinge> hinges;
};

// A ring of bodies, the ground among them, and bodies across it; axes all one, all through a point, or any.
enum class Axes { parallel, through_a_point, any };
Linkage ring(Random& random, Axes axes, int bodies) {
  Linkage m;
  const auto point = [&] { return random.vector(0.5); };
  const Vec3<double> common{0, 0, 1};
  const auto hinge = [&](int a, int b) {
    Vec3<double> at = point(), axis = random.direction();
    if (axes == Axes::parallel) axis = common, at.z = 0;
    if (axes == Axes::through_a_point) axis = at * (1 / norm(at));
    m.hinges.push_back({a, b, at, axis});
  };
  for (int b = 1; b <= bodies; ++b) m.centre.push_back(point());
  for (int b = 0; b <= bodies; ++b) hinge(b, (b + 1) % (bodies + 1));
  return m;
}

struct Written {
  Robot robot;
  std::vector<std::pair<int, double>> dof;  // by hinge: its degree of freedom and sense; -1 where it closes a loop
};
Written write(Random& random, const Linkage& m, bool is_plain, const Mat3<double>& tilt) {
  const int bodies = int(m.centre.size());
  std::vector<int> order(m.hinges.size());
  std::iota(order.begin(), order.end(), 0);
  if (!is_plain)
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[std::size_t(random.below(int(i)))]);
  Written w;
  w.dof.assign(m.hinges.size(), {-1, 0});
  w.robot.gravity = tilt * Vec3<double>{3, -8, 5};
  // Of each body that is there: its number in the robot and its frame in the world.
  std::vector<int> number(std::size_t(bodies) + 1, -1);
  std::vector<Pose<double>> frame(std::size_t(bodies) + 1, Pose<double>{});
  number[0] = 0;
  for (bool is_more = true; is_more;) {
    is_more = false;
    for (const int h : order) {
      const Hinge& hinge = m.hinges[std::size_t(h)];
      if (w.dof[std::size_t(h)].first >= 0) continue;
      const bool has_a = number[std::size_t(hinge.a)] >= 0, has_b = number[std::size_t(hinge.b)] >= 0;
      if (has_a == has_b) continue;
      const int parent = has_a ? hinge.a : hinge.b, child = has_a ? hinge.b : hinge.a;
      const Pose<double> there{is_plain ? rotation(Quaternion<double>{1, 0, 0, 0}) : rotation(random.attitude()),
                               tilt * hinge.at};
      const Vec3<double> centre = tilt * m.centre[std::size_t(child) - 1];
      Body& body = add(w.robot, joint(JointType::revolute, back(there.R, tilt * hinge.axis)),
                       mass(child, back(there.R, centre - there.r), {0.1, 0, 0.1, 0, 0, 0.1}));
      body.parent = number[std::size_t(parent)];
      body.joint_frame = inverse(frame[std::size_t(parent)]) * there;
      number[std::size_t(child)] = int(w.robot.bodies.size()) - 1;
      frame[std::size_t(child)] = there;
      w.dof[std::size_t(h)] = {number[std::size_t(child)] - 1, has_a ? 1.0 : -1.0};
      is_more = true;
      break;
    }
  }
  for (std::size_t h = 0; h < m.hinges.size(); ++h) {
    if (w.dof[h].first >= 0) continue;
    const Hinge& hinge = m.hinges[h];
    const Pose<double> there{rotation(Quaternion<double>{1, 0, 0, 0}), tilt * hinge.at};
    Loop loop;
    loop.type = LoopType::revolute;
    loop.axis = tilt * hinge.axis;
    loop.a = {number[std::size_t(hinge.a)], inverse(frame[std::size_t(hinge.a)]) * there};
    loop.b = {number[std::size_t(hinge.b)], inverse(frame[std::size_t(hinge.b)]) * there};
    if (!is_plain && random.below(2) == 0) std::swap(loop.a, loop.b);
    w.robot.loops.push_back(loop);
  }
  return w;
}

// What falls falls the same: each joint that is in the tree of both.
TEST(WrittenOtherwise, MechanismsFallTheSame) {
  int compared = 0;
  for (const auto& [axes, bodies] : {std::pair(Axes::parallel, 3),
                                     {Axes::parallel, 5},
                                     {Axes::through_a_point, 3},
                                     {Axes::through_a_point, 4},
                                     {Axes::any, 6},
                                     {Axes::any, 8}})
    for (unsigned seed = 0; seed < 6; ++seed) {
      SCOPED_TRACE(testing::Message() << int(axes) << ", bodies " << bodies << ", seed " << seed);
      Random random(seed);
      const Linkage m = ring(random, axes, bodies);
      const Mat3<double> upright = rotation(Quaternion<double>{1, 0, 0, 0});
      const Written plain = write(random, m, true, upright);
      const Mechanism one(plain.robot);
      const std::vector<double> rest(std::size_t(one.nv()));
      Dynamics d(one);
      const auto falling = d.forward(rest, rest, rest);
      const std::vector<double> expected(falling.begin(), falling.end());
      double most = 1;
      for (const double a : expected) most = std::max(most, std::abs(a));
      for (int way = 0; way < 8; ++way) {
        const double tilt = std::vector<double>{0, 0, 1e-9, 1e-7, 1e-5, 1e-2, 0.7, M_PI / 2}[std::size_t(way)];
        const Mat3<double> R =
            rotation(Quaternion<double>{std::cos(tilt / 2), 0.6 * std::sin(tilt / 2), 0.8 * std::sin(tilt / 2), 0});
        const Written other = write(random, m, false, R);
        const Mechanism two(other.robot);
        Dynamics of_two(two);
        const auto found = of_two.forward(rest, rest, rest);
        for (std::size_t h = 0; h < m.hinges.size(); ++h) {
          const auto& [k, sense] = plain.dof[h];
          const auto& [l, other_sense] = other.dof[h];
          if (k < 0 || l < 0) continue;
          ++compared;
          EXPECT_NEAR(sense * expected[std::size_t(k)], other_sense * found[std::size_t(l)], 1e-7 * most)
              << "hinge " << h << ", way " << way;
        }
      }
    }
  EXPECT_GT(compared, 1000);
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
