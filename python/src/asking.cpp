// Questions to a robot, at one state or at many.
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <functional>

#include "batches.hpp"
#include "interpreter.hpp"
#include "row_by_row.hpp"
#include "shapes.hpp"

namespace denoc::python {
namespace {

// Fewer states are done before other threads are awake.
constexpr std::size_t states_for_threads = 256;

int threads_for(std::size_t count) { return count < states_for_threads ? 1 : 0; }

// Whether what is read would be written over.
template <class E> bool share_memory(std::span<const E> read, std::span<const E> written) {
  const std::less<const E*> before;
  return before(read.data(), written.data() + written.size()) && before(written.data(), read.data() + read.size());
}

Lengths leading_axes(const Buffer& array) { return array.shape().first(array.shape().size() - 1); }

// Rows of one dtype and the same leading axes, as they stand; the result in `out`, or in an array of its own. None: not
// such arrays.
template <class E>
nb::object plain_batch(Problem problem, Core& core, const std::array<Buffer, most_vectors>& x, nb::handle out,
                       int threads, const char* dtype) {
  const Mechanism& m = core.mechanism;
  const Question& question = questions()[std::size_t(problem)];
  const Extent extent = question.extent(m);
  const auto axes = leading_axes(x[0]);
  States<E> states{};
  for (std::size_t k = 0; k < 3; ++k) {
    if (!x[k].is_of<E>() || x[k].width() != width_of(question.given[k], m)) return nb::none();
    if (!are_same(leading_axes(x[k]), axes)) return nb::none();
    states.x[k] = x[k].numbers<const E>();
  }
  states.count = states.x[1].size() / std::size_t(m.nv());
  nb::object result = out.is_none() ? new_array(shape_of(extent, axes), nb::str(dtype)) : nb::borrow(out);
  const Buffer answer(result, true);
  if (!answer.is_of<E>() || !has_shape(answer, extent, axes)) return nb::none();
  for (const std::span<const E> each : states.x)
    if (share_memory<E>(each, answer.numbers<E>())) return nb::none();
  compute<E>(problem, core, {Forces::none, Loops::closed, threads < 0 ? threads_for(states.count) : threads}, states,
             answer.numbers<E>(), false);
  return result;
}

// Whether a batch answers it: derivatives of tau are the tree's alone, so that Dynamics has to say what of loops.
bool is_for_batches(std::size_t index, const Mechanism& m, Loops loops) {
  if (index >= problems || m.nv() == 0) return false;
  return Problem(index) != Problem::inverse_derivatives || loops == Loops::open || !m.has_loops();
}

// The answer where everything is as it should be: arrays of float64 (of torques and accelerations at many states
// float32, too) in C order, nothing else said but threads (-1: as many as pay). None: it is not, and `many` is to be asked.
nb::object plain(Core& core, std::size_t index, int body, const nb::tuple& given, nb::handle out, int threads) {
  const Question& question = questions()[index];
  if (given.size() != question.given.size() || !(out.is_none() || is_plain_array(out))) return nb::none();
  std::array<Buffer, most_vectors> x;
  for (std::size_t k = 0; k < given.size(); ++k)
    if (is_plain_array(given[k])) x[k].hold(given[k]);
  if (x[0].empty() || x[0].shape().empty()) return nb::none();
  if (x[0].shape().size() > 1) {
    if (!is_for_batches(index, core.mechanism, Loops::closed)) return nb::none();
    const Problem problem{index};
    if (x[0].is_of<double>()) return plain_batch<double>(problem, core, x, out, threads, "d");
    if (x[0].is_of<float>() && problem <= Problem::forward)
      return plain_batch<float>(problem, core, x, out, threads, "f");
    return nb::none();
  }
  Vectors vectors;
  for (std::size_t k = 0; k < question.given.size(); ++k) {
    if (!x[k].is_of<double>() || x[k].shape().size() != 1) return nb::none();
    vectors[k] = x[k].numbers<const double>();
    if (x[k].width() != width_of(question.given[k], core.mechanism)) return nb::none();
  }
  nb::object result = out.is_none() ? new_array(core.shapes[index]) : nb::borrow(out);
  const Buffer answer(result, true);
  if (!answer.is_of<double>() || !has_shape(answer, question.extent(core.mechanism), {})) return nb::none();
  for (std::size_t k = 0; k < question.given.size(); ++k)
    if (share_memory<double>(vectors[k], answer.numbers<double>())) return nb::none();
  Choice choice;
  choice.body = body;
  ask(question, core.engines.borrow({})->hand(), choice, vectors, {}, answer.numbers<double>());
  return result;
}

// Everything else: options by name.

template <class T> T option(const nb::dict& options, const char* name) { return nb::cast<T>(options[name]); }
bool says(const nb::dict& options, const char* name, std::string_view word) {
  return option<std::string>(options, name) == word;
}

Asked asked_of(const Core& core, std::size_t index, std::size_t count, const nb::dict& options) {
  const Loops loops = says(options, "loops", "open") ? Loops::open : Loops::closed;
  const int threads = option<int>(options, "threads");
  const auto [x, y, z] = option<std::array<double, 3>>(options, "point");
  const auto axes = [&](const char* name) { return says(options, name, "body") ? Axes::body : Axes::world; };
  return {
      questions()[index],
      {option<bool>(options, "forces") ? Forces::all : Forces::none, loops, threads < 0 ? threads_for(count) : threads},
      {option<int>(options, "body"),
       {x, y, z},
       axes("axes"),
       loops,
       axes("wrench_axes"),
       core.mechanism.freedoms(option<std::vector<std::string>>(options, "unknown"))},
      option<std::string>(options, "method"),
      option<std::optional<std::vector<std::string>>>(options, "driven"),
      says(options, "errors", "nan")};
}

std::vector<std::pair<int, Buffer>> wrenches_of(nb::handle list) {
  std::vector<std::pair<int, Buffer>> all;
  for (const nb::handle each : list) all.emplace_back(nb::cast<int>(each[0]), Buffer(each[1]));
  return all;
}

// The arrays of a call, as they stand. The result has its rows between its parts.
struct Arrays {
  std::array<Buffer, most_vectors> x = {};
  std::vector<std::pair<int, Buffer>> wrenches;
  Buffer answers;
  Arrays(const nb::list& given, const nb::list& given_wrenches, nb::handle out)
      : wrenches(wrenches_of(given_wrenches)), answers(out, true) {
    for (std::size_t k = 0; k < given.size(); ++k) x[k].hold(given[k]);
  }
  std::size_t count() const { return std::size_t(x[0].shape()[0]); }
  // f(states, numbers of the result)
  template <class E, class F> void as(const F& f) const {
    States<E> states{count()};
    for (std::size_t k = 0; k < most_vectors; ++k)
      if (!x[k].empty()) states.x[k] = x[k].numbers<const E>();
    std::vector<RowWrenches<E>> acting;
    for (const auto& [body, numbers] : wrenches) acting.push_back({body, numbers.template numbers<const E>()});
    states.wrenches = acting;
    f(states, answers.numbers<E>());
  }
};

// given: arrays (count, n) in C order; float64, or float32 where a batch is asked for torques or accelerations. wrenches:
// pairs of a body and (count, 6).
void many(Core& core, std::size_t index, const nb::list& given, const nb::list& given_wrenches, nb::handle out,
          const nb::dict& options) {
  const Arrays arrays(given, given_wrenches, out);
  const Asked asked = asked_of(core, index, arrays.count(), options);
  const bool is_usual = asked.method.empty() && !asked.driven;
  // One state without leading axes goes where `plain` takes it: the same bits for lists and arrays.
  const bool is_single = arrays.answers.is_of<double>() &&
                         arrays.answers.shape().size() == std::size_t(asked.question.extent(core.mechanism).axes());
  const bool packs_know = arrays.wrenches.empty() || asked.choice.wrench_axes == Axes::body;
  if (is_usual && !is_single && packs_know && is_for_batches(index, core.mechanism, asked.setting.loops)) {
    const auto by_batch = [&]<class E>(const States<E>& states, std::span<E> answers) {
      try {
        compute<E>(Problem(index), core, asked.setting, states, answers, asked.keep_going);
      } catch (const AtRow& at) {
        if (states.count > 1) throw;
        std::rethrow_exception(at.cause);
      }
    };
    return arrays.answers.is_of<float>() ? arrays.as<float>(by_batch) : arrays.as<double>(by_batch);
  }
  arrays.as<double>([&](const States<double>& states, std::span<double> answers) {
    const Released others_may_run;
    if (is_usual) {
      const auto engine = core.engines.borrow(asked.setting);
      answer_rows(core, *engine.operator->(), asked, states, answers);
    } else {  // other methods and drives change a Dynamics for good
      Engine engine(core.mechanism, asked.setting);
      answer_rows(core, engine, asked, states, answers);
    }
  });
}

// One step of a simulation of one's own: q and v, in place.
void step(Core& core, nb::handle q, nb::handle v, nb::handle tau, double dt, bool forces) {
  const Buffer to_q(q, true), to_v(v, true), given(tau);
  const auto engine = core.engines.borrow({forces ? Forces::all : Forces::none, Loops::closed, 1});
  engine->hand().step(to_q.numbers<double>(), to_v.numbers<double>(), given.numbers<const double>(), dt);
}

}  // namespace

void bind_asking(nb::module_& module, nb::class_<Core>& core) {
  nb::list list;  // (name, number, ((vector, is it as long as q?), ...))
  for (std::size_t k = 0; k < questions().size(); ++k) {
    nb::list given;
    for (const Given& each : questions()[k].given) given.append(nb::make_tuple(each.name, each.is_posture));
    list.append(nb::make_tuple(std::string(questions()[k].name), k, nb::tuple(given)));
  }
  module.attr("questions") = list;
  core.def("plain", &plain, nb::arg("question"), nb::arg("body"), nb::arg("vectors"), nb::arg("out").none(),
           nb::arg("threads"));
  core.def("many", &many);
  core.def("shape", [](const Core& c, std::size_t question, const std::vector<Py_ssize_t>& states) {
    return shape_of(questions().at(question).extent(c.mechanism), states);
  });
  core.def("step", &step);
}

}  // namespace denoc::python
