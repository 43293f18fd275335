#include <fmt/format.h>

#include "denoc/control/controllers.hpp"
#include "scenario_parts.hpp"

namespace denoc::io {
namespace {

using SharedModel = std::shared_ptr<const Model>;
using SharedMotion = std::shared_ptr<const Trajectory>;

// The laws that steer by an error, by name.
struct GainLaw {
  std::string_view word;
  std::shared_ptr<Controller> (*make)(SharedModel, SharedMotion, Gains);
};
constexpr GainLaw gain_laws[] = {{"pd", pd}, {"pd_gravity", pd_with_gravity}, {"computed_torque", computed_torque}};

std::vector<Variant> variants() {
  std::vector<Variant> all = {{"none", {}}, {"torques", {"tau"}}, {"feedforward", {}}};
  for (const GainLaw& law : gain_laws) all.push_back({law.word, {"kp", "kd"}});
  for (Variant& v : all) v.keys.insert(v.keys.end(), {"rate", "saturate"});
  return all;
}

std::shared_ptr<Controller> torques_of(const std::vector<Formula>& formulas) {
  return given_torques(
      [formulas](double t, std::span<double> tau) {
        for (std::size_t k = 0; k < formulas.size(); ++k) tau[k] = formulas[k](t);
      },
      breaks_of(formulas));
}

}  // namespace

ControlReader read_control(const Fields& file, const SharedModel& model, const Vectors& vectors,
                           SimulationSetup& setup) {
  ControlReader control;
  if (!file.has("control")) return control;
  const auto law = variant(file, "control", "type", variants());
  if (!law) return control;
  const Fields& fields = law->fields;
  control.word = law->word;
  setup.control_rate = positive(fields, "rate", 0);
  setup.effort_limits = fields.flag("saturate", false);
  if (law->word == "none") return control;
  if (law->word == "torques") {
    control.make = [formulas = vectors.torques(fields, "tau")](const SharedMotion&) { return torques_of(formulas); };
    return control;
  }
  control.follows_motion = true;
  if (!file.has("motion")) fields.refuse(fmt::format("{} follows a motion, and there is none", law->word));
  control.make = [model](const SharedMotion& motion) { return feed_forward(model, motion); };
  for (const GainLaw& gain_law : gain_laws) {
    if (gain_law.word != law->word) continue;
    const Gains gains{vectors.gains(fields, "kp"), vectors.gains(fields, "kd")};
    control.make = [=](const SharedMotion& motion) { return gain_law.make(model, motion, gains); };
  }
  return control;
}

}  // namespace denoc::io
