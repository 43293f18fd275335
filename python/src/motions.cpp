// Motions and control laws of scenarios, one by one.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "core.hpp"

namespace denoc::python {
namespace {

// Both are read as a scenario is, and live no longer than its robot.
struct Motion {
  std::shared_ptr<const Model> model;
  std::shared_ptr<const Trajectory> path;
  std::vector<Fault> warnings;

  // At the times t (count): q (count, nq), v, a (count, nv).
  void at(nb::handle times, nb::handle to_q, nb::handle to_v, nb::handle to_a) const {
    const Buffer t(times), q(to_q, true), v(to_v, true), a(to_a, true);
    const auto nq = std::size_t(model->nq()), nv = std::size_t(model->nv());
    const auto row = [](const Buffer& all, std::size_t i, std::size_t n) {
      return all.numbers<double>().subspan(i * n, n);
    };
    const std::span<const double> instants = t.numbers<const double>();
    for (std::size_t i = 0; i < instants.size(); ++i)
      path->at(instants[i], row(q, i, nq), row(v, i, nv), row(a, i, nv));
  }
};
struct Law {
  std::shared_ptr<const Model> model;
  std::shared_ptr<Controller> controller;  // none: no drive does anything
  std::vector<Fault> warnings;

  nb::object torques(double t, nb::handle posture, nb::handle rates) const {
    const Buffer given(posture), v(rates);
    const std::vector<double> q = on_manifold(model->robot(), given.numbers<const double>());
    std::vector<double> tau(std::size_t(model->nv()));
    if (controller) controller->torques(t, q, v.numbers<const double>(), tau);
    return array_of(tau);
  }
  bool wants_rate() const { return controller && controller->wants_rate(); }
};

Motion motion(const Core& core, const std::string& text) {
  Scenario read = generated(text, "motion", core);
  if (!read.motion) throw ArgumentError("motion: there is none");
  // What is said of the motion as a whole is about the run: that no drive follows it.
  std::erase_if(read.warnings, [](const Fault& warning) { return warning.source.element == "motion"; });
  return {read.model, std::move(read.motion), std::move(read.warnings)};
}
Law law(const Core& core, const std::string& text) {
  Scenario read = generated(text, "control", core);
  return {read.model, std::move(read.setup.control), std::move(read.warnings)};
}

}  // namespace

void bind_motions(nb::module_& module, nb::class_<Core>& core) {
  nb::class_<Motion>(module, "Motion")
      .def_prop_ro("duration", [](const Motion& m) { return m.path->duration(); })
      .def_prop_ro("breaks", [](const Motion& m) { return m.path->breaks(); })
      .def_prop_ro("warnings", [](const Motion& m) { return as_python(m.warnings); })
      .def("at", &Motion::at);
  nb::class_<Law>(module, "Law")
      .def("torques", &Law::torques)
      .def_prop_ro("wants_rate", &Law::wants_rate)
      .def_prop_ro("warnings", [](const Law& law) { return as_python(law.warnings); });
  core.def("motion", &motion, nb::keep_alive<0, 1>());
  core.def("law", &law, nb::keep_alive<0, 1>());
}

}  // namespace denoc::python
