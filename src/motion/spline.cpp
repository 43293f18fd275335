#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "checks.hpp"
#include "denoc/error.hpp"
#include "denoc/model/arguments.hpp"
#include "denoc/model/manifold.hpp"
#include "denoc/motion/joint_motion.hpp"
#include "kinematics/checks.hpp"

namespace denoc {
namespace {

using Points = std::vector<std::vector<double>>;
using Kind = SplineEnd::Kind;

// below v_{i-1} + on v_i + above v_{i+1} = right, of all coordinates
struct Equation {
  double below = 0, on = 1, above = 0;
  std::vector<double> right = {};
};

// The equations for the rates at the knots, with h_i = t_{i+1} - t_i and the slopes d_i between knots.
class Knots {
 public:
  Knots(const std::vector<double>& times, const Points& points) : times_(times), points_(points) {}

  // The acceleration is continuous:
  //   h_i v_{i-1} + 2 (h_{i-1} + h_i) v_i + h_{i-1} v_{i+1} = 3 (h_i d_{i-1} + h_{i-1} d_i)
  Equation inside(size_t i) const {
    Equation e{h(i), 2 * (h(i - 1) + h(i)), h(i - 1)};
    for (size_t k = 0; k < points_[i].size(); ++k)
      e.right.push_back(3 * (h(i) * slope(i - 1, k) + h(i - 1) * slope(i, k)));
    return e;
  }
  // With the next piece and the one after it, counted inwards from an end.
  //   natural: 2 v_0 + v_1 = 3 d_0
  //   not a knot: h_1 v_0 + (h_0 + h_1) v_1 = (h_1 (3 h_0 + 2 h_1) d_0 + h_0^2 d_1) / (h_0 + h_1), or with three
  //   points of which the other end says no more, one parabola: v_0 + v_1 = 2 d_0
  Equation at_end(const SplineEnd& end, const SplineEnd& other, bool is_last) const {
    const size_t n = points_[0].size(), last = times_.size() - 2, near = is_last ? last : 0,
                 far = is_last ? last - 1 : 1;
    Equation e;
    double& inward = is_last ? e.below : e.above;
    if (end.kind == Kind::rate) {
      e.right = end.rate.empty() ? std::vector<double>(n) : end.rate;
      return e;
    }
    const bool is_natural = end.kind == Kind::natural || times_.size() == 2;
    const bool is_parabola = !is_natural && times_.size() == 3 && other.kind == Kind::not_a_knot;
    const double h0 = h(near), h1 = is_natural ? 0 : h(far);
    e.on = is_natural ? 2 : is_parabola ? 1 : h1;
    inward = is_natural || is_parabola ? 1 : h0 + h1;
    for (size_t k = 0; k < n; ++k)
      e.right.push_back(is_natural ? 3 * slope(near, k)
                        : is_parabola
                            ? 2 * slope(near, k)
                            : (h1 * (3 * h0 + 2 * h1) * slope(near, k) + h0 * h0 * slope(far, k)) / (h0 + h1));
    return e;
  }

 private:
  double h(size_t i) const { return times_[i + 1] - times_[i]; }
  double slope(size_t i, size_t k) const { return (points_[i + 1][k] - points_[i][k]) / h(i); }

  const std::vector<double>& times_;
  const Points& points_;
};

// The rates at the knots: elimination forwards, then back. Its pivots are positive for all of the ends above.
Points rates_at_knots(const std::vector<double>& times, const Points& points, const SplineEnd& first,
                      const SplineEnd& last) {
  const Knots knots(times, points);
  const size_t end = times.size() - 1;
  Points v(times.size());
  std::vector<double> above(times.size());
  for (size_t i = 0; i <= end; ++i) {
    Equation e = i == 0     ? knots.at_end(first, last, false)
                 : i == end ? knots.at_end(last, first, true)
                            : knots.inside(i);
    const double pivot = i == 0 ? e.on : e.on - e.below * above[i - 1];
    above[i] = e.above / pivot;
    for (size_t k = 0; k < e.right.size(); ++k)
      e.right[k] = (e.right[k] - (i == 0 ? 0 : e.below * v[i - 1][k])) / pivot;
    v[i] = std::move(e.right);
  }
  for (size_t i = end; i-- > 0;)
    for (size_t k = 0; k < v[i].size(); ++k) v[i][k] -= above[i] * v[i + 1][k];
  return v;
}

// A coordinate that a spline moves, and its rate.
struct Plain {
  size_t q, v;
};
std::vector<Plain> plain_coordinates(const Model& model) {
  std::vector<Plain> all;
  detail::for_joints<double>(
      model,
      [&](int i, int k) {
        all.push_back({size_t(i), size_t(k)});
      },
      [](int, int) {}, [](int, int) {});
  return all;
}

class Spline final : public Trajectory {
 public:
  Spline(const Model& model, std::vector<double> times, const Points& postures, SplineEnd first, SplineEnd last)
      : plain_(plain_coordinates(model)), nv_(model.nv()), times_(std::move(times)), first_(postures[0]) {
    for (const std::vector<double>& q : postures) {
      std::vector<double>& point = points_.emplace_back();
      for (const Plain& p : plain_) point.push_back(q[p.q]);
    }
    for (SplineEnd* end : {&first, &last}) {
      if (end->rate.empty()) continue;
      std::vector<double> rate;
      for (const Plain& p : plain_) rate.push_back(end->rate[p.v]);
      end->rate = std::move(rate);
    }
    rates_ = rates_at_knots(times_, points_, first, last);
  }
  double duration() const override { return times_.back(); }
  std::vector<double> knots() const override { return {times_.begin() + 1, times_.end() - 1}; }
  void at(double t, std::span<double> q, std::span<double> v, std::span<double> a) const override {
    motion::require_sizes(int(first_.size()), nv_, q, v, a);
    const bool moves = t >= 0 && t <= duration();
    t = std::clamp(t, 0.0, duration());
    const size_t after = size_t(std::upper_bound(times_.begin() + 1, times_.end() - 1, t) - times_.begin());
    const double h = times_[after] - times_[after - 1], x = (t - times_[after - 1]) / h;
    std::copy(first_.begin(), first_.end(), q.begin());
    std::fill(v.begin(), v.end(), 0.0);
    std::fill(a.begin(), a.end(), 0.0);
    for (size_t k = 0; k < plain_.size(); ++k) {
      // Hermite: q = q0 + h x (v0 + x (c + x d))
      const double v0 = rates_[after - 1][k], v1 = rates_[after][k],
                   slope = (points_[after][k] - points_[after - 1][k]) / h;
      const double c = 3 * slope - 2 * v0 - v1, d = v0 + v1 - 2 * slope;
      q[plain_[k].q] = points_[after - 1][k] + h * x * (v0 + x * (c + x * d));
      if (!moves) continue;
      v[plain_[k].v] = v0 + x * (2 * c + 3 * x * d);
      a[plain_[k].v] = (2 * c + 6 * x * d) / h;
    }
  }

 private:
  std::vector<Plain> plain_;
  int nv_;
  std::vector<double> times_, first_;
  Points points_ = {}, rates_ = {};  // of the plain coordinates
};

// Quaternions, and what stands beside them in free joints.
void require_still(const Model& model, const Points& points, std::initializer_list<const SplineEnd*> ends) {
  for (size_t b = 1; b < model.bodies().size(); ++b) {
    const JointType type = model.robot().bodies[b].joint.type;
    if (type != JointType::spherical && type != JointType::free) continue;
    const auto first = std::ptrdiff_t(model.bodies()[b].q);
    for (const std::vector<double>& q : points)
      if (!std::equal(q.begin() + first, q.begin() + first + coordinates(type), points[0].begin() + first))
        throw ArgumentError(fmt::format(
            "joint '{}' has a quaternion: a spline leaves it where it is, and goes through plain coordinates",
            model.joint_name(int(b))));
    for (const SplineEnd* end : ends)
      for (int k = 0; k < degrees_of_freedom(type) && !end->rate.empty(); ++k)
        if (end->rate[size_t(model.bodies()[b].v) + size_t(k)] != 0)
          throw ArgumentError(fmt::format("joint '{}' has a quaternion: a spline leaves it at rest, without a rate",
                                          model.joint_name(int(b))));
  }
}

void require_times(const std::vector<double>& times, size_t points) {
  if (times.size() < 2 || times.size() != points)
    throw ArgumentError(fmt::format("a spline needs two points or more and a time for each, not {} points at {} times",
                                    points, times.size()));
  if (times[0] != 0) throw ArgumentError(fmt::format("the times of a spline begin at 0, not at {}", times[0]));
  for (size_t i = 1; i < times.size(); ++i)
    if (!(times[i] > times[i - 1]) || !std::isfinite(times[i]))
      throw ArgumentError(
          fmt::format("the times of a spline increase; time {} is {}, after {}", i + 1, times[i], times[i - 1]));
}

}  // namespace

std::shared_ptr<const Trajectory> spline(const std::shared_ptr<const Model>& model, std::vector<double> times,
                                         Points points, const SplineEnd& first, const SplineEnd& last) {
  require_times(times, points.size());
  for (size_t i = 0; i < points.size(); ++i)
    points[i] = kinematics::coordinates_of(*model, std::move(points[i]), fmt::format("point {}", i + 1));
  for (const SplineEnd* end : {&first, &last})
    if (!end->rate.empty()) require_size(std::span(end->rate), model->nv(), "rate");
  require_still(*model, points, {&first, &last});
  return std::make_shared<Spline>(*model, std::move(times), points, first, last);
}

}  // namespace denoc
