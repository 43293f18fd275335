#include "denoc/model/model.hpp"

#include <cmath>

#include "screw_form.hpp"

namespace denoc {

namespace {

using screw_form::Screwed;
using Wide = screw_form::Wide;

template <class R> Branch<R> base_of(const Screwed& s) {
  const auto rounded = [](const Planar<Wide>& p) { return Planar<R>{R(p.c), R(p.s)}; };
  const Planar<R> alpha = rounded(screw_form::planar(s.alpha)), gamma = rounded(screw_form::planar(s.gamma));
  return {{{alpha, R(s.r.x), PlanarTensor<R>(alpha)}, full<R>(s.r)}, gamma, PlanarTensor<R>(gamma)};
}

// A kind of link: where it stands among MovingKinds and EliminatedKinds, and what the runs want to know of it.
struct Kind {
  int moving, eliminated;
  bool branch, classified;
  bool operator==(const Kind&) const = default;
};

// The first of the wanted placements that the joint has, as a place in the list of kinds.
template <class R, class Joint, class Kinds, class First, class... Others> constexpr int kind_among() {
  if constexpr (Joint::Placements::template index_of<First>() >= 0)
    return Kinds::template index_of<LinkKind<R, Joint, First>>();
  else
    return kind_among<R, Joint, Kinds, Others...>();
}
enum class Placed { screw, quarter, parallel, offset, branch };
template <class R, class Joint, class Kinds> int kind_among(Placed placed) {
  switch (placed) {
    case Placed::quarter:
      return kind_among<R, Joint, Kinds, QuarterScrew<R>, Screw<R>, Branch<R>>();
    case Placed::parallel:
      return kind_among<R, Joint, Kinds, ParallelScrew<R>, Screw<R>, Branch<R>>();
    case Placed::screw:
      return kind_among<R, Joint, Kinds, Screw<R>, Branch<R>>();
    case Placed::offset:
      return kind_among<R, Joint, Kinds, Offset<R>, Branch<R>>();
    case Placed::branch:
      break;
  }
  return kind_among<R, Joint, Kinds, Branch<R>>();
}

Placed placement_of(const Screwed& s, bool has_rotor) {
  if (s.base == Screwed::offset && !has_rotor) return Placed::offset;
  if (s.base != Screwed::screw) return Placed::branch;
  return screw_form::planar(s.alpha).c == 0 ? Placed::quarter : s.alpha == 0 ? Placed::parallel : Placed::screw;
}

template <class R> Kind kind_of(Elementary joint, Placed placed, bool has_rotor) {
  Kind kind{-1, -1, false, false};
  with_joint<R>(joint, [&](auto j) {
    kind.moving = kind_among<R, typename decltype(j)::type, MovingKinds<R>>(placed);
    kind.eliminated = kind.moving;
  });
  if (has_rotor)
    with_geared_joint<R>(joint, [&](auto j) {
      kind.eliminated = kind_among<R, typename decltype(j)::type, EliminatedKinds<R>>(placed);
    });
  MovingKinds<R>::at(kind.moving, [&](auto k) {
    kind.branch = decltype(k)::type::branch;
    kind.classified = decltype(k)::type::classified;
  });
  return kind;
}

// Consecutive main children of one kind. A classified angle pays along a run of at least two; alone it only breaks one:
// `unclassified` are the kinds without.
std::vector<Run> runs_of(const std::vector<int>& parent, std::vector<Kind> kind,
                         const std::vector<Kind>& unclassified) {
  const int n = int(parent.size()) - 1;
  const std::vector<Kind> found = kind;
  const auto follows = [&](int i) { return i > 1 && i <= n && parent[i] == i - 1 && found[i] == found[i - 1]; };
  for (int i = 1; i <= n; ++i)
    if (found[i].classified && !follows(i) && !follows(i + 1)) kind[i] = unclassified[i];

  std::vector<int> children(n + 1);
  std::vector<bool> branching(n + 1);
  for (int i = 1; i <= n; ++i) {
    ++children[parent[i]];
    if (kind[i].branch) branching[parent[i]] = true;
  }
  std::vector<Run> runs;
  for (int i = 1; i <= n; ++i) {
    const bool joins = i > 1 && kind[i] == kind[i - 1] && parent[i] == i - 1 && children[i - 1] == 1 && !kind[i].branch;
    if (!joins) runs.push_back({kind[i].moving, kind[i].eliminated, i, i, false, false});
    Run& run = runs.back();
    run.last = i;
    run.branching = branching[i];
    run.tip = children[i] == 0;
  }
  return runs;
}

// Serial branches of the bodies that move on their own joint.
std::vector<Module> modules_of(const Robot& robot) {
  const int n = int(robot.bodies.size());
  std::vector<int> carrier(n), children(n), module(n);  // carrier: the body itself, or what it is fixed to
  for (int b = 1; b < n; ++b) {
    const int parent = carrier[robot.bodies[b].parent];
    carrier[b] = robot.bodies[b].joint.type == JointType::fixed ? parent : b;
    if (carrier[b] == b) ++children[parent];
  }
  std::vector<Module> modules = {{0, {}}};  // [0] is the ground's
  for (int b = 1; b < n; ++b) {
    if (carrier[b] != b) continue;
    const int parent = carrier[robot.bodies[b].parent];
    if (parent == 0 || children[parent] > 1) {
      module[b] = int(modules.size());
      modules.push_back({module[parent], {}});
    } else {
      module[b] = module[parent];
    }
    modules[module[b]].bodies.push_back(b);
  }
  return modules;
}

}  // namespace

template <class R> BasicModel<R>::BasicModel(Robot robot) : robot_(std::move(robot)) {
  if (auto faults = faults_of(robot_); !faults.empty()) throw RobotError(std::move(faults));

  const auto [pieces, standing] = screw_form::expand(robot_);
  const auto screws = screw_form::screws(pieces);
  const auto inertias = screw_form::inertias(pieces, screws);
  const auto scales = screw_form::scales(pieces, screws, inertias);

  for (size_t b = 0; b < robot_.bodies.size(); ++b) {
    const Body& body = robot_.bodies[b];
    const Pose<Wide> in_link = inverse(screws[standing[b].piece].link_in_piece()) * standing[b].frame;
    bodies_.push_back({body.parent, standing[b].piece, nq_, nv_, full<R>(in_link),
                       full<R>(screw_form::inertia_about_origin(body.inertial))});
    nq_ += coordinates(body.joint.type);
    nv_ += degrees_of_freedom(body.joint.type);
    body_of_dof_.resize(nv_, int(b));
  }
  pivot_floor_.resize(nv_);

  std::vector<int> parent;
  std::vector<Kind> kind, unclassified;
  for (size_t i = 0; i < pieces.size(); ++i) {
    const auto& piece = pieces[i];
    const Screwed& s = screws[i];
    const bool several = screw_form::has_several_columns(piece.joint);
    if (several) {
      const Pose<Wide> parent_link = inverse(screws[piece.parent].link_in_piece());
      pose_frames_.push_back(full<R>(parent_link * piece.frame));
    }
    links_.push_back({piece.parent, piece.q, piece.dof, several ? int(pose_frames_.size()) - 1 : -1, 0, 0, 0,
                      s.base != Screwed::screw, piece.joint, full<R>(inertias.grouped[i]), base_of<R>(s), R(s.theta),
                      R(s.d), R(piece.turn), R(piece.slide), R(piece.rotor)});
    parent.push_back(piece.parent);
    const bool has_rotor = R(piece.rotor) != 0;
    const Placed at = placement_of(s, has_rotor);
    kind.push_back(kind_of<R>(piece.joint, at, has_rotor));
    unclassified.push_back(kind_of<R>(piece.joint, kind.back().classified ? Placed::screw : at, has_rotor));
    if (i == 0) continue;
    bool turns = false, slides = false;
    with_joint<R>(piece.joint, [&](auto joint) {
      turns = decltype(joint)::type::turns;
      slides = decltype(joint)::type::slides;
    });
    if (turns) turning_.push_back({int(i), piece.q, R(s.theta)});
    if (slides) sliding_links_.push_back(int(i));
    if (several) posed_links_.push_back(int(i));
    Link<R>& link = links_.back();
    link.first = int(dofs_by_link_.size());
    const R rounding = 16 * std::numeric_limits<R>::epsilon();
    const screw_form::Scale scale = scales[i];
    columns(int(i), [&](int dof, const Twist<R>& p) {
      dofs_by_link_.push_back(dof);
      if (has_rotor) rotors_.push_back({dof, R(piece.rotor)});
      pivot_floor_[dof] = rounding * (dot(p.w, p.w) * R(scale.angular) + dot(p.v, p.v) * R(scale.mass));
    });
    link.columns = link.subtree = int(dofs_by_link_.size()) - link.first;
  }
  for (size_t i = links_.size() - 1; i > 0; --i) links_[links_[i].parent].subtree += links_[i].subtree;
  turning_count_ = int(turning_.size());
  while (turning_.size() % 4 != 0) turning_.push_back(turning_.back());
  runs_ = runs_of(parent, std::move(kind), unclassified);
  modules_ = modules_of(robot_);
  const Vec3<Wide> g = back(screw_form::turned_about_z(screws[0].turn).R, full<Wide>(robot_.gravity));
  ground_acceleration_ = full<R>(-g);
}

template <class R> std::string BasicModel<R>::joint_name(int b) const {
  body(b);  // there is one
  const Body& named = robot_.bodies[b];
  return named.joint.name.empty() ? named.name : named.joint.name;
}

template class BasicModel<float>;
template class BasicModel<double>;
template class BasicModel<long double>;

}  // namespace denoc
