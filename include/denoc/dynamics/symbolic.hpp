// The recursions with symbols for numbers, compiled once in the library: what counts folded operations and writes code.
#pragma once
#include "denoc/dynamics/formulations.hpp"
#include "denoc/scalar/symbol.hpp"

namespace denoc {

DENOC_LINK_WRENCHES(extern, Symbol)
DENOC_PROJECTION(extern template, Symbol)
DENOC_INVERSE(extern template, Symbol)
DENOC_UDUT(extern template, Symbol)
DENOC_UDUT_PRODUCTS(extern, Symbol)
DENOC_COMPOSITE(extern template, Symbol)
DENOC_INERTIA_INVERSE(extern template, Symbol)
DENOC_FORWARD(extern template, Symbol)

}  // namespace denoc
