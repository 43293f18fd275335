#include "shapes.hpp"

#include <algorithm>

namespace denoc::python {

bool are_same(Lengths x, Lengths y) { return std::equal(x.begin(), x.end(), y.begin(), y.end()); }

nb::object shape_of(const Extent& extent, Lengths states) {
  nb::list shape;
  if (extent.parts > 1) shape.append(extent.parts);
  for (const Py_ssize_t n : states) shape.append(n);
  shape.append(extent.rows);
  if (extent.is_matrix()) shape.append(extent.columns);
  return nb::tuple(shape);
}
bool has_shape(const Buffer& array, const Extent& extent, Lengths states) {
  auto shape = array.shape();
  const auto is_next = [&](int n) {
    if (shape.empty() || shape.front() != n) return false;
    shape = shape.subspan(1);
    return true;
  };
  if (extent.parts > 1 && !is_next(extent.parts)) return false;
  if (shape.size() < states.size() || !are_same(shape.first(states.size()), states)) return false;
  shape = shape.subspan(states.size());
  return is_next(extent.rows) && (!extent.is_matrix() || is_next(extent.columns)) && shape.empty();
}

}  // namespace denoc::python
