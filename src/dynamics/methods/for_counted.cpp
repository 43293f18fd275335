#include "instantiate.hpp"

DENOC_INSTANTIATE_METHODS(Counted<double>)
