#include "scalar/instruction_sets.hpp"
#if defined(DENOC_SEVERAL_INSTRUCTION_SETS)
#include "row_derivatives.hpp"

namespace denoc::batch {
const DerivativeKernels& baseline_derivatives() {
  static constexpr DerivativeKernels kernels = row_derivatives();
  return kernels;
}
}  // namespace denoc::batch

#else
#include "pack_derivatives.hpp"

DENOC_DERIVATIVE_KERNELS(baseline, 16)

#endif
