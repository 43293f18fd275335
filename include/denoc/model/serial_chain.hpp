// Serial chains to count and measure with: revolute joints, general DH parameters, on a fixed base.
#pragma once
#include "denoc/model/robot.hpp"

namespace denoc {

/// What the links of a chain are.
enum class ChainLinks { general, rods };
/// n links in the distal DH convention with a, b, alpha, masses and inertias that are neither zero nor special, gravity
/// in a general direction; as rods, the links are the slender bent rods of Mohan07. The same for the same n.
Robot serial_chain(int n, ChainLinks links = ChainLinks::general);

}  // namespace denoc
