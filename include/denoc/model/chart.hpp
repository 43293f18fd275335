// Local coordinates on the manifold of q: x = 0 at the centre. A one-step method integrates x, then the centre moves
// on, so quaternions keep unit length by construction.                    [Munthe-Kaas 1998; Hairer, Lubich, Wanner]
#pragma once
#include "denoc/model/manifold.hpp"
#include "denoc/scalar/dual.hpp"

namespace denoc {

namespace detail {
template <class T> Vec3<T> vec(In<T> x, int k) { return {x[k], x[k + 1], x[k + 2]}; }
template <class T> void put(Out<T> x, int k, const Vec3<T>& w) { x[k] = w.x, x[k + 1] = w.y, x[k + 2] = w.z; }
// From the axes of a body at q to those at the centre; i: of its quaternion.
template <class T> Mat3<T> turned(In<T> centre, In<T> q, int i) {
  return rotation(conjugate(quaternion<T>(centre, i)) * quaternion<T>(q, i));
}
}  // namespace detail

/// q at the coordinates x around a centre. Plain coordinates add, rotations turn by the rotation vector in x, positions
/// move by x in the axes that the body has at the centre: there x' = v, for every joint. q may be the centre itself.
template <Scalar T> void place_around(const ModelOf<T>& model, In<T> centre, In<T> x, Out<T> q) {
  detail::for_joints<T>(
      model, [&](int i, int k) { q[i] = centre[i] + x[k]; },
      [&](int i, int k) {
        detail::store<T>(unit(detail::quaternion<T>(centre, i) * detail::exponential(detail::vec<T>(x, k))), q, i);
      },
      [&](int i, int k) {
        detail::put<T>(
            q, i,
            detail::vec<T>(centre, i) + rotation(detail::quaternion<T>(centre, i + 3)) * detail::vec<T>(x, k + 3));
      });
}
/// x' at x, where q = place_around(centre, x) moves with v.
template <Scalar T> void rates_around(const ModelOf<T>& model, In<T> centre, In<T> x, In<T> q, In<T> v, Out<T> rate) {
  detail::for_joints<T>(
      model, [&](int, int k) { rate[k] = v[k]; },
      [&](int, int k) { detail::put<T>(rate, k, detail::linear_part(-detail::vec<T>(x, k), detail::vec<T>(v, k))); },
      [&](int i, int k) {
        detail::put<T>(rate, k + 3, detail::turned<T>(centre, q, i + 3) * detail::vec<T>(v, k + 3));
      });
}

/// The rates v that q, which depends on something, moves by as that changes: from its value and derivative.
template <Scalar T> void rates_of(const ModelOf<T>& model, In<Dual<T>> q, Out<T> v) {
  require_size(q, model.nq(), "q");
  require_size(v, model.nv(), "v");
  // The quaternion at i without its derivative.
  const auto plain = [&](int i) { return Quaternion<T>{q[i].x, q[i + 1].x, q[i + 2].x, q[i + 3].x}; };
  detail::for_joints<T>(
      model, [&](int i, int k) { v[k] = q[i].d; },
      [&](int i, int k) {  // q' = q (0, w)/2
        const Quaternion<T> w = conjugate(plain(i)) * Quaternion<T>{q[i].d, q[i + 1].d, q[i + 2].d, q[i + 3].d};
        detail::put<T>(v, k, Vec3<T>{w.x + w.x, w.y + w.y, w.z + w.z});
      },
      [&](int i, int k) {
        detail::put<T>(v, k + 3, back(rotation(plain(i + 3)), Vec3<T>{q[i].d, q[i + 1].d, q[i + 2].d}));
      });
}

/// Coordinates around one posture, its centre. Not to be used by two threads at once while it moves.
class Chart {
 public:
  Chart(const Model& model, std::span<const double> q) : model_(&model), centre_(q.begin(), q.end()) {}

  std::span<const double> centre() const { return centre_; }
  void move_to(std::span<const double> q) { std::copy(q.begin(), q.end(), centre_.begin()); }

  /// q at x.
  void place(std::span<const double> x, std::span<double> q) const { place_around<double>(*model_, centre_, x, q); }
  /// x' at x, where q = place(x) moves with v.
  void rates(std::span<const double> x, std::span<const double> q, std::span<const double> v,
             std::span<double> rate) const {
    rates_around<double>(*model_, centre_, x, q, v, rate);
  }
  /// The v with which q = place(x) moves by x'.
  void velocities(std::span<const double> x, std::span<const double> q, std::span<const double> rate,
                  std::span<double> v) const {
    detail::for_joints<double>(
        *model_, [&](int, int k) { v[k] = rate[k]; },
        [&](int, int k) {
          detail::put<double>(v, k, detail::displacement(-detail::vec<double>(x, k), detail::vec<double>(rate, k)));
        },
        [&](int i, int k) {
          detail::put<double>(v, k + 3,
                              back(detail::turned<double>(centre_, q, i + 3), detail::vec<double>(rate, k + 3)));
        });
  }
  /// The size of the coordinates that x is added to, which tolerances are relative to: 1 for rotations, the whole
  /// length for positions, whatever their axes.
  void magnitudes(std::span<const double> q, std::span<double> size) const {
    const auto fill = [&](int k, double all) { detail::put<double>(size, k, Vec3<double>{all, all, all}); };
    detail::for_joints<double>(
        *model_, [&](int i, int k) { size[k] = std::abs(q[i]); }, [&](int, int k) { fill(k, 1); },
        [&](int i, int k) { fill(k + 3, norm(detail::vec<double>(q, i))); });
  }

 private:
  const Model* model_;
  std::vector<double> centre_;
};

}  // namespace denoc
