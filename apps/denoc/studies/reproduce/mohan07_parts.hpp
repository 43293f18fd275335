// Mohan07, part by part: what write_mohan07 puts on its page.
#pragma once
#include "denoc/scenario/scenario.hpp"
#include "studies/reproduce/forced_arm.hpp"
#include "studies/reproduce/page.hpp"

namespace denoc::app {

constexpr double acceptable = 0.01;  // rad: the paper says that angles deviate, not from what error on
constexpr double simulated = 6.6;    // s, under given torques

// The robot by its constant C5, of which nobody can say which one was run.
enum class Version { as_printed, right };
constexpr Version versions[] = {Version::as_printed, Version::right};
std::string name_of(Version version);
Robot robot_of(Version version, const Scenario& forced);

// Of an angle: when it leaves the motion.
std::string departure_text(double t);

// A panel for each joint, a curve in each for every set of rows.
std::vector<figures::Plot> panels_of(const Model& model, const std::vector<double>& t,
                                     const std::vector<std::pair<std::string, std::vector<std::vector<double>>>>& sets,
                                     const std::string& unit);

// Its central experiment, the robot as printed and the right one, by the recursive method and by the other: Table 3, Fig. 6
// and Fig. 9.
void how_long_angles_follow(Page& page, const Scenario& forced);
// What makes an error grow, and that every method has it.
void growth_of_errors(Page& page, const Scenario& forced);
void single_precision(Page& page, Scenario forced);

}  // namespace denoc::app
