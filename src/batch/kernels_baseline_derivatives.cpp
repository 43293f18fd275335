#include "pack_derivatives.hpp"

DENOC_DERIVATIVE_KERNELS(baseline, 16)
