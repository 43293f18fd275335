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

constexpr double residual_closed = 1e-12;
constexpr double rounding = 16 * std::numeric_limits<double>::epsilon();  // of a closed loop, for each joint
constexpr int most_corrections = 8;

}  // namespace

ClosureSystem::ClosureSystem(const Model& model) : ClosureSystem(model, closure_rows(model.robot())) {}
ClosureSystem::ClosureSystem(const Model& model, std::vector<ClosureRow> rows)
    : lacking(Eigen::VectorXd::Zero(model.nv())),
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
  std::vector<Eigen::Index> now(static_cast<std::size_t>(all_), -1);
  for (Eigen::Index i = 0; i < size(); ++i) now[static_cast<std::size_t>(place_[static_cast<std::size_t>(i)])] = i;
  for (StillSums& sums : still_sums_)
    for (Eigen::Index& i : sums.rows) i = now[static_cast<std::size_t>(i)];
}

// Of the rows that are there, these, in this order.
void ClosureSystem::keep(const std::vector<Eigen::Index>& places) {
  std::vector<ClosureRow> rows;
  std::vector<Eigen::Index> among_all;
  for (const Eigen::Index i : places) {
    rows.push_back(row(i));
    among_all.push_back(place_[static_cast<std::size_t>(i)]);
  }
  rows_ = std::move(rows);
  place_ = std::move(among_all);
  // New ones: where there is no memory, Eigen's resize() leaves what it has given back.
  residual = Eigen::VectorXd(size());
  rate = Eigen::VectorXd(size());
  bias = Eigen::VectorXd(size());
  gradients = Eigen::MatrixXd(model_->nv(), size());
  row_units = Eigen::VectorXd(Eigen::VectorXd::Ones(size()));
  for (Eigen::Index i = 0; i < size(); ++i)
    if (is_length(row(i))) row_units[i] = lengths_[static_cast<std::size_t>(row(i).loop)];
}

bool ClosureSystem::is_length(const ClosureRow& row) const {
  using Kind = ClosureRow::Kind;
  const Robot& robot = model_->robot();
  if (row.kind != Kind::coupled) return row.kind != Kind::square && row.kind != Kind::alike;
  const auto follower = static_cast<std::size_t>(robot.loops[static_cast<std::size_t>(row.loop)].b.body);
  return robot.bodies[follower].joint.type == JointType::prismatic;
}

struct ClosureSystem::Group {
  int loop;
  double unit;
  std::vector<Eigen::Index> rows = {};  // among all
  std::vector<Eigen::Index> dofs = {};  // of the joints around the loop
  Eigen::MatrixXd changes = {};         // squares and products, their mean over some postures, in units
};

std::vector<ClosureSystem::Group> ClosureSystem::groups() const {
  std::vector<Group> all;
  for (Eigen::Index i = 0; i < size(); ++i) {
    const auto fits = [&](const Group& g) { return g.loop == row(i).loop && g.unit == row_units[i]; };
    // Rows of a loop stand together: it is among the last two.
    const auto found = std::find_if(all.end() - std::min<std::ptrdiff_t>(2, std::ssize(all)), all.end(), fits);
    (found != all.end() ? *found : all.emplace_back(Group{row(i).loop, row_units[i]})).rows.push_back(i);
  }
  for (Group& g : all) {
    g.changes = Eigen::MatrixXd::Zero(std::ssize(g.rows), std::ssize(g.rows));
    for (const auto* links : paths_[static_cast<std::size_t>(g.loop)].parts())
      for (const int i : *links)
        for (int c = 0; c < model_->links()[i].columns; ++c) g.dofs.push_back(model_->links()[i].dof + c);
  }
  return all;
}

void ClosureSystem::leave_out_still_rows() {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-2, 2);
  Configuration<double> at(*model_);
  const std::vector<double> neutral = neutral_posture(model_->robot());
  std::vector<double> q(neutral.size());
  Eigen::VectorXd step(model_->nv());
  std::vector<Group> all = groups();
  constexpr int postures = 3;
  for (int posture = 0; posture < postures; ++posture) {
    for (double& x : step) x = uniform(random);
    step.array() *= units.array();
    integrate<double>(*model_, neutral, {step.data(), static_cast<std::size_t>(step.size())}, q);
    place<double>(*model_, q, at);
    evaluate(at, q, std::vector<double>(static_cast<std::size_t>(model_->nv())));
    differentiate(at);
    for (Group& g : all) {
      const Eigen::MatrixXd by_dof = units(g.dofs).asDiagonal() * gradients(g.dofs, g.rows) / g.unit;
      const Eigen::VectorXd open = residual(g.rows) / g.unit;
      g.changes += (by_dof.transpose() * by_dof + open * open.transpose()) / postures;
    }
  }
  constexpr double still = open_gap * open_gap;
  std::vector<Eigen::Index> changing;
  for (Group& g : all) {
    std::vector<Eigen::Index> kept;
    for (Eigen::Index i = 0; i < std::ssize(g.rows); ++i)
      if (!(g.changes(i, i) <= still)) kept.push_back(i);
    g.changes = Eigen::MatrixXd(g.changes(kept, kept));
    std::vector<Eigen::Index> rows;
    rows.reserve(kept.size());
    for (const Eigen::Index i : kept) rows.push_back(g.rows[static_cast<std::size_t>(i)]);
    g.rows = std::move(rows);
    changing.insert(changing.end(), g.rows.begin(), g.rows.end());
  }
  std::sort(changing.begin(), changing.end());
  keep(changing);
  for (const Group& g : all) {
    if (g.rows.empty() || !g.changes.allFinite()) continue;
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> by_size(g.changes);
    const auto sums = static_cast<Eigen::Index>((by_size.eigenvalues().array() <= still).count());
    if (sums == 0) continue;
    const Eigen::MatrixXd W = by_size.eigenvectors().leftCols(sums);
    still_sums_.push_back({g.rows, Eigen::MatrixXd::Identity(W.rows(), W.rows()) - W * W.transpose()});
  }
}

// Breadth first over loops that share a link, from one with few neighbours on.                    [Cuthill, McKee 1969]
void ClosureSystem::bring_neighbours_together() {
  std::vector<std::vector<int>> loops_of(model_->links().size());
  const auto for_links = [&](int loop, auto&& f) {
    for (const auto* links : paths_[static_cast<std::size_t>(loop)].parts())
      for (const int i : *links) f(loops_of[static_cast<std::size_t>(i)]);
  };
  const int loops = static_cast<int>(paths_.size());
  for (int l = 0; l < loops; ++l) for_links(l, [&](std::vector<int>& sharing) { sharing.push_back(l); });
  std::vector<std::size_t> neighbours(paths_.size());
  for (int l = 0; l < loops; ++l)
    for_links(l, [&](const std::vector<int>& sharing) { neighbours[static_cast<std::size_t>(l)] += sharing.size(); });
  std::vector<int> starts(paths_.size()), order;
  std::iota(starts.begin(), starts.end(), 0);
  const auto fewer = [&](int a, int b) {
    return neighbours[static_cast<std::size_t>(a)] < neighbours[static_cast<std::size_t>(b)];
  };
  std::stable_sort(starts.begin(), starts.end(), fewer);
  std::vector<bool> is_met(paths_.size());
  const auto meet = [&](int l) {
    if (!is_met[static_cast<std::size_t>(l)]) order.push_back(l);
    is_met[static_cast<std::size_t>(l)] = true;
  };
  for (const int start : starts) {
    std::size_t next = order.size();
    for (meet(start); next < order.size(); ++next) {
      const std::size_t before = order.size();
      for_links(order[next], [&](std::vector<int>& sharing) {
        for (const int l : sharing) meet(l);
        sharing.clear();  // all met
      });
      std::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(before), order.end(), fewer);
    }
  }
  std::vector<std::vector<Eigen::Index>> rows_of(paths_.size());
  for (Eigen::Index i = 0; i < size(); ++i) rows_of[static_cast<std::size_t>(row(i).loop)].push_back(i);
  std::vector<Eigen::Index> places;
  for (const int l : order)
    for (const Eigen::Index i : rows_of[static_cast<std::size_t>(l)]) places.push_back(i);
  keep(places);
}

Eigen::VectorXd ClosureSystem::for_all(const Eigen::VectorXd& values) const {
  Eigen::VectorXd result = Eigen::VectorXd::Zero(all_);
  for (Eigen::Index i = 0; i < size(); ++i) result[place_[static_cast<std::size_t>(i)]] = values[i];
  return result;
}

Eigen::VectorXd ClosureSystem::of_all(std::span<const double> values) const {
  Eigen::VectorXd result(size());
  for (Eigen::Index i = 0; i < size(); ++i)
    result[i] = values[static_cast<std::size_t>(place_[static_cast<std::size_t>(i)])];
  return result;
}

Eigen::VectorXd ClosureSystem::that_change(Eigen::VectorXd values) const {
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
  for (Eigen::VectorXd* values : {&residual, &rate, &bias}) *values = that_change(*values);
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
  state.kin.frames(state.frames);
  state.values.clear();
  for (Eigen::Index i = 0; i < size(); ++i) {
    const ClosureValue<T>& value = state.values.emplace_back(
        closure_value<T>(model, state.frames[static_cast<std::size_t>(row(i).loop)], q, v, row(i)));
    residual[i] = static_cast<double>(value.residual);
    rate[i] = static_cast<double>(value.rate);
    bias[i] = static_cast<double>(value.bias);
  }
}

void ClosureSystem::differentiate(const Configuration<double>& at) {
  if (precision_ == Precision::extended)
    differentiate_in<long double>(extended_->model, extended_->at, extended_->state);
  else
    differentiate_in<double>(*model_, at, rounded_);
  for (const auto& [rows, kept] : still_sums_)
    gradients(Eigen::all, rows) = (gradients(Eigen::all, rows) * kept).eval();
}

template <class T>
void ClosureSystem::differentiate_in(const BasicModel<T>& model, const Configuration<T>& at, State<T>& state) {
  for (Eigen::Index i = 0; i < size(); ++i) {
    const auto l = static_cast<std::size_t>(row(i).loop);
    closure_gradient<T>(model, at, state.frames[l], paths_[l], row(i), state.values[static_cast<std::size_t>(i)],
                        state.gradient);
    for (Eigen::Index k = 0; k < gradients.rows(); ++k)
      gradients(k, i) = static_cast<double>(state.gradient[static_cast<std::size_t>(k)]);
  }
}

Eigen::MatrixXd ClosureSystem::measured(const std::vector<int>& held) const {
  Eigen::VectorXd by_dof = units;
  for (const int k : held) by_dof[k] = 0;
  return by_dof.asDiagonal() * gradients * row_units.cwiseInverse().asDiagonal();
}
Eigen::VectorXd ClosureSystem::sizes() const {
  return (units.asDiagonal() * gradients).colwise().norm().transpose().cwiseQuotient(row_units);
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
    const Eigen::VectorXd gap = closure.residual.cwiseQuotient(closure.row_units);
    const Pseudoinverse inverse(closure.measured(), std::max(rank_threshold, std::sqrt(gap.cwiseAbs().maxCoeff())));
    const Eigen::VectorXd d = -inverse.transposed(gap).cwiseProduct(closure.units);
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
  const Eigen::VectorXd rates = closure.rate.cwiseQuotient(closure.row_units);
  Eigen::Map<Eigen::VectorXd>(v.data(), model.nv()) -=
      Pseudoinverse(closure.measured()).transposed(rates).cwiseProduct(closure.units);
}

bool ClosureSystem::is_closed() const { return left() <= std::max(residual_closed, rounding * model_->nv()); }
double ClosureSystem::left() const {
  double most = 0;
  for (Eigen::Index i = 0; i < size(); ++i) {
    const bool is_placed = row(i).kind != ClosureRow::Kind::coupled && is_length(row(i));
    const double unit = is_placed ? std::max(row_units[i], norm(frames(row(i).loop).a.r)) : row_units[i];
    const double part = std::abs(residual[i]) / unit;
    if (!(part <= most)) most = std::isnan(part) ? std::numeric_limits<double>::infinity() : part;
  }
  return most;
}

bool ClosureSystem::is_turned(int loop) const {
  const LoopFrames<double>& ends = frames(loop);
  const std::vector<Vec3<double>>& shared = shared_[static_cast<std::size_t>(loop)];
  return std::any_of(shared.begin(), shared.end(),
                     [&](const Vec3<double>& d) { return dot(ends.a.axis(d), ends.b.axis(d)) < 0; });
}
int ClosureSystem::turned_loop() const {
  for (int l = 0; l < static_cast<int>(paths_.size()); ++l)
    if (is_turned(l)) return l;
  return -1;
}

std::vector<BodyWrench<double>> ClosureSystem::wrenches(std::span<const double> multipliers) const {
  std::vector<BodyWrench<double>> all;
  for (const Loop& loop : model_->robot().loops) {
    for (const Attachment* end : {&loop.a, &loop.b}) all.push_back({end->body, zero_wrench<double>});
  }
  for (Eigen::Index i = 0; i < size(); ++i) {
    const auto l = static_cast<std::size_t>(row(i).loop);
    add_loop_wrench<double>(*model_, rounded_.frames[l], row(i), value(i),
                            multipliers[static_cast<std::size_t>(place_[static_cast<std::size_t>(i)])], all[2 * l],
                            all[2 * l + 1]);
  }
  return all;
}

}  // namespace denoc
