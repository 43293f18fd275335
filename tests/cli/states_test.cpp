// States: defaults, maps by joint, postures of other commands, and joints that nothing drives.
#include <cmath>

#include "cli/run.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

struct States : testing::Test {
  Folder folder;
  const std::string crane = folder.write("crane.yaml", two_joints);
  std::string state(const std::string& text) const { return folder.write("state.json", text); }
};

TEST_F(States, MayLeaveOutWhatIsZero) {
  const Row all = row(json({"id", crane, "--state", state(R"({"q": [0, 0.3], "v": [0, 0], "a": [0, 2]})")})["tau"]);
  EXPECT_EQ(row(json({"id", crane, "--state", state(R"({"q": {"arm": 0.3}, "a": {"arm": 2}})")})["tau"]), all);
  EXPECT_EQ(row(json({"id", crane})["tau"]), row(json({"id", crane, "--state", state("{}")})["tau"]));
}

// Degrees, say: whoever reads the file tells.
TEST_F(States, WhatIsDoubtedIsToldByEveryCommand) {
  const std::string degrees = state(R"({"q": [0, 90]})");
  for (const char* command : {"id", "fk", "compare", "stability", "study"}) {
    const Outcome told = run({command, crane, "--state", degrees});
    EXPECT_EQ(told.status, 0) << command << told;
    EXPECT_NE(told.err.find("90 rad is more than a whole turn"), std::string::npos) << command << told;
  }
}

TEST_F(States, ArePrinted) {
  const std::string rest = folder.path("rest.json"), lively = folder.path("lively.json");
  for (const char* model : {"puma560", "fourbar", "humanoid"}) {
    ASSERT_EQ(run({"state", model, "-o", rest}).status, 0);
    EXPECT_EQ(row(json({"id", model, "--state", rest})["tau"]), row(json({"id", model})["tau"])) << model;
    ASSERT_EQ(run({"state", model, "--random", "7", "-o", lively}).status, 0);
    EXPECT_EQ(content_of(lively), run({"state", model, "--random", "7"}).out);
    EXPECT_NE(content_of(lively), run({"state", model, "--random", "8"}).out);
    // Loops are closed, rates and accelerations included.
    const Row tau = row(json({"id", model, "--state", lively})["tau"]);
    ASSERT_EQ(run({"state", model, "--random", "7", "--by-joint", "-o", lively}).status, 0);
    expect_close(row(json({"id", model, "--state", lively})["tau"]), tau, 0, model);
  }
  EXPECT_EQ(run({"state", "puma560", "--random", "x"}).status, 2);
  EXPECT_NE(run({"state", "puma560", "--posture", "home"}).err.find("--posture"), std::string::npos);
}

TEST_F(States, OfOtherCommandsAreRead) {
  const std::string closed = folder.path("closed.json"), out = folder.path("run");
  ASSERT_EQ(run({"assemble", "fourbar", "--json", "-o", closed}).status, 0);
  EXPECT_EQ(json({"fd", "fourbar", "--state", closed})["a"].size(), 3u);
  const std::string scenario =
      folder.write("run.yaml",
                   "robot: crane.yaml\nduration: 0.1\nintegrator: {method: dopri5, rtol: 1e-8}\n"
                   "start: {q: {arm: 0.4}}\noutput: {every: 0.1}\ncontrol: {type: none}\n");
  const Outcome summary = run({"simulate", scenario, "-o", out, "--json"});
  ASSERT_EQ(summary.status, 0) << summary;
  const Row a = row(json({"fd", crane, "--state", out + "/final.json"})["a"]);
  EXPECT_EQ(row(json({"fd", crane, "--state", folder.write("summary.json", summary.out)})["a"]), a);
  EXPECT_NE(a, row(json({"fd", crane})["a"]));
}

TEST_F(States, TurnWrenchesOfTheWorld) {
  // Downward in the world, on an arm turned by a right angle about y: along its x axis.
  const auto tau = [&](const std::string& wrench) {
    return row(json({"id", crane, "--state",
                     state("{\"q\": {\"arm\": pi/2}, \"wrenches\": [{\"body\": \"arm\", " + wrench + "}]}")})["tau"]);
  };
  expect_close(tau("\"force\": [0, 0, -5], \"moment\": [0, 1, 2], \"axes\": \"world\""),
               tau("\"force\": [5, 0, 0], \"moment\": [-2, 1, 0]"), 1e-14, "tau");
}

// On a ball that is turned, x to y to z to x: what the world calls y, the ball calls x.
TEST_F(States, TurnAllOfAWrenchOfTheWorld) {
  const std::string ball = folder.write("ball.yaml", R"(gravity: [0, 0, 0]
bodies:
  - {name: ball, joint: {type: free}, mass: 3, inertia: [0.1, 0.2, 0.3, 0, 0, 0]}
)");
  const auto of = [&](const char* command, const char* result, const std::string& wrench) {
    return row(json({command, ball, "--state",
                     state("{\"q\": [0.3, 0.2, 0.1, 0.5, 0.5, 0.5, 0.5], \"v\": [1, 2, 3, 4, 5, 6], \"wrenches\": "
                           "[{\"body\": \"ball\", " +
                           wrench + "}]}")})[result]);
  };
  const std::string in_world = "\"moment\": [1, 2, 3], \"force\": [4, 5, 6], \"axes\": \"world\"",
                    in_body = "\"moment\": [2, 3, 1], \"force\": [5, 6, 4]";
  EXPECT_EQ(of("id", "tau", in_world), of("id", "tau", in_body));
  EXPECT_EQ(of("fd", "a", in_world), of("fd", "a", in_body));
  EXPECT_NE(of("fd", "a", in_world), of("fd", "a", "\"moment\": [1, 2, 3], \"force\": [4, 5, 6]"));
}

// The answer of id with drives in some joints is what fd gives back.
TEST_F(States, SolveForWhatNothingDrives) {
  const YAML::Node pushed =
      json({"id", crane, "--driven", "cart", "--state", state(R"({"q": [0, 0.3], "v": [1, 2], "a": {"cart": 1.5}})")});
  const Row tau = row(pushed["tau"]), a = row(pushed["a"]);
  ASSERT_EQ(a.size(), 2u);
  EXPECT_EQ(a[0], 1.5);
  EXPECT_EQ(tau[1], 0);
  EXPECT_NE(a[1], 0);
  std::ostringstream text;
  text.precision(17);
  text << R"({"q": [0, 0.3], "v": [1, 2], "tau": [)" << tau[0] << ", 0]}";
  expect_close(row(json({"fd", crane, "--state", state(text.str())})["a"]), a, 1e-12, "a");
  // A list is taken as it is, a joint that is named stays: the cart alone cannot do that.
  for (const char* given : {"[1.5, 0]", "{\"cart\": 1.5, \"arm\": 0}"}) {
    const Outcome held =
        run({"id", crane, "--driven", "cart", "--state", state(std::string(R"({"q": [0, 0.3], "a": )") + given + "}")});
    EXPECT_EQ(held.status, 4) << held;
  }
}

// What the joints carry belongs to the accelerations that were found: Newton's law for the whole crane, of which the
// drive of the cart gives what is along the rail.
TEST_F(States, SolveForWhatReactionsCarry) {
  const std::string at = R"("q": [0, 0.3], "v": [1, 2], "a": )";
  const YAML::Node found =
      json({"id", crane, "--driven", "cart", "--reactions", "--state", state("{" + at + R"({"cart": 1.5}})")});
  const double th = 0.3, rate = 2, turns = row(found["a"])[1], s = std::sin(th), c = std::cos(th);
  EXPECT_GT(std::abs(turns), 1);
  // the arm's mass centre is at (x - s / 2, -c / 2), half a metre below the cart
  expect_close(
      row(found["base"]["force"]),
      {2 * 1.5 + 3 * (1.5 - (c * turns - s * rate * rate) / 2), 0, 5 * 9.81 + 3 * (s * turns + c * rate * rate) / 2},
      1e-12, "base");
  EXPECT_NEAR(row(found["base"]["force"])[0], row(found["tau"])[0], 1e-12);
}

TEST_F(States, AssembleHoldsJointsOfOneCoordinate) {
  const std::string robot = folder.write("balls.yaml", R"(bodies:
  - {name: arm, joint: spherical, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
loops:
  - {type: point-on-plane, a: {body: arm, point: [1, 0, 0]}, b: {body: world}, axis: [0, 0, 1]}
)");
  const Outcome refused = run({"assemble", robot, "--hold", "arm=0.3"});
  EXPECT_EQ(refused.status, 2) << refused;
  EXPECT_NE(refused.first_line().find("joint 'arm' has several coordinates"), std::string::npos) << refused;
}
TEST_F(States, AssembleHoldsJoints) {
  const YAML::Node held = json({"assemble", "fourbar", "--hold", "crank=0.3"});
  EXPECT_NEAR(held["q"][0].as<double>(), 0.3, 1e-15);
  EXPECT_LE(held["gap"].as<double>(), 1e-12);
  for (const YAML::Node& way : held["branches"]) EXPECT_NEAR(way[0].as<double>(), 0.3, 1e-9);
  // The other ways, too, where it is not the first that is held.
  const YAML::Node last = json({"assemble", "fourbar", "--hold", "rocker=1.3"});
  EXPECT_EQ(last["branches"].size(), 2u);
  for (const YAML::Node& way : last["branches"]) EXPECT_NEAR(way[2].as<double>(), 1.3, 1e-9);
  EXPECT_EQ(run({"assemble", "fourbar", "--hold", "crank"}).status, 2);
  EXPECT_NE(run({"assemble", "fourbar", "--hold", "crnk=1"}).err.find("'crank'"), std::string::npos);
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
