#include "guided_motion.hpp"
#include "denoc/error.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <random>

#include "branches.hpp"
#include "checks.hpp"
#include "denoc/kinematics/inverse_kinematics.hpp"
#include "denoc/kinematics/inverse_rates.hpp"
#include "denoc/model/lengths.hpp"
#include "denoc/model/manifold.hpp"
#include "kinematics/checks.hpp"
#include "kinematics/pose_search.hpp"
#include "loops/pseudoinverse.hpp"

namespace denoc::motion {
namespace {

using kinematics::Aim;
using kinematics::PoseSearch;

// A posture on the curve, how it changes with s, and the Jacobian of the joints that take part.
struct Knot {
  double s;
  std::vector<double> q, slope;
  Eigen::MatrixXd jacobian;
};

Aim aim_of(const Guide& guide) { return {guide.body, guide.point, guide.keeps_attitude, guide.moving}; }

// The degrees of freedom between the ground and the body.
std::vector<int> dofs_below(const Model& model, int body) {
  std::vector<int> dofs;
  for (int i = model.bodies()[size_t(body)].link; i > 0; i = model.links()[size_t(i)].parent)
    model.columns(i, [&](int k, const auto&) { dofs.push_back(k); });
  std::sort(dofs.begin(), dofs.end());
  return dofs;
}

class GuidedMotion final : public Trajectory {
 public:
  GuidedMotion(std::shared_ptr<const Model> model, Guide guide, std::vector<double> start, Curve curve, Timing timing)
      : model_(std::move(model)),
        guide_(std::move(guide)),
        curve_(std::move(curve)),
        timing_(timing),
        units_(units_of(*model_)) {
    Configuration<double> at(*model_);
    Kinematics<double> kin(*model_);
    place<double>(*model_, start, at);
    positions<double>(*model_, at, kin);
    attitude_ = pose_in_world<double>(*model_, kin, guide_.body).R;
    lay_knots(std::move(start));
  }
  double duration() const override { return timing_.duration; }
  std::vector<double> breaks() const override { return timing_.breaks(); }
  std::vector<int> along_curve() const override { return dofs_below(*model_, guide_.body); }
  void at(double t, std::span<double> q, std::span<double> v, std::span<double> a) const override {
    require_sizes(model_->nq(), model_->nv(), q, v, a);
    const auto [s, rate, acceleration] = timing_.at(t);
    const Curve::Point here = curve_.at(s);
    PoseSearch search(*model_, aim_of(guide_), {attitude_, here.r});
    const Knot& before = knot_before(s);
    std::vector<double> posture = ahead_of(before, s);
    if (!search.newton(posture, most_steps) || !is_smooth(before, s, posture)) {
      posture = follow(before, s, [](const Knot&) {}).q;
      search.newton(posture, most_steps);
    }
    std::copy(posture.begin(), posture.end(), q.begin());

    // J v = r',  J a = r'' - J'v
    const Rates rates(*this, search);
    rates.solve({zero3<double>, here.first * rate}, v);
    Kinematics<double> kin = search.kinematics();
    const std::vector<double> still(v.size());
    velocities<double>(*model_, v, kin);
    accelerations<double>(*model_, v, still, kin);
    const Twist<double> turning = velocity_in_world<double>(*model_, kin, guide_.body),
                        without = acceleration_in_world<double>(*model_, kin, guide_.body);
    const Vec3<double> arm = search.arm(),
                       of_point = without.v + cross(without.w, arm) + cross(turning.w, cross(turning.w, arm)),
                       wanted = here.first * acceleration + here.second * (rate * rate);
    rates.solve({-without.w, wanted - of_point}, a);
  }

 private:
  static constexpr int most_steps = 10;
  // Between knots the joints turn no more, and leave the tangent by no more than a quarter of it: there Newton's method
  // settles on the same branch. What it leaves where it settles is no way off.
  static constexpr double largest_turn = 0.1, settling = 1e-9;

  // The rates of the joints that take part from those of the point and the attitude; least squares where they are
  // fewer.
  class Rates {
   public:
    Rates(const GuidedMotion& motion, PoseSearch& search) : motion_(motion), size_(search.size()) {
      jacobian_ = search.jacobian()(Eigen::all, motion.guide_.moving);
      for (Eigen::Index j = 0; j < jacobian_.cols(); ++j) jacobian_.col(j) *= unit(j);
      qr_.compute(jacobian_);
      const auto R = qr_.matrixR().diagonal().cwiseAbs();
      // Nor is a pivot that leaves nothing of accelerations.
      if (!(R[jacobian_.cols() - 1] > std::max(search.rounding(), rank_threshold) * R[0]))
        throw SingularPosture(fmt::format(
            "body '{}': its Jacobian is singular at this posture: move the robot away from it, or let fewer "
            "joints take part (`joints`) if they are more than the motion asks for",
            motion.model_->robot().bodies[size_t(motion.guide_.body)].name));
    }
    void solve(const Twist<double>& t, std::span<double> v) const {
      Eigen::VectorXd wanted(qr_.rows());
      if (qr_.rows() == 6) wanted.head<3>() << t.w.x, t.w.y, t.w.z;
      wanted.tail<3>() << t.v.x / size_, t.v.y / size_, t.v.z / size_;
      const Eigen::VectorXd x = qr_.solve(wanted);
      std::fill(v.begin(), v.end(), 0.0);
      for (Eigen::Index j = 0; j < x.size(); ++j) v[size_t(motion_.guide_.moving[size_t(j)])] = x[j] * unit(j);
    }

    const Eigen::MatrixXd& jacobian() const { return jacobian_; }

   private:
    double unit(Eigen::Index j) const { return motion_.units_[size_t(motion_.guide_.moving[size_t(j)])]; }

    const GuidedMotion& motion_;
    double size_;
    Eigen::MatrixXd jacobian_ = {};
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr_;
  };

  std::string place_of(double s) const {
    return fmt::format("body '{}', {:.4g} m along {}", model_->robot().bodies[size_t(guide_.body)].name,
                       s * curve_.length, curve_.name);
  }
  const Knot& knot_before(double s) const {
    const auto after =
        std::upper_bound(knots_.begin() + 1, knots_.end(), s, [](double x, const Knot& knot) { return x < knot.s; });
    return *(after - 1);
  }
  std::vector<double> ahead_of(const Knot& knot, double s) const {
    std::vector<double> q(knot.q.size()), step = knot.slope;
    for (double& x : step) x *= s - knot.s;
    integrate<double>(*model_, knot.q, step, q);
    return q;
  }

  // The knot at s, reached from q; nothing if Newton's method does not settle there. Throws SingularPosture.
  std::optional<Knot> knot_at(double s, std::vector<double> q) const {
    const Curve::Point here = curve_.at(s);
    PoseSearch search(*model_, aim_of(guide_), {attitude_, here.r});
    if (!search.newton(q, most_steps)) return std::nullopt;
    Knot knot{s, std::move(q), std::vector<double>(size_t(model_->nv())), {}};
    try {
      const Rates rates(*this, search);
      rates.solve({zero3<double>, here.first}, knot.slope);
      knot.jacobian = rates.jacobian();
    } catch (const SingularPosture& singular) {
      throw SingularPosture(fmt::format("{}: {}", place_of(s), singular.what()));
    }
    return knot;
  }
  double turned(const std::vector<double>& from, const std::vector<double>& to) const {
    std::vector<double> way(size_t(model_->nv()));
    difference<double>(*model_, from, to, way);
    double most = 0;
    for (size_t k = 0; k < way.size(); ++k) most = std::max(most, std::abs(way[k]) / units_[k]);
    return most;
  }
  // Whether the posture at s is where the tangent of a knot before leads to.
  bool is_smooth(const Knot& before, double s, const std::vector<double>& q) const {
    const double way = turned(before.q, q);
    return way < largest_turn && turned(ahead_of(before, s), q) <= std::max(way / 4, settling);
  }
  bool stays_on_branch(const Knot& before, const Knot& next) const {
    return turned(before.q, next.q) < through_singular || !passes_singular(before.jacobian, next.jacobian);
  }
  // From one knot on to that at `end`, by steps that double while the way is smooth and halve where it is not, or where
  // nothing leads on from a posture; each is handed to `pass`.
  template <class Pass> Knot follow(Knot here, double end, Pass&& pass) const {
    constexpr double least = 1e-9, longest = 1.0 / 16;
    for (double step = longest; here.s < end;) {
      const double s = std::min(here.s + step, end);
      step = (s - here.s) / 2;
      bool is_refused = false;  // though it is smooth: smaller ones tell the branch in the end
      try {
        std::optional<Knot> next = knot_at(s, ahead_of(here, s));
        if (next && is_smooth(here, s, next->q)) {
          if (stays_on_branch(here, *next)) {
            step = std::min(4 * step, longest);
            pass(*next);
            here = *std::move(next);
            continue;
          }
          is_refused = true;
        }
      } catch (const SingularPosture&) {
        if (step < least) throw;
      }
      if (step < least && !(is_refused && here.s + step > here.s)) stuck(here);
    }
    return here;
  }
  void lay_knots(std::vector<double> start) {
    std::optional<Knot> first = knot_at(0, std::move(start));
    if (!first) throw Unreachable(fmt::format("{}: no posture found", place_of(0)));
    knots_.push_back(*std::move(first));
    follow(knots_.back(), 1, [&](const Knot& knot) { knots_.push_back(knot); });
  }
  // Says why: can the next place be reached at all, if not smoothly? If not, can it be from elsewhere, or without the
  // attitude?
  [[noreturn]] void stuck(const Knot& at) const {
    const double s = at.s;
    if (is_reached_beyond(at, aim_of(guide_), at.q))
      throw SingularPosture(fmt::format("{}: {} leads through a singular posture", place_of(s), curve_.name));
    if (is_reached_from_elsewhere(at))
      throw SingularPosture(
          fmt::format("{}: the way from this start ends in a singular posture; other postures reach beyond: start from "
                      "another that has the same pose (`denoc ik` lists them)",
                      place_of(s)));
    if (!guide_.keeps_attitude) throw Unreachable(fmt::format("{}: the position is out of reach beyond", place_of(s)));
    Aim position = aim_of(guide_);
    position.with_attitude = false;
    if (is_reached_beyond(at, position, at.q))
      throw Unreachable(
          fmt::format("{}: the attitude cannot be kept beyond, the position alone could be reached: leave the attitude "
                      "free",
                      place_of(s)));
    throw Unreachable(fmt::format("{}: the reach of the robot ends, the position is the reason", place_of(s)));
  }
  bool is_reached_beyond(const Knot& last, const Aim& aim, std::vector<double> from) const {
    constexpr int steps = 500;
    const double beyond = std::min(last.s + 1e-3, 1.0);
    return PoseSearch(*model_, aim, {attitude_, curve_.at(beyond).r}).damped(from, steps);
  }
  bool is_reached_from_elsewhere(const Knot& last) const {
    constexpr int starts = 40;
    std::mt19937 random(1);  // the same answer every time
    std::uniform_real_distribution<double> anywhere(-std::numbers::pi, std::numbers::pi);
    std::vector<double> q(last.q.size()), way(units_.size());
    for (int i = 0; i < starts; ++i) {
      for (const int k : guide_.moving) way[size_t(k)] = units_[size_t(k)] * anywhere(random);
      integrate<double>(*model_, last.q, way, q);
      if (is_reached_beyond(last, aim_of(guide_), q)) return true;
    }
    return false;
  }

  std::shared_ptr<const Model> model_;
  Guide guide_;
  Curve curve_;
  Timing timing_;
  std::vector<double> units_;  // of the degrees of freedom: rad, or the length of the robot
  Mat3<double> attitude_ = {};
  std::vector<Knot> knots_ = {};
};

}  // namespace

Guide complete(const Model& model, Guide guide) {
  const std::vector<int> all = dofs_below(model, kinematics::body_of(model, guide.body));
  const std::string& name = model.robot().bodies[size_t(guide.body)].name;
  for (const int k : guide.moving)
    if (std::find(all.begin(), all.end(), k) == all.end())
      throw ArgumentError(fmt::format("joint '{}' does not move body '{}'", model.joint_of_dof(k), name));
  if (guide.moving.empty()) guide.moving = all;
  if (guide.moving.empty()) throw ArgumentError(fmt::format("no joint moves body '{}'", name));
  const std::size_t most = guide.keeps_attitude ? 6 : 3;
  if (guide.moving.size() > most)
    throw ArgumentError(fmt::format(
        "body '{}' is moved by {} degrees of freedom: a curve does not say how they share in it, name {} of "
        "them or fewer (`joints`)",
        name, guide.moving.size(), most));
  return guide;
}

Vec3<double> guided_point(const Model& model, const Guide& guide, const std::vector<double>& q) {
  Configuration<double> at(model);
  Kinematics<double> kin(model);
  place<double>(model, q, at);
  positions<double>(model, at, kin);
  const Pose<double> pose = pose_in_world<double>(model, kin, guide.body);
  return pose.r + pose.R * guide.point;
}

std::shared_ptr<const Trajectory> guided_motion(std::shared_ptr<const Model> model, Guide guide,
                                                std::vector<double> start, Curve curve, Timing timing) {
  return std::make_shared<GuidedMotion>(std::move(model), std::move(guide), std::move(start), std::move(curve), timing);
}

}  // namespace denoc::motion
