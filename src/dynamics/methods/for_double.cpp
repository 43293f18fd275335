#include "tables.hpp"

DENOC_TABULATE(double)
