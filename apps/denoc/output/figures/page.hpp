// One HTML file that tells a run: it loads nothing, and is made to be read, printed and kept.
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
};
// Throws ArgumentError when there is no sample.
std::string report_page(const ReportInput& input);

}  // namespace denoc::figures
