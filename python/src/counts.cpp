// What a robot costs.
#include <nanobind/stl/string.h>

#include "denoc/dynamics/operation_counts.hpp"

#include "core.hpp"
#include "interpreter.hpp"

namespace denoc::python {
namespace {

nb::tuple operations(const OperationCount& c) { return nb::make_tuple(c.mul, c.add, c.div, c.sqrt, c.sincos); }

nb::list counts(const Core& core) {
  std::vector<ProblemCount> found;
  {
    const Released others_may_run;
    found = operation_counts(core.mechanism.tree());
  }
  nb::list all;
  for (const auto& [problem, method, executed, folded] : found)
    all.append(nb::make_tuple(problem, method, operations(executed),
                              folded ? nb::object(operations(*folded)) : nb::object(nb::none())));
  return all;
}

}  // namespace

void bind_counts(nb::class_<Core>& core) { core.def("counts", &counts); }

}  // namespace denoc::python
