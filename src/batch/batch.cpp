#include "denoc/batch/batch.hpp"

#include <algorithm>

#include "denoc/model/arguments.hpp"
#include "kernels.hpp"

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
};

template <class E>
Batch<E>::Batch(const BasicModel<E>& model, Executor& executor)
    : state_(new State{nullptr, model, executor, best_kernels<E>(), {}}) {
  for (int t = 0; t < executor.threads(); ++t) state_->scratch.push_back(state_->kernels.make_scratch(model));
}
template <class E> Batch<E>::Batch(const Mechanism& mechanism, Executor& executor) {
  if (mechanism.has_loops())
    throw NotCovered("a batch does not close loops, and " +
                     (mechanism.name().empty() ? std::string("the robot") : mechanism.name()) +
                     " has some; Dynamics closes them, state by state");
  auto own = std::make_unique<const BasicModel<E>>(mechanism.robot());
  const BasicModel<E>& model = *own;
  state_.reset(new State{std::move(own), model, executor, best_kernels<E>(), {}});
  for (int t = 0; t < executor.threads(); ++t) state_->scratch.push_back(state_->kernels.make_scratch(model));
}
template <class E> Batch<E>::~Batch() {
  for (void* scratch : state_->scratch) state_->kernels.free_scratch(scratch);
}
template <class E> int Batch<E>::lanes() const { return state_->kernels.lanes; }
template <class E> const char* Batch<E>::instruction_set() const { return state_->kernels.instruction_set; }

namespace {

template <class E, class State, class Kernel>
void run(const State& s, Kernel kernel, std::span<const E> q, std::span<const E> v, std::span<const E> x,
         std::span<E> y, std::span<RowStatus> status) {
  const int nq = s.model.nq(), nv = s.model.nv();
  const int count = nv == 0 ? 0 : int(y.size()) / nv;
  require_size(y, count * nv, "the result");
  require_size(q, count * nq, "q");
  require_size(v, count * nv, "v");
  require_size(x, count * nv, "a or tau");
  if (!status.empty()) require_size(status, count, "status");
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
                                std::span<RowStatus> status) {
  run<E>(*state_, state_->kernels.inverse, q, v, a, tau, status);
}
template <class E>
void Batch<E>::forward_dynamics(std::span<const E> q, std::span<const E> v, std::span<const E> tau, std::span<E> a,
                                std::span<RowStatus> status) {
  run<E>(*state_, state_->kernels.forward, q, v, tau, a, status);
}

template class Batch<double>;
template class Batch<float>;

}  // namespace denoc
