// Robots and states at random: trees of any size with any joint types, for laws that must hold for all of them.
#pragma once
#include <random>

#include "denoc/model/manifold.hpp"

namespace denoc::test {

struct RandomRobot {
  int bodies = 5;
  std::vector<JointType> types = all_types();
  bool chain = false;            // serial instead of a random tree
  bool free_root = false;        // the first body floats, and all others hang on it
  bool nearly_parallel = false;  // joint axes that differ by as little as 1e-9
  bool distant_frames = false;   // bodies' own frames metres away from them
  bool rotors = true;            // now and then drives have rotors

  static std::vector<JointType> all_types() {
    return {JointType::revolute,  JointType::continuous,  JointType::prismatic, JointType::helical,
            JointType::universal, JointType::cylindrical, JointType::planar,    JointType::spherical,
            JointType::free,      JointType::fixed};
  }
};

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double uniform(double low, double high) { return std::uniform_real_distribution<>(low, high)(engine_); }
  int below(int n) { return std::uniform_int_distribution<>(0, n - 1)(engine_); }
  Vec3<double> vector(double size) { return {uniform(-size, size), uniform(-size, size), uniform(-size, size)}; }
  Vec3<double> direction() {
    for (;;) {
      const Vec3<double> v = vector(1);
      const double s = norm(v);
      if (s > 0.1 && s < 1) return v * (1 / s);
    }
  }
  Quaternion<double> attitude() {
    for (;;) {
      const Quaternion<double> q{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
      const double s = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
      if (s > 0.01 && s < 1) return unit(q);
    }
  }
  // A body of a few point masses: its inertia is physical by construction.
  Inertial inertial() {
    Inertial result;
    const double half_axes[] = {uniform(0.05, 0.3), uniform(0.05, 0.3), uniform(0.05, 0.3)};
    result.mass = uniform(0.3, 3);
    result.com = vector(0.3);
    const Mat3<double> R = rotation(attitude());
    const double k = result.mass / 5;
    const double x = half_axes[0] * half_axes[0], y = half_axes[1] * half_axes[1], z = half_axes[2] * half_axes[2];
    result.inertia = turn(R, Sym3<double>{k * (y + z), 0.0, k * (x + z), 0.0, 0.0, k * (x + y)});
    return result;
  }

 private:
  std::mt19937 engine_;
};

inline Robot random_robot(Random& random, const RandomRobot& wanted) {
  Robot robot;
  robot.name = "random";
  robot.gravity = random.vector(10);
  const double right = 1.5707963267948966;
  for (int b = 1; b <= wanted.bodies; ++b) {
    Body body;
    body.name = "body" + std::to_string(b);
    const int first = wanted.free_root ? 1 : 0;
    body.parent = b == 1 ? 0 : wanted.chain ? b - 1 : first + random.below(b - first);
    // DH-like frames now and then: right and zero angles, zero offsets
    const double angles[] = {0, right, -right, 2 * right, 1.5708, random.uniform(-3, 3)};
    switch (random.below(4)) {
      case 0:
        body.joint_frame.R = rotation(random.attitude());
        break;
      case 1:
        break;
      default: {
        const double alpha = wanted.nearly_parallel ? random.uniform(-1e-8, 1e-8) : angles[random.below(6)];
        const double c = std::cos(alpha), s = std::sin(alpha);
        body.joint_frame.R = {1, 0, 0, c, 0, s, 0, -s, c};
      }
    }
    body.joint_frame.r = random.below(4) == 0 ? Vec3<double>{random.uniform(-0.5, 0.5), 0, 0} : random.vector(0.5);
    body.joint.type =
        b == 1 && wanted.free_root ? JointType::free : wanted.types[random.below(int(wanted.types.size()))];
    body.joint.axis = random.below(2) == 0 ? Vec3<double>{0, 0, 1} : random.direction();
    do body.joint.axis2 = random.direction();
    while (norm(cross(body.joint.axis, body.joint.axis2)) < 0.3);
    body.joint.pitch = random.uniform(-0.3, 0.3);
    if (random.below(3) == 0) body.own_frame = {rotation(random.attitude()), random.vector(0.3)};
    body.inertial = random.inertial();
    if (wanted.distant_frames) {
      const Vec3<double> away = random.vector(5);
      body.own_frame.r += body.own_frame.R * away;
      body.inertial.com += -away;
    }
    robot.bodies.push_back(body);
  }
  // Numbers of their own: the robot and what comes after it are the same with rotors and without.
  Random drives = random;
  if (!wanted.rotors || drives.below(3) != 0) return robot;
  for (Body& body : robot.bodies) {
    Joint& joint = body.joint;
    if (joint.type == JointType::fixed || joint.type == JointType::free || drives.below(2) == 0) continue;
    if (degrees_of_freedom(joint.type) == 1)
      joint.actuator = {.gear = drives.uniform(-20, 20), .rotor_inertia = drives.uniform(1e-4, 1e-2)};
    else
      joint.armature = drives.uniform(0.01, 2);
  }
  return robot;
}

template <class R> std::vector<R> random_q(Random& random, const BasicModel<R>& model) {
  std::vector<R> q(model.nq());
  for (R& x : q) x = R(random.uniform(-2, 2));
  for (const auto& link : model.links().subspan(1)) {
    const bool free = link.joint == Elementary::free;
    if (!free && link.joint != Elementary::spherical) continue;
    const Quaternion<double> u = random.attitude();
    R* x = &q[link.q + (free ? 3 : 0)];
    x[0] = R(u.w), x[1] = R(u.x), x[2] = R(u.y), x[3] = R(u.z);
  }
  normalise<R>(model, q);
  return q;
}
template <class R> std::vector<R> random_vector(Random& random, int n, double size = 1) {
  std::vector<R> x(n);
  for (R& e : x) e = R(random.uniform(-size, size));
  return x;
}
template <class T, class R> std::vector<T> as(const std::vector<R>& x) { return std::vector<T>(x.begin(), x.end()); }

}  // namespace denoc::test
