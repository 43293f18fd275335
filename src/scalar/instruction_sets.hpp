// The instruction sets, and how one of them is picked. A new one is its row here, its options in CMakeLists.txt and a
// file of each table: src/batch/kernels_*.cpp, src/dynamics/for_double_*.cpp, src/loops/rows_*.cpp.
#pragma once
#include <cstddef>
#include <span>

#include "denoc/scalar/instruction_set.hpp"

// DO(name, whether the processor has it), the best last. Where nothing is optimised small functions are not inlined,
// and files compiled for different instruction sets would share them: there is the first one only.
#if defined(__x86_64__) && defined(__OPTIMIZE__)
#define DENOC_SEVERAL_INSTRUCTION_SETS
#define DENOC_FOR_INSTRUCTION_SETS(DO)                                                  \
  DO(baseline, true)                                                                    \
  DO(avx2, __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))             \
  DO(avx512, __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && \
                 __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("fma"))
#else
#define DENOC_FOR_INSTRUCTION_SETS(DO) DO(baseline, true)
#endif

namespace denoc {

struct InstructionSet {
  std::string_view name;
  bool is_there;  // the processor has it
};
std::span<const InstructionSet> instruction_sets();
// The place of the one in use among them.
std::size_t instruction_set_in_use();

}  // namespace denoc
