#include "pack_kernels.hpp"

DENOC_KERNELS(sse2, 16)
