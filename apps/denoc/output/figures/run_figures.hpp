// The figures of a run: how its joints moved, what drove them, and where the energy went.
#pragma once
#include <array>
#include <span>
#include <string>
#include <vector>

#include "output/figures/record.hpp"

namespace denoc::figures {

struct NamedFigure {
  std::string name;  // of a file, without extension
  std::string caption;
  std::string svg;
};

// The names of all figures that a run can have.
inline constexpr std::array figure_names = {"angles",  "displacements", "quaternions", "rates", "velocities",
                                            "torques", "forces",        "energies",    "powers"};

// What has happened, for people.
std::string_view told(FrictionEvent::Kind kind);

// What rounding explains of the drives, at some instants of a run with q and v: the largest of each.
std::vector<double> noise_of_drives(const Model& model, const Record& record);

// Coordinates, rates and drives by unit, energies with the defect of their balance, powers. Up to forty curves are in
// panels of ten at most, each with its name; more share one, where the page names the one pointed at. What is no more
// than rounding explains is zero: drives that give nothing and powers that are zero are left out, and with them a figure
// that has no others; so is the defect of a balance that holds to rounding.
std::vector<NamedFigure> figures_of(const Model& model, const Record& record, std::span<const FrictionEvent> events);

}  // namespace denoc::figures
