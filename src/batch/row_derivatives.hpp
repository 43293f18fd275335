// The derivatives of a processor that no packs are compiled for, as row_kernels.hpp.
#pragma once
#include "denoc/dynamics/derivatives/forward.hpp"
#include "kernels.hpp"
#include "state_by_state.hpp"

namespace denoc::batch {

struct RowDerivatives {
  Configuration<double> at;
  InverseDerivativesScratch<double> inverse;
  BranchSystem<double> system;
  explicit RowDerivatives(const Model& model) : at(model), inverse(model), system(inverse.branches) {}
};

// evaluate(by) writes the three matrices of a row whose triangles are there.
template <class Evaluate>
void each_row(const Model& model, RowDerivatives& s, const Rows<double>& rows, const Matrices& to, Evaluate evaluate) {
  const size_t nq = size_t(model.nq()), nv = size_t(model.nv()), numbers = nv * nv;
  for (size_t row = 0; row < size_t(rows.count); ++row) {
    const std::span v(rows.v + row * nv, nv), x(rows.x + row * nv, nv);
    place<double>(model, {rows.q + row * nq, nq}, s.at);
    derivative_triangles<double>(model, s.at, v, x, s.inverse);
    const Matrices by{to.dq + row * numbers, to.dv + row * numbers, to.dx + row * numbers};
    evaluate(by);
    const auto are_finite = [](const double* first, size_t n) { return is_finite(std::span(first, n)); };
    const bool finite = are_finite(rows.q + row * nq, nq) && is_finite(v) && is_finite(x) &&
                        are_finite(by.dq, numbers) && are_finite(by.dv, numbers) && are_finite(by.dx, numbers);
    if (!finite && rows.status[row] == RowStatus::done) rows.status[row] = RowStatus::not_finite;
  }
}

constexpr DerivativeKernels row_derivatives() {
  return {[](const Model& model) -> void* { return new RowDerivatives(model); },
          [](void* scratch) { delete static_cast<RowDerivatives*>(scratch); },
          [](const Model& model, void* scratch, const Rows<double>& rows, const Matrices& to) {
            auto& s = *static_cast<RowDerivatives*>(scratch);
            each_row(model, s, rows, to,
                     [&](const Matrices& by) { unfold_triangles<double>(s.inverse, by.dq, by.dv, by.dx); });
          },
          [](const Model& model, void* scratch, const Rows<double>& rows, const Matrices& to) {
            auto& s = *static_cast<RowDerivatives*>(scratch);
            each_row(model, s, rows, to, [&](const Matrices& by) {
              set_system<double>(s.inverse, s.system);
              solve_branches<double>(s.inverse.branches, s.system);
              unfold_system<double>(s.inverse.branches, s.system, by.dq, by.dv, by.dx);
            });
          }};
}

}  // namespace denoc::batch
