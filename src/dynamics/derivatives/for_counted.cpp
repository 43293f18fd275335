#include "instantiate.hpp"

DENOC_INSTANTIATE_DERIVATIVES(Counted<double>)
