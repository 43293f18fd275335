#include "free_motion.hpp"

#include <algorithm>
#include <cmath>

#include "denoc/dynamics/forward/cholesky.hpp"
#include "denoc/loops/closure.hpp"
#include "denoc/model/arguments.hpp"

namespace denoc::motion {
namespace {

// As for all degrees of freedom at once: those that are not among `dofs` are held.
void require_regular(const Model& model, const std::vector<int>& dofs, CholeskyScratch<double>& I) {
  const auto dof = [&](int i) { return dofs[size_t(i)]; };
  const int i = detail::without_inertia<double>(model, I.d_inv, dof, I.check, I.lifted,
                                                [&](Out<double> x) { solve_upper_dense<double>(I, x); });
  if (i >= 0) detail::refuse_singular<double>(model, dof(i), I.d_inv[size_t(i)]);
}

}  // namespace

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

std::vector<int> joints_in_part(const Model& model, const std::vector<int>& dofs) {
  require_dofs(model, dofs);
  std::vector<int> bodies;
  for (const int k : others(model, dofs)) {
    const int b = model.body_of_dof(k);
    const bool is_begun =
        std::any_of(dofs.begin(), dofs.end(), [&](int other) { return model.body_of_dof(other) == b; });
    if (is_begun && (bodies.empty() || bodies.back() != b)) bodies.push_back(b);
  }
  return bodies;
}

void release(const Model& model, std::span<const double> inertia, const std::vector<int>& undriven,
             std::span<double> tau, std::span<double> a) {
  const size_t n = tau.size(), u = undriven.size();
  const auto dof = [&](size_t i) { return size_t(undriven[i]); };
  CholeskyScratch<double> I_uu(model);
  I_uu.inertia.resize(u * u);
  I_uu.d_inv.resize(u);
  I_uu.check.resize(u);
  I_uu.lifted.resize(u);
  std::vector<double> a_u(u);
  for (size_t i = 0; i < u; ++i) {
    a_u[i] = -tau[dof(i)];
    for (size_t j = 0; j < u; ++j) I_uu.inertia[i * u + j] = inertia[dof(i) * n + dof(j)];
  }
  factorize_dense<double>(I_uu);
  require_regular(model, undriven, I_uu);
  solve_dense<double>(I_uu, a_u);
  for (size_t k = 0; k < n; ++k)
    for (size_t j = 0; j < u; ++j) tau[k] += inertia[k * n + dof(j)] * a_u[j];
  for (size_t j = 0; j < u; ++j) {
    a[dof(j)] = a_u[j];
    tau[dof(j)] = 0;
  }
}

FreeMotion::FreeMotion(const Model& model)
    : model_(model), scratch_(model), inertia_(size_t(model.nv()) * size_t(model.nv())) {}

void FreeMotion::release(const Configuration<double>& at, const std::vector<int>& undriven, Out<double> tau,
                         Out<double> a) {
  inertia_matrix<double>(model_, at, scratch_, inertia_);
  motion::release(model_, inertia_, undriven, tau, a);
}

}  // namespace denoc::motion
