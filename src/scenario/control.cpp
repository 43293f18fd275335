#include <fmt/format.h>

#include <algorithm>

#include "denoc/control/controllers.hpp"
#include "denoc/loops/closed_chain.hpp"
#include "denoc/motion/closed_motion.hpp"
#include "parts.hpp"

namespace denoc::io {
namespace {

using SharedModel = std::shared_ptr<const Model>;
using SharedMotion = std::shared_ptr<const Trajectory>;

// The laws that steer by an error, by name.
struct GainLaw {
  std::string_view word;
  std::shared_ptr<Controller> (*make)(SharedModel, SharedMotion, Gains, const std::vector<int>&);
};
constexpr GainLaw gain_laws[] = {{"pd", pd}, {"pd_gravity", pd_with_gravity}, {"computed_torque", computed_torque}};

std::vector<Variant> variants() {
  std::vector<Variant> all = {{"none", {}}, {"torques", {"tau"}}, {"feedforward", {"driven"}}};
  for (const GainLaw& law : gain_laws) all.push_back({law.word, {"kp", "kd", "driven"}});
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

// The degrees of freedom of the joints in the list `driven`; without it the usual ones, and where loops join them, of
// these the ones with gains.
std::vector<int> driven_dofs(const Fields& fields, const Model& model, const Gains& gains, Report& report) {
  std::vector<std::string> names;
  names.reserve(static_cast<std::size_t>(model.nv()));
  for (int k = 0; k < model.nv(); ++k) names.push_back(model.joint_name(model.body_of_dof(k)));
  std::vector<int> dofs;
  const auto add_where = [&](auto&& is_driven) {
    for (int k = 0; k < model.nv(); ++k)
      if (is_driven(static_cast<std::size_t>(k))) dofs.push_back(k);
  };
  if (!fields.has("driven")) {
    dofs = driven_freedoms(model);
    if (!model.robot().loops.empty() && !gains.kp.empty())
      std::erase_if(dofs, [&](int k) {
        return gains.kp[static_cast<std::size_t>(k)] == 0 && gains.kd[static_cast<std::size_t>(k)] == 0;
      });
    return dofs;
  }
  const std::vector<const Node*> list = fields.list("driven");
  if (list.empty() && fields.node("driven")->kind == Node::Kind::list)
    fields.refuse("driven", "a law that follows a motion drives one joint or more");
  for (const Node* item : list) {
    if (std::find(names.begin(), names.end(), item->text) == names.end())
      report.fault(item->line, path_of(fields, "driven"),
                   unknown("joint", item->text, Words(names.begin(), names.end())));
  }
  add_where([&](std::size_t k) {
    return std::any_of(list.begin(), list.end(), [&](const Node* item) { return item->text == names[k]; });
  });
  return dofs;
}

}  // namespace

ControlReader read_control(const Fields& file, const SharedModel& model, const Vectors& vectors, SimulationSetup& setup,
                           Report& report) {
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
  const auto gain_law =
      std::find_if(std::begin(gain_laws), std::end(gain_laws), [&](const GainLaw& g) { return g.word == law->word; });
  Gains gains;
  if (gain_law != std::end(gain_laws)) gains = {vectors.gains(fields, "kp"), vectors.gains(fields, "kd")};
  const std::vector<int> driven = driven_dofs(fields, *model, gains, report);
  for (const auto& [key, values] : {std::pair("kp", &gains.kp), std::pair("kd", &gains.kd)}) {
    // One number for all means all that are driven.
    if (values->empty() || fields.node(key) == nullptr || fields.node(key)->kind != Node::Kind::scalar) continue;
    for (int k = 0; k < model->nv(); ++k)
      if (std::find(driven.begin(), driven.end(), k) == driven.end()) (*values)[static_cast<std::size_t>(k)] = 0;
  }
  control.make = [=](const SharedMotion& motion) {
    return gain_law == std::end(gain_laws) ? feed_forward(model, motion, driven)
                                           : gain_law->make(model, motion, gains, driven);
  };
  control.led = [=, is_pd = law->word == "pd"](const SharedMotion& motion) {
    if (model->robot().loops.empty()) return motion;
    try {
      return closed_motion(model, motion, driven);
    } catch (const NotDriveable&) {  // pd alone needs no joint to lead
      if (is_pd) return motion;
      throw;
    }
  };
  return control;
}

}  // namespace denoc::io
