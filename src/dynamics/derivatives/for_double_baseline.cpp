#include "recursions.hpp"

DENOC_DERIVATIVE_RECURSIONS(baseline)
