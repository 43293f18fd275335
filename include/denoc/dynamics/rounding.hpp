// What rounding explains of the difference between two methods, joint by joint, and so never a wrong result.
//
// Whatever the road, a generalised force is a sum of products over the links that a joint moves, p_k^T M_i t'_i, and a
// sum whose terms pass at most n joints errs by c n eps times the sum of their absolute values, with a small c. How
// large the terms are does not depend on axes when the link's inertia measures them (Cauchy and Schwarz, particle by
// particle): |p^T M t'| <= |p| |t'|. So let
//   s_ik = |p_k| in link i,  s^2 = tr(I) |w|^2 + m (|v| + |w| |c|)^2,  s_k^2 = sum_i s_ik^2
// with tr(I) for w^T I w / |w|^2, since tr(I)/2 - I is formed somewhere, with |v| + |w| |c| for the velocity of the
// mass centre, since there are methods about other points, and with |v| the largest that the column has on its way from
// joint k to link i. Then there meet
//   in I_jk     sum_i s_ij s_ik <= s_j s_k
//   in tau_k    sum_i s_ik (sum_j s_ij |a_j| + 2 W_i t_i + sqrt(m_i) |g|),   W_i = sum_j |w_j| |v_j|,  t_i = sum_j s_ij
//   |v_j|
// (T a + T' v summed one by one, gravity apart; a particle accelerates by e_l x p_l v_l^2 and, for j before l, by
// 2 e_j x p_l v_j v_l) and, where energies are differentiated, besides
//               |w_k| sum_i t_i^2
// since turning all velocities beyond joint k changes the kinetic energy by terms as large as itself, of both signs.
// Forward dynamics is held by I a + bias = tau: elimination of I, from either end, errs like its entries [Higham,
// Accuracy and Stability, 10.1], s_k sum_j s_j |a_j| in row k.
#pragma once
#include "denoc/dynamics/mass_centres.hpp"

namespace denoc {

// For methods that compute in R. O(n) memory, O(n^2) time.
template <class R> class Rounding {
 public:
  using Bounds = std::vector<double>;
  static constexpr double factor = 8;  // c

  explicit Rounding(const BasicModel<R>& model)
      : model_(model), poses_(model.links().size()), moved_(model.links().size()), sizes_(size_t(model.nv())) {
    for (const CentredLink<R>& link : centred_links(model))
      links_.push_back({double(link.m), double(link.I.xx + link.I.yy + link.I.zz), double(norm(link.c))});
  }

  // At q (in `at`) and v, under these wrenches.
  void evaluate(const Configuration<R>& at, In<R> v, Wrenches<R> wrenches = {}) {
    for (int i = 1; i <= model_.link_count(); ++i) poses_[i] = link_pose<R>(model_, at, i);
    for (LinkTerms& link : links_) link.speed = link.turning = link.moment = link.force = 0;
    for (double& s : sizes_) s = 0;
    for_columns([&](int i, int k, const Size& p) {
      links_[i].speed += p.s * std::abs(double(v[k]));
      links_[i].turning += p.w * std::abs(double(v[k]));
      sizes_[k] += p.s * p.s;
    });
    for (double& s : sizes_) s = std::sqrt(s);
    for (const BodyWrench<R>& e : wrenches) {
      const auto& body = model_.bodies()[e.body];
      links_[body.link].moment += double(norm(e.wrench.n) + norm(body.in_link.r) * norm(e.wrench.f));
      links_[body.link].force += double(norm(e.wrench.f));
    }
  }

  // Of the entries of I, n x n by rows.
  Bounds inertia() const {
    Bounds bounds;
    for (const double s_j : sizes_)
      for (const double s_k : sizes_) bounds.push_back(explained(s_j * s_k));
    return bounds;
  }
  // Of tau for the accelerations a, and of I a + bias - tau where a was computed.
  Bounds inverse(In<R> a) {
    const Vec3<double>& g = model_.robot().gravity;
    for (LinkTerms& link : links_) link.acceleration = 2 * link.turning * link.speed + std::sqrt(link.mass) * norm(g);
    for_columns([&](int i, int k, const Size& p) { links_[i].acceleration += p.s * std::abs(double(a[k])); });
    Bounds bounds(sizes_.size());
    for_columns([&](int i, int k, const Size& p) {
      const LinkTerms& link = links_[i];
      bounds[k] += p.s * link.acceleration + p.w * (link.speed * link.speed + link.moment) + p.v * link.force;
    });
    double all = 0;
    for (size_t k = 0; k < sizes_.size(); ++k) all += sizes_[k] * std::abs(double(a[k]));
    for (size_t k = 0; k < sizes_.size(); ++k) bounds[k] = explained(bounds[k] + sizes_[k] * all);
    return bounds;
  }

 private:
  struct LinkTerms {
    double mass, trace, centre;  // m, tr(I), |c|
    double speed = 0, turning = 0, acceleration = 0, moment = 0, force = 0;
  };
  struct Size {
    double w, v, s;
  };
  struct Carried {
    Twist<R> p;
    double v;  // the largest so far
  };

  double explained(double terms) const {
    return factor * double(sizes_.size()) * double(std::numeric_limits<R>::epsilon()) * terms;
  }
  // f(i, k, size) for every link i that degree of freedom k moves.
  template <class F> void for_columns(F&& f) {
    const auto links = model_.links();
    const auto visit = [&](int i, int k, const Carried& carried) {
      const double w = double(norm(carried.p.w)), v = carried.v, at_centre = v + w * links_[i].centre;
      moved_[i] = carried;
      f(i, k, Size{w, v, std::sqrt(links_[i].trace * w * w + links_[i].mass * at_centre * at_centre)});
    };
    for (int i = 1; i <= model_.link_count(); ++i) {
      const int end = links[i].first + links[i].subtree;
      model_.columns(i, [&](int k, const auto& column) {
        const Twist<R> p = full<R>(column);
        visit(i, k, {p, double(norm(p.v))});
        for (int j = i + 1; j <= model_.link_count() && links[j].first < end; ++j) {
          const Carried& before = moved_[links[j].parent];
          const Twist<R> carried = poses_[j].to_child(before.p);
          visit(j, k, {carried, std::max(before.v, double(norm(carried.v)))});
        }
      });
    }
  }

  const BasicModel<R>& model_;
  std::vector<Pose<R>> poses_;
  std::vector<Carried> moved_;
  std::vector<LinkTerms> links_ = {};
  std::vector<double> sizes_;  // s_k
};

}  // namespace denoc
