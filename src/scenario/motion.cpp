#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "denoc/model/dofs.hpp"
#include "denoc/model/lengths.hpp"
#include "motions/motions.hpp"

namespace denoc::io {

// The list: a motion is its reader in motions/, its row here, and its row in docs/scenario-files.md.
const std::vector<MotionType>& motion_types() {
  static const std::vector<MotionType> all = {
      {"hold", {"posture", "duration"}, read_hold},
      {"point_to_point", {"from", "to", "duration", "profile"}, read_point_to_point},
      {"fastest", {"from", "to", "limits", "profile"}, read_fastest},
      {"spline", {"times", "points", "ends", "start_rate", "end_rate"}, read_spline},
      {"formula", {"q", "duration"}, read_formula},
      {"file", {"file", "ends", "start_rate", "end_rate"}, read_file},
      {"line", {"body", "point", "start", "displacement", "duration", "profile", "attitude", "joints"}, read_line},
      {"circle",
       {"body", "point", "start", "centre", "axis", "angle", "duration", "profile", "attitude", "joints"},
       read_circle},
      {"sequence", {"motions"}, read_sequence},
  };
  return all;
}

std::vector<Variant> motion_variants() {
  std::vector<Variant> all;
  for (const MotionType& type : motion_types()) all.push_back({type.word, type.keys});
  return all;
}

MakeMotion read_motion(const ChosenVariant& motion, const MotionPlace& place) {
  const auto& all = motion_types();
  const auto type = std::find_if(all.begin(), all.end(), [&](const MotionType& t) { return t.word == motion.word; });
  return type->read(motion.fields, place);
}

MakeMotion read_motion(const Fields& file, const MotionPlace& place) {
  if (!file.has("motion")) return {};
  const auto motion = variant(file, "motion", "type", motion_variants());
  return motion ? read_motion(*motion, place) : MakeMotion();
}

Profile read_profile(const Fields& fields) {
  Words names;
  for (int p = 0; p <= static_cast<int>(Profile::trapezoidal); ++p) names.push_back(name_of(static_cast<Profile>(p)));
  return profile_named(fields.word("profile", names, "cycloidal")).value_or(Profile::cycloidal);
}

double read_duration(const Fields& fields) {
  fields.require("duration");
  return positive(fields, "duration", 1);
}
double read_duration(const Fields& fields, double run) {
  return fields.has("duration") || !(run > 0) ? read_duration(fields) : run;
}

std::function<std::vector<double>(const std::vector<double>&)> read_beginning(const Fields& fields,
                                                                              std::string_view key,
                                                                              const MotionPlace& place) {
  if (!fields.has(key) && place.has_start) return [](const std::vector<double>& here) { return here; };
  fields.require(key);
  return [q = place.vectors.posture(fields, key)](const std::vector<double>&) { return q; };
}

void require_finite_start(const Fields& file, const Trajectory& motion, const Model& model) {
  std::vector<double> q(static_cast<std::size_t>(model.nq())), v(static_cast<std::size_t>(model.nv())), a = v;
  motion.at(0, q, v, a);
  const auto is_refused = [&](double x, std::string_view what, const std::string& whose) {
    if (std::isfinite(x)) return false;
    file.refuse("motion", fmt::format("{} of joint {} is {} at t = 0: a motion is finite", what, in_quotes(whose), x));
    return true;
  };
  const std::vector<NamedCoordinate> names = coordinates_of(model);
  for (std::size_t i = 0; i < q.size(); ++i)
    if (is_refused(q[i], "q", names[i].name)) return;
  for (std::size_t k = 0; k < v.size(); ++k) {
    const std::string joint = model.joint_of_dof(static_cast<int>(k));
    if (is_refused(v[k], "the rate", joint) || is_refused(a[k], "the acceleration", joint)) return;
  }
}

std::string jump_of_rates(const Model& model, const std::vector<double>& before, const std::vector<double>& after) {
  constexpr double rounding = 1e-9;
  const std::vector<double> units = units_of(model);
  for (std::size_t k = 0; k < units.size(); ++k)
    if (!(std::abs(after[k] - before[k]) <= rounding * (units[k] + std::abs(before[k]))))
      return fmt::format("the rate of joint {} jumps from {:.4g} to {:.4g}",
                         in_quotes(model.joint_of_dof(static_cast<int>(k))), before[k], after[k]);
  return "";
}

void doubt_end(const Fields& file, const Trajectory& motion, const Model& model, double run) {
  constexpr double same = 1e-12;
  constexpr int looks = 64;
  constexpr double slow = 1e-3;  // of the fastest: what interpolation leaves of a rest
  const double end = motion.duration();
  if (!(end < run * (1 - same))) return;
  std::vector<double> q(static_cast<std::size_t>(model.nq())), v(static_cast<std::size_t>(model.nv())), a = v,
                                                                                                        fastest = v;
  for (int i = 0; i <= looks; ++i) {
    motion.at(end * i / looks, q, v, a);
    for (std::size_t k = 0; k < v.size(); ++k) fastest[k] = std::max(fastest[k], std::abs(v[k]));
  }
  for (std::size_t k = 0; k < v.size(); ++k)
    if (std::abs(v[k]) <= slow * fastest[k]) v[k] = 0;
  if (const std::string jump = jump_of_rates(model, v, std::vector<double>(v.size())); !jump.empty())
    file.warn("motion", fmt::format("{} where it ends, at {:.6g} s of {:.6g} s: no finite force does that, end at rest",
                                    jump, end, run));
}

int read_body(const Fields& fields, const Robot& robot) {
  const std::string name = fields.text("body");
  if (name.empty()) return 0;  // reported
  const int body = robot.find(name);
  if (body > 0) return body;
  Words names;
  for (std::size_t b = 1; b < robot.bodies.size(); ++b) names.push_back(robot.bodies[b].name);
  fields.refuse("body", body == 0 ? "the ground does not move" : unknown("body", name, names));
  return 0;
}

std::vector<int> read_joints(const Fields& fields, std::string_view key, const Model& model, Report& report) {
  const std::vector<std::string> names = joint_names(model);
  // One joint may stand alone.
  const Node* node = fields.node(key);
  const std::vector<const Node*> list =
      node != nullptr && node->kind == Node::Kind::scalar ? std::vector<const Node*>{node} : fields.list(key);
  for (auto item = list.begin(); item != list.end(); ++item) {
    const auto is_it = [&](const Node* other) { return other->text == (*item)->text; };
    if (std::find(names.begin(), names.end(), (*item)->text) == names.end()) {
      report.fault((*item)->line, fields.path(key), unknown("joint", (*item)->text, Words(names.begin(), names.end())));
    } else if (std::find_if(list.begin(), item, is_it) != item) {
      report.fault((*item)->line, fields.path(key), fmt::format("joint {} is named twice", in_quotes((*item)->text)));
    }
  }
  std::vector<int> dofs;
  for (int k = 0; k < model.nv(); ++k)
    if (std::any_of(list.begin(), list.end(), [&](const Node* item) { return item->text == model.joint_of_dof(k); }))
      dofs.push_back(k);
  return dofs;
}

}  // namespace denoc::io
