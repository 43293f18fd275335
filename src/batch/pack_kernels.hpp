// The kernels of one instruction set: DENOC_KERNELS(avx2, 32) in a file compiled for it. Everything here carries Isa in
// its type, so that no symbol is shared with files compiled for another (scripts/isa_symbols checks it).
#pragma once
#include "denoc/dynamics/forward/denoc.hpp"
#include "denoc/scalar/pack.hpp"
#include "kernels.hpp"
#include "transpose.hpp"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

namespace denoc::batch {

template <class E, int W, class Isa> struct Scratch {
  using T = Pack<E, W, Isa>;
  Configuration<T> at;
  ForwardScratch<T> forward;
  std::vector<T> q, v, x, y;
  explicit Scratch(const BasicModel<E>& model)
      : at(model), forward(model), q(model.nq()), v(model.nv()), x(model.nv()), y(model.nv()) {}
};

// f(column) for blocks of C columns; the last may overlap the one before. What has fewer columns goes one at a time.
template <int W, class F> DENOC_INLINE void by_blocks(size_t n, F&& f) {
  constexpr size_t C = std::min(W, 4);
  if (n < C)
    for (size_t k = 0; k < n; ++k) f(k, std::integral_constant<int, 1>{});
  else
    for (size_t k = 0; k < n; k += C) f(std::min(k, n - C), std::integral_constant<int, int(C)>{});
}
// A short last pack is filled up with its last row.
template <class E, int W, class Isa> void gather(const E* rows, int count, std::vector<Pack<E, W, Isa>>& packs) {
  const size_t n = packs.size();
  const auto from = [&](auto row) DENOC_INLINED {
    by_blocks<W>(n, [&](size_t column, auto width) DENOC_INLINED {
      Block<E, W, width, Isa> block;
      block.read([&](int l) DENOC_INLINED { return rows + row(l) * n + column; });
      for (int j = 0; j < width; ++j) packs[column + j].v = block.pack[j];
    });
  };
  if (count == W)
    from([](int l) DENOC_INLINED { return size_t(l); });
  else
    from([&](int l) DENOC_INLINED { return size_t(std::min(l, count - 1)); });
}
template <class E, int W, class Isa> void scatter(const std::vector<Pack<E, W, Isa>>& packs, int count, E* rows) {
  const size_t n = packs.size();
  const auto to = [&](auto there) DENOC_INLINED {
    by_blocks<W>(n, [&](size_t column, auto width) DENOC_INLINED {
      Block<E, W, width, Isa> block;
      for (int j = 0; j < width; ++j) block.pack[j] = packs[column + j].v;
      block.write([&](int l) DENOC_INLINED { return there(l) ? rows + l * n + column : nullptr; });
    });
  };
  if (count == W)
    to([](int) DENOC_INLINED { return true; });
  else
    to([&](int l) DENOC_INLINED { return l < count; });
}

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

// x - x is zero for what is finite, and NaN otherwise.
template <class E, int W, class Isa> void judge(const Rows<E>& rows, const Scratch<E, W, Isa>& s) {
  if (rows.status == nullptr) return;
  Pack<E, W, Isa> sum(E(0));
  for (const auto* packs : {&s.q, &s.v, &s.x, &s.y})
    for (const auto& p : *packs) sum += p - p;
  for (int l = 0; l < rows.count; ++l) rows.status[l] = sum.v[l] == E(0) ? RowStatus::done : RowStatus::not_finite;
}

template <class E, int W, class Isa> void inverse(const BasicModel<E>& model, void* scratch, const Rows<E>& rows) {
  using T = Pack<E, W, Isa>;
  auto& s = *static_cast<Scratch<E, W, Isa>*>(scratch);
  gather_rows(rows, s);
  place<T>(model, s.q, s.at);
  body_wrenches<T>(model, s.at, Announcing<E, W, Isa>(model, rows, s.v), std::span<const T>(s.x), s.forward.inverse);
  project_to_joints<T>(model, s.at, s.forward.inverse, s.y);
  add_rotors<T>(model, s.x, s.y);
  scatter(s.y, rows.count, rows.y);
  judge(rows, s);
}

template <class E, int W, class Isa> void forward(const BasicModel<E>& model, void* scratch, const Rows<E>& rows) {
  using T = Pack<E, W, Isa>;
  auto& s = *static_cast<Scratch<E, W, Isa>*>(scratch);
  gather_rows(rows, s);
  place<T>(model, s.q, s.at);
  body_wrenches<T>(model, s.at, Announcing<E, W, Isa>(model, rows, s.v), Zero{}, s.forward.inverse);
  eliminate_loaded_joints<T>(model, s.at, s.x, s.forward);
  solve_lower<T>(model, s.at, s.forward.factor, s.forward.solve.phi_hat, s.forward.solve, s.y);
  // A pivot at or below its floor (or NaN): d_inv >= 1/floor, negative or NaN.
  typename T::Mask singular{};
  for (int k = 0; k < model.nv(); ++k) {
    const auto regular = (s.forward.factor.d_inv[k].v > 0) & (s.forward.factor.d_inv[k].v * model.pivot_floor(k) < 1);
    singular |= ~regular;
  }
  for (int l = 0; l < rows.count; ++l)
    if (singular[l])
      for (T& y : s.y) y.v[l] = std::numeric_limits<E>::quiet_NaN();
  scatter(s.y, rows.count, rows.y);
  judge(rows, s);
  if (rows.status == nullptr) return;
  T inputs(E(0));
  for (const auto* packs : {&s.q, &s.v, &s.x})
    for (const auto& p : *packs) inputs += p - p;
  for (int l = 0; l < rows.count; ++l)
    if (singular[l] && inputs.v[l] == E(0)) rows.status[l] = RowStatus::singular;
}

template <class E, int W, class Isa> constexpr Kernels<E> kernels_of(const char* name) {
  return {name,
          W,
          [](const BasicModel<E>& model) -> void* { return new Scratch<E, W, Isa>(model); },
          [](void* scratch) { delete static_cast<Scratch<E, W, Isa>*>(scratch); },
          inverse<E, W, Isa>,
          forward<E, W, Isa>};
}

#define DENOC_KERNELS(isa, bytes)                                                      \
  namespace denoc::batch {                                                             \
  namespace {                                                                          \
  struct isa {};                                                                       \
  }                                                                                    \
  template <class E> const Kernels<E>& isa##_kernels() {                               \
    static constexpr Kernels<E> kernels = kernels_of<E, bytes / sizeof(E), isa>(#isa); \
    return kernels;                                                                    \
  }                                                                                    \
  template const Kernels<float>& isa##_kernels<float>();                               \
  template const Kernels<double>& isa##_kernels<double>();                             \
  }

}  // namespace denoc::batch
