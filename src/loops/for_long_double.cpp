#include "denoc/loops/closure.hpp"

template class denoc::LoopKinematics<long double>;
