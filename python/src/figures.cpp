// Pictures and pages: those of the command line.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "output/dofs.hpp"
#include "output/figures/page.hpp"
#include "output/figures/picture.hpp"

#include "core.hpp"

namespace denoc::python {
namespace {

using Rows = std::vector<std::vector<double>>;

std::vector<double> column(const nb::dict& arrays, const char* name) {
  const Buffer array(arrays[name]);
  const auto numbers = array.numbers<const double>();
  return {numbers.begin(), numbers.end()};
}
Rows rows(const nb::dict& arrays, const char* name) {
  const Buffer array(arrays[name]);
  const auto numbers = array.numbers<const double>();
  const std::size_t n = std::size_t(array.width());
  Rows all(std::size_t(array.shape()[0]));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto row = numbers.subspan(i * n, n);
    all[i].assign(row.begin(), row.end());
  }
  return all;
}

figures::Record record_of(const nb::dict& arrays) {
  return {column(arrays, "t"),
          rows(arrays, "q"),
          rows(arrays, "v"),
          rows(arrays, "tau"),
          column(arrays, "kinetic"),
          column(arrays, "potential"),
          column(arrays, "input_power"),
          column(arrays, "dissipated_power"),
          column(arrays, "work"),
          column(arrays, "dissipated")};
}

Statistics statistics_of(const nb::dict& s) {
  Statistics all;
  const auto whole = [&](const char* name) { return nb::cast<long>(s[name]); };
  const auto real = [&](const char* name) { return nb::cast<double>(s[name]); };
  all.steps = whole("steps");
  all.rejected = whole("rejected");
  all.evaluations = whole("evaluations");
  all.least_step = real("least_step");
  all.largest_step = real("largest_step");
  all.events = whole("events");
  all.balance_defect = real("balance_defect");
  all.largest_kinetic = real("largest_kinetic");
  all.loop_defect = real("loop_defect");
  all.quaternion_defect = real("quaternion_defect");
  all.stiff = nb::cast<bool>(s["stiff"]);
  return all;
}

std::vector<FrictionEvent> events_of(const nb::list& events) {
  std::vector<FrictionEvent> all;
  for (const nb::handle e : events)
    all.push_back({nb::cast<std::string>(e[1]) == "stick" ? FrictionEvent::Kind::stick : FrictionEvent::Kind::slip,
                   nb::cast<double>(e[0]), nb::cast<int>(e[2]), nb::cast<double>(e[3])});
  return all;
}

std::string report(const Core& core, const nb::dict& arrays, const nb::dict& statistics, const nb::list& events,
                   const std::string& title, const std::string& scenario, const std::string& method, double seconds,
                   bool animate) {
  const figures::Record record = record_of(arrays);
  const Statistics numbers = statistics_of(statistics);
  const std::vector<FrictionEvent> moments = events_of(events);
  return figures::report_page({*core.model, record, numbers, moments, title, scenario, method, seconds, animate});
}

// The robot at one posture or several, as SVG.
std::string picture(const Core& core, const Rows& postures) {
  figures::Record record;
  const std::vector<double> rest(std::size_t(core.mechanism.nv()));
  for (const std::vector<double>& q : postures) {
    record.t.push_back(double(record.t.size()));
    record.q.push_back(q);
    record.v.push_back(rest);
    record.tau.push_back(rest);
    for (auto* each : {&record.kinetic, &record.potential, &record.input_power, &record.dissipated_power, &record.work,
                       &record.dissipated})
      each->push_back(0);
  }
  return figures::picture_of(*core.model, record);
}

// What the entries of q and v are called: JOINT, or JOINT.x and so on where a joint has several; and their units.
nb::tuple names(const Core& core) {
  nb::list q, v;
  for (const app::Coordinate& c : app::coordinates_of(*core.model))
    q.append(nb::make_tuple(c.name, c.kind == app::Coordinate::Kind::angle    ? "rad"
                                    : c.kind == app::Coordinate::Kind::length ? "m"
                                                                              : ""));
  for (const app::Dof& dof : app::dofs_of(*core.model)) v.append(nb::make_tuple(dof.name(), dof.angular));
  return nb::make_tuple(q, v);
}

}  // namespace

void bind_figures(nb::class_<Core>& core) {
  core.def("report", &report);
  core.def("picture", &picture);
  core.def("names", &names);
}

}  // namespace denoc::python
