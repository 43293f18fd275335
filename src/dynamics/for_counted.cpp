#include "instantiate.hpp"

DENOC_INSTANTIATE(Counted<double>)
