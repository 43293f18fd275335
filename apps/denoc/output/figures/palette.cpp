#include "output/figures/palette.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace denoc::figures {

std::string_view colour(std::size_t k) {
  constexpr std::array<std::string_view, palette_size> colours = {
      "#0072b2", "#d55e00", "#009e73", "#aa4499", "#56b4e9", "#111111", "#b8860b", "#882255", "#332288", "#777777"};
  return colours[k % palette_size];
}

std::string_view dash(std::size_t k) {
  constexpr std::array<std::string_view, palette_size> dashes = {
      "", "7 3", "2 2.5", "8 3 2 3", "14 4", "8 3 2 3 2 3", "4 2", "1 2", "14 3 4 3", "3 3 1 3"};
  return dashes[k % palette_size];
}

std::string ramp(double part) {
  struct Rgb {
    double r, g, b;
  };
  constexpr std::array<Rgb, 5> stops = {
      {{104, 80, 190}, {48, 112, 190}, {20, 145, 140}, {90, 160, 70}, {190, 150, 30}}};
  const double at = std::clamp(part, 0.0, 1.0) * (stops.size() - 1);
  const std::size_t i = std::min(static_cast<std::size_t>(at), stops.size() - 2);
  const double f = at - static_cast<double>(i);
  const auto mix = [f](double a, double b) { return static_cast<int>(std::lround(a + f * (b - a))); };
  return fmt::format("#{:02x}{:02x}{:02x}", mix(stops[i].r, stops[i + 1].r), mix(stops[i].g, stops[i + 1].g),
                     mix(stops[i].b, stops[i + 1].b));
}

}  // namespace denoc::figures
