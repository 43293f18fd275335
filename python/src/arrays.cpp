#include "arrays.hpp"

#include <algorithm>

namespace denoc::python {
namespace {

// Kept for good: the interpreter may be gone when statics end.
nb::object& numpy_empty() {
  static auto* const found = new nb::object(nb::module_::import_("numpy").attr("empty"));
  return *found;
}

nb::object& numpy_array() {
  static auto* const found = new nb::object(nb::module_::import_("numpy").attr("ndarray"));
  return *found;
}

}  // namespace

bool is_plain_array(nb::handle object) { return object.type().is(numpy_array()); }

nb::object new_array(nb::handle shape) { return numpy_empty()(shape); }
nb::object new_array(nb::handle shape, nb::handle dtype) { return numpy_empty()(shape, dtype); }

nb::object array_of(std::span<const double> numbers) { return array_of(numbers, nb::int_(numbers.size())); }
nb::object array_of(std::span<const double> numbers, nb::handle shape) {
  nb::object array = new_array(shape);
  const Buffer buffer(array, true);
  const std::span<double> to = buffer.numbers<double>();
  if (to.size() != numbers.size()) throw std::logic_error("an array of another size than its numbers");
  std::copy(numbers.begin(), numbers.end(), to.begin());
  return array;
}

}  // namespace denoc::python
