#include "denoc/batch/batch.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "beside_packs.hpp"
#include "denoc/model/arguments.hpp"
#include "kernels_of.hpp"
#include "state_by_state.hpp"
#include "unit_rows.hpp"

namespace denoc {

namespace {

template <class E> const batch::Kernels<E>& best_kernels() { return batch::kernels_of<E>(instruction_set_in_use()); }

// The packs that one thread takes at a time: so many that taking them costs next to nothing, so few that every thread
// has several shares.
constexpr int most_packs = 16, shares = 4;

}  // namespace

template <class E> struct Batch<E>::State {
  std::unique_ptr<const BasicModel<E>> own;  // if the batch made it
  const BasicModel<E>& model;
  Executor& executor;
  const batch::Kernels<E>& kernels;
  std::vector<void*> scratch;  // one for each thread: see make_scratch()
  batch::UnitRows<E> unit_rows;
  // Where the mechanism is known: what packs leave out, and rows or robots that need a Dynamics.
  std::optional<batch::BesidePacks<E>> beside{};
  std::optional<batch::StateByState> singly{};
  bool closes_loops = false;

  // For derivatives, one for each thread; made when first asked for.
  struct Differentiating {
    void* scratch = nullptr;
    std::vector<E> a = {};               // of the rows of one pack
    std::vector<RowStatus> status = {};  // ... and what forward dynamics says of them
  };
  std::vector<Differentiating> differentiating = {};

  void make_scratch() {
    scratch.reserve(size_t(executor.threads()));  // nothing fails between making one and keeping it
    for (int t = 0; t < executor.threads(); ++t) scratch.push_back(kernels.make_scratch(model));
  }
  ~State() {
    for (void* each : scratch) kernels.free_scratch(each);
    for (const Differentiating& each : differentiating) kernels.derivatives().free_scratch(each.scratch);
  }
};

template <class E>
Batch<E>::Batch(const BasicModel<E>& model, Executor& executor)
    : state_(new State{
          nullptr, model, executor, best_kernels<E>(), {}, {model, executor.threads(), best_kernels<E>().lanes}}) {
  state_->make_scratch();
}
template <class E> Batch<E>::Batch(const Mechanism& mechanism, Executor& executor, Forces forces, Loops loops) {
  auto own = std::make_unique<const BasicModel<E>>(mechanism.robot());
  const BasicModel<E>& model = *own;
  state_.reset(new State{
      std::move(own), model, executor, best_kernels<E>(), {}, {model, executor.threads(), best_kernels<E>().lanes}});
  state_->make_scratch();
  state_->beside.emplace(model, forces, loops, executor.threads(), state_->kernels.lanes);
  state_->singly.emplace(mechanism, executor, forces, loops);
  state_->closes_loops = mechanism.has_loops() && loops == Loops::closed;
}
template <class E> Batch<E>::~Batch() = default;
template <class E> int Batch<E>::lanes() const { return state_->kernels.lanes; }
template <class E> const char* Batch<E>::instruction_set() const { return state_->kernels.instruction_set; }

namespace {

// How many states there are, if the sizes are right. Each has so many results of so many numbers.
template <class E, class State>
int count_of(const State& s, const batch::AllRows<E>& rows, size_t results, size_t numbers) {
  const size_t count = numbers == 0 ? 0 : rows.y[0].size() / numbers;
  const auto require = [&](auto all, size_t each, const char* name) {
    if (all.size() != count * each) throw_wrong_size(name, all.size(), count * each);
  };
  for (size_t k = 0; k < results; ++k) require(rows.y[k], numbers, "the result");
  require(rows.q, size_t(s.model.nq()), "q");
  require(rows.v, size_t(s.model.nv()), "v");
  require(rows.x, size_t(s.model.nv()), "a or tau");
  if (!rows.status.empty()) require(rows.status, 1, "status");
  if (count > size_t(std::numeric_limits<int>::max() / 2))
    throw ArgumentError("a batch has at most 1e9 states: " + std::to_string(count));
  if (!s.singly && !rows.wrenches.empty())
    throw NotCovered("a batch of a tree alone knows no wrenches: make it from the mechanism");
  return int(count);
}
// Rows without a result: NaN in all of it. What is no number is told before what is off unit length, as it is row by
// row.
template <class E, class State>
void refuse(const State& s, std::span<const size_t> refused, size_t first, const batch::AllRows<E>& rows,
            size_t results, size_t numbers) {
  const size_t nq = size_t(s.model.nq()), nv = size_t(s.model.nv());
  for (const size_t row : refused) {
    if (!rows.status.empty())
      rows.status[first + row] =
          batch::is_given(rows, first + row, nq, nv) ? RowStatus::refused : RowStatus::not_finite;
    for (size_t k = 0; k < results; ++k)
      std::fill_n(rows.y[k].data() + (first + row) * numbers, numbers, std::numeric_limits<E>::quiet_NaN());
  }
}
// work(thread, first row, rows) for every pack.
template <class State, class Work> void for_packs(State& s, int count, const Work& work) {
  const int lanes = s.kernels.lanes;
  const int rows_per_chunk = lanes * std::clamp(count / (lanes * shares * s.executor.threads()), 1, most_packs);
  s.executor.run((count + rows_per_chunk - 1) / rows_per_chunk, [&](int thread, int chunk) {
    const int end = std::min(count, (chunk + 1) * rows_per_chunk);
    for (int row = chunk * rows_per_chunk; row < end; row += lanes) work(thread, row, std::min(lanes, end - row));
  });
}

template <class E, class State> void run(State& s, batch::Problem problem, const batch::AllRows<E>& rows) {
  const size_t nq = size_t(s.model.nq()), nv = size_t(s.model.nv());
  const int count = count_of(s, rows, 1, nv), lanes = s.kernels.lanes;
  if (s.beside && !s.beside->covers_all()) {
    s.singly->template run<E>(problem, rows, count);
    return;
  }
  std::span<const batch::Coupling<E>> couplings;
  if (s.singly) {
    s.singly->require_wrenches(rows, count);
    couplings = s.beside->couplings();
    if (!couplings.empty()) s.singly->take_memory(rows.wrenches.size());
  }
  const bool is_inverse = problem == batch::Problem::inverse;
  const auto kernel = is_inverse ? s.kernels.inverse : s.kernels.forward;
  for_packs(s, count, [&](int thread, int first, int here) {
    const size_t r = size_t(first);
    const E *const given_q = rows.q.data() + r * nq, *const vs = rows.v.data() + r * nv,
                   *const given = rows.x.data() + r * nv;
    const E* const qs = s.unit_rows.unit(thread, given_q, here);
    const E* const xs = s.beside && !is_inverse ? s.beside->loaded(thread, qs, vs, given, here) : given;
    kernel(s.model, s.scratch[size_t(thread)],
           {qs, vs, xs, rows.y[0].data() + r * nv, rows.status.empty() ? nullptr : rows.status.data() + r, here,
            xs == given && qs == given_q && first + 2 * lanes <= count ? lanes : 0, rows.wrenches, r, couplings});
    refuse(s, s.unit_rows.refused(thread), r, rows, 1, nv);
    if (!s.beside || s.beside->empty()) return;
    for (size_t i = r; i < r + size_t(here); ++i) {
      const auto row = [&](auto all, size_t n) { return all.subspan(i * n, n); };
      const std::span<const E> at(qs + (i - r) * nq, nq), rates = row(rows.v, nv);
      const auto result = row(rows.y[0], nv);
      if (is_inverse) s.beside->give_to_drives(thread, at, rates, result);
      if (!rows.status.empty() && rows.status[i] == RowStatus::done && !batch::is_finite<E>(result))
        rows.status[i] = RowStatus::not_finite;
      if (couplings.empty()) continue;
      // An open coupling, and a tree that has no accelerations of its own: Dynamics knows.
      const bool is_closed = batch::keeps_closed(couplings, at, rates, is_inverse ? row(rows.x, nv) : at.first(0));
      if (!is_closed || !batch::is_finite<E>(result)) s.singly->one(thread, problem, rows, i);
    }
  });
}

template <class State> void take_memory_for_derivatives(State& s) {
  const size_t threads = size_t(s.executor.threads()), lanes = size_t(s.kernels.lanes);
  s.differentiating.reserve(threads);  // nothing fails between making one and keeping it
  while (s.differentiating.size() < threads) {
    typename State::Differentiating own;
    own.a.resize(lanes * size_t(s.model.nv()));
    own.status.resize(lanes);
    own.scratch = s.kernels.derivatives().make_scratch(s.model);
    s.differentiating.push_back(std::move(own));
  }
}

template <class State> void differentiate(State& s, batch::Problem problem, const batch::AllRows<double>& rows) {
  const size_t nq = size_t(s.model.nq()), nv = size_t(s.model.nv()), numbers = nv * nv;
  const int count = count_of(s, rows, 3, numbers);
  // Packs know the tree alone.
  if (s.singly && (!s.beside->empty() || !rows.wrenches.empty())) {
    s.singly->template run<double>(problem, rows, count);
    return;
  }
  take_memory_for_derivatives(s);
  const bool forward = problem == batch::Problem::forward_derivatives;
  const auto kernel = forward ? s.kernels.derivatives().forward : s.kernels.derivatives().inverse;
  for_packs(s, count, [&](int thread, int row, int here) {
    const size_t r = size_t(row);
    auto& own = s.differentiating[size_t(thread)];
    batch::Rows<double> part{s.unit_rows.unit(thread, rows.q.data() + r * nq, here),
                             rows.v.data() + r * nv,
                             rows.x.data() + r * nv,
                             own.a.data(),
                             own.status.data(),
                             here,
                             0};
    std::fill(own.status.begin(), own.status.end(), RowStatus::done);
    if (forward) {
      s.kernels.forward(s.model, s.scratch[size_t(thread)], part);
      part.x = own.a.data();
    }
    std::array<double*, 3> to{};
    for (size_t k = 0; k < to.size(); ++k) to[k] = rows.y[k].data() + r * numbers;
    kernel(s.model, own.scratch, part, {to[0], to[1], to[2]});
    for (size_t l = 0; l < size_t(here); ++l) {
      if (!rows.status.empty()) rows.status[r + l] = own.status[l];
      if (own.status[l] == RowStatus::done) continue;
      for (double* each : to) std::fill_n(each + l * numbers, numbers, std::numeric_limits<double>::quiet_NaN());
    }
    refuse(s, s.unit_rows.refused(thread), r, rows, 3, numbers);
  });
}

}  // namespace

template <class E>
void Batch<E>::inverse_dynamics(std::span<const E> q, std::span<const E> v, std::span<const E> a, std::span<E> tau,
                                std::span<RowStatus> status, GivenWrenches wrenches) {
  run<E>(*state_, batch::Problem::inverse, {q, v, a, {tau}, status, wrenches});
}
template <class E>
void Batch<E>::forward_dynamics(std::span<const E> q, std::span<const E> v, std::span<const E> tau, std::span<E> a,
                                std::span<RowStatus> status, GivenWrenches wrenches) {
  run<E>(*state_, batch::Problem::forward, {q, v, tau, {a}, status, wrenches});
}

template <class E>
void Batch<E>::inverse_derivatives(std::span<const E> q, std::span<const E> v, std::span<const E> a, std::span<E> dq,
                                   std::span<E> dv, std::span<E> da, std::span<RowStatus> status,
                                   GivenWrenches wrenches) requires std::is_same_v<E, double> {
  if (state_->closes_loops)
    throw NotCovered(
        "the derivatives of tau are those of the tree with the loops cut open: make the batch with Loops::open");
  if constexpr (std::is_same_v<E, double>)  // clang 14 compiles it for float, too
    differentiate(*state_, batch::Problem::inverse_derivatives, {q, v, a, {dq, dv, da}, status, wrenches});
}
template <class E>
void Batch<E>::forward_derivatives(std::span<const E> q, std::span<const E> v, std::span<const E> tau, std::span<E> dq,
                                   std::span<E> dv, std::span<E> dtau, std::span<RowStatus> status,
                                   GivenWrenches wrenches) requires std::is_same_v<E, double> {
  if constexpr (std::is_same_v<E, double>)  // clang 14 compiles it for float, too
    differentiate(*state_, batch::Problem::forward_derivatives, {q, v, tau, {dq, dv, dtau}, status, wrenches});
}

template class Batch<double>;
template class Batch<float>;

}  // namespace denoc
