// Torques, accelerations and their derivatives at many states, by the library's batches.
#pragma once
#include "core.hpp"
#include "states.hpp"

namespace denoc::python {

// The first of the questions: those that batches answer.
enum class Problem : std::size_t { inverse, forward, inverse_derivatives, forward_derivatives };
inline constexpr std::size_t problems = 4;

// Answers of all states, to be asked with the interpreter held, which is released meanwhile. E: double, or float of torques
// and accelerations. A row without an answer throws AtRow, or has NaN (keep_going).
template <class E>
void compute(Problem problem, Core& core, const Setting& setting, const States<E>& given, std::span<E> answers,
             bool keep_going);

}  // namespace denoc::python
