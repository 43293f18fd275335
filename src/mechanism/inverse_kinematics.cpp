#include "denoc/mechanism/inverse_kinematics.hpp"

#include <algorithm>

#include "denoc/loops/closed_chain.hpp"
#include "denoc/loops/closure.hpp"
#include "kinematics/solutions.hpp"

namespace denoc {
namespace {

// Loops as conditions of a search.
class ClosedLoops final : public kinematics::Conditions {
 public:
  explicit ClosedLoops(const Model& model)
      : chain_(model), gaps_(chain_.rows()), jacobian_(chain_.rows(), model.nv()) {}
  void evaluate(const std::vector<double>& q) override {
    const std::vector<double> gaps = chain_.residual(q), rows = chain_.jacobian(q);
    std::copy(gaps.begin(), gaps.end(), gaps_.data());
    std::copy(rows.begin(), rows.end(), jacobian_.data());
  }
  const Eigen::VectorXd& values() const override { return gaps_; }
  const kinematics::Rows& jacobian() const override { return jacobian_; }
  std::vector<double> met_near(const std::vector<double>& q) override {
    try {
      return chain_.assemble(q, {}, ClosedChain::Search::near_by);
    } catch (const NotAssembled&) {
      return q;
    }
  }
  // Half a turn away from closed the rows are zero as well; the chain's gap is not.
  bool are_met() const override {
    constexpr double half_way = 1;  // rad
    return chain_.gap().part < half_way;
  }

 private:
  ClosedChain chain_;
  Eigen::VectorXd gaps_;
  kinematics::Rows jacobian_;
};

// Bodies from the ground to this one, by the joints that carry them.
std::vector<bool> carried_by(const Robot& robot, int body) {
  std::vector<bool> path(robot.bodies.size());
  for (; body != 0; body = robot.bodies[static_cast<std::size_t>(body)].parent)
    path[static_cast<std::size_t>(body)] = true;
  return path;
}
// Whether a loop opens when the joints which carry the body move alone: one between bodies that they move against each
// other, or a coupling of one of them.
bool open_a_loop(const Robot& robot, int body) {
  const std::vector<bool> moving = carried_by(robot, body);
  return std::any_of(robot.loops.begin(), robot.loops.end(), [&](const Loop& loop) {
    if (couples_coordinates(loop.type))
      return moving[static_cast<std::size_t>(loop.a.body)] || moving[static_cast<std::size_t>(loop.b.body)];
    const std::vector<bool> to_a = carried_by(robot, loop.a.body), to_b = carried_by(robot, loop.b.body);
    for (std::size_t i = 0; i < moving.size(); ++i)
      if (moving[i] && to_a[i] != to_b[i] && robot.bodies[i].joint.type != JointType::fixed) return true;
    return false;
  });
}

}  // namespace

std::vector<Solution> inverse_kinematics(const Mechanism& robot, const Target& target, const Pose<double>& pose,
                                         const std::vector<double>& start) {
  if (robot.has_loops() && target.body > 0 && target.body < static_cast<int>(robot.robot().bodies.size()) &&
      open_a_loop(robot.robot(), target.body))
    return kinematics::solutions(robot.tree(), target, pose, start, std::make_shared<ClosedLoops>(robot.tree()));
  return inverse_kinematics(robot.tree(), target, pose, start);
}

}  // namespace denoc
