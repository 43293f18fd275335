// fk, jacobian and ik from outside.
#include <algorithm>
#include <cmath>
#include <set>

#include "cli/run.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

struct CommandKinematics : testing::Test {
  Folder folder;
  const std::string q = "[0.4, -0.7, 0.5, 0.3, 0.9, -0.2]";
  std::string state(const std::string& text) const { return folder.write("state.json", text); }

  // Where a body is, as a pose file.
  std::string pose_file(const std::string& model, const std::string& body, const std::string& at,
                        const std::string& point = "0,0,0") const {
    const YAML::Node pose = json({"fk", model, "--body", body, "--point", point, "--state", at})["poses"][body];
    YAML::Emitter text;
    text << YAML::Flow << pose;
    return folder.write("pose.json", text.c_str());
  }
};

// A crane whose frames can be told by hand.
TEST_F(CommandKinematics, PosesAreInTheWorld) {
  const std::string crane = folder.write("crane.yaml", two_joints);
  const std::string at = state(R"({"q": [0.5, 0.3]})");
  const YAML::Node poses = json({"fk", crane, "--state", at})["poses"];
  ASSERT_EQ(poses.size(), 2u);
  EXPECT_EQ(row(poses["cart"]["xyz"]), (Row{0.5, 0, 0}));
  // The slide's axis is a right angle away, and there and back pi/2 is a rounded number: half of its 6e-17 are seen.
  expect_close(row(poses["cart"]["quat"]), {1, 0, 0, 0}, 1e-16, "quat");
  expect_close(row(poses["arm"]["quat"]), {std::cos(0.15), 0, std::sin(0.15), 0}, 1e-15, "quat");
  const YAML::Node tip = json({"fk", crane, "--state", at, "--body", "arm", "--point", "0,0,-2"})["poses"];
  ASSERT_EQ(tip.size(), 1u);
  expect_close(row(tip["arm"]["xyz"]), {0.5 - 2 * std::sin(0.3), 0, -2 * std::cos(0.3)}, 1e-15, "tip");
  EXPECT_NE(run({"fk", crane, "--body", "arn"}).err.find("'arm'"), std::string::npos);
}

TEST_F(CommandKinematics, JacobiansAreOfThePoint) {
  const std::string crane = folder.write("crane.yaml", two_joints);
  const std::string at = state(R"({"q": [0.5, 0.3], "v": [0.2, 0.7]})");
  const double c = std::cos(0.3), s = std::sin(0.3);
  const Arguments ask = {"jacobian", crane, "--state", at, "--body", "arm", "--point", "0,0,-2"};
  const YAML::Node world = json(ask);
  const std::vector<Row> expected = {{0, 0}, {0, 1}, {0, 0}, {1, -2 * c}, {0, 0}, {0, 2 * s}};
  for (std::size_t i = 0; i < 6; ++i) expect_close(row(world["J"][i]), expected[i], 1e-15, "row");
  // The tip goes round the pivot: w^2 r inwards.
  expect_close(row(world["bias"]), {0, 0, 0, 2 * s * 0.49, 0, 2 * c * 0.49}, 1e-15, "bias");
  Arguments own = ask;
  own.insert(own.end(), {"--axes", "body"});
  expect_close(row(json(own)["bias"]), {0, 0, 0, 0, 0, 2 * 0.49}, 1e-15, "bias in body axes");
  EXPECT_EQ(run({"jacobian", crane}).status, 2);
}

// Six rows without entries.
TEST_F(CommandKinematics, JacobiansOfWhatDoesNotMoveHaveSixRows) {
  const std::string block = folder.write(
      "block.yaml", "bodies:\n  - {name: block, joint: {type: fixed}, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}\n");
  EXPECT_NE(
      run({"jacobian", block, "--body", "block", "--json"}).out.find(R"({"J": [[], [], [], [], [], []], "bias": )"),
      std::string::npos);
}

TEST_F(CommandKinematics, JacobiansOfLoopsAreTheTrees) {
  const Outcome outcome = run({"jacobian", "fourbar", "--body", "coupler", "--json"});
  EXPECT_EQ(YAML::Load(outcome.out)["loops"].as<std::string>(), "open");
  EXPECT_NE(outcome.err.find("loops are cut open"), std::string::npos) << outcome;
}

// What fk prints of one body, ik takes.
TEST_F(CommandKinematics, APoseGoesFromTheOneToTheOther) {
  const std::string at = state("{\"q\": " + q + "}");
  const std::string printed =
                        folder.write("fk.json", run({"fk", "puma560", "--body", "link6", "--state", at, "--json"}).out),
                    pose = pose_file("puma560", "link6", at);
  const Outcome by_hand = run({"ik", "puma560", "--body", "link6", "--pose", pose, "--json"}),
                handed_on = run({"ik", "puma560", "--body", "link6", "--pose", printed, "--json"});
  EXPECT_EQ(handed_on.status, 0) << handed_on;
  EXPECT_EQ(handed_on.out, by_hand.out);
  const std::string all = folder.write("all.json", run({"fk", "puma560", "--state", at, "--json"}).out);
  EXPECT_EQ(run({"ik", "puma560", "--body", "link6", "--pose", all}).status, 3) << "which of them?";
  EXPECT_EQ(run({"ik", "puma560", "--body", "link5", "--pose", printed}).status, 3) << "that of another body";
  const std::string of_point = folder.write(
      "point.json", run({"fk", "puma560", "--body", "link6", "--point", "0,0,0.1", "--state", at, "--json"}).out);
  EXPECT_EQ(run({"ik", "puma560", "--body", "link6", "--pose", of_point}).status, 3)
      << "of another point than the origin";
  EXPECT_EQ(run({"ik", "puma560", "--body", "link6", "--point", "0,0,0.1", "--pose", printed}).status, 3) << "and back";
  EXPECT_EQ(json({"ik", "puma560", "--body", "link6", "--point", "0,0,0.1", "--pose", of_point})["solutions"].size(),
            8u);
}

TEST_F(CommandKinematics, AllEightPosturesOfThePuma) {
  const std::string at = state("{\"q\": " + q + "}");
  const std::string point = "0.02,0,0.1", pose = pose_file("puma560", "link6", at, point);
  const YAML::Node found = json({"ik", "puma560", "--body", "link6", "--pose", pose, "--point", point, "--state", at});
  const YAML::Node solutions = found["solutions"];
  ASSERT_EQ(solutions.size(), 8u);
  // The first is where it started; each brings the point there; all differ.
  const Row start = YAML::Load(q).as<Row>();
  expect_close(row(solutions[0]["q"]), start, 1e-12, "nearest");
  double before = 0;
  std::set<Row> different;
  for (const YAML::Node& s : solutions) {
    const Row way = row(s["q"]);
    double distance = 0;
    for (std::size_t k = 0; k < 6; ++k) distance += (way[k] - start[k]) * (way[k] - start[k]);
    EXPECT_GE(distance, before - 1e-12);
    before = distance;
    EXPECT_LE(s["gap"].as<double>(), 1e-13);
    EXPECT_TRUE(s["within_limits"].IsDefined());
    EXPECT_TRUE(s["branch"].IsDefined()) << "a wrist-partitioned arm names its postures";
    different.insert(way);
  }
  EXPECT_EQ(different.size(), 8u);
  // What it wrote is read as states.
  YAML::Emitter text;
  text << YAML::Flow << found;
  const YAML::Node poses = json({"fk", "puma560", "--body", "link6", "--point", point, "--state", state(text.c_str())});
  ASSERT_EQ(poses.size(), 8u);
  for (const YAML::Node& each : poses)
    expect_close(row(each["poses"]["link6"]["xyz"]), row(YAML::LoadFile(pose)["xyz"]), 1e-13, "xyz");
}

TEST_F(CommandKinematics, OtherRobotsComeAsNearAsTheyCan) {
  // Seven joints and more: one posture, the nearest to the start, which is where it stands already.
  const std::string at = state(R"({"q": [0.3, -0.4, 0.5]})");
  const std::string pose = pose_file("planar3r", "link3", at, "0.1,0,0");
  const YAML::Node free = json({"ik", "planar3r", "--body", "link3", "--pose", pose, "--point", "0.1,0,0", "--position",
                                "--state", at})["solutions"];
  ASSERT_EQ(free.size(), 1u);
  EXPECT_FALSE(free[0]["branch"].IsDefined());
  expect_close(row(free[0]["q"]), {0.3, -0.4, 0.5}, 1e-9, "q");
  const YAML::Node from_rest =
      json({"ik", "planar3r", "--body", "link3", "--pose", pose, "--point", "0.1,0,0"})["solutions"];
  EXPECT_LE(from_rest[0]["gap"].as<double>(), 1e-12);
}

TEST_F(CommandKinematics, SayWhyAPoseIsOutOfReach) {
  const auto ik = [&](const std::string& pose, const Arguments& more = {}) {
    Arguments words = {"ik", "planar3r", "--body", "link3", "--pose", folder.write("pose.json", pose), "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  };
  const Outcome far = ik(R"({"xyz": [50, 0, 0], "rpy": [0, 0, 0]})");
  EXPECT_EQ(far.status, 4);
  EXPECT_EQ(far.out, "");
  EXPECT_NE(far.err.find("position is out of reach"), std::string::npos) << far;
  const Outcome tilted = ik(R"({"xyz": [0.5, 0.3, 0], "rpy": [1, 0, 0]})");
  EXPECT_EQ(tilted.status, 4);
  EXPECT_NE(tilted.err.find("not with this attitude"), std::string::npos) << tilted;
  const Outcome no_attitude = ik(R"({"xyz": [0.5, 0.3, 0]})");
  EXPECT_EQ(no_attitude.status, 3);
  EXPECT_NE(no_attitude.err.find("--position"), std::string::npos) << no_attitude;
  EXPECT_EQ(ik(R"({"xyz": [0.5, 0.3, 0]})", {"--position"}).status, 0);
  EXPECT_EQ(ik(R"({"xyz": [1, 2], "quat": [1, 0, 0, 0]})").status, 3);
  // Finite, and its square is not.
  const Outcome farthest = ik(R"({"xyz": [1e308, 0, 0], "quat": [1, 0, 0, 0]})");
  EXPECT_EQ(farthest.status, 4) << farthest;
  EXPECT_NE(farthest.err.find("body 'link3': the position is out of reach"), std::string::npos) << farthest;
}

TEST_F(CommandKinematics, FailuresCallThingsByTheirNames) {
  const std::string pose = folder.write("pose.json", R"({"xyz": [0.5, 0.3, 0]})");
  const Outcome no_attitude =
      run({"ik", "planar3r", "--body", "link3", "--pose", "-"}, {.in = R"({"xyz": [0, 0, 0]})"});
  EXPECT_EQ(no_attitude.status, 3);
  EXPECT_TRUE(no_attitude.err.starts_with("standard input: pose: ")) << no_attitude;
  const Outcome none = run({"ik", "planar3r", "--body", "link3", "--pose", pose, "--state", "-"}, {.in = "[]"});
  EXPECT_EQ(none.status, 3);
  EXPECT_TRUE(none.err.starts_with("standard input: a search starts from one state")) << none;
  for (const char* ground : {"world", "base"}) {
    const Outcome outcome = run({"ik", "planar3r", "--body", ground, "--pose", pose, "--position"});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_NE(outcome.err.find(std::string("'") + ground + "' is the world"), std::string::npos) << outcome;
  }
}

// Off the coupler's curve there is no posture; on it, the loop is closed, and what is written can be read back.
TEST_F(CommandKinematics, InverseKinematicsKeepsLoopsClosed) {
  const Outcome off = run({"ik", "fourbar", "--body", "coupler", "--pose",
                           folder.write("pose.json", R"({"xyz": [0.1, 0.1, 0]})"), "--position"});
  EXPECT_EQ(off.status, 4);
  EXPECT_NE(off.err.find("with the loops closed"), std::string::npos) << off;

  const std::string there = folder.write("there.json", run({"assemble", "fourbar", "--hold", "crank=2", "--json"}).out);
  const std::string pose = pose_file("fourbar", "coupler", there, "0.3,0.1,0");
  const Outcome found =
      run({"ik", "fourbar", "--body", "coupler", "--point", "0.3,0.1,0", "--pose", pose, "--position", "--json"});
  ASSERT_EQ(found.status, 0) << found;
  EXPECT_NEAR(YAML::Load(found.out)["solutions"][0]["q"][0].as<double>(), 2, 1e-12);
  EXPECT_EQ(run({"fd", "fourbar", "--state", folder.write("way.json", found.out)}).status, 0);
}

// The nearest posture of the arm; the fingers beyond it, coupled to each other, stay where they are.
TEST_F(CommandKinematics, LoopsElsewhereAreLeftAlone) {
  const std::string arm = folder.write("arm.yaml", R"(
name: arm
bodies:
  - {name: upper, parent: world, joint: revolute, mass: 1, com: [0.5, 0, 0]}
  - {name: lower, frame: {xyz: [1, 0, 0]}, joint: revolute, mass: 1, com: [0.5, 0, 0]}
  - {name: left, parent: lower, frame: {xyz: [1, 0, 0]}, joint: {type: prismatic, axis: [0, 1, 0]}, mass: 0.1}
  - {name: right, parent: lower, frame: {xyz: [1, 0, 0]}, joint: {type: prismatic, axis: [0, -1, 0]}, mass: 0.1}
loops:
  - {type: coupler, a: {body: left}, b: {body: right}}
)");
  const std::string pose = folder.write("pose.json", R"({"xyz": [1, 1, 0]})");
  const YAML::Node found = json({"ik", arm, "--body", "lower", "--point", "1,0,0", "--pose", pose, "--position",
                                 "--state", state(R"({"q": [0.1, 1.2, 0.02, 0.02]})")})["solutions"][0]["q"];
  expect_close(row(found), {0, M_PI / 2, 0.02, 0.02}, 1e-12, "q");
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
