// denoc id --motion and denoc check of scenarios, from outside.
#include <cmath>

#include "run.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

struct Along : testing::Test {
  Folder folder;
  std::string out = folder.path("out.csv");
  std::string motion(const std::string& text) const { return folder.write("motion.yaml", text); }
};

// SCARA-like: tau of a prismatic joint that lifts m = 2 kg along z = 0.1 sin 3t is m (g + z'').
TEST_F(Along, GivesForcesOfAMotion) {
  const std::string lift = folder.write("lift.yaml", R"(
bodies:
  - {name: lift, joint: {type: prismatic, axis: [0, 0, 1]}, mass: 2}
)");
  const std::string file = motion("motion: {type: formula, q: {lift: 0.1*sin(3*t)}, duration: 2}\nevery: 0.25\n");
  const Outcome outcome = run({"id", lift, "--motion", file, "-o", out});
  ASSERT_EQ(outcome.status, 0) << outcome;
  std::ifstream in(out);
  std::string line;
  std::getline(in, line);
  EXPECT_EQ(line, "t,q.lift,v.lift,a.lift,tau.lift,kinetic,potential");
  int rows = 0;
  for (; std::getline(in, line); ++rows) {
    double t = 0, q = 0, v = 0, a = 0, tau = 0;
    ASSERT_EQ(std::sscanf(line.c_str(), "%lf,%lf,%lf,%lf,%lf", &t, &q, &v, &a, &tau), 5) << line;
    EXPECT_NEAR(v, 0.3 * std::cos(3 * t), 1e-15);
    EXPECT_NEAR(a, -0.9 * std::sin(3 * t), 1e-15);
    EXPECT_NEAR(tau, 2 * (9.81 + a), 1e-13);
  }
  EXPECT_EQ(rows, 9);
  const YAML::Node peaks = json({"id", lift, "--motion", file})["peaks"];
  EXPECT_EQ(peaks[0]["joint"].as<std::string>(), "lift");
  EXPECT_GT(peaks[0]["tau"].as<double>(), 2 * 9.81);
}

TEST_F(Along, DrawsAndWritesArrays) {
  const std::string file =
      motion("motion: {type: point_to_point, from: {}, to: {link1: 1}, duration: 1}\nevery: 0.1\n");
  ASSERT_EQ(run({"id", "puma560", "--motion", file, "-o", folder.path("tau.npz"), "--plot"}).status, 0);
  EXPECT_TRUE(fs::exists(folder.path("tau.npz")));
  EXPECT_TRUE(fs::exists(folder.path("tau.torques.svg")));
  EXPECT_TRUE(fs::exists(folder.path("tau.angles.svg")));
}

// A body that carries a wheel and floats: the wheel's angular momentum comes out of the body's. (I + J) w = -J w_wheel
TEST_F(Along, SolvesForAFloatingBase) {
  const std::string robot = folder.write("floating.yaml", R"(
gravity: [0, 0, 0]
bodies:
  - {name: body, joint: {type: free}, mass: 1, inertia: [3, 3, 3, 0, 0, 0]}
  - {name: wheel, joint: {type: revolute}, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
)");
  const std::string file = motion("motion: {type: formula, q: {wheel: t^2}, duration: 2}\nevery: 0.5\n");
  ASSERT_EQ(run({"id", robot, "--motion", file, "-o", out}).status, 0);
  std::ifstream in(out);
  std::string line;
  std::getline(in, line);
  ASSERT_TRUE(
      line.starts_with("t,q.body.x,q.body.y,q.body.z,q.body.qw,q.body.qx,q.body.qy,q.body.qz,q.wheel,v.body.wx,"))
      << line;
  while (std::getline(in, line)) {
    std::vector<double> row;
    std::istringstream entries(line);
    for (std::string entry; std::getline(entries, entry, ',');) row.push_back(std::strtod(entry.c_str(), nullptr));
    const double t = row[0], w = -0.25 * 2 * t, angle = -0.25 * t * t;
    EXPECT_NEAR(row[7], std::sin(angle / 2), 1e-9) << t;
    EXPECT_NEAR(row[11], w, 1e-9) << t;
    EXPECT_NEAR(row.at(row.size() - 3), 0.75 * 2, 1e-9) << "J (w' + w_wheel') = 1 (2 - 0.5)";
  }
}

TEST_F(Along, RefusesWrongInput) {
  const std::string good = motion("motion: {type: hold, duration: 1}\n");
  const auto expect_failure = [&](const Arguments& arguments, int status, const std::string& words) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, status) << outcome;
    EXPECT_NE(outcome.err.find(words), std::string::npos) << outcome;
    EXPECT_EQ(outcome.out, "");
    EXPECT_FALSE(fs::exists(out));
  };
  expect_failure({"id", "puma560", "--motion", folder.path("none.yaml"), "-o", out}, 3, "no such file");
  expect_failure({"id", "puma560", "--motion", good, "-o", folder.path("out.txt")}, 2, ".csv or .npz");
  expect_failure({"id", "puma560", "--motion", good, "--plot"}, 2, "--output");
  expect_failure({"id", "puma560", "--motion", good, "--json", "-o", out}, 2,
                 "--json is for the most that drives give");
  expect_failure({"id", "puma560", "--motion", good, "--driven", "joint9", "-o", out}, 2, "joint9");
  const std::string wrong = folder.write("wrong.yaml", "motion: {type: hold, duration: -1}\nevry: 1\n");
  expect_failure({"id", "puma560", "--motion", wrong, "-o", out}, 3, wrong + ":1: motion: duration: it is positive");
  folder.write("columns.csv", "t,q.link1,qx\n0,0,1\n1,1,1\n2,2,1\n3,3,1\n");
  const std::string columns = folder.write("columns.yaml", "motion: {type: file, file: columns.csv}\n");
  expect_failure({"id", "puma560", "--motion", columns, "-o", out}, 3, "unknown column 'qx'");
  const std::string far = folder.write("far.yaml",
                                       "motion: {type: line, body: link6, start: [0.3, 0.6, -0.4, 0.5, 0.7, -0.2], "
                                       "displacement: [3, 0, 0], duration: 1}\n");
  expect_failure({"id", "puma560", "--motion", far, "-o", out}, 4, "the position is the reason");
}

// A start that the motion does not take is told.
TEST_F(Along, BeginsWhereItSays) {
  const auto told = [&](const std::string& text) {
    const Outcome outcome = run({"id", "puma560", "--motion", motion("start: {q: [1, 0, 0, 0, 0, 0]}\n" + text)});
    EXPECT_EQ(outcome.status, 0) << outcome;
    return outcome.err.find("start: q: the motion begins elsewhere, as it says itself") != std::string::npos;
  };
  EXPECT_FALSE(told("motion: {type: point_to_point, to: [0, 0, 0, 0, 0, 0], duration: 1}\n"));
  EXPECT_TRUE(told("motion: {type: point_to_point, from: [2, 0, 0, 0, 0, 0], to: [0, 0, 0, 0, 0, 0], duration: 1}\n"));
  EXPECT_TRUE(told("motion: {type: formula, q: {link1: sin(t)}, duration: 1}\n"));
}

// The most that a drive gives is the largest of its column, wherever along the motion that is.
TEST_F(Along, PeaksAreThoseOfTheRows) {
  const std::string file =
      motion("motion: {type: point_to_point, from: [0.1, -0.5, 0.4], to: [1.3, 1.1, -0.7], duration: 2}\nevery: 0.1\n");
  ASSERT_EQ(run({"id", "planar3r", "--motion", file, "-o", out}).status, 0);
  const Csv rows(out);
  const YAML::Node peaks = json({"id", "planar3r", "--motion", file})["peaks"];
  ASSERT_EQ(peaks.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k) {
    double most = 0, when = 0;
    for (const Row& row : rows.rows)
      if (std::abs(row[10 + k]) > std::abs(most)) most = row[10 + k], when = row[0];
    EXPECT_NEAR(peaks[k]["tau"].as<double>(), most, 1e-12 * std::abs(most));
    EXPECT_NEAR(peaks[k]["t"].as<double>(), when, 1e-12);
  }
}

TEST(CheckScenario, ReadsItWithoutRunningIt) {
  const Outcome fine = run({"check", DENOC_SOURCE "/examples/scenarios/cart_pole_lqr.yaml"});
  EXPECT_EQ(fine.status, 0) << fine;
  EXPECT_NE(fine.out.find("fine: no faults, no doubts; 8 s of robot 'cart_pole', control lqr"), std::string::npos)
      << fine;
  Folder folder;
  const std::string wrong =
      folder.write("wrong.yaml", "robot: cart_pole\nduration: 1\ncontrol: {type: lqr, driven: [cat]}\nstrat: 1\n");
  const Outcome outcome = run({"check", wrong});
  EXPECT_EQ(outcome.status, 3) << outcome;
  for (const char* words : {":3: control: driven: unknown joint 'cat'", ":4: unknown key 'strat'"})
    EXPECT_NE(outcome.err.find(wrong + words), std::string::npos) << outcome;
}

// Angeles7 Example 7.5.1 on planar3r, recomputed with 50 digits (tests/data/min_time.json).
TEST_F(Along, ShortestTimeUnderLimits) {
  const std::string file = motion(
      "motion: {type: point_to_point, from: [0.1, -0.5, 0.4], to: [1.3, 1.1, -0.7], duration: 3, profile: poly345}\n");
  const YAML::Node least = json({"mintime", "planar3r", "--motion", file, "--limits", "90,35,8"});
  EXPECT_NEAR(least["duration"].as<double>(), 1.8856268115704732118, 1e-12);
  EXPECT_EQ(least["joint"].as<std::string>(), "link1");
  EXPECT_EQ(least["per_joint"].size(), 3u);
  const YAML::Node weightless =
      json({"mintime", "planar3r", "--motion", file, "--limits", "90,35,8", "--gravity", "0,0,0"});
  EXPECT_NEAR(weightless["duration"].as<double>(), 1.029646, 1e-6);
  const Outcome table = run({"mintime", "planar3r", "--motion", file, "--limits", "90,35,8"});
  EXPECT_NE(table.out.find("1.88562681157 s at the least, as 'link1' allows"), std::string::npos) << table;
  // A scenario runs it: the first drive just touches its limit.
  const std::string scenario = folder.write("fastest.yaml",
                                            "robot: planar3r\nduration: 1.8856\nmotion: {type: fastest, from: [0.1, "
                                            "-0.5, 0.4], to: [1.3, 1.1, -0.7], limits: "
                                            "[90, 35, 8], profile: poly345}\ncontrol: {type: feedforward}\n");
  EXPECT_EQ(run({"check", scenario}).status, 0);
  EXPECT_EQ(run({"check", folder.write("bad.yaml",
                                       "robot: planar3r\nduration: 1\nmotion: {type: fastest, from: [0, 0, 0], "
                                       "to: [1, 1, 1], limits: [90, 0, 8]}\ncontrol: {type: feedforward}\n")})
                .status,
            3);
}
// Motions that can be read, and not be made: the file is named, `check` lists it.
TEST_F(Along, WhatCannotBeMadeIsToldOfItsFile) {
  const std::string line =
      "motion: {type: line, body: link6, start: [0, 0.3, -0.5, 0.1, 0.7, 0], displacement: [0, 0, 5], duration: 1}\n";
  const std::string file = motion(line), words = "the reach of the robot ends";
  const std::string scenario = folder.write("reach.yaml", "robot: puma560\nduration: 1\n" + line);
  const auto expect_told = [&](const Arguments& arguments, const std::string& of) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 4) << outcome;
    EXPECT_TRUE(outcome.first_line().starts_with(of + ": body 'link6'")) << outcome;
    EXPECT_NE(outcome.first_line().find(words), std::string::npos) << outcome;
  };
  expect_told({"id", "puma560", "--motion", file}, file);
  expect_told({"simulate", scenario, "-o", folder.path("results")}, scenario);
  const Outcome checked = run({"check", scenario});
  EXPECT_EQ(checked.status, 3) << checked;
  EXPECT_NE(checked.err.find(words), std::string::npos) << checked;
  EXPECT_EQ(YAML::Load(run({"check", scenario, "--json"}).out)["faults"].size(), 1u);
}
TEST_F(Along, ShortestTimesTellWhatIsDoubted) {
  const std::string file = motion("motion: {type: point_to_point, from: [0, 0, 0], to: [0, 90, 0], duration: 1}\n");
  const Outcome told = run({"mintime", "planar3r", "--motion", file, "--limits", "90,35,8"});
  EXPECT_EQ(told.status, 0) << told;
  EXPECT_NE(told.err.find("is more than a whole turn"), std::string::npos) << told;
}
TEST_F(Along, ShortestTimeSaysWhatIsWrong) {
  const std::string file = motion("motion: {type: point_to_point, from: [0, 0, 0], to: [1, 1, -1], duration: 1}\n");
  const Outcome weak = run({"mintime", "planar3r", "--motion", file, "--limits", "90,3,8"});
  EXPECT_EQ(weak.status, 4) << weak;
  EXPECT_NE(weak.first_line().find("link2"), std::string::npos) << weak;
  EXPECT_EQ(run({"mintime", "planar3r", "--motion", file, "--limits", "90,35"}).status, 2);
  const Outcome unlimited = run({"mintime", "spatial3r", "--motion", file});
  EXPECT_EQ(unlimited.status, 4) << unlimited;
  EXPECT_NE(unlimited.err.find("--limits"), std::string::npos) << unlimited;
}

// A base that floats gives way: what would hold it still is no time of the robot. With limits and without.
TEST_F(Along, ShortestTimeRefusesABaseThatFloats) {
  const std::string robot = folder.write("floating.yaml", R"(
bodies:
  - {name: hull, joint: {type: free}, mass: 5, inertia: [0.3, 0.3, 0.3, 0, 0, 0]}
  - {name: arm, joint: {type: revolute, axis: [0, 1, 0]}, mass: 1, com: [0.3, 0, 0]}
)");
  const std::string file = motion("motion: {type: point_to_point, from: {}, to: {arm: 1}, duration: 1}\n");
  for (const Arguments& more : {Arguments{}, {"--limits", "1e9,1e9,1e9,1e9,1e9,1e9,12"}}) {
    Arguments arguments = {"mintime", robot, "--motion", file};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 4) << outcome;
    EXPECT_NE(outcome.err.find("joint 'hull' is free and has no drive: how its body gives way is not counted"),
              std::string::npos)
        << outcome;
    EXPECT_NE(outcome.err.find("id --motion"), std::string::npos) << outcome;
  }
}

// As forward dynamics says it: a joint without a drive and without inertia could have any acceleration.
TEST_F(Along, NamesAJointThatMovesWithoutInertia) {
  const std::string arm = R"(
bodies:
  - {name: a, joint: {type: revolute, axis: [0, 1, 0]}, mass: 1, com: [0, 0, -0.5], inertia: [0.1, 0.1, 0.01, 0, 0, 0]}
  - {name: b, frame: {xyz: [0, 0, -1]}, joint: {type: revolute, axis: [0, 1, 0]}, mass: 0)";
  const std::string file = motion("motion: {type: point_to_point, from: {a: 0}, to: {a: 1}, duration: 1}\n");
  for (const char* spring : {"}\n", ", spring: {stiffness: 5, rest: 1}}\n"}) {
    const Outcome outcome =
        run({"id", folder.write("arm.yaml", arm + spring), "--motion", file, "--driven", "a", "--forces", "-o", out});
    EXPECT_EQ(outcome.status, 4) << outcome;
    EXPECT_NE(outcome.err.find("joint 'b': it moves without inertia (pivot 0)"), std::string::npos) << outcome;
    EXPECT_FALSE(fs::exists(out));
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
