#include <fmt/format.h>

#include "denoc/motion/joint_motion.hpp"
#include "motions.hpp"

namespace denoc::io {
// Each begins where the one before has ended, unless it says otherwise.
MakeMotion read_sequence(const Fields& fields, const MotionPlace& place) {
  fields.require("motions");
  const std::vector<const Node*> items = fields.list("motions");
  fields.refuse_empty("motions", "a sequence has one motion or more");
  struct Part {
    MakeMotion make;
    int line;
    std::string element;
  };
  std::vector<Part> parts;
  for (const Node* item : items) {
    MotionPlace part{place.model, place.vectors, place.folder, 0, place.has_start || !parts.empty(), place.report};
    const std::string element = fmt::format("{}: motions[{}]", fields.element(), parts.size());
    const auto motion = variant(*item, element, "type", motion_variants(), place.report);
    parts.push_back({motion ? read_motion(*motion, part) : MakeMotion(), item->line, element});
  }
  return [parts, model = place.model, &report = place.report](std::vector<double> here) {
    std::vector<std::shared_ptr<const Trajectory>> motions;
    std::vector<double> q(here), v(static_cast<std::size_t>(model->nv())), a(v), v_before;
    for (const Part& part : parts) {
      motions.push_back(part.make(here));
      motions.back()->at(0, q, v, a);
      if (const std::string jump = v_before.empty() ? "" : jump_of_rates(*model, v_before, v); !jump.empty())
        report.warn(part.line, part.element,
                    fmt::format("{} where it begins: no finite force does that, begin at the rate at which the one "
                                "before ends",
                                jump));
      motions.back()->at(motions.back()->duration(), here, v, a);
      v_before = v;
    }
    return sequence(model, std::move(motions));
  };
}

}  // namespace denoc::io
