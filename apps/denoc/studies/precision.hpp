// What every method answers in single, double and extended precision.
#pragma once
#include <memory>
#include <string_view>
#include <vector>

#include "denoc/io/state.hpp"
#include "denoc/model/model.hpp"

namespace denoc::app {

// The error of one method at a state: the largest of its entries, against the first method of its problem in extended
// precision (long double).
struct MethodError {
  std::string_view problem, method;
  double in_float, in_double;  // infinite where the method finds no inertia, or no finite number
  double size;                 // the largest entry of the result itself; infinite if one is not finite
};
inline constexpr std::string_view inverse_dynamics_name = "inverse", inertia_matrix_name = "inertia",
                                  forward_dynamics_name = "forward";

// Forward dynamics at a state: by every method in single precision (none where it finds no inertia), and as it should
// be.
struct Accelerations {
  struct InFloat {
    std::string_view method;
    std::vector<double> a;
  };
  std::vector<InFloat> in_float;
  std::vector<double> exact;
};

class Precisions {
 public:
  explicit Precisions(const Robot& robot);
  ~Precisions();
  Precisions(const Precisions&) = delete;
  Precisions& operator=(const Precisions&) = delete;
  // Of every method of formulations.hpp, and of U D U^T about mass centres. The state is rounded to single precision
  // first, so that all are asked the same. Throws SingularInertia if there is no inertia in extended precision either.
  std::vector<MethodError> errors(const State& state);
  Accelerations accelerations(const State& state);

 private:
  struct All;
  std::unique_ptr<All> all_;
};

}  // namespace denoc::app
