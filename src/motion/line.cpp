#include "denoc/motion/line.hpp"
#include "denoc/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "checks.hpp"
#include "denoc/kinematics/inverse_rates.hpp"
#include "denoc/model/manifold.hpp"
#include "kinematics/checks.hpp"
#include "kinematics/pose_search.hpp"

namespace denoc {
namespace {

// A posture on the line and how it changes with s.
struct Knot {
  double s;
  std::vector<double> q, slope;
};

class StraightLine final : public Trajectory {
 public:
  StraightLine(std::shared_ptr<const Model> model, int body, std::vector<double> start,
               const Vec3<double>& displacement, motion::Timing timing)
      : model_(std::move(model)), body_(body), way_(displacement), timing_(timing) {
    Configuration<double> at(*model_);
    Kinematics<double> kin(*model_);
    place<double>(*model_, start, at);
    positions<double>(*model_, at, kin);
    from_ = pose_in_world<double>(*model_, kin, body_);
    lay_knots(std::move(start));
  }
  double duration() const override { return timing_.duration; }
  std::vector<double> breaks() const override { return timing_.breaks(); }
  void at(double t, std::span<double> q, std::span<double> v, std::span<double> a) const override {
    require_size(q, model_->nq(), "q");
    const auto [s, rate, acceleration] = timing_.at(t);
    kinematics::PoseSearch search(*model_, body_, pose_at(s));
    std::vector<double> posture = ahead_of(nearest_knot(s), s);
    if (!search.newton(posture, most_steps)) throw Unreachable(fmt::format("{}: no posture found", place_of(s)));
    std::copy(posture.begin(), posture.end(), q.begin());

    Kinematics<double> kin = search.kinematics();
    InverseRatesScratch<double> scratch(*model_);
    joint_rates<double>(*model_, kin, body_, {zero3<double>, way_ * rate}, scratch, v);
    velocities<double>(*model_, v, kin);
    joint_accelerations<double>(*model_, kin, body_, v, {zero3<double>, way_ * acceleration}, scratch, a);
  }

 private:
  static constexpr int most_steps = 10;
  // Between knots the joints turn no more, and leave the tangent by no more than a quarter of it: there Newton's method
  // settles on the same branch.
  static constexpr double largest_turn = 0.1;

  Pose<double> pose_at(double s) const { return {from_.R, from_.r + way_ * s}; }
  std::string place_of(double s) const {
    return fmt::format("body '{}', {:.4g} m along a line of {:.4g} m", model_->robot().bodies[body_].name,
                       s * norm(way_), norm(way_));
  }
  const Knot& nearest_knot(double s) const {
    const auto after = std::lower_bound(knots_.begin() + 1, knots_.end() - 1, s,
                                        [](const Knot& knot, double x) { return knot.s < x; });
    return s - (after - 1)->s < after->s - s ? *(after - 1) : *after;
  }
  std::vector<double> ahead_of(const Knot& knot, double s) const {
    std::vector<double> q(knot.q.size()), step = knot.slope;
    for (double& x : step) x *= s - knot.s;
    integrate<double>(*model_, knot.q, step, q);
    return q;
  }

  // The knot at s, reached from q; nothing if Newton's method does not settle there.
  bool lay_knot(double s, std::vector<double> q) {
    kinematics::PoseSearch search(*model_, body_, pose_at(s));
    if (!search.newton(q, most_steps)) return false;
    std::vector<double> slope(model_->nv());
    InverseRatesScratch<double> scratch(*model_);
    try {
      joint_rates<double>(*model_, search.kinematics(), body_, {zero3<double>, way_}, scratch, slope);
    } catch (const SingularPosture& singular) {
      throw SingularPosture(fmt::format("{}: {}", place_of(s), singular.what()));
    }
    knots_.push_back({s, std::move(q), std::move(slope)});
    return true;
  }
  // Whether the last knot is where the tangent of the one before led to.
  bool smooth() const {
    const Knot &last = knots_.back(), &before = *(knots_.end() - 2);
    std::vector<double> turn(model_->nv()), off(model_->nv());
    difference<double>(*model_, before.q, last.q, turn);
    difference<double>(*model_, ahead_of(before, last.s), last.q, off);
    const auto size = [](double m, double x) { return std::max(m, std::abs(x)); };
    const double turned = std::accumulate(turn.begin(), turn.end(), 0.0, size);
    return turned < largest_turn && std::accumulate(off.begin(), off.end(), 0.0, size) <= turned / 4;
  }
  // Steps that double while the way is smooth and halve where it is not.
  void lay_knots(std::vector<double> start) {
    constexpr double least = 1e-9;
    if (!lay_knot(0, std::move(start))) throw Unreachable(fmt::format("{}: no posture found", place_of(0)));
    for (double step = 1.0 / 16; knots_.back().s < 1;) {
      const double s = std::min(knots_.back().s + step, 1.0);
      const bool laid = lay_knot(s, ahead_of(knots_.back(), s));
      if (laid && smooth()) {
        step = std::min(2 * step, 1.0 / 16);
        continue;
      }
      if (laid) knots_.pop_back();
      step /= 2;
      if (step < least) stuck();
    }
  }
  // Is there anything beyond, if not smoothly?
  [[noreturn]] void stuck() const {
    const double s = knots_.back().s, beyond = std::min(s + 1e-3, 1.0);
    try {
      static_cast<void>(posture_near(*model_, body_, pose_at(beyond), knots_.back().q));
    } catch (const Unreachable&) {
      throw Unreachable(fmt::format("{}: the reach of the robot ends", place_of(s)));
    }
    throw SingularPosture(fmt::format("{}: the line leads through a singular posture", place_of(s)));
  }

  std::shared_ptr<const Model> model_;
  int body_;
  Pose<double> from_;
  Vec3<double> way_;
  motion::Timing timing_;
  std::vector<Knot> knots_;
};

int moving_degrees(const Model& model, int body) {
  int n = 0;
  for (int i = model.bodies()[body].link; i > 0; i = model.links()[i].parent) n += model.links()[i].columns;
  return n;
}

}  // namespace

std::shared_ptr<const Trajectory> straight_line(std::shared_ptr<const Model> model, int body, std::vector<double> start,
                                                const Vec3<double>& displacement, double duration, Profile profile) {
  start = kinematics::coordinates_of(*model, std::move(start), "start");
  if (!std::isfinite(norm(displacement))) throw ArgumentError("the displacement is not finite");
  if (const int n = moving_degrees(*model, kinematics::body_of(*model, body)); n > 6)
    throw ArgumentError(
        fmt::format("body '{}' is moved by {} degrees of freedom: a line does not say how they share in it",
                    model->robot().bodies[body].name, n));
  const motion::Timing timing{profile, motion::positive_duration(duration)};
  return std::make_shared<StraightLine>(std::move(model), body, std::move(start), displacement, timing);
}

}  // namespace denoc
