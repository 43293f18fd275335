#include "denoc/io/state.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "unit/io/files.hpp"

namespace denoc {
namespace {
namespace THIS_FILE {

using test::all_texts;
using test::says;
using test::TemporaryFile;

// q: ball 4, slide 1, base 7 (in this order); v: 3, 1, 6.
Robot robot() {
  const TemporaryFile file("robot.yaml", R"(
bodies:
  - {name: ball, joint: {type: spherical, name: hip}, mass: 1}
  - {name: slide, joint: prismatic, mass: 1}
  - {name: boat, parent: world, joint: free, mass: 1}
)");
  return load(file.path().string());
}
Robot arm() {
  return load(TemporaryFile("arm.yaml",
                            "bodies: [{name: arm, joint: revolute, mass: 1}, {name: hand, joint: revolute, mass: 1}]")
                  .path()
                  .string());
}

StateFile read(const std::string& text, const Robot& of) {
  return read_states(TemporaryFile("state.json", text).path(), of);
}

// A whole number beyond a turn, 2 pi = 6.28.., may be meant in degrees; one below may not.
TEST(State, WholeAnglesBeyondATurnAreDoubted) {
  for (const char* angle : {"7", "-7", "9", "90"}) {
    const StateFile file = read(fmt::format(R"({{"q": [0, {}]}})", angle), arm());
    EXPECT_TRUE(says(file.warnings, 0, "joint 'hand'")) << angle;
    EXPECT_TRUE(says(file.warnings, 0, fmt::format("deg({})", angle))) << angle << all_texts(file.warnings);
  }
  for (const char* angle : {"6", "-6", "7.5", "6.283185307179586"})
    EXPECT_TRUE(read(fmt::format(R"({{"q": [0, {}]}})", angle), arm()).warnings.empty()) << angle;
}

// What slides is not in degrees, and a screw turns many times.
TEST(State, OnlyAnglesOfHingesAreDoubted) {
  for (const JointType type : {JointType::revolute, JointType::continuous, JointType::prismatic, JointType::helical}) {
    Robot of = arm();
    of.bodies[2].joint.type = type;
    const bool is_hinge = type == JointType::revolute || type == JointType::continuous;
    for (const char* q : {"[0, 90]", R"({"hand": 90})"}) {
      const StateFile file = read(fmt::format(R"({{"q": {}}})", q), of);
      EXPECT_EQ(says(file.warnings, 0, "joint 'hand': 90 rad"), is_hinge) << name_of(type) << q;
    }
  }
}

// As programs write JSON that keep to ASCII.
TEST(State, NamesMayBeEscapedAsJsonDoes) {
  Robot called = arm();
  const auto q = [&](const std::string& name, const std::string& said) {
    called.bodies[1].name = name;
    return read(R"({"q": {")" + said + R"(": 0.5}})", called).states[0].q[0];
  };
  EXPECT_EQ(q("\U0001F600", R"(\ud83d\ude00)"), 0.5);
  EXPECT_EQ(q("\U0010FFFF", R"(\uDBFF\uDFFF)"), 0.5);
  EXPECT_EQ(q("a\U00010000\u00e9/", R"(a\ud800\udc00\u00e9\/)"), 0.5);
  EXPECT_EQ(q(R"(\ud83d\ude00)", R"(\\ud83d\\ude00)"), 0.5) << "backslashes that are meant";
  for (const char* half : {R"(\ud83d)", R"(\ude00\ud83d)", R"(\ud83d\u0041)", R"(\ud83)", R"(\nd83d\ude00)"})
    EXPECT_THROW(read(std::string(R"({"q": {")") + half + R"(": 0.5}})", called), RobotError) << half;
}

TEST(State, ReadsOneOrMany) {
  const StateFile one = read(R"({"q":[1,-2.5e-1],"v":[3,4],"a":[5,6],"tau":[7,8]})", arm());
  EXPECT_FALSE(one.is_array);
  ASSERT_EQ(one.states.size(), 1u);
  EXPECT_EQ(one.states[0].q, (std::vector<double>{1, -0.25}));
  EXPECT_EQ(one.states[0].v, (std::vector<double>{3, 4}));
  EXPECT_EQ(one.states[0].a, (std::vector<double>{5, 6}));
  EXPECT_EQ(one.states[0].tau, (std::vector<double>{7, 8}));
  const StateFile many = read("[{\"q\": [1, 2]},\n\t{\"q\": [3, 4], \"v\": [5, 6]}]", arm());
  EXPECT_TRUE(many.is_array);
  ASSERT_EQ(many.states.size(), 2u);
  EXPECT_EQ(many.states[0].v, (std::vector<double>{0, 0}));
  EXPECT_EQ(many.states[1].v, (std::vector<double>{5, 6}));
  EXPECT_TRUE(read("[]", arm()).states.empty());
}

TEST(State, ReadsEveryDigit) {
  EXPECT_EQ(read(R"({"q": [0.1, 2.2250738585072014e-308]})", arm()).states[0].q,
            (std::vector<double>{0.1, 2.2250738585072014e-308}));
}

TEST(State, ReadsWrenches) {
  const StateFile file = read(
      R"({"q": [1, 2], "wrenches": [{"body": "hand", "moment": [1, 2, 3], "force": [4, 5, 6]}, {"body": "arm", "force": [7, 8, 9]}]})",
      arm());
  const auto& wrenches = file.states[0].wrenches;
  ASSERT_EQ(wrenches.size(), 2u);
  EXPECT_EQ(wrenches[0].body, 2);
  EXPECT_EQ(wrenches[0].moment.z, 3);
  EXPECT_EQ(wrenches[0].force.x, 4);
  EXPECT_EQ(wrenches[1].body, 1);
  EXPECT_EQ(wrenches[1].moment.x, 0);
}

TEST(State, NormalisesQuaternions) {
  const StateFile file = read(R"({"q": [1.0000005, 0, 0, 0, 9, 1, 2, 3, 0, 0.6, 0.8, 0]})", robot());
  const std::vector<double>& q = file.states[0].q;
  EXPECT_EQ(q[0], 1);
  EXPECT_EQ(q[4], 9);
  EXPECT_EQ(q[7], 3);
  EXPECT_NEAR(std::hypot(q[9], q[10]), 1, 1e-16);
}

struct BrokenState {
  const char* name;
  const char* text;
  int line;
  const char* fragment;
};
const BrokenState broken_states[] = {
    {"quaternion", "{\"q\": [1.00001, 0, 0, 0, 9, 1, 2, 3, 0, 0.6, 0.8, 0]}", 1,
     "q: the quaternion of joint 'hip' has length 1.00001"},
    {"free quaternion", "{\"q\": [1, 0, 0, 0, 9, 1, 2, 3, 0, 0, 0, 0]}", 1,
     "the quaternion of joint 'boat' has length 0"},
    {"short q", "{\"q\": [1, 2]}", 1, "q: expected 12 numbers (4 of hip, slide, 7 of boat), found 2"},
    {"unknown joint", "{\"q\":\n {\"slid\": 1}}", 2, "q: unknown key 'slid'; did you mean 'slide'?"},
    {"short joint", "{\"v\":\n {\"hip\": [1, 2]}}", 2, "v: hip: expected a list of 3 numbers, found a list of 2"},
    {"number for a joint of several", "{\"v\": {\"hip\": 1}}", 1,
     "v: hip: expected a list of 3 numbers, found the text '1'"},
    {"quaternion by joint", "{\"q\": {\"hip\": [1, 1, 0, 0]}}", 1, "the quaternion of joint 'hip' has length 1.41421"},
    {"text for q", "{\"q\": home}", 1,
     "q: expected a list of 12 numbers (4 of hip, slide, 7 of boat), or a map by joint"},
    {"axes", "{\"wrenches\": [{\"body\": \"ball\", \"force\": [1, 2, 3], \"axes\": \"wold\"}]}", 1,
     "axes: unknown word 'wold'; did you mean 'world'?"},
    {"short v",
     "[{\"q\": [1, 0, 0, 0, 9, 1, 2, 3, 1, 0, 0, 0]},\n{\"q\": [1, 0, 0, 0, 9, 1, 2, 3, 1, 0, 0, 0], \"v\": [1]}]", 2,
     "states[1]: v: expected 10 numbers (3 of hip, slide, 6 of boat), found 1"},
    {"unknown key", "{\"q\": [1, 0, 0, 0, 9, 1, 2, 3, 1, 0, 0, 0],\n \"wrenchs\": []}", 2,
     "unknown key 'wrenchs'; did you mean 'wrenches'?"},
    {"not finite", "{\"q\": [1, 0, 0, 0, NaN, 1, 2, 3, 1, 0, 0, 0]}", 1, "q: 'NaN' is not a finite number"},
    {"too large", "{\"q\": [1, 0, 0, 0, 1e400, 1, 2, 3, 1, 0, 0, 0]}", 1, "q: '1e400' is too large"},
    {"unknown body",
     "{\"q\": [1, 0, 0, 0, 9, 1, 2, 3, 1, 0, 0, 0], \"wrenches\": [{\"body\": \"bal\", \"force\": [1, 2, 3]}]}", 1,
     "state: wrenches[0]: body: unknown body 'bal'; did you mean 'ball'?"},
    {"ground", "{\"wrenches\": [{\"body\": \"world\", \"force\": [1, 2, 3]}]}", 1,
     "state: wrenches[0]: body: the ground does not move"},
    {"no body", "{\"q\": [1, 0, 0, 0, 9, 1, 2, 3, 1, 0, 0, 0], \"wrenches\": [{\"force\": [1, 2, 3]}]}", 1,
     "wrenches[0]: missing key 'body'"},
    {"no wrench", "{\"q\": [1, 0, 0, 0, 9, 1, 2, 3, 1, 0, 0, 0], \"wrenches\": [{\"body\": \"ball\"}]}", 1,
     "a wrench has a moment or a force"},
    {"wrench map", "{\"q\": [1, 0, 0, 0, 9, 1, 2, 3, 1, 0, 0, 0], \"wrenches\": {\"body\": \"ball\"}}", 1,
     "wrenches: expected a list, found a map"},
    {"text", "\"hello\"", 1, "expected a map of keys and values, found the text 'hello'"},
    {"number", "[1]", 1, "states[0]: expected a map"},
    {"cut off", "{\"q\": [1, 0,", 1, "not YAML"},
    {"empty", "", 0, "it is empty"},
};

TEST(State, RefusesTheRest) {
  const Robot of = robot();
  for (const BrokenState& broken : broken_states) {
    try {
      read(broken.text, of);
      ADD_FAILURE() << broken.name << " was read";
    } catch (const RobotError& error) {
      EXPECT_TRUE(says(error.faults, broken.line, broken.fragment)) << broken.name << "\n" << all_texts(error.faults);
      EXPECT_EQ(error.faults.size(), 1u) << broken.name << "\n" << all_texts(error.faults);
    }
  }
}

// What is expected is said joint by joint; of many joints the first and the last.
TEST(State, TooFewNumbersAreToldWhoseTheyAre) {
  const auto told = [](int joints) -> std::string {
    std::string bodies = "bodies:\n";
    for (int i = 1; i <= joints; ++i) bodies += fmt::format("  - {{name: b{}, joint: revolute, mass: 1}}\n", i);
    try {
      read(R"({"q": [1]})", load(TemporaryFile("chain.yaml", bodies).path().string()));
    } catch (const RobotError& error) {
      return all_texts(error.faults);
    }
    return "it was read";
  };
  const std::string ten = "b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, ";
  const std::string twelve = told(12), thirteen = told(13);
  EXPECT_NE(twelve.find("expected 12 numbers (" + ten + "b11, b12), found 1"), std::string::npos) << twelve;
  EXPECT_NE(thirteen.find("expected 13 numbers (" + ten + "..., b13), found 1"), std::string::npos) << thirteen;
}

TEST(State, IsAtItsDefaultsWhereItSaysNothing) {
  const State nothing = read("{}", robot()).states[0];
  EXPECT_EQ(nothing.q, (std::vector<double>{1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0}));
  for (const std::vector<double>* x : {&nothing.v, &nothing.a, &nothing.tau}) EXPECT_EQ(*x, std::vector<double>(10));
  EXPECT_TRUE(nothing.unnamed_a.empty());
}

TEST(State, NamesJoints) {
  const State state =
      read(R"({"q": {"hip": [0, 1, 0, 0], "slide": 0.5}, "v": {"slide": [2]}, "a": {"slide": 3, "hip": [4, 5, 6]}})",
           robot())
          .states[0];
  EXPECT_EQ(state.q, (std::vector<double>{0, 1, 0, 0, 0.5, 0, 0, 0, 1, 0, 0, 0}));
  EXPECT_EQ(state.v, (std::vector<double>{0, 0, 0, 2, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(state.a, (std::vector<double>{4, 5, 6, 3, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(state.unnamed_a, (std::vector<int>{4, 5, 6, 7, 8, 9}));
}

TEST(State, StartsFromAGivenPosture) {
  const TemporaryFile file("state.json", R"({"q": {"hand": 2}})"), whole("whole.json", R"({"q": [1, 2]})");
  const DefaultPosture home{[] { return std::vector<double>{7, 8}; }, "home"};
  EXPECT_EQ(read_states(file.path(), arm(), home).states[0].q, (std::vector<double>{7, 2}));
  try {
    read_states(whole.path(), arm(), home);
    ADD_FAILURE();
  } catch (const RobotError& error) {
    EXPECT_TRUE(says(error.faults, 1, "q: it is given by the posture 'home' already")) << all_texts(error.faults);
  }
}

// What other commands write.
TEST(State, IsReadFromResults) {
  const StateFile ways = read(
      R"({"solutions": [{"q": [1, 2], "gap": 1e-17, "within_limits": true, "branch": "left"}, {"q": [3, 4]}]})", arm());
  EXPECT_TRUE(ways.is_array);
  ASSERT_EQ(ways.states.size(), 2u);
  EXPECT_EQ(ways.states[1].q, (std::vector<double>{3, 4}));
  const StateFile run = read(R"({"title": "a run", "final": {"t": 2, "q": [1, 2], "v": [3, 4]}})", arm());
  EXPECT_FALSE(run.is_array);
  EXPECT_EQ(run.states[0].v, (std::vector<double>{3, 4}));
  const StateFile closed = read(R"({"q": [1, 2], "v": [0, 0], "gap": 0, "branches": [[1, 2]]})", arm());
  EXPECT_EQ(closed.states[0].q, (std::vector<double>{1, 2}));
}

TEST(State, TellsTheAxesOfWrenches) {
  const State state =
      read(
          R"({"wrenches": [{"body": "hand", "force": [1, 0, 0], "axes": "world"}, {"body": "arm", "force": [1, 0, 0]}]})",
          arm())
          .states[0];
  EXPECT_TRUE(state.wrenches[0].in_world_axes);
  EXPECT_FALSE(state.wrenches[1].in_world_axes);
}

TEST(State, IsMissing) { EXPECT_THROW(read_states("/nowhere/state.json", arm()), RobotError); }

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc
