// Runs by SUNDIALS' ARKODE: a singly diagonally implicit Runge-Kutta method, ESDIRK4(3)6L[2]SA of Kennedy and Carpenter
// (NASA/TM-2016-219173), six stages of order 4 with an embedded one of order 3, L-stable and stiffly accurate. One step
// knows nothing of those before: after jumps and events it is at full order at once, where multistep methods begin anew.
// Its first stage is where the step begins: a method without one there sees nothing of a kink, or of a pulse that dies
// out, in the first part of a step, and its error is zero.
#include <arkode/arkode_arkstep.h>
#include <fmt/format.h>

#include "denoc/simulation/arkode.hpp"
#include "simulation/sundials_run.hpp"

namespace denoc {
namespace simulation {
namespace {

void free_memory(void* memory) { ARKStepFree(&memory); }

class DiagonallyImplicit final : public SundialsRun {
 public:
  DiagonallyImplicit(const Model& model, Run& run) : SundialsRun(model, run, 0) {
    memory_ = Memory(ARKStepCreate(nullptr, &slope, run.t, y_.handle, context_.handle));
    void* const arkode = memory_.handle;
    // Newton's method would have to converge in the books, too: where heat goes with the square of a fast speed it does not,
    // and its estimate does not see their kinks.
    controls_books_ = false;
    check(ARKStepSetTableNum(arkode, ARKODE_ESDIRK436L2SA_6_3_4, ARKODE_ERK_NONE));
    set(arkode, {ARKStepSetUserData, ARKStepSetErrHandlerFn, ARKStepWFtolerances, ARKStepSetMinStep, ARKStepSetMaxStep,
                 ARKStepSetLinearSolver});
    // How fast Newton's method converged is no promise for a step of another length with the same factors: ARKODE takes it
    // for one, and where equations are linear it would soon take every first guess for the solution.
    check(ARKStepSetNonlinCRDown(arkode, 1));
    look_for_roots(arkode, ARKStepRootInit, &root, ARKStepSetNoInactiveRootWarn);
  }

 private:
  using Memory = Freed<void*, free_memory>;

  Arrival advance(double stop, double& t) override {
    check(ARKStepSetStopTime(memory_.handle, stop));
    const int flag = ARKStepEvolve(memory_.handle, stop, y_.handle, &t, ARK_ONE_STEP);
    check(flag);
    return flag == ARK_TSTOP_RETURN ? Arrival::at_stop : flag == ARK_ROOT_RETURN ? Arrival::at_root : Arrival::inside;
  }
  void interpolate(double t, int order, N_Vector y) override { check(ARKStepGetDky(memory_.handle, t, order, y)); }
  // With a first step of its own: that of before the jump may be longer than what follows.
  void restart() override { check(ARKStepReInit(memory_.handle, nullptr, &slope, run_.t, y_.handle)); }

  std::string meaning(int flag) const override {
    switch (flag) {
      case ARK_RHSFUNC_FAIL:
      case ARK_FIRST_RHSFUNC_ERR:
      case ARK_REPTD_RHSFUNC_ERR:
      case ARK_UNREC_RHSFUNC_ERR:
      case ARK_RTFUNC_FAIL:
        return "";  // the problem says it all
      case ARK_ERR_FAILURE:
        return small_step;
      case ARK_CONV_FAILURE:
        return no_convergence;
      case ARK_TOO_MUCH_ACC:
        return too_accurate;
      default:
        return fmt::format("ARKODE gives up ({})", flag);
    }
  }

  Memory memory_ = {};
};

}  // namespace
}  // namespace simulation

void use_arkode() {
  simulation::run_arkode = [](const Model& model, simulation::Run& run) {
    simulation::DiagonallyImplicit(model, run).all();
  };
}

}  // namespace denoc
