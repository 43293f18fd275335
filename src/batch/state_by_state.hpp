// Batches of what packs do not know, row by row: each thread has a Dynamics, which knows everything.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "denoc/batch/batch.hpp"
#include "kernels.hpp"

namespace denoc::batch {

enum class Problem { inverse, forward, inverse_derivatives, forward_derivatives };

template <class E> bool is_finite(std::span<const E> x) {
  return std::all_of(x.begin(), x.end(), [](E each) { return std::isfinite(each); });
}

// Rows of all states. x: a or tau; y: the other, nv numbers for each state, or the derivatives by q, v and x, nv x nv.
template <class E> struct AllRows {
  std::span<const E> q, v, x;
  std::array<std::span<E>, 3> y;
  std::span<RowStatus> status;
  std::span<const RowWrenches<E>> wrenches;
};

// Whether all that is given in a row is numbers, its wrenches too.
template <class E> bool is_given(const AllRows<E>& rows, size_t i, size_t nq, size_t nv) {
  return is_finite(rows.q.subspan(i * nq, nq)) && is_finite(rows.v.subspan(i * nv, nv)) &&
         is_finite(rows.x.subspan(i * nv, nv)) &&
         std::all_of(rows.wrenches.begin(), rows.wrenches.end(),
                     [&](const RowWrenches<E>& each) { return is_finite(row_of(each, i)); });
}

class StateByState {
 public:
  // Mechanism and executor must outlive it. The memory is taken with the first run.
  StateByState(const Mechanism& mechanism, Executor& executor, Forces forces, Loops loops)
      : mechanism_(mechanism), executor_(executor), forces_(forces), loops_(loops) {}

  template <class E> void run(Problem problem, const AllRows<E>& rows, int count);
  // Throws ArgumentError for wrenches that do not fit `count` rows.
  template <class E> void require_wrenches(const AllRows<E>& rows, int count) const;
  // One row, by a thread of the executor; the memory must have been taken.
  template <class E> void one(int thread, Problem problem, const AllRows<E>& rows, size_t i);
  void take_memory(size_t wrenches);

 private:
  // What a thread works with; rows of float become doubles here.
  struct Hand {
    Dynamics dynamics;
    std::vector<double> q, v, x;
    std::vector<BodyWrench<double>> wrenches;
  };
  template <class E> RowStatus row(Problem problem, const AllRows<E>& rows, size_t i, Hand& hand) const;

  const Mechanism& mechanism_;
  Executor& executor_;
  Forces forces_;
  Loops loops_;
  std::vector<Hand> hands_ = {};
};

}  // namespace denoc::batch
