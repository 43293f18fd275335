// Mohan07, part by part: what write_mohan07 puts on its page.
#pragma once
#include "denoc/scenario/scenario.hpp"
#include "studies/reproduce/page.hpp"

namespace denoc::app {

constexpr double acceptable = 0.01;  // rad: the paper says that angles deviate, not from what error on

// A panel for each joint, a curve in each for every set of rows.
std::vector<figures::Plot> panels_of(const Model& model, const std::vector<double>& t,
                                     const std::vector<std::pair<std::string, std::vector<std::vector<double>>>>& sets,
                                     const std::string& unit);

// Table 3, Fig. 6 and Fig. 9: both robots, both methods, and why the angles leave.
void how_long_angles_follow(Page& page, const Scenario& forced);
void growth_of_errors(Page& page, const Scenario& forced);
void single_precision(Page& page, Scenario forced);

}  // namespace denoc::app
