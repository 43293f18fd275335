// Exceptions of the library as those of the package (denoc/errors.py).
#pragma once
#include <exception>
#include <vector>

#include "denoc/model/robot.hpp"

#include "arrays.hpp"

namespace denoc::python {

// What went wrong at one of many states.
struct AtRow {
  std::size_t row;
  std::exception_ptr cause;
};

// denoc.errors.Fault of each.
nb::list as_python(const std::vector<Fault>& faults);

void translate_errors();

}  // namespace denoc::python
