#include "scalar/instruction_sets.hpp"
#if defined(DENOC_SEVERAL_INSTRUCTION_SETS)
#include "climbing_rows.hpp"

DENOC_CLIMBING_ROWS(avx2)

#endif
