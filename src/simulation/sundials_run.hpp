// What runs by SUNDIALS' integrators share, ARKODE's, CVODE's and IDA's: the state as one vector, its tolerances, samples,
// events.
#pragma once
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <exception>
#include <utility>

#include "contacts.hpp"
#include "run.hpp"

namespace denoc::simulation {

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
inline void free_context(SUNContext context) { SUNContext_Free(&context); }
inline void free_solver(SUNLinearSolver solver) { SUNLinSolFree(solver); }

// y = (q, v, strains, work, dissipated, and what else a method solves for). Quaternions are plain numbers here: their
// length is kept by the equations, but not by the method, so what leaves is brought back to unit length and the defect
// is reported.
class SundialsRun {
 public:
  SundialsRun(const Model& model, Run& run, std::size_t more);
  virtual ~SundialsRun() = default;
  void all();

 protected:
  using Context = Freed<SUNContext, free_context>;
  using NVector = Freed<N_Vector, N_VDestroy>;
  using Matrix = Freed<SUNMatrix, SUNMatDestroy>;
  using Solver = Freed<SUNLinearSolver, free_solver>;
  enum class Arrival { inside, at_stop, at_root };

  // One step, at most to `stop`; t: where it ends.
  virtual Arrival advance(double stop, double& t) = 0;
  // y inside the last step, or its derivative of that order.
  virtual void interpolate(double t, int order, N_Vector y) = 0;
  // Starts anew from where the run stands.
  virtual void restart() = 0;
  // What a flag below zero means; nothing if the problem that was kept says it all.
  virtual std::string meaning(int flag) const = 0;
  static constexpr const char *small_step = "the step fell below what the tolerances allow",
                              *no_convergence = "the corrector does not converge",
                              *too_accurate = "the tolerances ask for more than double precision has";

  // What every integrator is told in the same words, each by functions of its own name.
  struct Settings {
    int (*user_data)(void*, void*);
    int (*error_handler)(void*, void (*)(int, const char*, const char*, char*, void*), void*);
    int (*weights)(void*, int (*)(N_Vector y, N_Vector weight, void* self));
    int (*least_step)(void*, double);
    int (*largest_step)(void*, double);
    int (*linear_solver)(void*, SUNLinearSolver, SUNMatrix);
  };
  void set(void* integrator, const Settings& by);
  // It looks for roots of friction's margins, if there is any.
  template <class Root>
  void look_for_roots(void* integrator, int (*init)(void*, int, Root), Root root, int (*set_no_warning)(void*)) {
    const auto roots = static_cast<int>(run_.system().friction().size());
    if (roots == 0) return;
    check(init(integrator, roots, root));
    check(set_no_warning(integrator));
  }
  // What CVODE and ARKODE call for y' and the margins. self: what Settings::user_data was told, a SundialsRun.
  static int slope(double t, N_Vector y, N_Vector rate, void* self);
  static int root(double t, N_Vector y, double* margin, void* self);
  void check(int flag) const;
  static double* data(N_Vector y) { return N_VGetArrayPointer(y); }
  NVector made() const { return NVector(N_VNew_Serial(static_cast<sunindextype>(size()), context_.handle)); }
  // Where System's integrals begin in y, the books among them, and what else a method solves for.
  std::size_t at_integrals() const { return nq_ + nv_; }
  std::size_t at_books() const { return at_more() - books; }
  std::size_t at_more() const { return at_integrals() + run_.system().integrals(); }
  std::size_t size() const { return at_more() + more_; }

  // Runs f in a callback of C, which must not throw: an exception is kept for later. Returns 1 for a smaller step, -1
  // to give up.
  template <class F> int guarded(F&& f) {
    try {
      f();
      return 0;
    } catch (const NoAcceleration& error) {
      run_.problem = error.what();
      return 1;
    } catch (...) {
      thrown_ = std::current_exception();
      return -1;
    }
  }
  // The instant for which y is asked: what jumps at the stop has not jumped yet.
  double instant(double t) const { return std::min(t, latest_); }
  // q of y with quaternions of unit length, good until the next call; and v.
  std::span<const double> q_of(const double* y);
  std::span<const double> v_of(const double* y) const { return {y + nq_, nv_}; }
  // q' at y, after q_of.
  void rates(const double* y, double* rate) const;
  // y' but for what else a method solves for, after an evaluation there.
  void slopes(const double* y, double* rate) const;
  // Margins of friction; at rest they need the forces of an evaluation.
  int margins(double t, N_Vector y, double* margin);
  void write(const Run& run);

  bool controls_books_ = true;
  const Model& model_;
  Run& run_;
  std::size_t nq_, nv_, more_;
  Context context_;
  NVector y_;
  Matrix jacobian_;
  Solver solver_;

 private:
  static int weights(N_Vector y, N_Vector weight, void* self);
  void step();
  // Whether a margin is negative at the end of a step, where it was looked at last, that of a speed by more than it may be
  // wrong: a root is a change of sign, which one that begins there, or at zero, never shows.
  bool is_margin_lost() const;
  // How far into the step to t a sliding joint has come to a standstill and gone on. 0: nowhere.
  double standstill(double t);
  // Steps at most to `stop`, and to no instant at which a contact, or a joint at a standstill, has been passed; t: where it
  // ends.
  Arrival advance_to_contact(double stop, double& t);
  void read(const double* y, std::vector<double>& q, std::vector<double>& v, double& work, double& dissipated);

  Contacts contacts_;
  std::vector<double> q_;
  double latest_ = 0, inside_ = 0;  // inside_: where a step is to end that would have passed something
  std::exception_ptr thrown_ = {};
};

}  // namespace denoc::simulation
