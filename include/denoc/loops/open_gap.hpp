// When a loop counts as open.
#pragma once

namespace denoc {

/// What may be left of a loop that is meant to be closed: m or rad, and m/s or rad/s at unit speed.
inline constexpr double open_gap = 1e-6;

}  // namespace denoc
