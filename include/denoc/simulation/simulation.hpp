// Motion from forces: a robot, what drives it and what acts on it, integrated over time.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "denoc/control/controller.hpp"
#include "denoc/dynamics/reactions.hpp"
#include "denoc/error.hpp"
#include "denoc/forces/external_wrenches.hpp"
#include "denoc/forces/ground_contact.hpp"

namespace denoc {

/// How accelerations become motion: integrators() says what each is.
enum class IntegrationMethod { euler, symplectic_euler, backward_euler, rk4, bs23, dopri5, sdirk4, adams, bdf, ida };
/// One of them.
struct Integrator {
  enum class Library { none, cvode, ida, arkode };
  IntegrationMethod method;
  std::string_view name;     // the word for it in files
  std::string_view also[3];  // other words, as many as are not empty
  bool has_fixed_step;       // or a tolerance
  Library library;           // of SUNDIALS, that it needs
  std::string_view what;     // for people
};
/// All of them: the one list.
std::span<const Integrator> integrators();
/// The row of a method.
const Integrator& integrator(IntegrationMethod method);
/// The word for it in files.
std::string_view name_of(IntegrationMethod method);
/// Whether its steps are chosen by rtol and atol, not given.
bool has_tolerances(IntegrationMethod method);
/// Whether it is one of SUNDIALS' methods with several steps: adams, bdf, ida.
bool is_multistep(IntegrationMethod method);

/// A method and how finely it steps. Times in s.
struct IntegratorOptions {
  IntegrationMethod method = IntegrationMethod::dopri5;
  double step = 1e-3;                // of the methods with a fixed step
  double rtol = 1e-8, atol = 1e-10;  // of the others
  double max_step = std::numeric_limits<double>::infinity();
  long max_evaluations = 50'000'000;  // of the accelerations; a run that needs more fails, as soon as that is plain
};

/// Everything a run needs but the robot. Sizes are those of the model; q on the manifold.
struct SimulationSetup {
  std::vector<double> q, v;
  double duration = 0;
  IntegratorOptions integrator = {};
  double every = 0.01;                       // between samples; the last is at the end of the run
  std::shared_ptr<Controller> control = {};  // none: the drives give nothing
  double control_rate = 0;                   // Hz: tau is held between samples of the controller; 0: continuous
  bool effort_limits = false;                // drives give no more than limits.effort of their joint
  std::vector<ExternalWrench> wrenches = {};
  std::optional<GroundContact> ground = {};
  std::string method = {};    // of forward dynamics, see forward_formulations; empty: the first
  double stabilisation = 10;  // 1/s: within steps of SUNDIALS' methods the loops pull themselves shut [Baumgarte 1972]
  bool with_reactions = false;  // samples carry what every joint transmits
};

/// One instant of a run. Spans are good during the call that brings it.
struct Sample {
  double t;
  std::span<const double> q, v, a, tau;  // tau: what the drives give
  double kinetic, potential;             // potential: of gravity, springs, end stops and ground
  double input_power,
      dissipated_power;     // of drives, external wrenches and moving surfaces; of friction, dampers and ground
  double work, dissipated;  // their integrals since the start
  std::span<const Wrench<double>> reactions;  // by body, as joint_reactions says; empty unless asked for
  std::span<const double> multipliers = {};   // of the rows of the loops
};

/// A joint with dry friction comes to rest on its surface, breaks loose from it, or slides on the other way at once.
struct FrictionEvent {
  enum class Kind { stick, slip, turn } kind;
  double t;
  int dof;
  double position;  // of that degree of freedom; 0 where q is a quaternion
};
/// Its word in files: stick, slip, turn.
std::string_view name_of(FrictionEvent::Kind kind);

/// Who watches a run. Each may be empty, and may throw to end it.
struct Observer {
  std::function<void(const Sample&)> sample = {};
  std::function<void(const FrictionEvent&)> event = {};
  std::function<void(double t)> step = {};  // before every step of the integrator
};

/// What a run took, and how well it kept its books.
struct Statistics {
  long steps = 0, rejected = 0, evaluations = 0;
  double least_step = std::numeric_limits<double>::infinity(), largest_step = 0;
  long events = 0;
  // Work in excess of what energy shows: |E(t) - E(0) - work + dissipated|, the largest of all samples; and the largest
  // kinetic energy at the end of a step.
  double balance_defect = 0, largest_kinetic = 0;
  double largest_energy = 0;     // of all terms of that sum, each taken positive
  double loop_defect = 0;        // the largest gap of the loops at a sample, m or rad
  double quaternion_defect = 0;  // of the methods of SUNDIALS: the largest ||q| - 1| before projecting back
  // An explicit method whose steps were kept small by stability, not by accuracy: say so, and name a better one.
  bool stiff = false;
  // Joints that went beyond limits without stiffness, which are no end stops, and when.
  struct Beyond {
    std::string joint;
    double t;
  };
  std::vector<Beyond> beyond_limits = {};
};

/// What people should hear of a run that came to its end: that it was stiff, that joints passed limits, and that its
/// motion is not to be trusted where its own books close worse than the tolerances promise, or by more than a hundredth.
std::vector<std::string> warnings_of(const Statistics& run, const IntegratorOptions& options);

/// A run that could not go on. what() has the time and the cause; the last good state is kept.
class SimulationFailure : public Error {
 public:
  SimulationFailure(const std::string& cause, double time, std::vector<double> last_q, std::vector<double> last_v);
  double t;
  std::vector<double> q, v;
};

/// Runs from 0 to setup.duration; samples at 0, every, 2 every, ... and at the end. The same setup gives the same bits.
/// Throws SimulationFailure, and ArgumentError for a setup that makes no sense.
Statistics simulate(const Model& model, const SimulationSetup& setup, const Observer& observer);

/// Whether this library was built with SUNDIALS, for adams, bdf and ida.
bool has_multistep();
/// Whether the method can be had: it needs nothing of SUNDIALS, or that is there. sdirk4: see arkode.hpp.
bool is_available(IntegrationMethod method);

}  // namespace denoc
