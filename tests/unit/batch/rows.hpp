// Rows of states for batches, what is asked of them, and what each row has to be.
#pragma once
#include <gtest/gtest.h>

#include "batch/state_by_state.hpp"
#include "denoc/batch/batch.hpp"
#include "denoc/mechanism/dynamics.hpp"
#include "support/data.hpp"
#include "support/random_laws.hpp"

namespace denoc::test {
// Rows of states of the mechanism, loops closed and at rest.
struct Rows {
  std::vector<double> q, v, x;
  Rows(const Mechanism& mechanism, Random& random, int count) {
    Dynamics d(mechanism);
    for (int r = 0; r < count; ++r) {
      std::vector<double> posture = mechanism.neutral();
      for (double& each : posture) each += random.uniform(-0.05, 0.05);
      const auto closed = d.assemble(posture);
      q.insert(q.end(), closed.begin(), closed.end());
      for (int k = 0; k < mechanism.nv(); ++k) x.push_back(random.uniform(-1, 1));
    }
    v.assign(x.size(), 0.0);
  }
};
inline std::vector<double> row(const std::vector<double>& all, int r, int n) {
  return {all.begin() + r * n, all.begin() + (r + 1) * n};
}

// What a batch says of rows of states.
struct Answers {
  std::vector<double> y[3];
  std::vector<RowStatus> status;
};
inline const auto problems = {batch::Problem::inverse, batch::Problem::forward, batch::Problem::inverse_derivatives,
                              batch::Problem::forward_derivatives};
inline Answers ask(Batch<double>& batch, batch::Problem problem, int count, const std::vector<double>& q,
                   const std::vector<double>& v, const std::vector<double>& x,
                   Batch<double>::GivenWrenches wrenches = {}) {
  const bool derivatives = problem >= batch::Problem::inverse_derivatives;
  Answers found{{}, std::vector<RowStatus>(std::size_t(count))};
  for (auto& y : std::span(found.y).first(derivatives ? 3 : 1))
    y.resize(derivatives ? x.size() * x.size() / std::size_t(count) : x.size());
  auto& [y, status] = found;
  if (problem == batch::Problem::inverse) batch.inverse_dynamics(q, v, x, y[0], status, wrenches);
  if (problem == batch::Problem::forward) batch.forward_dynamics(q, v, x, y[0], status, wrenches);
  if (problem == batch::Problem::inverse_derivatives)
    batch.inverse_derivatives(q, v, x, y[0], y[1], y[2], status, wrenches);
  if (problem == batch::Problem::forward_derivatives)
    batch.forward_derivatives(q, v, x, y[0], y[1], y[2], status, wrenches);
  return found;
}

// What acts on the rows: on one body in all of them, on others in each row.
template <class E> struct ActingOnRows {
  std::vector<std::pair<int, std::vector<E>>> all;
  ActingOnRows(Random& random, const Model& model, int rows) {
    const int last = int(model.bodies().size()) - 1;
    for (const auto& [body, of] : {std::pair(last, rows), {1, 1}, {(last + 1) / 2, rows}}) {
      all.push_back({body, std::vector<E>(6 * std::size_t(of))});
      for (E& each : all.back().second) each = E(random.uniform(-5, 5));
    }
  }
  std::vector<RowWrenches<E>> on_rows() const {
    std::vector<RowWrenches<E>> given;
    for (const auto& [body, numbers] : all) given.push_back({body, numbers});
    return given;
  }
  std::vector<BodyWrench<double>> on(int r) const {
    std::vector<BodyWrench<double>> given;
    for (const auto& [body, numbers] : all) {
      const E* const w = numbers.data() + (numbers.size() == 6 ? 0 : 6 * r);
      given.push_back({body, {{w[0], w[1], w[2]}, {w[3], w[4], w[5]}}});
    }
    return given;
  }
};
// States of a tree, row by row, in the digits of E.
template <class E> struct TreeRows {
  std::vector<E> q, v, x;
  TreeRows(Random& random, const Model& model, int count) {
    const BasicModel<E> rounded(model.robot());
    for (int r = 0; r < count; ++r) {
      const std::vector<E> here = random_q<E>(random, rounded);
      q.insert(q.end(), here.begin(), here.end());
      for (int k = 0; k < model.nv(); ++k) {
        v.push_back(E(random.uniform(-1, 1)));
        x.push_back(E(random.uniform(-5, 5)));
      }
    }
  }
  static std::vector<double> row(const std::vector<E>& all, int r, int n) {
    return {all.begin() + r * n, all.begin() + (r + 1) * n};
  }
};
// How far y is from what the state of its row has, in roundings of E.
template <class E>
double roundings_off(const Model& model, bool is_inverse, const std::vector<double>& q, const std::vector<double>& v,
                     const std::vector<double>& x, const std::vector<double>& y,
                     const std::vector<BodyWrench<double>>& acting) {
  Machine<double> machine(model, q, v);
  Rounding<double> rounding = rounding_at<double>(model, q, v, acting);
  const auto& [a, tau] = is_inverse ? std::tie(x, y) : std::tie(y, x);
  return times_rounding<double>(machine.inverse(a, acting), tau,
                                is_inverse ? rounding.inverse(a) : rounding.residual(a)) *
         double(std::numeric_limits<double>::epsilon() / std::numeric_limits<E>::epsilon());
}

}  // namespace denoc::test
