// The recursions with symbols for numbers, compiled once in the library: what counts folded operations and writes code.
#pragma once
#include "denoc/dynamics/formulations.hpp"
#include "denoc/scalar/symbol.hpp"

namespace denoc {

DENOC_LINK_WRENCHES(extern, Symbol)
DENOC_INVERSE(extern, Symbol)
DENOC_UDUT(extern, Symbol)
DENOC_COMPOSITE(extern, Symbol)
DENOC_INERTIA_INVERSE(extern, Symbol)
DENOC_FORWARD(extern, Symbol)

}  // namespace denoc
