// What motions are made of, checked once.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "denoc/motion/profile.hpp"

namespace denoc::motion {

// Throws ArgumentError unless it is finite and positive.
double positive_duration(double duration);
// What Trajectory::at writes to.
void require_sizes(int nq, int nv, std::span<const double> q, std::span<const double> v, std::span<const double> a);
// What is wrong with a sample every so often for so long: more than 1e9 of them; nothing if it is empty. Both are
// positive.
std::string too_many_samples(double every, double duration);

// A profile stretched to a duration: s and its derivatives by t.
struct Timing {
  Profile profile;
  double duration;

  ProfilePoint at(double t) const {
    const ProfilePoint p = profile_at(profile, t / duration);
    return {p.s, p.rate / duration, p.acceleration / (duration * duration)};
  }
  std::vector<double> breaks() const {
    std::vector<double> instants = profile_breaks(profile);
    for (double& x : instants) x *= duration;
    return instants;
  }
};

}  // namespace denoc::motion
