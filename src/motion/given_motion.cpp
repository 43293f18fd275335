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
    for (const double t : breaks_) require_no_jump(t);
  }
  double duration() const override { return duration_; }
  std::vector<double> breaks() const override { return breaks_; }

  // For quaternions x of unit length w = 2 vec(x* x') and, as x'* x' has no vector part, w' = 2 vec(x* x''). Of a free
  // joint at r:  v = R^T r',  v' = R^T r'' - w x v
  void at(double t, std::span<double> q, std::span<double> v, std::span<double> a) const override {
    require_size(q, model_->nq(), "q");
    require_size(v, model_->nv(), "v");
    require_size(a, model_->nv(), "a");
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
  void require_no_jump(double t) const {
    const auto nv = size_t(model_->nv());
    std::vector<double> q0(size_t(model_->nq())), q1(q0), v0(nv), v1(nv), a(nv), gap(nv);
    at(std::nextafter(t, 0.0), q0, v0, a);
    at(t, q1, v1, a);
    difference<double>(*model_, q0, q1, gap);
    for (size_t k = 0; k < nv; ++k) {
      const std::string joint = model_->joint_name(model_->body_of_dof(int(k)));
      // between the two instants it moves by an ulp of t
      if (!(std::abs(gap[k]) <= a_jump * (1 + std::abs(v0[k]))))
        throw ArgumentError(
            fmt::format("joint '{}' jumps by {:.4g} at t = {:.6g} s: a motion has no jumps, no finite force makes them",
                        joint, gap[k], t));
      if (!(std::abs(v1[k] - v0[k]) <= a_jump * (1 + std::abs(v0[k]))))
        throw ArgumentError(
            fmt::format("the rate of joint '{}' jumps from {:.4g} to {:.4g} at t = {:.6g} s: no finite force does that",
                        joint, v0[k], v1[k], t));
    }
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
