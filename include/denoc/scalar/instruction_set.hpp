// What the recursions run on. The library has them for several instruction sets, for one state in double and for
// batches, and picks when the program runs.
#pragma once
#include <string_view>

namespace denoc {

/// "baseline", "avx2" or "avx512": the best that the processor has, or the one that the environment variable DENOC_ISA
/// names. It is picked when first asked for, and stays. Results differ in rounding; those of "baseline" are the same on
/// every processor of a kind. Throws ArgumentError where DENOC_ISA names none that the processor has.
std::string_view instruction_set();

/// A parameter `Isa` of a template names the instruction set that it is compiled for: the same template compiled for two
/// of them must not share one symbol. AnyIsa is that of the translation unit or, of the library's own recursions in
/// double, the one in use.
struct AnyIsa {};

}  // namespace denoc
