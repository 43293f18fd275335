#include "tables.hpp"

DENOC_TABULATE(float)
