#include "scalar/instruction_sets.hpp"
#if defined(DENOC_SEVERAL_INSTRUCTION_SETS)
#include "recursions.hpp"

DENOC_DERIVATIVE_RECURSIONS(avx2)

#endif
