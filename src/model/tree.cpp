#include "denoc/model/tree.hpp"

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
std::vector<detail::Run> runs_of(const std::vector<int>& parent, std::vector<Kind> kind,
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
  std::vector<detail::Run> runs;
  for (int i = 1; i <= n; ++i) {
    const bool joins = i > 1 && kind[i] == kind[i - 1] && parent[i] == i - 1 && children[i - 1] == 1 && !kind[i].branch;
    if (!joins) runs.push_back({kind[i].moving, kind[i].eliminated, i, i, false, false});
    detail::Run& run = runs.back();
    run.last = i;
    run.branching = branching[i];
    run.tip = children[i] == 0;
  }
  return runs;
}

// Of each link that has inertia the degrees of freedom that move it, on from the last link with inertia below it; of two
// or fewer nothing needs to be said.
std::vector<std::vector<int>> moving_the_same(const screw_form::Form& form, const std::vector<int>& first,
                                              std::span<const int> dofs) {
  const auto has_inertia = [&](size_t i) {
    const auto& own = form.inertias.own[i];
    return own.m != 0 || own.xx != 0 || own.yy != 0 || own.zz != 0;
  };
  std::vector<std::vector<int>> on_the_way(form.pieces.size()), found;
  for (size_t i = 1; i < form.pieces.size(); ++i) {
    const size_t parent = size_t(form.pieces[i].parent);
    if (!has_inertia(parent)) on_the_way[i] = on_the_way[parent];
    on_the_way[i].insert(on_the_way[i].end(), dofs.begin() + first[i], dofs.begin() + first[i + 1]);
    if (has_inertia(i) && on_the_way[i].size() > 2) found.push_back(on_the_way[i]);
  }
  return found;
}

}  // namespace

template <class R> Tree<R>::Tree(const screw_form::Form& form) : nq_(form.nq), nv_(form.nv) {
  pivot_floor_.resize(nv_);

  std::vector<int> parent;
  std::vector<Kind> kind, unclassified;
  for (size_t i = 0; i < form.pieces.size(); ++i) {
    const auto& piece = form.pieces[i];
    const Screwed& s = form.screws[i];
    const bool several = screw_form::has_several_columns(piece.joint);
    if (several) {
      const Pose<Wide> parent_link = inverse(form.screws[piece.parent].link_in_piece());
      pose_frames_.push_back(full<R>(parent_link * piece.frame));
    }
    links_.push_back({piece.parent, piece.q, piece.dof, several ? int(pose_frames_.size()) - 1 : -1, 0, 0, 0,
                      s.base != Screwed::screw, piece.joint, full<R>(form.inertias.grouped[i]), base_of<R>(s),
                      R(s.theta), R(s.d), R(piece.turn), R(piece.slide), R(piece.rotor)});
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
    const screw_form::Scale scale = form.scales[i];
    columns(int(i), [&](int dof, const Twist<R>& p) {
      dofs_by_link_.push_back(dof);
      if (has_rotor) rotors_.push_back({dof, R(piece.rotor)});
      pivot_floor_[dof] = pivot_rounding * (dot(p.w, p.w) * R(scale.angular) + dot(p.v, p.v) * R(scale.mass));
    });
    link.columns = link.subtree = int(dofs_by_link_.size()) - link.first;
  }
  for (size_t i = links_.size() - 1; i > 0; --i) links_[links_[i].parent].subtree += links_[i].subtree;
  std::vector<int> first;
  for (const Link<R>& link : links_) first.push_back(link.first);
  first.push_back(nv_);
  same_inertia_ = moving_the_same(form, first, dofs_by_link_);
  turning_count_ = int(turning_.size());
  while (turning_.size() % 4 != 0) turning_.push_back(turning_.back());
  runs_ = runs_of(parent, std::move(kind), unclassified);
  const Vec3<Wide> g = back(screw_form::turned_about_z(form.screws[0].turn).R, form.gravity);
  ground_acceleration_ = full<R>(-g);
}

template class Tree<float>;
template class Tree<double>;
template class Tree<long double>;

}  // namespace denoc
