#include "denoc/batch/batch.hpp"

#include <algorithm>

#include "beside_packs.hpp"
#include "denoc/model/arguments.hpp"
#include "kernels.hpp"
#include "state_by_state.hpp"

namespace denoc {

namespace {

template <class E> const batch::Kernels<E>& best_kernels() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return batch::avx512_kernels<E>();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return batch::avx2_kernels<E>();
#endif
  return batch::sse2_kernels<E>();
}

// What one thread takes at a time: packs enough to forget the taking, few enough for several shares each.
constexpr int most_packs = 16, shares = 4;

}  // namespace

template <class E> struct Batch<E>::State {
  std::unique_ptr<const BasicModel<E>> own;  // if the batch made it
  const BasicModel<E>& model;
  Executor& executor;
  const batch::Kernels<E>& kernels;
  std::vector<void*> scratch;  // one for each thread
  // Where the mechanism is known: what packs leave out, and rows or robots that need a Dynamics.
  std::optional<batch::BesidePacks<E>> beside{};
  std::optional<batch::StateByState> singly{};
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
  state_->beside.emplace(model, forces, loops, executor.threads(), state_->kernels.lanes);
  state_->singly.emplace(mechanism, executor, forces, loops);
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
  if (!s.singly && !wrenches.empty())
    throw NotCovered("a batch of a tree alone knows no wrenches: make it from the mechanism");
  const batch::AllRows<E> rows{q, v, x, y, status, wrenches};
  if (s.beside && !s.beside->covers_all()) {
    s.singly->template run<E>(problem, rows, count);
    return;
  }
  std::span<const batch::Coupling<E>> couplings;
  if (s.singly) {
    s.singly->require_wrenches(rows, count);
    couplings = s.beside->couplings();
    if (!couplings.empty()) s.singly->take_memory(wrenches.size());
  }
  const bool is_inverse = problem == batch::Problem::inverse;
  const auto kernel = is_inverse ? s.kernels.inverse : s.kernels.forward;
  const int lanes = s.kernels.lanes;
  const auto pack = [&](int thread, int first, int here) {
    const size_t r = size_t(first);
    const E *const qs = q.data() + r * nq, *const vs = v.data() + r * nv, *xs = x.data() + r * nv;
    if (s.beside && !is_inverse) xs = s.beside->loaded(thread, qs, vs, xs, here);
    kernel(s.model, s.scratch[thread],
           {qs, vs, xs, y.data() + r * nv, status.empty() ? nullptr : status.data() + r, here,
            xs == x.data() + r * nv && first + 2 * lanes <= count ? lanes : 0, wrenches, r, couplings});
    if (!s.beside || s.beside->empty()) return;
    for (size_t i = r; i < r + size_t(here); ++i) {
      const auto row = [&](auto all, size_t n) { return all.subspan(i * n, n); };
      const auto at = row(q, size_t(nq)), rates = row(v, size_t(nv));
      const auto result = row(y, size_t(nv));
      if (is_inverse) s.beside->give_to_drives(thread, at, rates, result);
      if (!status.empty() && status[i] == RowStatus::done && !batch::is_finite<E>(result))
        status[i] = RowStatus::not_finite;
      if (couplings.empty()) continue;
      // An open coupling, and a tree that has no accelerations of its own: Dynamics knows.
      const bool is_closed = batch::keeps_closed(couplings, at, rates, is_inverse ? row(x, size_t(nv)) : at.first(0));
      if (!is_closed || !batch::is_finite<E>(result)) s.singly->one(thread, problem, rows, i);
    }
  };
  const int rows_per_chunk = lanes * std::clamp(count / (lanes * shares * s.executor.threads()), 1, most_packs);
  s.executor.run((count + rows_per_chunk - 1) / rows_per_chunk, [&](int thread, int chunk) {
    const int end = std::min(count, (chunk + 1) * rows_per_chunk);
    for (int row = chunk * rows_per_chunk; row < end; row += lanes) pack(thread, row, std::min(lanes, end - row));
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
