#include <fmt/format.h>

#include "denoc/motion/joint_motion.hpp"
#include "motions.hpp"

namespace denoc::io {

// Each begins where the one before has ended, unless it says otherwise.
MakeMotion read_sequence(const Fields& fields, const MotionPlace& place) {
  fields.require("motions");
  const std::vector<const Node*> items = fields.list("motions");
  if (items.empty() && fields.has("motions") && fields.node("motions")->kind == Node::Kind::list)
    fields.refuse("motions", "a sequence has one motion or more");
  std::vector<MakeMotion> makers;
  for (const Node* item : items) {
    MotionPlace part{place.model, place.vectors, place.folder, 0, place.has_start || !makers.empty(), place.report};
    const auto motion = variant(*item, fmt::format("{}: motions[{}]", fields.element(), makers.size()), "type",
                                motion_variants(), place.report);
    makers.push_back(motion ? read_motion(*motion, part) : MakeMotion());
  }
  return [makers, model = place.model](std::vector<double> here) {
    std::vector<std::shared_ptr<const Trajectory>> motions;
    std::vector<double> v(static_cast<std::size_t>(model->nv())), a(v);
    for (const MakeMotion& make : makers) {
      motions.push_back(make(here));
      motions.back()->at(motions.back()->duration(), here, v, a);
    }
    return sequence(model, std::move(motions));
  };
}

}  // namespace denoc::io
