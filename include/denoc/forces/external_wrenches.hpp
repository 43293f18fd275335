// Wrenches on bodies that depend on time.
#pragma once
#include <functional>

#include "denoc/forces/force.hpp"

namespace denoc {

/// A wrench on a body as a function of time: moment (N m) and force (N) in the axes it names, about `point`.
struct ExternalWrench {
  int body = 0;
  Vec3<double> point{0, 0, 0};  // in the body's own frame
  bool in_world_axes = false;   // else in the body's own axes
  std::function<Wrench<double>(double t)> at;
  std::vector<double> breaks = {};  // where it jumps, in order: a run asks it beside them, for what follows
};

/// All of them at the time of the situation. Their power counts as input.
template <Scalar T> class ExternalWrenches {
 public:
  static constexpr std::string_view name = "external wrenches";

  explicit ExternalWrenches(std::vector<ExternalWrench> all) : all_(std::move(all)) {}
  bool empty() const { return all_.empty(); }
  int wrenches() const { return int(all_.size()); }

  void act(const Situation<T>& at, Loads<T>& loads) const {
    for (const ExternalWrench& given : all_) {
      Wrench<T> w = full<T>(given.at(double(at.t)));
      if (given.in_world_axes) {
        const Mat3<T> R = at.pose(given.body).R;
        w = {back(R, w.n), back(R, w.f)};
      }
      w.n += cross(full<T>(given.point), w.f);  // about the body's origin
      loads.wrenches.push_back({given.body, w});
      loads.input += dot(at.twist(given.body), w);
    }
  }

 private:
  std::vector<ExternalWrench> all_;
};

}  // namespace denoc
