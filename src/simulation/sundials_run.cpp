#ifndef DENOC_SUNDIALS
#include <fmt/format.h>

#include "run.hpp"

namespace denoc {
bool has_multistep() { return false; }

namespace simulation {
void run_multistep(const Model&, Run& run) {
  run.fail(fmt::format("method {} needs SUNDIALS (libsundials-dev); this denoc was built without it",
                       name_of(run.setup().integrator.method)));
}
void run_ida(const Model& model, Run& run) { run_multistep(model, run); }
}  // namespace simulation
}  // namespace denoc

#else
#include "sundials_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cubic.hpp"
#include "denoc/model/manifold.hpp"

namespace denoc {

bool has_multistep() { return true; }

namespace simulation {
namespace {

SUNContext make_context() {
  SUNContext context = nullptr;
  if (SUNContext_Create(nullptr, &context) != 0) throw std::bad_alloc();
  return context;
}

}  // namespace

SundialsRun::SundialsRun(const Model& model, Run& run, std::size_t more)
    : model_(model),
      run_(run),
      nq_(run.q.size()),
      nv_(run.v.size()),
      more_(more),
      context_(make_context()),
      y_(made()),
      jacobian_(SUNDenseMatrix(static_cast<sunindextype>(size()), static_cast<sunindextype>(size()), context_.handle)),
      solver_(SUNLinSol_Dense(y_.handle, jacobian_.handle, context_.handle)),
      contacts_(model, run.system().forces()),
      q_(nq_) {
  N_VConst(0, y_.handle);
  write(run);
}

void SundialsRun::set(void* integrator, const Settings& by) {
  const double largest = run_.largest_step();
  check(by.user_data(integrator, this));
  check(by.error_handler(
      integrator, [](int, const char*, const char*, char*, void*) {}, nullptr));  // told by flags
  check(by.weights(integrator, &SundialsRun::weights));
  check(by.least_step(integrator, run_.least_step()));
  if (std::isfinite(largest)) check(by.largest_step(integrator, largest));
  check(by.linear_solver(integrator, solver_.handle, jacobian_.handle));
}

int SundialsRun::slope(double t, N_Vector y, N_Vector rate, void* self) {
  SundialsRun& own = *static_cast<SundialsRun*>(self);
  return own.guarded([&] {
    own.run_.system().evaluate(own.instant(t), own.q_of(data(y)), own.v_of(data(y)));
    own.slopes(data(y), data(rate));
  });
}
int SundialsRun::root(double t, N_Vector y, double* margin, void* self) {
  return static_cast<SundialsRun*>(self)->margins(t, y, margin);
}

// One over what each number may be wrong by in a step.
int SundialsRun::weights(N_Vector y, N_Vector weight, void* self) {
  const SundialsRun& own = *static_cast<SundialsRun*>(self);
  const IntegratorOptions& options = own.run_.setup().integrator;
  constexpr double anything = 1e30;
  N_VConst(options.atol, weight);
  std::fill_n(data(weight) + own.at_books(), books,
              own.controls_books_ ? tolerance_of_books(options, own.run_.statistics()) : anything);
  for (std::size_t i = 0; i < own.size(); ++i)
    data(weight)[i] = 1 / (data(weight)[i] + options.rtol * std::abs(data(y)[i]));
  return 0;
}

void SundialsRun::all() {
  while (run_.t < run_.end()) {
    run_.before_step();
    step();
  }
}

std::span<const double> SundialsRun::q_of(const double* y) {
  std::copy_n(y, nq_, q_.begin());
  normalise<double>(model_, q_);
  return q_;
}

void SundialsRun::rates(const double* y, double* rate) const {
  const std::span<const double> v = v_of(y);
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
}

void SundialsRun::slopes(const double* y, double* rate) const {
  const System& system = run_.system();
  rates(y, rate);
  std::copy(system.a().begin(), system.a().end(), rate + nq_);
  system.write_integrands({rate + at_integrals(), system.integrals()});
}

int SundialsRun::margins(double t, N_Vector y, double* margin) {
  return guarded([&] {
    System& system = run_.system();
    if (system.friction().is_any_at_rest()) system.evaluate(instant(t), q_of(data(y)), v_of(data(y)));
    system.friction().margins(v_of(data(y)), {margin, system.friction().size()});
  });
}

bool SundialsRun::is_margin_lost() const {
  const DryFrictions& all = run_.system().friction();
  std::vector<double> margin(all.size());
  all.margins(v_of(data(y_.handle)), margin);
  const double lost = run_.setup().integrator.atol;
  for (std::size_t i = 0; i < margin.size(); ++i)
    if (margin[i] < (all[i].is_still() ? 0 : -lost)) return true;
  return false;
}

double SundialsRun::standstill(double t) {
  const DryFrictions& friction = run_.system().friction();
  if (std::all_of(friction.begin(), friction.end(), [](const DryFriction& f) { return f.is_still(); })) return 0;
  const NVector first = made(), last = made();
  interpolate(run_.t, 1, first.handle);
  interpolate(t, 1, last.handle);
  return friction.standstill(t - run_.t, run_.v, v_of(data(first.handle)), v_of(data(y_.handle)),
                             v_of(data(last.handle)));
}

SundialsRun::Arrival SundialsRun::advance_to_contact(double stop, double& t) {
  contacts_.begin(run_.q, run_.v);
  const double least = run_.least_step();
  double until = std::min(run_.next_target(), run_.t + contacts_.longest_step());
  if (inside_ > run_.t + least) until = std::min(until, inside_);
  for (;;) {
    const Arrival arrival = advance(until, t);
    const double contact = contacts_.shorter(t - run_.t, q_of(data(y_.handle)), v_of(data(y_.handle)));
    const double rest = arrival == Arrival::at_root ? 0 : standstill(t);
    const double shorter = earlier(contact, rest);
    if (shorter <= least) return arrival == Arrival::at_stop && until < stop ? Arrival::inside : arrival;
    // Once more from the start, to end inside and feel it.
    ++run_.statistics().rejected;
    inside_ = until = run_.t + shorter;
    write(run_);
    restart();
  }
}

void SundialsRun::step() {
  const double stop = run_.next_stop(), from = run_.t;
  latest_ = std::nextafter(stop, from);
  double t = from;
  run_.problem.clear();
  const Arrival arrival = advance_to_contact(stop, t);
  const bool friction_changes = arrival == Arrival::at_root || is_margin_lost();
  run_.count_step(t - from);
  const NVector inside = made();
  run_.sample_before(t, [&](double due, Run::State& at) {
    interpolate(due, 0, inside.handle);
    at.q.resize(nq_);
    at.v.resize(nv_);
    read(data(inside.handle), at.q, at.v, at.work, at.dissipated);
  });
  run_.t = arrival == Arrival::at_stop ? stop : t;
  read(data(y_.handle), run_.q, run_.v, run_.work, run_.dissipated);
  if (!run_.arrive(friction_changes)) return;
  write(run_);
  restart();
}

void SundialsRun::write(const Run& run) {
  double* const y = data(y_.handle);
  std::copy(run.q.begin(), run.q.end(), y);
  std::copy(run.v.begin(), run.v.end(), y + nq_);
  std::fill(y + at_integrals(), y + at_books(), 0.0);
  y[at_books()] = run.work;
  y[at_books() + 1] = run.dissipated;
}

void SundialsRun::read(const double* y, std::vector<double>& q, std::vector<double>& v, double& work,
                       double& dissipated) {
  std::copy_n(y, nq_, q.begin());
  std::copy_n(y + nq_, nv_, v.begin());
  work = y[at_books()];
  dissipated = y[at_books() + 1];
  double& worst = run_.statistics().quaternion_defect;
  const auto measure = [&](int i, int) {
    worst = std::max(worst, std::abs(std::hypot(std::hypot(y[i], y[i + 1]), std::hypot(y[i + 2], y[i + 3])) - 1));
  };
  detail::for_joints<double>(
      model_, [](int, int) {}, measure, [](int, int) {});
  normalise<double>(model_, q);
  run_.system().close_loops(q, v);
  run_.system().keep_at_rest(q, v);
}

void SundialsRun::check(int flag) const {
  if (thrown_) std::rethrow_exception(thrown_);
  if (flag >= 0) return;
  const std::string what = meaning(flag);
  run_.give_up(what.empty() ? run_.problem : run_.problem.empty() ? what : fmt::format("{}: {}", what, run_.problem));
}

}  // namespace simulation
}  // namespace denoc
#endif
