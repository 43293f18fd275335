#include "denoc/model/loop_types.hpp"

#include <algorithm>

namespace denoc {
namespace {

constexpr LoopType types[] = {{"revolute", 3, 2, false, {"axis"}},
                              {"prismatic", 2, 3, false, {"axis"}},
                              {"universal", 3, 1, false, {"axis", "axis2"}},
                              {"spherical", 3, 0, false, {}},
                              {"cylindrical", 2, 2, false, {"axis"}},
                              {"planar", 1, 2, false, {"axis"}},
                              {"weld", 3, 3, false, {}},
                              {"fixed", 3, 3, false, {}},
                              {"point-on-line", 2, 0, false, {"axis"}},
                              {"distance", 0, 0, false, {"length"}},
                              {"coupler", 0, 0, true, {"ratio", "offset"}},
                              {"gear", 0, 0, true, {"radii", "teeth", "offset"}},
                              {"bevel-gear", 0, 0, true, {"radii", "teeth", "offset"}},
                              {"belt", 0, 0, true, {"radii", "teeth", "offset"}},
                              {"rolling", 0, 0, true, {"radius", "offset"}},
                              {"eccentric-cam", 0, 0, true, {"eccentricity", "radius", "phase", "offset"}},
                              {"polynomial", 0, 0, true, {"coefficients", "phase", "offset"}}};

}  // namespace

std::span<const LoopType> loop_types() { return types; }

const LoopType* loop_type(std::string_view name) {
  const auto* const found =
      std::find_if(std::begin(types), std::end(types), [&](const LoopType& t) { return t.name == name; });
  return found == std::end(types) ? nullptr : found;
}

}  // namespace denoc
