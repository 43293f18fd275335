#include "denoc/scalar/symbol.hpp"
#include "instantiate.hpp"

DENOC_INSTANTIATE_DERIVATIVES(Symbol)
