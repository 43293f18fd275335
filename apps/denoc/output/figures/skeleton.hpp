// The robot as a stick figure in space.
//
// Each body is drawn from its joint to the joints it carries and to where loops close on it, as a bent rod: along the
// joint's axis first, then across.
// A body that carries none ends at its own frame if that is away from the joint (DH tables), else at the far end of the
// uniform rod through its mass centre with the same second moment: a point mass ends at the point, a rod at its tip.
// With its mass centre in the joint it is a crank as long as its radius of gyration, so that its turning is seen.
// What a sliding joint has travelled is a stick, too. Springs between two points are lines of their own.
#pragma once
#include <span>
#include <vector>

#include "denoc/model/model.hpp"

namespace denoc::figures {

using Point = Vec3<double>;
inline Point unit(const Point& p) { return p * (1 / norm(p)); }
constexpr double negligible = 1e-9;  // m: two points this near are one

struct Skeleton {
  struct OnBody {
    int body;
    Point at;  // in the body's own frame
  };
  struct Stick {
    int from, to;   // points
    int body = -1;  // that it is part of; none where its ends move apart
  };
  enum class Symbol { turning, sliding, ball };
  // A joint: where it is, and the ends of a stroke along its axis (a ball has none: all three are the same).
  struct Joint {
    Symbol symbol;
    int at, from, to;
  };
  std::vector<OnBody> points;
  std::vector<Stick> sticks, springs;
  std::vector<Joint> joints;
  std::vector<int> ground, tips;  // points
  std::vector<int> watched = {};  // points that a run was asked to watch
};
Skeleton skeleton_of(const Model& model);

// The frames of all bodies in the world, for each of the configurations; and where the points are.
std::vector<std::vector<Pose<double>>> poses(const Model& model, std::span<const std::vector<double>> configurations);
std::vector<std::vector<Point>> places(const Skeleton& skeleton, const std::vector<std::vector<Pose<double>>>& poses);
std::vector<std::vector<Point>> places(const Model& model, const Skeleton& skeleton,
                                       std::span<const std::vector<double>> configurations);

}  // namespace denoc::figures
