#include "instruction_sets.hpp"

#include <cstdlib>
#include <string>

#include "denoc/error.hpp"

namespace denoc {

namespace {

std::size_t pick_instruction_set() {
  const char* const named = std::getenv("DENOC_ISA");  // NOLINT(concurrency-mt-unsafe): once, and the library sets none
  const std::string_view wanted = named == nullptr ? "" : named;
  const std::span<const InstructionSet> all = instruction_sets();
  std::string names;
  for (std::size_t i = all.size(); i-- > 0;) {  // the best first
    if (!all[i].is_there) continue;
    if (wanted.empty() || wanted == all[i].name) return i;
    names += (names.empty() ? "" : ", ") + std::string(all[i].name);
  }
  throw ArgumentError("DENOC_ISA=" + std::string(wanted) + ": not an instruction set of this processor and build; " +
                      "there are " + names + ", and without DENOC_ISA the first of them is used");
}

}  // namespace

std::span<const InstructionSet> instruction_sets() {
#if defined(DENOC_SEVERAL_INSTRUCTION_SETS)
  __builtin_cpu_init();
#endif
#define DENOC_ROW(isa, has) {#isa, bool(has)},
  static const InstructionSet all[] = {DENOC_FOR_INSTRUCTION_SETS(DENOC_ROW)};
#undef DENOC_ROW
  return all;
}
std::size_t instruction_set_in_use() {
  static const std::size_t picked = pick_instruction_set();
  return picked;
}
std::string_view instruction_set() { return instruction_sets()[instruction_set_in_use()].name; }

}  // namespace denoc
