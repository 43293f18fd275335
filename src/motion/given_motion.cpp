#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "checks.hpp"
#include "denoc/error.hpp"
#include "denoc/model/manifold.hpp"
#include "denoc/model/quaternions.hpp"
#include "denoc/motion/joint_motion.hpp"

namespace denoc {
namespace {

using JetQuaternion = Quaternion<Jet>;

Quaternion<double> values(const JetQuaternion& q, double Jet::*part) {
  return {q.w.*part, q.x.*part, q.y.*part, q.z.*part};
}
JetQuaternion of_unit_length(const JetQuaternion& q) {
  const Jet s = Jet{1} / sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return {q.w * s, q.x * s, q.y * s, q.z * s};
}

class GivenMotion final : public Trajectory {
 public:
  GivenMotion(std::shared_ptr<const Model> model, CoordinateFunction q, double duration, std::vector<double> breaks)
      : model_(std::move(model)), q_(std::move(q)), duration_(duration), breaks_(std::move(breaks)) {
    std::erase_if(breaks_, [&](double t) { return !(t > 0 && t < duration_); });
    for (int i = 0; i <= looks; ++i) require_units(duration_ * i / looks);
    for (const double t : breaks_) require_no_jump(look(std::nextafter(t, 0.0)), look(t));
    require_no_hidden_jump();
  }
  double duration() const override { return duration_; }
  std::vector<double> breaks() const override { return breaks_; }

  // For quaternions x of unit length w = 2 vec(x* x') and, as x'* x' has no vector part, w' = 2 vec(x* x''). Of a free
  // joint at r:  v = R^T r',  v' = R^T r'' - w x v
  void at(double t, std::span<double> q, std::span<double> v, std::span<double> a) const override {
    motion::require_sizes(model_->nq(), model_->nv(), q, v, a);
    const bool moves = t >= 0 && t <= duration_;
    std::vector<Jet> given(q.size());
    q_(std::clamp(t, 0.0, duration_), given);
    if (!moves)
      for (Jet& x : given) x = {x.x};
    const auto put = [](std::span<double> to, int k, const Vec3<double>& x) {
      to[size_t(k)] = x.x;
      to[size_t(k) + 1] = x.y;
      to[size_t(k) + 2] = x.z;
    };
    detail::for_joints<double>(
        *model_,
        [&](int i, int k) {
          const Jet& x = given[size_t(i)];
          q[size_t(i)] = x.x;
          v[size_t(k)] = x.d;
          a[size_t(k)] = x.dd;
        },
        [&](int i, int k) {
          const JetQuaternion x = of_unit_length(quaternion_at(given, i));
          const Quaternion<double> here = values(x, &Jet::x), back_turned = conjugate(here),
                                   first = back_turned * values(x, &Jet::d), second = back_turned * values(x, &Jet::dd);
          detail::store<double>(here, q, i);
          put(v, k, {2 * first.x, 2 * first.y, 2 * first.z});
          put(a, k, {2 * second.x, 2 * second.y, 2 * second.z});
        },
        detail::passed_over);
    // ... and the way of a body that turns so.
    detail::for_joints<double>(*model_, detail::passed_over, detail::passed_over, [&](int i, int k) {
      const auto part = [&](double Jet::*p) {
        return Vec3<double>{given[size_t(i)].*p, given[size_t(i) + 1].*p, given[size_t(i) + 2].*p};
      };
      const Mat3<double> R = rotation(detail::quaternion<double>(q, i + 3));
      const Vec3<double> w{v[size_t(k)], v[size_t(k) + 1], v[size_t(k) + 2]}, velocity = back(R, part(&Jet::d));
      for (int j = 0; j < 3; ++j) q[size_t(i) + size_t(j)] = given[size_t(i) + size_t(j)].x;
      put(v, k + 3, velocity);
      put(a, k + 3, back(R, part(&Jet::dd)) - cross(w, velocity));
    });
  }

 private:
  static constexpr int looks = 64;        // along the motion, for quaternions that leave unit length
  static constexpr double a_jump = 1e-9;  // of q or v, in parts of what they are

  static JetQuaternion quaternion_at(const std::vector<Jet>& q, int i) {
    const auto k = size_t(i);
    return {q[k], q[k + 1], q[k + 2], q[k + 3]};
  }
  void require_units(double t) const {
    std::vector<Jet> given(size_t(model_->nq()));
    q_(t, given);
    std::vector<double> q(given.size());
    std::transform(given.begin(), given.end(), q.begin(), [](const Jet& x) { return x.x; });
    for (const QuaternionPlace& place : quaternions_of(model_->robot()))
      if (const std::string broken = normalise(place, q); !broken.empty())
        throw ArgumentError(fmt::format("t = {:.6g} s: {}", t, broken));
  }
  // The motion at an instant.
  struct Look {
    double t;
    std::vector<double> q, v, a;
  };
  Look look(double t) const {
    const auto nv = size_t(model_->nv());
    Look here{t, std::vector<double>(size_t(model_->nq())), std::vector<double>(nv), std::vector<double>(nv)};
    at(t, here.q, here.v, here.a);
    return here;
  }
  std::vector<double> way(const Look& from, const Look& to) const {
    std::vector<double> gap(from.v.size());
    difference<double>(*model_, from.q, to.q, gap);
    return gap;
  }
  // What a few digits of t make of a rate that changes so fast; a pole of the acceleration is none.
  static double rounding_of_rate(const Look& at, size_t k) {
    const double change = std::abs(at.a[k]) * 8 * std::numeric_limits<double>::epsilon() * at.t;
    return std::isfinite(change) ? change : 0;
  }
  // Of instants so near to each other that nothing moves in between.
  void require_no_jump(const Look& before, const Look& after) const {
    const std::vector<double> gap = way(before, after);
    for (size_t k = 0; k < gap.size(); ++k) {
      const std::string joint = model_->joint_of_dof(int(k));
      if (!(std::abs(gap[k]) <= a_jump * (1 + std::abs(before.v[k]))))
        throw ArgumentError(
            fmt::format("joint '{}' jumps by {:.4g} at t = {:.6g} s: a motion has no jumps, no finite force makes them",
                        joint, gap[k], after.t));
      if (!(std::abs(after.v[k] - before.v[k]) <= a_jump * (1 + std::abs(before.v[k])) + rounding_of_rate(before, k)))
        throw ArgumentError(
            fmt::format("the rate of joint '{}' jumps from {:.4g} to {:.4g} at t = {:.6g} s: no finite force does that",
                        joint, before.v[k], after.v[k], after.t));
    }
  }
  // What the trapezium rule leaves of the ways of q and v from one look to the next: the largest, in parts of what they are.
  double unexplained(const Look& from, const Look& to) const {
    const std::vector<double> gap = way(from, to);
    const double half = (to.t - from.t) / 2;
    double most = 0;
    for (size_t k = 0; k < gap.size(); ++k) {
      const double rate = std::abs(from.v[k]), far = std::abs(gap[k] - half * (from.v[k] + to.v[k])),
                   fast = std::abs(to.v[k] - from.v[k] - half * (from.a[k] + to.a[k])) - rounding_of_rate(from, k);
      most = std::max({most, far / (1 + rate + largest(from.q)), fast / (1 + rate)});
    }
    return most;
  }
  static double largest(const std::vector<double>& x) {
    double most = 0;
    for (const double entry : x) most = std::max(most, std::abs(entry));
    return most;
  }
  // Jumps that no break tells: step(sin(t)), abs(sin(t)).
  void require_no_hidden_jump() const {
    std::vector<double> ends = breaks_;
    ends.push_back(duration_);
    Look from = look(0);
    for (const double end : ends) {
      const double start = from.t;
      const int parts = 1 + int(4 * looks * (end - start) / duration_);
      for (int i = 1; i <= parts; ++i) {
        Look to = look(i == parts ? std::nextafter(end, 0.0) : start + (end - start) * i / parts);
        require_smooth(std::move(from), to);
        from = std::move(to);
      }
      from = look(end);
    }
  }
  // Half by half into where more is unexplained: a motion that only goes fast is explained soon, and what has a pole of its
  // acceleration leaves less and less. A jump stays as large as it is.
  void require_smooth(Look from, Look to) const {
    constexpr size_t halvings = 40, some = 10;
    std::vector<double> gaps;
    for (size_t halving = 0; halving < halvings; ++halving) {
      gaps.push_back(unexplained(from, to));
      if (!(gaps.back() > a_jump)) return;
      Look middle = look(from.t + (to.t - from.t) / 2);
      if (!(from.t < middle.t && middle.t < to.t)) break;
      (unexplained(from, middle) < unexplained(middle, to) ? from : to) = std::move(middle);
    }
    if (gaps.size() > some && gaps.back() > gaps[gaps.size() - 1 - some] / 2) require_no_jump(from, to);
  }

  std::shared_ptr<const Model> model_;
  CoordinateFunction q_;
  double duration_;
  std::vector<double> breaks_;
};

}  // namespace

std::shared_ptr<const Trajectory> given_motion(std::shared_ptr<const Model> model, CoordinateFunction q,
                                               double duration, std::vector<double> breaks) {
  if (!q) throw ArgumentError("a given motion: there is no function that gives it");
  return std::make_shared<GivenMotion>(std::move(model), std::move(q), motion::positive_duration(duration),
                                       std::move(breaks));
}

}  // namespace denoc
