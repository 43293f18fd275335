// The tree as the recursions go through it: links, each on one elementary joint about or along its own z axis, or on a
// spherical or free one, and the passes over them.
//
// Link 0 is the ground. Links are numbered depth first, a link's main child right after it, so the tree is a list of
// serial runs [Shah13: kinematic modules].
#pragma once
#include <span>
#include <vector>

#include "denoc/model/joints.hpp"

namespace denoc {

namespace screw_form {
struct Form;
}

/// A link as the recursions read it.
template <class R> struct Link {
  int parent, q, dof;  // where its coordinates and rates stand in the user's q and v
  int pose;            // spherical and free: which of the poses is its own
  int first, columns;  // its degrees of freedom in the order of the links, and their number
  int subtree;         // ... and those of its subtree, itself included: they are consecutive
  bool general;        // its placement is more than a screw about the parent's x axis
  Elementary joint;
  // After grouping: with what its children's joints do not feel, without what its own does not.
  RigidInertia<R> inertia;
  Branch<R> base;  // the constant half of its placement (complete for every kind of link)
  R theta, d;      // of the joint's screw at q = 0
  R turn, slide;   // its column, if it has one, is p = (turn z; slide z)
  R rotor;         // what its drive's rotor adds to the inertia of each of its degrees of freedom
};
/// A rotor behind the gear of a degree of freedom: gear^2 rotor_inertia.
template <class R> struct Rotor {
  int dof;
  R inertia;
};
/// A joint whose angle is q[...] + theta.
template <class R> struct Turning {
  int link, q;
  R theta;
};

/// A link as an algorithm sees it: its joint and its placement are types.
template <class R, class Joint, class Base> struct TypedLink {
  const Link<R>& link;
  int i;

  DENOC_INLINE auto columns() const { return Joint(link).columns(); }
  template <class V> DENOC_INLINE auto rates(const V& v) const { return Joint::rates(v, link.dof); }
  template <Column P> DENOC_INLINE int dof(const P&) const { return link.dof + P::number; }
  DENOC_INLINE decltype(auto) inertia() const { return Joint::grouped(link.inertia); }
  template <class M, class T, class Q, class A>
  DENOC_INLINE auto moved(const M& m, const T& d, const Q& qd, const A& qdd) const {
    return Joint(link).moved(m, d, qd, qdd);
  }
  template <class Configuration> DENOC_INLINE decltype(auto) placement(const Configuration& at) const {
    using T = typename Configuration::Scalar;
    if constexpr (Joint::coordinates > 1)
      return (at.poses[link.pose]);
    else if constexpr (std::is_same_v<Base, QuarterScrew<R>> || std::is_same_v<Base, ParallelScrew<R>>)
      return Placement<T, Base>{{{}, link.base.a, {}}, at.z[i]};
    else
      return Placement<T, const Base&>{link.base, at.z[i]};
  }
};

/// The kinds of links the recursions tell apart are the product of joints and placements.
template <class R, class J, class B> struct LinkKind {
  using Joint = J;
  using Base = B;
  static constexpr bool branch = std::is_same_v<B, Branch<R>>;  // its parent's x is among the saved
  static constexpr bool classified = std::is_same_v<B, QuarterScrew<R>> || std::is_same_v<B, ParallelScrew<R>>;
  DENOC_INLINE TypedLink<R, J, B> operator()(const Link<R>& link, int i) const { return {link, i}; }
};
namespace detail {
template <class R, class J, class Bases> struct KindsOfJoint;
template <class R, class J, class... B> struct KindsOfJoint<R, J, TypeList<B...>> {
  using type = TypeList<LinkKind<R, J, B>...>;
};
template <class R, class List> struct KindsOf;
template <class R, class... J> struct KindsOf<R, TypeList<J...>> {
  using type = typename Concatenated<typename KindsOfJoint<R, J, typename J::Placements>::type...>::type;
};
}  // namespace detail
// How links move, and how joints are eliminated: where rotors are felt there are further kinds.
template <class R> using MovingKinds = typename detail::KindsOf<R, Joints<R>>::type;
template <class R>
using EliminatedKinds =
    typename Concatenated<MovingKinds<R>,
                          typename detail::KindsOf<R, TypeList<GearedAxis<R>, GearedSpherical<R>>>::type>::type;

namespace detail {
// Consecutive links of one kind, each the main child of the one before. Only the last may be a tip or have further
// children.
struct Run {
  int moving, eliminated;  // where its kind stands among MovingKinds and EliminatedKinds
  int first, last;
  bool branching, tip;
};
}  // namespace detail

/// The passes over a tree. Where rotors are felt, the kinds of links are those of the elimination.
template <class R, bool with_rotors> struct Traversal {
  std::span<const Link<R>> links;
  std::span<const detail::Run> runs;

  /// Base to tip: x_i = f(link, A x_parent). `ground` is the ground's x, with its zeros as types. Along a run x stays
  /// in registers; `saved` is for the links where the tree branches.
  template <class At, class Ground, class X, class F>
  DENOC_INLINE void outward(const At& at, const Ground& ground, std::vector<X>& saved, F&& f) const {
    X x = saved[0];
    for (const detail::Run& r : runs) {
      dispatch(r, [&](auto kind) DENOC_INLINED {
        int i = r.first;
        const int parent = links[i].parent;
        if constexpr (kind.branch) x = saved[parent];
        if (parent == 0) {
          const auto link = kind(links[i], i);
          x = f(link, link.placement(at).to_child(ground));
          ++i;
        }
        for (; i <= r.last; ++i) {
          const auto link = kind(links[i], i);
          x = f(link, link.placement(at).to_child(x));
        }
      });
      if (r.branching) saved[r.last] = x;
    }
  }
  /// Tip to base: x_parent += A^T f(link, x_i). `nothing` arrives at a tip, with its zeros as types; nothing is carried
  /// to the ground. `sums` collects x where the tree branches: all zero before and after.
  template <class At, class Nothing, class X, class F>
  DENOC_INLINE void inward(const At& at, const Nothing& nothing, const X& zero, std::vector<X>& sums, F&& f) const {
    using T = typename At::Scalar;
    X x = zero;
    for (size_t k = runs.size(); k-- > 0;) {
      const detail::Run r = runs[k];
      if (r.branching) {
        x += sums[r.last];
        sums[r.last] = zero;
      }
      dispatch(r, [&](auto kind) DENOC_INLINED {
        const int parent = links[r.first].parent;
        const int end = r.first + (parent == 0);
        int i = r.last;
        if (r.tip && i >= end) {
          const auto link = kind(links[i], i);
          x = carried_inward<T>(link.placement(at), f(link, nothing));
          --i;
        } else if (r.tip) {
          x = zero;
        }
        for (; i >= end; --i) {
          const auto link = kind(links[i], i);
          x = carried_inward<T>(link.placement(at), f(link, x));
        }
        if (parent == 0) {
          f(kind(links[r.first], r.first), x);
        } else if constexpr (kind.branch) {
          sums[parent] += x;
          if (r.first == parent + 1) x = zero;  // the parent has no main child
        }
      });
    }
  }

  /// f(link), tip to base and base to tip, where nothing is carried from one to the next.
  template <class F> DENOC_INLINE void each_inward(F&& f) const {
    for (size_t k = runs.size(); k-- > 0;) {
      const detail::Run& run = runs[k];
      dispatch(run, [&](auto kind) DENOC_INLINED {
        for (int i = run.last; i >= run.first; --i) f(kind(links[i], i));
      });
    }
  }
  template <class F> DENOC_INLINE void each_outward(F&& f) const {
    for (const detail::Run& run : runs)
      dispatch(run, [&](auto kind) DENOC_INLINED {
        for (int i = run.first; i <= run.last; ++i) f(kind(links[i], i));
      });
  }

 private:
  // The only switch over kinds of links: once per run.
  template <class F> DENOC_INLINE static void dispatch(const detail::Run& run, F&& f) {
    using Kinds = std::conditional_t<with_rotors, EliminatedKinds<R>, MovingKinds<R>>;
    Kinds::at(with_rotors ? run.eliminated : run.moving,
              [&](auto kind) DENOC_INLINED { f(typename decltype(kind)::type{}); });
  }
};

/// R is the type of the robot's constants. Const after construction and shared by all threads.
template <class R> class Tree {
 public:
  explicit Tree(const screw_form::Form& form);

  int nq() const { return nq_; }
  int nv() const { return nv_; }

  /// The links; [0] is the ground, a parent stands before its children.
  std::span<const Link<R>> links() const { return links_; }
  int link_count() const { return int(links_.size()) - 1; }
  std::span<const detail::Run> runs() const { return runs_; }
  const Vec3<R>& ground_acceleration() const { return ground_acceleration_; }  // minus gravity, in link 0's axes
  /// Frames of the joints with several columns, in the parent link.
  std::span<const Pose<R>> pose_frames() const { return pose_frames_; }
  /// The links by what q does to them: theta (filled up to a multiple of four with its last entry), d, pose.
  std::span<const Turning<R>> turning() const { return turning_; }
  int turning_count() const { return turning_count_; }
  std::span<const int> sliding_links() const { return sliding_links_; }
  std::span<const int> posed_links() const { return posed_links_; }
  /// A pivot d of U D U^T that is not above this is rounding, not inertia: of the sum of the terms that it is made of.
  R pivot_floor(int dof) const { return pivot_floor_[dof]; }
  static constexpr R pivot_rounding = 16 * std::numeric_limits<R>::epsilon();
  /// Three or more degrees of freedom that move the same inertia: of one joint, of joints with massless links between.
  std::span<const std::vector<int>> same_inertia() const { return same_inertia_; }

  /// The tree as the recursions go through it: as its links move, and as its joints are eliminated, with their rotors.
  Traversal<R, false> moving() const { return {links_, runs_}; }
  Traversal<R, true> eliminated() const { return {links_, runs_}; }

  /// What the rotors of drives add to the diagonal of the inertia matrix; empty for most robots.
  std::span<const Rotor<R>> rotors() const { return rotors_; }

  /// f(placement of link i), by planar rotations where the joint allows: for loops that need no other types.
  template <class At, class F> DENOC_INLINE void placed(int i, const At& at, F&& f) const {
    using T = typename At::Scalar;
    const Link<R>& link = links_[i];
    if (link.pose >= 0)
      f(at.poses[link.pose]);
    else if (link.general)
      f(Placement<T, const Branch<R>&>{link.base, at.z[i]});
    else
      f(Placement<T, const Screw<R>&>{link.base, at.z[i]});
  }
  /// The user's degree of freedom of each in the order of the links.
  std::span<const int> dofs_by_link() const { return dofs_by_link_; }
  /// f(the columns of link i's joint), where the placement is not asked for; with their rotors where they have any.
  template <class F> DENOC_INLINE void with_columns(int i, F&& f) const {
    const Link<R>& link = links_[i];
    with_joint<R>(link.joint, [&](auto joint) DENOC_INLINED { f(typename decltype(joint)::type(link).columns()); });
  }
  template <class F> DENOC_INLINE void with_eliminated_columns(int i, F&& f) const {
    const Link<R>& link = links_[i];
    if (link.rotor == 0) return with_columns(i, f);
    with_geared_joint<R>(link.joint,
                         [&](auto joint) DENOC_INLINED { f(typename decltype(joint)::type(link).columns()); });
  }
  /// Where a loop over general columns will do. The motion columns of a link's joint, in its own axes: f(dof, p).
  template <class F> void columns(int i, F&& f) const {
    with_columns(i,
                 [&](const auto& all) { all.each([&](const auto& p) { f(links_[i].dof + p.number, full<R>(p)); }); });
  }
  /// p^T w for each of them, without multiplying by their zeros and ones: f(dof, p^T w).
  template <class W, class F> void project(int i, const W& w, F&& f) const {
    with_columns(i, [&](const auto& all) { all.each([&](const auto& p) { f(links_[i].dof + p.number, dot(p, w)); }); });
  }

 private:
  int nq_ = 0, nv_ = 0;
  std::vector<Link<R>> links_;
  std::vector<detail::Run> runs_;
  std::vector<Pose<R>> pose_frames_;
  std::vector<int> dofs_by_link_;
  std::vector<Rotor<R>> rotors_;
  std::vector<Turning<R>> turning_;
  std::vector<int> sliding_links_, posed_links_;
  int turning_count_ = 0;
  std::vector<R> pivot_floor_;
  std::vector<std::vector<int>> same_inertia_;
  Vec3<R> ground_acceleration_{};
};

extern template class Tree<float>;
extern template class Tree<double>;
extern template class Tree<long double>;

}  // namespace denoc
