#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "denoc/error.hpp"
#include "denoc/model/manifold.hpp"
#include "denoc/motion/joint_motion.hpp"

namespace denoc {
namespace {

constexpr double seam = 1e-9;  // rad or m: what a posture written with few digits may be off

class Sequence final : public Trajectory {
 public:
  explicit Sequence(std::vector<std::shared_ptr<const Trajectory>> motions) : motions_(std::move(motions)) {
    for (const auto& motion : motions_) {
      starts_.push_back(duration_);
      duration_ += motion->duration();
    }
  }
  double duration() const override { return duration_; }
  // At a seam, the motion that follows. None is over before the next begins, or the sequence ends, and then the last one
  // is, whatever t - start rounds to.
  void at(double t, std::span<double> q, std::span<double> v, std::span<double> a) const override {
    const auto after = std::upper_bound(starts_.begin() + 1, starts_.end(), t);
    const auto i = static_cast<std::size_t>(after - starts_.begin()) - 1;
    motions_[i]->at(t > duration_ ? t : std::min(t - starts_[i], motions_[i]->duration()), q, v, a);
  }
  std::vector<double> breaks() const override {
    std::vector<double> all;
    for (std::size_t i = 0; i < motions_.size(); ++i) {
      if (i > 0) all.push_back(starts_[i]);
      for (const double t : motions_[i]->breaks()) all.push_back(starts_[i] + t);
    }
    return all;
  }
  std::vector<double> knots() const override {
    std::vector<double> all;
    for (std::size_t i = 0; i < motions_.size(); ++i)
      for (const double t : motions_[i]->knots()) all.push_back(starts_[i] + t);
    return all;
  }
  std::vector<int> along_curve() const override {
    std::set<int> all;
    for (const auto& motion : motions_)
      for (const int k : motion->along_curve()) all.insert(k);
    return {all.begin(), all.end()};
  }

 private:
  std::vector<std::shared_ptr<const Trajectory>> motions_;
  std::vector<double> starts_ = {};
  double duration_ = 0;
};

}  // namespace

std::shared_ptr<const Trajectory> sequence(const std::shared_ptr<const Model>& model,
                                           std::vector<std::shared_ptr<const Trajectory>> motions) {
  if (motions.empty()) throw ArgumentError("a sequence has one motion or more");
  std::vector<double> end(static_cast<std::size_t>(model->nq())), next(end), v(static_cast<std::size_t>(model->nv())),
      a(v), gap(v);
  for (std::size_t i = 1; i < motions.size(); ++i) {
    motions[i - 1]->at(motions[i - 1]->duration(), end, v, a);
    motions[i]->at(0, next, v, a);
    difference<double>(*model, end, next, gap);
    const auto most =
        std::max_element(gap.begin(), gap.end(), [](double x, double y) { return std::abs(x) < std::abs(y); });
    if (most != gap.end() && std::abs(*most) > seam)
      throw ArgumentError(
          fmt::format("motion {} of the sequence begins with joint '{}' {:.4g} away from where motion {} ends", i + 1,
                      model->joint_of_dof(static_cast<int>(most - gap.begin())), *most, i));
  }
  return std::make_shared<Sequence>(std::move(motions));
}

}  // namespace denoc
