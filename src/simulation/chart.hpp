// Local coordinates on the manifold of q: x = 0 at the centre. A one-step method integrates x, then the centre moves
// on, so quaternions keep unit length by construction.                    [Munthe-Kaas 1998; Hairer, Lubich, Wanner]
#pragma once
#include "denoc/model/manifold.hpp"

namespace denoc::simulation {

class Chart {
 public:
  Chart(const Model& model, std::span<const double> q) : model_(&model), centre_(q.begin(), q.end()) {}

  std::span<const double> centre() const { return centre_; }
  void move_to(std::span<const double> q) { std::copy(q.begin(), q.end(), centre_.begin()); }

  // Plain coordinates and positions add, rotations turn by the rotation vector in x.
  void place(std::span<const double> x, std::span<double> q) const {
    detail::for_joints<double>(
        *model_, [&](int i, int k) { q[i] = centre_[i] + x[k]; },
        [&](int i, int k) {
          const Vec3<double> w{x[k], x[k + 1], x[k + 2]};
          detail::store<double>(unit(detail::quaternion<double>(centre_, i) * detail::exponential(w)), q, i);
        },
        [&](int i, int k) {
          for (int c = 0; c < 3; ++c) q[i + c] = centre_[i + c] + x[k + 3 + c];
        });
  }
  // x' at x, where q = place(x) moves with v.
  void rates(std::span<const double> x, std::span<const double> q, std::span<const double> v,
             std::span<double> rate) const {
    detail::for_joints<double>(
        *model_, [&](int, int k) { rate[k] = v[k]; },
        [&](int, int k) { put(rate, k, detail::linear_part(-vec(x, k), vec(v, k))); },
        [&](int i, int k) { put(rate, k + 3, rotation(detail::quaternion<double>(q, i + 3)) * vec(v, k + 3)); });
  }
  // How large the coordinates are that x adds to: 1 for rotations.
  void magnitudes(std::span<const double> q, std::span<double> size) const {
    detail::for_joints<double>(
        *model_, [&](int i, int k) { size[k] = std::abs(q[i]); },
        [&](int, int k) {
          put(size, k, Vec3<double>{1, 1, 1});
        },
        [&](int i, int k) {
          for (int c = 0; c < 3; ++c) size[k + 3 + c] = std::abs(q[i + c]);
        });
  }

 private:
  static Vec3<double> vec(std::span<const double> x, int k) { return {x[k], x[k + 1], x[k + 2]}; }
  static void put(std::span<double> x, int k, const Vec3<double>& w) { x[k] = w.x, x[k + 1] = w.y, x[k + 2] = w.z; }

  const Model* model_;
  std::vector<double> centre_;
};

}  // namespace denoc::simulation
