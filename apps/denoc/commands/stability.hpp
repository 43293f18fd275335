// What the two halves of denoc stability share: one state, and a sweep of states.
#pragma once
#include <optional>

#include "commands/problem.hpp"
#include "studies/precision.hpp"

namespace denoc::app {

struct StabilityOptions : StateOptions {
  bool sweep = false, path = false;  // along a motion instead of single states
  std::string plot = {};             // file of its figure
  bool is_along() const { return sweep || path; }
};

// How hard a state is for whoever solves I a = tau.
struct Hardness {
  std::vector<double> pivots;  // D of I = U D U^T
  std::size_t least_pivot;     // degree of freedom
  // From I itself, where it is formed: for robots of up to most_for_cubes degrees of freedom.
  struct OfMatrix {
    double condition;
    // I_kk / d_k, the largest: what elimination cancels in a pivot. Its decimal logarithm is the number of digits that
    // I may lose on the way to a.
    double cancellation;
    std::size_t most_cancelled;  // degree of freedom
  };
  std::optional<OfMatrix> of_matrix;
};
Hardness hardness(const Model& model, std::span<const double> q);

// Which methods of a problem to trust in single precision: those within a digit of the best are as good as the best.
std::string trusted(std::string_view problem, const std::vector<MethodError>& errors);

// The errors of forward dynamics along a motion: --sweep, --path.
Status stability_along(const StabilityOptions& options, const Model& model, Session& session);

}  // namespace denoc::app
