// The kernels of a processor that no packs are compiled for: one row after the other, by the recursions that one state
// takes, which the library has anyway. float is computed in double.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "denoc/dynamics/forward/denoc.hpp"
#include "kernels.hpp"

namespace denoc::batch {

template <class E> struct RowScratch {
  std::optional<const Model> own;  // where the batch's model is in float
  const Model& model;
  Configuration<double> at;
  ForwardScratch<double> forward;
  std::vector<double> q, v, x, y;
  std::vector<BodyWrench<double>> wrenches = {};
  std::vector<double> numbers = {};  // six of each wrench

  explicit RowScratch(const BasicModel<E>& given)
      : model(in_double(given)),
        at(model),
        forward(model),
        q(model.nq()),
        v(model.nv()),
        x(model.nv()),
        y(model.nv()) {}
  RowScratch(const RowScratch&) = delete;

  void take(const Rows<E>& rows, int row) {
    const auto copy = [&](const E* from, std::vector<double>& to) {
      std::copy_n(from + size_t(row) * to.size(), to.size(), to.begin());
    };
    copy(rows.q, q);
    copy(rows.v, v);
    copy(rows.x, x);
    wrenches.clear();
    numbers.clear();
    for (const RowWrenches<E>& each : rows.wrenches) {
      const auto w = row_of(each, rows.first + size_t(row));
      numbers.insert(numbers.end(), w.begin(), w.end());
      wrenches.push_back({each.body, {{w[0], w[1], w[2]}, {w[3], w[4], w[5]}}});
    }
  }
  // The result goes to its row, and what is to be said of it to the status.
  void give(const Rows<E>& rows, int row, bool singular) const {
    E* const to = rows.y + size_t(row) * y.size();
    for (size_t k = 0; k < y.size(); ++k) to[k] = E(y[k]);
    if (rows.status == nullptr) return;
    const auto are_finite = [](const auto& all) {
      return std::all_of(all.begin(), all.end(), [](auto each) { return std::isfinite(each); });
    };
    const bool given = are_finite(q) && are_finite(v) && are_finite(x) && are_finite(numbers);
    rows.status[row] = singular && given                              ? RowStatus::singular
                       : given && are_finite(std::span(to, y.size())) ? RowStatus::done
                                                                      : RowStatus::not_finite;
  }

 private:
  const Model& in_double(const BasicModel<E>& given) {
    if constexpr (std::is_same_v<E, double>)
      return given;
    else
      return own.emplace(given.robot());
  }
};

template <class E> void inverse_rows(const BasicModel<E>&, void* scratch, const Rows<E>& rows) {
  auto& s = *static_cast<RowScratch<E>*>(scratch);
  for (int row = 0; row < rows.count; ++row) {
    s.take(rows, row);
    place<double>(s.model, s.q, s.at);
    inverse_dynamics<double>(s.model, s.at, s.v, s.x, s.forward.inverse, s.y, s.wrenches);
    s.give(rows, row, false);
  }
}

// Joints that follow others are a matter of Dynamics here: it is asked where a row has no result.
template <class E> void forward_rows(const BasicModel<E>&, void* scratch, const Rows<E>& rows) {
  auto& s = *static_cast<RowScratch<E>*>(scratch);
  for (int row = 0; row < rows.count; ++row) {
    s.take(rows, row);
    bool singular = !rows.couplings.empty();
    if (!singular) try {
        place<double>(s.model, s.q, s.at);
        forward_dynamics<double>(s.model, s.at, s.v, s.x, s.forward, s.y, s.wrenches);
      } catch (const SingularInertia&) {
        singular = true;
      }
    if (singular) std::fill(s.y.begin(), s.y.end(), std::numeric_limits<double>::quiet_NaN());
    s.give(rows, row, singular);
  }
}

template <class E> constexpr Kernels<E> row_kernels(const char* name, const DerivativeKernels& (*derivatives)()) {
  return {name,
          1,
          [](const BasicModel<E>& model) -> void* { return new RowScratch<E>(model); },
          [](void* scratch) { delete static_cast<RowScratch<E>*>(scratch); },
          inverse_rows<E>,
          forward_rows<E>,
          derivatives};
}

}  // namespace denoc::batch
