// The kernels of an instruction set, by its place in instruction_sets().
#pragma once
#include "kernels.hpp"

namespace denoc::batch {

template <class E> const Kernels<E>& kernels_of(size_t set) {
#define DENOC_ROW(isa, ...) isa##_kernels<E>,
  static constexpr const Kernels<E>& (*all[])() = {DENOC_FOR_INSTRUCTION_SETS(DENOC_ROW)};
#undef DENOC_ROW
  return all[set]();
}

}  // namespace denoc::batch
