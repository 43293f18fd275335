#if defined(__x86_64__)
#include "pack_kernels.hpp"

DENOC_KERNELS(avx512, 64)

#endif
