// The derivatives of one instruction set: DENOC_DERIVATIVE_KERNELS(avx2, 32) in a file compiled for it, as
// pack_kernels.hpp. The accelerations that forward dynamics gives come from its own kernel.
#pragma once
#include "denoc/dynamics/derivatives/forward.hpp"
#include "pack_rows.hpp"
#include "scattering.hpp"

namespace denoc::batch {

// Rows from packs that stand anywhere. Returned: zero in the lanes whose numbers are all finite, NaN in the others, as
// 0 x is.
template <class E, int W, class Isa>
Pack<E, W, Isa> scatter(const Pack<E, W, Isa>* packs, const Scattering& by, int count, E* rows) {
  constexpr int C = std::min(W, 4);
  const Pack<E, W, Isa> zero(E(0));
  Pack<E, W, Isa> sum = zero, other = zero;
  const size_t n = by.numbers();
  const auto write = [&](auto& block, int to) DENOC_INLINED {
    E* const first = rows + to;
    if (count == W)
      block.write([&](int l) DENOC_INLINED { return first + size_t(l) * n; });
    else
      block.write([&](int l) DENOC_INLINED { return l < count ? first + size_t(l) * n : nullptr; });
  };
  if (!by.is_complete()) std::memset(rows, 0, size_t(count) * n * sizeof(E));
  for (const Scattering::Four& four : by.fours())
    for (int h = 0; h < 4; h += C) {
      Block<E, W, C, Isa> block;
      for (int j = 0; j < C; ++j) block.pack[j] = packs[four.from[h + j]].v;
      for (int j = 0; j < C; j += 2) {
        sum.v += zero.v * block.pack[j];
        other.v += zero.v * block.pack[j + 1];
      }
      write(block, four.to + h);
    }
  for (const Scattering::Move& one : by.ones()) {
    Block<E, W, 1, Isa> block;
    block.pack[0] = packs[one.from].v;
    sum.v += zero.v * block.pack[0];
    write(block, one.to);
  }
  return sum + other;
}

template <class T> struct DerivativeScratch {
  Configuration<T> at;
  InverseDerivativesScratch<T> inverse;
  BranchSystem<T> system;
  struct Whole {
    Scattering q, v, x;
  } of_tau, of_a;
  std::vector<T> q, v, a;
  explicit DerivativeScratch(const Model& model)
      : at(model),
        inverse(model),
        system(inverse.branches),
        of_tau{from_triangles(inverse.branches, of_q_upper, of_q_lower),
               from_triangles(inverse.branches, of_v_upper, of_v_lower),
               from_triangles(inverse.branches, of_inertia, of_inertia)},
        of_a{solved(1), solved(2), solved(0)},
        q(model.nq()),
        v(model.nv()),
        a(model.nv()) {}

 private:
  Scattering solved(int part) const {
    return from_system(inverse.branches, {system.trees.data(), system.trees.size()}, part, system.zero());
  }
};

template <int W, class Isa>
void evaluate_triangles(const Model& model, const Rows<double>& rows, DerivativeScratch<Pack<double, W, Isa>>& s) {
  using T = Pack<double, W, Isa>;
  gather(rows.q, rows.count, s.q);
  gather(rows.v, rows.count, s.v);
  gather(rows.x, rows.count, s.a);
  place<T>(model, s.q, s.at);
  derivative_triangles<T>(model, s.at, s.v, s.a, s.inverse);
}
template <int W, class Isa>
void hand_over(const Rows<double>& rows, const DerivativeScratch<Pack<double, W, Isa>>& s,
               const Pack<double, W, Isa>* packs, const typename DerivativeScratch<Pack<double, W, Isa>>::Whole& whole,
               const Matrices& to) {
  const auto sum = unless_finite<double, W, Isa>({&s.q, &s.v, &s.a}) + scatter(packs, whole.q, rows.count, to.dq) +
                   scatter(packs, whole.v, rows.count, to.dv) + scatter(packs, whole.x, rows.count, to.dx);
  for (int l = 0; l < rows.count; ++l)
    if (!(sum.v[l] == 0) && rows.status[l] == RowStatus::done) rows.status[l] = RowStatus::not_finite;
}

template <int W, class Isa>
void inverse_derivatives(const Model& model, void* scratch, const Rows<double>& rows, const Matrices& to) {
  auto& s = *static_cast<DerivativeScratch<Pack<double, W, Isa>>*>(scratch);
  evaluate_triangles<W, Isa>(model, rows, s);
  hand_over<W, Isa>(rows, s, s.inverse.triangles.data(), s.of_tau, to);
}
template <int W, class Isa>
void forward_derivatives(const Model& model, void* scratch, const Rows<double>& rows, const Matrices& to) {
  using T = Pack<double, W, Isa>;
  auto& s = *static_cast<DerivativeScratch<T>*>(scratch);
  evaluate_triangles<W, Isa>(model, rows, s);
  set_system<T>(s.inverse, s.system);
  solve_branches<T>(s.inverse.branches, s.system);
  hand_over<W, Isa>(rows, s, s.system.entries.data(), s.of_a, to);
}

template <int W, class Isa> constexpr DerivativeKernels derivative_kernels_of() {
  using S = DerivativeScratch<Pack<double, W, Isa>>;
  return {[](const Model& model) -> void* { return new S(model); }, [](void* s) { delete static_cast<S*>(s); },
          inverse_derivatives<W, Isa>, forward_derivatives<W, Isa>};
}

#define DENOC_DERIVATIVE_KERNELS(isa, bytes)                                                           \
  namespace denoc::batch {                                                                             \
  namespace {                                                                                          \
  struct isa {};                                                                                       \
  }                                                                                                    \
  const DerivativeKernels& isa##_derivatives() {                                                       \
    static constexpr DerivativeKernels kernels = derivative_kernels_of<bytes / sizeof(double), isa>(); \
    return kernels;                                                                                    \
  }                                                                                                    \
  }

}  // namespace denoc::batch
