#include "denoc/motion/minimum_time.hpp"
#include "denoc/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "drive_forces.hpp"

namespace denoc {
namespace {

struct Maximum {
  double x, value;
};
// Between low and high, where f has one maximum: each step keeps the golden section of the interval.
template <class F> Maximum golden_section(double low, double high, F&& f) {
  constexpr double golden = 0.6180339887498949;
  double x1 = high - golden * (high - low), x2 = low + golden * (high - low), f1 = f(x1), f2 = f(x2);
  // 48 steps leave 1e-10 of the interval: below the square root of rounding, beyond which f is flat.
  for (int step = 0; step < 48; ++step) {
    if (f1 < f2) {
      low = x1;
      x1 = x2, f1 = f2;
      x2 = low + golden * (high - low), f2 = f(x2);
    } else {
      high = x2;
      x2 = x1, f2 = f1;
      x1 = high - golden * (high - low), f1 = f(x1);
    }
  }
  return f1 < f2 ? Maximum{x2, f2} : Maximum{x1, f1};
}
Maximum larger(const Maximum& a, const Maximum& b) { return a.value < b.value ? b : a; }

// The forces along the path at unit duration: f and G of every degree of freedom.
class Path {
 public:
  Path(const Model& model, const Trajectory& shape)
      : shape_(shape),
        weightless_model_(weightless(model.robot())),
        inertial_(weightless_model_, driven_freedoms(weightless_model_)),
        static_(model, driven_freedoms(model)),
        q_(model.nq()),
        v_(model.nv()),
        a_(model.nv()),
        f(model.nv()),
        G(model.nv()) {}

  void go_to(double x) {
    const double T = shape_.duration();
    shape_.at(x * T, q_, v_, a_);
    for (size_t k = 0; k < v_.size(); ++k) {
      v_[k] *= T;
      a_[k] *= T * T;
    }
    inertial_.moving(q_, v_, a_, f);
    static_.holding(q_, G);
  }
  // The pieces on which f is smooth, a little inside the instants where the acceleration jumps.
  std::vector<std::pair<double, double>> pieces() const {
    const double inset = 8 * std::numeric_limits<double>::epsilon();
    std::vector<std::pair<double, double>> all;
    double from = 0;
    for (const double t : shape_.breaks()) {
      all.emplace_back(from, t / shape_.duration() - inset);
      from = t / shape_.duration() + inset;
    }
    all.emplace_back(from, 1.0);
    return all;
  }
  double fastest_at(double x) {
    go_to(x);
    double fastest = 0;
    for (const double rate : v_) fastest = std::max(fastest, std::abs(rate));
    return fastest;
  }

 private:
  static Robot weightless(Robot robot) {
    robot.gravity = {0, 0, 0};
    return robot;
  }
  const Trajectory& shape_;
  Model weightless_model_;
  motion::DriveForces inertial_, static_;
  std::vector<double> q_, v_, a_;

 public:
  std::vector<double> f, G;
};

constexpr int intervals = 512;  // of a piece, in which each force is taken to have one maximum at most

// The largest value along the path of each of n functions: value(k) speaks of the place the path stands at.
template <class Value> std::vector<Maximum> maxima(Path& path, size_t n, Value&& value) {
  std::vector<Maximum> best(n, {0, -1});
  for (const auto& piece : path.pieces()) {
    const auto place = [&](int i) {
      const double part = double(std::clamp(i, 0, intervals)) / intervals;
      return piece.first * (1 - part) + piece.second * part;
    };
    std::vector<std::vector<double>> samples(intervals + 1, std::vector<double>(n));
    for (int i = 0; i <= intervals; ++i) {
      path.go_to(place(i));
      for (size_t k = 0; k < n; ++k) {
        samples[i][k] = value(k);
        best[k] = larger(best[k], {place(i), samples[i][k]});
      }
    }
    for (size_t k = 0; k < n; ++k) {
      for (int i = 0; i <= intervals; ++i) {
        const double here = samples[i][k];
        if (here < samples[std::max(i - 1, 0)][k] || here < samples[std::min(i + 1, intervals)][k]) continue;
        best[k] = larger(best[k], golden_section(place(i - 1), place(i + 1), [&](double x) {
                           path.go_to(x);
                           return value(k);
                         }));
      }
    }
  }
  return best;
}

void require_sense(Path& path, const Model& model, const Trajectory& shape, const std::vector<double>& limits) {
  if (model.nv() == 0) throw ArgumentError("no joint of the robot moves: there is no motion to hasten");
  if (!model.robot().loops.empty())
    throw ArgumentError(
        "the robot has loops: a shortest time does not close them, and the tree without them is another robot; "
        "`denoc id --motion` says what forces a duration needs");
  if (const std::vector<int> floats = motion::floating(model, driven_freedoms(model)); !floats.empty())
    throw ArgumentError(
        fmt::format("joint '{}' is free and has no drive: how its body gives way is not counted in shortest times; "
                    "`denoc id --motion` says what forces a duration needs, a fixed joint holds the body",
                    model.joint_of_dof(floats.front())));
  // Accelerations go with 1 / T^2: beyond this they, or T^2, would leave the range of numbers.
  constexpr double longest = 1e100;
  if (const double T = shape.duration(); !(T <= longest && T >= 1 / longest))
    throw ArgumentError(
        fmt::format("the motion takes {:g} s: at so {} a pace its accelerations are no numbers; its own duration does "
                    "not matter, write 1",
                    T, T > 1 ? "slow" : "fast"));
  require_size(std::span(limits), model.nv(), "limits");
  for (int k = 0; k < model.nv(); ++k)
    if (!(limits[k] > 0))
      throw ArgumentError(
          fmt::format("joint '{}': the limit of its force is positive, not {}", model.joint_of_dof(k), limits[k]));
  double fastest = 0;
  for (int i = 1; i < intervals; ++i) fastest = std::max(fastest, path.fastest_at(double(i) / intervals));
  for (const double end : {0.0, 1.0})
    if (path.fastest_at(end) > 1e-9 * fastest)
      throw ArgumentError("the motion does not go from rest to rest: no finite force starts or stops it");
}

}  // namespace

MinimumTime minimum_time(const Model& model, const Trajectory& shape, const std::vector<double>& limits) {
  Path path(model, shape);
  require_sense(path, model, shape, limits);
  const size_t n = limits.size();
  const auto held = maxima(path, n, [&](size_t k) { return std::abs(path.G[k]); });
  for (size_t k = 0; k < n; ++k)
    if (!(held[k].value < limits[k]))
      throw InfeasibleLimits(
          fmt::format("joint '{}': its limit {:.6g} is less than the {:.6g} that hold the robot at "
                      "rest at x = {:.4f} of the motion",
                      model.joint_of_dof(int(k)), limits[k], held[k].value, held[k].x));
  // Both limits ask for 1 / T^2 <= (limit -+ G) / |f|.
  const auto asked = maxima(path, n, [&](size_t k) {
    return std::max(path.f[k] / (limits[k] - path.G[k]), -path.f[k] / (limits[k] + path.G[k]));
  });
  MinimumTime result{0, 0, {}};
  for (size_t k = 0; k < n; ++k) {
    if (!(asked[k].value >= 0) || !std::isfinite(asked[k].value))
      throw ArgumentError(
          fmt::format("joint '{}': the forces along the motion are no numbers", model.joint_of_dof(int(k))));
    result.per_dof.push_back({asked[k].x, std::sqrt(asked[k].value)});
    if (result.per_dof[k].duration > result.duration) {
      result.duration = result.per_dof[k].duration;
      result.dof = int(k);
    }
  }
  return result;
}

}  // namespace denoc
