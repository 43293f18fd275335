#include "studies/precision.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "denoc/dynamics/formulation.hpp"
#include "denoc/model/manifold.hpp"
#include "studies/mass_centre_udut.hpp"

namespace denoc::app {
namespace {

struct Answer {
  std::string_view problem, method;
  std::vector<long double> values;  // none where the method finds no inertia
};

template <class T> std::vector<T> rounded(const std::vector<double>& x) {
  std::vector<T> all(x.size());
  std::transform(x.begin(), x.end(), all.begin(), [](double e) { return T(float(e)); });
  return all;
}
template <class T> Vec3<T> rounded(const Vec3<double>& x) { return {T(float(x.x)), T(float(x.y)), T(float(x.z))}; }

template <class T> class InPrecision {
 public:
  explicit InPrecision(const Robot& robot)
      : model_(robot),
        at_(model_),
        inverse_(affordable_methods(inverse_formulations<T>(), model_)),
        inertia_(affordable_methods(inertia_formulations<T>(), model_)),
        forward_(affordable_methods(forward_formulations<T>(), model_)),
        about_mass_centres_(model_) {}

  // Where even this finds no inertia there is no answer to hold others against.
  enum class Singular { throws, is_empty };
  std::vector<Answer> answers(const State& state, Singular singular) {
    const std::size_t n = static_cast<std::size_t>(model_.nv());
    std::vector<T> q = rounded<T>(state.q), v = rounded<T>(state.v), a = rounded<T>(state.a),
                   tau = rounded<T>(state.tau);
    normalise<T>(model_, q);
    std::vector<BodyWrench<T>> wrenches;
    for (const StateWrench& w : state.wrenches)
      wrenches.push_back({w.body, {rounded<T>(w.moment), rounded<T>(w.force)}});
    place<T>(model_, q, at_);

    std::vector<Answer> all;
    const auto ask = [&](std::string_view problem, std::string_view method, std::size_t size, auto&& run) {
      std::vector<T> x(size);
      try {
        run(x);
        all.push_back({problem, method, {x.begin(), x.end()}});
      } catch (const SingularInertia&) {
        if (singular == Singular::throws) throw;
        all.push_back({problem, method, {}});
      }
    };
    for (const auto& m : inverse_)
      ask(inverse_dynamics_name, m.name, n, [&](auto& x) { m.run(at_, v, a, x, wrenches); });
    for (const auto& m : inertia_) ask(inertia_matrix_name, m.name, n * n, [&](auto& x) { m.run(at_, x); });
    for (const auto& m : forward_)
      ask(forward_dynamics_name, m.name, n, [&](auto& x) { m.run(at_, v, tau, x, wrenches); });
    ask(forward_dynamics_name, "udut about mass centres", n,
        [&](auto& x) { about_mass_centres_.run(at_, v, tau, x, wrenches); });
    return all;
  }

 private:
  BasicModel<T> model_;
  Configuration<T> at_;
  std::vector<PreparedMethod<InverseProblem<T>>> inverse_;
  std::vector<PreparedMethod<InertiaProblem<T>>> inertia_;
  std::vector<PreparedMethod<ForwardProblem<T>>> forward_;
  MassCentreUdut<T> about_mass_centres_;
};

double error(const Answer& answer, const Answer& exact) {
  if (answer.values.empty()) return std::numeric_limits<double>::infinity();
  double most = 0;
  for (std::size_t k = 0; k < exact.values.size(); ++k) {
    const double e = std::abs(static_cast<double>(answer.values[k] - exact.values[k]));
    if (!std::isfinite(e)) return std::numeric_limits<double>::infinity();
    most = std::max(most, e);
  }
  return most;
}
double size(const Answer& answer) {
  double most = 0;
  for (const long double x : answer.values) {
    if (!std::isfinite(x)) return std::numeric_limits<double>::infinity();
    most = std::max(most, static_cast<double>(std::abs(x)));
  }
  return most;
}

}  // namespace

struct Precisions::All {
  explicit All(const Robot& robot) : in_float(robot), in_double(robot), in_extended(robot) {}
  InPrecision<float> in_float;
  InPrecision<double> in_double;
  InPrecision<long double> in_extended;
};

Precisions::Precisions(const Robot& robot) : all_(std::make_unique<All>(robot)) {}
Precisions::~Precisions() = default;

std::vector<MethodError> Precisions::errors(const State& state) {
  const auto extended = all_->in_extended.answers(state, InPrecision<long double>::Singular::throws);
  const auto twofold = all_->in_double.answers(state, InPrecision<double>::Singular::is_empty);
  const auto single = all_->in_float.answers(state, InPrecision<float>::Singular::is_empty);
  std::vector<MethodError> errors;
  const Answer* first = nullptr;
  for (std::size_t i = 0; i < extended.size(); ++i) {
    if (first == nullptr || first->problem != extended[i].problem) first = &extended[i];
    errors.push_back(
        {first->problem, extended[i].method, error(single[i], *first), error(twofold[i], *first), size(*first)});
  }
  return errors;
}

Accelerations Precisions::accelerations(const State& state) {
  Accelerations found;
  const auto entries = [](const Answer& answer) {
    return std::vector<double>(answer.values.begin(), answer.values.end());
  };
  for (const Answer& answer : all_->in_float.answers(state, InPrecision<float>::Singular::is_empty))
    if (answer.problem == forward_dynamics_name) found.in_float.push_back({answer.method, entries(answer)});
  for (const Answer& answer : all_->in_extended.answers(state, InPrecision<long double>::Singular::throws))
    if (answer.problem == forward_dynamics_name && found.exact.empty()) found.exact = entries(answer);
  return found;
}

}  // namespace denoc::app
