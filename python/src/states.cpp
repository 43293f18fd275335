#include "states.hpp"

#include <fmt/format.h>

#include <cmath>

namespace denoc::python {
namespace {

// Throws ArgumentError with the joint whose entry is not a number.
void require_finite(std::span<const double> x, const Given& given, const Model& tree) {
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (std::isfinite(x[k])) continue;
    int body = 0;
    for (int b = 1; b < int(tree.bodies().size()); ++b) {
      const auto& place = tree.bodies()[std::size_t(b)];
      const JointType type = tree.robot().bodies[std::size_t(b)].joint.type;
      const int first = given.is_posture ? place.q : place.v;
      const int size = given.is_posture ? coordinates(type) : degrees_of_freedom(type);
      if (int(k) >= first && int(k) < first + size) body = b;
    }
    throw ArgumentError(
        fmt::format("{}[{}] of joint '{}' is {}, not a finite number", given.name, k, tree.joint_name(body), x[k]));
  }
}

// Those given in the world's axes, in those of their bodies.
std::vector<BodyWrench<double>> turned(Hand& hand, std::span<const double> q, Dynamics::GivenWrenches in_world) {
  std::vector<BodyWrench<double>> all(in_world.begin(), in_world.end());
  for (BodyWrench<double>& each : all) {
    const Mat3<double> R = hand.pose(q, each.body).R;
    each.wrench = {back(R, each.wrench.n), back(R, each.wrench.f)};
  }
  return all;
}

}  // namespace

void ask(const Question& question, Hand& hand, const Choice& choice, const Vectors& x, Dynamics::GivenWrenches wrenches,
         std::span<double> answer) {
  for (std::size_t k = 0; k < question.given.size(); ++k)
    require_finite(x[k], question.given[k], hand.mechanism().tree());
  if (choice.wrench_axes == Axes::world && !wrenches.empty()) {
    question.answer(hand, choice, x, turned(hand, x[0], wrenches), answer);
  } else {
    question.answer(hand, choice, x, wrenches, answer);
  }
  double sum = 0;
  for (const double y : answer) sum += y - y;  // zero for what is finite
  if (!std::isfinite(sum))
    throw Error(fmt::format("{}: its result is not a finite number: the state is too large, or not finite itself",
                            question.name));
}

}  // namespace denoc::python
