// When a loop counts as open.
#pragma once

namespace denoc {

/// What may be left of a loop that is meant to be closed: in parts of its length (model/lengths.hpp), or rad; and of
/// them a second, at unit speed.
inline constexpr double open_gap = 1e-6;

}  // namespace denoc
