#include "denoc/model/serial_chain.hpp"

#include <cmath>
#include <random>

#include "bent_rod.hpp"
#include "point_inertia.hpp"

namespace denoc {
namespace {

// The same numbers with every standard library: the engine is specified, the distributions are not.
class Numbers {
 public:
  double between(double low, double high) { return low + (high - low) * (double(engine_()) / double(engine_.max())); }
  Vec3<double> vector(double size) {
    const double x = between(-size, size), y = between(-size, size);
    return {x, y, between(-size, size)};
  }

 private:
  std::mt19937 engine_{20070101};
};

// A few point masses about their common centre: physical by construction.
Inertial general_link(Numbers& numbers) {
  constexpr int points = 4;
  Inertial link;
  link.mass = numbers.between(1, 5);
  link.com = numbers.vector(0.2);
  Vec3<double> last{0, 0, 0};
  for (int i = 0; i < points; ++i) {
    const Vec3<double> d = i + 1 < points ? numbers.vector(0.2) : -last;
    link.inertia += point_inertia(link.mass / points, d);
    last += d;
  }
  return link;
}

// In the frame at the joint.
Inertial rod_from_joint(double mass, const Vec3<double>& far_end) {
  Inertial rod = bent_rod(mass, {identity3<double>(), far_end}, 0);
  rod.com += far_end;
  return rod;
}

}  // namespace

Robot serial_chain(int n, ChainLinks links) {
  Numbers numbers;
  Robot robot;
  robot.name = std::string(links == ChainLinks::rods ? "serial-rods:" : "serial:") + std::to_string(n);
  robot.gravity = {3.1, -4.2, -8.3};
  Pose<double> far_end;
  for (int i = 1; i <= n; ++i) {
    Body body;
    body.name = "link" + std::to_string(i);
    body.parent = i - 1;
    body.joint.type = JointType::revolute;
    const double theta = numbers.between(-3, 3), alpha = numbers.between(0.4, 1.2);
    const double a = numbers.between(0.1, 0.5), b = numbers.between(0.1, 0.5);
    const double c = std::cos(alpha), s = std::sin(alpha), C = std::cos(theta), S = std::sin(theta);
    body.joint_frame = far_end * Pose<double>{{C, -S, S, C, 0, 0, 0, 0, 1}};
    far_end = {{1, 0, 0, c, 0, s, 0, -s, c}, {a, 0, b}};
    body.inertial =
        links == ChainLinks::rods ? rod_from_joint(numbers.between(1, 5), far_end.r) : general_link(numbers);
    robot.bodies.push_back(std::move(body));
  }
  return robot;
}

}  // namespace denoc
