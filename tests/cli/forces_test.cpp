// --forces: springs, friction and end stops, in closed form and as the simulator has them.
#include <cmath>
#include <cstring>

#include "denoc/io/rows.hpp"
#include "run.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

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

  const std::string rows = folder.write("rows.csv", "0.3,0.4,0.5,0.5,-0.5,0.5,0.7,-0.6,0,0.1,-0.2,1,2,3,4,5\n");
  const Outcome batch = run({"id", model, "--batch", rows, "-o", folder.path("tau.csv"), "--forces"});
  ASSERT_EQ(batch.status, 0) << batch;
  EXPECT_EQ(batch.err, "");
  Row found(5);
  ASSERT_EQ(io::RowReader(folder.path("tau.csv"), {"tau1", "tau2", "tau3", "tau4", "tau5"}).read(found), 1u);
  expect_close(found, with, 1e-13, "of a batch");
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

// A slider beyond its upper stop, going further; the lower one is far away.
TEST_F(Forces, EndStopsPushBack) {
  model = folder.write("stopped.yaml", R"(
bodies:
  - {name: cart, joint: {type: prismatic, axis: [1, 0, 0]}, mass: 2,
     limits: {lower: -1, upper: 0.5, stiffness: 100, damping: 0.2}}
)");
  const double push = 100 * 0.1 * (1 + 0.2 * 3);
  const std::string state = R"({"q": [0.6], "v": [3], "a": [0], "tau": [0]})";
  expect_close(ask("id", "tau", state, true), {push}, 1e-13, "tau");
  expect_close(ask("fd", "a", state, true), {-push / 2}, 1e-13, "a");
  expect_close(ask("id", "tau", state, false), {0}, 1e-14, "tau of rigid bodies");
  const std::string file = folder.path("state.json");
  EXPECT_NEAR(json({"energy", model, "--state", file, "--forces"})["potential"].as<double>(), 0.5, 1e-13);
  EXPECT_EQ(json({"energy", model, "--state", file})["potential"].as<double>(), 0);
}

// Forces of the file that nobody asked for are named on one line, however many states there are.
TEST_F(Forces, LeftOutOnesAreNamed) {
  const std::string state = folder.write("states.json", R"([{"q": [0, 0, 1, 0, 0, 0], "v": [0, 0, 0, 0, 0],
    "a": [0, 0, 0, 0, 0], "tau": [0, 0, 0, 0, 0]}, {"q": [0, 0, 1, 0, 0, 0], "v": [0, 0, 0, 0, 0],
    "a": [0, 0, 0, 0, 0], "tau": [0, 0, 0, 0, 0]}])");
  for (const char* command : {"id", "fd", "energy"}) {
    const Outcome without = run({command, model, "--state", state});
    EXPECT_EQ(without.status, 0) << without;
    EXPECT_EQ(without.err, "denoc: left out: viscous friction, joint springs, dry friction (--forces adds them)\n");
    EXPECT_EQ(run({command, model, "--state", state, "--forces"}).err, "");
    EXPECT_EQ(
        run({command, folder.write("crane.yaml", two_joints), "--state", folder.write("state.json", two_joints_state)})
            .err,
        "");
  }
  EXPECT_EQ(run({"inertia", model, "--state", state}).err, "");  // they do not change it
  const std::string rows = folder.write("rows.csv", "0,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0\n");
  const Outcome batch = run({"id", model, "--batch", rows, "-o", folder.path("tau.csv")});
  EXPECT_EQ(batch.status, 0) << batch;
  EXPECT_EQ(batch.err, "denoc: left out: viscous friction, joint springs, dry friction (--forces adds them)\n");
}

// While everything slides, the accelerations of a run are those of `fd --forces` at its states.
TEST_F(Forces, AreThoseOfASimulation) {
  folder.write("machine.yaml", R"(
bodies:
  - {name: cart, joint: {type: prismatic, axis: [1, 0, 0]}, mass: 2, spring: {stiffness: 30, rest: 0.1},
     friction: {viscous: 0.4, coulomb: 0.6, stribeck: [0.15, 8], surface_speed: -3}, limits: {upper: 0.2, stiffness: 500, damping: 0.3}}
  - {name: arm, joint: {type: revolute, axis: [0, 1, 0]}, mass: 3, com: [0, 0, -0.5], inertia: [0.1, 0.1, 0.02, 0, 0, 0],
     friction: {viscous: 0.3, coulomb: 0.5}, limits: {lower: 0, upper: 0.6, stiffness: 200, damping: 2}}
  - {name: ball, parent: arm, frame: {xyz: [0, 0, -1]}, joint: {type: spherical}, mass: 1, com: [0, 0, -0.1],
     inertia: [0.01, 0.01, 0.01, 0, 0, 0], friction: {viscous: 0.02, coulomb: 0.01}}
springs:
  - {a: {body: ball, point: [0.1, 0, -0.2]}, b: {body: world, point: [1, 0.5, -1]}, stiffness: 20, damping: 1, rest: 0.3}
)");
  model = folder.path("machine.yaml");
  const std::string out = folder.path("out");
  const std::string scenario = folder.write("run.yaml", R"(
robot: machine.yaml
duration: 0.04
start: {q: [0.19, 0.5, 1, 0, 0, 0], v: [1, 3, 4, -5, 6]}
control: {type: torques, tau: [1, 2, 0.1, 0.2, 0.3]}
output: {every: 0.01, npz: true}
)");
  ASSERT_EQ(run({"simulate", scenario, "--out", out}).status, 0);
  EXPECT_FALSE(fs::exists(out + "/events.csv"));  // nothing sticks
  constexpr std::size_t samples = 5, nq = 6, nv = 5;
  const std::string archive = content_of(out + "/trajectory.npz");
  const auto array = [&](const std::string& name, std::size_t columns) {
    const std::size_t header = archive.find("\x93NUMPY", archive.find(name + ".npy"));
    EXPECT_NE(archive.find("'shape': (5, " + std::to_string(columns) + "), }", header), std::string::npos) << name;
    Row numbers(samples * columns);
    std::memcpy(numbers.data(), archive.data() + header + 128, numbers.size() * sizeof(double));
    return numbers;
  };
  const Row q = array("q", nq), v = array("v", nv), a = array("a", nv), tau = array("tau", nv);
  bool both_stop = false;
  for (std::size_t i = 0; i < samples; ++i) {
    std::ostringstream state;
    state.precision(17);
    const auto list = [&](const char* key, const Row& all, std::size_t n) {
      state << '"' << key << "\": [";
      for (std::size_t k = 0; k < n; ++k) state << (k == 0 ? "" : ", ") << all[i * n + k];
      state << ']';
    };
    state << '{', list("q", q, nq), state << ", ", list("v", v, nv), state << ", ", list("tau", tau, nv), state << '}';
    const Row expected(a.begin() + std::ptrdiff_t(i * nv), a.begin() + std::ptrdiff_t((i + 1) * nv));
    expect_close(ask("fd", "a", state.str(), true), expected, 1e-12 * largest(expected), "a");
    both_stop = both_stop || (q[i * nq] > 0.2 && q[i * nq + 1] > 0.6);
  }
  EXPECT_TRUE(both_stop);  // or nothing is said of stops
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
  EXPECT_EQ(run({"energy", model, "--state", state, "--forces"}).status, 0);  // what is stored has none
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
