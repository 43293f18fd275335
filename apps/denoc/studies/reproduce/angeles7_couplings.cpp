// Angeles7, Exercise 7.4: homogeneous linear constraints A t_1 + B t_2 = 0 on the twists of coupled bodies.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "denoc/kinematics/kinematics.hpp"
#include "denoc/loops/closed_chain.hpp"
#include "output/table.hpp"
#include "studies/reproduce/angeles7_parts.hpp"

namespace denoc::app {
namespace {

using Vector = Vec3<double>;

// What a twist [w; c'] does to the velocity, along u, of a point at r from the mass centre: (r x u) . w + u . c'.
struct ConstraintRow {
  Vector w, c;
  ConstraintRow(const Vector& r, const Vector& u) : w(cross(r, u)), c(u) {}
  double operator()(const Twist<double>& t) const { return dot(w, t.w) + dot(c, t.v); }
  Numbers entries() const { return {w.x, w.y, w.z, c.x, c.y, c.z}; }
};

Body moving(JointType type, const Vector& at, const Vector& axis, double centre_along) {
  Body body;
  body.joint_frame.r = at;
  body.joint.type = type;
  body.joint.axis = axis;
  body.inertial.mass = 1;
  body.inertial.com = axis * centre_along;
  body.inertial.inertia = {0.01, 0, 0.01, 0, 0, 0.01};
  return body;
}
Body turning(const Vector& at, const Vector& axis, double centre_along) {
  return moving(JointType::revolute, at, axis, centre_along);
}

// Two points have the same velocity along some directions.
struct Contact {
  Vector on_first, on_second;  // in the world
  std::vector<Vector> along;
};
struct Coupled {
  std::string what, geometry;
  Contact (*contact)(const Numbers& q);
  Robot robot;
};
Coupled coupled(const std::string& what, const std::string& geometry, Contact (*contact)(const Numbers&),
                const Body& first, const Body& second, Loop loop) {
  Coupled all{what, geometry, contact, {}};
  all.robot.bodies.insert(all.robot.bodies.end(), {first, second});
  all.robot.bodies[1].name = "first";
  all.robot.bodies[2].name = "second";
  loop.a.body = 1;
  loop.b.body = 2;
  all.robot.loops = {std::move(loop)};
  return all;
}

constexpr double r1 = 0.10, r2 = 0.25, apart = 0.6;  // (a)
Contact belt_contact(const Numbers& /*q*/) {
  const double x = (r1 - r2) / apart;
  const Vector out{x, std::sqrt(1 - x * x), 0}, belt{out.y, -out.x, 0};
  return {out * r1, Vector{apart, 0, 0} + out * r2, {belt}};
}
constexpr double between = 70 * std::numbers::pi / 180, teeth1 = 20, teeth2 = 35, contact_at = 0.12;  // (b)
double first_cone() { return std::atan2(std::sin(between), teeth2 / teeth1 + std::cos(between)); }
Contact bevel_contact(const Numbers& /*q*/) {
  const Vector p = Vector{std::sin(first_cone()), 0, std::cos(first_cone())} * contact_at;
  return {p, p, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
}
constexpr double eccentricity = 0.02, disc = 0.05;  // (c)
Contact cam_contact(const Numbers& q) {
  const Vector centre = Vector{std::cos(q[0]), std::sin(q[0]), 0} * eccentricity;
  const Vector normal = (Vector{q[1], 0, 0} - centre) * (1 / disc), p = centre + normal * disc;
  return {p, p, {normal}};
}

std::vector<Coupled> mechanisms() {
  const Vector origin{0, 0, 0}, z{0, 0, 1}, oblique{std::sin(between), 0, std::cos(between)};
  Loop belt, bevel, cam;
  belt.type = LoopType::belt;
  belt.ratio = r1 / r2;
  bevel.type = LoopType::bevel_gear;
  bevel.ratio = -teeth1 / teeth2;
  cam.type = LoopType::eccentric_cam;
  cam.eccentricity = eccentricity;
  cam.radius = disc;
  return {
      coupled("(a) pulleys and a belt that does not slip",
              "radii 0.1 and 0.25 m, axes 0.6 m apart; one row: where the belt leaves a pulley, both have its speed",
              belt_contact, turning(origin, z, 0), turning({apart, 0, 0}, z, 0), belt),
      coupled("(b) bevel gears at alpha = 70 degrees",
              "20 and 35 teeth; three rows: the pitch cones roll on each other, 0.12 m from the apex", bevel_contact,
              turning(origin, z, 0.10), turning(origin, oblique, 0.15), bevel),
      coupled("(c) an eccentric disc and its follower",
              "eccentricity 0.02 m, radii of disc and roller together 0.05 m; one row: no gap along the common normal",
              cam_contact, turning(origin, z, 0), moving(JointType::prismatic, origin, {1, 0, 0}, 0), cam)};
}

// [w; c'] of a body's mass centre in world axes, and where that is.
struct Centre {
  Twist<double> t;
  Vector r;
};
Centre mass_centre_of(const Model& model, const Kinematics<double>& kin, int body) {
  const Pose<double> pose = pose_in_world<double>(model, kin, body);
  const Vector arm = pose.R * model.robot().bodies[static_cast<std::size_t>(body)].inertial.com;
  const Twist<double> t = velocity_in_world<double>(model, kin, body);
  return {{t.w, t.v + cross(t.w, arm)}, pose.r + arm};
}

}  // namespace

void exercise_4(Page& page) {
  page.section("exercise-4", "Exercise 7.4: belts, gears and cams as constraints on twists");
  page.say(
      "Derive A t_1 + B t_2 = 0 for three pairs of coupled bodies. The figure has no dimensions: geometries are "
      "stated. A row says that two points have the same velocity along u: it is [(r_1 x u)^T, u^T] in A and its "
      "opposite in B, r_i from the mass centre of body i to the point. The twists of the last columns are those that "
      "denoc's own couplings (`belt`, `bevel-gear`, `eccentric-cam`), which know coordinates only, allow; and, to see "
      "that the rows forbid something, those with body 2 at rest.");
  std::vector<Page::Row> matrices, checks;
  for (const auto& [what, geometry, contact, robot] : mechanisms()) {
    const Model model(robot);
    ClosedChain chain(model);
    const Numbers q = chain.assemble(Numbers{0.7, 0.1}, {0}), J = chain.jacobian(q);
    const double ratio = -J[0] / J[1];
    Configuration<double> at(model);
    Kinematics<double> kin(model);
    place<double>(model, q, at);
    positions<double>(model, at, kin);
    const Contact touching = contact(q);
    // One row for each direction; A and B do not depend on the rates.
    const auto residual = [&](const Numbers& v, std::vector<Page::Row>& rows) {
      velocities<double>(model, v, kin);
      const Centre first = mass_centre_of(model, kin, 1), second = mass_centre_of(model, kin, 2);
      double most = 0;
      for (const Vector& u : touching.along) {
        const ConstraintRow a(touching.on_first - first.r, u), b(touching.on_second - second.r, -u);
        most = std::max(most, std::abs(a(first.t) + b(second.t)));
        rows.push_back({"", listed(a.entries()), listed(b.entries())});
      }
      return most;
    };
    std::vector<Page::Row> rows, same;
    const double closed = residual({1, ratio}, rows), broken = residual({1, 0}, same);
    rows.front()[0] = what;
    matrices.insert(matrices.end(), rows.begin(), rows.end());
    checks.push_back({what, geometry, shown(ratio), fmt::format("{:.0e}", closed), shown(broken)});
  }
  page.table({"", "A", "B"}, matrices);
  page.table({"", "geometry", ">v_2/v_1 of the coupling", ">A t_1 + B t_2 [m/s]", ">with body 2 at rest"}, checks);
}

}  // namespace denoc::app
