// Numbers along the edge of a plot: ranges, ticks and their labels.
#pragma once
#include <string>
#include <vector>

namespace denoc::figures {

enum class Scale { linear, logarithmic };

// At steps of 1, 2 or 5 times a power of ten: 3 to 8 ticks inside a range that is not empty, minor ones between.
struct Ticks {
  std::vector<double> major, minor;
  double step;
};
Ticks linear_ticks(double low, double high);
// Whole decades where there are three or more, else 1, 2 and 5 of each decade; linear ticks in less than a decade.
Ticks log_ticks(double low, double high);

// The largest of 1, 2 and 5 times a power of ten that is not above x > 0.
double round_below(double x);

// From numbers to places on the page.
struct Axis {
  Scale scale = Scale::linear;
  double low = 0, high = 1;
  double from = 0, to = 1;  // on the page: where low and high are
  Ticks ticks = {};
  int exponent = 0;  // labels are in units of 10^exponent

  double at(double x) const;
  bool has(double x) const;  // can be drawn: finite (below 1e280), and positive on a logarithmic axis
  std::string label(double tick) const;
};
// The least and the largest of what an axis has to show.
struct Range {
  double low = 1, high = 0;  // empty
  void cover(double x);
  bool empty() const { return low > high; }
};
// An axis over the range, widened by the fraction `margin` at both ends; a range of one number or none gets some width.
Axis axis_over(const Range& range, Scale scale, double margin);

}  // namespace denoc::figures
