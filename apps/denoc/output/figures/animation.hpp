// The run as a film: the stick figure's points frame by frame, and the script that plays them on a canvas.
#pragma once
#include <string>
#include <string_view>

#include "output/figures/record.hpp"

namespace denoc::figures {

// A JSON object. Points are in whole parts of `unit` metres, in the axes of the view (see view.hpp).
std::string film_of(const Model& model, const Record& record);
// Plain JavaScript that reads `film` and drives the elements of the page with the ids it names.
std::string_view player_script();
// Those elements.
std::string_view player_elements();

}  // namespace denoc::figures
