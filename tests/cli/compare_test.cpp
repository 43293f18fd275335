// denoc compare, as a user meets it.
#include "cli/run.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

TEST(Compare, EveryMethodOfTheTablesIsTried) {
  const YAML::Node methods = json({"methods"}), found = json({"compare", "puma560", "--states", "5"});
  EXPECT_EQ(found["states"].as<int>(), 5);
  EXPECT_EQ(found["n"].as<int>(), 6);
  std::vector<std::pair<std::string, std::string>> expected;
  for (const char* problem : {"inverse", "inertia", "forward"})
    for (const YAML::Node& m : methods[problem]) expected.emplace_back(problem, m["name"].as<std::string>());
  for (const YAML::Node& m : methods["forward"])
    expected.emplace_back("ID(FD(tau)) = tau", m["name"].as<std::string>());
  expected.emplace_back("energy balance", "denoc");
  ASSERT_EQ(found["methods"].size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(found["methods"][i]["problem"].as<std::string>(), expected[i].first);
    EXPECT_EQ(found["methods"][i]["method"].as<std::string>(), expected[i].second);
    const YAML::Node joint = found["methods"][i]["joint"];
    EXPECT_TRUE(!joint.IsDefined() || joint.as<std::string>().starts_with("link"));
    EXPECT_FALSE(joint.IsDefined() && expected[i].first == "energy balance") << "it is of no joint";
  }
}

TEST(Compare, ShippedRobotsAgreeWithinRounding) {
  for (const auto& entry : fs::directory_iterator(DENOC_MODELS_DIR)) {
    if (entry.path().extension() != ".yaml") continue;
    const YAML::Node found = json({"compare", entry.path().string(), "--states", "3"});
    EXPECT_TRUE(found["agree"].as<bool>()) << entry.path();
    double worst = 0;
    for (const YAML::Node& m : found["methods"]) worst = std::max(worst, m["times_rounding"].as<double>());
    EXPECT_LE(worst, 1) << entry.path();
    // A block that slides is one product whatever the method; robots that turn differ somewhere, if they are compared.
    if (found["n"].as<int>() > 1) {
      EXPECT_GT(worst, 0) << entry.path() << ": nothing was compared";
    }
  }
}

// The residual is of the size of rounding, and not of the robot's forces: 1e-12 of 100 N m.
TEST(Compare, DifferencesAreThoseOfDoublePrecision) {
  for (const YAML::Node& m : json({"compare", "puma560"})["methods"]) {
    const auto difference = m["difference"].as<double>();
    EXPECT_LT(difference, 1e-10) << m["problem"] << " by " << m["method"];
  }
}

// The last joint, here the only one, may differ by rounding as every other.
TEST(Compare, OneJointMayDifferByRounding) {
  const Folder folder;
  const std::string robot = folder.write("one.yaml", R"(
bodies:
  - {name: a, joint: {type: revolute, axis: [1, 2, 3]}, mass: 1.3, com: [0.1, 0.2, 0.7], inertia: [0.11, 0.13, 0.17, 0.01, 0.02, -0.03]}
)");
  const YAML::Node found = json({"compare", robot});
  EXPECT_TRUE(found["agree"].as<bool>());
  for (const YAML::Node& m : found["methods"])
    EXPECT_LE(m["times_rounding"].as<double>(), 1) << m["problem"] << " by " << m["method"];
}

TEST(Compare, GivenStatesWithWrenchesKeepTheEnergyBalance) {
  const Folder folder;
  const std::string robot = folder.write("crane.yaml", two_joints);
  const std::string states =
      folder.write("states.json", R"([{"q": [0.1, 0.3], "v": [0.5, -0.7], "a": [1, 2], "tau": [3, 4],
                          "wrenches": [{"body": "arm", "moment": [1, 2, 3], "force": [4, 5, 6]}]}, {"q": [0, 0]}])");
  const YAML::Node found = json({"compare", robot, "--state", states});
  EXPECT_EQ(found["states"].as<int>(), 2);
  EXPECT_TRUE(found["agree"].as<bool>());
}

// What forces on bodies leave of rounding counts, however large they are: on hinges and slides.
TEST(Compare, LargeWrenchesAreNoDisagreement) {
  const Folder folder;
  const std::string robot = folder.write("cranes.yaml", R"(bodies:
  - {name: a, joint: {type: prismatic, axis: [1, 2, 3]}, mass: 1, com: [0.1, 0.2, 0.3], inertia: [0.1, 0.1, 0.1, 0, 0, 0]}
  - {name: b, joint: {type: prismatic, axis: [-3, 1, 2]}, mass: 1, com: [0.1, -0.2, 0.3], inertia: [0.1, 0.1, 0.1, 0, 0, 0]}
  - {name: c, joint: {type: prismatic, axis: [1, -1, 2]}, frame: {rpy: [0.3, 0.5, 0.7]}, mass: 1, com: [0.1, 0.2, -0.3], inertia: [0.1, 0.1, 0.1, 0, 0, 0]}
)");
  for (const char* force : {"[4e9, 5e9, 6e9]", "[1e12, -7e12, 3e12]"}) {
    const std::string state =
        folder.write("state.json", fmt::format(R"({{"q": [0.1, 0.3, 0.5], "v": [0.5, -0.7, 0.1], "wrenches": [
                     {{"body": "b", "force": {0}}}, {{"body": "c", "force": {0}, "moment": [1, 2, 3]}}]}})",
                                               force));
    const YAML::Node found = json({"compare", robot, "--state", state});
    for (const YAML::Node& m : found["methods"])
      EXPECT_LE(m["times_rounding"].as<double>(), 1) << m["problem"] << " by " << m["method"];
    EXPECT_TRUE(found["agree"].as<bool>()) << force;
  }
}

// Nothing is tried at no state, and nobody says that all agree.
TEST(Compare, AnEmptyListOfStatesIsRefused) {
  for (const char* command : {"compare", "stability", "study"}) {
    const Outcome outcome = run({command, "planar3r", "--state", "-"}, {.in = "[]"});
    EXPECT_EQ(outcome.status, 3) << outcome;
    EXPECT_NE(outcome.err.find("no state to try"), std::string::npos) << outcome;
  }
}

TEST(Compare, IsTheSameEveryTime) {
  EXPECT_EQ(run({"compare", "humanoid", "--states", "2"}).out, run({"compare", "humanoid", "--states", "2"}).out);
}

TEST(Compare, SaysWhichTreeIsCompared) {
  const Folder folder;
  const std::string robot = folder.write("loop.yaml", std::string(two_joints) + R"(
loops:
  - {type: spherical, a: {body: arm, frame: {xyz: [0, 0, -1]}}, b: {body: world, frame: {xyz: [0, 0, -1]}}}
)");
  const Outcome tree = run({"compare", robot, "--states", "2"});
  EXPECT_EQ(tree.status, 0) << tree;
  EXPECT_NE(tree.out.find("the loops cut open: this is the tree"), std::string::npos) << tree;
}

// Beyond some size the methods of order n^3, then those of order n^2 are left out, and a line says so.
TEST(Compare, TakesChainsOfAnyLength) {
  const auto methods = [](const YAML::Node& found, const std::string& problem) {
    std::vector<std::string> names;
    for (const YAML::Node& m : found["methods"])
      if (m["problem"].as<std::string>() == problem) names.push_back(m["method"].as<std::string>());
    return names;
  };
  const YAML::Node all = json({"compare", "serial:6", "--states", "3"}),
                   some = json({"compare", "serial-rods:301", "--states", "1"}),
                   few = json({"compare", "serial:1200", "--states", "1"});
  for (const YAML::Node& found : {all, some, few}) EXPECT_TRUE(found["agree"].as<bool>());
  EXPECT_EQ(all["n"].as<int>(), 6);
  EXPECT_EQ(methods(all, "forward").size(), json({"methods"})["forward"].size());
  EXPECT_EQ(methods(some, "inertia"), (std::vector<std::string>{"composite", "udut", "gibbs-appell"}));
  EXPECT_EQ(methods(few, "inverse"), (std::vector<std::string>{"denoc", "newton-euler", "gibbs-appell"}));
  EXPECT_TRUE(methods(few, "inertia").empty());
  EXPECT_EQ(methods(few, "ID(FD(tau)) = tau").front(), "denoc");
  const Outcome text = run({"compare", "serial:1200", "--states", "1"});
  EXPECT_NE(text.out.find("of order n^2 up to n = 1000"), std::string::npos) << text;
  EXPECT_EQ(run({"compare", "serial:0"}).status, 2);
}

// Squares of rates so small that they underflow: what is lost there no rounding explains, and compare says so.
TEST(Compare, ADisagreementEndsInStatusFour) {
  const Surroundings tiny{.in = R"({"q": [0.3, -0.6, 0.9, 0.4, -0.8, 1.1],
                                    "v": [1e-157, 2e-157, -1e-157, 3e-157, 2e-157, -1e-157]})"};
  const Outcome text = run({"compare", "puma560", "--gravity", "0,0,0", "--state", "-"}, tiny);
  EXPECT_EQ(text.status, 4);
  EXPECT_NE(text.out.find("The methods DISAGREE: inverse by"), std::string::npos) << text;
  EXPECT_NE(text.err.find("times what rounding explains"), std::string::npos) << text;
  const Outcome json = run({"compare", "puma560", "--gravity", "0,0,0", "--state", "-", "--json"}, tiny);
  EXPECT_EQ(json.status, 4);
  EXPECT_NE(json.out.find(R"("agree": false)"), std::string::npos) << json;
}

TEST(Compare, RefusesWhatItCannotDo) {
  EXPECT_EQ(run({"compare", "puma560", "--states", "0"}).status, 2);
  EXPECT_EQ(run({"compare", "puma560", "--states", "2", "--state", "x.json"}).status, 2);
  EXPECT_EQ(run({"compare", "puma560", "--state", "/nonexistent.json"}).status, 3);
  const Outcome huge =
      run({"compare", "puma560", "--state", "-"}, {.in = R"({"q": [0, 0, 0, 0, 0, 0], "v": [1e200, 0, 0, 0, 0, 0]})"});
  EXPECT_EQ(huge.status, 4);
  EXPECT_NE(huge.first_line().find("joint 'link1': tau by denoc is not a finite number"), std::string::npos) << huge;
  const Folder folder;
  const std::string still = folder.write(
      "still.yaml", "bodies:\n  - {name: block, joint: {type: fixed}, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}\n");
  EXPECT_EQ(run({"compare", still}).status, 4);
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
