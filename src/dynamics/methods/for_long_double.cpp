#include "tables.hpp"

DENOC_TABULATE(long double)
