// derivatives and linearize from outside.
#include <cmath>

#include "cli/run.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

struct CommandDerivatives : testing::Test {
  Folder folder;
  const std::string crane = folder.write("crane.yaml", two_joints);
  std::string state(const std::string& text) const { return folder.write("state.json", text); }
  static std::vector<Row> matrix(const YAML::Node& node) { return node.as<std::vector<Row>>(); }
  static void expect_matrix(const YAML::Node& found, const std::vector<Row>& expected, const std::string& what) {
    const std::vector<Row> rows = matrix(found);
    ASSERT_EQ(rows.size(), expected.size()) << what;
    for (std::size_t i = 0; i < rows.size(); ++i) expect_close(rows[i], expected[i], 2e-14, what);
  }
};

// The crane by hand: a cart of 2 kg, and an arm of 3 kg whose mass centre is half a metre below the joint.
//   tau_1 = 5 x'' - 1.5 cos th th'' + 1.5 sin th th'^2,   tau_2 = -1.5 cos th x'' + 0.85 th'' + 1.5 g sin th
struct Crane {
  double c = std::cos(0.3), s = std::sin(0.3), g = 9.81;
  std::vector<Row> dtau_dq(double x, double th, double rate) const {
    return {{0, 1.5 * s * th + 1.5 * c * rate * rate}, {0, 1.5 * s * x + 1.5 * g * c}};
  }
  std::vector<Row> dtau_dv(double rate) const { return {{0, 3 * s * rate}, {0, 0}}; }
  std::vector<Row> inertia() const { return {{5, -1.5 * c}, {-1.5 * c, 0.85}}; }
  std::vector<Row> inverse() const {
    const double det = 5 * 0.85 - 2.25 * c * c;
    return {{0.85 / det, 1.5 * c / det}, {1.5 * c / det, 5 / det}};
  }
  // The accelerations that tau gives.
  Row accelerations(double tau1, double tau2, double rate) const {
    const std::vector<Row> I = inverse();
    const double f1 = tau1 - 1.5 * s * rate * rate, f2 = tau2 - 1.5 * g * s;
    return {I[0][0] * f1 + I[0][1] * f2, I[1][0] * f1 + I[1][1] * f2};
  }
  std::vector<Row> minus_solved(const std::vector<Row>& m) const {
    const std::vector<Row> I = inverse();
    std::vector<Row> found(2, Row(2, 0.0));
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t j = 0; j < 2; ++j) found[i][j] = -(I[i][0] * m[0][j] + I[i][1] * m[1][j]);
    return found;
  }
};

TEST_F(CommandDerivatives, AreThoseOfTheCraneByHand) {
  const YAML::Node found = json({"derivatives", crane, "--state", state(two_joints_state)});
  const Crane by_hand;
  const double rate = -0.7;
  expect_matrix(found["dtau_dq"], by_hand.dtau_dq(1, 2, rate), "dtau_dq");
  expect_matrix(found["dtau_dv"], by_hand.dtau_dv(rate), "dtau_dv");
  expect_matrix(found["dtau_da"], by_hand.inertia(), "dtau_da");
  const Row a = by_hand.accelerations(3, 4, rate);
  expect_matrix(found["da_dq"], by_hand.minus_solved(by_hand.dtau_dq(a[0], a[1], rate)), "da_dq");
  expect_matrix(found["da_dv"], by_hand.minus_solved(by_hand.dtau_dv(rate)), "da_dv");
  expect_matrix(found["da_dtau"], by_hand.inverse(), "da_dtau");
}

TEST_F(CommandDerivatives, TablesAndListsOfStates) {
  const std::string several = state(std::string("[") + two_joints_state + ", " + two_joints_state + "]");
  EXPECT_EQ(json({"derivatives", crane, "--state", several}).size(), 2u);
  const Outcome table = run({"derivatives", crane, "--state", several});
  EXPECT_EQ(table.status, 0) << table;
  for (const char* title : {"state 1", "dtau/dq", "da/dtau", "cart", "arm"})
    EXPECT_NE(table.out.find(title), std::string::npos) << title;
}

// Loops: how forces in them change, and how the other joints follow the crank.
TEST_F(CommandDerivatives, OfLoopsSayHowTheyTransmitAndFollow) {
  const YAML::Node found = json({"derivatives", "fourbar", "--state", state("{}")});
  const std::size_t rows = found["multipliers"].size();
  ASSERT_GT(rows, 0u);
  for (const char* key : {"dmultipliers_dq", "dmultipliers_dv", "dmultipliers_dtau"}) {
    ASSERT_EQ(found[key].size(), rows) << key;
    EXPECT_EQ(found[key][0].size(), 3u) << key;
  }
  ASSERT_EQ(found["independent"].size(), 1u);
  const std::vector<Row> followed = matrix(found["dq_dindependent"]);
  ASSERT_EQ(followed.size(), 3u);
  EXPECT_EQ(followed[0], Row{1});
  // A motion along which the loop stays closed keeps it so: da follows the same ratios at rest.
  const std::vector<Row> by_tau = matrix(found["da_dtau"]);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(by_tau[i][0], followed[i][0] * by_tau[0][0], 1e-12 * std::abs(by_tau[0][0]));
  EXPECT_FALSE(json({"derivatives", crane, "--state", state(two_joints_state)})["dmultipliers_dq"]);
}

// A wrench that keeps its world axes is seen to turn by the joints that turn the body.
TEST_F(CommandDerivatives, WrenchesKeepTheirAxes) {
  const auto by_q = [&](const char* axes) {
    return matrix(json({"derivatives", crane, "--state",
                        state(std::string(R"({"q": [0, 0.3], "wrenches": [{"body": "arm", "force": [0, 0, 10]
                              )") +
                              axes + "}]}")})["dtau_dq"]);
  };
  // The force acts at the joint: it is felt by the cart alone, as it turns with the arm.
  const double g = 9.81, moment = 1.5 * g * std::cos(0.3);
  expect_close(by_q("")[0], {0, -10 * std::cos(0.3)}, 1e-14, "in body axes");
  expect_close(by_q("")[1], {0, moment}, 1e-13, "in body axes");
  expect_close(by_q(R"(, "axes": "world")")[0], {0, 0}, 1e-14, "in world axes");
}

TEST_F(CommandDerivatives, FrictionIsThereWhenAskedFor) {
  const std::string rough = folder.write("rough.yaml", R"(
name: rough
bodies:
  - {name: cart, parent: world, joint: {type: prismatic, axis: [1, 0, 0]}, mass: 2, friction: {viscous: 0.7}, spring: {stiffness: 30}}
)");
  const std::string at = state(R"({"q": [0.1], "v": [1]})");
  const YAML::Node without = json({"derivatives", rough, "--state", at}),
                   with = json({"derivatives", rough, "--state", at, "--forces"});
  expect_matrix(without["dtau_dv"], {{0}}, "dtau_dv");
  expect_matrix(with["dtau_dv"], {{0.7}}, "dtau_dv");
  expect_matrix(with["dtau_dq"], {{30}}, "dtau_dq");
  expect_matrix(with["da_dv"], {{-0.35}}, "da_dv");
  expect_matrix(with["da_dq"], {{-15}}, "da_dq");
}

TEST_F(CommandDerivatives, OfLoopsSayWhatTheyAre) {
  const Outcome outcome = run({"derivatives", "fourbar", "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome;
  const YAML::Node found = YAML::Load(outcome.out);
  EXPECT_EQ(found["loops"].as<std::string>(), "open");
  EXPECT_TRUE(found["unique"].IsDefined());
  EXPECT_NE(outcome.err.find("cut open"), std::string::npos) << outcome.err;
}

TEST_F(CommandDerivatives, LinearSystemsAreMadeOfThem) {
  const std::string at = state(two_joints_state);
  const YAML::Node d = json({"derivatives", crane, "--state", at}), found = json({"linearize", crane, "--state", at});
  std::vector<Row> A = {{0, 0, 1, 0}, {0, 0, 0, 1}}, B = {{0, 0}, {0, 0}};
  for (std::size_t i = 0; i < 2; ++i) {
    const Row by_q = row(d["da_dq"][i]), by_v = row(d["da_dv"][i]);
    A.push_back({by_q[0], by_q[1], by_v[0], by_v[1]});
    B.push_back(row(d["da_dtau"][i]));
  }
  EXPECT_EQ(matrix(found["A"]), A);
  EXPECT_EQ(matrix(found["B"]), B);
  EXPECT_EQ(found["states"].as<std::vector<std::string>>(),
            (std::vector<std::string>{"d.cart", "d.arm", "v.cart", "v.arm"}));
  const YAML::Node one = json({"linearize", crane, "--state", at, "--driven", "cart"});
  EXPECT_EQ(one["inputs"].as<std::vector<std::string>>(), std::vector<std::string>{"tau.cart"});
  EXPECT_EQ(matrix(one["B"])[3].size(), 1u);
  EXPECT_EQ(run({"linearize", crane, "--state", at, "--driven", "cat"}).status, 2);
}

// d of a free body is seen by axes that turn with it; and what is zero has no sign.
TEST_F(CommandDerivatives, LinearSystemsOfFreeBodiesTurnWithThem) {
  const std::string ball = folder.write("ball.yaml", R"(
name: ball
gravity: [0, 0, 0]
bodies:
  - {name: ball, parent: world, joint: {type: free}, mass: 2, inertia: [1, 1, 1, 0, 0, 0]}
)");
  const Outcome outcome = run({"linearize", ball, "--state", state(R"({"v": [1, 2, 3, 0, 0, 5]})"), "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome;
  const std::vector<Row> A = matrix(YAML::Load(outcome.out)["A"]);
  const std::vector<Row> minus_w = {{0, 3, -2}, {-3, 0, 1}, {2, -1, 0}}, minus_v = {{0, 5, 0}, {-5, 0, 0}, {0, 0, 0}};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_EQ(A[i][j], minus_w[i][j]);
      EXPECT_EQ(A[i][j + 3], 0);
      EXPECT_EQ(A[i + 3][j], minus_v[i][j]);
      EXPECT_EQ(A[i + 3][j + 3], minus_w[i][j]);
    }
  const YAML::Node B = YAML::Load(outcome.out)["B"];  // no input is no column, and as many rows
  ASSERT_EQ(B.size(), 12u);
  for (const auto& none : B) EXPECT_EQ(none.size(), 0u);
  for (const char* minus_zero : {"-0,", "-0]"}) EXPECT_EQ(outcome.out.find(minus_zero), std::string::npos);
}

// Sliders of 2 and 3 kg with y = 2 x are one of 2 + 4 * 3 kg: 14 x'' = tau - 5 x - 3 x', y'' = 2 x''.
TEST_F(CommandDerivatives, LinearSystemsOfLoopsHoldWhereTheyAreClosed) {
  const std::string sliders = folder.write("sliders.yaml", R"(
gravity: [0, 0, 0]
bodies:
  - {name: a, parent: world, joint: {type: prismatic, axis: [1, 0, 0]}, mass: 2, spring: {stiffness: 5}, friction: {viscous: 3}}
  - {name: b, parent: world, joint: {type: prismatic, axis: [0, 1, 0]}, mass: 3}
loops:
  - {type: coupler, a: {body: a}, b: {body: b}, ratio: 2}
)");
  const Outcome outcome = run({"linearize", sliders, "--forces", "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome;
  EXPECT_NE(outcome.err.find("loops are closed: A and B hold for changes of q and v that keep them so"),
            std::string::npos)
      << outcome.err;
  const std::vector<Row> A = matrix(YAML::Load(outcome.out)["A"]), B = matrix(YAML::Load(outcome.out)["B"]);
  for (std::size_t i = 0; i < 2; ++i) {
    const double ratio = i == 0 ? 1 : 2;
    expect_close({A[i + 2][0] + 2 * A[i + 2][1], A[i + 2][2] + 2 * A[i + 2][3]}, {-5 * ratio / 14, -3 * ratio / 14},
                 1e-15, "along the loop");
    expect_close(B[i + 2], {ratio / 14}, 1e-15, "B");
  }
  EXPECT_EQ(run({"linearize", crane, "--state", state(two_joints_state)}).err.find("loops"), std::string::npos);
}

TEST_F(CommandDerivatives, EquilibriaAreFoundFirst) {
  const YAML::Node found = json({"linearize", crane, "--equilibrium", "--state", state(R"({"q": [0, 0.3]})")});
  expect_close(row(found["q"]), {0, 0}, 1e-12, "q");
  // and where tau lifts the arm there is none: the cart is pushed away
  const Outcome none = run({"linearize", crane, "--equilibrium", "--state", state(R"({"tau": [1, 0]})"), "--json"});
  EXPECT_EQ(none.status, 4) << none;
  EXPECT_NE(none.err.find("cart"), std::string::npos) << none.err;
}

// A force that the world holds (a wind) turns in the body on its way to the equilibrium: there A is what it is at that state.
// With it alone on a pendulum, in the plane, gravity points elsewhere and is stronger.
TEST_F(CommandDerivatives, WrenchesOfTheWorldStayInTheWorldOnTheWayToTheEquilibrium) {
  const std::string pendulum = folder.write("pendulum.yaml", R"(
bodies:
  - {name: arm, joint: {type: revolute, axis: [0, 1, 0]}, mass: 2, com: [0, 0, -0.5]}
  - {name: tip, joint: fixed, frame: {xyz: [0, 0, -1]}}
)");
  const std::string wind = R"("wrenches": [{"body": "tip", "force": [8, 0, 3], "axes": "world"}])";
  const YAML::Node plane =
      json({"linearize", pendulum, "--equilibrium", "--state", state(R"({"q": [0.1], )" + wind + "}")});
  // tau = (m g l - 3) sin q + 8 cos q, of the inertia m l^2
  const double weight = 2 * 9.81 * 0.5 - 3;
  EXPECT_NEAR(row(plane["q"])[0], -std::atan2(8, weight), 1e-9);
  EXPECT_NEAR(row(plane["A"][1])[0], -std::hypot(8, weight) / 0.5, 1e-8);

  const std::string ball = folder.write("ball.yaml", R"(
bodies:
  - {name: arm, joint: {type: universal, axis: [0, 1, 0], axis2: [1, 0, 0]}, mass: 2, com: [0.1, 0, -0.5], inertia: [0.02, 0.03, 0.01, 0, 0, 0]}
)");
  const std::string storm =
      R"("wrenches": [{"body": "arm", "force": [1, 2, 3], "moment": [3, -4, 2], "axes": "world"}])";
  const YAML::Node found =
      json({"linearize", ball, "--equilibrium", "--state", state(R"({"q": [0.1, 0.2], )" + storm + "}")});
  const Row q = row(found["q"]);
  EXPECT_GT(std::abs(q[0] - 0.1) + std::abs(q[1] - 0.2), 0.3);
  std::ostringstream there;
  there.precision(17);
  there << "{\"q\": [" << q[0] << ", " << q[1] << "], " << storm << "}";
  const YAML::Node same = json({"linearize", ball, "--state", state(there.str())});
  for (const char* name : {"A", "B"})
    for (std::size_t i = 0; i < 4; ++i) expect_close(row(found[name][i]), row(same[name][i]), 1e-12, name);
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
