// A log-log plot as SVG.
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace denoc::benchmarks {

struct Curve {
  std::string name, colour;
  std::vector<std::pair<double, double>> points;
};
std::string log_log_plot(const std::string& title, const std::string& x_name, const std::string& y_name,
                         const std::vector<Curve>& curves);

}  // namespace denoc::benchmarks
