#include "pack_kernels.hpp"

DENOC_KERNELS(baseline, 16)
