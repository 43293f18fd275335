#include "denoc/batch/batch.hpp"

#include <algorithm>

#include "denoc/forces/forces.hpp"
#include "denoc/model/arguments.hpp"
#include "kernels.hpp"
#include "state_by_state.hpp"

namespace denoc {

namespace {

template <class E> const batch::Kernels<E>& best_kernels() {
#define DENOC_ROW(isa, ...) batch::isa##_kernels<E>,
  static constexpr const batch::Kernels<E>& (*all[])() = {DENOC_FOR_INSTRUCTION_SETS(DENOC_ROW)};
#undef DENOC_ROW
  return all[instruction_set_in_use()]();
}

// The packs that one thread takes at a time: so many that taking them costs next to nothing, so few that every thread
// has several shares.
constexpr int most_packs = 16, shares = 4;

}  // namespace

template <class E> struct Batch<E>::State {
  std::unique_ptr<const BasicModel<E>> own;  // if the batch made it
  const BasicModel<E>& model;
  Executor& executor;
  const batch::Kernels<E>& kernels;
  std::vector<void*> scratch;                   // one for each thread
  std::optional<batch::StateByState> singly{};  // where the mechanism is known
  bool needs_dynamics = false;                  // packs would leave something out
};

template <class E>
Batch<E>::Batch(const BasicModel<E>& model, Executor& executor)
    : state_(new State{nullptr, model, executor, best_kernels<E>(), {}}) {
  for (int t = 0; t < executor.threads(); ++t) state_->scratch.push_back(state_->kernels.make_scratch(model));
}
template <class E> Batch<E>::Batch(const Mechanism& mechanism, Executor& executor, Forces forces, Loops loops) {
  auto own = std::make_unique<const BasicModel<E>>(mechanism.robot());
  const BasicModel<E>& model = *own;
  state_.reset(new State{std::move(own), model, executor, best_kernels<E>(), {}});
  for (int t = 0; t < executor.threads(); ++t) state_->scratch.push_back(state_->kernels.make_scratch(model));
  state_->singly.emplace(mechanism, executor, forces, loops);
  state_->needs_dynamics = (mechanism.has_loops() && loops == Loops::closed) ||
                           (forces == Forces::all && !names_of_forces(mechanism.tree()).empty());
}
template <class E> Batch<E>::~Batch() {
  for (void* scratch : state_->scratch) state_->kernels.free_scratch(scratch);
}
template <class E> int Batch<E>::lanes() const { return state_->kernels.lanes; }
template <class E> const char* Batch<E>::instruction_set() const { return state_->kernels.instruction_set; }

namespace {

template <class E, class State>
void run(State& s, batch::Problem problem, std::span<const E> q, std::span<const E> v, std::span<const E> x,
         std::span<E> y, std::span<RowStatus> status, std::span<const RowWrenches<E>> wrenches) {
  const int nq = s.model.nq(), nv = s.model.nv();
  const int count = nv == 0 ? 0 : int(y.size()) / nv;
  require_size(y, count * nv, "the result");
  require_size(q, count * nq, "q");
  require_size(v, count * nv, "v");
  require_size(x, count * nv, "a or tau");
  if (!status.empty()) require_size(status, count, "status");
  if (s.needs_dynamics || !wrenches.empty()) {
    if (!s.singly) throw NotCovered("a batch of a tree alone knows no wrenches: make it from the mechanism");
    s.singly->template run<E>(problem, {q, v, x, y, status, wrenches}, count);
    return;
  }
  const auto kernel = problem == batch::Problem::inverse ? s.kernels.inverse : s.kernels.forward;
  const int lanes = s.kernels.lanes;
  const int rows_per_chunk = lanes * std::clamp(count / (lanes * shares * s.executor.threads()), 1, most_packs);
  s.executor.run((count + rows_per_chunk - 1) / rows_per_chunk, [&](int thread, int chunk) {
    const int end = std::min(count, (chunk + 1) * rows_per_chunk);
    for (int row = chunk * rows_per_chunk; row < end; row += lanes) {
      const size_t r = size_t(row);
      kernel(s.model, s.scratch[thread],
             {q.data() + r * nq, v.data() + r * nv, x.data() + r * nv, y.data() + r * nv,
              status.empty() ? nullptr : status.data() + r, std::min(lanes, end - row),
              row + 2 * lanes <= count ? lanes : 0});
    }
  });
}

}  // namespace

template <class E>
void Batch<E>::inverse_dynamics(std::span<const E> q, std::span<const E> v, std::span<const E> a, std::span<E> tau,
                                std::span<RowStatus> status, GivenWrenches wrenches) {
  run<E>(*state_, batch::Problem::inverse, q, v, a, tau, status, wrenches);
}
template <class E>
void Batch<E>::forward_dynamics(std::span<const E> q, std::span<const E> v, std::span<const E> tau, std::span<E> a,
                                std::span<RowStatus> status, GivenWrenches wrenches) {
  run<E>(*state_, batch::Problem::forward, q, v, tau, a, status, wrenches);
}

template class Batch<double>;
template class Batch<float>;

}  // namespace denoc
