// --forces: springs and friction, in closed form.
#include <cmath>

#include "run.hpp"

namespace denoc::test {
namespace {

const char* const robot = R"(
bodies:
  - {name: cart, joint: {type: prismatic, axis: [1, 0, 0]}, mass: 2, spring: {stiffness: 30, rest: 0.1},
     friction: {viscous: 0.4, coulomb: 0.6, stribeck: [0.15, 8], surface_speed: 0.2}}
  - {name: arm, joint: {type: revolute, axis: [0, 1, 0]}, mass: 3, com: [0, 0, -0.5], inertia: [0.1, 0.1, 0.02, 0, 0, 0],
     friction: {viscous: 0.3, coulomb: 0.5}}
  - {name: ball, parent: arm, frame: {xyz: [0, 0, -1]}, joint: {type: spherical}, mass: 1, com: [0, 0, -0.1],
     inertia: [0.01, 0.01, 0.01, 0, 0, 0], friction: {viscous: 0.2, coulomb: 0.1}}
)";

struct Forces : testing::Test {
  Folder folder;
  std::string model = folder.write("robot.yaml", robot);
  Row ask(const std::string& command, const std::string& key, const std::string& state, bool forces) {
    const std::string file = folder.write("state.json", state);
    Arguments arguments = {command, model, "--state", file};
    if (forces) arguments.emplace_back("--forces");
    return row(json(arguments)[key]);
  }
};

TEST_F(Forces, InverseDynamicsOvercomesThem) {
  const std::string state =
      R"({"q": [0.3, 0.4, 0.5, 0.5, -0.5, 0.5], "v": [0.7, -0.6, 0, 0.1, -0.2], "a": [1, 2, 3, 4, 5]})";
  const Row with = ask("id", "tau", state, true), without = ask("id", "tau", state, false);
  const double u = 0.7 - 0.2;
  const Row expected = {0.4 * u + 0.6 + 0.15 * std::exp(-8 * u) + 30 * (0.3 - 0.1), -0.3 * 0.6 - 0.5, 0,
                        0.2 * 0.1 + 0.1, -0.2 * 0.2 - 0.1};
  for (std::size_t k = 0; k < with.size(); ++k) EXPECT_NEAR(with[k] - without[k], expected[k], 1e-13) << k;
}

TEST_F(Forces, NothingSlidesAtTheSurfaceSpeed) {
  const std::string state = R"({"q": [0.1, 0, 1, 0, 0, 0], "v": [0.2, 0, 0, 0, 0], "a": [0, 0, 0, 0, 0]})";
  EXPECT_EQ(ask("id", "tau", state, true), ask("id", "tau", state, false));
}

TEST_F(Forces, ForwardUndoesInverse) {
  const std::string motion = R"("q": [0.3, 0.4, 0.5, 0.5, -0.5, 0.5], "v": [0.7, -0.6, 0, 0.1, -0.2])";
  const Row tau = ask("id", "tau", "{" + motion + R"(, "a": [1, 2, 3, 4, 5]})", true);
  std::ostringstream loaded;
  loaded.precision(17);
  loaded << "{" << motion << ", \"tau\": [";
  for (std::size_t k = 0; k < tau.size(); ++k) loaded << (k == 0 ? "" : ", ") << tau[k];
  loaded << "]}";
  expect_close(ask("fd", "a", loaded.str(), true), {1, 2, 3, 4, 5}, 1e-12, "a");
}

// A mass on a vertical rail, hung on a spring beside it.
const char* const hung = R"(
bodies:
  - {name: weight, joint: {type: prismatic}, mass: 2}
springs:
  - {a: {body: weight, point: [0, 0, 0]}, b: {body: world, point: [3, 0, 4]}, stiffness: 10, damping: 5, rest: 1}
)";

TEST_F(Forces, SpringsBetweenPointsPullTheirEndsTogether) {
  model = folder.write("hung.yaml", hung);
  const Row a = ask("fd", "a", R"({"q": [0], "v": [2], "tau": [0]})", true);
  // L = 5, L' = -2 4/5
  const double pull = 10 * (5 - 1) + 5 * (-2 * 0.8);
  expect_close(a, {-9.81 + pull * 0.8 / 2}, 1e-13, "a");
  const std::string state = folder.write("state.json", R"({"q": [0], "v": [2]})");
  EXPECT_NEAR(json({"energy", model, "--state", state, "--forces"})["potential"].as<double>(), 10 * 16 / 2., 1e-12);
}

TEST_F(Forces, CoincidentEndsHaveNoDirection) {
  std::string text = hung;
  text.replace(text.find("3, 0, 4"), 7, "0, 0, 0");
  model = folder.write("hung.yaml", text);
  const std::string state =
      folder.write("state.json", R"([{"q": [1], "v": [0], "tau": [0]}, {"q": [0], "v": [0], "tau": [0]}])");
  const Outcome outcome = run({"fd", model, "--state", state, "--forces"});
  EXPECT_EQ(outcome.status, 4) << outcome;
  EXPECT_NE(outcome.first_line().find("states[1]"), std::string::npos) << outcome;
  EXPECT_NE(outcome.first_line().find("springs[0]"), std::string::npos) << outcome;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(run({"fd", model, "--state", state}).status, 0);
}

}  // namespace
}  // namespace denoc::test
