#include "three_axes.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "denoc/model/manifold.hpp"
#include "least_squares.hpp"

namespace denoc::kinematics {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();
// What is smaller than this part of the whole is taken for zero in the closed form: Newton's step makes up for it.
const double small = std::sqrt(eps);

// c0 + c1 cos + c2 sin
struct Affine {
  double c0, c1, c2;
  double at(double angle) const { return c0 + c1 * std::cos(angle) + c2 * std::sin(angle); }
  // The same function of the angle less `by`.
  Affine from(double by) const {
    const double c = std::cos(by), s = std::sin(by);
    return {c0, c1 * c + c2 * s, c2 * c - c1 * s};
  }
};
Affine operator-(double a, const Affine& b) { return {a - b.c0, -b.c1, -b.c2}; }
Affine operator*(double s, const Affine& a) { return {s * a.c0, s * a.c1, s * a.c2}; }

// Polynomials in t = tan(angle / 2), multiplied by (1 + t^2) or its square: coefficients of 1, t, t^2, ...
using Quartic = std::array<double, 5>;
std::array<double, 3> by_half_angle(const Affine& a) { return {a.c0 + a.c1, 2 * a.c2, a.c0 - a.c1}; }
Quartic product(const Affine& a, const Affine& b) {
  const auto p = by_half_angle(a), q = by_half_angle(b);
  Quartic r{};
  for (size_t i = 0; i < 3; ++i)
    for (size_t j = 0; j < 3; ++j) r[i + j] += p[i] * q[j];
  return r;
}
void add(double s, const Quartic& p, Quartic& sum) {
  for (size_t i = 0; i < p.size(); ++i) sum[i] += s * p[i];
}

// The angles where a = 0; where it has no zero, the one that comes nearest.
std::vector<double> zeros(const Affine& a) {
  const double middle = std::atan2(a.c2, a.c1), size = std::hypot(a.c1, a.c2);
  const double away = std::acos(std::clamp(size > 0 ? -a.c0 / size : 0, -1.0, 1.0));
  return {middle - away, middle + away};
}
// The value of a polynomial, or of that with the absolute coefficients: what the value rounds by.
template <class T> T horner(const Quartic& p, const T& t) {
  return (((p[4] * t + p[3]) * t + p[2]) * t + p[1]) * t + p[0];
}
// The roots of a quartic, all at once: each steps as Newton's method would if the others were where they stand, until
// its value is rounding: four complex products and sums, some 2 eps each.                          [Weierstrass]
std::array<std::complex<double>, 4> roots(const Quartic& p) {
  Quartic absolute = p;
  for (double& c : absolute) c = std::abs(c);
  std::array<std::complex<double>, 4> z;
  for (size_t i = 0; i < 4; ++i) z[i] = std::pow(std::complex(0.4, 0.9), int(i));
  bool moved = true;
  for (int step = 0; step < 100 && moved; ++step) {
    moved = false;
    for (std::complex<double>& root : z) {
      const std::complex<double> value = horner(p, root);
      if (std::abs(value) <= 16 * eps * horner(absolute, std::abs(root))) continue;
      std::complex<double> slope = p[4];
      for (const std::complex<double>& other : z)
        if (&other != &root) slope *= root - other;
      root -= value / slope;
      moved = true;
    }
  }
  return z;
}
// The angles where the function behind `by_half_angles`, a quartic in tan((angle - start) / 2) for any start, is zero.
// Its coefficient of t^4 is the function at start + pi: of five starts one is well away from all its zeros.
template <class F> std::vector<double> zeros(const F& by_half_angles) {
  double start = 0;
  Quartic p{};
  for (int k = 0; k < 5; ++k) {
    const double angle = 2 * std::numbers::pi * k / 5;
    if (const Quartic other = by_half_angles(angle); std::abs(other[4]) > std::abs(p[4])) p = other, start = angle;
  }
  std::vector<double> angles;
  for (const std::complex<double>& t : roots(p)) angles.push_back(start + 2 * std::atan(t.real()));
  return angles;
}

// How far turn_1 turn_2 turn_3 point is from the goal, brought to rounding by Newton's method.
struct Refinement {
  const std::array<Line, 3>& axes;
  const Vec3<double>&point, &goal;
  double tolerance;

  bool operator()(std::array<double, 3>& angles) const {
    for (int step = 0; step < 12; ++step) {
      Eigen::MatrixXd J(3, 3);
      Pose<double> outer;
      std::array<Line, 3> now;
      for (size_t i = 0; i < 3; ++i) {
        now[i] = {outer.r + outer.R * axes[i].point, outer.R * axes[i].direction};
        outer = outer * turn_about(axes[i], angles[i]);
      }
      const Vec3<double> reached = outer.r + outer.R * point, miss = goal - reached;
      if (norm(miss) <= tolerance) return true;
      for (int i = 0; i < 3; ++i) {
        const Vec3<double> column = cross(now[size_t(i)].direction, reached - now[size_t(i)].point);
        J.col(i) << column.x, column.y, column.z;
      }
      const Eigen::VectorXd d = least_squares(J, Eigen::Vector3d(miss.x, miss.y, miss.z));
      for (size_t i = 0; i < 3; ++i) angles[i] += d[int(i)];
    }
    return false;
  }
};

}  // namespace

Pose<double> turn_about(const Line& axis, double angle) {
  const Mat3<double> R = rotation(detail::exponential(axis.direction * angle));
  return {R, axis.point - R * axis.point};
}

double angle_about(const Line& axis, const Vec3<double>& from, const Vec3<double>& to) {
  const Vec3<double> a = cross(axis.direction, from - axis.point), b = cross(axis.direction, to - axis.point);
  return std::atan2(dot(axis.direction, cross(a, b)), dot(a, b));
}

CommonNormal common_normal(const Line& first, const Line& second) {
  const Vec3<double> u = first.direction, v = second.direction, across = cross(u, v),
                     apart = second.point - first.point;
  const double sine = norm(across);
  if (sine < small) {
    const Vec3<double> normal = apart - u * dot(u, apart);
    const double length = norm(normal);
    return {first.point, first.point + normal, length > 0 ? normal * (1 / length) : zero3<double>, length};
  }
  // first + s u and second + t v differ by a multiple of u x v
  const double s = dot(cross(apart, v), across) / (sine * sine), t = dot(cross(apart, u), across) / (sine * sine);
  const Vec3<double> a = first.point + u * s, b = second.point + v * t;
  const Vec3<double> direction = across * (1 / sine);
  const double length = dot(b - a, direction);
  return {a, b, length < 0 ? -direction : direction, std::abs(length)};
}

// Let y = turn_2 turn_3 point, seen from the foot O2 of the common normal n (length a) of the axes 1 and 2, with
// m = u2 x n: y - O2 = X n + Y m + h u2. Neither h = u2 . (p - O2) nor k = |p - O2|^2, p = turn_3 point, knows joint 2;
// joint 1 changes neither z = u1 . (goal - O1) nor |goal - O1|^2 = a^2 + K. So, with u1 = c u2 + s m,
//   2 a X = K - k,   s Y = z - c h,   X^2 + Y^2 = k - h^2,
// where h and k are affine in the cosine and sine of joint 3. Without X and Y that is a quartic in tan(theta_3 / 2); it
// falls apart where the axes meet (a = 0: k = K) or are parallel (s = 0: c h = z).
std::vector<std::array<double, 3>> angles_to(const std::array<Line, 3>& axes, const Vec3<double>& point,
                                             const Vec3<double>& goal, double size) {
  const CommonNormal normal = common_normal(axes[0], axes[1]);
  const Vec3<double> u1 = axes[0].direction, u2 = axes[1].direction, n = normal.direction, m = cross(u2, n);
  const double a = normal.length, c = dot(u1, u2), s = dot(u1, m);
  const double z = dot(u1, goal - normal.first), K = dot(goal - normal.first, goal - normal.first) - a * a;

  // p - O2 = centre + x cos + y sin
  const Vec3<double> u3 = axes[2].direction, arm = point - axes[2].point, x = arm - u3 * dot(u3, arm), y = cross(u3, x);
  const Vec3<double> centre = axes[2].point + u3 * dot(u3, arm) - normal.second;
  const Affine h{dot(u2, centre), dot(u2, x), dot(u2, y)};
  const Affine k{dot(centre, centre) + dot(x, x), 2 * dot(centre, x), 2 * dot(centre, y)};
  const Affine one{1, 0, 0}, kept = K - k, risen = z - c * h;

  std::vector<double> thirds;
  if (a < small * size) {
    thirds = zeros(kept);
  } else if (std::abs(s) < small) {
    thirds = zeros(risen);
  } else {  // s^2 (K - k)^2 + 4 a^2 (z - c h)^2 = 4 a^2 s^2 (k - h^2)
    thirds = zeros([&](double start) {
      Quartic sum{};
      add(s * s, product(kept.from(start), kept.from(start)), sum);
      add(4 * a * a, product(risen.from(start), risen.from(start)), sum);
      add(-4 * a * a * s * s, product(k.from(start), one), sum);
      add(4 * a * a * s * s, product(h.from(start), h.from(start)), sum);
      return sum;
    });
  }

  // Each zero, with both signs of the coordinate that is left, is where Newton begins; what does not settle is no
  // posture.
  const Refinement refine{axes, point, goal, 16 * eps * size};
  std::vector<std::array<double, 3>> all;
  for (const double third : thirds) {
    const double around = std::max(k.at(third) - h.at(third) * h.at(third), 0.0);
    const bool by_height = std::abs(s) * size > a;
    const double known = by_height ? risen.at(third) / s : kept.at(third) / (2 * a);
    const double other = std::sqrt(std::max(around - known * known, 0.0));
    for (const double sign : {-1.0, 1.0}) {
      const double X = by_height ? sign * other : known, Y = by_height ? known : sign * other;
      const Pose<double> turned = turn_about(axes[2], third);
      const Vec3<double> p = turned.r + turned.R * point, q = normal.second + n * X + m * Y + u2 * h.at(third);
      const double second = angle_about(axes[1], p, q), first = angle_about(axes[0], q, goal);
      std::array<double, 3> angles{first, second, third};
      if (refine(angles)) all.push_back(angles);
    }
  }
  return all;
}

// u1 . R u3 knows joint 2 only; then joint 1 turns u3 to its place, and joint 3 does what is left. Joint 2 turns u3 by
// `away` from where it is nearest to u1, and |u1 - R u3|^2 less the least of it is to |u1 + R u3|^2 less the least of
// that as the squares of the sine and cosine of away / 2: chords keep the digits that a cosine near 1 has lost.
std::array<std::array<double, 3>, 2> angles_to(const std::array<Vec3<double>, 3>& axes, const Mat3<double>& R) {
  const auto& [u1, u2, u3] = axes;
  const auto turn = [](const Vec3<double>& axis, double angle) { return turn_about({zero3<double>, axis}, angle).R; };
  const auto beyond = [](const Vec3<double>& chord, const Vec3<double>& least) {
    return std::sqrt(std::max(dot(chord, chord) - dot(least, least), 0.0));
  };
  const Vec3<double> goal = R * u3;
  const double nearest = angle_about({zero3<double>, u2}, u3, u1);
  const double away = 2 * std::atan2(beyond(u1 - goal, u1 - turn(u2, nearest) * u3),
                                     beyond(u1 + goal, u1 + turn(u2, nearest + std::numbers::pi) * u3));
  const std::array<double, 2> seconds = {nearest - away, nearest + away};
  std::array<std::array<double, 3>, 2> both{};
  for (size_t i = 0; i < 2; ++i) {
    const Mat3<double> inner = turn(u2, seconds[i]);
    const double first = angle_about({zero3<double>, u1}, inner * u3, goal);
    const Mat3<double> left = transposed(turn(u1, first) * inner) * R;
    both[i] = {first, seconds[i], angle_about({zero3<double>, u3}, u2, left * u2)};
  }
  return both;
}

}  // namespace denoc::kinematics
