#include "tables.hpp"

DENOC_TABULATE(Counted<double>)
