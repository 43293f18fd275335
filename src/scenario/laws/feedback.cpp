#include "denoc/model/dofs.hpp"
#include "laws.hpp"

namespace denoc::io {
namespace {

// "q.JOINT", then "v.JOINT".
std::vector<std::string> names_of_state(const Model& model) {
  std::vector<std::string> names;
  for (const NamedCoordinate& c : coordinates_of(model)) names.push_back("q." + c.name);
  for (const Dof& dof : dofs_of(model)) names.push_back("v." + dof.name());
  return names;
}

}  // namespace

void read_feedback(const Fields& fields, const LawPlace& place, ControlReader& control) {
  const std::vector<std::string> names = names_of_state(*place.model);
  control.make = [formulas = place.vectors.torques(fields, "tau", names), count = names.size()](const SharedMotion&) {
    return feedback(
        [formulas, state = std::vector<double>(count)](double t, std::span<const double> q, std::span<const double> v,
                                                       std::span<double> tau) mutable {
          std::copy(v.begin(), v.end(), std::copy(q.begin(), q.end(), state.begin()));
          for (std::size_t k = 0; k < formulas.size(); ++k) tau[k] = formulas[k](t, state);
        },
        breaks_of(formulas));
  };
}

}  // namespace denoc::io
