// Axes of arrays: those of the states, and those of an answer.
#pragma once
#include "arrays.hpp"
#include "questions.hpp"

namespace denoc::python {

using Lengths = std::span<const Py_ssize_t>;

bool are_same(Lengths x, Lengths y);
// Of an answer at all states of the leading axes: these stand between its parts and each of them.
nb::object shape_of(const Extent& extent, Lengths states);
bool has_shape(const Buffer& array, const Extent& extent, Lengths states);

}  // namespace denoc::python
