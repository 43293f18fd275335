#include "pack_kernels.hpp"

DENOC_KERNELS(avx512, 64)
