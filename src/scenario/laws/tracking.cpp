#include <fmt/format.h>

#include <algorithm>

#include "denoc/forces/forces.hpp"
#include "denoc/loops/closed_chain.hpp"
#include "denoc/motion/closed_motion.hpp"
#include "laws.hpp"

namespace denoc::io {

std::vector<int> read_driven(const Fields& fields, const LawPlace& place,
                             const std::vector<std::vector<double>>& gains) {
  if (fields.has("driven")) {
    fields.refuse_empty("driven", "a law that follows a motion drives one joint or more");
    return read_joints(fields, "driven", *place.model, place.report);
  }
  std::vector<int> dofs = driven_freedoms(*place.model);
  if (!place.model->robot().loops.empty() && !gains.empty())
    std::erase_if(dofs, [&](int k) {
      return std::all_of(gains.begin(), gains.end(),
                         [&](const auto& gain) { return gain[static_cast<std::size_t>(k)] == 0; });
    });
  return dofs;
}

Tracking read_tracking(const Fields& fields, const LawPlace& place, const Words& gains, bool needs_lead,
                       ControlReader& control) {
  control.follows_motion = true;
  if (!place.has_motion)
    fields.refuse(
        fmt::format("{} follows a motion, and there is none; `motion: {{type: hold}}` holds a posture", control.word));
  if (const std::string names = names_of_forces(*place.model); needs_lead && !names.empty())
    fields.warn("type",
                fmt::format("{} leaves out {} of the robot: it does not make up for them", control.word, names));
  Tracking tracking;
  for (const std::string_view key : gains) tracking.gains.push_back(place.vectors.gains(fields, key));
  tracking.driven = read_driven(fields, place, tracking.gains);
  for (std::size_t i = 0; i < gains.size(); ++i) {
    // One number for all means all that are driven.
    const Node* node = fields.node(gains[i]);
    if (node == nullptr || node->kind != Node::Kind::scalar) continue;
    for (int k = 0; k < place.model->nv(); ++k)
      if (std::find(tracking.driven.begin(), tracking.driven.end(), k) == tracking.driven.end())
        tracking.gains[i][static_cast<std::size_t>(k)] = 0;
  }
  control.led = [model = place.model, driven = tracking.driven, needs_lead](const SharedMotion& motion) {
    if (model->robot().loops.empty()) return motion;
    try {
      return closed_motion(model, motion, driven);
    } catch (const NotDriveable&) {  // without inverse dynamics no joint needs to lead
      if (!needs_lead) return motion;
      throw;
    }
  };
  return tracking;
}

}  // namespace denoc::io
