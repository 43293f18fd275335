#include "pack_derivatives.hpp"

DENOC_DERIVATIVE_KERNELS(sse2, 16)
