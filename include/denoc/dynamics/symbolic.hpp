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
DENOC_CHOLESKY(extern, Symbol)
DENOC_MASS_CENTRES(extern, Symbol)
DENOC_NEWTON_EULER(extern, Symbol)
DENOC_KANE(extern, Symbol)
DENOC_COMPLEMENT(extern, Symbol)
DENOC_NOC(extern, Symbol)
DENOC_NOC_INERTIA(extern, Symbol)
DENOC_NOC_FORWARD(extern, Symbol)
DENOC_GIBBS_APPELL(extern, Symbol)
DENOC_GIBBS_INERTIA(extern, Symbol)
DENOC_EULER_LAGRANGE(extern, Symbol)
DENOC_KINETIC_ENERGY(extern, Symbol)

}  // namespace denoc
