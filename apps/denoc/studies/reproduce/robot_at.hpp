// A robot at a state: the matrices and vectors that the documents list.
#pragma once
#include "denoc/dynamics/coriolis.hpp"
#include "denoc/dynamics/formulations.hpp"
#include "denoc/io/load.hpp"
#include "studies/condition.hpp"

namespace denoc::app {

using Numbers = std::vector<double>;

inline double largest_difference(const Numbers& x, const Numbers& y) {
  double worst = 0;
  for (std::size_t i = 0; i < x.size(); ++i) worst = std::max(worst, std::abs(x[i] - y[i]));
  return worst;
}

// "1.5, 0, -2": six digits each, rounding of the largest as 0.
std::string listed(const Numbers& x);

inline Robot shipped(const std::string& name) { return load(find_robot(name)); }

class RobotAt {
 public:
  RobotAt(const Model& model, Numbers q, Numbers v)
      : model_(model),
        n_(static_cast<std::size_t>(model.nv())),
        v_(std::move(v)),
        at_(model),
        forward_(model),
        factor_(model),
        dense_(model),
        composite_(model),
        inverting_(model) {
    place<double>(model_, q, at_);
  }

  Numbers inertia() {
    Numbers I(n_ * n_);
    inertia_matrix<double>(model_, at_, composite_, I);
    return I;
  }
  // U (by rows) and D of I = U D U^T.
  std::pair<Numbers, Numbers> factors() {
    Numbers U(n_ * n_), D(n_);
    factorize<double>(model_, at_, factor_);
    unit_upper<double>(model_, at_, factor_, dense_, U);
    pivots<double>(factor_, D);
    return {U, D};
  }
  double condition_number() {
    Numbers inverse(n_ * n_);
    factorize<double>(model_, at_, factor_);
    inertia_inverse<double>(model_, at_, factor_, inverting_, inverse);
    return condition(inertia(), inverse, model_.nv());
  }
  Numbers torques(const Numbers& a) { return torques_for(v_, a); }
  Numbers gravity() { return torques_for(Numbers(n_), Numbers(n_)); }
  // Coriolis and centrifugal forces.
  Numbers velocity_forces() {
    Numbers forces = torques(Numbers(n_));
    const Numbers weight = gravity();
    for (std::size_t k = 0; k < n_; ++k) forces[k] -= weight[k];
    return forces;
  }
  Numbers accelerations(const Numbers& tau) {
    Numbers a(n_);
    forward_dynamics<double>(model_, at_, v_, tau, forward_, a);
    return a;
  }
  // Rows of a table, one for each method: its name, and what it finds for these forces or accelerations.
  std::vector<std::vector<std::string>> by_each(const auto& methods, const Numbers& given) {
    std::vector<std::vector<std::string>> rows;
    Numbers found(n_);
    for (const auto& method : methods) {
      method.prepare(model_)(at_, v_, given, found, {});
      rows.push_back({"`" + std::string(method.name) + "`", listed(found)});
    }
    return rows;
  }

 private:
  Numbers torques_for(const Numbers& v, const Numbers& a) {
    Numbers tau(n_);
    inverse_dynamics<double>(model_, at_, v, a, forward_.inverse, tau);
    return tau;
  }

  const Model& model_;
  std::size_t n_;
  Numbers v_;
  Configuration<double> at_;
  ForwardScratch<double> forward_;
  Factor<double> factor_;
  DenseScratch<double> dense_;
  CompositeScratch<double> composite_;
  InertiaInverseScratch<double> inverting_;
};

}  // namespace denoc::app
