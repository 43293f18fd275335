#include "trials.hpp"

#include <cmath>
#include <numbers>

#include "denoc/dynamics/coriolis.hpp"
#include "denoc/dynamics/inertia/composite.hpp"
#include "denoc/dynamics/inertia/inverse.hpp"
#include "denoc/model/manifold.hpp"
#include "table.hpp"

namespace denoc::app {
namespace {

std::vector<double> some(Chance& chance, int n, double most) {
  std::vector<double> x(static_cast<std::size_t>(n));
  for (double& e : x) e = chance.between(-most, most);
  return x;
}

// Anywhere on the manifold; v and a of a lively motion, tau of the size that a needs.
State random_state(Chance& chance, const Model& model, const std::vector<Coordinate>& coordinates) {
  State state;
  for (const Coordinate& c : coordinates) {
    const double most = c.kind == Coordinate::Kind::angle ? std::numbers::pi : 1;
    state.q.push_back(chance.between(-most, most));
  }
  normalise<double>(model, state.q);
  state.v = some(chance, model.nv(), 2);
  state.a = some(chance, model.nv(), 5);
  state.tau.resize(state.v.size());
  Configuration<double> at(model);
  InverseScratch<double> scratch(model);
  place<double>(model, state.q, at);
  inverse_dynamics<double>(model, at, state.v, state.a, scratch, state.tau);
  for (double& tau : state.tau) tau *= chance.between(-2, 2);
  return state;
}

}  // namespace

double Chance::operator()() {
  // Knuth's linear congruence; the upper bits are the good ones.
  state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
  return static_cast<double>(state_ >> 11) / static_cast<double>(1ULL << 53);
}

void require_tryable(const Model& model, std::string_view command) {
  if (model.nv() == 0) throw Failure(Status::numbers, fmt::format("denoc {}: no joint of the robot moves", command));
  if (model.nv() > most_dofs_to_try)
    throw Failure(Status::numbers,
                  fmt::format("denoc {}: {} degrees of freedom are too many, it takes methods of order n^3 up to {}",
                              command, model.nv(), most_dofs_to_try));
}

StateFile trial_states(const StateOptions& options, int at_random, const Model& model) {
  StateFile file{.is_array = true, .states = {}};
  if (options.states.empty()) {
    Chance chance;
    const std::vector<Coordinate> coordinates = coordinates_of(model);
    for (int i = 0; i < at_random; ++i) file.states.push_back(random_state(chance, model, coordinates));
    return file;
  }
  file = load_states(options, model.robot(), {.q = true});
  for (State& state : file.states)
    for (std::vector<double>* x : {&state.v, &state.a, &state.tau}) x->resize(static_cast<std::size_t>(model.nv()));
  return file;
}

State rest(const Model& model) {
  State state;
  for (const Coordinate& c : coordinates_of(model))
    state.q.push_back(c.kind == Coordinate::Kind::quaternion && c.name.ends_with(".qw") ? 1 : 0);
  for (std::vector<double>* x : {&state.v, &state.a, &state.tau}) x->resize(static_cast<std::size_t>(model.nv()));
  return state;
}

Rounding::Rounding(const Model& model)
    : model_(model), n_(static_cast<std::size_t>(model.nv())), dofs_(dofs_of(model)), s_(n_) {}

void Rounding::evaluate(const State& state, const Configuration<double>& at,
                        std::span<const BodyWrench<double>> wrenches) {
  std::vector<double> matrix(n_ * n_), tau(n_);

  // A thin rod's moment about itself is the difference of two large ones: what the model calls rounding in a pivot says
  // how large.
  CompositeScratch<double> composite(model_);
  inertia_matrix<double>(model_, at, composite, matrix);
  for (std::size_t k = 0; k < n_; ++k) {
    const double meeting = model_.pivot_floor(static_cast<int>(k)) / (16 * std::numeric_limits<double>::epsilon());
    s_[k] = std::sqrt(matrix[k * n_ + k] + meeting);
  }
  inertia_ = row_sum(matrix);
  twice_kinetic_ = 0;
  for (std::size_t i = 0; i < n_; ++i)
    for (std::size_t k = 0; k < n_; ++k) twice_kinetic_ += state.v[i] * matrix[i * n_ + k] * state.v[k];

  CoriolisScratch<double> coriolis(model_);
  coriolis_matrix<double>(model_, at, state.v, coriolis, matrix);
  coriolis_ = row_sum(matrix) * motions(state.v);

  InverseScratch<double> inverse_scratch(model_);
  gravity_forces<double>(model_, at, inverse_scratch, tau);
  gravity_ = forces(tau);
  bias_forces<double>(model_, at, state.v, inverse_scratch, tau, wrenches);
  bias_ = forces(tau);

  Factor<double> factor(model_);
  InertiaInverseScratch<double> inertia_inverse_scratch(model_);
  factorize<double>(model_, at, factor);
  inertia_inverse<double>(model_, at, factor, inertia_inverse_scratch, matrix);
  compliance_ = 0;
  for (std::size_t i = 0; i < n_; ++i) {
    double sum = 0;
    for (std::size_t k = 0; k < n_; ++k) sum += std::abs(matrix[i * n_ + k]) * s_[i] * s_[k];
    compliance_ = std::max(compliance_, sum);
  }
}

double Rounding::forces(std::span<const double> tau) const {
  double most = 0;
  for (std::size_t k = 0; k < n_; ++k) most = std::max(most, std::abs(tau[k]) / s_[k]);
  return most;
}
double Rounding::motions(std::span<const double> v) const {
  double most = 0;
  for (std::size_t k = 0; k < n_; ++k) most = std::max(most, std::abs(v[k]) * s_[k]);
  return most;
}
double Rounding::row_sum(std::span<const double> matrix) const {
  double most = 0;
  for (std::size_t i = 0; i < n_; ++i) {
    double sum = 0;
    for (std::size_t k = 0; k < n_; ++k) sum += std::abs(matrix[i * n_ + k]) / (s_[i] * s_[k]);
    most = std::max(most, sum);
  }
  return most;
}

Rounding::Bounds Rounding::inertia() const {
  Bounds bounds;
  for (const double s_i : s_)
    for (const double s_k : s_) bounds.push_back(of(inertia_ * s_i * s_k));
  return bounds;
}
Rounding::Bounds Rounding::inverse(std::span<const double> a, std::span<const double> tau) const {
  const double terms = inertia_ * motions(a) + coriolis_ + gravity_ + bias_ + forces(tau);
  Bounds bounds;
  for (std::size_t k = 0; k < n_; ++k)
    bounds.push_back(of(terms * s_[k] + (dofs_[k].angular ? std::abs(twice_kinetic_) : 0)));
  return bounds;
}
Rounding::Bounds Rounding::residual(std::span<const double> a, std::span<const double> tau) const {
  const double terms = inertia_ * motions(a) + bias_ + forces(tau);
  Bounds bounds;
  for (const double s : s_) bounds.push_back(of(terms * s));
  return bounds;
}
Rounding::Bounds Rounding::forward(std::span<const double> a, std::span<const double> tau) const {
  Bounds bounds = residual(a, tau);
  for (std::size_t k = 0; k < n_; ++k) bounds[k] *= compliance_ / (s_[k] * s_[k]);
  return bounds;
}

}  // namespace denoc::app
