// Robots: read, described, and what is asked of them once.
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>

#include "denoc/dynamics/formulation.hpp"
#include "denoc/forces/forces.hpp"
#include "denoc/io/draft.hpp"
#include "denoc/io/report.hpp"
#include "denoc/loops/closed_chain.hpp"
#include "denoc/mechanism/doubts.hpp"
#include "denoc/mechanism/random_posture.hpp"

#include "core.hpp"
#include "interpreter.hpp"
#include "shapes.hpp"

namespace denoc::python {
namespace {

// What the file says of each part, then what is doubted of the whole.
std::vector<Fault> doubts_of(const std::vector<Fault>& of_file, const Model& tree) {
  std::vector<Fault> all = of_file;
  for (Fault& doubt : denoc::doubts_of(tree)) all.push_back(std::move(doubt));
  return all;
}

Document sound(Document document) {
  if (!document.faults.empty()) throw RobotError(std::move(document.faults));
  return document;
}

LoadOptions options_of(const std::string& base, const std::optional<std::array<double, 3>>& gravity, bool strict,
                       bool repair) {
  LoadOptions options;
  if (base != "fixed" && base != "free") throw ArgumentError(io::unknown("base", base, {"fixed", "free"}));
  if (base == "free") options.base = Base::free;
  if (gravity) options.gravity = Vec3<double>{(*gravity)[0], (*gravity)[1], (*gravity)[2]};
  options.strict = strict;
  options.repair = repair;
  return options;
}

nb::tuple as_tuple(const Vec3<double>& x) { return nb::make_tuple(x.x, x.y, x.z); }

// In the order of the files: xx, yy, zz, xy, yz, zx.
nb::tuple as_tuple(const Sym3<double>& s) { return nb::make_tuple(s.xx, s.yy, s.zz, s.xy, s.yz, s.xz); }

nb::dict joint(const Model& tree, int b) {
  const Body& body = tree.robot().bodies[std::size_t(b)];
  const Joint& j = body.joint;
  const auto& place = tree.bodies()[std::size_t(b)];
  nb::dict d;
  d["name"] = tree.joint_name(b);
  d["type"] = std::string(name_of(j.type));
  d["body"] = body.name;
  d["parent"] = tree.robot().bodies[std::size_t(body.parent)].name;
  d["first_q"] = place.q;
  d["first_v"] = place.v;
  d["nq"] = coordinates(j.type);
  d["nv"] = degrees_of_freedom(j.type);
  d["lower"] = j.limits.lower;
  d["upper"] = j.limits.upper;
  d["velocity"] = j.limits.velocity;
  d["effort"] = j.limits.effort;
  d["gear"] = j.actuator.gear;
  d["rotor_inertia"] = j.actuator.rotor_inertia;
  d["armature"] = j.armature;
  return d;
}

nb::dict body(const Model& tree, int b) {
  const Body& each = tree.robot().bodies[std::size_t(b)];
  nb::dict d;
  d["name"] = each.name;
  d["parent"] = tree.robot().bodies[std::size_t(each.parent)].name;
  d["joint"] = tree.joint_name(b);
  d["mass"] = each.inertial.mass;
  d["com"] = as_tuple(each.inertial.com);
  d["inertia"] = as_tuple(each.inertial.inertia);
  d["hub"] = as_tuple(each.inertial.hub);
  return d;
}

template <class Describe> nb::list of_bodies(const Core& core, const Describe& describe) {
  nb::list all;
  for (int b = 1; b < int(core.mechanism.robot().bodies.size()); ++b) all.append(describe(core.mechanism.tree(), b));
  return all;
}

template <class Table> nb::list rows_of(const Table& table) {
  nb::list rows;
  for (const auto& row : table)
    rows.append(nb::make_tuple(std::string(row.name), std::string(row.order), std::string(row.covers)));
  return rows;
}

nb::tuple mobility(Core& core, nb::handle posture) {
  const Buffer q(posture);
  const Dynamics::Vector given = q.numbers<const double>();
  require_size(given, core.mechanism.nq(), "q");
  const auto find = [&] {
    const Released others_may_run;
    return ClosedChain(core.mechanism.tree()).mobility(on_manifold(core.mechanism.robot(), given));
  };
  const Mobility m = find();
  return nb::make_tuple(m.tree, m.rows, m.rank, m.anywhere, m.freedom(), m.gruebler(), m.is_dead_point());
}

nb::object random(const Core& core, std::uint64_t seed) {
  const auto draw = [&] {
    const Released others_may_run;
    Chance chance(seed);
    return random_posture(core.mechanism, chance);
  };
  return array_of(draw());
}

// The nearest rates that keep the loops closed.
nb::object closed_rates(Core& core, nb::handle posture, nb::handle rates) {
  const Buffer q(posture), v(rates);
  return array_of(
      ClosedChain(core.mechanism.tree()).closed_rates(q.numbers<const double>(), v.numbers<const double>()));
}

// To a file that appears under its name only when it is complete.
void write(const std::string& file, const nb::bytes& bytes) {
  const std::string_view all(bytes.c_str(), bytes.size());
  const Released others_may_run;
  io::Draft draft{file};
  draft.append(all);
  draft.complete();
  draft.commit();
}

}  // namespace

Core::Core(Document document, std::string file_name, const LoadOptions& given)
    : file(std::move(file_name)),
      text(document.whole.empty() ? document.text : document.whole),
      format(document.format),
      options(given),
      mechanism(sound(document).robot),
      doubts(doubts_of(document.warnings, mechanism.tree())),
      notes(document.notes),
      model(std::shared_ptr<const Model>(), &mechanism.tree()),
      engines(mechanism),
      quaternions(quaternions_of(mechanism.robot())) {
  if (given.strict) require_no_doubts(mechanism.tree());
  for (const Question& question : questions()) shapes.push_back(shape_of(question.extent(mechanism), {}));
}

void bind_robot(nb::module_& module) {
  nb::class_<Core> core(module, "Core");
  const auto load = [](Core* self, const std::string& source, bool is_text, const std::string& name,
                       const std::string& base, const std::optional<std::array<double, 3>>& gravity, bool strict,
                       bool repair) {
    const LoadOptions options = options_of(base, gravity, strict, repair);
    const std::string file = is_text ? name : find_robot(source);
    const auto read = [&] {
      const Released others_may_run;
      return is_text ? read_robot_text(source, name, options) : read_robot(file, options);
    };
    Document document = read();
    new (self) Core(std::move(document), file, options);
  };
  core.def("__init__", load, nb::arg("source"), nb::arg("is_text"), nb::arg("name"), nb::arg("base"),
           nb::arg("gravity").none(), nb::arg("strict"), nb::arg("repair"));
  core.def_prop_ro("name", [](const Core& c) { return c.mechanism.name(); });
  core.def_ro("file", &Core::file);
  core.def_prop_ro("text", [](const Core& c) {  // remarks in files need not be UTF-8
    return nb::steal(PyUnicode_DecodeUTF8(c.text.data(), Py_ssize_t(c.text.size()), "replace"));
  });
  core.def_ro("format", &Core::format);
  core.def_prop_ro("nq", [](const Core& c) { return c.mechanism.nq(); });
  core.def_prop_ro("nv", [](const Core& c) { return c.mechanism.nv(); });
  core.def_prop_ro("gravity", [](const Core& c) { return as_tuple(c.mechanism.robot().gravity); });
  core.def_prop_ro("has_loops", [](const Core& c) { return c.mechanism.has_loops(); });
  core.def_prop_ro("loops", [](const Core& c) {
    nb::list types;
    for (const Loop& loop : c.mechanism.robot().loops) types.append(std::string(name_of(loop.type)));
    return types;
  });
  core.def_prop_ro("springs", [](const Core& c) { return c.mechanism.robot().springs.size(); });
  core.def_prop_ro("forces", [](const Core& c) { return names_of_forces(c.mechanism.tree()); });
  core.def_prop_ro("doubts", [](const Core& c) { return as_python(c.doubts); });
  core.def_prop_ro("notes", [](const Core& c) { return as_python(c.notes); });
  core.def_prop_ro("driven", [](const Core& c) { return c.mechanism.driven(); });
  core.def("joints", [](const Core& c) { return of_bodies(c, joint); });
  core.def("bodies", [](const Core& c) { return of_bodies(c, body); });
  core.def("body", [](const Core& c, const std::string& name) { return c.mechanism.body(name); });
  core.def("neutral", [](const Core& c) { return array_of(c.mechanism.neutral()); });
  core.def("random", &random);
  core.def("mobility", &mobility);
  core.def("closed_rates", &closed_rates);
  bind_asking(module, core);
  bind_kinematics(core);
  bind_counts(core);
  bind_motions(module, core);
  bind_simulation(module, core);
  bind_gradients(module, core);
  bind_figures(core);

  module.def("methods", [] {
    nb::dict all;
    all["inverse"] = rows_of(inverse_formulations<double>());
    all["inertia"] = rows_of(inertia_formulations<double>());
    all["forward"] = rows_of(forward_formulations<double>());
    return all;
  });
  module.def("shipped_robots", &shipped_robots);
  module.def("write", &write);
  module.def("use_models", &use_models);
}

}  // namespace denoc::python
