#if defined(__x86_64__)
#include "pack_derivatives.hpp"

DENOC_DERIVATIVE_KERNELS(avx512, 64)

#endif
