// Runs by one-step methods: fixed steps, or pairs with error control.
#include <fmt/format.h>

#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <limits>

#include "books.hpp"
#include "contacts.hpp"
#include "cubic.hpp"
#include "one_step.hpp"
#include "run.hpp"

namespace denoc::simulation {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
// The first step is so many of the least, where the run is so long that a millisecond is lost in its digits.
constexpr double many = 1000;
constexpr long steps_between_looks = 25, looks_for_stiff = 8;

class Integration {
 public:
  Integration(const Model& model, Run& run)
      : run_(run),
        options_(run.setup().integrator),
        is_fixed_(integrator(options_.method).has_fixed_step),
        step_(model, run.setup(), run.system()),
        contacts_(model, run.system().forces()),
        margin_(run.system().friction().size()),
        h_(is_fixed_ ? std::min({options_.step, options_.max_step, run.end()})
                     : std::min({std::max(1e-3, many * run.least_step()), run.largest_step(), run.end()})) {}

  void all() {
    begin(false);
    while (run_.t < run_.end()) {
      run_.before_step();
      if (is_fixed_) {
        fixed_step();
      } else {
        controlled_step();
      }
    }
  }

 private:
  // From where the run stands.
  void begin(bool a_is_known) {
    step_.begin(run_.t, run_.q, run_.v, run_.work, run_.dissipated, a_is_known);
    if (!is_fixed_) contacts_.begin(run_.q, run_.v);
  }

  // Jumps of power that nothing foresees are stepped over: the books control steps down to a millionth of the run.
  double error_of_step() const {
    const bool is_fine = step_.h() < 1e-6 * run_.end();
    return step_.error(is_fine ? std::numeric_limits<double>::infinity()
                               : tolerance_of_books(options_, run_.statistics()));
  }

  void attempt(double h) { step_.attempt(h, run_.next_stop()); }

  // To the next instant of the grid, or to a jump before it.
  void fixed_step() {
    const double same = run_.same_instant(h_), stop = run_.next_stop();
    if (static_cast<double>(grid_ + 1) * h_ <= run_.t + same) ++grid_;  // friction has changed there
    const double grid = static_cast<double>(grid_ + 1) * h_;
    const bool is_on_grid = grid <= stop + same;
    const double to = is_on_grid && grid < stop - same ? grid : stop;
    // The end of the step is where the next one begins, maybe with other forces: it is evaluated here only for what
    // happens before.
    const bool end = !margin_.empty() || run_.has_sample_before(to);
    bool friction_changes = false;
    try {
      step_.attempt(to - run_.t, stop, end);
      friction_changes = margin_ends_inside();
    } catch (const NoAcceleration& error) {
      run_.give_up(fmt::format("{}; a smaller step may help", error.what()));
    }
    finish(to, friction_changes, end);
    if (is_on_grid && !friction_changes) ++grid_;
  }

  void controlled_step() {
    const double stop = run_.next_target(), most = std::min(run_.largest_step(), contacts_.longest_step()),
                 longest = std::min(h_, most);
    // Samples further apart than the steps are stepped onto, others are interpolated.
    const double target = run_.setup().every >= longest && run_.has_sample_before(stop) ? run_.next_sample() : stop;
    const double left = target - run_.t;
    const bool lands = left <= std::min(1.1 * longest, most);
    const double h = lands ? left : std::min(longest, left / 2);
    if (h_ < run_.least_step()) refuse_step();
    double error = 0;
    const auto take = [&] {
      attempt(h);
      error = error_of_step();
      if (!std::isfinite(error)) throw NoAcceleration("the state is not a finite number");
    };
    if (!finds_accelerations(h, take)) return;
    // [Hairer, Norsett, Wanner II.4]: PI control
    const double growth = std::pow(error, 1.0 / step_.pair().order - 0.03);
    if (error > 1) {
      run_.problem.clear();
      reject(h / std::min(5.0, growth / 0.9));
      return;
    }
    if (const double shorter = passed(); shorter > run_.least_step()) {
      run_.problem.clear();
      reject(shorter);
      return;
    }
    bool friction_changes = false;
    if (!finds_accelerations(h, [&] { friction_changes = margin_ends_inside(); })) return;
    if (friction_changes && error_of_step() > 1) {  // cut there, it is another step, with an error of its own
      run_.problem.clear();
      reject(step_.h() / 2);
      return;
    }
    const double next = h / std::clamp(growth / std::pow(last_error_, 0.04) / 0.9, 0.2, 5.0);
    last_error_ = std::max(error, 1e-4);
    h_ = std::min(run_.largest_step(), has_rejected_ ? std::min(next, h) : std::max(next, lands ? h_ : 0.0));
    has_rejected_ = false;
    if (!friction_changes) look_for_stiffness();
    finish(lands ? target : run_.t + h, friction_changes, true);
  }

  // Whether `look` finds accelerations wherever in the step it asks for them; if not, the step is rejected for a shorter
  // one.
  template <class F> bool finds_accelerations(double h, const F& look) {
    try {
      look();
      return true;
    } catch (const NoAcceleration& problem) {
      run_.problem = problem.what();
      reject(h / 4);
      return false;
    }
  }
  void reject(double h) {
    ++run_.statistics().rejected;
    has_rejected_ = true;
    h_ = h;
  }
  [[noreturn]] void refuse_step() {
    run_.give_up(fmt::format("the step fell below {:.2g} s{}", h_,
                             !run_.problem.empty()     ? fmt::format(": {}", run_.problem)
                             : run_.statistics().stiff ? ": the problem is stiff, use method bdf"
                                                       : ": the motion is singular here, or a tolerance too small"));
  }

  // It evaluates states beside the motion: what the margins are at its end has to be known before.
  void look_for_stiffness() {
    Statistics& statistics = run_.statistics();
    if (statistics.stiff || statistics.steps % steps_between_looks != 0) return;
    try {
      stiff_looks_ = step_.h() * step_.fastest_rate() > step_.pair().edge_of_stability ? stiff_looks_ + 1 : 0;
    } catch (const NoAcceleration&) {
      return;  // not to be seen from here
    }
    statistics.stiff = stiff_looks_ >= looks_for_stiff;
  }

  // The step is good up to `to`, or to where friction changes.
  void finish(double to, bool friction_changes, bool end_is_known) {
    if (friction_changes) to = run_.t + step_.h();
    run_.count_step(step_.h());
    run_.sample_before(to, [&](double t, Run::State& at) {
      step_.inside(t, inside_);
      run_.system().keep_at_rest(inside_.q, inside_.v);
      at = {inside_.q, inside_.v, inside_.work(), inside_.dissipated()};
    });
    const Instant& end = step_.end();
    run_.t = to;
    run_.q = end.q;
    run_.v = end.v;
    run_.system().keep_at_rest(run_.q, run_.v);
    run_.work = end.work();
    run_.dissipated = end.dissipated();
    begin(!run_.arrive(friction_changes) && end_is_known);
  }

  // Whether a margin turns negative during the step; if so the step is cut right behind that instant.
  bool margin_ends_inside() {
    if (margin_.empty()) return false;
    double hi = step_.h();
    if (least_margin() >= 0) {
      hi = violation_inside();
      if (hi == 0) return false;
    }
    // Nearer to the start until the margins hold, then the root between.
    double lo = hi / 2, at_hi = least_margin();
    double at_lo = least_margin_after(lo);
    for (int k = 0; at_lo < 0 && k < 40; ++k) {
      hi = lo;
      at_hi = at_lo;
      lo /= 2;
      at_lo = least_margin_after(lo);
    }
    if (at_lo > 0) {
      std::uintmax_t most = 100;
      const double close = 2 * epsilon * (run_.t + hi);
      const auto bracket =
          boost::math::tools::toms748_solve([&](double h) { return least_margin_after(h); }, lo, hi, at_lo, at_hi,
                                            [&](double a, double b) { return b - a <= close; }, most);
      hi = bracket.second;
    }
    attempt(hi);
    return true;
  }
  double least_margin() {
    run_.system().friction().margins(step_.end().v, margin_);
    return *std::min_element(margin_.begin(), margin_.end());
  }
  double least_margin_after(double h) {
    attempt(h);
    return least_margin();
  }
  // An instant inside the step at which a margin is negative although none is at its end; 0, with the step as it was,
  // if there is none.
  double violation_inside() {
    const double h = step_.h(), lowest = standstill();
    std::vector<double> suspects;
    if (lowest > 0) suspects.push_back(lowest);
    if (run_.system().was_overstrained()) {
      for (const double part : step_.pair().nodes) suspects.push_back(part * h);
    }
    for (const double suspect : suspects) {
      if (least_margin_after(suspect) < 0) return suspect;
    }
    if (!suspects.empty()) attempt(h);
    return 0;
  }
  // Where inside the step a sliding joint comes to a standstill and goes on. 0: nowhere.
  double standstill() const {
    const Instant &start = step_.start(), &end = step_.end();
    return run_.system().friction().standstill(step_.h(), start.v, start.a, end.v, end.a);
  }
  // How long the step should be instead, to end inside what it has passed and to feel that: a contact, or a joint that came
  // to a standstill. 0: it is good.
  double passed() {
    const double contact = contacts_.shorter(step_.h(), step_.end().q, step_.end().v);
    const double rest = margin_.empty() || least_margin() < 0 ? 0 : standstill();
    return earlier(contact, rest);
  }

  Run& run_;
  const IntegratorOptions& options_;
  bool is_fixed_;
  OneStep step_;
  Contacts contacts_;
  Vector margin_;
  Instant inside_ = {};
  double h_;
  long grid_ = 0;
  double last_error_ = 1e-4;
  bool has_rejected_ = false;
  long stiff_looks_ = 0;
};

}  // namespace

void run_one_step(const Model& model, Run& run) { Integration(model, run).all(); }

}  // namespace denoc::simulation
