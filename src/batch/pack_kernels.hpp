// The kernels of one instruction set: DENOC_KERNELS(avx2, 32) in a file compiled for it. Everything here carries Isa in
// its type, so that no symbol is shared with files compiled for another (scripts/isa_symbols checks it).
#pragma once
#include <algorithm>

#include "denoc/dynamics/forward/denoc.hpp"
#include "kernels.hpp"
#include "pack_rows.hpp"

namespace denoc::batch {

template <class E, int W, class Isa> struct Scratch {
  using T = Pack<E, W, Isa>;
  Configuration<T> at;
  ForwardScratch<T> forward;
  std::vector<T> q, v, x, y;
  std::vector<BodyWrench<T>> wrenches = {};
  std::vector<T> numbers = {};                                // six of each wrench
  std::vector<T> columns = {}, schur = {}, multipliers = {};  // of couplings
  explicit Scratch(const BasicModel<E>& model)
      : at(model), forward(model), q(model.nq()), v(model.nv()), x(model.nv()), y(model.nv()) {}
};

template <class E, int W, class Isa> void gather_rows(const Rows<E>& rows, Scratch<E, W, Isa>& s) {
  gather(rows.q, rows.count, s.q);
  gather(rows.v, rows.count, s.v);
  gather(rows.x, rows.count, s.x);
}

// v, which brings the next rows to the nearest cache while it is read: a line of each array with every entry. Asked for
// all at once they would hold up the recursions.
template <class E, int W, class Isa> class Announcing : public std::span<const Pack<E, W, Isa>> {
 public:
  using T = Pack<E, W, Isa>;
  Announcing(const BasicModel<E>& model, const Rows<E>& rows, const std::vector<T>& v)
      : std::span<const T>(v),
        q_(rows.q + size_t(rows.next) * model.nq()),
        v_(rows.v + size_t(rows.next) * model.nv()),
        x_(rows.x + size_t(rows.next) * model.nv()),
        y_(rows.y + size_t(rows.next) * model.nv()) {}
  DENOC_INLINE const T& operator[](size_t k) const {
    for (const E* rows : {q_, v_, x_}) __builtin_prefetch(rows + k * W);
    __builtin_prefetch(y_ + k * W, 1);
    return this->data()[k];
  }

 private:
  const E *q_, *v_, *x_, *y_;
};

// How each row went. Where nothing is wrong, which is nearly always, one look at all lanes tells.
template <class E, int W, class Isa>
DENOC_INLINE void judge(const Rows<E>& rows, const Scratch<E, W, Isa>& s,
                        const typename Pack<E, W, Isa>::Mask& singular) {
  using T = Pack<E, W, Isa>;
  if (rows.status == nullptr) return;
  std::fill_n(rows.status, rows.count, RowStatus::done);
  const T given = unless_finite<E, W, Isa>({&s.q, &s.v, &s.x, &s.numbers}),
          all = given + unless_finite<E, W, Isa>({&s.y});
  if (__builtin_expect(!T::any(all.v != 0), 1)) return;
  for (int l = 0; l < rows.count; ++l)
    if (all.v[l] != 0) rows.status[l] = singular[l] && given.v[l] == 0 ? RowStatus::singular : RowStatus::not_finite;
}

// What wrenches take off the joints.
template <class E, int W, class Isa>
void relieve(const BasicModel<E>& model, const Rows<E>& rows, Scratch<E, W, Isa>& s) {
  using T = Pack<E, W, Isa>;
  s.numbers.clear();
  if (rows.wrenches.empty()) return;
  s.wrenches.clear();
  for (const RowWrenches<E>& each : rows.wrenches) {
    for (size_t k = 0; k < 6; ++k) {
      T& x = s.numbers.emplace_back(each.numbers[k]);
      if (each.numbers.size() == 6) continue;
      for (int l = 0; l < W; ++l) x.v[l] = each.numbers[(rows.first + size_t(std::min(l, rows.count - 1))) * 6 + k];
    }
    const T* const w = &s.numbers.back() - 5;
    s.wrenches.push_back({each.body, {{w[0], w[1], w[2]}, {w[3], w[4], w[5]}}});
  }
  relieve_joints<T>(model, s.wrenches, s.forward.inverse);
}

// y becomes the acceleration that keeps joints following others. Of each coupling J = ratio e_l - e_f, and
//   I a = I y + J^T lambda,  J a = 0:   (J I^-1 J^T) lambda = -J y
// The rows there are few; J I^-1 J^T = L D L^T is symmetric and positive. A pivot that is not leaves NaN.
template <class E, int W, class Isa>
void follow(const BasicModel<E>& model, std::span<const Coupling<E>> couplings, Scratch<E, W, Isa>& s) {
  using T = Pack<E, W, Isa>;
  const size_t n = s.y.size(), m = couplings.size();
  s.columns.assign(m * n, T(E(0)));
  s.schur.resize(m * m);
  s.multipliers.resize(m);
  const auto across = [](const Coupling<E>& c, const T* x) { return x[c.leader.v] * T(c.ratio) - x[c.follower.v]; };
  for (size_t j = 0; j < m; ++j) {
    const std::span<T> column(s.columns.data() + j * n, n);
    column[couplings[j].leader.v] = T(couplings[j].ratio);
    column[couplings[j].follower.v] = T(E(-1));
    solve_upper<T>(model, s.at, s.forward.factor, column, s.forward.solve, s.forward.solve.phi_hat);
    solve_lower<T>(model, s.at, s.forward.factor, s.forward.solve.phi_hat, s.forward.solve, column);
    for (size_t i = 0; i < m; ++i) s.schur[i * m + j] = across(couplings[i], column.data());
    s.multipliers[j] = -across(couplings[j], s.y.data());
  }
  // L below the diagonal, D on it
  T* const S = s.schur.data();
  for (size_t j = 0; j < m; ++j) {
    for (size_t k = 0; k < j; ++k) S[j * m + j] -= S[j * m + k] * S[j * m + k] * S[k * m + k];
    S[j * m + j] = select(T(E(0)) < S[j * m + j], S[j * m + j], T(std::numeric_limits<E>::quiet_NaN()));
    for (size_t i = j + 1; i < m; ++i) {
      for (size_t k = 0; k < j; ++k) S[i * m + j] -= S[i * m + k] * S[j * m + k] * S[k * m + k];
      S[i * m + j] = S[i * m + j] / S[j * m + j];
    }
  }
  for (size_t i = 0; i < m; ++i)
    for (size_t k = 0; k < i; ++k) s.multipliers[i] -= S[i * m + k] * s.multipliers[k];
  for (size_t i = 0; i < m; ++i) s.multipliers[i] = s.multipliers[i] / S[i * m + i];
  for (size_t i = m; i-- > 0;)
    for (size_t k = i + 1; k < m; ++k) s.multipliers[i] -= S[k * m + i] * s.multipliers[k];
  for (size_t j = 0; j < m; ++j)
    for (size_t k = 0; k < n; ++k) s.y[k] += s.columns[j * n + k] * s.multipliers[j];
  for (const Coupling<E>& each : couplings) s.y[each.follower.v] = s.y[each.leader.v] * T(each.ratio);
}

// Where a pivot may be nothing but rounding, as dynamics/singular_inertia.hpp has it for one state.
template <class E, int W, class Isa>
typename Pack<E, W, Isa>::Mask without_inertia(const BasicModel<E>& model, Scratch<E, W, Isa>& s) {
  using T = Pack<E, W, Isa>;
  Factor<T>& factor = s.forward.factor;
  typename T::Mask singular{};
  const auto asked = ~detail::is_every_x_short<T>(model, [&](int k) { return factor.d_inv[k]; });
  if (__builtin_expect(!T::any(asked), 1)) return singular;
  std::fill(factor.lifted.begin(), factor.lifted.end(), T(E(0)));
  for (int pattern = 0; pattern < detail::sign_patterns; ++pattern) {
    std::vector<T>& x = factor.check.phi_hat;
    for (int k = 0; k < model.nv(); ++k) x[k] = T(detail::signed_part(std::sqrt(model.pivot_floor(k)), k, pattern));
    solve_upper<T>(model, s.at, factor, x, factor.check, x);
    for (int k = 0; k < model.nv(); ++k) factor.lifted[k] += x[k] * x[k] * T(E(1) / detail::sign_patterns);
  }
  for (int k = 0; k < model.nv(); ++k) {
    const auto above = [&](T floor) { return (factor.d_inv[k].v > 0) & (factor.d_inv[k].v * floor.v < 1); };
    singular |= ~(above(T(model.pivot_floor(k))) & above(factor.lifted[k]));
  }
  return singular & asked;  // a row does not ask what its neighbours are
}

template <class E, int W, class Isa> void inverse(const BasicModel<E>& model, void* scratch, const Rows<E>& rows) {
  using T = Pack<E, W, Isa>;
  auto& s = *static_cast<Scratch<E, W, Isa>*>(scratch);
  gather_rows(rows, s);
  place<T>(model, s.q, s.at);
  body_wrenches<T>(model, s.at, Announcing<E, W, Isa>(model, rows, s.v), std::span<const T>(s.x), s.forward.inverse);
  relieve(model, rows, s);
  project_to_joints<T>(model, s.at, s.forward.inverse, s.y);
  add_rotors<T>(model, s.x, s.y);
  scatter(s.y, rows.count, rows.y);
  judge(rows, s, typename T::Mask{});
}

template <class E, int W, class Isa> void forward(const BasicModel<E>& model, void* scratch, const Rows<E>& rows) {
  using T = Pack<E, W, Isa>;
  auto& s = *static_cast<Scratch<E, W, Isa>*>(scratch);
  gather_rows(rows, s);
  place<T>(model, s.q, s.at);
  body_wrenches<T>(model, s.at, Announcing<E, W, Isa>(model, rows, s.v), Zero{}, s.forward.inverse);
  relieve(model, rows, s);
  eliminate_loaded_joints<T>(model, s.at, s.x, s.forward);
  solve_lower<T>(model, s.at, s.forward.factor, s.forward.solve.phi_hat, s.forward.solve, s.y);
  if (!rows.couplings.empty()) follow(model, rows.couplings, s);
  const typename T::Mask singular = without_inertia(model, s);
  if (__builtin_expect(T::any(singular), 0))
    for (T& y : s.y) y = select(singular, T(std::numeric_limits<E>::quiet_NaN()), y);
  scatter(s.y, rows.count, rows.y);
  judge(rows, s, singular);
}

template <class E, int W, class Isa>
constexpr Kernels<E> kernels_of(const char* name, const DerivativeKernels& (*derivatives)()) {
  return {name,
          W,
          [](const BasicModel<E>& model) -> void* { return new Scratch<E, W, Isa>(model); },
          [](void* scratch) { delete static_cast<Scratch<E, W, Isa>*>(scratch); },
          inverse<E, W, Isa>,
          forward<E, W, Isa>,
          derivatives};
}

#define DENOC_KERNELS(isa, bytes)                                                                         \
  namespace denoc::batch {                                                                                \
  namespace {                                                                                             \
  struct isa {};                                                                                          \
  }                                                                                                       \
  template <class E> const Kernels<E>& isa##_kernels() {                                                  \
    static constexpr Kernels<E> kernels = kernels_of<E, bytes / sizeof(E), isa>(#isa, isa##_derivatives); \
    return kernels;                                                                                       \
  }                                                                                                       \
  template const Kernels<float>& isa##_kernels<float>();                                                  \
  template const Kernels<double>& isa##_kernels<double>();                                                \
  }

}  // namespace denoc::batch
