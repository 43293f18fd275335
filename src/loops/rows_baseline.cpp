#include "climbing_rows.hpp"

DENOC_CLIMBING_ROWS(baseline)
