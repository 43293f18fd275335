// Degrees of freedom as `info`, `check` and reports tell them.
#pragma once
#include <fmt/format.h>

#include <optional>
#include <string>

#include "denoc/loops/closed_chain.hpp"
#include "denoc/model/quaternions.hpp"
#include "output/number_of.hpp"

namespace denoc::app {

// "1 degree of freedom (3 of the tree)". mobility: that of a closed posture; none of a tree, or where there is no such.
inline std::string freedom_text(const Model& model, const std::optional<Mobility>& mobility) {
  const auto degrees = [](int n) { return number_of(n, "degree") + " of freedom"; };
  if (model.robot().loops.empty()) return degrees(model.nv());
  if (!mobility) return degrees(model.nv()) + " of the tree; its loops cannot be closed from the neutral posture";
  return fmt::format("{} ({} of the tree)", degrees(mobility->freedom()), model.nv());
}

// At the closed posture that is found from that of the file.
inline std::optional<Mobility> mobility_of(const Model& model) {
  if (model.robot().loops.empty()) return std::nullopt;
  ClosedChain chain(model);
  try {
    return chain.mobility(chain.assemble(neutral_posture(model.robot())));
  } catch (const NotAssembled&) {
    return std::nullopt;
  }
}

}  // namespace denoc::app
