// Parameters that torques are linear in, and gradients through steps of time.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <mutex>

#include "denoc/simulation/sensitivity.hpp"

#include "core.hpp"
#include "interpreter.hpp"

namespace denoc::python {
namespace {

Regressor regressor_of(const Core& core, bool friction) {
  return Regressor(core.mechanism, friction ? Regressor::Friction::viscous_and_coulomb : Regressor::Friction::none,
                   Loops::open);
}
std::span<const double> numbers_of(const Buffer& array) { return array.numbers<const double>(); }

// (names, values of the file)
nb::tuple parameters(const Core& core, bool friction) {
  const Regressor regressor = regressor_of(core, friction);
  return nb::make_tuple(regressor.names(), array_of(regressor.parameters()));
}
// (names, places of the independent columns, relations by rows)
nb::tuple groups_of_parameters(const Core& core, bool friction) {
  BaseParameters found;
  int columns = 0;
  {
    const Released others_may_run;
    Regressor regressor = regressor_of(core, friction);
    columns = regressor.columns();
    found = base_parameters(regressor);
  }
  std::vector<double> relations;
  for (const std::vector<double>& row : found.relations) relations.insert(relations.end(), row.begin(), row.end());
  return nb::make_tuple(found.names, found.independent,
                        array_of(relations, nb::make_tuple(found.names.size(), columns)));
}

// (degrees of freedom, first, second): of one posture.
nb::tuple assembly_derivatives(const Core& core, nb::handle q, const std::vector<std::string>& joints) {
  const Buffer posture(q);
  const std::vector<int> given = core.mechanism.freedoms(joints);
  Dynamics dynamics(core.mechanism);  // which has the answer
  const auto find = [&] {
    const Released others_may_run;
    return dynamics.assembly_derivatives(numbers_of(posture), given);
  };
  const auto [independent, first, second] = find();
  const int n = core.mechanism.nv(), m = int(independent.size());
  return nb::make_tuple(std::vector<int>(independent.begin(), independent.end()),
                        array_of(first.entries(), nb::make_tuple(n, m)),
                        array_of(second.entries(), nb::make_tuple(n, m, m)));
}

Sensitivity sensitivity_of(const Core& core, bool forces) {
  return Sensitivity(core.mechanism, forces ? Forces::all : Forces::none);
}

// Steps under given torques, and gradients back through them. One thread at a time: the others wait.
class Rollout {
 public:
  Rollout(const Core& core, bool forces) : core_(core), sensitivity_(sensitivity_of(core, forces)) {}

  // The states (q, v): a row before the first step and one after each, in one line as `tau` of back: rows without
  // entries are counted by the caller alone.
  nb::tuple run(nb::handle q, nb::handle v, nb::handle tau, double dt) {
    const Buffer from_q(q), from_v(v), drive(tau);
    Sensitivity::Run states;
    {
      const Released others_may_run;
      const std::lock_guard lock(mutex_);
      states = sensitivity_.run(numbers_of(from_q), numbers_of(from_v), numbers_of(drive), dt);
    }
    return nb::make_tuple(array_of(states.q), array_of(states.v));
  }
  // Of a cost, from its gradients by the states: by q, v of the start, by tau and by the parameters (none: empty).
  nb::tuple back(nb::handle by_q, nb::handle by_v, bool with_parameters, bool friction) {
    const Buffer of_q(by_q), of_v(by_v);
    Sensitivity::Gradient found;
    {
      const Released others_may_run;
      const std::lock_guard lock(mutex_);
      if (with_parameters) {
        Regressor regressor = regressor_of(core_, friction);
        found = sensitivity_.back(numbers_of(of_q), numbers_of(of_v), &regressor);
      } else {
        found = sensitivity_.back(numbers_of(of_q), numbers_of(of_v));
      }
    }
    return nb::make_tuple(array_of(found.q), array_of(found.v), array_of(found.tau), array_of(found.parameters));
  }

 private:
  const Core& core_;
  Sensitivity sensitivity_;
  std::mutex mutex_ = {};
};

// One step: (q, v, A, B).
nb::tuple step_derivatives(const Core& core, nb::handle q, nb::handle v, nb::handle tau, double dt, bool forces) {
  const Buffer from_q(q), from_v(v), drive(tau);
  const auto find = [&] {
    const Released others_may_run;
    return sensitivity_of(core, forces).step(numbers_of(from_q), numbers_of(from_v), numbers_of(drive), dt);
  };
  const Sensitivity::Step found = find();
  const int n = core.mechanism.nv();
  return nb::make_tuple(array_of(found.q), array_of(found.v), array_of(found.A, nb::make_tuple(2 * n, 2 * n)),
                        array_of(found.B, nb::make_tuple(2 * n, n)));
}

}  // namespace

void bind_gradients(nb::module_& module, nb::class_<Core>& core) {
  core.def("parameters", &parameters);
  core.def("base_parameters", &groups_of_parameters);
  core.def("step_derivatives", &step_derivatives);
  core.def("assembly_derivatives", &assembly_derivatives);
  nb::class_<Rollout>(module, "Rollout")
      .def(nb::init<const Core&, bool>(), nb::keep_alive<1, 2>())
      .def("run", &Rollout::run)
      .def("back", &Rollout::back);
}

}  // namespace denoc::python
