#include "denoc/motion/profile.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace denoc {
namespace {

struct Named {
  Profile profile;
  std::string_view name;
};
constexpr std::array all{Named{Profile::linear, "linear"}, Named{Profile::cycloidal, "cycloidal"},
                         Named{Profile::poly345, "poly345"}, Named{Profile::poly4567, "poly4567"},
                         Named{Profile::trapezoidal, "trapezoidal"}};

ProfilePoint trapezoid(double x) {
  constexpr double a = 4.5, rate = 1.5;  // a / 3 = rate, and the area 2/3 rate = 1
  if (x < 1.0 / 3) return {a * x * x / 2, a * x, a};
  if (x < 2.0 / 3) return {rate * (x - 1.0 / 6), rate, 0};
  const double left = 1 - x;
  return {1 - a * left * left / 2, a * left, -a};
}

}  // namespace

std::string_view name_of(Profile profile) { return all[static_cast<size_t>(profile)].name; }

std::optional<Profile> profile_named(std::string_view name) {
  for (const Named& one : all)
    if (one.name == name) return one.profile;
  return std::nullopt;
}

ProfilePoint profile_at(Profile profile, double x) {
  if (x < 0) return {0, 0, 0};
  if (x > 1) return {1, 0, 0};
  const double left = 1 - x, xl = x * left;
  switch (profile) {
    case Profile::linear:
      return {x, 1, 0};
    case Profile::cycloidal: {
      constexpr double turn = 2 * std::numbers::pi;
      const double s = std::sin(turn * x), half = std::sin(turn / 2 * x);
      return {x - s / turn, 2 * half * half, turn * s};
    }
    case Profile::poly345:  // derivatives by their factors: they vanish at both ends to the last digit
      return {x * x * x * (10 - x * (15 - 6 * x)), 30 * xl * xl, 60 * xl * (1 - 2 * x)};
    case Profile::poly4567:
      return {x * x * x * x * (35 - x * (84 - x * (70 - 20 * x))), 140 * xl * xl * xl, 420 * xl * xl * (1 - 2 * x)};
    case Profile::trapezoidal:
      break;
  }
  return trapezoid(x);
}

std::vector<double> profile_breaks(Profile profile) {
  if (profile == Profile::trapezoidal) return {1.0 / 3, 2.0 / 3};
  return {};
}

}  // namespace denoc
