// Angeles7, part by part: what write_angeles7 puts on its page, and how its rows are made.
#pragma once
#include "studies/reproduce/page.hpp"
#include "studies/reproduce/robot_at.hpp"

namespace denoc::app {

// An entry that agrees to rounding says nothing about why it differs.
Compared compared(const std::string& what, const Numbers& published, const Numbers& ours, const std::string& why);

// d/de I(q + e direction), exactly; joints of one coordinate each.
Numbers inertia_rate(const Model& model, const Numbers& q, const Numbers& direction);

// 7.5.2: a base that floats; 7.6.3: the integrators.
void floating_base(Page& page);
void integrators(Page& page);

// Operation counts: Tables 7.1 to 7.4, (7.112)-(7.118); Exercises 7.9, 7.10, 7.12, 7.13.
void counts_of_inverse_dynamics(Page& page);
void counts_of_forward_dynamics(Page& page);
void exercise_9(Page& page);
void exercise_10(Page& page);
void exercise_12(Page& page);
void exercise_13(Page& page);

// Matrices and forces.
void exercise_1(Page& page);
void exercise_2(Page& page);
void exercise_3(Page& page);
void exercises_5_and_15(Page& page);
void exercises_6_7_11(Page& page);
void exercise_8(Page& page);
void exercise_14(Page& page);

// Bodies coupled by belts, gears and cams.
void exercise_4(Page& page);

}  // namespace denoc::app
