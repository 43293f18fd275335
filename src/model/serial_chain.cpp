#include "denoc/model/serial_chain.hpp"

#include <cmath>
#include <random>

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

// mass (|d|^2 E - d d^T)
Sym3<double> point_inertia(double mass, const Vec3<double>& d) {
  const double s = dot(d, d);
  return {mass * (s - d.x * d.x), -mass * d.x * d.y, mass * (s - d.y * d.y),
          -mass * d.x * d.z,      -mass * d.y * d.z, mass * (s - d.z * d.z)};
}

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

// |b| along the joint axis, then |a| along the common normal; in the frame at the far end.
Inertial bent_rod(double mass, double a, double b) {
  const double mass_b = mass * std::abs(b) / (std::abs(a) + std::abs(b)), mass_a = mass - mass_b;
  const double square_a = mass_a * a * a / 12, square_b = mass_b * b * b / 12;
  const Vec3<double> middle_a{a / 2, 0, b}, middle_b{0, 0, b / 2};
  const Vec3<double> com = (middle_a * mass_a + middle_b * mass_b) * (1 / mass);
  const Sym3<double> inertia = Sym3<double>{square_b, 0, square_a + square_b, 0, 0, square_a} +
                               point_inertia(mass_a, middle_a - com) + point_inertia(mass_b, middle_b - com);
  Inertial rod;
  rod.mass = mass;
  rod.com = com;
  rod.inertia = inertia;
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
    body.inertial = links == ChainLinks::rods ? bent_rod(numbers.between(1, 5), a, b) : general_link(numbers);
    robot.bodies.push_back(std::move(body));
  }
  return robot;
}

}  // namespace denoc
