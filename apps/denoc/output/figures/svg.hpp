// The parts every SVG here is made of.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "output/figures/decimate.hpp"

namespace denoc::figures {

inline constexpr double svg_font_size = 12;

// The opening tag with a title and a white ground; the caller closes it. Readers who like their screens dark get the
// colours of figure.css by the classes of the parts.
std::string svg_opening(double width, double height, std::string_view title);
// A path's data: straight lines from point to point.
std::string path_of(const std::vector<PagePoint>& points);

}  // namespace denoc::figures
