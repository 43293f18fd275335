#include "closure_system.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include "denoc/model/manifold.hpp"

namespace denoc {
namespace {

constexpr double no_change = 1e-14;  // of a row whose entries are lengths and cosines
constexpr double closed = 1e-12;
constexpr int most_corrections = 4;
constexpr double far_from_dependent = 1e-4;  // reciprocal condition: one refinement brings back what squaring loses

Eigen::VectorXd shortest(const ClosureSystem& closure, const Eigen::VectorXd& rows) {
  return Pseudoinverse(closure.gradients).transposed(rows);
}

}  // namespace

Pseudoinverse::Pseudoinverse(const Eigen::MatrixXd& G) : G_(&G) {
  if (G.cols() == 0) return;
  square_.compute(G.transpose() * G);
  const double condition = square_.info() == Eigen::Success ? square_.rcond() : 0;
  is_square_ = condition > far_from_dependent;
  if (is_square_) {
    rank_ = G.cols();
    return;
  }
  whole_.setThreshold(rank_threshold);
  whole_.compute(G);
  rank_ = whole_.rank();
}

Eigen::VectorXd Pseudoinverse::solve(const Eigen::VectorXd& z) const {
  if (G_->cols() == 0) return Eigen::VectorXd(0);
  if (!is_square_) return whole_.solve(z);
  Eigen::VectorXd f = square_.solve(G_->transpose() * z);
  f += square_.solve(G_->transpose() * (z - *G_ * f));  // what squaring lost
  return f;
}
Eigen::VectorXd Pseudoinverse::transposed(const Eigen::VectorXd& b) const {
  if (G_->cols() == 0) return Eigen::VectorXd::Zero(G_->rows());
  if (!is_square_) {
    Eigen::VectorXd z = whole_.transpose().solve(b);
    return z;
  }
  Eigen::VectorXd z = *G_ * square_.solve(b);
  z += *G_ * square_.solve(b - G_->transpose() * z);
  return z;
}

ClosureSystem::ClosureSystem(const Model& model)
    : lacking(Eigen::VectorXd::Zero(model.nv())),
      model_(&model),
      rows_(closure_rows(model.robot())),
      all_(size()),
      place_(rows_.size()),
      rounded_(model) {
  std::iota(place_.begin(), place_.end(), 0);
  for (const Loop& loop : model.robot().loops) paths_.push_back(path_of(model, loop));
  keep(place_);
  leave_out_constant_rows();
  bring_neighbours_together();
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
  residual.resize(size());
  rate.resize(size());
  bias.resize(size());
  gradients.resize(model_->nv(), size());
}

void ClosureSystem::leave_out_constant_rows() {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-2, 2);
  Configuration<double> at(*model_);
  std::vector<double> q(static_cast<std::size_t>(model_->nq()));
  Eigen::VectorXd change = Eigen::VectorXd::Zero(size());
  for (int posture = 0; posture < 3; ++posture) {
    for (double& x : q) x = uniform(random);
    normalise<double>(*model_, q);
    place<double>(*model_, q, at);
    evaluate(at, q, std::vector<double>(static_cast<std::size_t>(model_->nv())));
    differentiate(at);
    for (Eigen::Index i = 0; i < size(); ++i)
      change[i] = std::max({change[i], gradients.col(i).cwiseAbs().sum(), std::abs(residual[i])});
  }
  std::vector<Eigen::Index> changing;
  for (Eigen::Index i = 0; i < size(); ++i)
    if (change[i] > no_change * model_->nv()) changing.push_back(i);
  keep(changing);
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

void ClosureSystem::be_precise(bool precise) {
  is_precise_ = precise;
  if (precise && !extended_) extended_ = std::make_unique<Extended>(model_->robot());
}

void ClosureSystem::evaluate(const Configuration<double>& at, std::span<const double> q, std::span<const double> v) {
  evaluate_in<double>(*model_, at, q, v, rounded_);
  if (!is_precise_) return;
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
  if (is_precise_)
    differentiate_in<long double>(extended_->model, extended_->at, extended_->state);
  else
    differentiate_in<double>(*model_, at, rounded_);
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

void project(const Model& model, ClosureSystem& closure, Configuration<double>& at, std::span<double> q,
             std::span<double> v) {
  std::vector<double> moved(q.size());
  for (int k = 0; k < most_corrections; ++k) {
    place<double>(model, q, at);
    closure.evaluate(at, q, v);
    closure.differentiate(at);
    if (k > 0 && closure.residual.cwiseAbs().maxCoeff() <= closed) break;
    const Eigen::VectorXd d = -shortest(closure, closure.residual);
    integrate<double>(model, q, {d.data(), v.size()}, moved);
    std::copy(moved.begin(), moved.end(), q.begin());
  }
  Eigen::Map<Eigen::VectorXd>(v.data(), model.nv()) -= shortest(closure, closure.rate);
}

int ClosureSystem::turned_loop() const {
  const std::vector<Loop>& loops = model_->robot().loops;
  for (std::size_t l = 0; l < loops.size(); ++l) {
    const auto& [a, b] = rounded_.frames[l];
    for (const Vec3<double>& d : shared_directions(loops[l]))
      if (dot(a.axis(d), b.axis(d)) < 0) return static_cast<int>(l);
  }
  return -1;
}

std::vector<BodyWrench<double>> ClosureSystem::wrenches(std::span<const double> multipliers) const {
  std::vector<BodyWrench<double>> all;
  for (const Loop& loop : model_->robot().loops) {
    for (const Attachment* end : {&loop.a, &loop.b}) all.push_back({end->body, zero_wrench<double>});
  }
  for (Eigen::Index i = 0; i < size(); ++i) {
    if (row(i).kind == ClosureRow::Kind::coupled) continue;
    const auto l = static_cast<std::size_t>(row(i).loop);
    const double f = multipliers[static_cast<std::size_t>(place_[static_cast<std::size_t>(i)])];
    const auto act = [&](BodyWrench<double>& on, const MovingFrame<double>& frame, const Vec3<double>& moment,
                         const Vec3<double>& force) {
      on.wrench += model_->bodies()[on.body].in_link.to_child(frame.on_link(moment, force));
    };
    const auto& [a, b] = rounded_.frames[l];
    act(all[2 * l], a, value(i).moment_a * f, value(i).force * f);
    act(all[2 * l + 1], b, value(i).moment_b * -f, value(i).force * -f);
  }
  return all;
}

}  // namespace denoc
