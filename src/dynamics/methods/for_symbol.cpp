#include "denoc/dynamics/symbolic.hpp"
#include "tables.hpp"

DENOC_TABULATE(Symbol)
