#include "denoc/scalar/counted.hpp"
#include "ours.hpp"

namespace denoc::benchmarks {

double operations(const Model& model, const std::vector<State>& states, Problem problem) {
  using T = Counted<double>;
  OneCall<T> counting(model, states);
  const OperationCount before = T::count();
  counting.run(problem, 0);
  const OperationCount c = T::count() - before;
  return double(c.mul + c.add + c.div + c.sqrt + c.sincos);
}

}  // namespace denoc::benchmarks
