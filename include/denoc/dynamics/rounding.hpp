// What rounding explains of the difference between two methods, joint by joint.
//
// Whatever the road, motions are summed outward from joint to joint, and generalised forces are sums over the links
// that a joint moves, tau_k = sum_i p_k^T M_i (...). A sum of n numbers errs by c n eps times the largest of its
// partial sums, or the sum of what it adds, with a small c [Higham, Accuracy and Stability, 4.2]; and how large the
// terms are does not depend on axes or points if the link's inertia measures them (Cauchy and Schwarz, particle by
// particle): |p^T M t'| <= |p| |t'|. So let in link i, for a motion of it (w; v about its origin),
//   |(w; v)|^2 = tr(I) |w|^2 + m (|v| + |w| d)^2
// tr(I) because tr(I)/2 - I is formed somewhere, |v| + |w| d because methods are about origins and mass centres: d is
// the way from the link's origin to the mass centre as the file goes it, by the body's own origin (of several bodies in
// one link the root mean square), and |v| the largest that it has on the way from the joint to link i, where it is
// carried. Let further
//   s_ik = |p_k|, s_k^2 = sum_i s_ik^2,
//   t_i, b_i, W_i the largest |t_j|, |t'_j|, |w_j| of links j before i, carried to i
// (these are the partial sums of T v and of T a + T' v). Then there meet
//   in I_jk    sum_i s_ij s_ik <= s_j s_k
//   in tau_k   sum_i s_ik (b_i + 2 W_i t_i + sqrt(m_i) |g|)
// with the accelerations w x v and w x (w x r) of the particles besides t', and gravity apart from them; and, where
// energies are differentiated,
//              |w_k| sum_i t_i^2
// since turning all velocities beyond joint k changes the kinetic energy by terms as large as itself, of both signs.
// Carried to link i, p_k changes by (t_k - t_i) x p_k, which is no larger than r_ik = 2 (W_i s_ik + |w_k| t_i). So
// there meet in the rate of I_jk, and in the entries of C, where it is split,
//              sum_i (r_ij s_ik + s_ij r_ik) <= r_j s_k + s_j r_k,   r_k^2 = sum_i r_ik^2
// A rotor r_k adds r_k to s_k^2, and r_k (|a_k| + |v|^2) to what meets in tau_k, v the rates of its joint.
// Forward dynamics is held by I a + bias = tau. Eliminating I, from either end, errs by c n eps s_j s_k in its entries
// [Higham 10.1], that is s_k sum_j s_j |a_j| in row k.
#pragma once
#include "denoc/dynamics/mass_centres.hpp"
#include "denoc/kinematics/kinematics.hpp"

namespace denoc {

/// For methods that compute in R. O(n) memory, O(n^2) time.
template <class R> class Rounding {
 public:
  using Bounds = std::vector<double>;
  static constexpr double factor = 8;  // c

  explicit Rounding(const BasicModel<R>& model)
      : model_(model),
        kin_(model),
        v_(size_t(model.nv())),
        carried_(model.links().size()),
        s_(size_t(model.nv())),
        r_(s_.size()) {
    for (const CentredLink<R>& link : centred_links(model))
      links_.push_back({double(link.m), double(link.I.xx + link.I.yy + link.I.zz)});
    for (size_t b = 1; b < model.bodies().size(); ++b) {
      const auto& body = model.bodies()[b];
      const Inertial& inertial = model.robot().bodies[b].inertial;
      LinkTerms& link = links_[body.link];
      const double way = double(norm(body.in_link.r)) + norm(inertial.com);
      if (link.mass > 0) link.way = std::hypot(link.way, std::sqrt(inertial.mass / link.mass) * way);
    }
  }

  /// At q (in `at`) and v, under these wrenches.
  void evaluate(const Configuration<R>& at, In<R> v, Wrenches<R> wrenches = {}) {
    v_.assign(v.begin(), v.end());
    positions<R>(model_, at, kin_);
    velocities<R>(model_, v, kin_);
    for (LinkTerms& link : links_) link.t = link.W = link.moment = link.force = 0;
    s_.assign(s_.size(), 0);
    r_.assign(r_.size(), 0);
    for (int i = 1; i <= model_.link_count(); ++i)
      carry(i, kin_.twist[i], [&](int j, const Size& t) {
        links_[j].t = std::max(links_[j].t, t.all);
        links_[j].W = std::max(links_[j].W, t.w);
      });
    for_columns([&](int i, int k, const Size& p) {
      const double r = 2 * (links_[i].W * p.all + p.w * links_[i].t);
      s_[k] += p.all * p.all;
      r_[k] += r * r;
    });
    for (const auto& [k, inertia] : model_.rotors()) s_[k] += double(inertia);
    for (double& s : s_) s = std::sqrt(s);
    for (double& r : r_) r = std::sqrt(r);
    for (const BodyWrench<R>& e : wrenches) {
      const auto& body = model_.bodies()[e.body];
      links_[body.link].moment += double(norm(e.wrench.n) + norm(body.in_link.r) * norm(e.wrench.f));
      links_[body.link].force += double(norm(e.wrench.f));
    }
  }

  /// Of the entries of I, n x n by rows.
  Bounds inertia() const {
    Bounds bounds;
    for (const double s_j : s_)
      for (const double s_k : s_) bounds.push_back(explained(s_j * s_k));
    return bounds;
  }
  /// Of the entries of C, and of the rate of I.
  Bounds coriolis() const {
    Bounds bounds;
    for (size_t j = 0; j < s_.size(); ++j)
      for (size_t k = 0; k < s_.size(); ++k) bounds.push_back(explained(r_[j] * s_[k] + s_[j] * r_[k]));
    return bounds;
  }
  /// Of I a, by whatever factors of I.
  Bounds product(In<R> a) const {
    double all = 0;
    for (size_t k = 0; k < s_.size(); ++k) all += s_[k] * std::abs(double(a[k]));
    Bounds bounds;
    for (const double s : s_) bounds.push_back(explained(s * all));
    return bounds;
  }
  /// Of tau for the accelerations a.
  Bounds inverse(In<R> a) {
    accelerations<R>(model_, v_, a, kin_);
    for (LinkTerms& link : links_) link.b = 0;
    for (int i = 1; i <= model_.link_count(); ++i)
      carry(i, kin_.rate[i], [&](int j, const Size& rate) { links_[j].b = std::max(links_[j].b, rate.all); });
    const double g = norm(model_.robot().gravity);
    Bounds bounds(s_.size());
    for_columns([&](int i, int k, const Size& p) {
      const auto& [m, trace, way, t, W, b, moment, force] = links_[i];
      bounds[k] += p.all * (b + 2 * W * t + std::sqrt(m) * g) + p.w * (t * t + moment) + p.v * force;
    });
    for (const auto& [k, inertia] : model_.rotors()) {
      const auto& joint = model_.bodies()[model_.body_of_dof(k)];
      double vv = 0;
      for (int j = joint.v; j < model_.nv() && model_.body_of_dof(j) == model_.body_of_dof(k); ++j)
        vv += double(v_[j] * v_[j]);
      bounds[k] += double(inertia) * (std::abs(double(a[k])) + vv);
    }
    for (double& x : bounds) x = explained(x);
    return bounds;
  }
  /// Of I a + bias - tau where a was computed.
  Bounds residual(In<R> a) {
    Bounds bounds = inverse(a);
    const Bounds solved = product(a);
    for (size_t k = 0; k < bounds.size(); ++k) bounds[k] += solved[k];
    return bounds;
  }

 private:
  struct LinkTerms {
    double mass, trace, way = 0;  // m, tr(I), d
    double t = 0, W = 0, b = 0, moment = 0, force = 0;
  };
  struct Size {
    double w, v, all;
  };
  struct Carried {
    Twist<R> motion;
    double v;  // the largest so far
  };

  double explained(double terms) const {
    return factor * double(s_.size()) * double(std::numeric_limits<R>::epsilon()) * terms;
  }
  // f(j, size) of a motion of link i in every link j that moves with it.
  template <class F> void carry(int i, const Twist<R>& motion, F&& f) {
    const auto links = model_.links();
    const auto visit = [&](int j, const Carried& carried) {
      const double w = double(norm(carried.motion.w)), at_centre = carried.v + w * links_[j].way;
      carried_[j] = carried;
      f(j, Size{w, carried.v, std::sqrt(links_[j].trace * w * w + links_[j].mass * at_centre * at_centre)});
    };
    visit(i, {motion, double(norm(motion.v))});
    const int end = links[i].first + links[i].subtree;
    for (int j = i + 1; j <= model_.link_count() && links[j].first < end; ++j) {
      const Carried& before = carried_[links[j].parent];
      const Twist<R> here = kin_.in_parent[j].to_child(before.motion);
      visit(j, {here, std::max(before.v, double(norm(here.v)))});
    }
  }
  // f(i, k, size) for every link i that degree of freedom k moves.
  template <class F> void for_columns(F&& f) {
    for (int i = 1; i <= model_.link_count(); ++i)
      model_.columns(i, [&](int k, const auto& column) {
        carry(i, full<R>(column), [&](int j, const Size& size) { f(j, k, size); });
      });
  }

  const BasicModel<R>& model_;
  Kinematics<R> kin_;
  std::vector<R> v_;
  std::vector<Carried> carried_;
  std::vector<LinkTerms> links_ = {};
  std::vector<double> s_, r_;  // s_k, r_k
};

}  // namespace denoc
