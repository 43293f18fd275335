// What Newton and Euler's recursion keeps: the wrench that every joint transmits, as the reactions of the bodies say.
#include "denoc/dynamics/inverse/newton_euler.hpp"

#include "support/laws.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

TEST(NewtonEuler, KeepsWhatTheJointsTransmit) {
  Random random(31);
  for (int robots = 0; robots < 30; ++robots) {
    const Model model(random_robot(random, {.bodies = 12, .chain = robots % 3 == 0, .free_root = robots % 2 == 0}));
    const int n = model.nv();
    const auto q = random_q<double>(random, model), v = random_vector<double>(random, n),
               a = random_vector<double>(random, n, 5);
    Machine<double> machine(model, q, v);
    NewtonEuler<double> s(model);
    std::vector<double> tau(n);
    s.run(model, machine.at, v, a, tau);
    const auto reactions = machine.reactions(a);
    double size = 0;
    for (const Wrench<double>& w : reactions) size = std::max({size, norm(w.n), norm(w.f)});
    for (size_t b = 1; b < model.bodies().size(); ++b) {
      if (model.robot().bodies[b].joint.type == JointType::fixed) continue;  // it has no link of its own
      const auto& body = model.bodies()[b];
      const Wrench<double> error = Wrench<double>(body.in_link.to_parent(reactions[b])) - s.joint[body.link];
      EXPECT_LE(norm(error.n) + norm(error.f), rounding<double>(n, size));
    }
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
