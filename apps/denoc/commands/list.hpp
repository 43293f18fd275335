// Every command of denoc, in the order of its help.
#pragma once
#include "commands/command.hpp"

#define DENOC_COMMANDS(ROW) \
  ROW(id)                   \
  ROW(fd)                   \
  ROW(inertia)              \
  ROW(energy)               \
  ROW(derivatives)          \
  ROW(linearize)            \
  ROW(fk)                   \
  ROW(jacobian)             \
  ROW(ik)                   \
  ROW(assemble)             \
  ROW(subsystems)           \
  ROW(mintime)              \
  ROW(state)                \
  ROW(info)                 \
  ROW(check)                \
  ROW(convert)              \
  ROW(count)                \
  ROW(compare)              \
  ROW(stability)            \
  ROW(study)                \
  ROW(simulate)             \
  ROW(reproduce)            \
  ROW(methods)

namespace denoc::app::commands {

#define DENOC_DECLARE(name) Command name();
DENOC_COMMANDS(DENOC_DECLARE)
#undef DENOC_DECLARE

inline std::vector<Command> all() {
#define DENOC_CALL(name) name(),
  return {DENOC_COMMANDS(DENOC_CALL)};
#undef DENOC_CALL
}

}  // namespace denoc::app::commands
