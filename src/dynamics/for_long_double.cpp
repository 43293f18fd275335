#include "instantiate.hpp"

DENOC_INSTANTIATE(long double)
