// Runs by the multistep methods of SUNDIALS' CVODE: Adams, and BDF (Gear's method) for stiff problems.
#include "run.hpp"

#ifndef DENOC_SUNDIALS

namespace denoc {
bool has_multistep() { return false; }
void simulation::run_multistep(const Model&, Run& run) {
  run.fail("the methods adams and bdf need SUNDIALS (libsundials-dev); this denoc was built without it");
}
}  // namespace denoc

#else

#include <cvode/cvode.h>
#include <fmt/format.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <cmath>
#include <exception>

#include "denoc/model/manifold.hpp"

namespace denoc {

bool has_multistep() { return true; }

namespace simulation {
namespace {

template <class T, void (*free)(T)> struct Freed {
  T handle = nullptr;
  Freed() = default;
  explicit Freed(T made) : handle(made) {}
  Freed(Freed&& other) noexcept : handle(std::exchange(other.handle, nullptr)) {}
  Freed& operator=(Freed&& other) noexcept {
    std::swap(handle, other.handle);
    return *this;
  }
  ~Freed() {
    if (handle != nullptr) free(handle);
  }
};
void free_context(SUNContext context) { SUNContext_Free(&context); }
void free_memory(void* memory) { CVodeFree(&memory); }
void free_solver(SUNLinearSolver solver) { SUNLinSolFree(solver); }

// y = (q, v, strain, work, dissipated). Quaternions are plain numbers here: their length is kept by the equations, but
// not by the method, so what leaves is brought back to unit length and the defect is reported.
class Multistep {
 public:
  Multistep(const Model& model, Run& run)
      : model_(model),
        run_(run),
        nq_(run.q.size()),
        nv_(run.v.size()),
        y_(N_VNew_Serial(static_cast<sunindextype>(nq_ + nv_ + 3), context_.handle)),
        q_(nq_) {
    write(run.q, run.v, run.work, run.dissipated);
    const IntegratorOptions& options = run.setup().integrator;
    const bool is_bdf = options.method == IntegrationMethod::bdf;
    memory_ = Memory(CVodeCreate(is_bdf ? CV_BDF : CV_ADAMS, context_.handle));
    void* const cvode = memory_.handle;
    check(CVodeInit(cvode, &Multistep::slope, run.t, y_.handle));
    check(CVodeSetUserData(cvode, this));
    check(CVodeSetErrHandlerFn(
        cvode, [](int, const char*, const char*, char*, void*) {}, nullptr));  // told by flags
    tolerances_ = NVector(N_VNew_Serial(static_cast<sunindextype>(nq_ + nv_ + 3), context_.handle));
    N_VConst(options.atol, tolerances_.handle);
    // The integrals of power follow; they do not lead.
    for (std::size_t i = nq_ + nv_ + 1; i < nq_ + nv_ + 3; ++i) data(tolerances_.handle)[i] = 1e30;
    check(CVodeSVtolerances(cvode, options.rtol, tolerances_.handle));
    check(CVodeSetMinStep(cvode, 16 * std::numeric_limits<double>::epsilon() * run.end()));
    if (std::isfinite(options.max_step)) check(CVodeSetMaxStep(cvode, options.max_step));
    const auto n = static_cast<sunindextype>(nq_ + nv_ + 3);
    jacobian_ = Matrix(SUNDenseMatrix(n, n, context_.handle));
    solver_ = Solver(SUNLinSol_Dense(y_.handle, jacobian_.handle, context_.handle));
    check(CVodeSetLinearSolver(cvode, solver_.handle, jacobian_.handle));
    if (run.system().margins() > 0) {
      check(CVodeRootInit(cvode, static_cast<int>(run.system().margins()), &Multistep::margins));
      check(CVodeSetNoInactiveRootWarn(cvode));
    }
  }

  void all() {
    while (run_.t < run_.end()) {
      run_.require_work();
      step();
    }
  }

 private:
  using Context = Freed<SUNContext, free_context>;
  using Memory = Freed<void*, free_memory>;
  using NVector = Freed<N_Vector, N_VDestroy>;
  using Matrix = Freed<SUNMatrix, SUNMatDestroy>;
  using Solver = Freed<SUNLinearSolver, free_solver>;

  static Context make_context() {
    SUNContext context = nullptr;
    if (SUNContext_Create(nullptr, &context) != 0) throw std::bad_alloc();
    return Context(context);
  }
  static double* data(N_Vector y) { return N_VGetArrayPointer(y); }

  static int slope(double t, N_Vector y, N_Vector rate, void* self) {
    return static_cast<Multistep*>(self)->guarded([&](Multistep& m) { m.evaluate(t, data(y), data(rate)); });
  }
  static int margins(double t, N_Vector y, double* margin, void* self) {
    return static_cast<Multistep*>(self)->guarded([&](Multistep& m) {
      if (m.margins_need_forces()) m.evaluate(t, data(y), nullptr);
      m.run_.system().margin_values({data(y) + m.nq_, m.nv_}, {margin, m.run_.system().margins()});
    });
  }
  // What C callbacks may not throw is kept: 1 asks for a smaller step, -1 gives up.
  template <class F> int guarded(F&& f) {
    try {
      f(*this);
      return 0;
    } catch (const NoAcceleration& error) {
      problem_ = error.what();
      return 1;
    } catch (...) {
      thrown_ = std::current_exception();
      return -1;
    }
  }

  void evaluate(double t, const double* y, double* rate) {
    std::copy_n(y, nq_, q_.begin());
    normalise<double>(model_, q_);
    const std::span<const double> v(y + nq_, nv_);
    run_.system().evaluate(std::min(t, latest_), q_, v);
    if (rate == nullptr) return;
    detail::for_joints<double>(
        model_, [&](int i, int k) { rate[i] = v[k]; },
        [&](int i, int k) {  // q' = q (0, w) / 2
          const Quaternion<double> turn = Quaternion<double>{y[i], y[i + 1], y[i + 2], y[i + 3]} *
                                          Quaternion<double>{0, v[k] / 2, v[k + 1] / 2, v[k + 2] / 2};
          detail::store<double>(turn, {rate, nq_}, i);
        },
        [&](int i, int k) {
          const Vec3<double> p =
              rotation(detail::quaternion<double>(q_, i + 3)) * Vec3<double>{v[k + 3], v[k + 4], v[k + 5]};
          rate[i] = p.x, rate[i + 1] = p.y, rate[i + 2] = p.z;
        });
    std::copy(run_.system().a().begin(), run_.system().a().end(), rate + nq_);
    rate[nq_ + nv_] = run_.system().strain();
    rate[nq_ + nv_ + 1] = run_.system().input_power();
    rate[nq_ + nv_ + 2] = run_.system().dissipated_power();
  }

  bool margins_need_forces() const {
    for (std::size_t i = 0; i < run_.system().margins(); ++i) {
      if (run_.system().dry(i).mode == DryFriction::Mode::rest) return true;
    }
    return false;
  }

  void step() {
    const double stop = run_.next_stop(), from = run_.t;
    check(CVodeSetStopTime(memory_.handle, stop));
    latest_ = std::nextafter(stop, from);  // what jumps at the stop has not jumped yet
    double t = from;
    const int flag = CVode(memory_.handle, stop, y_.handle, &t, CV_ONE_STEP);
    if (thrown_) std::rethrow_exception(thrown_);
    if (flag < 0) run_.fail(cause(flag));
    Statistics& statistics = run_.statistics();
    ++statistics.steps;
    statistics.least_step = std::min(statistics.least_step, t - from);
    statistics.largest_step = std::max(statistics.largest_step, t - from);
    NVector inside(N_VClone(y_.handle));
    run_.sample_before(t, [&](double due, Run::Instant& at) {
      check(CVodeGetDky(memory_.handle, due, 0, inside.handle));
      at.q.resize(nq_);
      at.v.resize(nv_);
      read(data(inside.handle), at.q, at.v, at.work, at.dissipated);
      run_.system().close_loops(at.q, at.v);
    });
    run_.t = flag == CV_TSTOP_RETURN ? stop : t;
    read(data(y_.handle), run_.q, run_.v, run_.work, run_.dissipated);
    run_.system().close_loops(run_.q, run_.v);
    if (!run_.arrive(flag == CV_ROOT_RETURN)) return;
    write(run_.q, run_.v, run_.work, run_.dissipated);
    check(CVodeReInit(memory_.handle, run_.t, y_.handle));
  }

  void write(std::span<const double> q, std::span<const double> v, double work, double dissipated) {
    double* const y = data(y_.handle);
    std::copy(q.begin(), q.end(), y);
    std::copy(v.begin(), v.end(), y + nq_);
    y[nq_ + nv_] = 0;
    y[nq_ + nv_ + 1] = work;
    y[nq_ + nv_ + 2] = dissipated;
  }
  void read(const double* y, std::vector<double>& q, std::vector<double>& v, double& work, double& dissipated) {
    std::copy_n(y, nq_, q.begin());
    std::copy_n(y + nq_, nv_, v.begin());
    work = y[nq_ + nv_ + 1];
    dissipated = y[nq_ + nv_ + 2];
    double& worst = run_.statistics().quaternion_defect;
    const auto measure = [&](int i, int) {
      worst = std::max(worst, std::abs(std::hypot(std::hypot(y[i], y[i + 1]), std::hypot(y[i + 2], y[i + 3])) - 1));
    };
    detail::for_joints<double>(
        model_, [](int, int) {}, measure, [](int, int) {});
    normalise<double>(model_, q);
  }

  std::string cause(int flag) const {
    if (flag == CV_RHSFUNC_FAIL || flag == CV_FIRST_RHSFUNC_ERR || flag == CV_REPTD_RHSFUNC_ERR ||
        flag == CV_UNREC_RHSFUNC_ERR || flag == CV_RTFUNC_FAIL) {
      return problem_;
    }
    const std::string what = flag == CV_ERR_FAILURE    ? "the step fell below what the tolerances allow"
                             : flag == CV_CONV_FAILURE ? "the corrector does not converge"
                             : flag == CV_TOO_MUCH_ACC ? "the tolerances ask for more than double precision has"
                                                       : fmt::format("CVODE gives up ({})", flag);
    return problem_.empty() ? what : fmt::format("{}: {}", what, problem_);
  }
  void check(int flag) const {
    if (flag < 0) run_.fail(cause(flag));
  }

  const Model& model_;
  Run& run_;
  std::size_t nq_, nv_;
  Context context_ = make_context();
  NVector y_, tolerances_ = {};
  Matrix jacobian_ = {};
  Solver solver_ = {};
  Memory memory_ = {};
  std::vector<double> q_;
  double latest_ = 0;
  std::string problem_ = {};  // the last that asked for a smaller step
  std::exception_ptr thrown_ = {};
};

}  // namespace

void run_multistep(const Model& model, Run& run) { Multistep(model, run).all(); }

}  // namespace simulation
}  // namespace denoc

#endif
