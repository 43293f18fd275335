// Postures to try things at.
#pragma once
#include "denoc/mechanism/mechanism.hpp"
#include "denoc/model/postures.hpp"

namespace denoc {

/// A posture within the limits of the joints (angles without limits anywhere, displacements within the length of the
/// robot), loops closed. Throws NotAssembled where none is found.
std::vector<double> random_posture(const Mechanism& robot, Chance& chance);

}  // namespace denoc
