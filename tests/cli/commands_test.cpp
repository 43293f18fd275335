// What the commands answer.
#include <cmath>
#include <set>

#include "run.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

struct Commands : testing::Test {
  Folder folder;
  std::string model = folder.write("crane.yaml", two_joints), state = folder.write("state.json", two_joints_state);

  // M a + ... for the crane, by hand: x moves the cart, the arm swings about y.
  static constexpr double m = 3, M = 2, l = 0.5, J = 0.1, g = 9.81;
};

TEST_F(Commands, InverseDynamicsOfACrane) {
  const double q = 0.3, w = -0.7, x = 1, a = 2;
  // the mass centre is at (x - l sin q, -l cos q)
  const double force = (M + m) * x - m * l * std::cos(q) * a + m * l * std::sin(q) * w * w;
  const double moment = (J + m * l * l) * a - m * l * std::cos(q) * x + m * g * l * std::sin(q);
  expect_close(row(json({"id", model, "--state", state})["tau"]), {force, moment}, 1e-13, "tau");
}

TEST_F(Commands, ReactionsCarryTheWeight) {
  const std::string still = folder.write("still.json", R"({"q": [0.1, 0.3], "v": [0, 0], "a": [0, 0]})");
  const YAML::Node found = json({"id", model, "--state", still, "--reactions"});
  ASSERT_EQ(found["reactions"].size(), 2u);
  EXPECT_EQ(found["reactions"][0]["body"].as<std::string>(), "cart");
  expect_close(row(found["base"]["force"]), {0, 0, (M + m) * g}, 1e-12, "base force");
  expect_close(row(found["reactions"][1]["force"]), {-m * g * std::sin(0.3), 0, m * g * std::cos(0.3)}, 1e-12, "arm");
}

TEST_F(Commands, GravityIsOverriddenForAnyFile) {
  for (const std::string gravity : {"1,2,-3.5", "-1,0,0", "0,0,-sqrt(2)", " 0, 0 ,9.81"}) {
    const YAML::Node info = json({"info", model, "--gravity", gravity});
    const YAML::Node same = json({"info", model, "--gravity=" + gravity});
    EXPECT_EQ(row(info["gravity"]), row(same["gravity"]));
  }
  expect_close(row(json({"info", "puma560", "--gravity", "1,2,-3.5"})["gravity"]), {1, 2, -3.5}, 0, "gravity");
  const std::string still = folder.write("still.json", R"({"q": [0, 0], "v": [0, 0], "a": [0, 0]})");
  expect_close(row(json({"id", model, "--state", still, "--gravity", "-2,0,0"})["tau"]), {2 * (M + m), -m * l * 2},
               1e-13, "tau");
}

TEST_F(Commands, EnergyAndMomentum) {
  const YAML::Node found = json({"energy", model, "--state", state});
  const double q = 0.3, x = 0.1, v = 0.5, w = -0.7;
  const double cx = v - l * std::cos(q) * w, cz = l * std::sin(q) * w;
  EXPECT_NEAR(found["kinetic"].as<double>(), (M * v * v + m * (cx * cx + cz * cz) + J * w * w) / 2, 1e-14);
  EXPECT_NEAR(found["potential"].as<double>(), -m * g * l * std::cos(q), 1e-13);
  expect_close(row(found["momentum"]["linear"]), {M * v + m * cx, 0, m * cz}, 1e-14, "linear");
  const double px = x - l * std::sin(q), pz = -l * std::cos(q);
  expect_close(row(found["momentum"]["angular"]), {0, J * w + m * (pz * cx - px * cz), 0}, 1e-14, "angular");
}

TEST_F(Commands, InertiaOfRobotsThatDoNotMove) {
  const std::string post = folder.write("post.yaml", "bodies: [{name: post, joint: fixed, mass: 1}]");
  const std::string nothing = folder.write("nothing.json", R"({"q": [], "v": [], "a": [], "tau": []})");
  const YAML::Node found = json({"inertia", post, "--state", nothing});
  EXPECT_EQ(found["I"].size(), 0u);
  EXPECT_EQ(found["U"].size(), 0u);
  EXPECT_EQ(found["D"].size(), 0u);
  EXPECT_EQ(found["condition"].as<double>(), 1);
  EXPECT_EQ(json({"id", post, "--state", nothing})["tau"].size(), 0u);
  EXPECT_EQ(json({"fd", post, "--state", nothing})["a"].size(), 0u);
  for (const char* command : {"id", "fd", "inertia", "energy"})
    EXPECT_EQ(run({command, post, "--state", nothing}).status, 0) << command;
  for (const char* command : {"id", "fd"})
    EXPECT_NE(run({command, post, "--state", nothing}).out.find("no joint moves"), std::string::npos) << command;
}

// Methods are other sums of the same terms: the same to rounding, and each by its own. (A method that is the code of
// another says so.)
TEST_F(Commands, TheMethodThatIsNamedIsUsed) {
  std::string states;
  for (int seed = 1; seed <= 3; ++seed)
    states += (seed == 1 ? "[" : ",") + run({"state", "puma560", "--random", std::to_string(seed)}).out;
  const std::string file = folder.write("states.json", states + "]");
  const YAML::Node methods = json({"methods"});
  for (const auto& [problem, command, key] :
       {std::tuple{"inverse", "id", "tau"}, {"inertia", "inertia", "I"}, {"forward", "fd", "a"}}) {
    const auto result = [&, key = key](const Arguments& words) {
      Row all;
      for (const YAML::Node& each : json(words))
        for (const YAML::Node& entry : each[key]) {
          const Row numbers = entry.IsSequence() ? row(entry) : Row{entry.as<double>()};
          all.insert(all.end(), numbers.begin(), numbers.end());
        }
      return all;
    };
    const Row expected = result({command, "puma560", "--state", file});
    for (const YAML::Node& method : methods[problem]) {
      const auto name = method["name"].as<std::string>();
      const Row found = result({command, "puma560", "--state", file, "--method", name});
      const bool is_first = name == methods[problem][0]["name"].as<std::string>(),
                 is_shared = name == "articulated-body";
      EXPECT_EQ(found == expected, is_first || is_shared) << command << " --method " << name;
      expect_close(found, expected, 1e-9 * largest(expected), name);
    }
  }
}

TEST_F(Commands, EmptyListsOfStatesGiveEmptyLists) {
  const std::string none = folder.write("none.json", "[]");
  for (const char* command : {"id", "fd", "inertia", "energy"}) {
    const YAML::Node found = json({command, model, "--state", none});
    EXPECT_TRUE(found.IsSequence() && found.size() == 0) << command;
    EXPECT_EQ(run({command, model, "--state", none}).status, 0) << command;
  }
}

TEST_F(Commands, TablesNameJointsAndUnits) {
  const Outcome id = run({"id", model, "--state", state});
  EXPECT_EQ(id.status, 0) << id;
  for (const char* word : {"cart", "arm", "N m", "tau", "denoc"}) EXPECT_NE(id.out.find(word), std::string::npos) << id;
  const Outcome fd = run({"fd", model, "--state", state});
  for (const char* word : {"rad/s^2", "m/s^2"}) EXPECT_NE(fd.out.find(word), std::string::npos) << fd;
  EXPECT_EQ(run({"inertia", model, "--state", state}).status, 0);
  EXPECT_EQ(run({"energy", model, "--state", state}).status, 0);
}

TEST_F(Commands, NumbersComeBackExactly) {
  const Outcome outcome = run(
      {"info", folder.write("third.yaml", "gravity: [1/3, 0, -0.1]\nbodies: [{joint: revolute, mass: 1}]"), "--json"});
  EXPECT_NE(outcome.out.find("0.33333333333333331"), std::string::npos) << outcome;
  EXPECT_NE(outcome.out.find("-0.10000000000000001"), std::string::npos) << outcome;
}

TEST_F(Commands, StatesFromStandardInput) {
  const YAML::Node piped = json({"id", model, "--state", "-"}, {.in = two_joints_state});
  EXPECT_EQ(row(piped["tau"]), row(json({"id", model, "--state", state})["tau"]));
  const YAML::Node robot = json({"id", "-", "--state", state}, {.in = two_joints});
  EXPECT_EQ(row(robot["tau"]), row(piped["tau"]));
}

const char* const every_joint = R"(
name: every
bodies:
  - {name: trunk, parent: world, joint: {type: free}, mass: 8, inertia: [1, 1, 1, 0, 0, 0]}
  - {name: head, joint: {type: fixed}, frame: {xyz: [0, 0, 0.4]}, mass: 2}
  - {name: arm, parent: trunk, joint: {type: universal, axis: [0, 1, 0], axis2: [0, 0, 1], name: shoulder}, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
  - {name: hand, parent: arm, joint: {type: spherical}, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
  - {name: tail, parent: trunk, joint: {type: planar}, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
)";

TEST_F(Commands, InfoListsEveryJointWithItsIndices) {
  const std::string file = folder.write("every.yaml", every_joint);
  const YAML::Node found = json({"info", file});
  EXPECT_EQ(found["name"].as<std::string>(), "every");
  EXPECT_EQ(found["nq"].as<int>(), 16);
  EXPECT_EQ(found["nv"].as<int>(), 14);
  EXPECT_EQ(found["mass"].as<double>(), 13);
  struct Expected {
    std::string name, type, body, parent, q, v;
    int nq, nv;
  };
  const std::vector<Expected> expected = {{"trunk", "free", "trunk", "world", "0", "0", 7, 6},
                                          {"head", "fixed", "head", "trunk", "null", "null", 0, 0},
                                          {"shoulder", "universal", "arm", "trunk", "7", "6", 2, 2},
                                          {"hand", "spherical", "hand", "arm", "9", "8", 4, 3},
                                          {"tail", "planar", "tail", "trunk", "13", "11", 3, 3}};
  ASSERT_EQ(found["joints"].size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const YAML::Node joint = found["joints"][i];
    EXPECT_EQ(joint["name"].as<std::string>(), expected[i].name);
    EXPECT_EQ(joint["type"].as<std::string>(), expected[i].type);
    EXPECT_EQ(joint["body"].as<std::string>(), expected[i].body);
    EXPECT_EQ(joint["parent"].as<std::string>(), expected[i].parent);
    EXPECT_EQ(joint["q"].as<std::string>(), expected[i].q);
    EXPECT_EQ(joint["v"].as<std::string>(), expected[i].v);
    EXPECT_EQ(joint["nq"].as<int>(), expected[i].nq);
    EXPECT_EQ(joint["nv"].as<int>(), expected[i].nv);
  }
  ASSERT_EQ(found["modules"].size(), 3u);  // trunk; arm, hand; tail
  EXPECT_EQ(found["modules"][1]["bodies"].as<std::vector<std::string>>(), (std::vector<std::string>{"arm", "hand"}));
  EXPECT_EQ(found["modules"][1]["parent"].as<int>(), 1);
  ASSERT_EQ(found["frames"].size(), 1u);
  EXPECT_EQ(found["frames"][0]["body"].as<std::string>(), "trunk");
  expect_close(row(found["frames"][0]["position"]), {0, 0, 0.4}, 1e-15, "head");

  const Outcome table = run({"info", file});
  EXPECT_EQ(table.status, 0);
  for (const char* word : {"shoulder", "universal", "2^2", "head", "13 kg", "7-8"})
    EXPECT_NE(table.out.find(word), std::string::npos) << word << "\n" << table;
}

// A frame on a fixed joint is where its file has it: Rz(yaw) Ry(pitch) Rx(roll), by rows.
TEST_F(Commands, InfoTurnsFramesAsTheirFileDoes) {
  const double r = 0.3, p = -0.5, y = 0.8;
  const std::string file = folder.write("tool.yaml", R"(
bodies:
  - {name: arm, joint: revolute, mass: 1, com: [1, 0, 0]}
  - {name: tool, joint: fixed, frame: {xyz: [0.1, 0.2, 0.3], rpy: [0.3, -0.5, 0.8]}, mass: 1}
)");
  const YAML::Node frame = json({"info", file})["frames"][0];
  const double cr = std::cos(r), sr = std::sin(r), cp = std::cos(p), sp = std::sin(p), cy = std::cos(y),
               sy = std::sin(y);
  const std::vector<Row> expected = {{cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr},
                                     {sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr},
                                     {-sp, cp * sr, cp * cr}};
  ASSERT_EQ(frame["rotation"].size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) expect_close(row(frame["rotation"][i]), expected[i], 1e-15, "rotation");
  expect_close(row(frame["position"]), {0.1, 0.2, 0.3}, 0, "position");
}

// All of a hub, and the armature beside the rotor.
TEST_F(Commands, InfoShowsArmaturesAndHubs) {
  const std::string file = folder.write("hub.yaml", R"(
bodies:
  - {name: a, joint: {type: revolute}, mass: 1, hub: [0.02, 0.03, 0.04, 0.005, 0, 0], armature: 0.625}
)");
  const YAML::Node found = json({"info", file});
  EXPECT_EQ(found["joints"][0]["armature"].as<double>(), 0.625);
  EXPECT_EQ(row(found["bodies"][0]["hub"]), (std::vector<double>{0.02, 0.03, 0.04, 0.005, 0, 0}));
  const Outcome table = run({"info", file});
  for (const char* word : {"armature", "0.625", "0.02 0.03 0.04", "0.005 0 0"})
    EXPECT_NE(table.out.find(word), std::string::npos) << word << "\n" << table;
}

TEST_F(Commands, InfoKnowsEveryShippedRobot) {
  int robots = 0;
  for (const auto& entry : fs::directory_iterator(DENOC_MODELS_DIR)) {
    const std::string name = entry.path().stem().string();
    const YAML::Node found = json({"info", name});
    EXPECT_EQ(found["name"].as<std::string>(), name);
    // Bodies, joints and modules are of one tree, and the mass is that of the bodies.
    double mass = 0;
    int nq = 0, nv = 0;
    std::size_t in_modules = 0, moving = 0;
    ASSERT_EQ(found["bodies"].size(), found["joints"].size()) << name;
    for (const YAML::Node& body : found["bodies"]) mass += body["mass"].as<double>();
    for (const YAML::Node& module : found["modules"]) in_modules += module["bodies"].size();
    for (const YAML::Node& joint : found["joints"]) {
      nq += joint["nq"].as<int>(), nv += joint["nv"].as<int>();
      moving += joint["nv"].as<int>() > 0 ? 1 : 0;
    }
    EXPECT_NEAR(found["mass"].as<double>(), mass, 1e-12 * mass) << name;
    EXPECT_EQ(found["nq"].as<int>(), nq) << name;
    EXPECT_EQ(found["nv"].as<int>(), nv) << name;
    EXPECT_EQ(in_modules, moving) << name;
    const Outcome text = run({"info", name});
    EXPECT_EQ(text.status, 0) << name;
    for (const YAML::Node& module : found["modules"])
      for (std::size_t k = 0; k < module["bodies"].size(); ++k)
        EXPECT_NE(text.out.find(std::to_string(k + 1) + "^" + module["module"].as<std::string>() + " " +
                                module["bodies"][k].as<std::string>()),
                  std::string::npos)
            << text;
    EXPECT_EQ(run({"check", name}).status, 0) << name;
    ++robots;
  }
  EXPECT_GE(robots, 8);
}

TEST_F(Commands, MethodsAreThoseThatAreKnown) {
  const YAML::Node found = json({"methods"});
  const std::vector<std::pair<std::string, std::string>> commands = {
      {"inverse", "id"}, {"inertia", "inertia"}, {"forward", "fd"}};
  for (const auto& [problem, command] : commands) {
    ASSERT_GE(found[problem].size(), 1u);
    for (const YAML::Node& method : found[problem]) {
      EXPECT_FALSE(method["order"].as<std::string>().empty());
      EXPECT_FALSE(method["covers"].as<std::string>().empty());
      EXPECT_EQ(run({command, model, "--state", state, "--method", method["name"].as<std::string>()}).status, 0);
    }
  }
  // The table has them in the same order, with what they cost and cover.
  std::istringstream table(run({"methods"}).out);
  std::string line;
  for (int heading = 0; heading < 2; ++heading) std::getline(table, line);
  for (const auto& [problem, command] : commands)
    for (std::size_t i = 0; i < found[problem].size(); ++i) {
      const YAML::Node method = found[problem][i];
      ASSERT_TRUE(std::getline(table, line)) << problem;
      for (const char* key : {"name", "order", "covers"})
        EXPECT_NE(line.find(method[key].as<std::string>()), std::string::npos) << line;
      if (i == 0) {
        EXPECT_NE(line.find(problem), std::string::npos) << line;
      }
    }
  EXPECT_FALSE(std::getline(table, line)) << line;
}

struct Count {
  long mul, add, div, sincos;
};
Count executed(const std::string& robot, const std::string& problem) {
  for (const YAML::Node& row : json({"count", robot})["counts"]) {
    if (row["problem"].as<std::string>() != problem) continue;
    const YAML::Node e = row["executed"];
    return {e["mul"].as<long>(), e["add"].as<long>(), e["div"].as<long>(), e["sincos"].as<long>()};
  }
  ADD_FAILURE() << "no " << problem;
  return {};
}

TEST_F(Commands, CountsGrowLinearly) {
  for (const std::string chain : {"serial:", "serial-rods:"}) {
    EXPECT_EQ(json({"count", chain + "6"})["n"].as<int>(), 6);
    for (const char* problem : {"inverse", "bias", "factorize", "solve", "forward"}) {
      const Count six = executed(chain + "6", problem), nine = executed(chain + "9", problem),
                  twelve = executed(chain + "12", problem);
      EXPECT_GT(six.mul, 0) << problem;
      EXPECT_EQ(six.sincos, 6) << problem;
      EXPECT_EQ(nine.mul - six.mul, twelve.mul - nine.mul) << problem;
      EXPECT_EQ(nine.add - six.add, twelve.add - nine.add) << problem;
      EXPECT_EQ(nine.div - six.div, twelve.div - nine.div) << problem;
    }
  }
  const Count seven = executed("serial:7", "inverse"), eight = executed("serial:8", "inverse");
  EXPECT_LE(eight.mul - seven.mul, 81);
  EXPECT_LE(eight.add - seven.add, 69);
}

TEST_F(Commands, CountsOfRobots) {
  std::set<std::string> problems;
  for (const YAML::Node& row : json({"count", "puma560"})["counts"]) problems.insert(row["problem"].as<std::string>());
  for (const char* problem : {"inverse", "bias", "inertia", "factorize", "solve", "forward"})
    EXPECT_TRUE(problems.contains(problem)) << problem;
  EXPECT_EQ(run({"count", "humanoid"}).status, 0);
}

const char* const urdf = R"(<robot name="two">
  <link name="root"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="arm"><inertial><mass value="3"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="elbow" type="continuous"><parent link="root"/><child link="arm"/><axis xyz="0 1 0"/></joint>
</robot>)";

TEST_F(Commands, UrdfOnAFixedAndOnAFreeBase) {
  const std::string file = folder.write("two.urdf", urdf);
  EXPECT_EQ(json({"info", file})["nv"].as<int>(), 1);
  EXPECT_EQ(json({"info", file, "--base", "fixed"})["nv"].as<int>(), 1);
  const YAML::Node free = json({"info", file, "--base", "free"});
  EXPECT_EQ(free["nv"].as<int>(), 7);
  EXPECT_EQ(free["nq"].as<int>(), 8);
  EXPECT_EQ(free["joints"][0]["type"].as<std::string>(), "free");
  const std::string falling = folder.write(
      "falling.json", R"({"q": [0, 0, 0, 1, 0, 0, 0, 0.3], "v": [0, 0, 0, 0, 0, 0, 0], "tau": [0, 0, 0, 0, 0, 0, 0]})");
  expect_close(row(json({"fd", file, "--base", "free", "--state", falling})["a"]), {0, 0, 0, 0, 0, -9.81, 0}, 1e-13,
               "a");
}

TEST_F(Commands, QuaternionsNearlyOfUnitLengthAreNormalised) {
  const std::string ball = folder.write(
      "ball.yaml", "bodies: [{joint: {type: spherical}, mass: 1, com: [0, 0, -1], inertia: [1, 1, 1, 0, 0, 0]}]");
  const auto ask = [&](const std::string& q) {
    return run({"id", ball, "--json", "--state", "-"},
               {.in = R"({"q": )" + q + R"(, "v": [0, 0, 0], "a": [0, 0, 0]})"});
  };
  const Outcome exact = ask("[1, 0, 0, 0]"), near = ask("[1.0000009, 0, 0, 0]"), off = ask("[1.0000011, 0, 0, 0]");
  EXPECT_EQ(exact.status, 0);
  EXPECT_EQ(near.out, exact.out);
  EXPECT_EQ(off.status, 3) << off;
  EXPECT_NE(off.first_line().find("quaternion"), std::string::npos) << off;
  EXPECT_EQ(ask("[0, 0, 0, 0]").status, 3);
}

TEST_F(Commands, NoLocaleChangesANumber) {
  const Outcome plain = run({"id", model, "--state", state, "--json"});
  for (const char* locale : {"de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8", "nonsense"}) {
    const Outcome other =
        run({"id", model, "--state", state, "--json"}, {.variables = {std::string("LC_ALL=") + locale}});
    EXPECT_EQ(other.out, plain.out) << locale;
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
