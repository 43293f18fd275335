#include "denoc/mechanism/random_posture.hpp"

#include "denoc/loops/closed_chain.hpp"

namespace denoc {

std::vector<double> random_posture(const Mechanism& robot, Chance& chance) {
  constexpr int most_draws = 200;
  if (!robot.has_loops()) return drawn_posture(robot.robot(), chance);
  ClosedChain chain(robot.tree());
  for (int i = 1;; ++i) {
    try {
      std::vector<double> q = chain.assemble(drawn_posture(robot.robot(), chance), {}, ClosedChain::Search::near_by);
      if (is_within_limits(robot.robot(), q)) return q;
      if (i == most_draws) throw NotAssembled("no posture was found that closes the loops within the joints' limits");
    } catch (const NotAssembled&) {
      if (i == most_draws) throw;
    }
  }
}

}  // namespace denoc
