#include "driving_forces.hpp"

#include <algorithm>
#include <numeric>

namespace denoc {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// By link: the number of the tree on the ground that it belongs to.
std::vector<int> trees(const Model& model) {
  std::vector<int> tree(model.links().size(), -1);
  int count = 0;
  for (std::size_t i = 1; i < tree.size(); ++i) {
    const int parent = model.links()[i].parent;
    tree[i] = parent == 0 ? count++ : tree[static_cast<std::size_t>(parent)];
  }
  return tree;
}

// A column for each driven force of a subsystem, and below one for each multiplier: what they do in its equations.
MatrixXd driving(const Subsystem& s) {
  MatrixXd columns = MatrixXd::Zero(static_cast<Index>(s.dofs.size()), static_cast<Index>(s.driven.size()));
  for (std::size_t j = 0; j < s.driven.size(); ++j)
    columns(std::find(s.dofs.begin(), s.dofs.end(), s.driven[j]) - s.dofs.begin(), static_cast<Index>(j)) = 1;
  return columns;
}
MatrixXd closing(const Subsystem& s, const ClosureSystem& closure) { return closure.gradients(s.dofs, s.rows); }
// Of its rows, as its own joints feel them: what is rounding here may be felt by others.
VectorXd sizes_in(const Subsystem& s, const ClosureSystem& closure) {
  return (closure.units(s.dofs).asDiagonal() * closing(s, closure))
      .colwise()
      .norm()
      .transpose()
      .cwiseQuotient(closure.row_units(s.rows));
}

bool suffices_for_its_unknowns(const Subsystem& s, const ClosureSystem& closure) {
  const std::size_t unknowns = s.driven.size() + s.rows.size();
  if (unknowns > s.dofs.size()) return false;
  MatrixXd all(static_cast<Index>(s.dofs.size()), static_cast<Index>(unknowns));
  all << driving(s), closing(s, closure);
  VectorXd of_all(all.cols());
  of_all << VectorXd::Ones(static_cast<Index>(s.driven.size())), sizes_in(s, closure);
  return Pseudoinverse::in_metric(of_all, all).rank() == all.cols();
}

}  // namespace

std::vector<Subsystem> subsystems(const Model& model, const ClosureSystem& closure, const std::vector<int>& driven) {
  const std::vector<int> tree = trees(model);
  const auto count = static_cast<std::size_t>(*std::max_element(tree.begin(), tree.end()) + 1);
  std::vector<Subsystem> open(count), ordered;
  const auto of_link = [&](int i) -> Subsystem& {
    return open[static_cast<std::size_t>(tree[static_cast<std::size_t>(i)])];
  };
  std::vector<int> link_of_dof(static_cast<std::size_t>(model.nv()));
  for (int i = 1; i <= model.link_count(); ++i) {
    for (int c = 0; c < model.links()[i].columns; ++c) {
      const int k = model.links()[i].dof + c;
      link_of_dof[static_cast<std::size_t>(k)] = i;
      of_link(i).dofs.push_back(k);
    }
  }
  for (const int k : driven) of_link(link_of_dof[static_cast<std::size_t>(k)]).driven.push_back(k);
  for (Index r = 0; r < closure.size(); ++r) {
    for (const auto* links : closure.path(closure.row(r).loop).parts()) {
      if (links->empty()) continue;
      std::vector<int>& rows = of_link(links->front()).rows;
      if (rows.empty() || rows.back() != r) rows.push_back(static_cast<int>(r));
    }
  }
  std::vector<bool> found(static_cast<std::size_t>(closure.size()));
  const auto forget_found = [&](Subsystem& s) {
    std::erase_if(s.rows, [&](int r) { return found[static_cast<std::size_t>(r)]; });
  };
  for (bool progress = true; progress;) {
    progress = false;
    for (Subsystem& s : open) {
      if (s.dofs.empty()) continue;
      forget_found(s);
      if (!suffices_for_its_unknowns(s, closure)) continue;
      for (const int r : s.rows) found[static_cast<std::size_t>(r)] = true;
      ordered.push_back({std::move(s.dofs), std::move(s.driven), std::move(s.rows), true});
      s.dofs.clear();
      progress = true;
    }
  }
  Subsystem rest{{}, {}, {}, false};
  for (Subsystem& s : open) {
    if (s.dofs.empty()) continue;
    forget_found(s);
    rest.dofs.insert(rest.dofs.end(), s.dofs.begin(), s.dofs.end());
    rest.driven.insert(rest.driven.end(), s.driven.begin(), s.driven.end());
    rest.rows.insert(rest.rows.end(), s.rows.begin(), s.rows.end());
  }
  std::sort(rest.rows.begin(), rest.rows.end());
  rest.rows.erase(std::unique(rest.rows.begin(), rest.rows.end()), rest.rows.end());
  if (!rest.dofs.empty()) ordered.push_back(std::move(rest));
  return ordered;
}

DrivingForces driving_forces(const Model& model, const ClosureSystem& closure, const std::vector<int>& driven,
                             const VectorXd& load) {
  DrivingForces result{VectorXd::Zero(model.nv()), VectorXd::Zero(closure.size()), closure.size() == closure.all()};
  for (const Subsystem& s : subsystems(model, closure, driven)) {
    const VectorXd left = (load - closure.gradients * result.f)(s.dofs);
    const MatrixXd D = driving(s), G = closing(s, closure);
    const Pseudoinverse loops = Pseudoinverse::in_metric(sizes_in(s, closure), G);
    const auto without_loops = [&](const VectorXd& x) -> VectorXd { return x - G * loops.solve(x); };
    MatrixXd felt(D.rows(), D.cols());
    for (Index j = 0; j < felt.cols(); ++j) felt.col(j) = without_loops(D.col(j));
    if (felt.norm() < rank_threshold) felt.setZero();  // of unit columns: the loops alone carry everything
    const VectorXd tau = Pseudoinverse(felt).solve(without_loops(left));
    result.tau(s.driven) = tau;
    result.f(s.rows) = loops.solve(left - D * tau);
    result.is_unique = result.is_unique && loops.rank() == G.cols();
  }
  return result;
}

}  // namespace denoc
