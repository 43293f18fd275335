// The curves of a plot and their key, at the right of it.
#pragma once
#include <iterator>
#include <string>
#include <vector>

#include "output/figures/plot.hpp"

namespace denoc::figures {

// How much room the key takes.
double key_width(const std::vector<Curve>& curves);
void draw_curves(std::back_insert_iterator<std::string> out, const std::vector<Curve>& curves, const Axis& x,
                 const Axis& y);

// The nearest places to the wanted ones (in rising order) that are `gap` apart and inside [low, high] as far as that
// has room for them.
std::vector<double> spread(std::vector<double> wanted, double gap, double low, double high);

}  // namespace denoc::figures
