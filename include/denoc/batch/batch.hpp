// Dynamics of one robot at many states: arrays of count x n numbers, a row per state, in the order of q and v. Several
// states go through one call of the recursions (SIMD), and several threads share the rows. A row's result does not
// depend on the other rows, on its place among them or on the number of threads.
#pragma once
#include <memory>
#include <span>

#include "denoc/batch/executor.hpp"
#include "denoc/mechanism/mechanism.hpp"

namespace denoc {

/// Of one state: a batch does not throw for a single bad row.
enum class RowStatus : unsigned char {
  done,
  singular,   // a pivot is not positive beyond rounding: the row's accelerations are NaN
  not_finite  // the row has entries that are not finite, or its result has
};

/// E is double or float; the model is that of E.
template <class E> class Batch {
 public:
  // Not to be used by two threads at once. The executor must outlive the batch.
  // Throws NotCovered for a mechanism with loops: a batch does not close them. Springs, friction and stops are left
  // out.
  Batch(const Mechanism& mechanism, Executor& executor);
  // Of the tree alone, which must outlive the batch.
  Batch(const BasicModel<E>& model, Executor& executor);
  ~Batch();

  // tau (count x nv) from q (count x nq), v, a; status (count), unless empty. Throws ArgumentError when a size
  // is wrong.
  void inverse_dynamics(std::span<const E> q, std::span<const E> v, std::span<const E> a, std::span<E> tau,
                        std::span<RowStatus> status = {});
  // a from q, v, tau.
  void forward_dynamics(std::span<const E> q, std::span<const E> v, std::span<const E> tau, std::span<E> a,
                        std::span<RowStatus> status = {});

  // States that go through one call of the recursions, and the instruction set in use ("sse2", "avx2", "avx512").
  int lanes() const;
  const char* instruction_set() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

extern template class Batch<double>;
extern template class Batch<float>;

}  // namespace denoc
