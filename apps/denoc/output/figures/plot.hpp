// Plots as SVG: text stays text, the background is white, nothing is loaded from elsewhere.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "output/figures/axis.hpp"

namespace denoc::figures {

struct Curve {
  enum class Draw { line, points, both };  // points: for published data and measurements
  std::string name;
  std::vector<double> x, y;  // what is not finite leaves a gap
  Draw draw = Draw::line;
};

struct Quantity {
  std::string name, unit;  // unit: may be empty
};

// A thin vertical line.
struct Mark {
  double x;
  bool dashed;
  std::string name;
};

struct Plot {
  std::string title;  // may be empty
  Quantity x, y;
  std::vector<Curve> curves = {};
  Scale x_scale = Scale::linear, y_scale = Scale::linear;
  std::vector<Mark> marks = {};
  Range also = {};  // that the y axis has to show besides the curves
};

struct Size {
  double width = 600, height = 290;  // in px; the height is that of each panel
};

// Panels one above the other that share the x axis of the last. Up to ten curves have their names at their ends; more
// are thin lines in a ramp of colours, with a key. Every <g class='panel'> says where its axes are: data-from and
// data-to are the numbers at the places data-left and data-right, data-low and data-high those at data-bottom and
// data-top. Every curve says its name (plots.js shows it, and browsers by themselves).
std::string svg(std::span<const Plot> panels, const Size& size = {});
std::string svg(const Plot& plot, const Size& size = {});

}  // namespace denoc::figures
