#include "closure_rows.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include "closure_system.hpp"
#include "denoc/loops/open_gap.hpp"
#include "denoc/model/lengths.hpp"
#include "denoc/model/manifold.hpp"
#include "denoc/model/quaternions.hpp"

namespace denoc {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

bool ClosureRows::is_length(const Robot& robot, const ClosureRow& row) {
  using Kind = ClosureRow::Kind;
  if (row.kind != Kind::coupled) return row.kind != Kind::square && row.kind != Kind::alike;
  return nth(robot.bodies, nth(robot.loops, row.loop).b.body).joint.type == JointType::prismatic;
}

std::shared_ptr<const ClosureRows> ClosureRows::of(const Model& model) {
  return of(model, closure_rows(model.robot()));
}
std::shared_ptr<const ClosureRows> ClosureRows::of(const Model& model, std::vector<ClosureRow> rows) {
  const std::shared_ptr<ClosureRows> found(new ClosureRows(model, std::move(rows)));
  ClosureSystem all(model, std::make_shared<const ClosureRows>(*found));
  found->leave_out_still_rows(model, all);
  found->bring_neighbours_together(model);
  return found;
}

// All of them, in the order given.
ClosureRows::ClosureRows(const Model& model, std::vector<ClosureRow> rows)
    : length(length_of(model.robot())),
      units(model.nv()),
      rows_(std::move(rows)),
      all_(size()),
      place_(rows_.size()),
      lengths_(lengths_of_loops(model.robot())) {
  std::ranges::copy(units_of(model), units.begin());
  std::iota(place_.begin(), place_.end(), 0);
  for (const Loop& loop : model.robot().loops) {
    paths_.push_back(path_of(model, loop));
    shared_.push_back(shared_directions(loop));
  }
  keep(model.robot(), place_);
}

// Of the rows that are there, these, in this order.
void ClosureRows::keep(const Robot& robot, const std::vector<Index>& places) {
  std::vector<ClosureRow> rows;
  std::vector<Index> places_kept;
  for (const Index i : places) {
    rows.push_back(row(i));
    places_kept.push_back(among_all(i));
  }
  rows_ = std::move(rows);
  place_ = std::move(places_kept);
  // A new one: where there is no memory, Eigen's resize() leaves what it has given back.
  row_units = VectorXd(VectorXd::Ones(size()));
  for (Index i = 0; i < size(); ++i)
    if (is_length(robot, row(i))) row_units[i] = nth(lengths_, row(i).loop);
}

struct ClosureRows::Group {
  int loop;
  double unit;
  std::vector<Index> rows = {};  // among all
  std::vector<Index> dofs = {};  // of the joints around the loop
  MatrixXd changes = {};         // by find_changes()
};

std::vector<ClosureRows::Group> ClosureRows::groups(const Model& model) const {
  std::vector<Group> all;
  for (Index i = 0; i < size(); ++i) {
    const auto fits = [&](const Group& g) { return g.loop == row(i).loop && g.unit == row_units[i]; };
    // Rows of a loop stand together: it is among the last two.
    const auto found = std::find_if(all.end() - std::min<std::ptrdiff_t>(2, std::ssize(all)), all.end(), fits);
    (found != all.end() ? *found : all.emplace_back(Group{row(i).loop, row_units[i]})).rows.push_back(i);
  }
  for (Group& g : all) {
    g.changes = MatrixXd::Zero(std::ssize(g.rows), std::ssize(g.rows));
    for (const auto* links : path(g.loop).parts())
      for (const int i : *links)
        for (int c = 0; c < model.links()[i].columns; ++c) g.dofs.push_back(model.links()[i].dof + c);
  }
  return all;
}

// C = <G^T G + g g^T>, the mean over some postures at random; G the gradients by columns and g the residuals, in units.
void ClosureRows::find_changes(const Model& model, ClosureSystem& closure, std::vector<Group>& groups) const {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-2, 2);
  Configuration<double> at(model);
  const std::vector<double> neutral = neutral_posture(model.robot());
  std::vector<double> q(neutral.size()), step(static_cast<std::size_t>(model.nv())), at_rest(step);
  constexpr int postures = 3;
  for (int posture = 0; posture < postures; ++posture) {
    for (Index k = 0; k < units.size(); ++k) nth(step, k) = uniform(random) * units[k];
    integrate<double>(model, neutral, step, q);
    place<double>(model, q, at);
    closure.evaluate(at, q, at_rest);
    closure.differentiate(at);
    for (Group& group : groups) {
      const MatrixXd G = units(group.dofs).asDiagonal() * closure.gradients(group.dofs, group.rows) / group.unit;
      const VectorXd g = closure.residual(group.rows) / group.unit;
      group.changes += (G.transpose() * G + g * g.transpose()) / postures;
    }
  }
}

// A row changes by <|G e|^2 + (g . e)^2> = e^T C e, and so does a sum w of rows, |w| = 1, by w^T C w. It is still where
// that is no more than open_gap^2: a row by C_ii, and it is left out; sums of the others along the eigenvectors W of what
// remains of C with such eigenvalues, and 1 - W W^T projects onto those that change.
void ClosureRows::leave_out_still_rows(const Model& model, ClosureSystem& closure) {
  constexpr double still = open_gap * open_gap;
  std::vector<Group> all = groups(model);
  find_changes(model, closure, all);
  std::vector<Index> changing;
  for (Group& group : all) {
    std::vector<Index> kept, rows;
    for (Index i = 0; i < std::ssize(group.rows); ++i) {
      if (group.changes(i, i) <= still) continue;  // what is no number stays
      kept.push_back(i);
      rows.push_back(nth(group.rows, i));
    }
    group.changes = MatrixXd(group.changes(kept, kept));
    group.rows = std::move(rows);
    changing.insert(changing.end(), group.rows.begin(), group.rows.end());
  }
  std::sort(changing.begin(), changing.end());
  keep(model.robot(), changing);
  for (const Group& group : all) {
    if (group.rows.empty() || !group.changes.allFinite()) continue;
    const Eigen::SelfAdjointEigenSolver<MatrixXd> C(group.changes);
    const Index sums = (C.eigenvalues().array() <= still).count();
    if (sums == 0) continue;
    const MatrixXd W = C.eigenvectors().leftCols(sums);
    still_sums_.push_back({group.rows, MatrixXd::Identity(W.rows(), W.rows()) - W * W.transpose()});
  }
}

// Breadth first over loops that share a link, from one with few neighbours on.                    [Cuthill, McKee 1969]
void ClosureRows::bring_neighbours_together(const Model& model) {
  std::vector<std::vector<int>> loops_of(model.links().size());
  const auto for_links = [&](int loop, auto&& f) {
    for (const auto* links : path(loop).parts())
      for (const int i : *links) f(nth(loops_of, i));
  };
  const int loops = int(paths_.size());
  for (int l = 0; l < loops; ++l) for_links(l, [&](std::vector<int>& sharing) { sharing.push_back(l); });
  std::vector<std::size_t> neighbours(paths_.size());
  for (int l = 0; l < loops; ++l)
    for_links(l, [&](const std::vector<int>& sharing) { nth(neighbours, l) += sharing.size(); });
  std::vector<int> starts(paths_.size()), order;
  std::iota(starts.begin(), starts.end(), 0);
  const auto fewer = [&](int a, int b) { return nth(neighbours, a) < nth(neighbours, b); };
  std::stable_sort(starts.begin(), starts.end(), fewer);
  std::vector<bool> is_met(paths_.size());
  const auto meet = [&](int l) {
    if (!nth(is_met, l)) order.push_back(l);
    nth(is_met, l) = true;
  };
  for (const int start : starts) {
    std::size_t next = order.size();
    for (meet(start); next < order.size(); ++next) {
      const std::ptrdiff_t before = std::ssize(order);
      for_links(order[next], [&](std::vector<int>& sharing) {
        for (const int l : sharing) meet(l);
        sharing.clear();  // all met
      });
      std::stable_sort(order.begin() + before, order.end(), fewer);
    }
  }
  std::vector<std::vector<Index>> rows_of(paths_.size());
  for (Index i = 0; i < size(); ++i) nth(rows_of, row(i).loop).push_back(i);
  std::vector<Index> places;
  for (const int l : order)
    for (const Index i : nth(rows_of, l)) places.push_back(i);
  keep(model.robot(), places);
  // The rows of the sums, as they stand now.
  Eigen::VectorX<Index> now = Eigen::VectorX<Index>::Constant(all_, -1);
  for (Index i = 0; i < size(); ++i) now[among_all(i)] = i;
  for (StillSums& sums : still_sums_)
    for (Index& i : sums.rows) i = now[i];
}

VectorXd ClosureRows::for_all(const VectorXd& values) const {
  VectorXd result = VectorXd::Zero(all());
  for (Index i = 0; i < size(); ++i) result[among_all(i)] = values[i];
  return result;
}

VectorXd ClosureRows::of_all(std::span<const double> values) const {
  VectorXd result(size());
  for (Index i = 0; i < size(); ++i) result[i] = nth(values, among_all(i));
  return result;
}

VectorXd ClosureRows::that_change(VectorXd values) const {
  for (const auto& [rows, kept] : still_sums_) values(rows) = (kept * values(rows)).eval();
  return values;
}

}  // namespace denoc
