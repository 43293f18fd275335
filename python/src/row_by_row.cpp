#include "row_by_row.hpp"

#include <atomic>
#include <limits>
#include <mutex>

#include "signals.hpp"

namespace denoc::python {
namespace {

void prepare(Dynamics& dynamics, const Asked& asked) {
  if (asked.driven) dynamics.drive(*asked.driven);
  if (asked.method.empty()) return;
  if (asked.question.name == "forward_dynamics") {
    dynamics.use_forward(asked.method);
  } else if (asked.question.name == "inertia") {
    dynamics.use_inertia(asked.method);
  } else {
    dynamics.use_inverse(asked.method);
  }
}

// The first row that has no answer, of those that every thread has met. Rows before it are still asked, as one of them
// may be the first; those after it are not.
struct FirstFailure {
  std::mutex mutex = {};
  std::optional<AtRow> at = {};
  std::atomic<std::size_t> row = std::numeric_limits<std::size_t>::max();
  void note(std::size_t failed) {
    const std::lock_guard lock(mutex);
    if (failed >= row) return;
    row = failed;
    at = AtRow{failed, std::current_exception()};
  }
};

}  // namespace

void answer_rows(Core& core, Engine& engine, const Asked& asked, const States<double>& states,
                 std::span<double> answers) {
  const Question& question = asked.question;
  const Extent extent = question.extent(core.mechanism);
  const std::size_t part = std::size_t(extent.of_part()), parts = std::size_t(extent.parts);
  constexpr std::size_t rows_per_chunk = 8;
  struct Own {
    OneState<double> state = {};
    std::vector<double> answer = {};
  };
  FirstFailure failure;
  const auto one = [&](std::size_t row, Hand& hand, Own& own) {
    own.state.take(states, question, core.mechanism, row);
    try {
      ask(question, hand, asked.choice, own.state.vectors(), own.state.wrenches, own.answer);
    } catch (const NotCovered&) {  // of any state
      failure.note(row);
    } catch (const Error&) {
      if (!asked.keep_going) failure.note(row);
      std::fill(own.answer.begin(), own.answer.end(), std::numeric_limits<double>::quiet_NaN());
    }
    for (std::size_t k = 0; k < parts; ++k)
      std::copy_n(own.answer.begin() + std::ptrdiff_t(k * part), part,
                  answers.begin() + std::ptrdiff_t((k * states.count + row) * part));
  };
  const int threads = engine.executor().threads();
  for (int t = 0; t < threads; ++t) prepare(engine.hand(t), asked);
  std::vector<Own> own(std::size_t(threads), {{}, std::vector<double>(std::size_t(extent.size()))});
  Signals signals;
  std::exception_ptr raised;
  std::atomic<bool> is_stopped = false;
  engine.executor().run(int((states.count + rows_per_chunk - 1) / rows_per_chunk), [&](int thread, int chunk) {
    if (thread == 0 && signals.are_due()) try {
        signals.look();
      } catch (...) {
        raised = std::current_exception();
        is_stopped = true;
      }
    if (is_stopped) return;
    const std::size_t first = std::size_t(chunk) * rows_per_chunk;
    for (std::size_t row = first; row < std::min(states.count, first + rows_per_chunk) && row <= failure.row; ++row)
      one(row, engine.hand(thread), own[std::size_t(thread)]);
  });
  if (raised) std::rethrow_exception(raised);
  if (failure.at && states.count > 1) throw *failure.at;
  if (failure.at) std::rethrow_exception(failure.at->cause);
}

}  // namespace denoc::python
