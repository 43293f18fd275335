// The energy books of denoc simulate: what a robot has is what it had, and the work, less what was lost.
#include <cmath>

#include "cli/printed_table.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

const char* const pendulum = R"(
name: pendulum
bodies:
  - {name: bob, joint: {type: revolute, axis: [0, 1, 0], name: pivot}, mass: 1, com: [0, 0, -1]}
)";

struct EnergyBooks : testing::Test {
  Folder folder;
  std::string out = folder.path("out");

  std::string result(const std::string& name) const { return out + "/" + name; }
  Outcome simulate(const std::string& file) const { return run({"simulate", file, "--out", out}); }
};

// Fixed steps promise nothing: not that the energy of a robot at rest is within their tolerance, either.
TEST_F(EnergyBooks, OnlyTolerancesAreNamed) {
  folder.write("pendulum.yaml", pendulum);
  const auto balance = [&](const char* integrator) {
    const Outcome done =
        run({"simulate",
             folder.write("rest.yaml",
                          std::string("robot: pendulum.yaml\nduration: 0.1\nintegrator: {") + integrator + "}\n"),
             "-o", out});
    EXPECT_EQ(done.status, 0) << done;
    return done.out.find("within the tolerance of the integrator") != std::string::npos;
  };
  EXPECT_FALSE(balance("method: rk4, step: 0.01"));
  EXPECT_TRUE(balance("method: dopri5, rtol: 1e-8"));
}

// A triangle of bars cannot move: its kinetic energy is rounding, and nothing is a part of that.
TEST_F(EnergyBooks, RoundingIsNoKineticEnergy) {
  folder.write("triangle.yaml", R"(
bodies:
  - {name: a, joint: {type: revolute, axis: [0, 1, 0]}, mass: 1, com: [0.4, 0, 0.1], inertia: [0, 0.1, 0.1, 0, 0, 0]}
  - {name: b, frame: {xyz: [1, 0, 0], rpy: [0, deg(120), 0]}, joint: {type: revolute, axis: [0, 1, 0]}, friction: {coulomb: 0.2}, mass: 1, com: [0.5, 0, 0], inertia: [0, 0.1, 0.1, 0, 0, 0]}
loops:
  - {type: revolute, a: {body: b, frame: {xyz: [1, 0, 0]}}, b: {body: world, frame: {xyz: [0.5, 0, -sqrt(0.75)]}}, axis: [0, 1, 0]}
)");
  for (const char* method : {"dopri5", "adams", "bdf", "ida"}) {
    const std::string file = folder.write(
        "rest.yaml", std::string("robot: triangle.yaml\nduration: 0.1\nintegrator: {method: ") + method + "}\n");
    const YAML::Node energy = json({"simulate", file, "--out", out})["energy"];
    EXPECT_LT(energy["relative_balance"].as<double>(), 1) << method;
    EXPECT_LT(energy["balance_defect"].as<double>(), 1e-13) << method << ": 10 J of weight, in rounding";
  }
}

// A robot that rests without gravity has no energy at all, and its books balance.
TEST_F(EnergyBooks, OfWhatHasNoEnergyBalance) {
  folder.write("floating.yaml",
               "gravity: [0, 0, 0]\nbodies: [{name: a, joint: free, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}]\n");
  const std::string file = folder.write("rest.yaml", "robot: floating.yaml\nduration: 0.1\n");
  const YAML::Node energy = json({"simulate", file, "--out", out})["energy"];
  for (const char* what : {"relative_balance", "largest_kinetic", "balance_defect"})
    EXPECT_EQ(energy[what].as<double>(), 0) << what;
  EXPECT_EQ(simulate(file).status, 0);
}

// The energy of a pendulum: m g (1 - cos q0) from the start to the bottom, whatever the integrator.
TEST_F(EnergyBooks, BalancesTheEnergyOfAPendulum) {
  folder.write("pendulum.yaml", pendulum);
  const std::string file = folder.write(
      "swing.yaml",
      "robot: pendulum.yaml\nduration: 5\nstart: {q: {pivot: 1}}\nintegrator: {method: dopri5, rtol: 1e-9}\n");
  const YAML::Node summary = json({"simulate", file, "--out", out});
  EXPECT_LT(summary["energy"]["relative_balance"].as<double>(), 1e-6);
  EXPECT_NEAR(summary["energy"]["largest_kinetic"].as<double>(), 9.81 * (1 - std::cos(1.0)),
              2e-3);  // sampled: g (3 rad/s * 5 ms)^2 / 2
  EXPECT_EQ(row(summary["q"]).size(), 1u);
  EXPECT_NEAR(summary["energy"]["change"].as<double>(), 0, 1e-6 * 9.81) << "since the start";
  EXPECT_EQ(summary["files"].size(), 3u);
  EXPECT_GT(summary["statistics"]["steps"].as<long>(), 10);
  for (const Row& r : Csv(result("trajectory.csv")).rows)
    EXPECT_NEAR(r[5] + r[6], -9.81 * std::cos(1.0), 1e-6 * 9.81) << r[0];
}

// Of a crane that starts on its way, pushed and braked: what it has is what it had, and the work, less what was lost.
TEST_F(EnergyBooks, BalancesTheEnergyOfWhatMovesAtTheStart) {
  folder.write("braked.yaml", R"(
bodies:
  - {name: cart, joint: {type: prismatic, axis: [1, 0, 0]}, friction: {viscous: 2}, mass: 2}
  - {name: arm, joint: {type: revolute, axis: [0, 1, 0]}, mass: 3, com: [0, 0, -0.5]}
)");
  ASSERT_EQ(simulate(folder.write("run.yaml",
                                  "robot: braked.yaml\nduration: 1\nstart: {q: [0.1, 0.8], v: [3, -2]}\n"
                                  "integrator: {method: dopri5, rtol: 1e-9}\noutput: {every: 0.1}\n"
                                  "control: {type: torques, tau: [5, \"2*t\"]}\n"))
                .status,
            0);
  const Csv power(result("power.csv")), trajectory(result("trajectory.csv"));
  const std::size_t kinetic = 9;
  EXPECT_GT(trajectory.rows[0][kinetic], 10);
  for (std::size_t i = 0; i < power.rows.size(); ++i) {
    const Row &r = power.rows[i], &e = trajectory.rows[i], &first = trajectory.rows[0];
    const double total = e[kinetic] + e[kinetic + 1], start = first[kinetic] + first[kinetic + 1];
    EXPECT_NEAR(r[5], total, 1e-12) << r[0];
    EXPECT_NEAR(r[6], total - start - r[3] + r[4], 1e-12) << r[0];
    EXPECT_NEAR(r[6], 0, 1e-6) << r[0];
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
