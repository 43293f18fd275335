// Pictures and pages: those of the command line.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "denoc/model/dofs.hpp"
#include "output/figures/page.hpp"

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
  Rows all(std::size_t(array.shape()[0]));
  const std::size_t n = all.empty() ? 0 : numbers.size() / all.size();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto row = numbers.subspan(i * n, n);
    all[i].assign(row.begin(), row.end());
  }
  return all;
}

// watched: points of bodies whose paths are drawn, (name, body, x, y, z)
figures::Record record_of(const nb::dict& arrays, const nb::list& watched) {
  figures::Record record;
  for (const nb::handle w : watched)
    record.watched.push_back({nb::cast<std::string>(w[0]),
                              nb::cast<int>(w[1]),
                              {nb::cast<double>(w[2]), nb::cast<double>(w[3]), nb::cast<double>(w[4])}});
  record.t = column(arrays, "t");
  record.q = rows(arrays, "q");
  record.v = rows(arrays, "v");
  record.tau = rows(arrays, "tau");
  record.kinetic = column(arrays, "kinetic");
  record.potential = column(arrays, "potential");
  record.input_power = column(arrays, "input_power");
  record.dissipated_power = column(arrays, "dissipated_power");
  record.work = column(arrays, "work");
  record.dissipated = column(arrays, "dissipated");
  if (arrays.contains("reactions"))
    for (const std::vector<double>& row : rows(arrays, "reactions")) {
      auto& wrenches = record.reactions.emplace_back();
      for (std::size_t k = 0; k + 6 <= row.size(); k += 6)
        wrenches.push_back({{row[k], row[k + 1], row[k + 2]}, {row[k + 3], row[k + 4], row[k + 5]}});
    }
  return record;
}

// None is left as it is: not known.
Statistics statistics_of(const nb::dict& s) {
  Statistics all;
  const auto take = [&]<class T>(const char* name, T& to) {
    if (!s[name].is_none()) to = nb::cast<T>(s[name]);
  };
  take("steps", all.steps);
  take("rejected", all.rejected);
  take("evaluations", all.evaluations);
  take("least_step", all.least_step);
  take("largest_step", all.largest_step);
  take("events", all.events);
  take("balance_defect", all.balance_defect);
  take("largest_kinetic", all.largest_kinetic);
  take("loop_defect", all.loop_defect);
  take("quaternion_defect", all.quaternion_defect);
  take("stiff", all.stiff);
  return all;
}

FrictionEvent::Kind kind_of(const std::string& word) {
  using Kind = FrictionEvent::Kind;
  return word == name_of(Kind::stick) ? Kind::stick : word == name_of(Kind::slip) ? Kind::slip : Kind::turn;
}
std::vector<FrictionEvent> events_of(const nb::list& events) {
  std::vector<FrictionEvent> all;
  for (const nb::handle e : events)
    all.push_back(
        {kind_of(nb::cast<std::string>(e[1])), nb::cast<double>(e[0]), nb::cast<int>(e[2]), nb::cast<double>(e[3])});
  return all;
}

std::string report(const Core& core, const nb::dict& arrays, const nb::list& watched, const nb::dict& statistics,
                   const nb::list& events, const std::string& title, const std::string& scenario,
                   const std::string& method, double seconds, bool animate, bool is_complete,
                   const std::vector<std::string>& warnings) {
  const figures::Record record = record_of(arrays, watched);
  const Statistics numbers = statistics_of(statistics);
  const std::vector<FrictionEvent> moments = events_of(events);
  return figures::report_page(
      {*core.model, record, numbers, moments, title, scenario, method, seconds, animate, is_complete, 0, warnings});
}

// Pages with nothing but the robot: moving as in a run, and at rest.
std::string film(const Core& core, const nb::dict& arrays, const nb::list& watched) {
  return figures::run_page(*core.model, record_of(arrays, watched));
}
std::string view(const Core& core, const std::vector<double>& q) { return figures::robot_page(*core.model, q); }

// What the entries of q and v are called: JOINT, or JOINT.x and so on where a joint has several; and their units.
nb::tuple names(const Core& core) {
  nb::list q, v;
  for (const NamedCoordinate& c : coordinates_of(*core.model))
    q.append(nb::make_tuple(c.name, c.kind == NamedCoordinate::Kind::angle    ? "rad"
                                    : c.kind == NamedCoordinate::Kind::length ? "m"
                                                                              : ""));
  for (const Dof& dof : dofs_of(*core.model)) v.append(nb::make_tuple(dof.name(), dof.angular));
  return nb::make_tuple(q, v);
}

}  // namespace

void bind_figures(nb::class_<Core>& core) {
  core.def("report", &report);
  core.def("film", &film);
  core.def("view", &view);
  core.def("names", &names);
}

}  // namespace denoc::python
