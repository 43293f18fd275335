#include "batches.hpp"

#include "denoc/dynamics/inertia/udut.hpp"
#include "denoc/model/quaternions.hpp"

#include "interpreter.hpp"
#include "signals.hpp"

namespace denoc::python {
namespace {

// So many states at a time, then Python may see its signals: some milliseconds of work.
std::size_t at_a_time(const Mechanism& m, const Extent& extent) {
  constexpr std::size_t numbers = 1 << 17, fewest = 512;
  return m.has_loops() ? fewest : std::max(fewest, numbers / std::size_t(extent.size()));
}

// An inertia that double precision tells from rounding, and single precision does not.
class SingularInSingle : public SingularInertia {
 public:
  SingularInSingle(const std::string& joint, int dof, double pivot)
      : SingularInertia(joint, dof, pivot),
        text_("joint '" + joint +
              "': in single precision the inertia it moves cannot be told from rounding here: ask in double "
              "precision") {}
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::string text_;
};

// The joint whose pivot shows it: that which one state is refused for or, where one rounds otherwise than a pack and is
// not refused, the one nearest to its floor.
SingularInSingle singular_in_single(const Robot& robot, std::span<const double> q) {
  const BasicModel<float> model(robot);
  const std::vector<float> at_q(q.begin(), q.end());
  Configuration<float> at(model);
  place<float>(model, at_q, at);
  Factor<float> factor(model);
  int dof = 0;
  try {
    factorize<float>(model, at, factor);
    for (int k = 1; k < model.nv(); ++k)
      if (factor.d_inv[std::size_t(k)] * model.pivot_floor(k) > factor.d_inv[std::size_t(dof)] * model.pivot_floor(dof))
        dof = k;
  } catch (const SingularInertia& singular) {
    dof = singular.dof;
  }
  return {model.joint_of_dof(dof), dof, 1 / double(factor.d_inv[std::size_t(dof)])};
}

// What a row without a result has to say, as Dynamics says it.
template <class E>
[[noreturn]] void say_why(std::size_t row, RowStatus status, Problem problem, Core& core, const Setting& setting,
                          const States<E>& states) {
  const Question& question = questions()[std::size_t(problem)];
  OneState<E> state;
  state.take(states, question, core.mechanism, row);
  Choice choice;
  choice.loops = setting.loops;
  std::vector<double> answer(std::size_t(question.extent(core.mechanism).size()));
  try {
    ask(question, core.engines.borrow({setting.forces, setting.loops, 1})->hand(), choice, state.vectors(),
        state.wrenches, answer);
  } catch (const Error&) {
    throw AtRow{row, std::current_exception()};
  }
  if (status == RowStatus::singular)
    throw AtRow{row, std::make_exception_ptr(singular_in_single(core.mechanism.robot(), state.numbers[0]))};
  throw AtRow{row, std::make_exception_ptr(Error("the numbers of the state are too large for its result"))};
}

// q with quaternions of unit length; those that are too far off, and whatever is not finite, as they are.
template <class E>
std::vector<E> on_manifold(const std::vector<QuaternionPlace>& places, std::span<const E> q, int nq) {
  std::vector<E> unit(q.begin(), q.end());
  std::vector<double> row(static_cast<std::size_t>(nq));
  for (std::size_t first = 0; first < unit.size(); first += row.size()) {
    std::copy_n(unit.begin() + std::ptrdiff_t(first), nq, row.begin());
    for (const QuaternionPlace& place : places) {
      if (normalise(place, row).empty()) continue;
      std::fill_n(row.begin() + place.first, 4, std::numeric_limits<double>::quiet_NaN());
    }
    std::copy(row.begin(), row.end(), unit.begin() + std::ptrdiff_t(first));
  }
  return unit;
}

template <class E>
void run(Batch<E>& batch, Problem problem, const States<E>& s, const std::array<std::span<E>, 3>& y,
         std::span<RowStatus> status) {
  switch (problem) {
    case Problem::inverse:
      return batch.inverse_dynamics(s.x[0], s.x[1], s.x[2], y[0], status, s.wrenches);
    case Problem::forward:
      return batch.forward_dynamics(s.x[0], s.x[1], s.x[2], y[0], status, s.wrenches);
    case Problem::inverse_derivatives:
      if constexpr (std::is_same_v<E, double>)
        batch.inverse_derivatives(s.x[0], s.x[1], s.x[2], y[0], y[1], y[2], status, s.wrenches);
      return;
    case Problem::forward_derivatives:
      if constexpr (std::is_same_v<E, double>)
        batch.forward_derivatives(s.x[0], s.x[1], s.x[2], y[0], y[1], y[2], status, s.wrenches);
  }
}

}  // namespace

template <class E>
void compute(Problem problem, Core& core, const Setting& setting, const States<E>& given, std::span<E> answers,
             bool keep_going) {
  const Released others_may_run;
  const auto engine = core.engines.borrow(setting);
  const Question& question = questions()[std::size_t(problem)];
  const Extent extent = question.extent(core.mechanism);
  const std::size_t size = std::size_t(extent.of_part()), most = at_a_time(core.mechanism, extent);
  States<E> states = given;
  std::vector<E> unit;
  if (!core.quaternions.empty()) {
    unit = on_manifold(core.quaternions, given.x[0], core.mechanism.nq());
    states.x[0] = unit;
  }
  engine->status.resize(std::min(most, given.count));
  std::vector<RowWrenches<E>> acting(given.wrenches.begin(), given.wrenches.end());
  Signals signals;
  for (std::size_t first = 0; first < given.count; first += most) {
    if (first > 0 && signals.are_due()) signals.look();
    const std::size_t here = std::min(most, given.count - first);
    States<E> part{here};
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t n = width_of(question.given[k], core.mechanism);
      part.x[k] = states.x[k].subspan(first * n, here * n);
    }
    for (std::size_t k = 0; k < acting.size(); ++k)
      if (given.wrenches[k].numbers.size() > 6)
        acting[k].numbers = given.wrenches[k].numbers.subspan(first * 6, here * 6);
    part.wrenches = acting;
    std::array<std::span<E>, 3> y;
    for (std::size_t k = 0; k < std::size_t(extent.parts); ++k)
      y[k] = answers.subspan((k * given.count + first) * size, here * size);
    const std::span<RowStatus> status(engine->status.data(), here);
    run<E>(engine->template batch<E>(), problem, part, y, status);
    for (std::size_t i = 0; i < here; ++i) {
      if (status[i] == RowStatus::done) continue;
      if (!keep_going) say_why<E>(first + i, status[i], problem, core, setting, given);
      for (const std::span<E> each : y)
        if (!each.empty())
          std::fill_n(each.begin() + std::ptrdiff_t(i * size), size, std::numeric_limits<E>::quiet_NaN());
    }
  }
}

template void compute(Problem, Core&, const Setting&, const States<double>&, std::span<double>, bool);
template void compute(Problem, Core&, const Setting&, const States<float>&, std::span<float>, bool);

}  // namespace denoc::python
