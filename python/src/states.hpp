// States as questions take them: one, or many in rows.
#pragma once
#include "denoc/batch/batch.hpp"

#include "questions.hpp"

namespace denoc::python {

inline std::size_t width_of(const Given& given, const Mechanism& m) {
  return std::size_t(given.is_posture ? m.nq() : m.nv());
}

// Checks the vectors, asks, and checks the answer. Throws ArgumentError with the joint whose entry is not a finite
// number, and Error for an answer that is none.
void ask(const Question& question, Hand& hand, const Choice& choice, const Vectors& x, Dynamics::GivenWrenches wrenches,
         std::span<double> answer);

// Many states: rows of each vector in turn, and wrenches on bodies.
template <class E> struct States {
  std::size_t count;
  std::array<std::span<const E>, most_vectors> x = {};
  std::span<const RowWrenches<E>> wrenches = {};
};

// What one row has, as Dynamics takes it.
template <class E> struct OneState {
  std::array<std::vector<double>, most_vectors> numbers = {};
  std::vector<BodyWrench<double>> wrenches = {};

  void take(const States<E>& states, const Question& question, const Mechanism& m, std::size_t row) {
    for (std::size_t k = 0; k < question.given.size(); ++k) {
      const std::size_t n = width_of(question.given[k], m);
      const auto part = states.x[k].subspan(row * n, n);
      numbers[k].assign(part.begin(), part.end());
    }
    wrenches.clear();
    for (const RowWrenches<E>& each : states.wrenches) {
      const auto w = each.numbers.subspan(each.numbers.size() == 6 ? 0 : row * 6, 6);
      const auto at = [&](std::size_t k) { return double(w[k]); };
      wrenches.push_back({each.body, {{at(0), at(1), at(2)}, {at(3), at(4), at(5)}}});
    }
  }
  Vectors vectors() const { return {numbers[0], numbers[1], numbers[2], numbers[3]}; }
};

}  // namespace denoc::python
