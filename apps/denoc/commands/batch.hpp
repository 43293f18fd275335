// denoc id|fd --batch: a file of states, a row each, to a file of results.
#pragma once
#include "commands/options.hpp"

namespace denoc::app {

enum class BatchProblem { inverse, forward };
Status batch(BatchProblem problem, const DynamicsOptions& dynamics, const BatchOptions& options, Session& session);

}  // namespace denoc::app
