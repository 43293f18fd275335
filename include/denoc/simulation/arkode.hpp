// The integrator sdirk4, of SUNDIALS' ARKODE. It lies in a library of its own, denoc_arkode, so that programs that do
// without it need not link with ARKODE.
#pragma once

namespace denoc {

/// From now on simulate() knows sdirk4. Call it once, before any thread runs.
void use_arkode();

}  // namespace denoc
