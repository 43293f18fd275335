#include "state_by_state.hpp"

#include <algorithm>
#include <cmath>

#include "denoc/dynamics/singular_inertia.hpp"
#include "denoc/model/arguments.hpp"

namespace denoc::batch {
namespace {

// What one thread takes at a time.
constexpr int rows_per_chunk = 8;

template <class E> std::span<const E> nth(std::span<const E> all, size_t i, size_t size) {
  return all.size() == size ? all : all.subspan(i * size, size);  // one for all, or one for each
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
  const auto y = rows.y.subspan(i * nv, nv);
  const auto failed = [&](RowStatus status) {
    std::fill(y.begin(), y.end(), std::numeric_limits<E>::quiet_NaN());
    return status;
  };
  if (!is_finite(q) || !is_finite(v) || !is_finite(x)) return failed(RowStatus::not_finite);
  std::copy(q.begin(), q.end(), hand.q.begin());
  std::copy(v.begin(), v.end(), hand.v.begin());
  std::copy(x.begin(), x.end(), hand.x.begin());
  hand.wrenches.clear();
  for (const RowWrenches<E>& each : rows.wrenches) {
    const auto w = nth(each.numbers, i, 6);
    if (!is_finite(w)) return failed(RowStatus::not_finite);
    hand.wrenches.push_back(
        {each.body, {{double(w[0]), double(w[1]), double(w[2])}, {double(w[3]), double(w[4]), double(w[5])}}});
  }
  try {
    const Dynamics::Vector found = problem == Problem::inverse
                                       ? hand.dynamics.inverse(hand.q, hand.v, hand.x, hand.wrenches)
                                       : hand.dynamics.forward(hand.q, hand.v, hand.x, hand.wrenches);
    std::transform(found.begin(), found.end(), y.begin(), [](double each) { return E(each); });
  } catch (const SingularInertia&) {
    return failed(RowStatus::singular);
  } catch (const Error&) {
    return failed(RowStatus::refused);
  }
  return is_finite<E>(y) ? RowStatus::done : failed(RowStatus::not_finite);
}

template <class E> void StateByState::require_wrenches(const AllRows<E>& rows, int count) const {
  for (const RowWrenches<E>& each : rows.wrenches) {
    mechanism_.tree().body(each.body);
    if (each.numbers.size() != 6) require_size(each.numbers, 6 * count, "the wrenches on a body");
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
