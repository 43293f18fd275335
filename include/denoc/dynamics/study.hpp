// The matrices of the papers, written out: for study, teaching and checking, not for speed. World axes; a block of six
// rows (or columns) per link, base to tip, and a column per degree of freedom in the order of v.
#pragma once
#include <string_view>

#include "denoc/model/arguments.hpp"

namespace denoc::study {

/// A dense matrix.
struct Matrix {
  int rows = 0, cols = 0;
  std::vector<double> entries;  // by rows
  double operator()(int i, int k) const { return entries[size_t(i) * size_t(cols) + size_t(k)]; }
};

/// The matrices at one state. names() says what each of them is.
struct Matrices {
  // Twists [w; c'] of the mass centres.                                                             [Angeles7 7.5]
  Matrix K, T, T_rate, M, W, t, C;
  // The complement decoupled about the mass centres; blocks of T_l are B_ij.                        [Saha97 (3)-(7)]
  Matrix T_l, T_d, M_tilde;
  // Twists [w; o'] of the links' origins.                                        [Mohan07 (6), Shah13 (1), (9)]
  Matrix N, N_rate, N_l, N_d, M_origin, Omega, E, t_origin;
};
/// What each of them is, the law it obeys, and what its rows and columns are of.
struct Name {
  enum class Entries { links, dofs, one };
  std::string_view symbol, meaning;
  Entries rows, columns;
  Matrix Matrices::*value;
};
/// All of them, in the order in which they are shown.
std::span<const Name> names();
/// Them at q, v. Throws ArgumentError when a size is wrong.
Matrices matrices(const Model& model, std::span<const double> q, std::span<const double> v);

/// A law that such matrices obey: the largest entry of left - right, and what rounding explains of it.
struct Identity {
  std::string_view law;
  double residual, rounding;
};
/// I is that of the composite bodies, M' comes from the attitudes differentiated along the motion.
std::vector<Identity> identities(const Model& model, std::span<const double> q, std::span<const double> v,
                                 const Matrices& of);

/// I = U D U^T by reverse Gaussian elimination, dense: E_2 ... E_n I is lower triangular, U = (E_2 ... E_n)^-1. `sizes`
/// are those of the diagonal blocks, all one for [Saha97 appendix], those of the modules for [Shah13 (18)]. Throws
/// ArgumentError if they do not add up.
struct ReverseElimination {
  std::vector<Matrix> elementary;  // E_n, ..., E_2
  Matrix U, D;
};
/// The factors of a dense inertia matrix.
ReverseElimination reverse_elimination(const Matrix& inertia, std::span<const int> sizes);
/// I = U D U^T, and what the elementary matrices leave of I.
std::vector<Identity> identities(const Matrix& inertia, const ReverseElimination& of);

/// The same factors from the recursion over modules, without forming I.       [Saha97 (24)-(27), Shah13 (16)-(21)]
///   Mhat^i = M^i + sum A^T (Mhat - Psihat Psi^T) A,  Psihat = Mhat N,  Ihat = N^T Psihat,  Psi = Psihat Ihat^-1
///   U_ij = N^iT A^jiT Psi^j,  D_i = Ihat^i
/// A module is a serial branch of the tree (model.modules()), or every link is one.
enum class Grouping { links, modules };
/// The points of the links that twists, wrenches and inertias are about: as in Shah13, or as in Saha97.
enum class About { origins, mass_centres };
/// What the recursion knows of one module.
struct ModuleMatrices {
  int parent = -1;         // module, -1 on the ground
  std::vector<int> links;  // base to tip
  std::vector<int> dofs;
  Matrix N, A, M;  // N^i; A^{i,beta} to the parent module (no columns on the ground); M^i
  Matrix M_tilde;  // of the composite module: M^i + sum A^T M~ A                                     [Shah13 (17)]
  Matrix M_hat, Psi_hat, Psi, I_hat;
  Matrix Phi;  // 1 - Psi N^T: what the module's joints let through, Mbar = Phi Mhat               [Shah13 (21)]
};
/// All modules, and the factors they make up.
struct Modular {
  std::vector<ModuleMatrices> modules;
  std::vector<int> dofs;  // which degree of freedom stands in each row of what follows
  Matrix N_l, N_d, U, D;  // by modules
  std::vector<int> sizes() const;
};
/// The recursion at q. Throws ArgumentError when a size is wrong.
Modular modular(const Model& model, std::span<const double> q, Grouping grouping, About about = About::origins);
/// I of its blocks N^jT M~^j A^ji N^i, degrees of freedom as in `dofs`.                                 [Shah13 (16)]
Matrix composite_inertia(const Modular& robot);
/// x = I^-1 phi by the recursion of [Shah13 (23) and Table 3, corrected]; phi and x in the order of v.
std::vector<double> solve(const Modular& robot, std::span<const double> phi);

/// Inverse dynamics from module to module, about origins in world axes; gravity accelerates the base.  [Shah13 Table 1]
///   t^i = A t^beta + N q',  t'^i = A t'^beta + A' t^beta + N' q' + N q'',  w^i = M t' + Omega M E t
///   w~^i = w^i + sum A^T w~,  tau^i = N^T w~^i
struct ModuleMotion {
  Matrix t, t_rate, w, w_tilde, tau;  // one column each
};
/// Of every module of modular(model, q, grouping). Throws ArgumentError when a size is wrong.
std::vector<ModuleMotion> modular_inverse(const Model& model, std::span<const double> q, std::span<const double> v,
                                          std::span<const double> a, Grouping grouping);

/// I I^-1 = 1.
Identity inverse_identity(const Matrix& inertia, const Matrix& inverse);
/// Two ways to the same matrix, whose entries are sums of terms as large as `terms`.
Identity agreement(std::string_view law, const Matrix& left, const Matrix& right, double terms);

/// A robot that moves in a plane: twists [w; c'] of three entries.                         [Angeles7 (7.107)-(7.111)]
struct PlanarMatrices {
  Matrix T, T_rate, M, I, C;  // I = T^T M T, C = T^T M T'
  Matrix gamma;               // what gravity does in the joints: T^T w^G
};
/// Throws ArgumentError with the name of the first joint that leaves the plane of those before it.
PlanarMatrices planar_matrices(const Model& model, std::span<const double> q, std::span<const double> v);
/// The laws of planar motion: I is that of the composite bodies.
std::vector<Identity> identities(const Model& model, std::span<const double> q, const PlanarMatrices& of);

}  // namespace denoc::study
