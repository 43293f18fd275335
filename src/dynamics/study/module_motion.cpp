#include "links.hpp"

namespace denoc::study {

namespace {

// What of a module changes with time: A' and N', for what v does to twist rates.
struct ModuleRates {
  MatrixXd A, N, Omega;
  ModuleRates(const std::vector<StudyLink>& links, const std::vector<ModuleMatrices>& all, const ModuleMatrices& module)
      : A(MatrixXd::Zero(module.A.rows, module.A.cols)),
        N(MatrixXd::Zero(module.N.rows, module.N.cols)),
        Omega(MatrixXd::Zero(module.N.rows, module.N.rows)) {
    for (int k = 0; k < int(module.links.size()); ++k) {
      const StudyLink& link = links[module.links[k]];
      Omega.block<3, 3>(6 * k, 6 * k) = Omega.block<3, 3>(6 * k + 3, 6 * k + 3) = tilde(link.w);
      if (module.parent >= 0) {  // a_ij runs from the link's origin to that of the parent's last link
        const StudyLink& before = links[all[module.parent].links.back()];
        A.block<3, 3>(6 * k + 3, A.cols() - 6) = tilde(before.v_o - link.v_o);
      }
      Eigen::Index column = 0;
      for (int j = 0; j <= k; ++j) {
        const StudyLink& mover = links[module.links[j]];
        for (int c = 0; c < int(mover.dofs.size()); ++c)
          N.col(column++).middleRows<6>(6 * k) = rate_of_column(mover, c, link.o, link.v_o);
      }
    }
  }
};

VectorXd part(std::span<const double> x, const std::vector<int>& dofs) {
  VectorXd some{Eigen::Index(dofs.size())};
  for (size_t k = 0; k < dofs.size(); ++k) some(Eigen::Index(k)) = x[size_t(dofs[k])];
  return some;
}

}  // namespace

std::vector<ModuleMotion> modular_inverse(const Model& model, std::span<const double> q, std::span<const double> v,
                                          std::span<const double> a, Grouping grouping) {
  require_size(v, model.nv(), "v");
  require_size(a, model.nv(), "a");
  const auto links = study_links(model, q, v);
  const Modular robot = modular(model, q, grouping);
  const auto& modules = robot.modules;
  std::vector<VectorXd> t(modules.size()), t_rate(modules.size()), w(modules.size()), w_tilde(modules.size());
  const Vec3<double>& g = model.robot().gravity;
  for (size_t i = 0; i < modules.size(); ++i) {  // base to tip
    const ModuleMatrices& module = modules[i];
    const ModuleRates rates(links, modules, module);
    const MatrixXd N = to_eigen(module.N), M = to_eigen(module.M);
    t[i] = N * part(v, module.dofs);
    t_rate[i] = rates.N * part(v, module.dofs) + N * part(a, module.dofs);
    if (module.parent >= 0) {
      const MatrixXd A = to_eigen(module.A);
      t[i] += A * t[module.parent];
      t_rate[i] += A * t_rate[module.parent] + rates.A * t[module.parent];
    } else {
      for (Eigen::Index k = 0; k < t_rate[i].size(); k += 6) t_rate[i].segment<3>(k + 3) -= Vector3d(g.x, g.y, g.z);
    }
    VectorXd turning = t[i];  // E t
    for (Eigen::Index k = 0; k < turning.size(); k += 6) turning.segment<3>(k + 3).setZero();
    w[i] = w_tilde[i] = M * t_rate[i] + rates.Omega * M * turning;
  }
  std::vector<ModuleMotion> all(modules.size());
  for (size_t i = modules.size(); i-- > 0;) {  // tip to base
    const ModuleMatrices& module = modules[i];
    if (module.parent >= 0) w_tilde[module.parent] += to_eigen(module.A).transpose() * w_tilde[i];
    all[i] = {to_matrix(t[i]), to_matrix(t_rate[i]), to_matrix(w[i]), to_matrix(w_tilde[i]),
              to_matrix(to_eigen(module.N).transpose() * w_tilde[i])};
  }
  return all;
}

}  // namespace denoc::study
