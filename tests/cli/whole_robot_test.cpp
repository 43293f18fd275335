// A robot with loops, rotors, springs, friction and stops moves alike through every door.
#include <fmt/ranges.h>

#include <fstream>
#include <sstream>

#include "denoc/io/save.hpp"
#include "denoc/loops/closed_chain.hpp"
#include "denoc/mechanism/dynamics.hpp"
#include "run.hpp"
#include "support/loaded_fourbar.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

// The accelerations that `simulate` records are those of `fd --forces`, of Dynamics and of dense equations at its states.
TEST(WholeRobot, HasTheSameAccelerationsThroughEveryDoor) {
  const Folder folder;
  const std::string file = folder.write("loaded.yaml", robot_text(loaded_fourbar(), "loaded.yaml").text);
  const Mechanism robot(file);
  Dynamics dynamics(robot, Forces::all);
  ClosedChain chain(robot.tree());
  const Row q0 = chain.assemble(Row{0.7, -0.5, 1.2}), v0 = chain.closed_rates(q0, Row{2, 0.5, -0.7});
  const std::string scenario = folder.write(
      "run.yaml", fmt::format("robot: loaded.yaml\nduration: 0.1\nstart: {{q: {}, v: {}}}\noutput: {{every: 0.02}}\n"
                              "control: {{type: torques, tau: [3, -2, 1]}}\n",
                              q0, v0));
  const std::string out = folder.path("out");
  const Outcome outcome = run({"simulate", scenario, "--out", out});
  ASSERT_EQ(outcome.status, 0) << outcome;
  // Nothing sticks, the rocker turns round: a joint at rest is held by friction, in a run alone.
  std::ostringstream events;
  events << std::ifstream(out + "/events.csv").rdbuf();
  EXPECT_EQ(events.str().find("stick"), std::string::npos) << events.str();
  const Csv csv(out + "/trajectory.csv");
  ASSERT_EQ(csv.rows.size(), 6u);
  for (const Row& sample : csv.rows) {
    const auto entries = [&](std::ptrdiff_t first) { return Row(sample.begin() + first, sample.begin() + first + 3); };
    const Row q = entries(1), v = entries(4), a = entries(7), tau = entries(10);
    EXPECT_EQ(tau, (Row{3, -2, 1}));
    EXPECT_GT(q[0], 0.2);  // against the stop
    const std::string state =
        folder.write("state.json", fmt::format("{{\"q\": {}, \"v\": {}, \"tau\": {}}}", q, v, tau));
    const Eigen::VectorXd dense = dense_accelerations(robot.robot(), q, v, tau);
    const Row expected(dense.begin(), dense.end()), asked = row(json({"fd", file, "--state", state, "--forces"})["a"]);
    const auto answered = dynamics.forward(q, v, tau);
    const double tolerance = 1e-11 * (1 + largest(expected));
    expect_close(asked, expected, tolerance, "fd --forces");
    expect_close({answered.begin(), answered.end()}, expected, tolerance, "Dynamics");
    expect_close(a, expected, tolerance, "simulate");
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
