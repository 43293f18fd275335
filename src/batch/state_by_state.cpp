#include "state_by_state.hpp"

#include <algorithm>
#include <cmath>

#include "denoc/dynamics/singular_inertia.hpp"
#include "denoc/model/arguments.hpp"

namespace denoc::batch {
namespace {

// What one thread takes at a time.
constexpr int rows_per_chunk = 8;

// The answer, as it stands in the memory of `d`.
std::array<std::span<const double>, 3> answer(Problem problem, Dynamics& d, Dynamics::Vector q, Dynamics::Vector v,
                                              Dynamics::Vector x, Dynamics::GivenWrenches wrenches) {
  switch (problem) {
    case Problem::inverse:
      return {d.inverse(q, v, x, wrenches)};
    case Problem::forward:
      return {d.forward(q, v, x, wrenches)};
    case Problem::inverse_derivatives: {
      const auto [dq, dv, da] = d.inverse_derivatives(q, v, x, wrenches);
      return {dq.entries(), dv.entries(), da.entries()};
    }
    default: {
      const auto [dq, dv, dtau] = d.forward_derivatives(q, v, x, wrenches);
      return {dq.entries(), dv.entries(), dtau.entries()};
    }
  }
}

}  // namespace

void StateByState::take_memory(size_t wrenches) {
  while (hands_.size() < size_t(executor_.threads()))
    hands_.push_back({Dynamics(mechanism_, forces_, loops_),
                      std::vector<double>(size_t(mechanism_.nq())),
                      std::vector<double>(size_t(mechanism_.nv())),
                      std::vector<double>(size_t(mechanism_.nv())),
                      {}});
  for (Hand& hand : hands_) hand.wrenches.reserve(wrenches);
}

template <class E> RowStatus StateByState::row(Problem problem, const AllRows<E>& rows, size_t i, Hand& hand) const {
  const size_t nq = hand.q.size(), nv = hand.v.size();
  const auto q = rows.q.subspan(i * nq, nq), v = rows.v.subspan(i * nv, nv), x = rows.x.subspan(i * nv, nv);
  std::array<std::span<E>, 3> y;
  const size_t numbers = problem == Problem::inverse || problem == Problem::forward ? nv : nv * nv;
  for (size_t k = 0; k < y.size(); ++k)
    if (!rows.y[k].empty()) y[k] = rows.y[k].subspan(i * numbers, numbers);
  const auto failed = [&](RowStatus status) {
    for (const auto& each : y) std::fill(each.begin(), each.end(), std::numeric_limits<E>::quiet_NaN());
    return status;
  };
  if (!is_given(rows, i, nq, nv)) return failed(RowStatus::not_finite);
  std::copy(q.begin(), q.end(), hand.q.begin());
  std::copy(v.begin(), v.end(), hand.v.begin());
  std::copy(x.begin(), x.end(), hand.x.begin());
  hand.wrenches.clear();
  for (const RowWrenches<E>& each : rows.wrenches) {
    const auto w = row_of(each, i);
    hand.wrenches.push_back(
        {each.body, {{double(w[0]), double(w[1]), double(w[2])}, {double(w[3]), double(w[4]), double(w[5])}}});
  }
  try {
    const auto found = answer(problem, hand.dynamics, hand.q, hand.v, hand.x, hand.wrenches);
    for (size_t k = 0; k < y.size(); ++k)
      std::transform(found[k].begin(), found[k].end(), y[k].begin(), [](double each) { return E(each); });
  } catch (const SingularInertia&) {
    return failed(RowStatus::singular);
  } catch (const NotFinite&) {
    return failed(RowStatus::not_finite);
  } catch (const Error&) {
    return failed(RowStatus::refused);
  }
  for (const auto& each : y)
    if (!is_finite<E>(each)) return failed(RowStatus::not_finite);
  return RowStatus::done;
}

template <class E> void StateByState::require_wrenches(const AllRows<E>& rows, int count) const {
  for (const RowWrenches<E>& each : rows.wrenches) {
    mechanism_.tree().body(each.body);
    if (each.body == 0) throw ArgumentError("wrenches: body 0 is the world, which does not move");
    const size_t all = 6 * size_t(count);
    if (each.numbers.size() != 6 && each.numbers.size() != all)
      throw_wrong_size("the wrenches on a body", each.numbers.size(), all);
  }
}

template <class E> void StateByState::one(int thread, Problem problem, const AllRows<E>& rows, size_t i) {
  const RowStatus status = row(problem, rows, i, hands_[size_t(thread)]);
  if (!rows.status.empty()) rows.status[i] = status;
}

template <class E> void StateByState::run(Problem problem, const AllRows<E>& rows, int count) {
  require_wrenches(rows, count);
  take_memory(rows.wrenches.size());
  executor_.run((count + rows_per_chunk - 1) / rows_per_chunk, [&](int thread, int chunk) {
    const int end = std::min(count, (chunk + 1) * rows_per_chunk);
    for (int i = chunk * rows_per_chunk; i < end; ++i) one(thread, problem, rows, size_t(i));
  });
}

#define DENOC_ROWS(E)                                                         \
  template void StateByState::require_wrenches(const AllRows<E>&, int) const; \
  template void StateByState::one(int, Problem, const AllRows<E>&, size_t);   \
  template void StateByState::run(Problem, const AllRows<E>&, int);
DENOC_ROWS(double)
DENOC_ROWS(float)
#undef DENOC_ROWS

}  // namespace denoc::batch
