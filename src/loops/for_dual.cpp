#include "denoc/loops/closure.hpp"
#include "denoc/scalar/dual.hpp"

template class denoc::LoopKinematics<denoc::Dual<double>>;
