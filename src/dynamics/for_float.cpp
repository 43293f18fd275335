#include "instantiate.hpp"

DENOC_INSTANTIATE(float)
