#include "output/figures/run_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "denoc/dynamics/rounding.hpp"
#include "output/dofs.hpp"
#include "output/figures/palette.hpp"
#include "output/figures/plot.hpp"
#include "output/figures/text.hpp"

namespace denoc::figures {
namespace {

const Quantity time_axis{"time", "s"};

}  // namespace

std::string_view told(FrictionEvent::Kind kind) {
  using Kind = FrictionEvent::Kind;
  return kind == Kind::stick ? "comes to rest" : kind == Kind::slip ? "breaks loose" : "turns round";
}

namespace {

std::vector<Mark> marks_of(const Model& model, std::span<const FrictionEvent> events) {
  const std::vector<app::Dof> dofs = app::dofs_of(model);
  std::vector<Mark> marks;
  for (const FrictionEvent& event : events) {
    const std::string name = dofs[static_cast<std::size_t>(event.dof)].name();
    const bool goes_on = event.kind != FrictionEvent::Kind::stick;
    marks.push_back({event.t, goes_on, fmt::format("{} {} at {:.6g} s", name, told(event.kind), event.t)});
  }
  return marks;
}

bool all_zero(const Curve& curve) {
  return std::all_of(curve.y.begin(), curve.y.end(), [](double y) { return y == 0; });
}

double largest(const std::vector<double>& y) {
  double most = 0;
  for (const double x : y) most = std::max(most, std::abs(x));
  return most;
}
double largest(const std::vector<std::vector<double>>& rows) {
  double most = 0;
  for (const auto& row : rows) most = std::max(most, largest(row));
  return most;
}
// A curve that never exceeds the bound is zero: what rounding explains, and what the integrator leaves undecided, atol
// and rtol of what there is of its kind.
bool is_noise(double bound, const std::vector<double>& y) { return largest(y) <= bound; }
// What rounding makes of sums of n numbers of that size [Higham, Accuracy and Stability, 4.2], with the c of rounding.hpp.
double noise(std::size_t n, double size) {
  return Rounding<double>::factor * static_cast<double>(n) * std::numeric_limits<double>::epsilon() * size;
}

}  // namespace

std::vector<double> noise_of_drives(const Model& model, const Record& record) {
  constexpr std::size_t enough = 5;
  const std::vector<double> at_rest(static_cast<std::size_t>(model.nv()), 0);
  std::vector<double> most = at_rest;
  Rounding<double> rounding(model);
  Configuration<double> at(model);
  for (const std::size_t k : instants(record, enough)) {
    place<double>(model, record.q[k], at);
    rounding.evaluate(at, record.v[k]);
    const std::vector<double> bounds = rounding.inverse(at_rest);
    for (std::size_t i = 0; i < most.size(); ++i) most[i] = std::max(most[i], bounds[i]);
  }
  return most;
}

namespace {

// Up to forty curves in panels of ten at most, as equal as can be; all have the same y axis.
std::vector<Plot> panels_of(const Plot& whole) {
  constexpr std::size_t most_panels = 4;
  const std::size_t count = whole.curves.size(), panels = (count + palette_size - 1) / palette_size;
  if (panels < 2 || panels > most_panels) return {whole};
  Range range;
  for (const Curve& curve : whole.curves)
    for (const double y : curve.y)
      if (std::isfinite(y)) range.cover(y);
  std::vector<Plot> all;
  for (std::size_t i = 0; i < panels; ++i) {
    const auto from = static_cast<long>(i * count / panels), to = static_cast<long>((i + 1) * count / panels);
    Plot& panel = all.emplace_back(whole);
    panel.curves.assign(whole.curves.begin() + from, whole.curves.begin() + to);
    panel.also = range;
    if (i > 0) panel.title.clear();
  }
  return all;
}

class Figures {
 public:
  Figures(const Model& model, const Record& record, std::span<const FrictionEvent> events)
      : record_(record), marks_(marks_of(model, events)) {}

  Curve curve(std::string name, std::vector<double> y) const { return {std::move(name), record_.t, std::move(y)}; }
  Curve curve(std::string name, std::vector<double> y, double bound) {
    if (is_noise(bound, y)) {
      has_noise_ = has_noise_ || largest(y) > 0;
      std::fill(y.begin(), y.end(), 0);
    }
    return curve(std::move(name), std::move(y));
  }
  Plot plot(std::string title, Quantity y, std::vector<Curve> curves) const {
    return {.title = std::move(title), .x = time_axis, .y = std::move(y), .curves = std::move(curves), .marks = marks_};
  }
  void add(std::string name, std::string caption, const std::vector<Plot>& panels, const Size& size = {}) {
    if (std::exchange(has_noise_, false))
      caption += fmt::format(" What is no more than rounding{} is drawn as zero.",
                             record_.rtol > 0 ? " or the tolerance of the integrator" : "");
    if (!marks_.empty())
      caption += " Vertical lines: a joint comes to rest (solid), breaks loose or turns round (dashed).";
    all_.push_back({std::move(name), std::move(caption), svg(panels, size)});
  }
  const Record& record() const { return record_; }
  std::vector<NamedFigure> take() { return std::move(all_); }

 private:
  const Record& record_;
  std::vector<Mark> marks_;
  std::vector<NamedFigure> all_;
  bool has_noise_ = false;  // among the curves of the next figure
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
    const auto& q = figures.record().q;
    const double bound = std::max(noise(coordinates.size(), std::min(1.0, largest(q))), figures.record().atol);
    for (std::size_t k = 0; k < coordinates.size(); ++k)
      if (coordinates[k].kind == row.kind) curves.push_back(figures.curve(coordinates[k].name, column(q, k), bound));
    if (!curves.empty())
      figures.add(row.name, row.caption, panels_of(figures.plot(row.title, row.y, std::move(curves))));
  }
}

void add_dofs(Figures& figures, const Model& model) {
  const std::vector<app::Dof> dofs = app::dofs_of(model);
  const auto add = [&](const char* name, const char* title, const char* caption, const Quantity& y,
                       std::vector<Curve> all) {
    if (!all.empty()) figures.add(name, caption, panels_of(figures.plot(title, y, std::move(all))));
  };
  const Record& record = figures.record();
  const double of_rates = std::max(noise(dofs.size(), largest(record.v)), record.atol);
  const auto moving = [&](bool angular) {
    std::vector<Curve> all;
    for (std::size_t k = 0; k < dofs.size(); ++k)
      if (dofs[k].angular == angular) all.push_back(figures.curve(dofs[k].name(), column(record.v, k), of_rates));
    return all;
  };
  const std::vector<double> of_drives = noise_of_drives(model, record);
  add("rates", "Joint rates", "Rates of the joints that turn.", {"rate", "rad/s"}, moving(true));
  add("velocities", "Velocities", "Velocities of the joints that slide, and of free bodies in their own axes.",
      {"velocity", "m/s"}, moving(false));
  const auto acting = [&](bool angular) {
    double most = 0;
    for (std::size_t k = 0; k < dofs.size(); ++k)
      if (dofs[k].angular == angular) most = std::max(most, largest(column(record.tau, k)));
    std::vector<Curve> all;
    for (std::size_t k = 0; k < dofs.size(); ++k)
      if (dofs[k].angular == angular && !is_noise(std::max(of_drives[k], record.rtol * most), column(record.tau, k)))
        all.push_back(figures.curve(dofs[k].name(), column(record.tau, k)));
    return all;
  };
  add("torques", "Torques of the drives",
      "What the drives of the joints that turn give; those that give nothing are left out.", {"torque", "N m"},
      acting(true));
  add("forces", "Forces of the drives",
      "What the drives of the joints that slide give; those that give nothing are left out.", {"force", "N"},
      acting(false));
}

void add_energies(Figures& figures, std::size_t dofs) {
  const Record& record = figures.record();
  const std::vector<double> defect = balance_defect(record);
  const double size =
      largest(record.kinetic) + largest(record.potential) + largest(record.work) + largest(record.dissipated);
  const double by_rounding = noise(dofs, size), bound = std::max(by_rounding, record.rtol * size);
  const auto curve = [&](const char* name, const std::vector<double>& y) { return figures.curve(name, y, bound); };
  const std::vector<double> total = energy(record);
  std::vector<Plot> panels = {
      figures.plot("Energies", {"energy", "J"},
                   {curve("kinetic", record.kinetic), curve("potential", record.potential), curve("total", total)})};
  std::string caption =
      "Energies, and what the balance leaves unexplained: energy since the start, less the work of drives and "
      "wrenches, plus what was dissipated. ";
  if (largest(defect) > bound) {
    panels.push_back(figures.plot("Defect of the energy balance", {"defect", "J"}, {figures.curve("defect", defect)}));
    caption += "It is zero for exact motion.";
  } else {
    caption +=
        fmt::format("That is no more than {}: {} J at most.",
                    largest(defect) <= by_rounding
                        ? std::string("rounding")
                        : fmt::format("the tolerance of the integrator, rtol = {:g} of the energies", record.rtol),
                    readable(largest(defect), 2));
  }
  figures.add("energies", caption, panels, {.height = 270});

  const std::vector<double> slope = rate(record.t, total);
  const double most = std::max(largest(rate(record.t, record.kinetic)), largest(slope)),
               watts = std::max(noise(dofs, most), record.rtol * most);
  const std::vector<Curve> exchanged = {figures.curve("input", record.input_power, watts),
                                        figures.curve("dissipated", record.dissipated_power, watts)};
  if (std::all_of(exchanged.begin(), exchanged.end(), all_zero)) return;
  std::vector<double> gain = record.input_power;
  for (std::size_t i = 0; i < gain.size(); ++i) gain[i] -= record.dissipated_power[i];
  figures.add("powers",
              "Power balance: input less dissipated power, and the rate of the energy as differences of its samples; "
              "the last two agree as far as the samples are close.",
              {figures.plot("Power balance", {"power", "W"},
                            {exchanged[0], exchanged[1], figures.curve("input \u2212 dissipated", std::move(gain)),
                             figures.curve("d(energy)/dt", slope)})});
}

}  // namespace

std::vector<NamedFigure> figures_of(const Model& model, const Record& record, std::span<const FrictionEvent> events) {
  Figures figures(model, record, events);
  add_coordinates(figures, model);
  add_dofs(figures, model);
  add_energies(figures, static_cast<std::size_t>(model.nv()));
  return figures.take();
}

}  // namespace denoc::figures
