// Programs whose tests compare digits of long runs: they are those of every processor (unless told otherwise).
#include <cstdlib>

namespace {
[[maybe_unused]] const int chosen = setenv("DENOC_ISA", "baseline", 0);
}
