// I = U D U^T without forming I: the joints are eliminated from the tips to the base.     [Saha97 (24)-(27), corrected]
//   psihat = Mhat p,  d = p^T psihat,  psi = psihat/d,  Mhat_parent += A^T (Mhat - psihat psi^T) A
// Mhat is Featherstone's articulated-body inertia; U is unit upper triangular in the order of v, D = diag(d).
#pragma once
#include "denoc/dynamics/inverse/denoc.hpp"
#include "denoc/dynamics/singular_inertia.hpp"

namespace denoc {

/// The memory of solving with the factor.
template <Scalar T> struct SolveScratch {
  std::vector<T> phi_hat;
  std::vector<Wrench<T>> eta;  // where the tree branches
  std::vector<Twist<T>> mu;
  explicit SolveScratch(const ModelOf<T>& model)
      : phi_hat(model.nv()), eta(model.links().size(), zero_wrench<T>), mu(model.links().size()) {}
};

/// The factor at one q: what the eliminated joints leave behind.
template <Scalar T> struct Factor {
  std::vector<Wrench<T>> psi;  // by degree of freedom; the entry along a typed column (which is one) is not stored
  std::vector<T> d_inv;
  std::vector<ArticulatedInertia<T>> subtrees;
  SolveScratch<T> check;  // how far the pivots are to be trusted
  std::vector<T> lifted;  // ... by how much their rounding may be lifted
  explicit Factor(const ModelOf<T>& model)
      : psi(model.nv()),
        d_inv(model.nv()),
        subtrees(model.links().size(), zero_articulated<T>),
        check(model),
        lifted(model.nv()) {}
};

/// Mhat, psi and d of every joint, tip to base.
template <Scalar T, class Isa = AnyIsa>
void eliminate_joints(const ModelOf<T>& model, const Configuration<T>& at, Factor<T>& f) {
  model.eliminated().inward(
      at, Zero{}, zero_articulated<T>, f.subtrees, [&](auto link, const auto& children) DENOC_INLINED {
        return link.columns().inward(blocks(children + link.inertia()), [&](auto p, const auto& m_hat) DENOC_INLINED {
          auto [psi, d_inv, m_bar] = eliminate(p, m_hat);
          f.psi[link.dof(p)] = full<T>(psi);
          f.d_inv[link.dof(p)] = d_inv;
          return m_bar;
        });
      });
}
/// phihat = U^-1 phi:  phihat = phi - p^T etatil,  eta = psi phihat + etatil, tip to base           [Mohan07 (34)-(35)]
template <Scalar T, class Isa = AnyIsa>
void solve_upper(const ModelOf<T>& model, const Configuration<T>& at, const Factor<T>& f, In<T> phi, SolveScratch<T>& s,
                 Out<T> phi_hat) {
  model.eliminated().inward(at, detail::no_wrench, zero_wrench<T>, s.eta,
                            [&](auto link, const auto& children) DENOC_INLINED {
                              return link.columns().inward(children, [&](auto p, const auto& eta) DENOC_INLINED {
                                const int k = link.dof(p);
                                const T load = phi[k], left = load - dot(p, eta);
                                phi_hat[k] = left;
                                return loaded(p, eta, f.psi[k], left, load);
                              });
                            });
}
/// Throws SingularInertia if a pivot of the factor is not positive beyond rounding.
template <Scalar T> void require_regular(const ModelOf<T>& model, const Configuration<T>& at, Factor<T>& f) {
  require_regular<T>(model, f.d_inv, f.check.phi_hat, f.lifted,
                     [&](Out<T> x) { solve_upper<T>(model, at, f, x, f.check, x); });
}
/// Factorises the inertia matrix at the q of `at`. Throws SingularInertia.
template <Scalar T> void factorize(const ModelOf<T>& model, const Configuration<T>& at, Factor<T>& f) {
  eliminate_joints<T>(model, at, f);
  require_regular<T>(model, at, f);
}
/// phi = U phihat: the same recursion read the other way.
template <Scalar T>
void multiply_upper(const ModelOf<T>& model, const Configuration<T>& at, const Factor<T>& f, In<T> phi_hat,
                    SolveScratch<T>& s, Out<T> phi) {
  model.eliminated().inward(at, detail::no_wrench, zero_wrench<T>, s.eta,
                            [&](auto link, const auto& children) DENOC_INLINED {
                              return link.columns().inward(children, [&](auto p, const auto& eta) DENOC_INLINED {
                                const int k = link.dof(p);
                                const T left = phi_hat[k], load = left + dot(p, eta);
                                phi[k] = load;
                                return loaded(p, eta, f.psi[k], left, load);
                              });
                            });
}
/// x = U^-T D^-1 phihat:  x = phihat/d - psi^T mutil,  mu = p x + mutil, base to tip                [Mohan07 (36)-(37)]
template <Scalar T, class Isa = AnyIsa>
void solve_lower(const ModelOf<T>& model, const Configuration<T>& at, const Factor<T>& f, In<T> phi_hat,
                 SolveScratch<T>& s, Out<T> x) {
  model.eliminated().outward(at, detail::at_rest, s.mu, [&](auto link, const auto& carried) DENOC_INLINED {
    return full<T>(link.columns().outward(carried, [&](auto p, const auto& mu) DENOC_INLINED {
      const int k = link.dof(p);
      const T a = phi_hat[k] * f.d_inv[k] - dot_psi(p, f.psi[k], mu);
      x[k] = a;
      return mu + p * a;
    }));
  });
}
/// phihat = D U^T x
template <Scalar T>
void multiply_lower(const ModelOf<T>& model, const Configuration<T>& at, const Factor<T>& f, In<T> x,
                    SolveScratch<T>& s, Out<T> phi_hat) {
  model.eliminated().outward(at, detail::at_rest, s.mu, [&](auto link, const auto& carried) DENOC_INLINED {
    return full<T>(link.columns().outward(carried, [&](auto p, const auto& mu) DENOC_INLINED {
      const int k = link.dof(p);
      const T a = x[k];
      phi_hat[k] = (a + dot_psi(p, f.psi[k], mu)) / f.d_inv[k];
      return mu + p * a;
    }));
  });
}

/// x = I^-1 phi, for one or several right-hand sides one after the other. phi and x may be the same.
template <Scalar T>
void solve(const ModelOf<T>& model, const Configuration<T>& at, const Factor<T>& f, In<T> phi, SolveScratch<T>& s,
           Out<T> x) {
  const size_t n = size_t(model.nv()), several = n == 0 ? 0 : phi.size() / n;
  require_size(phi, int(several * n), "phi");
  require_size(x, int(phi.size()), "x");
  for (size_t b = 0; b < several; ++b) {
    solve_upper<T>(model, at, f, phi.subspan(b * n, n), s, s.phi_hat);
    solve_lower<T>(model, at, f, s.phi_hat, s, x.subspan(b * n, n));
  }
}
/// y = I x, O(n) from the factor. x and y may be the same.
template <Scalar T>
void multiply(const ModelOf<T>& model, const Configuration<T>& at, const Factor<T>& f, In<T> x, SolveScratch<T>& s,
              Out<T> y) {
  require_size(x, model.nv(), "x");
  require_size(y, model.nv(), "y");
  multiply_lower<T>(model, at, f, x, s, s.phi_hat);
  multiply_upper<T>(model, at, f, s.phi_hat, s, y);
}

namespace detail {
// A dense matrix (by rows) column by column: apply(e_k, column).
template <Scalar T, class Apply>
void by_columns(int n, Out<T> matrix, std::vector<T>& unit, std::vector<T>& column, Apply&& apply) {
  require_size(matrix, n * n, "matrix");
  for (int k = 0; k < n; ++k) {
    unit[k] = T(1);
    apply(unit, column);
    unit[k] = T(0);
    for (int i = 0; i < n; ++i) matrix[i * n + k] = column[i];
  }
}
}  // namespace detail

/// The memory of writing U out.
template <Scalar T> struct DenseScratch {
  SolveScratch<T> solve;
  std::vector<T> unit, column;
  explicit DenseScratch(const ModelOf<T>& model) : solve(model), unit(model.nv(), T(0)), column(model.nv()) {}
};
/// U and U^-1 as dense n x n matrices by rows.
template <Scalar T>
void unit_upper(const ModelOf<T>& model, const Configuration<T>& at, const Factor<T>& f, DenseScratch<T>& s, Out<T> u) {
  detail::by_columns<T>(model.nv(), u, s.unit, s.column,
                        [&](auto& e, auto& column) { multiply_upper<T>(model, at, f, e, s.solve, column); });
}
/// U^-1 written out.
template <Scalar T>
void unit_upper_inverse(const ModelOf<T>& model, const Configuration<T>& at, const Factor<T>& f, DenseScratch<T>& s,
                        Out<T> u_inverse) {
  detail::by_columns<T>(model.nv(), u_inverse, s.unit, s.column,
                        [&](auto& e, auto& column) { solve_upper<T>(model, at, f, e, s.solve, column); });
}
/// The diagonal of D.
template <Scalar T> void pivots(const Factor<T>& f, Out<T> d) {
  require_size(d, int(f.d_inv.size()), "d");
  for (size_t k = 0; k < f.d_inv.size(); ++k) d[k] = T(1) / f.d_inv[k];
}
/// det I = prod d. It overflows for large robots: the pivots themselves do not.
template <Scalar T> T determinant(const Factor<T>& f) {
  T inverse(1);
  for (const T& d_inv : f.d_inv) inverse = inverse * d_inv;
  return T(1) / inverse;
}

/// I = U D U^T multiplied out, column by column.
template <Scalar T> struct UdutInertia {
  static constexpr Method method{"udut", "n^2"};
  Factor<T> factor;
  DenseScratch<T> dense;
  explicit UdutInertia(const ModelOf<T>& model) : factor(model), dense(model) {}
  void run(const ModelOf<T>& model, const Configuration<T>& at, Out<T> inertia) {
    factorize<T>(model, at, factor);
    detail::by_columns<T>(model.nv(), inertia, dense.unit, dense.column,
                          [&](auto& e, auto& column) { multiply<T>(model, at, factor, e, dense.solve, column); });
  }
};

#define DENOC_UDUT(TEMPLATE, T)                                                                                       \
  TEMPLATE void eliminate_joints<T>(const ModelOf<T>&, const Configuration<T>&, Factor<T>&);                          \
  TEMPLATE void solve_upper<T>(const ModelOf<T>&, const Configuration<T>&, const Factor<T>&, In<T>, SolveScratch<T>&, \
                               Out<T>);                                                                               \
  TEMPLATE void solve_lower<T>(const ModelOf<T>&, const Configuration<T>&, const Factor<T>&, In<T>, SolveScratch<T>&, \
                               Out<T>);
DENOC_COMPILED(DENOC_UDUT)
#define DENOC_UDUT_PRODUCTS(KEYWORD, T)                                                                        \
  KEYWORD template void multiply_upper<T>(const ModelOf<T>&, const Configuration<T>&, const Factor<T>&, In<T>, \
                                          SolveScratch<T>&, Out<T>);                                           \
  KEYWORD template void multiply_lower<T>(const ModelOf<T>&, const Configuration<T>&, const Factor<T>&, In<T>, \
                                          SolveScratch<T>&, Out<T>);
#define DENOC_EXTERN(T) DENOC_UDUT_PRODUCTS(extern, T)
DENOC_FOR_SCALARS(DENOC_EXTERN)
#undef DENOC_EXTERN

}  // namespace denoc
