// The entries of q and v that a body's joint has, by the names of results.
#pragma once
#include "denoc/model/dofs.hpp"

namespace denoc {

std::vector<Dof> dofs_of(const Body& body);
std::vector<NamedCoordinate> coordinates_of(const Body& body);

}  // namespace denoc
