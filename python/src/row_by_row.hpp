// Questions that batches do not answer: state by state.
#pragma once
#include "core.hpp"
#include "states.hpp"

namespace denoc::python {

struct Asked {
  const Question& question;
  Setting setting;
  Choice choice = {};
  std::string method = {};
  std::optional<std::vector<std::string>> driven = {};  // none: what drives by default
  bool keep_going = false;
};

// Each row by the Dynamics of a thread of the engine. For threads without the interpreter; the one that calls looks for
// Python's signals meanwhile. A row without an answer throws AtRow, or has NaN.
void answer_rows(Core& core, Engine& engine, const Asked& asked, const States<double>& states,
                 std::span<double> answers);

}  // namespace denoc::python
