// Fewer points that look the same.
#pragma once
#include <vector>

namespace denoc::figures {

struct PagePoint {
  double x, y;
};

// Of points with rising x: the first, lowest, highest and last of each column of the page; then without those within
// `tolerance` of the line through the ones kept. The lowest and the highest of all stay as they are. Points whose x
// does not rise are only thinned by the second rule.
std::vector<PagePoint> decimated(const std::vector<PagePoint>& points, double column_width, double tolerance);

}  // namespace denoc::figures
