#include "denoc/dynamics/inertia/composite.hpp"
#include "denoc/dynamics/mass_centres.hpp"
#include "denoc/kinematics/kinematics.hpp"
#include "denoc/model/manifold.hpp"
#include "links.hpp"

namespace denoc::study {

namespace {

double row_sum(const MatrixXd& x) { return x.size() == 0 ? 0 : x.cwiseAbs().rowwise().sum().maxCoeff(); }

// left = right, where products as large as `terms` meet.
Identity compared(std::string_view law, const MatrixXd& left, const MatrixXd& right, double terms) {
  const double additions = double(left.rows()) + 6;
  return {law, left.size() == 0 ? 0 : (left - right).cwiseAbs().maxCoeff(),
          8 * additions * std::numeric_limits<double>::epsilon() * terms};
}
Identity vanishing(std::string_view law, const MatrixXd& x, double terms) {
  return compared(law, x, MatrixXd::Zero(x.rows(), x.cols()), terms);
}

MatrixXd inertia_of(const Model& model, std::span<const double> q) {
  Configuration<double> at(model);
  CompositeScratch<double> scratch(model);
  Matrix I{model.nv(), model.nv(), std::vector<double>(size_t(model.nv()) * size_t(model.nv()))};
  place<double>(model, q, at);
  inertia_matrix<double>(model, at, scratch, I.entries);
  return to_eigen(I);
}

using Moving = Dual<double>;
// q + e v, to be differentiated by e exactly.
Configuration<Moving> moving(const Model& model, std::span<const double> q, std::span<const double> v) {
  std::vector<Moving> at_q(q.begin(), q.end()), moved(q.size()), step(v.size());
  for (size_t k = 0; k < v.size(); ++k) step[k] = {0.0, v[k]};
  integrate<Moving>(model, at_q, step, moved);
  Configuration<Moving> at(model);
  place<Moving>(model, moved, at);
  return at;
}
// I' of the composite bodies.
MatrixXd inertia_matrix_rate(const Model& model, std::span<const double> q, std::span<const double> v) {
  const Configuration<Moving> at = moving(model, q, v);
  CompositeScratch<Moving> scratch(model);
  std::vector<Moving> inertia(size_t(model.nv()) * size_t(model.nv()));
  inertia_matrix<Moving>(model, at, scratch, inertia);
  Matrix rate{model.nv(), model.nv(), {}};
  for (const Moving& x : inertia) rate.entries.push_back(x.d);
  return to_eigen(rate);
}

// M' by differentiating the attitudes along the motion.
MatrixXd inertia_rate(const Model& model, std::span<const double> q, std::span<const double> v) {
  const Configuration<Moving> at = moving(model, q, v);
  Kinematics<Moving> kin(model);
  positions<Moving>(model, at, kin);
  const Pose<Moving> world = full<Moving>(inverse(model.bodies()[0].in_link));
  const auto centred = centred_links(model);
  MatrixXd rate = MatrixXd::Zero(6 * model.link_count(), 6 * model.link_count());
  for (int i = 1; i <= model.link_count(); ++i) {
    const Sym3<Moving> I = turn((world * kin.in_ground[i]).R, full<Moving>(centred[i].I));
    rate.block<3, 3>(6 * (i - 1), 6 * (i - 1)) << I.xx.d, I.xy.d, I.xz.d, I.xy.d, I.yy.d, I.yz.d, I.xz.d, I.yz.d,
        I.zz.d;
  }
  return rate;
}

}  // namespace

std::vector<Identity> identities(const Model& model, std::span<const double> q, std::span<const double> v,
                                 const Matrices& of) {
  const MatrixXd K = to_eigen(of.K), T = to_eigen(of.T), M = to_eigen(of.M), W = to_eigen(of.W), t = to_eigen(of.t),
                 C = to_eigen(of.C), T_l = to_eigen(of.T_l), T_d = to_eigen(of.T_d), M_til = to_eigen(of.M_tilde),
                 N = to_eigen(of.N), N_l = to_eigen(of.N_l), N_d = to_eigen(of.N_d), M_o = to_eigen(of.M_origin),
                 I = inertia_of(model, q), rates = Eigen::Map<const VectorXd>(v.data(), Eigen::Index(v.size()));
  const double fastest = v.empty() ? 0 : rates.cwiseAbs().maxCoeff();
  const auto congruence = [](const MatrixXd& A, const MatrixXd& B) {
    return row_sum(A.transpose()) * row_sum(B) * row_sum(A);
  };
  return {vanishing("K T = 0", K * T, row_sum(K) * row_sum(T)),
          compared("T v = t", T * rates, t, row_sum(T) * fastest),
          compared("T^T M T = I", T.transpose() * M * T, I, congruence(T, M)),
          vanishing("W t = 0", W * t, row_sum(W) * row_sum(t)),
          compared("W M - M W = M'", W * M - M * W, inertia_rate(model, q, v), 2 * row_sum(W) * row_sum(M)),
          compared("C + C^T = I'", C + C.transpose(), inertia_matrix_rate(model, q, v),
                   2 * row_sum(T.transpose()) * row_sum(M) * (row_sum(to_eigen(of.T_rate)) + row_sum(W) * row_sum(T))),
          compared("T_l T_d = T", T_l * T_d, T, row_sum(T_l) * row_sum(T_d)),
          compared("T_l^T M T_l = Mtil", T_l.transpose() * M * T_l, M_til, congruence(T_l, M)),
          compared("T_d^T Mtil T_d = I", T_d.transpose() * M_til * T_d, I, congruence(T_d, M_til)),
          compared("N_l N_d = N", N_l * N_d, N, row_sum(N_l) * row_sum(N_d)),
          compared("N v = t_o", N * rates, to_eigen(of.t_origin), row_sum(N) * fastest),
          compared("N^T M_o N = I", N.transpose() * M_o * N, I, congruence(N, M_o))};
}

std::vector<Identity> identities(const Matrix& inertia, const ReverseElimination& of) {
  const MatrixXd I = to_eigen(inertia), U = to_eigen(of.U), D = to_eigen(of.D);
  MatrixXd L = I, E = MatrixXd::Identity(I.rows(), I.cols());
  for (const Matrix& elementary : of.elementary) L = to_eigen(elementary) * L, E = to_eigen(elementary) * E;
  // Above the blocks of D nothing is left of E I = D U^T.
  return {
      compared("U D U^T = I", U * D * U.transpose(), I, row_sum(U) * row_sum(D) * row_sum(U.transpose())),
      compared("E_2 ... E_n U = 1", E * U, MatrixXd::Identity(I.rows(), I.cols()), row_sum(E) * row_sum(U)),
      compared("E_2 ... E_n I = D U^T, lower triangular", L, D * U.transpose(), row_sum(U) * row_sum(E) * row_sum(I))};
}

Identity inverse_identity(const Matrix& inertia, const Matrix& inverse) {
  const MatrixXd I = to_eigen(inertia), I_inv = to_eigen(inverse);
  return compared("I I^-1 = 1", I * I_inv, MatrixXd::Identity(I.rows(), I.cols()), row_sum(I) * row_sum(I_inv));
}
Identity agreement(std::string_view law, const Matrix& left, const Matrix& right, double terms) {
  return compared(law, to_eigen(left), to_eigen(right), terms);
}

std::vector<Identity> identities(const Model& model, std::span<const double> q, const PlanarMatrices& of) {
  const MatrixXd T = to_eigen(of.T), M = to_eigen(of.M);
  return {compared("T_p^T M_p T_p = I", T.transpose() * M * T, inertia_of(model, q),
                   row_sum(T.transpose()) * row_sum(M) * row_sum(T))};
}

}  // namespace denoc::study
