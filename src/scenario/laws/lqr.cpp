#include "denoc/control/lqr.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "laws.hpp"

namespace denoc::io {
namespace {

std::vector<double> weights(const Fields& fields, const char* key, const Vectors& vectors, bool may_be_zero) {
  std::vector<double> all = vectors.weights(fields, key);
  const bool is_right = std::all_of(all.begin(), all.end(), [&](double w) { return may_be_zero ? w >= 0 : w > 0; });
  if (!is_right) fields.refuse(key, may_be_zero ? "a weight is not negative" : "a weight of forces is positive");
  return all;
}

}  // namespace

void read_lqr(const Fields& fields, const LawPlace& place, ControlReader& control) {
  const auto n = static_cast<std::size_t>(place.model->nv());
  LqrWeights all{std::vector<double>(n, 1), std::vector<double>(n, 1), std::vector<double>(n, 1)};
  if (const auto given = fields.map("weights", {"q", "v", "tau"}))
    all = {weights(*given, "q", place.vectors, true), weights(*given, "v", place.vectors, true),
           weights(*given, "tau", place.vectors, false)};
  control.make = [model = place.model, posture = place.vectors.posture(fields, "posture"), all,
                  driven = read_driven(fields, place)](const SharedMotion&) {
    return lqr(model, posture, all, driven);
  };
}

}  // namespace denoc::io
