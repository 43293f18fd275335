#include "scalar/instruction_sets.hpp"
#if defined(DENOC_SEVERAL_INSTRUCTION_SETS)
// Processors that have nothing better are old: packs for them would be a third of the code of all batches.
#include "row_kernels.hpp"

namespace denoc::batch {
template <class E> const Kernels<E>& baseline_kernels() {
  static constexpr Kernels<E> kernels = row_kernels<E>("baseline", baseline_derivatives);
  return kernels;
}
template const Kernels<float>& baseline_kernels<float>();
template const Kernels<double>& baseline_kernels<double>();
}  // namespace denoc::batch

#else
#include "pack_kernels.hpp"

DENOC_KERNELS(baseline, 16)

#endif
