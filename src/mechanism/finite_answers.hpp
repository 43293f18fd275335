// Nothing that is no number leaves quietly.
#pragma once
#include <fmt/format.h>

#include <span>

#include "denoc/error.hpp"
#include "denoc/model/arguments.hpp"

namespace denoc {

inline void require_all_finite(std::span<const double> all, const char* what) {
  if (!all_finite(all))
    throw NotFinite(fmt::format("{} is not a finite number: the state is too large, or not finite itself", what));
}

}  // namespace denoc
