// Robots as YAML that nothing is doubted of, and what mechanics says of each at a random state: I is symmetric,
// v . I v / 2 is the kinetic energy, and the accelerations that forces give need these forces again. Whatever cannot be
// computed says so by an exception of denoc's: numbers that are not finite are none.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "denoc/io/load.hpp"
#include "denoc/mechanism/dynamics.hpp"
#include "denoc/model/quaternions.hpp"
#include "target.hpp"

namespace denoc::fuzz {
namespace {

constexpr int most_bodies = 20;

double largest(std::span<const double> x) {
  double most = 0;
  for (const double each : x) most = std::max(most, std::abs(each));
  return most;
}

class State {
 public:
  explicit State(const Robot& robot, std::size_t seed) : random_(seed), q_(neutral_posture(robot)) {
    for (double& x : q_) x = number();
    for (const QuaternionPlace& place : quaternions_of(robot)) {
      double* const x = q_.data() + place.first;
      x[0] += 2;  // away from zero
      const double length = std::hypot(std::hypot(x[0], x[1]), std::hypot(x[2], x[3]));
      std::for_each(x, x + 4, [&](double& each) { each /= length; });
    }
  }
  const std::vector<double>& q() const { return q_; }
  std::vector<double> vector(int size) {
    std::vector<double> x(static_cast<std::size_t>(size));
    for (double& each : x) each = number();
    return x;
  }

 private:
  double number() { return std::uniform_real_distribution(-1.0, 1.0)(random_); }
  std::mt19937_64 random_;
  std::vector<double> q_;
};

// What the terms of a force are no larger than, for accelerations of size 1: all the mass at the end of all lengths,
// and all moments of inertia.
double inertia_size(const Robot& robot) {
  double mass = 0, reach = 1, moments = 0;
  for (const Body& body : robot.bodies) {
    const Inertial& i = body.inertial;
    mass += i.mass;
    reach += norm(body.joint_frame.r) + norm(body.own_frame.r) + norm(i.com) + 2 + std::abs(body.joint.pitch);
    for (const Sym3<double>& s : {i.inertia, i.hub})
      for (const double x : {s.xx, s.xy, s.yy, s.xz, s.yz, s.zz}) moments += std::abs(x);
    const Actuator& drive = body.joint.actuator;
    moments += body.joint.armature + drive.gear * drive.gear * drive.rotor_inertia;
  }
  return mass * reach * reach + moments;
}

void check_laws(const Mechanism& robot, std::size_t seed, const std::string& input) {
  State state(robot.robot(), seed);
  const int n = robot.nv();
  const std::vector<double> v = state.vector(n), tau = state.vector(n);
  Dynamics d(robot, Forces::none, Loops::open);
  const MatrixView I = d.inertia(state.q());
  const double size = inertia_size(robot.robot()), gravity = norm(robot.robot().gravity);
  if (!(size < 1e100 && gravity < 1e100)) return;  // products of these may overflow
  // A few roundings of each term in each of the n bodies that it passes.
  const double rounding = 64.0 * (n + 1) * std::numeric_limits<double>::epsilon();
  double twice = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      require(std::abs(I(i, j) - I(j, i)) <= rounding * size, "I is not symmetric, or not finite", input);
      twice += v[size_t(i)] * I(i, j) * v[size_t(j)];
    }
  }
  require(std::abs(d.energy(state.q(), v).kinetic - twice / 2) <= rounding * size * n * n, "kinetic energy", input);
  const std::span<const double> a = d.forward(state.q(), v, tau);  // or it is singular, which is thrown
  const double rates = n * largest(a) + double(n) * n + gravity;
  if (!(rates < 1e100)) return;
  const std::span<const double> again = d.inverse(state.q(), v, std::vector<double>(a.begin(), a.end()));
  for (std::size_t i = 0; i < tau.size(); ++i)
    require(std::abs(again[i] - tau[i]) <= rounding * (size * rates + 1), "forces of the accelerations", input);
}

// Loops closed as the file draws them, or refused; the accelerations are numbers.
void close_loops(const Mechanism& robot, const std::string& input) {
  Dynamics d(robot);
  const std::vector<double> q = neutral_posture(robot.robot()), none(static_cast<std::size_t>(robot.nv()), 0);
  for (const double x : d.forward(q, none, none)) require(std::isfinite(x), "an acceleration is no number", input);
}

}  // namespace

void feed(const std::string& input) {
  const Document document = read_robot_text(input, "robot.yaml", {.strict = true});
  if (!document.faults.empty() || document.robot.bodies.size() > most_bodies) return;
  const Mechanism robot(document.robot);
  check_laws(robot, std::hash<std::string>()(input), input);
  if (!document.robot.loops.empty()) close_loops(robot, input);
}

}  // namespace denoc::fuzz
