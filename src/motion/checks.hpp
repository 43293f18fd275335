// What motions are made of, checked once.
#pragma once
#include <string>
#include <vector>

#include "denoc/model/model.hpp"
#include "denoc/motion/profile.hpp"

namespace denoc::motion {

// Size and numbers of q, its quaternions brought to unit length. Throws ArgumentError: `what` is the name of q.
std::vector<double> coordinates_of(const Model& model, std::vector<double> q, const std::string& what);
// Throws ArgumentError unless it is finite and positive.
double positive_duration(double duration);
// Throws ArgumentError unless it is one of the model's that may move.
int body_of(const Model& model, int body);
// The pose with its rotation made orthogonal to rounding. Throws ArgumentError where it is off by 1e-6 or more.
Pose<double> rigid(const Pose<double>& pose);

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
