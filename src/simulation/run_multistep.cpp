// Runs by the multistep methods of SUNDIALS' CVODE: Adams, and BDF (Gear's method) for stiff problems.
#ifdef DENOC_SUNDIALS
#include <cvode/cvode.h>
#include <fmt/format.h>

#include "sundials_run.hpp"

namespace denoc::simulation {
namespace {

void free_memory(void* memory) { CVodeFree(&memory); }

class Multistep final : public SundialsRun {
 public:
  Multistep(const Model& model, Run& run) : SundialsRun(model, run, 0) {
    memory_ = Memory(
        CVodeCreate(run.setup().integrator.method == IntegrationMethod::bdf ? CV_BDF : CV_ADAMS, context_.handle));
    void* const cvode = memory_.handle;
    check(CVodeInit(cvode, &slope, run.t, y_.handle));
    set(cvode, {CVodeSetUserData, CVodeSetErrHandlerFn, CVodeWFtolerances, CVodeSetMinStep, CVodeSetMaxStep,
                CVodeSetLinearSolver});
    look_for_roots(cvode, CVodeRootInit, &root, CVodeSetNoInactiveRootWarn);
  }

 private:
  using Memory = Freed<void*, free_memory>;

  Arrival advance(double stop, double& t) override {
    check(CVodeSetStopTime(memory_.handle, stop));
    const int flag = CVode(memory_.handle, stop, y_.handle, &t, CV_ONE_STEP);
    check(flag);
    return flag == CV_TSTOP_RETURN ? Arrival::at_stop : flag == CV_ROOT_RETURN ? Arrival::at_root : Arrival::inside;
  }
  void interpolate(double t, int order, N_Vector y) override { check(CVodeGetDky(memory_.handle, t, order, y)); }
  void restart() override { check(CVodeReInit(memory_.handle, run_.t, y_.handle)); }

  std::string meaning(int flag) const override {
    switch (flag) {
      case CV_RHSFUNC_FAIL:
      case CV_FIRST_RHSFUNC_ERR:
      case CV_REPTD_RHSFUNC_ERR:
      case CV_UNREC_RHSFUNC_ERR:
      case CV_RTFUNC_FAIL:
        return "";  // the problem says it all
      case CV_ERR_FAILURE:
        return small_step;
      case CV_CONV_FAILURE:
        return no_convergence;
      case CV_TOO_MUCH_ACC:
        return too_accurate;
      default:
        return fmt::format("CVODE gives up ({})", flag);
    }
  }

  Memory memory_ = {};
};

}  // namespace

void run_multistep(const Model& model, Run& run) { Multistep(model, run).all(); }

}  // namespace denoc::simulation
#endif
