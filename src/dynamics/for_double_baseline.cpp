#include "recursions.hpp"

DENOC_RECURSIONS(baseline)
