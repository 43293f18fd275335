#include "instantiate.hpp"

DENOC_INSTANTIATE_METHODS(double)
