// Forward dynamics by U D U^T with the mass centres as points of reference, as [Saha97] has them: the recursion that
// the library runs about joint origins, for the study of what the point of reference does to rounding. Dense 6 x 6.
//   psihat = Mhat p,  d = p^T psihat + r,  psi = psihat/d,  Mhat_parent += B^T (Mhat - psi psihat^T) B
//                                          [Saha97 (24)-(27), corrected; r: the rotor of the drive, which is not in them]
#pragma once
#include <Eigen/Core>

#include "denoc/dynamics/mass_centres.hpp"
#include "denoc/dynamics/singular_inertia.hpp"

namespace denoc::app {

template <class T> struct MassCentreUdut {
  using Vector6 = Eigen::Matrix<T, 6, 1>;
  using Matrix6 = Eigen::Matrix<T, 6, 6>;
  using Matrix3 = Eigen::Matrix<T, 3, 3>;

  explicit MassCentreUdut(const ModelOf<T>& of)
      : model(of), centres(of), psi(of.nv()), rotor(of.nv()), d_inv(of.nv()), phi_hat(of.nv()) {
    for (const auto& [k, inertia] : of.rotors()) rotor[k] = inertia;
  }

  // a at the q of `at`, v, under tau and the wrenches. Throws SingularInertia.
  void run(const Configuration<T>& at, In<T> v, In<T> tau, Out<T> a, Wrenches<T> wrenches) {
    mass_centre_wrenches<T>(model, at, v, centres.none, wrenches, centres);
    const int n = model.link_count();
    std::vector<Matrix6> M_hat, B;
    std::vector<Vector6> eta, mu(size_t(n) + 1, Vector6::Zero());
    for (int i = 0; i <= n; ++i) {
      M_hat.push_back(link_inertia(i));
      B.push_back(i == 0 ? Matrix6(Matrix6::Zero()) : propagation(i));
      eta.push_back(vector(centres.w[size_t(i)].n, centres.w[size_t(i)].f));
    }
    for (int i = n; i > 0; --i) {
      for_columns_backwards(i, [&](int k, const Vector6& p) {
        const Vector6 psi_hat = M_hat[i] * p;
        d_inv[k] = T(1) / (p.dot(psi_hat) + rotor[k]);
        psi[k] = psi_hat * d_inv[k];
        phi_hat[k] = tau[k] - p.dot(eta[i]);
        M_hat[i] -= psi[k] * psi_hat.transpose();
        eta[i] += psi[k] * phi_hat[k];
      });
      const int parent = model.links()[i].parent;
      M_hat[parent] += B[i].transpose() * M_hat[i] * B[i];
      eta[parent] += B[i].transpose() * eta[i];
    }
    require_regular<T>(model, d_inv);
    for (int i = 1; i <= n; ++i) {
      mu[i] = B[i] * mu[model.links()[i].parent];
      model.columns(i, [&](int k, const auto& p) {
        a[k] = phi_hat[k] * d_inv[k] - psi[k].dot(mu[i]);
        mu[i] += column(i, p) * a[k];
      });
    }
  }

 private:
  static Vector6 vector(const Vec3<T>& x, const Vec3<T>& y) {
    Vector6 all;
    all << x.x, x.y, x.z, y.x, y.y, y.z;
    return all;
  }
  template <class Column> Vector6 column(int i, const Column& p) const {
    const Twist<T> t = at_mass_centre<T>(centres, i, full<T>(p));
    return vector(t.w, t.v);
  }
  template <class F> void for_columns_backwards(int i, F&& f) const {
    std::vector<std::pair<int, Vector6>> all;
    model.columns(i, [&](int k, const auto& p) { all.emplace_back(k, column(i, p)); });
    for (auto c = all.rbegin(); c != all.rend(); ++c) f(c->first, c->second);
  }
  Matrix6 link_inertia(int i) const {
    const auto& [m, c, I] = centres.links[i];
    Matrix6 M = Matrix6::Zero();
    M.template topLeftCorner<3, 3>() << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
    M.template bottomRightCorner<3, 3>() = Matrix3::Identity() * m;
    return M;
  }
  // Of the parent's twist about its mass centre, the link's about its own: [w; c'] -> [R^T w; R^T c' + R^T w x u]
  Matrix6 propagation(int i) const {
    const Mat3<T>& R = centres.pose[i].R;
    const Vec3<T>& u = centres.u[i];
    Matrix3 Q, u_tilde;
    Q << R.xx, R.xy, R.xz, R.yx, R.yy, R.yz, R.zx, R.zy, R.zz;
    u_tilde << 0, -u.z, u.y, u.z, 0, -u.x, -u.y, u.x, 0;
    Matrix6 B = Matrix6::Zero();
    B.template topLeftCorner<3, 3>() = Q.transpose();
    B.template bottomRightCorner<3, 3>() = Q.transpose();
    B.template bottomLeftCorner<3, 3>() = -u_tilde * Q.transpose();
    return B;
  }

  const ModelOf<T>& model;
  MassCentres<T> centres;
  std::vector<Vector6> psi;
  std::vector<T> rotor, d_inv, phi_hat;
};

}  // namespace denoc::app
