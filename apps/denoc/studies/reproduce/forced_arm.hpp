// The experiment of Mohan07: an arm under the torques that its motion needs, with nothing that corrects errors.
#pragma once
#include <Eigen/Core>
#include <limits>

#include "denoc/model/model.hpp"
#include "denoc/motion/trajectory.hpp"

namespace denoc::app {

// The PUMA of Mohan07 with C5 = rho a^2 b as printed, twice what the integral over the bent rod is: the product of
// inertia of link 2 about its joint doubles. No body is like that, one of its principal moments is negative.
Robot with_printed_constant(Robot puma);

// How I a = phi is solved.
enum class Elimination {
  recursive,  // U D U^T joint by joint, on past pivots that are not positive, where denoc itself would refuse
  cholesky    // composite bodies, then Cholesky's method, which ends at such a pivot
};

struct StepControl {
  double tolerance;  // relative and absolute
  double longest = std::numeric_limits<double>::infinity();
  bool operator==(const StepControl&) const = default;
};

struct ForcedRun {
  std::vector<double> t = {};                                 // every millisecond
  std::vector<Eigen::VectorXd> off = {};                      // q and v minus those of the motion
  double stopped = std::numeric_limits<double>::quiet_NaN();  // where it could not go on, if so
  long evaluations = 0;
  double seconds = 0;  // of the processor

  // When joint k is first off by more than this; NaN if never.
  double departure(std::size_t k, double acceptable) const;
  // Of the joints that leave at all, when the first and the last do; NaN if none does.
  struct Departures {
    double first, last;
  };
  Departures departures(double acceptable) const;
};
// From the start of the motion, by Dormand and Prince's pair (the ode45 of the paper) with elementary control of its
// steps [Hairer, Norsett, Wanner II.4]. Joints of one degree of freedom.
ForcedRun forced_run(const Model& model, const Trajectory& motion, Elimination solution, const StepControl& control,
                     double duration);

}  // namespace denoc::app
