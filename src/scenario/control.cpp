#include <algorithm>

#include "laws/laws.hpp"
#include "simulation/least_step.hpp"

namespace denoc::io {
namespace {

void read_none(const Fields&, const LawPlace&, ControlReader&) {}

// The list: a law is its reader in laws/, its row here, and its row in docs/scenario-files.md.
const std::vector<LawType>& law_types() {
  static const std::vector<LawType> all = {
      {"none", {}, read_none},
      {"torques", {"tau"}, read_torques},
      {"feedback", {"tau"}, read_feedback},
      {"feedforward", {"driven"}, read_feedforward},
      {"pd", {"kp", "kd", "driven"}, read_pd},
      {"pd_gravity", {"kp", "kd", "driven"}, read_pd_gravity},
      {"pid", {"kp", "ki", "kd", "driven"}, read_pid},
      {"computed_torque", {"kp", "kd", "driven"}, read_computed_torque},
      {"lqr", {"posture", "weights", "driven"}, read_lqr},
  };
  return all;
}

}  // namespace

ControlReader read_control(const Fields& file, const SharedModel& model, const Vectors& vectors, SimulationSetup& setup,
                           Report& report) {
  ControlReader control;
  if (!file.has("control")) return control;
  std::vector<Variant> variants;
  for (const LawType& type : law_types()) {
    variants.push_back({type.word, type.keys});
    variants.back().keys.insert(variants.back().keys.end(), {"rate", "saturate"});
  }
  const auto law = variant(file, "control", "type", variants);
  if (!law) return control;
  control.word = law->word;
  setup.control_rate = positive(law->fields, "rate", 0);
  if (const std::string words = simulation::samples_too_close(setup.control_rate, setup.duration); !words.empty())
    law->fields.refuse("rate", words);
  setup.effort_limits = law->fields.flag("saturate", false);
  const auto type =
      std::find_if(law_types().begin(), law_types().end(), [&](const LawType& t) { return t.word == law->word; });
  type->read(law->fields, {model, vectors, file.has("motion"), setup, report}, control);
  return control;
}

}  // namespace denoc::io
