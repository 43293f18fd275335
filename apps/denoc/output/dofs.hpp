// What tables, figures and files call the entries of q and v.
#pragma once
#include "denoc/model/dofs.hpp"

namespace denoc::app {
using Coordinate = NamedCoordinate;
using denoc::coordinates_of;
using denoc::Dof;
using denoc::dofs_of;
}  // namespace denoc::app
