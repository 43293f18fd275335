// Questions to a robot, at one state or at many.
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "denoc/model/quaternions.hpp"

#include "core.hpp"

namespace denoc::python {
namespace {

constexpr std::size_t inverse = 0, forward = 1;  // of the questions: those that batches know
// Fewer states are done before other threads are awake.
constexpr std::size_t states_for_threads = 256;

int threads_for(std::size_t count) { return count < states_for_threads ? 1 : 0; }

int width_of(const Given& given, const Mechanism& m) { return given.is_posture ? m.nq() : m.nv(); }

// Throws ArgumentError with the joint whose entry is not a number.
template <class E> void require_finite(std::span<const E> x, const Given& given, const Model& tree) {
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (std::isfinite(x[k])) continue;
    int body = 0;
    for (int b = 1; b < int(tree.bodies().size()); ++b) {
      const auto& place = tree.bodies()[std::size_t(b)];
      const JointType type = tree.robot().bodies[std::size_t(b)].joint.type;
      const int first = given.is_posture ? place.q : place.v;
      const int size = given.is_posture ? coordinates(type) : degrees_of_freedom(type);
      if (int(k) >= first && int(k) < first + size) body = b;
    }
    throw ArgumentError(
        fmt::format("{}[{}] of joint '{}' is {}, not a finite number", given.name, k, tree.joint_name(body), x[k]));
  }
}

void ask(const Question& question, Dynamics& dynamics, const Choice& choice, const Vectors& x,
         Dynamics::GivenWrenches wrenches, std::span<double> answer) {
  for (std::size_t k = 0; k < question.given.size(); ++k)
    require_finite(x[k], question.given[k], dynamics.mechanism().tree());
  question.answer(dynamics, choice, x, wrenches, answer);
}

bool has_leading_axes(const Buffer& array, std::span<const Py_ssize_t> axes) {
  const auto shape = array.shape();
  return std::equal(axes.begin(), axes.end(), shape.begin(), shape.end() - 1);
}

// Batches.

// What a row without a result has to say, as Dynamics says it.
template <class E>
[[noreturn]] void say_why(std::size_t row, std::size_t problem, Core& core, const Setting& setting,
                          std::array<std::span<const E>, 3> rows, std::span<const RowWrenches<E>> wrenches) {
  const Question& question = questions()[problem];
  std::array<std::vector<double>, 3> state;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t n = std::size_t(width_of(question.given[k], core.mechanism));
    const auto part = rows[k].subspan(row * n, n);
    state[k].assign(part.begin(), part.end());
  }
  std::vector<BodyWrench<double>> acting;
  for (const RowWrenches<E>& each : wrenches) {
    const auto w = each.numbers.subspan(each.numbers.size() == 6 ? 0 : row * 6, 6);
    acting.push_back(
        {each.body, {{double(w[0]), double(w[1]), double(w[2])}, {double(w[3]), double(w[4]), double(w[5])}}});
  }
  std::vector<double> answer(std::size_t(core.mechanism.nv()));
  try {
    ask(question, core.engines.borrow({setting.forces, setting.loops, 1})->dynamics(), {},
        {state[0], state[1], state[2]}, acting, answer);
  } catch (const Error&) {
    throw AtRow{row, std::current_exception()};
  }
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
void compute(std::size_t problem, Core& core, const Setting& setting, std::array<std::span<const E>, 3> rows,
             std::span<E> answer, std::span<const RowWrenches<E>> wrenches, bool keep_going) {
  const nb::gil_scoped_release others_may_run;
  const auto engine = core.engines.borrow(setting);
  const std::size_t nv = std::size_t(core.mechanism.nv()), count = nv == 0 ? 0 : answer.size() / nv;
  std::vector<RowStatus>& status = engine->status;
  status.resize(count);
  const std::vector<QuaternionPlace> quaternions = quaternions_of(core.mechanism.robot());
  const auto given = rows;
  std::vector<E> unit;
  if (!quaternions.empty()) {
    unit = on_manifold(quaternions, rows[0], core.mechanism.nq());
    rows[0] = unit;
  }
  if (problem == inverse) {
    engine->batch<E>().inverse_dynamics(rows[0], rows[1], rows[2], answer, status, wrenches);
  } else {
    engine->batch<E>().forward_dynamics(rows[0], rows[1], rows[2], answer, status, wrenches);
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (status[i] == RowStatus::done) continue;
    if (!keep_going) say_why<E>(i, problem, core, setting, given, wrenches);
    std::fill_n(answer.begin() + std::ptrdiff_t(i * nv), nv, std::numeric_limits<E>::quiet_NaN());
  }
}

// Rows of one dtype and the same leading axes, as they stand; the result in `out`, or in an array of its own. None: not
// such arrays.
template <class E>
nb::object plain_batch(std::size_t problem, Core& core, const std::array<Buffer, 3>& x, nb::handle out,
                       nb::handle dtype) {
  const Mechanism& m = core.mechanism;
  const Question& question = questions()[problem];
  const auto axes = x[0].shape().first(x[0].shape().size() - 1);
  std::array<std::span<const E>, 3> rows;
  for (std::size_t k = 0; k < 3; ++k) {
    if (!x[k].is_of<E>() || x[k].width() != width_of(question.given[k], m) || !has_leading_axes(x[k], axes))
      return nb::none();
    rows[k] = x[k].numbers<const E>();
  }
  nb::object result;
  if (out.is_none()) {
    nb::list shape;
    for (const Py_ssize_t n : axes) shape.append(n);
    shape.append(m.nv());
    result = new_array(nb::tuple(shape), dtype);
  } else {
    result = nb::borrow(out);
  }
  const Buffer answer(result, true);
  if (!answer.is_of<E>() || answer.width() != m.nv() || !has_leading_axes(answer, axes)) return nb::none();
  const std::size_t count = rows[1].size() / std::size_t(m.nv());
  compute<E>(problem, core, {Forces::none, Loops::closed, threads_for(count)}, rows, answer.numbers<E>(), {}, false);
  return result;
}

bool has_shape(const Buffer& array, const Extent& extent) {
  const auto shape = array.shape();
  return extent.columns == 0 ? shape.size() == 1 && shape[0] == extent.rows
                             : shape.size() == 2 && shape[0] == extent.rows && shape[1] == extent.columns;
}

// The answer where everything is as it should be: arrays of float64 (of many states float32, too) in C order, nothing
// else said. None: it is not, and `many` is to be asked.
nb::object plain(Core& core, std::size_t index, int body, const nb::tuple& given, nb::handle out) {
  const Question& question = questions()[index];
  if (given.size() != question.given.size()) return nb::none();
  std::array<Buffer, 3> x;
  for (std::size_t k = 0; k < given.size(); ++k) x[k].hold(given[k]);
  if (x[0].empty() || x[0].shape().empty()) return nb::none();
  if (x[0].shape().size() > 1) {
    if (index > forward || core.mechanism.nv() == 0) return nb::none();
    if (x[0].is_of<double>()) return plain_batch<double>(index, core, x, out, nb::str("d"));
    if (x[0].is_of<float>()) return plain_batch<float>(index, core, x, out, nb::str("f"));
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
  if (!answer.is_of<double>() || !has_shape(answer, question.extent(core.mechanism))) return nb::none();
  Choice choice;
  choice.body = body;
  ask(question, core.engines.borrow({})->dynamics(), choice, vectors, {}, answer.numbers<double>());
  return result;
}

// Everything else.

struct Asked {
  const Question& question;
  Setting setting;
  Choice choice = {};
  std::string method = {};
  std::vector<std::string> driven = {};
  bool keep_going = false;
};

std::vector<std::pair<int, Buffer>> wrenches_of(nb::handle list) {
  std::vector<std::pair<int, Buffer>> all;
  for (const nb::handle each : list) all.emplace_back(nb::cast<int>(each[0]), Buffer(each[1]));
  return all;
}

void prepare(Dynamics& dynamics, const Asked& asked) {
  if (!asked.driven.empty()) dynamics.drive(asked.driven);
  if (asked.method.empty()) return;
  if (asked.question.name == "forward") {
    dynamics.use_forward(asked.method);
  } else if (asked.question.name == "inertia") {
    dynamics.use_inertia(asked.method);
  } else {
    dynamics.use_inverse(asked.method);
  }
}

// The first row that has no answer, of those that every thread has met.
struct FirstFailure {
  std::mutex mutex = {};
  std::optional<AtRow> at = {};
  void note(std::size_t row) {
    const std::lock_guard lock(mutex);
    if (!at || row < at->row) at = AtRow{row, std::current_exception()};
  }
};

void answer_rows(Core& core, Engine& engine, const Asked& asked, std::span<const std::span<const double>> rows,
                 std::span<const RowWrenches<double>> wrenches, std::span<double> answers, std::size_t count) {
  const Question& question = asked.question;
  const std::size_t size = std::size_t(question.extent(core.mechanism).size());
  constexpr std::size_t rows_per_chunk = 8;
  FirstFailure failure;
  const auto one = [&](std::size_t row, Dynamics& dynamics, std::vector<BodyWrench<double>>& acting) {
    Vectors x;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const std::size_t n = std::size_t(width_of(question.given[k], core.mechanism));
      x[k] = rows[k].subspan(row * n, n);
    }
    acting.clear();
    for (const auto& [body, numbers] : wrenches) {
      const auto w = numbers.subspan(row * 6, 6);
      acting.push_back({body, {{w[0], w[1], w[2]}, {w[3], w[4], w[5]}}});
    }
    const std::span<double> answer = answers.subspan(row * size, size);
    try {
      ask(question, dynamics, asked.choice, x, acting, answer);
    } catch (const NotCovered&) {  // of any state
      failure.note(row);
    } catch (const Error&) {
      if (!asked.keep_going) failure.note(row);
      std::fill(answer.begin(), answer.end(), std::numeric_limits<double>::quiet_NaN());
    }
  };
  const int threads = engine.executor().threads();
  for (int t = 0; t < threads; ++t) prepare(engine.dynamics(t), asked);
  std::vector<std::vector<BodyWrench<double>>> acting(static_cast<std::size_t>(threads));
  for (auto& each : acting) each.reserve(wrenches.size());
  engine.executor().run(int((count + rows_per_chunk - 1) / rows_per_chunk), [&](int thread, int chunk) {
    const std::size_t first = std::size_t(chunk) * rows_per_chunk;
    for (std::size_t row = first; row < std::min(count, first + rows_per_chunk); ++row)
      one(row, engine.dynamics(thread), acting[std::size_t(thread)]);
  });
  if (failure.at && count > 1) throw *failure.at;
  if (failure.at) std::rethrow_exception(failure.at->cause);
}

template <class E>
void by_batch(Core& core, std::size_t problem, const Asked& asked, const std::vector<Buffer>& x,
              const std::vector<std::pair<int, Buffer>>& wrenches, std::span<E> answers, std::size_t count) {
  std::vector<RowWrenches<E>> acting;
  for (const auto& each : wrenches) acting.push_back({each.first, each.second.template numbers<const E>()});
  try {
    compute<E>(problem, core, asked.setting,
               {x[0].numbers<const E>(), x[1].numbers<const E>(), x[2].numbers<const E>()}, answers, acting,
               asked.keep_going);
  } catch (const AtRow& at) {
    if (count > 1) throw;
    std::rethrow_exception(at.cause);
  }
}

// An option of a call.
template <class T> T option(const nb::dict& options, const char* name) { return nb::cast<T>(options[name]); }
bool says(const nb::dict& options, const char* name, std::string_view word) {
  return option<std::string>(options, name) == word;
}

std::vector<int> freedoms(const Mechanism& mechanism, const std::vector<std::string>& joints) {
  std::vector<int> all;
  for (const std::string& joint : joints) {
    const auto [first, count] = mechanism.freedoms(joint);
    for (int k = first; k < first + count; ++k) all.push_back(k);
  }
  return all;
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
       freedoms(core.mechanism, option<std::vector<std::string>>(options, "unknown"))},
      option<std::string>(options, "method"),
      option<std::vector<std::string>>(options, "driven"),
      says(options, "errors", "nan")};
}

// given: arrays (count, n) in C order; float64, or float32 where a batch is asked. wrenches: pairs of a body and (count, 6).
void many(Core& core, std::size_t index, const nb::list& given, const nb::list& given_wrenches, nb::handle out,
          const nb::dict& options) {
  const Buffer answers(out, true);
  std::vector<Buffer> x;
  for (const nb::handle each : given) x.emplace_back(each);
  const auto wrenches = wrenches_of(given_wrenches);
  const std::size_t count = std::size_t(x[0].shape()[0]);
  const Asked asked = asked_of(core, index, count, options);
  const bool is_usual = asked.method.empty() && asked.driven.empty();
  // One state without leading axes goes where `plain` takes it: the same bits for lists and arrays.
  const bool is_single = answers.shape().size() == 1 && answers.is_of<double>();
  if (index <= forward && is_usual && !is_single) {
    if (answers.is_of<float>()) {
      by_batch<float>(core, index, asked, x, wrenches, answers.numbers<float>(), count);
    } else {
      by_batch<double>(core, index, asked, x, wrenches, answers.numbers<double>(), count);
    }
    return;
  }
  std::vector<std::span<const double>> rows;
  for (const Buffer& each : x) rows.push_back(each.numbers<const double>());
  std::vector<RowWrenches<double>> acting;
  for (const auto& [on, numbers] : wrenches) acting.push_back({on, numbers.numbers<const double>()});
  const nb::gil_scoped_release others_may_run;
  if (is_usual) {
    const auto engine = core.engines.borrow(asked.setting);
    answer_rows(core, *engine.operator->(), asked, rows, acting, answers.numbers<double>(), count);
  } else {  // other methods and drives change a Dynamics for good
    Engine engine(core.mechanism, asked.setting);
    answer_rows(core, engine, asked, rows, acting, answers.numbers<double>(), count);
  }
}

// One step of a simulation of one's own: q and v, in place.
void step(Core& core, nb::handle q, nb::handle v, nb::handle tau, double dt, bool forces) {
  const Buffer to_q(q, true), to_v(v, true), given(tau);
  if (!to_q.is_of<double>() || !to_v.is_of<double>() || !given.is_of<double>())
    throw ArgumentError("step: arrays of float64 in C order are wanted");
  const auto engine = core.engines.borrow({forces ? Forces::all : Forces::none, Loops::closed, 1});
  engine->dynamics().step(to_q.numbers<double>(), to_v.numbers<double>(), given.numbers<const double>(), dt);
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
  core.def("plain", &plain, nb::arg("question"), nb::arg("body"), nb::arg("vectors"), nb::arg("out").none());
  core.def("many", &many);
  core.def("shape", [](const Core& c, std::size_t question) { return c.shapes.at(question); });
  core.def("step", &step);
}

}  // namespace denoc::python
