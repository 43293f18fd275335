// denoc info: what a robot is made of.
#include <algorithm>
#include <cmath>

#include "commands/list.hpp"
#include "output/freedom.hpp"
#include "output/number_of.hpp"
#include "output/table.hpp"
#include "studies/survey.hpp"

namespace denoc::app {
namespace {

Vec3<double> moments(const Sym3<double>& s) { return {s.xx, s.yy, s.zz}; }
Vec3<double> products(const Sym3<double>& s) { return {s.xy, s.yz, s.xz}; }
// Without what rounding leaves of the products of axes.
Sym3<double> tidied(Sym3<double> s) {
  const double rounding = 1e-15 * (s.xx + s.yy + s.zz);
  for (double* x : {&s.xx, &s.yy, &s.zz, &s.xy, &s.yz, &s.xz})
    if (std::abs(*x) <= rounding) *x = 0;
  return s;
}
// In the order of the files.
std::vector<double> entries(const Sym3<double>& s) { return {s.xx, s.yy, s.zz, s.xy, s.yz, s.xz}; }

struct Report {
  const Model& model;
  const std::vector<Body>& bodies = model.robot().bodies;

  int count() const { return static_cast<int>(bodies.size()); }
  const Body& body(int b) const { return bodies[static_cast<std::size_t>(b)]; }
  bool is_fixed(int b) const { return body(b).joint.type == JointType::fixed; }
  // The body with a joint of its own that it moves with; 0: none.
  int carrier(int b) const {
    while (b != 0 && is_fixed(b)) b = body(b).parent;
    return b;
  }
  double mass() const {
    double sum = 0;
    for (const Body& b : bodies) sum += b.inertial.mass;
    return sum;
  }
  // A body's frame in that of another on the same link.
  Pose<double> frame_in(int b, int other) const {
    const auto of = [&](int i) { return model.bodies()[static_cast<std::size_t>(i)].in_link; };
    return inverse(of(other)) * of(b);
  }
  // Shah13's number: "2^1" is the second body of module 1.
  std::string module_number(int b) const {
    for (std::size_t i = 1; i < model.modules().size(); ++i) {
      const auto& members = model.modules()[i].bodies;
      for (std::size_t k = 0; k < members.size(); ++k) {
        if (members[k] == b) return fmt::format("{}^{}", k + 1, i);
      }
    }
    return "";
  }
};

// JSON.

std::string json_limits(const Limits& limits) {
  std::vector<json::Member> members;
  const auto add = [&](std::string_view key, double x) {
    if (std::abs(x) < std::numeric_limits<double>::infinity()) members.emplace_back(key, json::number(x));
  };
  add("lower", limits.lower);
  add("upper", limits.upper);
  add("velocity", limits.velocity);
  add("effort", limits.effort);
  if (limits.stiffness != 0) {
    add("stiffness", limits.stiffness);
    add("damping", limits.damping);
  }
  return json::object(members);
}

std::string json_actuator(const Actuator& actuator) {
  std::vector<json::Member> members = {{"gear", json::number(actuator.gear)},
                                       {"rotor_inertia", json::number(actuator.rotor_inertia)}};
  if (std::isfinite(actuator.max_torque)) members.emplace_back("max_torque", json::number(actuator.max_torque));
  return json::object(members);
}

std::string json_joint(const Report& r, int b) {
  const Joint& j = r.body(b).joint;
  const auto& place = r.model.bodies()[static_cast<std::size_t>(b)];
  const auto index = [&](int i) { return r.is_fixed(b) ? std::string(json::nothing) : json::number(i); };
  std::vector<json::Member> members = {{"name", json::text(r.model.joint_name(b))},
                                       {"type", json::text(name_of(j.type))},
                                       {"body", json::text(r.body(b).name)},
                                       {"parent", json::text(r.body(r.body(b).parent).name)},
                                       {"q", index(place.q)},
                                       {"v", index(place.v)},
                                       {"nq", json::number(coordinates(j.type))},
                                       {"nv", json::number(degrees_of_freedom(j.type))},
                                       {"limits", json_limits(j.limits)},
                                       {"actuator", json_actuator(j.actuator)},
                                       {"armature", json::number(j.armature)}};
  const Friction& f = j.friction;
  members.emplace_back(
      "friction", json::object({{"viscous", json::number(f.viscous)},
                                {"coulomb", json::number(f.coulomb)},
                                {"stribeck", json::numbers(std::vector<double>{f.stribeck_epsilon, f.stribeck_gamma})},
                                {"surface_speed", json::number(f.surface_speed)}}));
  members.emplace_back(
      "spring", json::object({{"stiffness", json::number(j.spring.stiffness)}, {"rest", json::number(j.spring.rest)}}));
  if (j.mimic) {
    members.emplace_back("mimic", json::object({{"joint", json::text(j.mimic->joint)},
                                                {"multiplier", json::number(j.mimic->multiplier)},
                                                {"offset", json::number(j.mimic->offset)}}));
  }
  return json::object(members);
}

std::string json_body(const Report& r, int b) {
  const Inertial& i = r.body(b).inertial;
  return json::object({{"name", json::text(r.body(b).name)},
                       {"parent", json::text(r.body(r.body(b).parent).name)},
                       {"joint", json::text(r.model.joint_name(b))},
                       {"module", r.is_fixed(b) ? std::string(json::nothing) : json::text(r.module_number(b))},
                       {"mass", json::number(i.mass)},
                       {"com", json::numbers(i.com)},
                       {"inertia", json::numbers(entries(i.inertia))},
                       {"hub", json::numbers(entries(i.hub))}});
}

std::string json_module(const Report& r, std::size_t i) {
  const Module& module = r.model.modules()[i];
  std::vector<std::string> names;
  for (const int b : module.bodies) names.push_back(json::text(r.body(b).name));
  return json::object({{"module", json::number(static_cast<long>(i))},
                       {"parent", json::number(module.parent)},
                       {"bodies", json::array(names)}});
}

std::string json_frame(const Report& r, int b) {
  const Pose<double> pose = r.frame_in(b, r.carrier(b));
  const Mat3<double>& R = pose.R;
  const std::vector<double> rows = {R.xx, R.xy, R.xz, R.yx, R.yy, R.yz, R.zx, R.zy, R.zz};
  return json::object({{"name", json::text(r.body(b).name)},
                       {"body", json::text(r.body(r.carrier(b)).name)},
                       {"position", json::numbers(pose.r)},
                       {"rotation", json::matrix(rows, 3, 3)}});
}

std::string json_info(const Report& r) {
  std::vector<std::string> joints, bodies, modules, frames;
  for (int b = 1; b < r.count(); ++b) {
    joints.push_back(json_joint(r, b));
    bodies.push_back(json_body(r, b));
    if (r.is_fixed(b)) frames.push_back(json_frame(r, b));
  }
  for (std::size_t i = 1; i < r.model.modules().size(); ++i) modules.push_back(json_module(r, i));
  const Robot& robot = r.model.robot();
  return json::object({{"name", json::text(robot.name)},
                       {"nq", json::number(r.model.nq())},
                       {"nv", json::number(r.model.nv())},
                       {"mass", json::number(r.mass())},
                       {"gravity", json::numbers(robot.gravity)},
                       {"joints", json::lines(joints)},
                       {"bodies", json::lines(bodies)},
                       {"modules", json::lines(modules)},
                       {"frames", json::lines(frames)},
                       {"loops", json_loops(r.model)},
                       {"mobility", robot.loops.empty() ? std::string(json::nothing) : json_mobility(survey(r.model))},
                       {"springs", json::number(static_cast<long>(robot.springs.size()))}}) +
         "\n";
}

// Text.

std::string vector_text(const Vec3<double>& v) { return fmt::format("{} {} {}", shown(v.x), shown(v.y), shown(v.z)); }
std::string range(int first, int size) {
  if (size == 0) return "";
  return size == 1 ? std::to_string(first) : fmt::format("{}-{}", first, first + size - 1);
}
std::string limit(double x) { return std::isinf(x) ? "" : shown(x); }
std::string unless_zero(double x) { return x == 0 ? "" : shown(x); }
std::string unless_zero(const Vec3<double>& v) { return is_zero(v) ? "" : vector_text(v); }

std::string titled(std::string_view title, const Table& table) {
  return table.empty() ? "" : fmt::format("\n{}\n{}", title, table.text());
}

std::string body_table(const Report& r) {
  Table table({"module", "body", "parent", "joint", "type", ">q", ">v", ">mass [kg]", "mass centre [m]",
               "inertia xx yy zz [kg m^2]", "xy yz zx", "hub xx yy zz", "xy yz zx"});
  for (int b = 1; b < r.count(); ++b) {
    const Body& body = r.body(b);
    const auto& place = r.model.bodies()[static_cast<std::size_t>(b)];
    const auto& [mass, com, s, its_hub] = body.inertial;
    const Sym3<double> hub = tidied(its_hub);
    table.row({r.module_number(b), body.name, r.body(body.parent).name, r.model.joint_name(b),
               std::string(name_of(body.joint.type)), range(place.q, coordinates(body.joint.type)),
               range(place.v, degrees_of_freedom(body.joint.type)), shown(mass), vector_text(com),
               vector_text(moments(s)), unless_zero(products(s)), is_zero(hub) ? "" : vector_text(moments(hub)),
               unless_zero(products(hub))});
  }
  return titled("Bodies (mass centre and inertia about it in the body's own frame)", table);
}

std::string joint_table(const Report& r) {
  Table table({"joint", ">lower", ">upper", ">velocity", ">effort", ">stop stiffness", ">stop damping", ">gear",
               ">rotor inertia", ">max torque", ">armature", ">viscous", ">coulomb", ">stribeck", ">surface speed",
               ">stiffness", ">rest", "mimics"});
  for (int b = 1; b < r.count(); ++b) {
    const Joint& j = r.body(b).joint;
    const Friction& f = j.friction;
    const std::string stribeck =
        f.stribeck_epsilon == 0 ? "" : fmt::format("{}, {}", shown(f.stribeck_epsilon), shown(f.stribeck_gamma));
    const Actuator& a = j.actuator;
    std::vector<std::string> row = {r.model.joint_name(b),         limit(j.limits.lower),
                                    limit(j.limits.upper),         limit(j.limits.velocity),
                                    limit(j.limits.effort),        unless_zero(j.limits.stiffness),
                                    unless_zero(j.limits.damping), a.gear == 1 ? "" : shown(a.gear),
                                    unless_zero(a.rotor_inertia),  limit(a.max_torque),
                                    unless_zero(j.armature),       unless_zero(f.viscous),
                                    unless_zero(f.coulomb),        stribeck,
                                    unless_zero(f.surface_speed),  unless_zero(j.spring.stiffness),
                                    unless_zero(j.spring.rest),    j.mimic ? j.mimic->joint : ""};
    if (std::any_of(row.begin() + 1, row.end(), [](const std::string& cell) { return !cell.empty(); })) table.row(row);
  }
  return titled("Limits, drives, friction and springs of joints", table);
}

std::string module_table(const Report& r) {
  Table table({">module", ">on", "bodies"});
  for (std::size_t i = 1; i < r.model.modules().size(); ++i) {
    const Module& module = r.model.modules()[i];
    std::string members;
    for (std::size_t k = 0; k < module.bodies.size(); ++k)
      members += fmt::format("{}{}^{} {}", k == 0 ? "" : ", ", k + 1, i, r.body(module.bodies[k]).name);
    table.row({std::to_string(i), module.parent == 0 ? "ground" : std::to_string(module.parent), members});
  }
  return titled("Kinematic modules (serial branches; k^i: body k of module i)", table);
}

std::string frame_table(const Report& r) {
  Table table({"frame", "on body", "position [m]"});
  for (int b = 1; b < r.count(); ++b) {
    if (!r.is_fixed(b)) continue;
    const int carrier = r.carrier(b);
    table.row({r.body(b).name, r.body(carrier).name, vector_text(r.frame_in(b, carrier).r)});
  }
  return titled("Frames on fixed joints (in the frame of the body that carries them)", table);
}

std::string text_info(const Report& r) {
  const Robot& robot = r.model.robot();
  const std::optional<Survey> loops = robot.loops.empty() ? std::nullopt : std::optional(survey(r.model));
  std::string text = fmt::format("{}: {}, {}; {}, {}; {} kg; gravity {} m/s^2\n", printable(robot.name),
                                 number_of(r.count() - 1, "body", "bodies"),
                                 freedom_text(r.model, loops ? loops->mobility : std::nullopt),
                                 number_of(r.model.nq(), "coordinate") + " q", number_of(r.model.nv(), "rate") + " v",
                                 shown(r.mass()), vector_text(robot.gravity));
  if (!robot.loops.empty() || !robot.springs.empty()) {
    text += fmt::format("  {} cut open, {} between points\n", number_of(robot.loops.size(), "loop"),
                        number_of(robot.springs.size(), "spring"));
  }
  text += body_table(r) + joint_table(r) + module_table(r) + frame_table(r);
  if (loops) text += loop_text(r.model, *loops);
  return text;
}

Status info(const RobotOptions& options, Session& session) {
  const Model model(load_robot(options, session));
  const Report report{model};
  session.out = options.json ? json_info(report) : text_info(report);
  return Status::done;
}

}  // namespace

Command commands::info() {
  return command<RobotOptions>("info", "bodies, joints, modules, frames and masses of a robot", "",
                               {{"denoc info puma560", "a shipped robot: bodies, joints, modules"},
                                {"denoc info robot.urdf --base free", "a file, its root carried by a free joint"}},
                               robot_arguments, app::info);
}

}  // namespace denoc::app
