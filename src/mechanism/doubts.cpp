#include "denoc/mechanism/doubts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "denoc/dynamics/inertia/udut.hpp"
#include "denoc/loops/closed_chain.hpp"
#include "denoc/model/quaternions.hpp"
#include "model/inspection.hpp"

namespace denoc {
namespace {

constexpr double most = 1 / (16 * std::numeric_limits<double>::epsilon());

}  // namespace

std::vector<Fault> doubts_of_condition(const Model& tree) {
  if (tree.nv() == 0) return {};
  Configuration<double> at(tree);
  Factor<double> factor(tree);
  place<double>(tree, neutral_posture(tree.robot()), at);
  try {
    factorize<double>(tree, at, factor);
  } catch (const SingularInertia&) {
    return {};
  }
  const auto [large, small] = std::minmax_element(factor.d_inv.begin(), factor.d_inv.end());  // of 1/d
  const double ratio = *small / *large;
  if (!(ratio > most)) return {};
  const auto dof = [&](auto at_pivot) { return static_cast<int>(at_pivot - factor.d_inv.begin()); };
  const Body& body = tree.robot().bodies[static_cast<std::size_t>(tree.body_of_dof(dof(small)))];
  return {{inspection::source_of_joint(body),
           fmt::format("the inertia that it feels, {} kg m^2 (or kg), is too small beside {} at joint '{}': the "
                       "condition of the inertia matrix is at least {:.3g}, and accelerations keep no digits",
                       1 / *small, 1 / *large, tree.joint_of_dof(dof(large)), ratio)}};
}

std::vector<Fault> doubts_of(const Model& tree) {
  std::vector<Fault> found = doubts_of_condition(tree);
  if (tree.robot().loops.empty() || tree.robot().postures.empty()) return found;
  ClosedChain chain(tree);
  for (const Posture& posture : tree.robot().postures) {
    const ClosedChain::Gap gap = chain.gap(posture.q);
    if (!gap.is_open()) continue;
    found.push_back({posture.source, fmt::format("posture '{}' leaves {} open by {:.3g} m (or rad)", posture.name,
                                                 gap.loop, gap.size)});
  }
  return found;
}

void require_no_doubts(const Model& tree) {
  if (std::vector<Fault> doubts = doubts_of(tree); !doubts.empty()) throw RobotError(std::move(doubts));
}

}  // namespace denoc
