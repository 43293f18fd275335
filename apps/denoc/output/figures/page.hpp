// HTML files that show a robot and tell a run: each is one file that loads nothing, made to be read, printed and kept.
#pragma once
#include <span>
#include <string>

#include "output/figures/record.hpp"

namespace denoc::figures {

struct ReportInput {
  const Model& model;
  const Record& record;
  const Statistics& statistics;
  std::span<const FrictionEvent> events;
  std::string title, scenario;  // scenario: the text of its file
  std::string method;           // of integration
  double seconds = 0;           // the run took
  bool animate = false;
  bool is_complete = true;                 // false: broken off, what the integrator did is not known
  std::size_t samples = 0;                 // of the run, where the record keeps fewer; 0: it has all
  std::vector<std::string> warnings = {};  // what people should hear of it
};
// Throws ArgumentError when there is no sample.
std::string report_page(const ReportInput& input);

// Only the film, as large as the window: a run, of which q and t will do, and a robot at rest in the posture q. To be
// shown by itself or in a frame of another page. They throw ArgumentError for a q of the wrong size, or none.
std::string run_page(const Model& model, const Record& record);
std::string robot_page(const Model& model, std::span<const double> q);

}  // namespace denoc::figures
