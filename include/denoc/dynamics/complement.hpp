// The natural orthogonal complement T, t = T v, of the joints' constraints K t = 0, and its rate: column by column, by
// links, about mass centres, in link axes.                                    [Angeles7 (7.54), (7.70)-(7.73), (7.84)]
#pragma once
#include "denoc/dynamics/mass_centres.hpp"

namespace denoc {

/// T and its rate, with the mass centres they are about.
template <Scalar T> struct Complement {
  MassCentres<T> centres;
  size_t n;
  std::vector<Twist<T>> columns, rates;  // t_ik and t'_ik: row i, column k; zero where joint k does not carry link i
  explicit Complement(const ModelOf<T>& model)
      : centres(model),
        n(size_t(model.nv())),
        columns(model.links().size() * n, zero_twist<T>),
        rates(model.links().size() * n, zero_twist<T>) {}
  Twist<T>& t(int i, int k) { return columns[size_t(i) * n + size_t(k)]; }
  const Twist<T>& t(int i, int k) const { return columns[size_t(i) * n + size_t(k)]; }
  Twist<T>& rate(int i, int k) { return rates[size_t(i) * n + size_t(k)]; }
  const Twist<T>& rate(int i, int k) const { return rates[size_t(i) * n + size_t(k)]; }
};

/// f(k) for the degrees of freedom that move link i.
template <class R, class F> void for_movers(const BasicModel<R>& model, int i, F&& f) {
  for (int b = i; b > 0; b = model.links()[b].parent)
    for (int c = 0; c < model.links()[b].columns; ++c) f(model.links()[b].dof + c);
}

/// T: a joint's column is carried to every link it moves.
template <Scalar T> void complement_columns(const ModelOf<T>& model, const Configuration<T>& at, Complement<T>& s) {
  place_links<T>(model, at, s.centres);
  for (int i = 1; i <= model.link_count(); ++i) {
    const int parent = model.links()[i].parent;
    for_movers(model, parent, [&](int k) { s.t(i, k) = carried_outward<T>(s.centres, i, s.t(parent, k)); });
    model.columns(i, [&](int k, const auto& p) { s.t(i, k) = at_mass_centre<T>(s.centres, i, p); });
  }
}
/// t = T v, into the mass centres' twists.
template <Scalar T> void complement_twists(const ModelOf<T>& model, In<T> v, Complement<T>& s) {
  for (int i = 1; i <= model.link_count(); ++i) {
    s.centres.t[i] = zero_twist<T>;
    for_movers(model, i, [&](int k) { s.centres.t[i] += s.t(i, k) * v[k]; });
  }
}
/// T', from the twists t: e' = w x e, and e x r changes by e' x r + e x r'. From link to link r grows by c_i -
/// c_parent.
template <Scalar T> void complement_rates(const ModelOf<T>& model, Complement<T>& s) {
  const MassCentres<T>& c = s.centres;
  for (int i = 1; i <= model.link_count(); ++i) {
    const int parent = model.links()[i].parent;
    const Vec3<T>& w = c.t[i].w;
    const Vec3<T> apart = c.t[i].v - back(c.pose[i].R, c.t[parent].v), of_centre = cross(w, c.rho(i));
    for_movers(model, parent, [&](int k) {
      const Twist<T> same = carried_outward<T>(c, i, s.rate(parent, k));
      s.rate(i, k) = {same.w, same.v + cross(s.t(i, k).w, apart)};
    });
    model.columns(i, [&](int k, const auto& p) {
      const Vec3<T> e = full<T>(p.w), de = cross(w, e);
      s.rate(i, k) = {de, cross(w, full<T>(p.v)) + cross(de, c.rho(i)) + cross(e, of_centre)};
    });
  }
}

}  // namespace denoc
