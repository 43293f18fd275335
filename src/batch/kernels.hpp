// What a translation unit compiled for one instruction set offers: the recursions on packs, behind plain functions.
#pragma once
#include "couplings.hpp"
#include "denoc/batch/batch.hpp"
#include "scalar/instruction_sets.hpp"

namespace denoc::batch {

// The six numbers of row i: those of all rows, or its own.
template <class E> DENOC_INLINE std::span<const E> row_of(const RowWrenches<E>& wrenches, size_t i) {
  return wrenches.numbers.size() == 6 ? wrenches.numbers : wrenches.numbers.subspan(i * 6, 6);
}

template <class E> struct Rows {
  const E *q, *v, *x;  // x: a or tau
  E* y;                // tau or a
  RowStatus* status;   // may be null
  int count;           // rows here, at most `lanes`
  int next;            // how many rows further the next ones begin; 0: there are none
  // Besides: wrenches on bodies (`first`: which of all rows is the first here), and joints that follow others.
  std::span<const RowWrenches<E>> wrenches = {};
  size_t first = 0;
  std::span<const Coupling<E>> couplings = {};
};

// Derivatives, of doubles only: nv x nv numbers for each row.
struct Matrices {
  double *dq, *dv, *dx;
};
struct DerivativeKernels {
  void* (*make_scratch)(const Model&);
  void (*free_scratch)(void*);
  // Of tau at q, v and x = a; and of a, where x are the accelerations that tau gives. Rows::y and next are not read.
  void (*inverse)(const Model&, void* scratch, const Rows<double>&, const Matrices&);
  void (*forward)(const Model&, void* scratch, const Rows<double>&, const Matrices&);
};

template <class E> struct Kernels {
  const char* instruction_set;
  int lanes;
  void* (*make_scratch)(const BasicModel<E>&);
  void (*free_scratch)(void*);
  void (*inverse)(const BasicModel<E>&, void* scratch, const Rows<E>&);
  void (*forward)(const BasicModel<E>&, void* scratch, const Rows<E>&);
  const DerivativeKernels& (*derivatives)();
};

#define DENOC_DECLARE(isa, ...)                         \
  template <class E> const Kernels<E>& isa##_kernels(); \
  const DerivativeKernels& isa##_derivatives();
DENOC_FOR_INSTRUCTION_SETS(DENOC_DECLARE)
#undef DENOC_DECLARE

}  // namespace denoc::batch
