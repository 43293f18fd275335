// denoc itself: one state at a time, and in batches.
#pragma once
#include "denoc/batch/batch.hpp"
#include "denoc/dynamics/formulations.hpp"
#include "peers/peer.hpp"

namespace denoc::benchmarks {

// One call from q to the answer, `place` included.
template <Scalar T> class OneCall {
 public:
  OneCall(const ModelOf<T>& model, const std::vector<State>& states)
      : model_(model),
        at_(model),
        forward_(model),
        factor_(model),
        composite_(model),
        inverting_(model),
        vector_(model.nv()),
        matrix_(size_t(model.nv()) * model.nv()) {
    const auto converted = [](const std::vector<double>& x) {
      std::vector<T> all;
      for (double e : x) all.push_back(T(Real<T>(e)));
      return all;
    };
    for (const State& s : states) states_.push_back({converted(s.q), converted(s.v), converted(s.a), converted(s.tau)});
  }
  void run(Problem problem, int state) {
    const Row& x = states_[state];
    place<T>(model_, x.q, at_);
    switch (problem) {
      case Problem::inverse:
        inverse_dynamics<T>(model_, at_, x.v, x.a, forward_.inverse, vector_);
        break;
      case Problem::forward:
        forward_dynamics<T>(model_, at_, x.v, x.tau, forward_, vector_);
        break;
      case Problem::inertia:
        inertia_matrix<T>(model_, at_, composite_, matrix_);
        break;
      case Problem::inertia_inverse:
        factorize<T>(model_, at_, factor_);
        inertia_inverse<T>(model_, at_, factor_, inverting_, matrix_);
    }
  }
  const std::vector<T>& result(Problem problem) const {
    return problem == Problem::inverse || problem == Problem::forward ? vector_ : matrix_;
  }

 private:
  struct Row {
    std::vector<T> q, v, a, tau;
  };
  const ModelOf<T>& model_;
  Configuration<T> at_;
  ForwardScratch<T> forward_;
  Factor<T> factor_;
  CompositeScratch<T> composite_;
  InertiaInverseScratch<T> inverting_;
  std::vector<T> vector_, matrix_;
  std::vector<Row> states_;
};

// Executed additions, multiplications, divisions and roots of one call; a sine with its cosine counts as one.
double operations(const Model& model, const std::vector<State>& states, Problem problem);

// The first states of `states`, again and again.
template <class E> class InBatches {
 public:
  InBatches(const BasicModel<E>& model, Executor& executor, const std::vector<State>& states, int count)
      : batch_(model, executor), count_(count), out_(size_t(count) * model.nv()) {
    for (int k = 0; k < count; ++k) {
      const State& s = states[k % states.size()];
      q_.insert(q_.end(), s.q.begin(), s.q.end());
      v_.insert(v_.end(), s.v.begin(), s.v.end());
      a_.insert(a_.end(), s.a.begin(), s.a.end());
      tau_.insert(tau_.end(), s.tau.begin(), s.tau.end());
    }
  }
  int count() const { return count_; }
  void run(Problem problem) {
    if (problem == Problem::inverse)
      batch_.inverse_dynamics(q_, v_, a_, out_);
    else
      batch_.forward_dynamics(q_, v_, tau_, out_);
  }
  int lanes() const { return batch_.lanes(); }

 private:
  Batch<E> batch_;
  int count_;
  std::vector<E> q_, v_, a_, tau_, out_;
};

}  // namespace denoc::benchmarks
