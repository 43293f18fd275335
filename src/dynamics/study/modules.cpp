#include "links.hpp"

namespace denoc::study {

std::vector<ModuleMatrices> grouped(const Model& model, const std::vector<StudyLink>& links, Grouping grouping) {
  const bool single = grouping == Grouping::links;
  std::vector<ModuleMatrices> modules(single ? links.size() : model.modules().size() - 1);
  std::vector<int> of_body(model.bodies().size());
  for (size_t k = 1; k < model.modules().size() && !single; ++k) {
    modules[k - 1].parent = model.modules()[k].parent - 1;
    for (const int body : model.modules()[k].bodies) of_body[body] = int(k) - 1;
  }
  for (size_t i = 0; i < links.size(); ++i) {
    ModuleMatrices& module = modules[single ? i : size_t(of_body[model.body_of_dof(links[i].dofs[0])])];
    if (single) module.parent = links[i].parent;
    module.links.push_back(int(i));
    module.dofs.insert(module.dofs.end(), links[i].dofs.begin(), links[i].dofs.end());
  }
  return modules;
}

namespace {

// N^i, A^{i,beta} and M^i.                                                                             [Shah13 (5)-(7)]
void assemble(const std::vector<StudyLink>& links, About about, const std::vector<ModuleMatrices>& all,
              ModuleMatrices& module) {
  const int size = 6 * int(module.links.size());
  const std::vector<int> none, &before = module.parent < 0 ? none : all[module.parent].links;
  MatrixXd N = MatrixXd::Zero(size, Eigen::Index(module.dofs.size())), M = MatrixXd::Zero(size, size),
           A = MatrixXd::Zero(size, 6 * Eigen::Index(before.size()));
  for (int k = 0; k < int(module.links.size()); ++k) {
    const StudyLink& link = links[module.links[k]];
    const Vector3d& point = reference(link, about);
    M.block<6, 6>(6 * k, 6 * k) = inertia_about(link, point);
    if (!before.empty())
      A.block<6, 6>(6 * k, A.cols() - 6) = propagation(point, reference(links[before.back()], about));
    Eigen::Index column = 0;
    for (int j = 0; j <= k; ++j) {
      const StudyLink& mover = links[module.links[j]];
      N.block(6 * k, column, 6, mover.p.cols()) = propagation(point, mover.o) * mover.p;
      column += mover.p.cols();
    }
  }
  module.N = to_matrix(N);
  module.A = to_matrix(A);
  module.M = module.M_tilde = module.M_hat = to_matrix(M);
}

}  // namespace

std::vector<int> Modular::sizes() const {
  std::vector<int> all;
  for (const ModuleMatrices& module : modules) all.push_back(int(module.dofs.size()));
  return all;
}

Modular modular(const Model& model, std::span<const double> q, Grouping grouping, About about) {
  const std::vector<double> rest(size_t(model.nv()), 0.0);
  const auto links = study_links(model, q, rest);
  Modular robot;
  auto& modules = robot.modules;
  modules = grouped(model, links, grouping);
  std::vector<Eigen::Index> row(modules.size() + 1), column(modules.size() + 1);  // where each begins
  for (size_t i = 0; i < modules.size(); ++i) {
    assemble(links, about, modules, modules[i]);
    robot.dofs.insert(robot.dofs.end(), modules[i].dofs.begin(), modules[i].dofs.end());
    row[i + 1] = row[i] + modules[i].N.rows;
    column[i + 1] = column[i] + modules[i].N.cols;
  }
  const auto n = Eigen::Index(robot.dofs.size());
  MatrixXd N_l = MatrixXd::Identity(row.back(), row.back()), N_d = MatrixXd::Zero(row.back(), n),
           U = MatrixXd::Identity(n, n), D = MatrixXd::Zero(n, n);
  // Tip to base: eliminate each module from the articulated inertia.                           [Shah13 (19)-(21)]
  for (size_t j = modules.size(); j-- > 0;) {
    ModuleMatrices& module = modules[j];
    const MatrixXd N = to_eigen(module.N), M_hat = to_eigen(module.M_hat), Psi_hat = M_hat * N,
                   I_hat = N.transpose() * Psi_hat, Psi = I_hat.ldlt().solve(Psi_hat.transpose()).transpose();
    module.Psi_hat = to_matrix(Psi_hat);
    module.I_hat = to_matrix(I_hat);
    module.Psi = to_matrix(Psi);
    const MatrixXd Phi = MatrixXd::Identity(N.rows(), N.rows()) - Psi * N.transpose();
    module.Phi = to_matrix(Phi);
    N_d.block(row[j], column[j], N.rows(), N.cols()) = N;
    D.block(column[j], column[j], N.cols(), N.cols()) = I_hat;
    if (module.parent >= 0) {
      const MatrixXd A = to_eigen(module.A);
      ModuleMatrices& parent = modules[module.parent];
      parent.M_tilde = to_matrix(to_eigen(parent.M_tilde) + A.transpose() * to_eigen(module.M_tilde) * A);
      parent.M_hat = to_matrix(to_eigen(parent.M_hat) + A.transpose() * Phi * M_hat * A);
    }
    // A^{j,i} to every module i on the way to the ground, and U_ij
    MatrixXd A = MatrixXd::Identity(N.rows(), N.rows());
    for (int k = int(j), i = module.parent; i >= 0; k = i, i = modules[i].parent) {
      A = MatrixXd(A * to_eigen(modules[k].A));  // of another size, perhaps
      const MatrixXd N_i = to_eigen(modules[i].N);
      N_l.block(row[j], row[i], A.rows(), A.cols()) = A;
      U.block(column[i], column[j], N_i.cols(), N.cols()) = N_i.transpose() * A.transpose() * Psi;
    }
  }
  robot.N_l = to_matrix(N_l);
  robot.N_d = to_matrix(N_d);
  robot.U = to_matrix(U);
  robot.D = to_matrix(D);
  return robot;
}

Matrix composite_inertia(const Modular& robot) {
  const auto& modules = robot.modules;
  std::vector<Eigen::Index> column = {0};
  for (const ModuleMatrices& module : modules) column.push_back(column.back() + module.N.cols);
  MatrixXd I = MatrixXd::Zero(column.back(), column.back());
  for (size_t j = 0; j < modules.size(); ++j) {
    const MatrixXd carried = to_eigen(modules[j].N).transpose() * to_eigen(modules[j].M_tilde);  // N^jT M~^j A^ji
    MatrixXd left = carried;
    for (int i = int(j); i >= 0; left = left * to_eigen(modules[i].A), i = modules[i].parent) {
      const MatrixXd block = left * to_eigen(modules[i].N);
      I.block(column[j], column[i], block.rows(), block.cols()) = block;
      I.block(column[i], column[j], block.cols(), block.rows()) = block.transpose();
      if (modules[i].parent < 0) break;
    }
  }
  return to_matrix(I);
}

std::vector<double> solve(const Modular& robot, std::span<const double> phi) {
  const size_t count = robot.modules.size();
  std::vector<VectorXd> phi_hat(count), eta(count), mu(count);
  std::vector<double> x(phi.size());
  for (size_t i = 0; i < count; ++i) eta[i] = VectorXd::Zero(robot.modules[i].N.rows);  // etatil
  // phihat = phi - N^T etatil,  eta = Psi phihat + etatil, tip to base
  for (size_t i = count; i-- > 0;) {
    const ModuleMatrices& module = robot.modules[i];
    phi_hat[i] = -to_eigen(module.N).transpose() * eta[i];
    for (size_t k = 0; k < module.dofs.size(); ++k) phi_hat[i](Eigen::Index(k)) += phi[size_t(module.dofs[k])];
    if (module.parent < 0) continue;
    eta[module.parent] += to_eigen(module.A).transpose() * (to_eigen(module.Psi) * phi_hat[i] + eta[i]);
  }
  // x = Ihat^-1 phihat - Psi^T mutil,  mu = N x + mutil, base to tip
  for (size_t i = 0; i < count; ++i) {
    const ModuleMatrices& module = robot.modules[i];
    const VectorXd mu_til =
        module.parent < 0 ? VectorXd::Zero(module.N.rows).eval() : (to_eigen(module.A) * mu[module.parent]).eval();
    const VectorXd own = to_eigen(module.I_hat).ldlt().solve(phi_hat[i]) - to_eigen(module.Psi).transpose() * mu_til;
    mu[i] = to_eigen(module.N) * own + mu_til;
    for (size_t k = 0; k < module.dofs.size(); ++k) x[size_t(module.dofs[k])] = own(Eigen::Index(k));
  }
  return x;
}

}  // namespace denoc::study
