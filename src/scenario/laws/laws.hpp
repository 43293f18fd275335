// The control laws of a scenario: a reader each, in a file of its own, and a row in the list of control.cpp.
#pragma once
#include "denoc/control/controllers.hpp"
#include "scenario/parts.hpp"

namespace denoc::io {

using SharedModel = std::shared_ptr<const Model>;
using SharedMotion = std::shared_ptr<const Trajectory>;

// What the readers know besides the fields.
struct LawPlace {
  const SharedModel& model;
  const Vectors& vectors;
  bool has_motion;
  SimulationSetup& setup;
  Report& report;
};
struct LawType {
  std::string_view word;
  Words keys;
  void (*read)(const Fields&, const LawPlace&, ControlReader&);
};

void read_torques(const Fields& fields, const LawPlace& place, ControlReader& control);
void read_feedback(const Fields& fields, const LawPlace& place, ControlReader& control);
void read_feedforward(const Fields& fields, const LawPlace& place, ControlReader& control);
void read_pd(const Fields& fields, const LawPlace& place, ControlReader& control);
void read_pd_gravity(const Fields& fields, const LawPlace& place, ControlReader& control);
void read_pid(const Fields& fields, const LawPlace& place, ControlReader& control);
void read_computed_torque(const Fields& fields, const LawPlace& place, ControlReader& control);
void read_lqr(const Fields& fields, const LawPlace& place, ControlReader& control);

// What laws that follow a motion have: gains by their keys, and who is driven.
struct Tracking {
  std::vector<std::vector<double>> gains;  // in the order of the keys
  std::vector<int> driven;
};
// Reads them, and says what of the motion is followed; `needs_lead`: all joints must follow from the driven ones.
Tracking read_tracking(const Fields& fields, const LawPlace& place, const Words& gains, bool needs_lead,
                       ControlReader& control);
// The degrees of freedom of the joints in the list `driven`; without it the usual ones, and where loops join them, of
// these the ones with gains.
std::vector<int> read_driven(const Fields& fields, const LawPlace& place,
                             const std::vector<std::vector<double>>& gains = {});

}  // namespace denoc::io
