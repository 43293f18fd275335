#include "scalar/instruction_sets.hpp"
#if defined(DENOC_SEVERAL_INSTRUCTION_SETS)
#include "pack_derivatives.hpp"

DENOC_DERIVATIVE_KERNELS(avx512, 64)

#endif
