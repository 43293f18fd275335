#include "laws.hpp"

namespace denoc::io {

void read_torques(const Fields& fields, const LawPlace& place, ControlReader& control) {
  control.make = [formulas = place.vectors.torques(fields, "tau")](const SharedMotion&) {
    return given_torques(
        [formulas](double t, std::span<double> tau) {
          for (std::size_t k = 0; k < formulas.size(); ++k) tau[k] = formulas[k](t);
        },
        breaks_of(formulas));
  };
}

}  // namespace denoc::io
