#include "equality.hpp"

#include "../readers.hpp"

namespace denoc::io::mjcf {
namespace {

// Two sites, wherever the file draws them; or two bodies that the file draws connected. `on_b`: where the end is on
// body2 in the latter case. False: at fault.
bool read_ends(const Said& said, const Bodies& bodies, const Pose<double>& on_b, Loop& loop) {
  if (said.has("site1") || said.has("site2")) {
    for (const char* again : {"body1", "body2", "anchor", "relpose"}) {
      if (!said.has(again)) continue;
      said.refuse(again, "the ends are two sites, or on two bodies: site1 and site2 stand without it");
      return false;
    }
    const Site* const a = bodies.site(said, "site1");
    const Site* const b = bodies.site(said, "site2");
    if (a == nullptr || b == nullptr) return false;
    loop.a = {a->body, bodies.pose(*a)};
    loop.b = {b->body, bodies.pose(*b)};
    return true;
  }
  if (!said.has("body1")) {
    said.refuse("it names body1, or site1 and site2");
    return false;
  }
  loop.a.body = bodies.body(said, "body1");
  loop.b.body = bodies.body(said, "body2");
  if (loop.a.body < 0 || loop.b.body < 0) return false;
  loop.b.frame = on_b;
  loop.a.frame = inverse(bodies.drawn(loop.a.body)) * bodies.drawn(loop.b.body) * on_b;
  return true;
}

// The anchor is a point of body1, and of body2 where that is drawn.
bool connect(const Said& said, const Bodies& bodies, Loop& loop) {
  loop.type = LoopType::spherical;
  if (!read_ends(said, bodies, {}, loop)) return false;
  if (said.has("site1")) return true;
  if (!said.has("anchor")) {
    said.refuse("missing attribute 'anchor'");
    return false;
  }
  loop.a.frame.r = said.vec3("anchor", {0, 0, 0});
  loop.b.frame.r = (inverse(bodies.drawn(loop.b.body)) * bodies.drawn(loop.a.body) *
                    Pose<double>{identity3<double>(), loop.a.frame.r})
                       .r;
  loop.a.frame.R = identity3<double>();  // which way the ends of a ball are turned does not matter
  return true;
}

// The anchor is a point of body2; relpose says where it is on body1 and how body2 is turned, unless its quaternion is
// zero.
bool weld(const Said& said, const Bodies& bodies, Loop& loop) {
  loop.type = LoopType::weld;
  if (!read_ends(said, bodies, {identity3<double>(), said.vec3("anchor", {0, 0, 0})}, loop)) return false;
  const std::vector<double> p = said.numbers("relpose", 7);
  if (p.empty() || (p[3] == 0 && p[4] == 0 && p[5] == 0 && p[6] == 0)) return true;
  loop.a.frame = {rounded(turn_quaternion({p[3], p[4], p[5], p[6]})), {p[0], p[1], p[2]}};
  return true;
}

double neutral_of(const Body& body) { return body.joint.neutral.empty() ? 0 : body.joint.neutral.front(); }

// q1 - ref1 = c0 + c1 x + c2 x^2 + c3 x^3 + c4 x^4, x = q2 - ref2; without joint2 q1 - ref1 = c0.
bool couple(const Said& said, const Bodies& bodies, const Robot& robot, Loop& loop) {
  const auto body = [&](int i) -> const Body& { return robot.bodies[static_cast<std::size_t>(i)]; };
  loop.b.body = bodies.joint(said, "joint1");
  loop.a.body = said.has("joint2") ? bodies.joint(said, "joint2") : loop.b.body;
  if (loop.a.body < 0 || loop.b.body < 0) return false;
  std::vector<double> c = said.has("polycoef") ? said.numbers("polycoef", 1, 5) : std::vector<double>{0, 1};
  if (c.empty()) return false;
  c.resize(said.has("joint2") ? std::max<std::size_t>(c.size(), 2) : 1, c.size() == 1 ? 1 : 0);
  while (c.size() > 2 && c.back() == 0) c.pop_back();
  loop.offset = neutral_of(body(loop.b.body));
  loop.phase = -neutral_of(body(loop.a.body));
  if (c.size() == 2) {
    loop.type = LoopType::coupler;
    loop.ratio = c[1];
    loop.offset += c[0] + c[1] * loop.phase;
    loop.phase = 0;
  } else {
    loop.type = LoopType::polynomial;
    loop.coefficients = c;
  }
  return true;
}

// The attributes of each kind, besides those that all have.
void check(const Said& said) {
  static const std::pair<std::string_view, Words> kinds[] = {
      {"connect", {"body1", "body2", "anchor", "site1", "site2"}},
      {"weld", {"body1", "body2", "anchor", "site1", "site2", "relpose", "torquescale"}},
      {"joint", {"joint1", "joint2", "polycoef"}},
      {"tendon", {"tendon1", "tendon2", "polycoef"}},
      {"flex", {"flex"}},
      {"flexvert", {"flex"}},
      {"flexstrain", {"flex", "cell"}}};
  Words names;
  for (const auto& [kind, own] : kinds) {
    names.push_back(kind);
    if (kind != said.tag().kind()) continue;
    Words all = {"name", "class", "active", "solref", "solimp"};
    all.insert(all.end(), own.begin(), own.end());
    return said.only_attributes(all);
  }
  said.refuse(unknown("element", said.tag().kind(), names));
}

}  // namespace

void read_equality(const Tag& tag, const Bodies& bodies, const Classes& classes, Files& files, PassedOver& passed_over,
                   Robot& robot) {
  for (const Tag& child : files.children(tag)) {
    const std::string_view kind = child.kind();
    const Said said = classes.filled(child, "equality", "");
    check(said);
    if (!said.flag("active", true)) {
      bodies.check_names(child);
      passed_over.note(child, "inactive equality", "active=\"false\"");
      continue;
    }
    Loop loop;
    loop.source = child.source();
    bool is_read = false;
    if (kind == "connect") {
      is_read = connect(said, bodies, loop);
    } else if (kind == "weld") {
      is_read = weld(said, bodies, loop);
    } else if (kind == "joint") {
      is_read = couple(said, bodies, robot, loop);
    } else if (kind == "tendon") {
      said.warn("an equality of tendons is passed over: the robot moves as if it did not hold");
    } else if (kind.starts_with("flex")) {
      passed_over.note(child, "equalities of soft bodies", "soft bodies are left out");
    }
    if (is_read) robot.loops.push_back(std::move(loop));
  }
}

}  // namespace denoc::io::mjcf
