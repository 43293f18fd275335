// denoc id|fd --batch: a file of states, a row each, to a file of results.
#pragma once
#include "commands/commands.hpp"

namespace denoc::app {

enum class BatchProblem { inverse, forward };
Status batch(BatchProblem problem, const StateOptions& options, Session& session);

}  // namespace denoc::app
