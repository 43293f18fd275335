#include "studies/exhibits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "denoc/dynamics/inertia/composite.hpp"
#include "denoc/dynamics/inertia/inverse.hpp"
#include "denoc/dynamics/inverse/denoc.hpp"
#include "denoc/error.hpp"
#include "output/dofs.hpp"
#include "output/table.hpp"

namespace denoc::app {
namespace {

// What the robot's own parts are called.
struct DofNames {
  explicit DofNames(const Model& model) : dofs(dofs_of(model)), in_order(dofs.size()) {
    std::iota(in_order.begin(), in_order.end(), 0);
    for (int i = 1; i <= model.link_count(); ++i) {
      const auto& link = model.links()[static_cast<std::size_t>(i)];
      const Dof& first = dofs[static_cast<std::size_t>(link.dof)];
      links.push_back(link.columns == 1 ? first.name() : first.joint);
    }
  }
  Blocks by_links(int entries) const {
    Blocks all;
    for (const std::string& name : links) all.push_back({name, entries});
    return all;
  }
  Blocks by_links(const std::vector<int>& some) const {
    Blocks all;
    for (const int i : some) all.push_back({links[static_cast<std::size_t>(i)], 6});
    return all;
  }
  Blocks by_dofs() const { return by_dofs(in_order); }
  Blocks by_dofs(const std::vector<int>& some) const {
    Blocks all;
    for (const int k : some) all.push_back({dofs[static_cast<std::size_t>(k)].name(), 1});
    return all;
  }

  std::vector<Dof> dofs;
  std::vector<int> in_order;  // all degrees of freedom
  std::vector<std::string> links = {};
};
const Blocks single = {{"", 1}};

void add(std::vector<Law>& laws, const std::vector<study::Identity>& identities, std::string_view of = "") {
  for (const auto& [law, residual, rounding] : identities)
    laws.push_back({fmt::format("{}{}", law, of), residual, rounding});
}

void add_complements(Exhibition& e, const Model& model, const DofNames& names, std::span<const double> q,
                     std::span<const double> v) {
  const study::Matrices matrices = study::matrices(model, q, v);
  const Blocks by_links = names.by_links(6), by_dofs = names.by_dofs();
  for (const study::Name& name : study::names()) {
    const study::Matrix& value = matrices.*name.value;
    using enum study::Name::Entries;
    const auto blocks = [&](study::Name::Entries of) -> const Blocks& {
      return of == dofs ? by_dofs : of == links ? by_links : single;
    };
    e.exhibits.push_back(
        {std::string(name.symbol), std::string(name.meaning), value, blocks(name.rows), blocks(name.columns)});
  }
  add(e.laws, study::identities(model, q, v, matrices));
}

// I at q, its degrees of freedom in the given order. Throws SingularInertia.
study::Matrix regular_inertia(const Model& model, std::span<const double> q, const std::vector<int>& order) {
  const auto n = static_cast<std::size_t>(model.nv());
  Configuration<double> at(model);
  CompositeScratch<double> composite(model);
  Factor<double> factor(model);
  std::vector<double> inertia(n * n);
  place<double>(model, q, at);
  factorize<double>(model, at, factor);
  inertia_matrix<double>(model, at, composite, inertia);
  study::Matrix I{model.nv(), model.nv(), {}};
  for (const int i : order)
    for (const int k : order)
      I.entries.push_back(inertia[static_cast<std::size_t>(i) * n + static_cast<std::size_t>(k)]);
  return I;
}

// I = U D U^T by elimination of one block after the other, and U and D by the recursion, which never forms I. `mark`
// tells the symbols of blocks from those of single joints.
struct Factors {
  study::Matrix U, D;
};
void add_elimination(Exhibition& e, const study::Matrix& I, const Blocks& dofs, const std::vector<int>& sizes,
                     const Factors& by_recursion, std::string_view mark, std::string_view steps) {
  const study::ReverseElimination found = study::reverse_elimination(I, sizes);
  const auto show = [&](std::string_view symbol, const std::string& meaning, const study::Matrix& value) {
    e.exhibits.push_back({fmt::format("{}{}", symbol, mark), meaning, value, dofs, dofs});
  };
  show("I", "the inertia matrix", I);
  for (std::size_t i = 0; i < found.elementary.size(); ++i) {
    const std::size_t k = sizes.size() - i;
    show(fmt::format("E_{}", k), fmt::format("the elementary matrix that clears what is above {} {} in I", steps, k),
         found.elementary[i]);
  }
  show("U", "(E_2 ... E_n)^-1, by elimination of the dense I = U D U^T", found.U);
  show("D", "what elimination leaves on the diagonal", found.D);
  show("U_r", "U by the recursion, I not formed", by_recursion.U);
  show("D_r", "D by the recursion", by_recursion.D);
  const std::string of = fmt::format(", {} by {}", steps, steps);
  add(e.laws, study::identities(I, found), of);
  const auto [law, residual, rounding] = study::identities(I, {{}, by_recursion.U, by_recursion.D}).front();
  e.laws.push_back({fmt::format("U_r D_r U_r^T = I{}", of), residual, rounding});
}

Factors joint_by_joint(const Model& model, std::span<const double> q) {
  const auto n = static_cast<std::size_t>(model.nv());
  Configuration<double> at(model);
  Factor<double> factor(model);
  DenseScratch<double> dense(model);
  Factors f{{model.nv(), model.nv(), std::vector<double>(n * n)}, {model.nv(), model.nv(), std::vector<double>(n * n)}};
  std::vector<double> d(n);
  place<double>(model, q, at);
  factorize<double>(model, at, factor);
  unit_upper<double>(model, at, factor, dense, f.U.entries);
  pivots<double>(factor, d);
  for (std::size_t k = 0; k < n; ++k) f.D.entries[k * n + k] = d[k];
  return f;
}

// From the factor, I not formed: column k is what a unit force in degree of freedom k does.
study::Matrix inverse_of_inertia(const Model& model, std::span<const double> q) {
  Configuration<double> at(model);
  Factor<double> factor(model);
  InertiaInverseScratch<double> scratch(model);
  study::Matrix inverse{
      model.nv(), model.nv(),
      std::vector<double>(static_cast<std::size_t>(model.nv()) * static_cast<std::size_t>(model.nv()))};
  place<double>(model, q, at);
  factorize<double>(model, at, factor);
  inertia_inverse<double>(model, at, factor, scratch, inverse.entries);
  return inverse;
}

void add_joints(Exhibition& e, const Model& model, const DofNames& names, std::span<const double> q) {
  const study::Matrix I = regular_inertia(model, q, names.in_order), inverse = inverse_of_inertia(model, q);
  add_elimination(e, I, names.by_dofs(), std::vector<int>(names.in_order.size(), 1), joint_by_joint(model, q), "",
                  "joint");
  e.exhibits.push_back({"I^-1", "its inverse, from the factor", inverse, names.by_dofs(), names.by_dofs()});
  add(e.laws, {study::inverse_identity(I, inverse)});
}

// The elimination joint by joint with the mass centres as points of reference.                 [Saha97 (24)-(27)]
void add_mass_centres(Exhibition& e, const Model& model, const DofNames& names, std::span<const double> q) {
  const study::Modular robot = study::modular(model, q, study::Grouping::links, study::About::mass_centres);
  const study::Matrix I = regular_inertia(model, q, robot.dofs);
  for (std::size_t i = 0; i < robot.modules.size(); ++i) {
    const study::ModuleMatrices& m = robot.modules[i];
    const Blocks rows = names.by_links(m.links), cols = names.by_dofs(m.dofs);
    const auto show = [&](std::string_view symbol, std::string_view meaning, const study::Matrix& value,
                          const Blocks& of_rows, const Blocks& of_cols) {
      e.exhibits.push_back({fmt::format("{}_c{}", symbol, i + 1), std::string(meaning), value, of_rows, of_cols});
    };
    show("p", "how the link moves by its own joint, about its mass centre", m.N, rows, cols);
    if (m.parent >= 0)
      show("B", "how it moves with the link before", m.A, rows,
           names.by_links(robot.modules[static_cast<std::size_t>(m.parent)].links));
    show("Mtil", "the composite body from here on, about this mass centre", m.M_tilde, rows, rows);
    show("Mhat", "the articulated body from here on", m.M_hat, rows, rows);
    show("psihat", "Mhat p", m.Psi_hat, rows, cols);
    show("psi", "psihat / d", m.Psi, rows, cols);
    show("d", "p^T psihat: the joint's entry of D", m.I_hat, cols, cols);
  }
  const Blocks dofs = names.by_dofs(robot.dofs);
  e.exhibits.push_back({"U_c", "U by the recursion about mass centres", robot.U, dofs, dofs});
  e.exhibits.push_back({"D_c", "D by the recursion about mass centres", robot.D, dofs, dofs});
  const auto [law, residual, rounding] = study::identities(I, {{}, robot.U, robot.D}).front();
  e.laws.push_back({"U_c D_c U_c^T = I, about mass centres", residual, rounding});
}

double largest_of(const study::Matrix& m) { return largest(m.entries); }
// How large the products are that meet in N^T Mtil A N.
double composite_terms(const study::Modular& robot) {
  double most = 0;
  for (const study::ModuleMatrices& m : robot.modules) {
    const double N = largest_of(robot.N_d), A = largest_of(robot.N_l);
    most = std::max(most, 36 * N * largest_of(m.M_tilde) * A * N);
  }
  return most;
}

// Twists and, at a = 0, the wrenches that arrive at each module; tau must be that of the links.
void add_module_motion(Exhibition& e, const Model& model, const DofNames& names, const study::Modular& robot,
                       std::span<const double> q, std::span<const double> v) {
  const std::vector<double> none(v.size());
  const auto by_modules = study::modular_inverse(model, q, v, none, study::Grouping::modules);
  study::Matrix tau{model.nv(), 1, none}, twists{6 * model.link_count(), 1, {}}, of_links = tau;
  twists.entries.resize(static_cast<std::size_t>(twists.rows));
  double terms = 0;
  for (std::size_t i = 0; i < by_modules.size(); ++i) {
    const study::ModuleMatrices& m = robot.modules[i];
    const auto& [t, t_rate, w, w_tilde, tau_i] = by_modules[i];
    const Blocks rows = names.by_links(m.links);
    e.exhibits.push_back({fmt::format("t^{}", i + 1), "the module's twists: A t of its parent + N v", t, rows, single});
    e.exhibits.push_back({fmt::format("w^{}", i + 1), "its wrenches at a = 0: M t' + Omega M E t", w, rows, single});
    e.exhibits.push_back({fmt::format("wtil^{}", i + 1), "with those of the modules beyond", w_tilde, rows, single});
    for (std::size_t k = 0; k < m.dofs.size(); ++k) tau.entries[static_cast<std::size_t>(m.dofs[k])] = tau_i.entries[k];
    for (std::size_t k = 0; k < m.links.size(); ++k)
      std::copy_n(t.entries.begin() + static_cast<std::ptrdiff_t>(6 * k), 6,
                  twists.entries.begin() + 6 * static_cast<std::ptrdiff_t>(m.links[k]));
    terms = std::max(terms, 6 * largest_of(m.N) * largest_of(w_tilde));
  }
  for (const study::ModuleMotion& link : study::modular_inverse(model, q, v, none, study::Grouping::links))
    terms = std::max(terms, largest_of(link.w_tilde));
  Configuration<double> at(model);
  InverseScratch<double> scratch(model);
  place<double>(model, q, at);
  bias_forces<double>(model, at, v, scratch, of_links.entries);
  const study::Matrix t_o = study::matrices(model, q, v).t_origin;
  add(e.laws, {study::agreement("t^i = A t^beta + N v: the links' twists", twists, t_o, 6 * largest_of(t_o)),
               study::agreement("N^T wtil = tau of the links at a = 0", tau, of_links, terms),
               study::agreement("N^T Mtil A N = I, by blocks", study::composite_inertia(robot),
                                regular_inertia(model, q, robot.dofs), composite_terms(robot))});
}

void add_modules(Exhibition& e, const Model& model, const DofNames& names, std::span<const double> q,
                 std::span<const double> v) {
  const study::Modular robot = study::modular(model, q, study::Grouping::modules);
  const study::Matrix I = regular_inertia(model, q, robot.dofs);
  for (std::size_t i = 0; i < robot.modules.size(); ++i) {
    const study::ModuleMatrices& m = robot.modules[i];
    const std::size_t number = i + 1;
    const Blocks rows = names.by_links(m.links), cols = names.by_dofs(m.dofs);
    const auto show = [&](std::string_view symbol, std::string_view meaning, const study::Matrix& value,
                          const Blocks& of_cols) {
      e.exhibits.push_back({fmt::format("{}^{}", symbol, number), std::string(meaning), value, rows, of_cols});
    };
    show("N", "how the module's links move by its own joints", m.N, cols);
    if (m.parent >= 0) {
      const study::ModuleMatrices& parent = robot.modules[static_cast<std::size_t>(m.parent)];
      e.exhibits.push_back({fmt::format("A^{}", number), fmt::format("how they move with module {}", m.parent + 1), m.A,
                            rows, names.by_links(parent.links)});
    }
    show("M", "inertias about the links' origins", m.M, rows);
    show("Mtil", "the same with the modules beyond, their joints locked", m.M_tilde, rows);
    show("Mhat", "the same with the modules beyond, their joints free", m.M_hat, rows);
    show("Psihat", "Mhat N", m.Psi_hat, cols);
    show("Psi", "Psihat Ihat^-1", m.Psi, cols);
    show("Phi", "1 - Psi N^T: what its joints let through", m.Phi, rows);
    e.exhibits.push_back({fmt::format("Ihat^{}", number), "N^T Psihat: the module's block of D", m.I_hat, cols, cols});
  }
  add_elimination(e, I, names.by_dofs(robot.dofs), robot.sizes(), {robot.U, robot.D}, "_b", "module");
  add_module_motion(e, model, names, robot, q, v);
}

void add_planar(Exhibition& e, const Model& model, const DofNames& names, std::span<const double> q,
                std::span<const double> v) {
  const study::PlanarMatrices found = study::planar_matrices(model, q, v);
  const Blocks links = names.by_links(3), dofs = names.by_dofs();
  e.exhibits = {{"T_p", "complement of twists [w; c'] in the plane: t = T v", found.T, links, dofs},
                {"T'_p", "its rate", found.T_rate, links, dofs},
                {"M_p", "diag(I, m, m) of every link", found.M, links, links},
                {"I_p", "T^T M T", found.I, dofs, dofs},
                {"C_p", "T^T M T': in the plane W M t = 0", found.C, dofs, dofs},
                {"gamma_p", "what gravity does in the joints: T^T w^G", found.gamma, dofs, single}};
  add(e.laws, study::identities(model, q, found));
}

}  // namespace

std::string Block::component(int entry) const {
  static constexpr const char *spatial[] = {"wx", "wy", "wz", "vx", "vy", "vz"}, *planar[] = {"w", "vx", "vy"};
  return size == 6 ? spatial[entry] : size == 3 ? planar[entry] : "";
}

Exhibition exhibition(std::string_view group, const Model& model, std::span<const double> q,
                      std::span<const double> v) {
  Exhibition e{group};
  const DofNames names(model);
  try {
    if (group == "complements") add_complements(e, model, names, q, v);
    if (group == "elimination") add_joints(e, model, names, q);
    if (group == "mass-centres") add_mass_centres(e, model, names, q);
    if (group == "modules") add_modules(e, model, names, q, v);
    if (group == "planar") add_planar(e, model, names, q, v);
  } catch (const SingularInertia& error) {
    e = {.group = group, .not_covered = error.what()};
  } catch (const ArgumentError& leaves_the_plane) {
    e = {.group = group, .not_covered = leaves_the_plane.what()};
  }
  return e;
}

}  // namespace denoc::app
