#include "reaction_differentiation.hpp"

#include <Eigen/Dense>

#include "denoc/model/manifold.hpp"

namespace denoc {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

ReactionDifferentiation::ReactionDifferentiation(const Model& tree, bool with_forces, bool with_loops)
    : tree_(&tree),
      at_(tree),
      inverse_(tree),
      scratch_(tree),
      kin_(tree),
      start_(static_cast<std::size_t>(tree.nq())),
      q_(start_),
      step_(static_cast<std::size_t>(tree.nv())),
      v_(step_),
      a_(step_),
      tau_(step_),
      reactions_(tree.bodies().size()) {
  if (with_forces) forces_.emplace(tree);
  if (!with_loops) return;
  rows_ = closure_rows(tree.robot());
  for (const Loop& loop : tree.robot().loops) paths_.push_back(path_of(tree, loop));
  gradients_.resize(rows_.size() * step_.size());
}

// At q_, v_, a_: the forces that act, and in tau_ what the drives and loops must give.
void ReactionDifferentiation::evaluate_at(std::span<const double> multipliers) {
  place<D>(*tree_, q_, at_);
  acting_ = given_;
  if (forces_) {
    const Loads<D>& loads = forces_->act(at_, q_, v_);
    acting_.insert(acting_.end(), loads.wrenches.begin(), loads.wrenches.end());
    inverse_dynamics<D>(*tree_, at_, v_, a_, inverse_, tau_, acting_);
    for (std::size_t k = 0; k < tau_.size(); ++k) tau_[k] -= loads.tau[k];
  } else {
    inverse_dynamics<D>(*tree_, at_, v_, a_, inverse_, tau_, acting_);
  }
  if (!rows_.empty()) evaluate_loops(multipliers);
}

// J, and tau_ less J^T f, with f held.
void ReactionDifferentiation::evaluate_loops(std::span<const double> multipliers) {
  const std::size_t n = step_.size();
  kin_.move(*tree_, at_, v_);
  kin_.frames(frames_);
  values_.clear();
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto loop = static_cast<std::size_t>(rows_[i].loop);
    values_.push_back(closure_value<D>(*tree_, frames_[loop], q_, v_, rows_[i]));
    const std::span<D> gradient(gradients_.data() + i * n, n);
    closure_gradient<D>(*tree_, at_, frames_[loop], paths_[loop], rows_[i], values_[i], gradient);
    for (std::size_t k = 0; k < n; ++k) tau_[k] -= gradient[k] * multipliers[i];
  }
}

void ReactionDifferentiation::evaluate(const Motion& m, std::span<const double> multipliers,
                                       std::span<const int> driven) {
  const std::size_t n = step_.size(), bodies = reactions_.size();
  for (std::size_t k = 0; k < m.q.size(); ++k) q_[k] = start_[k] = D(m.q[k]);
  for (std::size_t k = 0; k < n; ++k) {
    v_[k] = D(m.v[k]);
    a_[k] = D(m.a[k]);
    step_[k] = D(0.0);
  }
  given_.clear();
  for (const auto& [body, w] : m.wrenches) given_.push_back({body, full<D>(w)});
  for (auto* matrix : {&dq, &dv, &da}) matrix->assign(6 * bodies * n, 0.0);

  // [J^T S], once
  const auto rows = static_cast<Index>(rows_.size());
  MatrixXd system = MatrixXd::Zero(static_cast<Index>(n), rows + static_cast<Index>(driven.size()));
  evaluate_at(multipliers);
  for (Index i = 0; i < rows; ++i)
    for (std::size_t k = 0; k < n; ++k)
      system(static_cast<Index>(k), i) = gradients_[static_cast<std::size_t>(i) * n + k].x;
  for (std::size_t i = 0; i < driven.size(); ++i) system(driven[i], rows + static_cast<Index>(i)) = 1;
  const Eigen::CompleteOrthogonalDecomposition<MatrixXd> forces(system);

  const auto store_column = [&](std::size_t column, std::vector<double>& to) {
    evaluate_at(multipliers);
    const std::size_t besides = acting_.size();  // loops come after
    if (rows > 0) {
      VectorXd change(static_cast<Index>(n));
      for (std::size_t k = 0; k < n; ++k) change[static_cast<Index>(k)] = tau_[k].d;
      const VectorXd df = forces.solve(change).head(rows);
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        if (rows_[i].kind == ClosureRow::Kind::coupled) continue;  // it acts in the joints alone
        const auto loop = static_cast<std::size_t>(rows_[i].loop);
        const D f{multipliers[i], df[static_cast<Index>(i)]};
        const auto act = [&](int body, const MovingFrame<D>& frame, const Vec3<D>& moment, const Vec3<D>& force) {
          const Pose<D> in_link = full<D>(tree_->bodies()[static_cast<std::size_t>(body)].in_link);
          acting_.push_back({body, in_link.to_child(frame.on_link(moment, force))});
        };
        const Loop& ends = tree_->robot().loops[loop];
        act(ends.a.body, frames_[loop].a, values_[i].moment_a * f, values_[i].force * f);
        act(ends.b.body, frames_[loop].b, -(values_[i].moment_b * f), -(values_[i].force * f));
      }
    }
    joint_reactions<D>(*tree_, at_, v_, a_, scratch_, reactions_, acting_);
    for (const auto& [body, w] : std::span(acting_).subspan(besides))  // what loops do to the ground
      if (body == 0) reactions_[0] -= w;
    for (std::size_t b = 0; b < bodies; ++b) {
      const auto& [moment, force] = reactions_[b];
      const D numbers[] = {moment.x, moment.y, moment.z, force.x, force.y, force.z};
      for (std::size_t i = 0; i < 6; ++i) to[(6 * b + i) * n + column] = numbers[i].d;
    }
  };
  for (std::size_t k = 0; k < n; ++k) {
    step_[k].d = 1;
    integrate<D>(*tree_, start_, step_, q_);
    store_column(k, dq);
    step_[k].d = 0;
    q_ = start_;
    v_[k].d = 1;
    store_column(k, dv);
    v_[k].d = 0;
    a_[k].d = 1;
    store_column(k, da);
    a_[k].d = 0;
  }
}

}  // namespace denoc
