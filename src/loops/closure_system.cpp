#include "closure_system.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include "denoc/loops/open_gap.hpp"
#include "denoc/model/lengths.hpp"
#include "denoc/model/manifold.hpp"
#include "denoc/model/quaternions.hpp"

namespace denoc {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double residual_closed = 1e-12;
constexpr double rounding = 16 * std::numeric_limits<double>::epsilon();  // of a closed loop, for each joint
constexpr int most_corrections = 8;

}  // namespace

ClosureSystem::ClosureSystem(const Model& model) : ClosureSystem(model, closure_rows(model.robot())) {}
ClosureSystem::ClosureSystem(const Model& model, std::vector<ClosureRow> rows)
    : lacking(VectorXd::Zero(model.nv())),
      length(length_of(model.robot())),
      units(model.nv()),
      model_(&model),
      rows_(std::move(rows)),
      all_(size()),
      place_(rows_.size()),
      lengths_(lengths_of_loops(model.robot())),
      rounded_(model) {
  std::ranges::copy(units_of(model), units.begin());
  std::iota(place_.begin(), place_.end(), 0);
  for (const Loop& loop : model.robot().loops) {
    paths_.push_back(path_of(model, loop));
    shared_.push_back(shared_directions(loop));
  }
  keep(place_);
  leave_out_still_rows();
  bring_neighbours_together();
  // The rows of the sums, as they stand now.
  Eigen::VectorX<Index> now = Eigen::VectorX<Index>::Constant(all_, -1);
  for (Index i = 0; i < size(); ++i) now[nth(place_, i)] = i;
  for (StillSums& sums : still_sums_)
    for (Index& i : sums.rows) i = now[i];
}

// Of the rows that are there, these, in this order.
void ClosureSystem::keep(const std::vector<Index>& places) {
  std::vector<ClosureRow> rows;
  std::vector<Index> among_all;
  for (const Index i : places) {
    rows.push_back(row(i));
    among_all.push_back(nth(place_, i));
  }
  rows_ = std::move(rows);
  place_ = std::move(among_all);
  // New ones: where there is no memory, Eigen's resize() leaves what it has given back.
  residual = VectorXd(size());
  rate = VectorXd(size());
  bias = VectorXd(size());
  gradients = MatrixXd(model_->nv(), size());
  row_units = VectorXd(VectorXd::Ones(size()));
  for (Index i = 0; i < size(); ++i)
    if (is_length(row(i))) row_units[i] = nth(lengths_, row(i).loop);
}

bool ClosureSystem::is_length(const ClosureRow& row) const {
  using Kind = ClosureRow::Kind;
  const Robot& robot = model_->robot();
  if (row.kind != Kind::coupled) return row.kind != Kind::square && row.kind != Kind::alike;
  return nth(robot.bodies, nth(robot.loops, row.loop).b.body).joint.type == JointType::prismatic;
}

struct ClosureSystem::Group {
  int loop;
  double unit;
  std::vector<Index> rows = {};  // among all
  std::vector<Index> dofs = {};  // of the joints around the loop
  MatrixXd changes = {};         // by find_changes()
};

std::vector<ClosureSystem::Group> ClosureSystem::groups() const {
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
        for (int c = 0; c < model_->links()[i].columns; ++c) g.dofs.push_back(model_->links()[i].dof + c);
  }
  return all;
}

// C = <G^T G + g g^T>, the mean over some postures at random; G the gradients by columns and g the residuals, in units.
void ClosureSystem::find_changes(std::vector<Group>& groups) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-2, 2);
  Configuration<double> at(*model_);
  const std::vector<double> neutral = neutral_posture(model_->robot());
  std::vector<double> q(neutral.size()), step(static_cast<std::size_t>(model_->nv())), at_rest(step);
  constexpr int postures = 3;
  for (int posture = 0; posture < postures; ++posture) {
    for (Index k = 0; k < units.size(); ++k) nth(step, k) = uniform(random) * units[k];
    integrate<double>(*model_, neutral, step, q);
    place<double>(*model_, q, at);
    evaluate(at, q, at_rest);
    differentiate(at);
    for (Group& group : groups) {
      const MatrixXd G = units(group.dofs).asDiagonal() * gradients(group.dofs, group.rows) / group.unit;
      const VectorXd g = residual(group.rows) / group.unit;
      group.changes += (G.transpose() * G + g * g.transpose()) / postures;
    }
  }
}

// A row changes by <|G e|^2 + (g . e)^2> = e^T C e, and so does a sum w of rows, |w| = 1, by w^T C w. It is still where
// that is no more than open_gap^2: a row by C_ii, and it is left out; sums of the others along the eigenvectors W of what
// remains of C with such eigenvalues, and 1 - W W^T projects onto those that change.
void ClosureSystem::leave_out_still_rows() {
  constexpr double still = open_gap * open_gap;
  std::vector<Group> all = groups();
  find_changes(all);
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
  keep(changing);
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
void ClosureSystem::bring_neighbours_together() {
  std::vector<std::vector<int>> loops_of(model_->links().size());
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
  keep(places);
}

VectorXd ClosureSystem::for_all(const VectorXd& values) const {
  VectorXd result = VectorXd::Zero(all_);
  for (Index i = 0; i < size(); ++i) result[nth(place_, i)] = values[i];
  return result;
}

VectorXd ClosureSystem::of_all(std::span<const double> values) const {
  VectorXd result(size());
  for (Index i = 0; i < size(); ++i) result[i] = nth(values, nth(place_, i));
  return result;
}

VectorXd ClosureSystem::that_change(VectorXd values) const {
  for (const auto& [rows, kept] : still_sums_) values(rows) = (kept * values(rows)).eval();
  return values;
}

void ClosureSystem::compute_in(Precision precision) {
  precision_ = precision;
  if (precision == Precision::extended && !extended_) extended_ = std::make_unique<Extended>(model_->robot());
}

void ClosureSystem::evaluate(const Configuration<double>& at, std::span<const double> q, std::span<const double> v) {
  evaluate_in<double>(*model_, at, q, v, rounded_);
  if (precision_ == Precision::extended) evaluate_extended(q, v);
  if (!has_still_sums()) return;
  for (VectorXd* values : {&residual, &rate, &bias}) *values = that_change(*values);
}
void ClosureSystem::evaluate_extended(std::span<const double> q, std::span<const double> v) {
  Extended& e = *extended_;
  e.q.assign(q.begin(), q.end());
  e.v.assign(lacking.begin(), lacking.end());
  normalise<long double>(e.model, e.q);
  integrate<long double>(e.model, e.q, e.v, e.q);
  e.v.assign(v.begin(), v.end());
  place<long double>(e.model, e.q, e.at);
  evaluate_in<long double>(e.model, e.at, e.q, e.v, e.state);
}

template <class T>
void ClosureSystem::evaluate_in(const BasicModel<T>& model, const Configuration<T>& at, std::span<const T> q,
                                std::span<const T> v, State<T>& state) {
  state.kin.move(model, at, v);
  state.values.clear();
  for (Index i = 0; i < size(); ++i) {
    const ClosureValue<T>& value =
        state.values.emplace_back(closure_value<T>(model, state.kin.frames(row(i).loop), q, v, row(i)));
    residual[i] = double(value.residual);
    rate[i] = double(value.rate);
    bias[i] = double(value.bias);
  }
}

void ClosureSystem::differentiate(const Configuration<double>& at) {
  if (precision_ == Precision::extended)
    differentiate_in<long double>(extended_->model, extended_->at, extended_->state);
  else
    differentiate_in<double>(*model_, at, rounded_);
  if (has_still_carriers()) leave_out_carriers(gradients);
  for (const auto& [rows, kept] : still_sums_)
    gradients(Eigen::all, rows) = (gradients(Eigen::all, rows) * kept).eval();
}

template <class T>
void ClosureSystem::differentiate_in(const BasicModel<T>& model, const Configuration<T>& at, State<T>& state) {
  for (Index i = 0; i < size(); ++i) {
    const int l = row(i).loop;
    closure_gradient<T>(model, at, state.kin.frames(l), path(l), row(i), nth(state.values, i), state.gradient);
    for (Index k = 0; k < gradients.rows(); ++k) gradients(k, i) = double(nth(state.gradient, k));
  }
}

void ClosureSystem::leave_out_carriers(MatrixXd& of_rows) const {
  for (Index i = 0; i < size(); ++i) each_carrier(i, [&](int k) { of_rows(k, i) = 0; });
}
bool ClosureSystem::has_still_carriers() const { return left() <= open_gap; }
MatrixXd ClosureSystem::measured(const std::vector<int>& held) const {
  MatrixXd result = units.asDiagonal() * gradients * row_units.cwiseInverse().asDiagonal();
  leave_out_carriers(result);
  for (const int k : held) result.row(k).setZero();
  return result;
}
Pseudoinverse ClosureSystem::inverse(const std::vector<int>& held) const {
  return Pseudoinverse(measured(held), rank_threshold, 1);
}
VectorXd ClosureSystem::sizes() const {
  return (units.asDiagonal() * gradients).colwise().norm().transpose().cwiseQuotient(row_units);
}

std::vector<int> ClosureSystem::untied() const {
  std::vector<bool> is_tied(static_cast<std::size_t>(model_->nv()), false);
  const auto tie = [&](int link) {
    for (int c = 0; c < model_->links()[link].columns; ++c) nth(is_tied, model_->links()[link].dof + c) = true;
  };
  for (std::size_t l = 0; l < paths_.size(); ++l) {
    const Loop& loop = model_->robot().loops[l];
    if (couples_coordinates(loop.type)) {
      for (const Attachment* end : {&loop.a, &loop.b}) tie(model_->body(end->body).link);
    } else {
      for (const auto* links : {&paths_[l].from_a, &paths_[l].from_b})
        for (const int i : *links) tie(i);
    }
  }
  std::vector<int> dofs;
  for (int k = 0; k < model_->nv(); ++k)
    if (!nth(is_tied, k)) dofs.push_back(k);
  return dofs;
}

void close_near_by(const Model& model, ClosureSystem& closure, Configuration<double>& at, std::span<double> q,
                   std::span<const double> v) {
  std::vector<double> moved(q.size());
  const auto left_at = [&](std::span<const double> posture) {
    place<double>(model, posture, at);
    closure.evaluate(at, posture, v);
    return closure.left();
  };
  double left = left_at(q);
  for (int k = 0; k < most_corrections && left > rounding; ++k) {
    closure.differentiate(at);
    const VectorXd gap = closure.residual.cwiseQuotient(closure.row_units);
    const Pseudoinverse inverse(closure.measured(), std::max(rank_threshold, std::sqrt(gap.cwiseAbs().maxCoeff())), 1);
    const VectorXd d = -inverse.transposed(gap).cwiseProduct(closure.units);
    integrate<double>(model, q, {d.data(), v.size()}, moved);
    const double there = left_at(moved);
    if (!(there < left)) {  // rounding allows no more
      left_at(q);
      return;
    }
    std::copy(moved.begin(), moved.end(), q.begin());
    left = there;
  }
}
void project(const Model& model, ClosureSystem& closure, Configuration<double>& at, std::span<double> q,
             std::span<double> v) {
  close_near_by(model, closure, at, q, v);
  closure.differentiate(at);
  const VectorXd rates = closure.rate.cwiseQuotient(closure.row_units);
  Eigen::Map<VectorXd>(v.data(), model.nv()) -= closure.inverse().transposed(rates).cwiseProduct(closure.units);
}

bool ClosureSystem::is_closed() const { return left() <= std::max(residual_closed, rounding * model_->nv()); }
double ClosureSystem::left() const {
  double most = 0;
  for (Index i = 0; i < size(); ++i) {
    const bool is_placed = row(i).kind != ClosureRow::Kind::coupled && is_length(row(i));
    const Vec3<double>& r = frames(row(i).loop).a.r;
    const double unit = is_placed ? std::max(row_units[i], std::hypot(r.x, r.y, r.z)) : row_units[i];
    const double part = std::abs(residual[i]) / unit;
    if (!(part <= most)) most = std::isnan(part) ? std::numeric_limits<double>::infinity() : part;
  }
  return most;
}

bool ClosureSystem::is_turned(int loop) const {
  const LoopFrames<double>& ends = frames(loop);
  const std::vector<Vec3<double>>& shared = nth(shared_, loop);
  return std::any_of(shared.begin(), shared.end(),
                     [&](const Vec3<double>& d) { return dot(ends.a.axis(d), ends.b.axis(d)) < 0; });
}
int ClosureSystem::turned_loop() const {
  for (int l = 0; l < int(paths_.size()); ++l)
    if (is_turned(l)) return l;
  return -1;
}

std::vector<BodyWrench<double>> ClosureSystem::wrenches(std::span<const double> multipliers) const {
  std::vector<BodyWrench<double>> all;
  for (const Loop& loop : model_->robot().loops) {
    for (const Attachment* end : {&loop.a, &loop.b}) all.push_back({end->body, zero_wrench<double>});
  }
  for (Index i = 0; i < size(); ++i) {
    const int l = row(i).loop;
    add_loop_wrench<double>(*model_, frames(l), row(i), value(i), nth(multipliers, nth(place_, i)), nth(all, 2 * l),
                            nth(all, 2 * l + 1));
  }
  return all;
}

}  // namespace denoc
