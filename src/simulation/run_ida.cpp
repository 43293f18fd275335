// Runs by SUNDIALS' IDA: the equations of motion as they stand, solved for rates, accelerations and what holds loops
// and joints at rest, all at once. Nothing is factored but the method's own matrix.
#ifdef DENOC_SUNDIALS
#include <fmt/format.h>
#include <ida/ida.h>

#include "sundials_run.hpp"

namespace denoc::simulation {
namespace {

void free_memory(void* memory) { IDAFree(&memory); }

// Index 1:  q' = G(q) v,   I v' + bias = tau + J^T f,   J v' + J'v + 2 s J v + s^2 phi = 0   [Baumgarte 1972]
// f comes last in y. Where rows depend on each other it is the shortest: see System::residual.
class Ida final : public SundialsRun {
 public:
  Ida(const Model& model, Run& run) : SundialsRun(model, run, run.system().conditions()), rates_(made()) {
    memory_ = Memory(IDACreate(context_.handle));
    void* const ida = memory_.handle;
    be_consistent();
    check(IDAInit(ida, &Ida::residual, run.t, y_.handle, rates_.handle));
    set(ida, {IDASetUserData, IDASetErrHandlerFn, IDAWFtolerances, IDASetMinStep, IDASetMaxStep, IDASetLinearSolver});
    // Forces are not differentiated: errors of them are left out of the control of the step.
    const NVector differentiated = made();
    N_VConst(1, differentiated.handle);
    std::fill_n(data(differentiated.handle) + at_more(), more_, 0.0);
    check(IDASetId(ida, differentiated.handle));
    check(IDASetSuppressAlg(ida, SUNTRUE));
    look_for_roots(ida, IDARootInit, &Ida::root_of, IDASetNoInactiveRootWarn);
  }

 private:
  using Memory = Freed<void*, free_memory>;

  static int residual(double t, N_Vector y, N_Vector rate, N_Vector missing, void* self) {
    Ida& ida = static_cast<Ida&>(*static_cast<SundialsRun*>(self));
    return ida.guarded([&] { ida.evaluate(t, data(y), data(rate), data(missing)); });
  }
  static int root_of(double t, N_Vector y, N_Vector, double* margin, void* self) { return root(t, y, margin, self); }

  void evaluate(double t, const double* y, const double* rate, double* missing) {
    System& system = run_.system();
    system.residual(instant(t), q_of(y), v_of(y), {rate + nq_, nv_}, {y + at_more(), more_}, {missing + nq_, nv_},
                    {missing + at_more(), more_});
    rates(y, missing);
    system.write_integrands({missing + at_integrals(), system.integrals()});
    const auto subtract = [&](std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to; ++i) missing[i] = rate[i] - missing[i];
    };
    subtract(0, nq_);
    subtract(at_integrals(), at_more());
  }

  // The rates and forces that belong to where the run stands.
  void be_consistent() {
    System& system = run_.system();
    double *const y = data(y_.handle), *const rate = data(rates_.handle);
    system.evaluate(run_.t, q_of(y), v_of(y));
    slopes(y, rate);
    std::fill_n(rate + at_more(), more_, 0.0);
    system.holding_forces(run_.t, q_of(y), v_of(y), {y + at_more(), more_});
  }

  Arrival advance(double stop, double& t) override {
    check(IDASetStopTime(memory_.handle, stop));
    const int flag = IDASolve(memory_.handle, stop, &t, y_.handle, rates_.handle, IDA_ONE_STEP);
    check(flag);
    return flag == IDA_TSTOP_RETURN ? Arrival::at_stop : flag == IDA_ROOT_RETURN ? Arrival::at_root : Arrival::inside;
  }
  void interpolate(double t, int order, N_Vector y) override { check(IDAGetDky(memory_.handle, t, order, y)); }
  void restart() override {
    be_consistent();
    check(IDAReInit(memory_.handle, run_.t, y_.handle, rates_.handle));
  }

  std::string meaning(int flag) const override {
    switch (flag) {
      case IDA_RES_FAIL:
      case IDA_REP_RES_ERR:
      case IDA_FIRST_RES_FAIL:
      case IDA_RTFUNC_FAIL:
        return "";  // the problem says it all
      case IDA_ERR_FAIL:
        return small_step;
      case IDA_CONV_FAIL:
      case IDA_NLS_FAIL:
        return no_convergence;
      case IDA_LSETUP_FAIL:
      case IDA_LSOLVE_FAIL:
        return "the equations are singular here; a one-step method or bdf may pass";
      case IDA_TOO_MUCH_ACC:
        return too_accurate;
      default:
        return fmt::format("IDA gives up ({})", flag);
    }
  }

  NVector rates_;
  Memory memory_ = {};
};

}  // namespace

void run_ida(const Model& model, Run& run) { Ida(model, run).all(); }

}  // namespace denoc::simulation
#endif
