#include "screw_form.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace denoc::screw_form {

namespace {

// Nothing in a file is snapped beyond this.
constexpr Wide four_ulp = 4 * Wide(std::numeric_limits<double>::epsilon());
// The common normal of two axes is used when the sine of their angle is above this: nearly parallel axes put its foot
// far away.
constexpr Wide well_conditioned_sine = 0.1L;

const Wide pi = std::acos(Wide(-1));

Pose<Wide> turned_about_x(Wide angle) {
  const auto [c, s] = planar(angle);
  return {{1, 0, 0, c, 0, s, 0, -s, c}, zero3<Wide>};
}

// A frame whose z axis is the given one.
Pose<Wide> with_z_along(const Vec3<double>& axis) {
  Vec3<Wide> z = full<Wide>(axis);
  z = z * (1 / norm(z));
  const Wide x = std::abs(z.x), y = std::abs(z.y), w = std::abs(z.z);
  if (x == 0 && y == 0 && z.z > 0) return {};
  const Vec3<Wide> least = x <= y && x <= w ? Vec3<Wide>{1, 0, 0} : y <= w ? Vec3<Wide>{0, 1, 0} : Vec3<Wide>{0, 0, 1};
  Vec3<Wide> side = cross(least, z);
  side = side * (1 / norm(side));
  return {from_columns(side, cross(z, side), z), zero3<Wide>};
}

// A file's frame: its rotation, good to the last digit of a double, is made orthogonal to that of Wide by one step of
// Newton's iteration R <- R (3 - R^T R)/2.
Pose<Wide> exactly(const Pose<double>& given) {
  const Mat3<Wide> R = full<Wide>(given.R), error = transposed(R) * R;
  const Mat3<Wide> three{3, 0, 0, 3, 0, 0, 0, 0, 3}, twice = R * (three - error);
  return {from_columns(column_x(twice) * 0.5L, column_y(twice) * 0.5L, column_z(twice) * 0.5L), full<Wide>(given.r)};
}

struct Factor {
  Elementary joint;
  Pose<Wide> axis;  // its frame in the joint frame, z along its axis
  Wide turn = 0, slide = 0;
};
Factor revolute(const Pose<Wide>& axis) { return {Elementary::revolute, axis, 1, 0}; }
Factor prismatic(const Pose<Wide>& axis) { return {Elementary::prismatic, axis, 0, 1}; }

// The only place that knows what a user's joint is made of.
std::vector<Factor> elementary(const Joint& joint) {
  const Pose<Wide> frame;
  const auto about = [](const Vec3<double>& axis) { return with_z_along(axis); };
  switch (joint.type) {
    case JointType::fixed:
      return {};
    case JointType::revolute:
    case JointType::continuous:
      return {revolute(about(joint.axis))};
    case JointType::prismatic:
      return {prismatic(about(joint.axis))};
    case JointType::helical:
      return {{Elementary::helical, about(joint.axis), 1, Wide(joint.pitch)}};
    case JointType::universal:
      return {revolute(about(joint.axis)), revolute(about(joint.axis2))};
    case JointType::cylindrical:
      return {revolute(about(joint.axis)), prismatic(about(joint.axis))};
    case JointType::planar:
      return {prismatic(about({1, 0, 0})), prismatic(about({0, 1, 0})), revolute(frame)};
    case JointType::spherical:
      return {{Elementary::spherical, frame}};
    case JointType::free:
      return {{Elementary::free, frame}};
  }
  return {};
}

// Depth first, so that a link's main (first) child follows it. Returns the old numbers in the new order.
std::vector<int> depth_first(const std::vector<Piece>& pieces) {
  std::vector<std::vector<int>> children(pieces.size());
  for (int i = int(pieces.size()) - 1; i > 0; --i) children[pieces[i].parent].push_back(i);  // the last first
  std::vector<int> order, open = {0};
  while (!open.empty()) {
    const int i = open.back();
    open.pop_back();
    order.push_back(i);
    open.insert(open.end(), children[i].begin(), children[i].end());
  }
  return order;
}

}  // namespace

bool has_several_columns(Elementary joint) {
  bool several = false;
  with_joint<Wide>(joint, [&](auto j) { several = decltype(j)::type::coordinates > 1; });
  return several;
}

Planar<Wide> planar(Wide angle) {
  const Wide c = std::cos(angle), s = std::sin(angle), tiny = std::numeric_limits<Wide>::epsilon();
  return {std::abs(c) < tiny ? 0 : c, std::abs(s) < tiny ? 0 : s};
}

Pose<Wide> turned_about_z(Wide angle) {
  const auto [c, s] = planar(angle);
  return {{c, -s, s, c, 0, 0, 0, 0, 1}, zero3<Wide>};
}

RigidInertia<Wide> inertia_about_origin(const Inertial& inertial) {
  const Sym3<Wide> I = full<Wide>(inertial.inertia) + full<Wide>(inertial.hub);
  const Wide half = (I.xx + I.yy + I.zz) / 2;
  const Sym3<Wide> J{half - I.xx, -I.xy, half - I.yy, -I.xz, -I.yz, half - I.zz};
  return Pose<Wide>{identity3<Wide>(), full<Wide>(inertial.com)}.to_parent(
      rigid_inertia(Wide(inertial.mass), zero3<Wide>, J));
}

// What a joint feels of the rotor behind its gear.
Wide rotor_felt(const Joint& joint) {
  const Actuator& drive = joint.actuator;
  return Wide(drive.gear) * Wide(drive.gear) * Wide(drive.rotor_inertia) + Wide(joint.armature);
}

Expanded expand(const Robot& robot) {
  std::vector<Piece> pieces(1);
  std::vector<Standing> standing;
  int q = 0, dof = 0;
  for (const Body& body : robot.bodies) {
    Standing at = standing.empty() ? Standing{} : standing[body.parent];
    at.frame = at.frame * exactly(body.joint_frame);
    for (const Factor& factor : elementary(body.joint)) {
      pieces.push_back({at.piece, factor.joint, at.frame * factor.axis, factor.turn, factor.slide,
                        rotor_felt(body.joint), q, dof, zero_inertia<Wide>});
      at = {int(pieces.size()) - 1, inverse(factor.axis)};
      with_joint<Wide>(factor.joint, [&](auto joint) {
        using J = typename decltype(joint)::type;
        q += J::coordinates;
        dof += decltype(J(pieces.back()).columns())::size;
      });
    }
    at.frame = at.frame * exactly(body.own_frame);
    pieces[at.piece].inertia += at.frame.to_parent(inertia_about_origin(body.inertial));
    standing.push_back(at);
  }
  const std::vector<int> order = depth_first(pieces);
  std::vector<int> number(order.size());
  std::vector<Piece> sorted;
  for (const int old : order) {
    number[old] = int(sorted.size());
    sorted.push_back(pieces[old]);
    sorted.back().parent = number[pieces[old].parent];
  }
  for (Standing& s : standing) s.piece = number[s.piece];
  return {std::move(sorted), std::move(standing)};
}

Pose<Wide> Screwed::link_in_piece() const {
  return Pose<Wide>{identity3<Wide>(), {0, 0, shift}} * turned_about_z(turn);
}

Pose<Wide> Screwed::in_parent_link() const {
  return Pose<Wide>{identity3<Wide>(), r} * turned_about_z(gamma) * turned_about_x(alpha) * turned_about_z(theta) *
         Pose<Wide>{identity3<Wide>(), {0, 0, d}};
}

std::vector<Screwed> screws(const std::vector<Piece>& pieces) {
  const int n = int(pieces.size());
  std::vector<Screwed> screws(n);
  for (int i = 1; i < n; ++i) {
    const Piece& piece = pieces[i];
    const auto& [R, p] = piece.frame;
    Screwed& s = screws[i];
    // R = Rz(gamma) Rx(alpha) Rz(theta)
    const Wide sine = std::hypot(R.xz, R.yz), reach = std::hypot(p.x, p.y);
    const bool parallel = sine <= four_ulp;
    s.alpha = parallel ? (R.zz > 0 ? 0 : pi) : std::abs(R.zz) <= four_ulp ? pi / 2 : std::atan2(sine, R.zz);
    s.gamma = !parallel ? std::atan2(R.xz, -R.yz) : reach > 0 ? std::atan2(p.y, p.x) : 0;
    // theta from what is left, so that gamma + theta is right even where gamma is ill determined
    const Mat3<Wide> left = transposed((turned_about_z(s.gamma) * turned_about_x(s.alpha)).R) * R;
    s.theta = std::atan2(left.yx, left.xx);

    Screwed& parent = screws[piece.parent];
    const bool is_main =
        i == piece.parent + 1 && !has_several_columns(pieces[piece.parent].joint) && !has_several_columns(piece.joint);
    if (!is_main) continue;  // its placement is completed below, when its parent's frame is known
    // In axes turned by gamma the offset is (a, -b sin alpha, c + b cos alpha), if that is well conditioned.
    const Vec3<Wide> offset = back(turned_about_z(s.gamma).R, p);
    const bool on_normal = std::abs(offset.y) <= four_ulp * reach;
    s.base = sine > well_conditioned_sine || on_normal ? Screwed::screw : Screwed::offset;
    s.d = s.base == Screwed::screw && !on_normal ? -offset.y / std::sin(s.alpha) : 0;
    parent.turn = s.gamma;
    parent.shift = s.base == Screwed::screw ? offset.z - s.d * std::cos(s.alpha) : 0;
  }
  for (int i = 1; i < n; ++i) {
    Screwed& s = screws[i];
    const Screwed& parent = screws[pieces[i].parent];
    const Vec3<Wide> offset = back(turned_about_z(parent.turn).R, pieces[i].frame.r);
    s.gamma = s.base == Screwed::branch ? s.gamma - parent.turn : 0;
    s.r = s.base == Screwed::screw ? Vec3<Wide>{offset.x, 0, 0} : offset - Vec3<Wide>{0, 0, parent.shift};
    s.theta += s.turn;
    s.d += s.shift;
  }
  return screws;
}

namespace {
RigidInertia<Wide> without(const RigidInertia<Wide>& a, const RigidInertia<Wide>& b) {
  return {a.m - b.m, a.h - b.h, a.xx - b.xx, a.yy - b.yy, a.xy - b.xy, a.xz - b.xz, a.yz - b.yz, a.zz - b.zz};
}
}  // namespace

Inertias inertias(const std::vector<Piece>& pieces, const std::vector<Screwed>& screws) {
  Inertias result;
  for (size_t i = 0; i < pieces.size(); ++i)
    result.own.push_back(inverse(screws[i].link_in_piece()).to_parent(pieces[i].inertia));
  result.grouped = result.own;
  for (int i = int(pieces.size()) - 1; i > 0; --i) {
    RigidInertia<Wide>& mine = result.grouped[i];
    RigidInertia<Wide> moved = mine;
    with_joint<Wide>(pieces[i].joint,
                     [&](auto joint) { mine = full<Wide>(decltype(joint)::type::grouped(result.grouped[i])); });
    moved = without(moved, mine);
    result.grouped[pieces[i].parent] += screws[i].in_parent_link().to_parent(moved);
  }
  return result;
}

std::vector<Scale> scales(const std::vector<Piece>& pieces, const std::vector<Screwed>& screws,
                          const Inertias& inertias) {
  std::vector<Scale> result(pieces.size());
  for (int i = int(pieces.size()) - 1; i > 0; --i) {
    const RigidInertia<Wide>& own = inertias.own[i];
    Scale& mine = result[i];
    mine.angular += std::abs(own.xx) + std::abs(own.yy) + std::abs(own.zz);
    mine.mass += own.m;
    const Vec3<Wide> arm = screws[i].in_parent_link().r;
    result[pieces[i].parent].angular += mine.angular + mine.mass * dot(arm, arm);
    result[pieces[i].parent].mass += mine.mass;
  }
  return result;
}

Form::Form(const Robot& robot) : gravity(full<Wide>(robot.gravity)) {
  Expanded expanded = expand(robot);
  pieces = std::move(expanded.pieces);
  standing = std::move(expanded.standing);
  screws = screw_form::screws(pieces);
  inertias = screw_form::inertias(pieces, screws);
  scales = screw_form::scales(pieces, screws, inertias);
  for (const Body& body : robot.bodies) {
    nq += coordinates(body.joint.type);
    nv += degrees_of_freedom(body.joint.type);
  }
}

}  // namespace denoc::screw_form
