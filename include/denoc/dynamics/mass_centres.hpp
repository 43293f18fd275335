// What the formulations about mass centres share: the links with the inertias of the file, and how the mass centres
// move. Link axes throughout.                                                                        [Angeles7 7.4.1]
#pragma once
#include "denoc/dynamics/rotors.hpp"
#include "denoc/model/configuration.hpp"

namespace denoc {

/// Mass, mass centre (from the link's origin) and inertia about it, before any grouping.
template <class R> struct CentredLink {
  R m;
  Vec3<R> c;
  Sym3<R> I;
};
/// From the bodies that stand on each link, and never about another point than the common mass centre: nothing cancels.
template <class R> std::vector<CentredLink<R>> centred_links(const BasicModel<R>& model) {
  const CentredLink<R> nothing{R(0), zero3<R>, zero_sym<R>};
  std::vector<CentredLink<R>> links(model.links().size(), nothing);
  const auto for_bodies = [&](auto&& f) {
    for (size_t b = 1; b < model.bodies().size(); ++b) {
      const auto& [parent, link, q, v, in_link, inertia] = model.bodies()[b];
      const Inertial& body = model.robot().bodies[b].inertial;
      f(links[link], R(body.mass), in_link.r + in_link.R * full<R>(body.com),
        turn(in_link.R, full<R>(body.inertia) + full<R>(body.hub)));
    }
  };
  for_bodies([](CentredLink<R>& link, R m, const Vec3<R>& c, const Sym3<R>&) {
    link.m += m;
    link.c += c * m;
  });
  for (CentredLink<R>& link : links) link.c = link.m > 0 ? link.c * (1 / link.m) : zero3<R>;
  for_bodies([](CentredLink<R>& link, R m, const Vec3<R>& c, const Sym3<R>& I) {
    const Vec3<R> d = c - link.c;
    const R dd = m * dot(d, d);
    link.I += I + minus_outer(Sym3<R>{dd, R(0), dd, R(0), R(0), dd}, d * m, d);
  });
  links[0] = nothing;  // the ground does not move
  return links;
}
/// As mass, first moment (none) and second moment J = tr(I)/2 - I about the mass centre.
template <class R> RigidInertia<R> about_centre(const CentredLink<R>& link) {
  const Sym3<R>& I = link.I;
  const R half = (I.xx + I.yy + I.zz) / 2;
  return rigid_inertia(link.m, zero3<R>, Sym3<R>{half - I.xx, -I.xy, half - I.yy, -I.xz, -I.yz, half - I.zz});
}

/// The links about their mass centres: constants, and how they move at one state.
template <Scalar T> struct MassCentres {
  std::vector<CentredLink<Real<T>>> links;
  std::vector<Pose<T>> pose;      // of each link in its parent
  std::vector<Vec3<T>> u;         // from the parent's mass centre to the link's
  std::vector<Twist<T>> t, rate;  // [w; c'] and [w'; c''], c'' less gravity
  std::vector<Wrench<T>> w;       // inertia wrench about the mass centre, less what acts from outside
  std::vector<T> none;            // a = 0
  explicit MassCentres(const ModelOf<T>& model)
      : links(centred_links(model)),
        pose(links.size()),
        u(links.size()),
        t(links.size(), zero_twist<T>),
        rate(links.size(), zero_twist<T>),
        w(links.size(), zero_wrench<T>),
        none(model.nv(), T(0)) {
    rate[0].v = full<T>(model.ground_acceleration());  // [Angeles7 (7.44)]
  }
  const Vec3<Real<T>>& rho(int i) const { return links[i].c; }  // from the joint to the mass centre
  /// From the parent's mass centre to the joint, in the parent's axes.
  Vec3<T> delta(const ModelOf<T>& model, int i) const { return pose[i].r - full<T>(links[model.links()[i].parent].c); }
};

/// The poses of the links and the ways between their mass centres.
template <Scalar T> void place_links(const ModelOf<T>& model, const Configuration<T>& at, MassCentres<T>& s) {
  for (int i = 1; i <= model.link_count(); ++i) {
    s.pose[i] = link_pose<T>(model, at, i);
    s.u[i] = back(s.pose[i].R, s.delta(model, i)) + full<T>(s.rho(i));  // [Angeles7 (7.34c)]
  }
}
/// The twist of a mass centre when the joint is locked: from that of the parent's.
template <Scalar T> Twist<T> carried_outward(const MassCentres<T>& s, int i, const Twist<T>& parent) {
  const Vec3<T> w = back(s.pose[i].R, parent.w);
  return {w, back(s.pose[i].R, parent.v) + cross(w, s.u[i])};
}
/// A joint's column as its own mass centre moves by it.
template <Scalar T, class Column> Twist<T> at_mass_centre(const MassCentres<T>& s, int i, const Column& p) {
  return {full<T>(p.w), full<T>(p.v + cross(p.w, s.rho(i)))};
}

/// w_i, c'_i, w'_i, c''_i, base to tip.                                    [Angeles7 (7.26), (7.33), (7.34), corrected]
template <Scalar T> void mass_centre_motion(const ModelOf<T>& model, In<T> v, In<T> a, MassCentres<T>& s) {
  for (int i = 1; i <= model.link_count(); ++i) {
    const int parent = model.links()[i].parent;
    const auto& [w_before, dc_before] = s.t[parent];
    const auto& [dw_before, ddc_before] = s.rate[parent];
    const Mat3<T>& Q = s.pose[i].R;
    const auto& rho = s.rho(i);
    const Vec3<T> delta = s.delta(model, i), u = cross(w_before, delta);
    Twist<T> joint = zero_twist<T>, joint_rate = zero_twist<T>;
    model.columns(i, [&](int k, const auto& p) {
      joint += full<T>(p) * v[k];
      joint_rate += full<T>(p) * a[k];
    });
    const Vec3<T> w_carried = back(Q, w_before), w = w_carried + joint.w;
    const Vec3<T> dw = back(Q, dw_before) + cross(w_carried, joint.w) + joint_rate.w;
    const Vec3<T> turning = cross(w, rho);
    const Vec3<T> ddc_joint = joint_rate.v + cross(w_carried + w, joint.v);
    s.t[i] = {w, back(Q, dc_before + u) + joint.v + turning};
    s.rate[i] = {dw, back(Q, ddc_before + cross(dw_before, delta) + cross(w_before, u)) + ddc_joint + cross(dw, rho) +
                         cross(w, turning)};
  }
}

/// n = I w' + w x I w,  f = m c'', about the mass centre
template <Scalar T> void inertia_wrenches(const ModelOf<T>& model, MassCentres<T>& s) {
  for (int i = 1; i <= model.link_count(); ++i) {
    const auto& [m, c, I] = s.links[i];
    const Vec3<T>& w = s.t[i].w;
    s.w[i] = {I * s.rate[i].w + cross(w, I * w), s.rate[i].v * m};
  }
}
/// Wrenches from outside relieve the joints.
template <Scalar T> void relieve_joints(const ModelOf<T>& model, Wrenches<T> wrenches, MassCentres<T>& s) {
  require_bodies<T>(model, wrenches);
  for (const BodyWrench<T>& e : wrenches) {
    const auto& body = model.bodies()[e.body];
    const Wrench<T> w = full<T>(body.in_link.to_parent(e.wrench));
    s.w[body.link] -= {w.n - cross(s.rho(body.link), w.f), w.f};
  }
}

/// All of it: the inertia wrenches at q (in `at`), v and a, under gravity, less the given wrenches.
template <Scalar T>
void mass_centre_wrenches(const ModelOf<T>& model, const Configuration<T>& at, In<T> v, In<T> a, Wrenches<T> wrenches,
                          MassCentres<T>& s) {
  require_size(v, model.nv(), "v");
  require_size(a, model.nv(), "a");
  place_links<T>(model, at, s);
  mass_centre_motion<T>(model, v, a, s);
  inertia_wrenches<T>(model, s);
  relieve_joints<T>(model, wrenches, s);
}

}  // namespace denoc
