// Local coordinates on the manifold of q: x = 0 at the centre. A one-step method integrates x, then the centre moves
// on, so quaternions keep unit length by construction.                    [Munthe-Kaas 1998; Hairer, Lubich, Wanner]
#pragma once
#include "denoc/model/manifold.hpp"

namespace denoc {

/// Coordinates around one posture, its centre. Not to be used by two threads at once while it moves.
class Chart {
 public:
  Chart(const Model& model, std::span<const double> q) : model_(&model), centre_(q.begin(), q.end()) {}

  std::span<const double> centre() const { return centre_; }
  void move_to(std::span<const double> q) { std::copy(q.begin(), q.end(), centre_.begin()); }

  /// Plain coordinates add, rotations turn by the rotation vector in x, positions move by x in the axes that the body
  /// has at the centre: there x' = v, for every joint.
  void place(std::span<const double> x, std::span<double> q) const {
    detail::for_joints<double>(
        *model_, [&](int i, int k) { q[i] = centre_[i] + x[k]; },
        [&](int i, int k) {
          detail::store<double>(unit(detail::quaternion<double>(centre_, i) * detail::exponential(vec(x, k))), q, i);
        },
        [&](int i, int k) {
          put(q, i, vec(centre_, i) + rotation(detail::quaternion<double>(centre_, i + 3)) * vec(x, k + 3));
        });
  }
  /// x' at x, where q = place(x) moves with v.
  void rates(std::span<const double> x, std::span<const double> q, std::span<const double> v,
             std::span<double> rate) const {
    detail::for_joints<double>(
        *model_, [&](int, int k) { rate[k] = v[k]; },
        [&](int, int k) { put(rate, k, detail::linear_part(-vec(x, k), vec(v, k))); },
        [&](int i, int k) { put(rate, k + 3, turned(q, i + 3) * vec(v, k + 3)); });
  }
  /// The v with which q = place(x) moves by x'.
  void velocities(std::span<const double> x, std::span<const double> q, std::span<const double> rate,
                  std::span<double> v) const {
    detail::for_joints<double>(
        *model_, [&](int, int k) { v[k] = rate[k]; },
        [&](int, int k) { put(v, k, detail::displacement(-vec(x, k), vec(rate, k))); },
        [&](int i, int k) { put(v, k + 3, back(turned(q, i + 3), vec(rate, k + 3))); });
  }
  /// The size of the coordinates that x is added to, which tolerances are relative to: 1 for rotations, the whole
  /// length for positions, whatever their axes.
  void magnitudes(std::span<const double> q, std::span<double> size) const {
    const auto fill = [&](int k, double all) { put(size, k, Vec3<double>{all, all, all}); };
    detail::for_joints<double>(
        *model_, [&](int i, int k) { size[k] = std::abs(q[i]); }, [&](int, int k) { fill(k, 1); },
        [&](int i, int k) { fill(k + 3, norm(vec(q, i))); });
  }

 private:
  static Vec3<double> vec(std::span<const double> x, int k) { return {x[k], x[k + 1], x[k + 2]}; }
  static void put(std::span<double> x, int k, const Vec3<double>& w) { x[k] = w.x, x[k + 1] = w.y, x[k + 2] = w.z; }

  // From the axes of a body at q to those at the centre; i: of its quaternion.
  Mat3<double> turned(std::span<const double> q, int i) const {
    return rotation(conjugate(detail::quaternion<double>(centre_, i)) * detail::quaternion<double>(q, i));
  }

  const Model* model_;
  std::vector<double> centre_;
};

}  // namespace denoc
