#include "pack_kernels.hpp"

DENOC_KERNELS(avx2, 32)
