// How a motion from rest to rest is spread over time: s(x) from 0 to 1 for x from 0 to 1, and its derivatives.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

namespace denoc {

/// How a motion from 0 to 1 is spread over its time, x = t / duration.
enum class Profile {
  linear,       // s = x: starts and ends with a jump                     [Mata02 5.2]
  cycloidal,    // s = x - sin(2 pi x) / (2 pi)                           [Mohan07 (38), Shah13 (15)]
  poly345,      // s = 6 x^5 - 15 x^4 + 10 x^3                            [Angeles7 example 7.5.1]
  poly4567,     // s = -20 x^7 + 70 x^6 - 84 x^5 + 35 x^4
  trapezoidal,  // constant acceleration, rate, deceleration, each a third of the time
};
/// The word for it in files.
std::string_view name_of(Profile profile);
/// The profile of that name, if there is one.
std::optional<Profile> profile_named(std::string_view name);

/// s and its first two derivatives by x.
struct ProfilePoint {
  double s, rate, acceleration;
};
/// At rest before 0 and after 1. Where the acceleration jumps, the value that follows; at 1 the one before.
ProfilePoint profile_at(Profile profile, double x);
/// x inside (0, 1) where the acceleration jumps.
std::vector<double> profile_breaks(Profile profile);

}  // namespace denoc
