#include "tables.hpp"

DENOC_TABULATE(Dual<double>)
