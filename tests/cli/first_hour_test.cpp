// What a new user gets wrong, and is told; what he expects, and gets.
#include <fmt/format.h>

#include <cmath>
#include <tuple>

#include "run.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

struct FirstHour : testing::Test {
  Folder folder;
  static void expect_said(const Outcome& outcome, int status, const std::string& words) {
    EXPECT_EQ(outcome.status, status) << outcome.err;
    EXPECT_NE((outcome.err + outcome.out).find(words), std::string::npos) << outcome.err << outcome.out;
  }
};

// Whole numbers beyond a turn are computed with, and doubted; those of a run that has turned often are not.
TEST_F(FirstHour, DegreesAreDoubted) {
  const std::string state = folder.write("state.json", R"({"q": {"pole": 90}})"),
                    scenario = folder.write("run.yaml", "robot: cart_pole\nduration: 0.1\nstart: {q: {pole: -45}}\n"),
                    turned = folder.write("turned.json", R"({"q": [0, 12.566370614359172]})"),
                    pose = folder.write("pose.json", R"({"xyz": [0.4, 0.2, 0.3], "rpy": [0, 90, 0]})");
  expect_said(run({"id", "cart_pole", "--state", state}), 0, "joint 'pole': 90 rad is more than a whole turn: deg(90)");
  expect_said(run({"check", scenario}), 3, "start: q: joint 'pole': -45 rad is more than a whole turn");
  expect_said(run({"ik", "puma560", "--body", "link6", "--pose", pose}), 0, "90 rad is more than a whole turn");
  EXPECT_EQ(run({"id", "cart_pole", "--state", turned}).err, "");
}

TEST_F(FirstHour, FilesOfAnotherKindAreNamed) {
  const std::string motion = folder.write("motion.yaml", "motion: {type: hold, posture: {}, duration: 1}\n"),
                    scenario = folder.write("run.yaml", "robot: cart_pole\nduration: 1\nmotion: {type: hold}\n"),
                    missing = folder.write("file.yaml", "motion: {type: file, file: nothing.npy}\n");
  expect_said(run({"check", motion}), 3, "it is a motion, to be read with its robot: `denoc id MODEL --motion");
  expect_said(run({"id", "cart_pole", "--motion", scenario}), 3, "it is a scenario, which `denoc simulate` runs");
  expect_said(run({"id", "cart_pole", "--motion", missing}), 3, "nothing.npy: there is no such file");
  expect_said(run({"simulate", "cart_pole", "-o", folder.path("out")}), 3, "cart_pole is a robot");
  for (const char* command : {"info", "id", "count"}) {
    expect_said(run({command, scenario}), 3, "it is a scenario, which `denoc simulate " + scenario + "` runs");
    expect_said(run({command, motion}), 3, "it is a motion, to be read with its robot");
  }
}

TEST_F(FirstHour, EmptyValuesAreNamed) {
  const std::string robot = folder.write("robot.yaml", "bodies: [{name: x, joint: prismatic, mass: 2}]\n");
  expect_said(run({"id", robot, "--driven="}), 2, "denoc id: --driven: its value is empty");
  EXPECT_EQ(run({"id", robot, "--driven=x"}).status, 0);
}

// What is written like an option, or looks like a value, and is neither.
TEST_F(FirstHour, SlipsOnTheCommandLineAreNamed) {
  for (const char* word : {"-v", "-V"})
    expect_said(run({word}), 2, std::string("denoc: unknown option '") + word + "'; known: --help, --version");
  expect_said(run({"--verson"}), 2, "denoc: unknown option '--verson'; did you mean '--version'?");
  const std::string scenario = folder.write("run.yaml", "robot: cart_pole\nduration: 0.1\n");
  expect_said(run({"simulate", scenario, "-o=x"}), 2, "denoc simulate: -o=x: write -o DIR or --output=DIR");
  expect_said(run({"simulate", scenario, "-o", "-"}), 2, "denoc simulate: --output -: the result needs a name");
  expect_said(run({"info", "cart_pole", "-o", "-"}), 2, "denoc info: --output -: the result needs a name");
  expect_said(run({"id", "cart_pole", "--gravity", "0 0 -9.81"}), 2, "--gravity 0 0 -9.81: three numbers x,y,z: '0 0");
  expect_said(run({"simulate", "", "-o", folder.path("out")}), 3, "'': there is no such file");
}

// A pipe says what it says once, whatever the command wants to know of it.
TEST_F(FirstHour, FilesMayBePipes) {
  const auto piped = [](const std::string& file, const std::vector<std::string>& arguments) {
    return run(arguments, {.under = {"/bin/sh", "-c", "cat '" + file + "' | \"$0\" \"$@\""}});
  };
  const std::string scenario = folder.write("run.yaml", "robot: cart_pole\nduration: 0.1\n"),
                    motion = folder.write("motion.yaml", "motion: {type: hold, posture: {}, duration: 1}\n"),
                    robot = folder.write("robot.yaml", "bodies: [{name: arm, joint: prismatic, mass: 1}]\n");
  for (const char* name : {"-", "/dev/stdin"}) {
    expect_said(piped(scenario, {"simulate", name, "-o", folder.path("out")}), 0, "trajectory.csv");
    expect_said(piped(scenario, {"check", name}), 0, "0.1 s of robot 'cart_pole'");
    expect_said(piped(motion, {"check", name}), 3, "it is a motion, to be read with its robot");
    expect_said(piped(scenario, {"info", name}), 3, "it is a scenario, which `denoc simulate");
    expect_said(piped(robot, {"check", name}), 0, "1 body");
  }
  // What has no name of its own is called what it is, whatever is wrong with it.
  const std::string wrong = folder.write("wrong.yaml", "robot: cart_pole\nduration: -1\n"),
                    odd = folder.write("odd.yaml", "bodies: [{name: arm, joint: hinge, mass: 1}]\n");
  for (const auto& [file, command] :
       {std::pair{wrong, "check"}, {odd, "check"}, {odd, "info"}, {motion, "info"}, {scenario, "id"}})
    expect_said(piped(file, {command, "-"}), 3, "standard input:");
  // The rows of a motion as well, however many of them a buffer holds.
  std::string rows;
  for (int i = 0; i < 3000; ++i) rows += fmt::format("{},{},{}\n", i * 0.001, std::sin(i * 0.001), i * 1e-4);
  const std::string file = folder.write("rows.csv", rows),
                    by_name = folder.write("by_name.yaml", "motion: {type: file, file: rows.csv}\n"),
                    by_pipe = folder.write("by_pipe.yaml", "motion: {type: file, file: /dev/stdin}\n");
  const Outcome expected = run({"id", "cart_pole", "--motion", by_name, "--json"});
  expect_said(expected, 0, "2.999");
  EXPECT_EQ(piped(file, {"id", "cart_pole", "--motion", by_pipe, "--json"}).out, expected.out);
}

TEST_F(FirstHour, ListsMayBeGivenOneByOne) {
  const std::vector<std::string> at_once = {"assemble", "three_rrr", "--hold", "crank1=0.05,crank2=-0.05", "--json"},
                                 one_by_one = {"assemble", "three_rrr",    "--hold", "crank1=0.05",
                                               "--hold",   "crank2=-0.05", "--json"};
  const Outcome expected = run(at_once);
  ASSERT_EQ(expected.status, 0) << expected.err;
  EXPECT_EQ(run(one_by_one).out, expected.out);
}

// Tolerances alone are those of the default method; one driven joint needs no brackets.
TEST_F(FirstHour, WhatIsPlainNeedNotBeSaid) {
  const std::string scenario = folder.write(
      "run.yaml", "robot: cart_pole\nduration: 0.1\nintegrator: {rtol: 1e-6}\ncontrol: {type: lqr, driven: cart}\n");
  expect_said(run({"simulate", scenario, "-o", folder.path("out")}), 0, "dopri5, rtol 1e-06");
}

// Two cranks and two rods that meet: what leads is told where the motion cannot be had.
TEST_F(FirstHour, TheJointsThatLeadAreNamed) {
  const std::string half =
      R"({name: CRANK, parent: world, frame: {xyz: [X, 0, 0]}, joint: {type: revolute}, mass: 1, com: [0.1, 0, 0], inertia: [0, 0.01, 0.01, 0, 0, 0]}
  - {name: ROD, frame: {xyz: [0.2, 0, 0]}, joint: {type: revolute}, mass: 1, com: [0.15, 0, 0], inertia: [0, 0.01, 0.01, 0, 0, 0]})";
  std::string robot = "name: five_bar\nbodies:\n";
  for (const auto& [crank, rod, x] : {std::tuple("left", "left_rod", "0"), {"right", "right_rod", "0.3"}}) {
    std::string text = half;
    for (const auto& [word, by] : {std::pair("CRANK", crank), {"ROD", rod}, {"X", x}})
      text.replace(text.find(word), std::string(word).size(), by);
    robot += "  - " + text + "\n";
  }
  robot +=
      "loops:\n  - {type: revolute, a: {body: left_rod, frame: {xyz: [0.3, 0, 0]}}, b: {body: right_rod, frame: {xyz: "
      "[0.3, "
      "0, 0]}}}\n";
  folder.write("five_bar.yaml", robot);
  const auto scenario = [&](const std::string& driven) {
    return folder.write("run.yaml",
                        "robot: five_bar.yaml\nduration: 1\nstart: {q: {left: 2, right: 1}}\n"
                        "motion: {type: formula, q: {left: \"2 + 0.2*sin(t)\", right: \"1 + 0.1*t^2\"}}\n"
                        "control: {type: computed_torque, kp: 100, kd: 20" +
                            driven + "}\n");
  };
  expect_said(run({"simulate", scenario(", driven: [left, right]"), "-o", folder.path("out")}), 0, "loops");
  expect_said(run({"check", scenario(", driven: left")}), 3, "leave joint");
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
