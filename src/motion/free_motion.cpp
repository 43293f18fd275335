#include "free_motion.hpp"

#include <Eigen/Cholesky>
#include <algorithm>

#include "denoc/loops/closure.hpp"

namespace denoc::motion {

std::vector<int> others(const Model& model, const std::vector<int>& driven) {
  std::vector<int> rest;
  for (int k = 0; k < model.nv(); ++k)
    if (std::find(driven.begin(), driven.end(), k) == driven.end()) rest.push_back(k);
  return rest;
}

std::vector<int> floating(const Model& model, const std::vector<int>& driven) {
  std::vector<bool> floats(model.bodies().size());
  for (size_t b = 1; b < floats.size(); ++b) floats[b] = model.robot().bodies[b].joint.type == JointType::free;
  for (const int k : driven) floats[size_t(model.body_of_dof(k))] = false;
  for (const Loop& loop : model.robot().loops) {
    if (couples_coordinates(loop.type)) continue;
    const LoopPath path = path_of(model, loop);  // what both ends have in common, the loop does not feel
    for (const auto* links : {&path.from_a, &path.from_b})
      for (const int i : *links)
        if (model.links()[i].columns > 0) floats[size_t(model.body_of_dof(model.links()[i].dof))] = false;
  }
  std::vector<int> dofs;
  for (int k = 0; k < model.nv(); ++k)
    if (floats[size_t(model.body_of_dof(k))]) dofs.push_back(k);
  return dofs;
}

void release(std::span<const double> inertia, const std::vector<int>& undriven, std::span<double> tau,
             std::span<double> a) {
  using Eigen::Index;
  const auto n = Index(tau.size()), u = Index(undriven.size());
  const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> I(inertia.data(), n,
                                                                                                   n);
  Eigen::MatrixXd I_uu(u, u);
  Eigen::VectorXd missing(u);
  for (Index i = 0; i < u; ++i) {
    missing[i] = -tau[size_t(undriven[size_t(i)])];
    for (Index j = 0; j < u; ++j) I_uu(i, j) = I(undriven[size_t(i)], undriven[size_t(j)]);
  }
  const Eigen::VectorXd a_u = I_uu.llt().solve(missing);
  for (Index k = 0; k < n; ++k)
    for (Index j = 0; j < u; ++j) tau[size_t(k)] += I(k, undriven[size_t(j)]) * a_u[j];
  for (Index j = 0; j < u; ++j) {
    a[size_t(undriven[size_t(j)])] = a_u[j];
    tau[size_t(undriven[size_t(j)])] = 0;
  }
}

FreeMotion::FreeMotion(const Model& model)
    : model_(model), scratch_(model), inertia_(size_t(model.nv()) * size_t(model.nv())) {}

void FreeMotion::release(const Configuration<double>& at, const std::vector<int>& undriven, Out<double> tau,
                         Out<double> a) {
  inertia_matrix<double>(model_, at, scratch_, inertia_);
  motion::release(inertia_, undriven, tau, a);
}

}  // namespace denoc::motion
