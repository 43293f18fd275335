#include "instantiate.hpp"

DENOC_INSTANTIATE(Dual<double>)
