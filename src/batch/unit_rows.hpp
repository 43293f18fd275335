// Rows of q at the door of the packs: quaternions of unit length go as they are, those that are nearly so are normalised
// in a copy, as Dynamics does, and rows with others are refused.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "denoc/batch/batch.hpp"
#include "denoc/model/quaternions.hpp"

namespace denoc::batch {

template <class E> class UnitRows {
 public:
  UnitRows(const BasicModel<E>& model, int threads, int lanes) : nq_(size_t(model.nq())) {
    for (const QuaternionPlace& each : quaternions_of(model.robot())) firsts_.push_back(size_t(each.first));
    if (!firsts_.empty()) hands_.assign(size_t(threads), {std::vector<E>(nq_ * size_t(lanes)), {}});
    for (Hand& hand : hands_) hand.refused.reserve(size_t(lanes));
  }

  // The q of these rows for the packs, which is the given one or a copy of the thread's.
  const E* unit(int thread, const E* q, int rows) {
    if (firsts_.empty()) return q;
    Hand& hand = hands_[size_t(thread)];
    hand.refused.clear();
    bool is_copied = false;
    for (size_t r = 0; r < size_t(rows); ++r)
      for (const size_t first : firsts_) {
        const double s = squared(q + r * nq_ + first);
        if (std::abs(s - 1) <= 4 * double(std::numeric_limits<E>::epsilon())) continue;
        const double length = std::sqrt(s);
        if (!(std::abs(length - 1) < unit_length_error)) {
          hand.refused.push_back(r);
          break;
        }
        if (!is_copied) std::copy_n(q, size_t(rows) * nq_, hand.q.begin());
        is_copied = true;
        for (size_t i = 0; i < 4; ++i) {
          E& x = hand.q[r * nq_ + first + i];
          x = E(double(x) / length);
        }
      }
    return is_copied ? hand.q.data() : q;
  }
  // Those of the last call that have no result.
  std::span<const size_t> refused(int thread) const {
    if (hands_.empty()) return {};
    return hands_[size_t(thread)].refused;
  }

 private:
  static double squared(const E* x) {
    double s = 0;
    for (int i = 0; i < 4; ++i) s += double(x[i]) * double(x[i]);
    return s;
  }
  struct Hand {
    std::vector<E> q;
    std::vector<size_t> refused;
  };
  size_t nq_;
  std::vector<size_t> firsts_;  // of the quaternions in q
  std::vector<Hand> hands_;     // one for each thread
};

}  // namespace denoc::batch
