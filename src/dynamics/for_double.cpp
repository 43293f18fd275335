#include "instantiate.hpp"

DENOC_INSTANTIATE(double)
