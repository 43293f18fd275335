// The robot at several instants of a run, as SVG: the first in black, later ones paler, the tips' paths as thin curves.
// The instants are spread over the run, or over the first cycle of one that repeats itself.
#pragma once
#include <string>

#include "output/figures/plot.hpp"
#include "output/figures/record.hpp"

namespace denoc::figures {

// Paths are straight between samples, of which they pass through that many at most.
std::size_t most_on_path(const Model& model, const Record& record);
std::string picture_of(const Model& model, const Record& record, const Size& size = {720, 430});

}  // namespace denoc::figures
