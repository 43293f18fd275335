// Joint rates from the twist of a body, joint accelerations from its rate: J v = t, J a = t' - J' v.   [Angeles7
// exercise 7.3] J = 6 x n is solved by Householder reflections, without branches: least squares for n < 6, the shortest
// v for n > 6.
#pragma once
#include "denoc/error.hpp"
#include "denoc/kinematics/kinematics.hpp"

namespace denoc {

/// The body's Jacobian has not full rank to rounding: the posture is singular, or the joints cannot give any twist.
class SingularPosture : public Error {
 public:
  using Error::Error;
};

/// The memory of joint_rates and joint_accelerations. One for each thread.
template <Scalar T> struct InverseRatesScratch {
  std::vector<T> jacobian, tall;  // J; the taller of J and J^T by columns, then its reflections and R
  std::vector<T> diagonal, x;
  std::vector<T> zero;
  explicit InverseRatesScratch(const ModelOf<T>& model)
      : jacobian(6 * model.nv()),
        tall(6 * model.nv()),
        diagonal(6),
        x(std::max(6, model.nv())),
        zero(model.nv(), T(0)) {}
};

namespace detail {
// A (rows x cols, cols <= rows, by columns) = Q R: column j keeps its reflection below and R above the diagonal.
template <Scalar T> void reflect(std::span<T> a, int rows, int cols, std::span<T> diagonal) {
  using R = Real<T>;
  for (int j = 0; j < cols; ++j) {
    T* u = &a[j * rows];
    T ss(0);
    for (int i = j; i < rows; ++i) ss += u[i] * u[i];
    const T length = sqrt(ss), alpha = select(u[j] < T(0), length, -length);
    diagonal[j] = alpha;
    u[j] -= alpha;
    const T uu = ss - alpha * (u[j] + alpha),
            scale = select(T(0) < uu, T(R(1)) / select(T(0) < uu, uu, T(1)), T(0));  // 2/|u|^2
    for (int k = j + 1; k < cols; ++k) {
      T* y = &a[k * rows];
      T uy(0);
      for (int i = j; i < rows; ++i) uy += u[i] * y[i];
      for (int i = j; i < rows; ++i) y[i] -= u[i] * (uy * scale);
    }
  }
}
// Q^T y (in order) or Q y (backwards).
template <Scalar T> void reflected(std::span<const T> a, int rows, int cols, bool backwards, std::span<T> y) {
  for (int step = 0; step < cols; ++step) {
    const int j = backwards ? cols - 1 - step : step;
    const T* u = &a[j * rows];
    T uu(0), uy(0);
    for (int i = j; i < rows; ++i) {
      uu += u[i] * u[i];
      uy += u[i] * y[i];
    }
    const T scale = select(T(0) < uu, T(2) / select(T(0) < uu, uu, T(1)), T(0));
    for (int i = j; i < rows; ++i) y[i] -= u[i] * (uy * scale);
  }
}
// |R| |R^-1| of an upper triangular matrix of at most six columns. Its diagonal alone does not tell: without exchange
// of columns the least entry may be 1e4 times larger than the least singular value.
template <class R, class Entry> R condition(int n, Entry&& entry) {
  R size(0), inverse_size(0), column[6];
  for (int k = 0; k < n; ++k) {
    for (int i = k; i >= 0; --i) {  // R column = e_k
      R sum(i == k ? 1 : 0);
      for (int j = i + 1; j <= k; ++j) sum -= entry(i, j) * column[j];
      column[i] = sum / entry(i, i);
      inverse_size += column[i] * column[i];
      size += entry(i, k) * entry(i, k);
    }
  }
  return std::sqrt(size) * std::sqrt(inverse_size);
}
}  // namespace detail

/// v with J v = t; t is velocity_in_world of the body. Needs positions in kin. Throws SingularPosture, and
/// ArgumentError for a body or a size that is wrong.
template <Scalar T>
void joint_rates(const ModelOf<T>& model, const Kinematics<T>& kin, int body, const Twist<T>& t,
                 InverseRatesScratch<T>& s, Out<T> v) {
  using R = Real<T>;
  const int n = model.nv(), rows = std::max(6, n), cols = std::min(6, n);
  require_size(v, n, "v");
  jacobian_in_world<T>(model, kin, body, s.jacobian);
  for (int r = 0; r < 6; ++r)
    for (int k = 0; k < n; ++k) (n < 6 ? s.tall[k * rows + r] : s.tall[r * rows + k]) = s.jacobian[r * n + k];
  detail::reflect<T>(s.tall, rows, cols, s.diagonal);
  const auto R_entry = [&](int i, int j) { return i == j ? s.diagonal[j] : s.tall[j * rows + i]; };
  if (!(detail::condition<R>(cols, [&](int i, int j) { return value(R_entry(i, j)); }) <
        1 / (R(64) * std::numeric_limits<R>::epsilon())))
    throw SingularPosture("body '" + model.robot().bodies[body].name +
                          "': its Jacobian is singular at this posture; move the robot away from it");
  const T given[] = {t.w.x, t.w.y, t.w.z, t.v.x, t.v.y, t.v.z};
  if (n < 6) {  // J = Q R:  R v = Q^T t
    for (int i = 0; i < 6; ++i) s.x[i] = given[i];
    detail::reflected<T>(s.tall, rows, cols, false, s.x);
    for (int i = cols - 1; i >= 0; --i) {
      T sum = s.x[i];
      for (int j = i + 1; j < cols; ++j) sum -= R_entry(i, j) * v[j];
      v[i] = sum / s.diagonal[i];
    }
  } else {  // J^T = Q R:  R^T y = t,  v = Q y
    for (int i = 0; i < n; ++i) s.x[i] = T(0);
    for (int i = 0; i < 6; ++i) {
      T sum = given[i];
      for (int j = 0; j < i; ++j) sum -= R_entry(j, i) * s.x[j];
      s.x[i] = sum / s.diagonal[i];
    }
    detail::reflected<T>(s.tall, rows, cols, true, s.x);
    for (int k = 0; k < n; ++k) v[k] = s.x[k];
  }
}

/// a with J a = t' - J' v; t' is acceleration_in_world of the body, v the joint rates. Needs positions and
/// velocities(v) in kin, and leaves there the accelerations for a = 0. Throws SingularPosture.
template <Scalar T>
void joint_accelerations(const ModelOf<T>& model, Kinematics<T>& kin, int body, In<T> v, const Twist<T>& rate,
                         InverseRatesScratch<T>& s, Out<T> a) {
  accelerations<T>(model, v, s.zero, kin);
  const Twist<T> without = acceleration_in_world<T>(model, kin, body);
  joint_rates<T>(model, kin, body, {rate.w - without.w, rate.v - without.v}, s, a);
}

}  // namespace denoc
