#include "instantiate.hpp"

DENOC_INSTANTIATE_DERIVATIVES(long double)
