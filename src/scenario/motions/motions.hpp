// The motions of a scenario: a reader each, in a file of its own, and a row in the list of motion.cpp.
#pragma once
#include "denoc/motion/guide.hpp"
#include "denoc/motion/joint_motion.hpp"
#include "scenario/parts.hpp"

namespace denoc::io {

struct MotionType {
  std::string_view word;
  Words keys;
  MakeMotion (*read)(const Fields&, const MotionPlace&);
};
const std::vector<MotionType>& motion_types();
// The motion of a map with `type` and its keys, wherever it stands.
MakeMotion read_motion(const ChosenVariant& motion, const MotionPlace& place);
std::vector<Variant> motion_variants();

MakeMotion read_hold(const Fields& fields, const MotionPlace& place);
MakeMotion read_point_to_point(const Fields& fields, const MotionPlace& place);
MakeMotion read_fastest(const Fields& fields, const MotionPlace& place);
MakeMotion read_spline(const Fields& fields, const MotionPlace& place);
MakeMotion read_formula(const Fields& fields, const MotionPlace& place);
MakeMotion read_file(const Fields& fields, const MotionPlace& place);
MakeMotion read_line(const Fields& fields, const MotionPlace& place);
MakeMotion read_circle(const Fields& fields, const MotionPlace& place);
MakeMotion read_sequence(const Fields& fields, const MotionPlace& place);

// What several of them have.
Profile read_profile(const Fields& fields);
double read_duration(const Fields& fields);              // required
double read_duration(const Fields& fields, double run);  // that of the run if left out
// A posture to begin with: required unless something else says where.
std::function<std::vector<double>(const std::vector<double>& here)> read_beginning(const Fields& fields,
                                                                                   std::string_view key,
                                                                                   const MotionPlace& place);
// The first rate that is another one by more than rounding, for messages; empty: none.
std::string jump_of_rates(const Model& model, const std::vector<double>& before, const std::vector<double>& after);
// `ends`, `start_rate` and `end_rate` of a spline.
struct Ends {
  SplineEnd first, last;
};
Ends read_ends(const Fields& fields, const std::string& usual, const MotionPlace& place);
// `body`, `point`, `attitude` and `joints`.
Guide read_guide(const Fields& fields, const MotionPlace& place);

}  // namespace denoc::io
