// The formulations, each a type in a file of its own: what the command line, the tests, the counts and the benchmarks
// loop over. A new one is its file, the line that includes it here and its place in one of the lists.
#pragma once
#include "denoc/dynamics/formulation.hpp"
#include "denoc/dynamics/forward/composite_cholesky.hpp"
#include "denoc/dynamics/forward/denoc.hpp"
#include "denoc/dynamics/forward/gibbs_appell.hpp"
#include "denoc/dynamics/forward/noc.hpp"
#include "denoc/dynamics/inertia/inverse.hpp"
#include "denoc/dynamics/inverse/kane.hpp"
#include "denoc/dynamics/inverse/noc.hpp"
#include "denoc/dynamics/reference/euler_lagrange.hpp"
#include "denoc/dynamics/reference/kinetic_energy.hpp"

namespace denoc {

/// A list of formulations as types.
template <class... Methods> struct MethodList {};

/// The first of each is what is used when none is named.
template <Scalar T>
using InverseMethods =
    MethodList<DenocInverse<T>, NewtonEuler<T>, GibbsAppell<T>, NocInverse<T>, Kane<T>, EulerLagrange<T>>;
template <Scalar T>
using InertiaMethods =
    MethodList<CompositeBodies<T>, UdutInertia<T>, GibbsHessian<T>, NocInertia<T>, KineticEnergyHessian<T>>;
template <Scalar T>
using ForwardMethods = MethodList<DenocForward<T>, ArticulatedBody<T>, CompositeCholesky<T>, GibbsAppellCholesky<T>,
                                  NocCholesky<T>, NocQr<T>>;

}  // namespace denoc
