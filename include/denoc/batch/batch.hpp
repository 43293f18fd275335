// Dynamics of one robot at many states: arrays of count x n numbers, a row per state, in the order of q and v. Several
// states go through one call of the recursions (SIMD), and several threads share the rows. Rotors, wrenches, forces of
// joints and joints that follow others in a fixed ratio go with them; what packs do not know (other loops, springs
// between points) goes state by state through a Dynamics of each thread, so that nothing is left out. A row's result does not depend on the other rows, on its place among them or on the number of threads.
#pragma once
#include <memory>
#include <span>

#include "denoc/mechanism/dynamics.hpp"
#include "denoc/threads/executor.hpp"

namespace denoc {

/// How one state went: a batch does not throw for a single bad row.
enum class RowStatus : unsigned char {
  done,
  singular,    // a pivot is not positive beyond rounding: the row's accelerations are NaN
  not_finite,  // the row (its wrenches, too) has entries that are not finite, or its result has
  refused      // Dynamics says why: q leaves a loop open, the drives cannot do it, a quaternion is off unit length
};

/// Wrenches on one body: 6 numbers for each state (moment, force, in the body's own frame about its origin), or 6 for
/// all.
template <class E> struct RowWrenches {
  int body;
  std::span<const E> numbers;
};

/// E is double or float; the model is that of E.
template <class E> class Batch {
 public:
  using GivenWrenches = std::span<const RowWrenches<E>>;

  /// Not to be used by two threads at once. Mechanism and executor must outlive the batch.
  /// Loops::closed of a robot with loops other than fixed ratios, and Forces::all of one with springs between points:
  /// state by state, in double.
  Batch(const Mechanism& mechanism, Executor& executor, Forces forces = Forces::none, Loops loops = Loops::closed);
  /// Of the tree alone, which must outlive the batch.
  Batch(const BasicModel<E>& model, Executor& executor);
  ~Batch();

  /// tau (count x nv) from q (count x nq), v, a; status (count), unless empty. No result may lie where a vector that is
  /// given does. Throws ArgumentError when a size is wrong or a wrench acts on the world, which does not move, NotCovered
  /// for wrenches where only the tree is known.
  void inverse_dynamics(std::span<const E> q, std::span<const E> v, std::span<const E> a, std::span<E> tau,
                        std::span<RowStatus> status = {}, GivenWrenches wrenches = {});
  /// a from q, v, tau.
  void forward_dynamics(std::span<const E> q, std::span<const E> v, std::span<const E> tau, std::span<E> a,
                        std::span<RowStatus> status = {}, GivenWrenches wrenches = {});

  /// First derivatives (count x nv x nv each, by rows) of tau by q, v and a, and of a by q, v and tau, as those of
  /// Dynamics: on the tangent space of q, wrenches constant in body axes. A row without a result has NaN in all its
  /// matrices. Of doubles alone. Throws ArgumentError when a size is wrong, NotCovered for wrenches where only the tree
  /// is known, and for the derivatives of tau of a robot whose loops are closed: they are those of its tree (Loops::open).
  /// The memory for them is taken with the first call.
  void inverse_derivatives(std::span<const E> q, std::span<const E> v, std::span<const E> a, std::span<E> dq,
                           std::span<E> dv, std::span<E> da, std::span<RowStatus> status = {},
                           GivenWrenches wrenches = {}) requires std::is_same_v<E, double>;
  void forward_derivatives(std::span<const E> q, std::span<const E> v, std::span<const E> tau, std::span<E> dq,
                           std::span<E> dv, std::span<E> dtau, std::span<RowStatus> status = {},
                           GivenWrenches wrenches = {}) requires std::is_same_v<E, double>;

  /// States that go through one call of the recursions, and the instruction set in use ("baseline", "avx2", "avx512").
  int lanes() const;
  const char* instruction_set() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

extern template class Batch<double>;
extern template class Batch<float>;

}  // namespace denoc
