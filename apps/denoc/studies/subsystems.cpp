#include "studies/subsystems.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "commands/closed.hpp"
#include "output/dofs.hpp"

namespace denoc::app {
namespace {

// Which loops have an end on a body that one of these degrees of freedom moves.
std::vector<std::size_t> loops_on(const Model& model, const std::vector<int>& dofs) {
  const Robot& robot = model.robot();
  std::vector<bool> is_moved(robot.bodies.size());
  const auto at = [](int body) { return static_cast<std::size_t>(body); };
  for (const int k : dofs) is_moved[at(model.body_of_dof(k))] = true;
  for (std::size_t i = 1; i < robot.bodies.size(); ++i)  // parents stand first
    if (is_moved[at(robot.bodies[i].parent)]) is_moved[i] = true;
  std::vector<std::size_t> found;
  for (std::size_t l = 0; l < robot.loops.size(); ++l)
    if (is_moved[at(robot.loops[l].a.body)] || is_moved[at(robot.loops[l].b.body)]) found.push_back(l);
  return found;
}

}  // namespace

std::vector<int> independent_freedoms(const Mechanism& robot, const std::vector<double>& q) {
  return ClosedChain(robot.tree()).independent(q);
}

std::vector<SolvedSubsystem> solved_subsystems(const Mechanism& robot, const std::vector<double>& q,
                                               const std::vector<int>& driven) {
  const Model& model = robot.tree();
  const std::vector<Dof> dofs = dofs_of(model);
  std::vector<bool> is_known(robot.robot().loops.size());
  std::vector<SolvedSubsystem> all;
  int order = 0;
  bool was_determinate = true;
  for (const ClosedChain::Subsystem& found : ClosedChain(model).subsystems(q, driven)) {
    SolvedSubsystem subsystem{
        found.is_determinate || was_determinate ? ++order : order, {}, {}, {}, found.is_determinate};
    was_determinate = found.is_determinate;
    for (const int k : found.dofs) {
      const std::string name = dofs[static_cast<std::size_t>(k)].name();
      subsystem.joints.push_back(name);
      if (std::find(driven.begin(), driven.end(), k) != driven.end()) subsystem.driven.push_back(name);
    }
    for (const std::size_t l : loops_on(model, found.dofs)) {
      if (is_known[l]) continue;
      is_known[l] = true;
      const Loop& loop = robot.robot().loops[l];
      subsystem.loops.push_back(fmt::format("{}, {}", name_of(loop.type), ends_of(robot.robot(), loop)));
    }
    all.push_back(std::move(subsystem));
  }
  return all;
}

}  // namespace denoc::app
