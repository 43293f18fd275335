#include "output/figures/run_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "output/dofs.hpp"
#include "output/figures/plot.hpp"

namespace denoc::figures {
namespace {

const Quantity time_axis{"time", "s"};

std::vector<Mark> marks_of(const Model& model, std::span<const FrictionEvent> events) {
  const std::vector<app::Dof> dofs = app::dofs_of(model);
  std::vector<Mark> marks;
  for (const FrictionEvent& event : events) {
    const bool slip = event.kind == FrictionEvent::Kind::slip;
    const std::string name = dofs[static_cast<std::size_t>(event.dof)].name();
    marks.push_back({event.t, slip, fmt::format("{} {} at {:.6g} s", name, slip ? "breaks loose" : "sticks", event.t)});
  }
  return marks;
}

bool all_zero(const Curve& curve) {
  return std::all_of(curve.y.begin(), curve.y.end(), [](double y) { return y == 0; });
}

class Figures {
 public:
  Figures(const Model& model, const Record& record, std::span<const FrictionEvent> events)
      : record_(record), marks_(marks_of(model, events)) {}

  Curve curve(std::string name, std::vector<double> y) const { return {std::move(name), record_.t, std::move(y)}; }
  Plot plot(std::string title, Quantity y, std::vector<Curve> curves) const {
    return {.title = std::move(title), .x = time_axis, .y = std::move(y), .curves = std::move(curves), .marks = marks_};
  }
  void add(std::string name, std::string caption, const std::vector<Plot>& panels, const Size& size = {}) {
    if (!marks_.empty()) caption += " Vertical lines: a joint comes to rest (solid) or breaks loose (dashed).";
    all_.push_back({std::move(name), std::move(caption), svg(panels, size)});
  }
  const Record& record() const { return record_; }
  std::vector<NamedFigure> take() { return std::move(all_); }

 private:
  const Record& record_;
  std::vector<Mark> marks_;
  std::vector<NamedFigure> all_;
};

void add_coordinates(Figures& figures, const Model& model) {
  using Kind = app::Coordinate::Kind;
  struct Row {
    Kind kind;
    const char *name, *title, *caption;
    Quantity y;
  };
  const Row rows[] = {
      {Kind::angle, "angles", "Joint angles", "Angles of the joints that turn.", {"angle", "rad"}},
      {Kind::length,
       "displacements",
       "Displacements",
       "Displacements of the joints that slide, and positions.",
       {"displacement", "m"}},
      {Kind::quaternion, "quaternions", "Orientations", "Components of the unit quaternions.", {"component", ""}}};
  const std::vector<app::Coordinate> coordinates = app::coordinates_of(model);
  for (const Row& row : rows) {
    std::vector<Curve> curves;
    for (std::size_t k = 0; k < coordinates.size(); ++k)
      if (coordinates[k].kind == row.kind)
        curves.push_back(figures.curve(coordinates[k].name, column(figures.record().q, k)));
    if (!curves.empty()) figures.add(row.name, row.caption, {figures.plot(row.title, row.y, std::move(curves))});
  }
}

void add_dofs(Figures& figures, const Model& model) {
  const std::vector<app::Dof> dofs = app::dofs_of(model);
  const auto curves = [&](const std::vector<std::vector<double>>& rows, bool angular) {
    std::vector<Curve> all;
    for (std::size_t k = 0; k < dofs.size(); ++k)
      if (dofs[k].angular == angular) all.push_back(figures.curve(dofs[k].name(), column(rows, k)));
    return all;
  };
  const auto add = [&](const char* name, const char* title, const char* caption, const Quantity& y,
                       std::vector<Curve> all) {
    if (!all.empty()) figures.add(name, caption, {figures.plot(title, y, std::move(all))});
  };
  const Record& record = figures.record();
  add("rates", "Joint rates", "Rates of the joints that turn.", {"rate", "rad/s"}, curves(record.v, true));
  add("velocities", "Velocities", "Velocities of the joints that slide, and of free bodies in their own axes.",
      {"velocity", "m/s"}, curves(record.v, false));
  const auto acting = [&](bool angular) {
    std::vector<Curve> all = curves(record.tau, angular);
    all.erase(std::remove_if(all.begin(), all.end(), all_zero), all.end());
    return all;
  };
  add("torques", "Torques of the drives",
      "What the drives of the joints that turn give; those that give nothing are left out.", {"torque", "N m"},
      acting(true));
  add("forces", "Forces of the drives",
      "What the drives of the joints that slide give; those that give nothing are left out.", {"force", "N"},
      acting(false));
}

void add_energies(Figures& figures) {
  const Record& record = figures.record();
  const std::vector<double> total = energy(record);
  const Size size{.height = 270};
  figures.add(
      "energies",
      "Energies, and what the balance leaves unexplained: energy since the start, less the work of drives and "
      "wrenches, "
      "plus what was dissipated. It is zero for exact motion.",
      {figures.plot("Energies", {"energy", "J"},
                    {figures.curve("kinetic", record.kinetic), figures.curve("potential", record.potential),
                     figures.curve("total", total)}),
       figures.plot("Defect of the energy balance", {"defect", "J"}, {figures.curve("", balance_defect(record))})},
      size);
  const std::vector<Curve> exchanged = {figures.curve("input", record.input_power),
                                        figures.curve("dissipated", record.dissipated_power)};
  if (std::all_of(exchanged.begin(), exchanged.end(), all_zero)) return;
  std::vector<double> gain = record.input_power;
  for (std::size_t i = 0; i < gain.size(); ++i) gain[i] -= record.dissipated_power[i];
  figures.add("powers",
              "Power balance: input less dissipated power, and the rate of the energy as differences of its samples; "
              "the last two agree as far as the samples are close.",
              {figures.plot("Power balance", {"power", "W"},
                            {exchanged[0], exchanged[1], figures.curve("input \u2212 dissipated", std::move(gain)),
                             figures.curve("d(energy)/dt", rate(record.t, total))})});
}

}  // namespace

std::vector<NamedFigure> figures_of(const Model& model, const Record& record, std::span<const FrictionEvent> events) {
  Figures figures(model, record, events);
  add_coordinates(figures, model);
  add_dofs(figures, model);
  add_energies(figures);
  return figures.take();
}

}  // namespace denoc::figures
