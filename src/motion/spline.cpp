#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "checks.hpp"
#include "denoc/error.hpp"
#include "denoc/model/arguments.hpp"
#include "denoc/model/quaternions.hpp"
#include "denoc/motion/joint_motion.hpp"
#include "kinematics/checks.hpp"

namespace denoc {
namespace {

using Rows = std::vector<std::vector<double>>;

// The rates at the knots that make the accelerations continuous, zero at both ends: with h_i = t_{i+1} - t_i and the
// slopes d_i between knots,
//   v_{i-1} / h_{i-1} + 2 (1 / h_{i-1} + 1 / h_i) v_i + v_{i+1} / h_i = 3 (d_{i-1} / h_{i-1} + d_i / h_i)
Rows rates_at_knots(const std::vector<double>& times, const Rows& points) {
  const size_t last = times.size() - 1, n = points[0].size();
  Rows v(times.size(), std::vector<double>(n, 0.0));
  std::vector<double> above(times.size(), 0.0);
  for (size_t i = 1; i < last; ++i) {  // eliminate what is below the diagonal
    const double before = 1 / (times[i] - times[i - 1]), after = 1 / (times[i + 1] - times[i]);
    const double pivot = 2 * (before + after) - before * above[i - 1];
    above[i] = after / pivot;
    for (size_t k = 0; k < n; ++k) {
      const double slopes =
          (points[i][k] - points[i - 1][k]) * before * before + (points[i + 1][k] - points[i][k]) * after * after;
      v[i][k] = (3 * slopes - before * v[i - 1][k]) / pivot;
    }
  }
  for (size_t i = last; i-- > 1;)
    for (size_t k = 0; k < n; ++k) v[i][k] -= above[i] * v[i + 1][k];
  return v;
}

class Spline final : public Trajectory {
 public:
  // q: rows in the order of v, as all joints have as many coordinates as rates.
  Spline(const Model& model, std::vector<double> times, Rows points)
      : n_(model.nv()), times_(std::move(times)), points_(std::move(points)), rates_(rates_at_knots(times_, points_)) {}
  double duration() const override { return times_.back(); }
  void at(double t, std::span<double> q, std::span<double> v, std::span<double> a) const override {
    require_size(q, n_, "q");
    require_size(v, n_, "v");
    require_size(a, n_, "a");
    const bool moves = t >= 0 && t <= duration();
    t = std::clamp(t, 0.0, duration());
    const size_t after = size_t(std::upper_bound(times_.begin() + 1, times_.end() - 1, t) - times_.begin());
    const double h = times_[after] - times_[after - 1], x = (t - times_[after - 1]) / h;
    for (size_t k = 0; k < q.size(); ++k) {
      // Hermite: q = q0 + h x (v0 + x (c + x d))
      const double v0 = rates_[after - 1][k], v1 = rates_[after][k],
                   slope = (points_[after][k] - points_[after - 1][k]) / h;
      const double c = 3 * slope - 2 * v0 - v1, d = v0 + v1 - 2 * slope;
      q[k] = points_[after - 1][k] + h * x * (v0 + x * (c + x * d));
      v[k] = moves ? v0 + x * (2 * c + 3 * x * d) : 0;
      a[k] = moves ? (2 * c + 6 * x * d) / h : 0;
    }
  }

 private:
  int n_;
  std::vector<double> times_;
  Rows points_, rates_;
};

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
                                         Rows points) {
  if (const auto quaternions = quaternions_of(model->robot()); !quaternions.empty())
    throw ArgumentError(
        fmt::format("joint '{}' has a quaternion: a spline goes through plain coordinates", quaternions[0].joint));
  require_times(times, points.size());
  for (size_t i = 0; i < points.size(); ++i)
    points[i] = kinematics::coordinates_of(*model, std::move(points[i]), fmt::format("point {}", i + 1));
  return std::make_shared<Spline>(*model, std::move(times), std::move(points));
}

}  // namespace denoc
