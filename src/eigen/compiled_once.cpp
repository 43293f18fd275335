#include "compiled_once.hpp"

DENOC_COMPILED_ONCE(template);
