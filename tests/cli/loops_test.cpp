// Robots with loops from outside.
#include <fmt/format.h>

#include <cmath>

#include "denoc/io/rows.hpp"
#include "run.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

struct Loops : testing::Test {
  Folder folder;
  const YAML::Node reference = YAML::LoadFile(DENOC_TEST_DATA "/closed_loop.json")["fourbar"]["t0"];

  static bool says(const Outcome& outcome, const std::string& words) {
    return outcome.err.find(words) != std::string::npos;
  }
  std::string write(const Row& q, const Row& v, const Row& a, const Row& tau) const {
    YAML::Emitter state;
    state << YAML::DoubleQuoted << YAML::Flow << YAML::BeginMap;
    const std::pair<const char*, const Row*> parts[] = {{"q", &q}, {"v", &v}, {"a", &a}, {"tau", &tau}};
    state.SetDoublePrecision(17);
    for (const auto& [name, values] : parts) state << YAML::Key << name << YAML::Value << *values;
    state << YAML::EndMap;
    return folder.write("state.json", state.c_str());
  }
  std::string start() const {
    return write(row(reference["q"]), row(reference["v"]), row(reference["qdd"]), row(reference["tau"]));
  }
};

// The first row of a loop names it, its kind and its ends; the others say what is new.
TEST(MultiplierTable, NamesEveryLoopOnce) {
  const std::string table = run({"fd", "three_rrr"}).out;
  const auto times = [&](const std::string& word) {
    int count = 0;
    for (std::size_t at = table.find(word); at != std::string::npos; at = table.find(word, at + 1)) ++count;
    return count;
  };
  for (const char* once : {"loops[0]", "loops[1]", "arm2 to platform", "arm3 to platform"})
    EXPECT_EQ(times(once), 1) << once << "\n" << table;
  EXPECT_EQ(times("force along world"), 6);
}

TEST_F(Loops, ForwardDynamicsOfAFourBar) {
  const YAML::Node found = json({"fd", "fourbar", "--state", start()});
  expect_close(row(found["a"]), row(reference["qdd"]), 1e-10 * 716, "a");
  const Row multipliers = row(found["multipliers"]);
  ASSERT_EQ(multipliers.size(), 5u);
  expect_close({multipliers[0], multipliers[1]}, row(reference["lam"]), 1e-10 * 20, "multipliers");
  EXPECT_FALSE(found["unique"].as<bool>());
  const Outcome table = run({"fd", "fourbar", "--state", start()});
  EXPECT_EQ(table.status, 0) << table;
  for (const char* words : {"loops[0]", "coupler to rocker", "force along world x", "19.5916", "not unique"}) {
    EXPECT_NE(table.out.find(words), std::string::npos) << words << "\n" << table;
  }
}

TEST_F(Loops, InverseDynamicsWithTheCrankDriven) {
  const YAML::Node found = json({"id", "fourbar", "--state", start(), "--driven", "crank"});
  expect_close(row(found["tau"]), {0.3, 0, 0}, 1e-9, "tau");
  const Row multipliers = row(found["multipliers"]);
  expect_close({multipliers[0], multipliers[1]}, row(reference["lam"]), 1e-9, "multipliers");
  // All driven: the shortest. tau . v is the same power.
  const Row tau = row(json({"id", "fourbar", "--state", start()})["tau"]), v = row(reference["v"]);
  EXPECT_NEAR(tau[0] * v[0] + tau[1] * v[1] + tau[2] * v[2], 0.3 * v[0], 1e-9);
  EXPECT_LT(std::hypot(tau[0], tau[1], tau[2]), 0.3);
  const Outcome unknown = run({"id", "fourbar", "--state", start(), "--driven", "crank,rokker"});
  EXPECT_EQ(unknown.status, 2) << unknown;
  EXPECT_TRUE(says(unknown, "did you mean 'rocker'?")) << unknown;
  EXPECT_EQ(run({"id", "puma560", "--state", start(), "--driven", "link1"}).status, 3);
}

// A base that floats has no drive: what fits the momenta is had, anything else is refused with its name.
TEST_F(Loops, InverseDynamicsWithAFloatingBase) {
  const Row q = {0.1, 0, 0, 0.8, 0, 0.6, 0, 0.4, -0.8, 1.3}, v = {0.1, -0.2, 0.3, 0.05, 0, 0, 0.5, -0.4, 0.3},
            tau = {0, 0, 0, 0, 0, 0, 2, -1, 0.5};
  Row a = row(json({"fd", "free_flying_arm", "--state", write(q, v, tau, tau)})["a"]);
  const std::string arm = "shoulder,upper_arm,forearm";
  const YAML::Node found = json({"id", "free_flying_arm", "--state", write(q, v, a, tau), "--driven", arm});
  expect_close(row(found["tau"]), tau, 1e-10, "tau");
  EXPECT_FALSE(found["multipliers"]);
  const Outcome table = run({"id", "free_flying_arm", "--state", write(q, v, a, tau), "--driven", arm});
  EXPECT_EQ(table.status, 0) << table;
  const Outcome other =
      run({"id", "free_flying_arm", "--state", write(q, v, a, tau), "--driven", arm, "--method", "newton-euler"});
  EXPECT_TRUE(says(other, "does not know joints without a drive")) << other;
  a[0] += 0.1;
  const Outcome refused = run({"id", "free_flying_arm", "--state", write(q, v, a, tau), "--driven", arm});
  EXPECT_EQ(refused.status, 4) << refused;
  EXPECT_TRUE(says(refused, "the driven joints cannot give this motion: joint 'base_body' lacks")) << refused;
}

// Newton's law for the whole: what the base carries is the weight and the masses' accelerations, and what is left of
// each body after its joint is what the loop does to it.
TEST_F(Loops, ReactionsIncludeTheLoop) {
  const YAML::Node found = json({"id", "fourbar", "--state", start(), "--driven", "crank", "--reactions"});
  ASSERT_EQ(found["reactions"].size(), 3u);
  const Row q = row(reference["q"]), v = row(reference["v"]), a = row(reference["qdd"]);
  const double angle[] = {q[0], q[0] + q[1], q[2]}, rate[] = {v[0], v[0] + v[1], v[2]},
               acceleration[] = {a[0], a[0] + a[1], a[2]}, length[] = {0.2, 0.5, 0.4}, mass[] = {0.4, 1, 0.8};
  const auto along = [&](int i, double r) {  // acceleration of the point at r on rod i, from the rod's pin
    const double c = std::cos(angle[i]), s = std::sin(angle[i]), w = rate[i] * rate[i];
    return std::pair{r * (-w * c - acceleration[i] * s), r * (-w * s + acceleration[i] * c)};
  };
  double fx = 0, fy = 0;
  for (int i = 0; i < 3; ++i) {
    auto [x, y] = along(i, length[i] / 2);
    if (i == 1) x += along(0, 0.2).first, y += along(0, 0.2).second;
    fx += mass[i] * x;
    fy += mass[i] * (y + 9.81);
    // the rocker: its pin and the loop share the work
    if (i != 2) continue;
    const Row at_pin = row(found["reactions"][2]["force"]), in_loop = row(found["loops"][1]["force"]);
    const double c = std::cos(angle[2]), s = std::sin(angle[2]), px = at_pin[0] + in_loop[0],
                 py = at_pin[1] + in_loop[1];
    EXPECT_NEAR(c * px - s * py, mass[2] * x, 1e-9);
    EXPECT_NEAR(s * px + c * py, mass[2] * (y + 9.81), 1e-9);
  }
  expect_close(row(found["base"]["force"]), {fx, fy, 0}, 1e-9, "base");
  EXPECT_EQ(found["loops"][0]["body"].as<std::string>(), "coupler");
  EXPECT_EQ(found["loops"][1]["body"].as<std::string>(), "rocker");
}

// A coupling acts on joints, not on places: it has no wrench to tell.
TEST_F(Loops, CouplingsHaveNoWrenches) {
  const std::string geared = folder.write("geared.yaml", R"(bodies:
  - {name: a, parent: world, joint: revolute, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
  - {name: b, parent: world, joint: revolute, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
loops:
  - {type: coupler, a: {body: a}, b: {body: b}, ratio: 2}
)");
  const YAML::Node found = json({"id", geared, "--reactions"});
  EXPECT_EQ(found["reactions"].size(), 2u);
  EXPECT_EQ(found["loops"].size(), 0u);
}

// Of several loops each has its two ends, one after the other.
TEST_F(Loops, ReactionsNameTheLoopThatTheyAreOf) {
  const YAML::Node loops = YAML::LoadFile(DENOC_MODELS_DIR "/three_rrr.yaml")["loops"];
  const YAML::Node found = json({"id", "three_rrr", "--reactions"})["loops"];
  ASSERT_EQ(found.size(), 2 * loops.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i]["loop"].as<std::string>(), "loops[" + std::to_string(i / 2) + "]");
    EXPECT_EQ(found[i]["body"].as<std::string>(), loops[i / 2][i % 2 == 0 ? "a" : "b"]["body"].as<std::string>());
  }
}
// What a coupling exerts is dual to the joint of b, whatever the joint of a is.
TEST_F(Loops, CouplingsHaveTheUnitOfTheJointOfB) {
  for (const char* a : {"revolute", "prismatic"})
    for (const char* b : {"revolute", "prismatic"}) {
      const std::string rack = folder.write("rack.yaml", fmt::format(R"(bodies:
  - {{name: a, parent: world, joint: {}, mass: 1, com: [1, 0, 0]}}
  - {{name: b, parent: world, joint: {}, mass: 1, com: [1, 0, 0]}}
loops:
  - {{type: coupler, a: {{body: a}}, b: {{body: b}}, ratio: 2}}
)",
                                                                     a, b));
      const std::string table = run({"fd", rack}).out;
      const std::size_t at = table.find("drag on the joint of b");
      ASSERT_NE(at, std::string::npos) << table;
      std::string line = table.substr(at, table.find('\n', at) - at);
      line.erase(line.find_last_not_of(' ') + 1);
      const std::string unit = std::string(b) == "prismatic" ? " N" : " N m";
      ASSERT_GT(line.size(), unit.size());
      EXPECT_EQ(line.substr(line.size() - unit.size()), unit) << a << " to " << b << ": " << line;
    }
}

// A loop to the ground: the ground feels it.
TEST_F(Loops, TheBaseCarriesALoopToTheGround) {
  const std::string beam = folder.write("beam.yaml", R"(bodies:
  - {name: beam, joint: {type: revolute, axis: [0, 1, 0]}, mass: 2, com: [0.5, 0, 0], inertia: [0, 0.1, 0.1, 0, 0, 0]}
loops:
  - {type: point-on-line, a: {body: world, point: [1, 0, 0]}, b: {body: beam, point: [1, 0, 0]}, axis: [1, 0, 0]}
)");
  const std::string still = folder.write("still.json", R"({"q": [0], "v": [0], "a": [0]})");
  const Outcome all = run({"id", beam, "--state", still, "--reactions", "--json", "--driven", "beam"});
  ASSERT_EQ(all.status, 0) << all;
  const YAML::Node found = YAML::Load(all.out);
  expect_close(row(found["base"]["force"]), {0, 0, 2 * 9.81}, 1e-12, "the whole weight");
  expect_close(row(found["base"]["moment"]), {0, -2 * 9.81 * 0.5, 0}, 1e-12, "and its moment");
}

TEST_F(Loops, StatesThatAreOpenAreRefused) {
  Row q = row(reference["q"]), v = row(reference["v"]);
  const Row a = row(reference["qdd"]), tau = row(reference["tau"]);
  q[1] += 1e-4;
  for (const char* command : {"id", "fd"}) {
    const Outcome open = run({command, "fourbar", "--state", write(q, v, a, tau)});
    EXPECT_EQ(open.status, 4) << open;
    EXPECT_TRUE(says(open, "loops[0]: q leaves it open by")) << open;
  }
  q = row(reference["q"]);
  v[2] += 0.01;
  const Outcome opening = run({"fd", "fourbar", "--state", write(q, v, a, tau)});
  EXPECT_EQ(opening.status, 4) << opening;
  EXPECT_TRUE(says(opening, "loops[0]: v opens it by")) << opening;
  v = row(reference["v"]);
  Row wrong = a;
  wrong[0] += 1;
  const Outcome leaving = run({"id", "fourbar", "--state", write(q, v, wrong, tau)});
  EXPECT_EQ(leaving.status, 4) << leaving;
  EXPECT_TRUE(says(leaving, "loops[0]: the accelerations do not keep it closed")) << leaving;
}

TEST_F(Loops, AssembleGivesStatesThatAreTaken) {
  const YAML::Node closed = json({"assemble", "fourbar"});
  EXPECT_LE(closed["gap"].as<double>(), 1e-12);
  EXPECT_EQ(closed["branches"].size(), 2u);
  expect_close(row(closed["branches"][0]), row(closed["q"]), 1e-9, "the nearest first");
  const Row a = row(reference["qdd"]), tau = row(reference["tau"]);
  const YAML::Node moving = json({"assemble", "fourbar", "--state", write({1, -0.6, 1.2}, {5, 0, 0}, a, tau)});
  const YAML::Node result = json({"fd", "fourbar", "--state", write(row(moving["q"]), row(moving["v"]), a, tau)});
  EXPECT_EQ(result["a"].size(), 3u);
  EXPECT_EQ(run({"assemble", "fourbar"}).status, 0);
  const std::string short_rod = folder.write("short.yaml", R"(bodies:
  - {name: arm, joint: revolute, mass: 1, com: [0.1, 0, 0]}
loops:
  - {type: spherical, a: {body: arm, point: [0.2, 0, 0]}, b: {body: world, point: [1, 0, 0]}}
)");
  const Outcome open = run({"assemble", short_rod});
  EXPECT_EQ(open.status, 4) << open;
  EXPECT_TRUE(says(open, "a gap of 0.8 m")) << open;
}

TEST_F(Loops, JointsNamedTwiceAreRefused) {
  for (const Arguments& arguments :
       std::vector<Arguments>{{"assemble", "fourbar", "--hold", "crank=0.3,crank=0.5"},
                              {"assemble", "fourbar", "--hold", "crank=0.3", "--hold", "crank=0.3"},
                              {"id", "fourbar", "--driven", "crank,crank"}}) {
    const Outcome twice = run(arguments);
    EXPECT_EQ(twice.status, 2) << twice;
    EXPECT_TRUE(says(twice, "joint 'crank' is named twice")) << twice;
  }
}

TEST_F(Loops, InfoCountsTheFreedoms) {
  const YAML::Node info = json({"info", "fourbar"});
  ASSERT_EQ(info["loops"].size(), 1u);
  EXPECT_EQ(info["loops"][0]["type"].as<std::string>(), "revolute");
  EXPECT_EQ(info["loops"][0]["rows"].as<int>(), 5);
  EXPECT_EQ(info["mobility"]["freedom"].as<int>(), 1);
  EXPECT_EQ(info["mobility"]["gruebler"].as<int>(), -2);
  EXPECT_FALSE(info["mobility"]["dead_point"].as<bool>());
  const Outcome text = run({"info", "fourbar"});
  for (const char* words : {"1 degree of freedom", "Gruebler's count is -2", "coupler to rocker"}) {
    EXPECT_NE(text.out.find(words), std::string::npos) << words << "\n" << text;
  }
  const Outcome check = run({"check", "fourbar"});
  EXPECT_EQ(check.status, 0) << check;
  EXPECT_TRUE(says(check, "open by 0.15 m (or rad) at q = 0")) << check;
  EXPECT_TRUE(says(check, "2 ways")) << check;
}

// With the crank drawn at 1 rad coupler and rocker end 0.7 (cos 1, sin 1) and (0.85, 0) from it: 0.7 sin 1 = 0.589.
TEST_F(Loops, InfoLooksWhereTheFileDraws) {
  const std::string drawn = folder.write("drawn.yaml", R"(
bodies:
  - {name: crank, parent: world, joint: revolute, neutral: [1], mass: 1, com: [0.1, 0, 0]}
  - {name: coupler, parent: crank, frame: {xyz: [0.2, 0, 0]}, joint: revolute, mass: 1, com: [0.2, 0, 0]}
  - {name: rocker, parent: world, frame: {xyz: [0.45, 0, 0]}, joint: revolute, mass: 1, com: [0.2, 0, 0]}
loops:
  - {type: revolute, a: {body: coupler, point: [0.5, 0, 0]}, b: {body: rocker, point: [0.4, 0, 0]}}
)");
  for (const char* command : {"info", "check"}) {
    const Outcome said = run({command, drawn});
    EXPECT_NE((said.out + said.err).find("open by 0.589 m (or rad) at the neutral posture"), std::string::npos) << said;
  }
}

// A parallelogram that lies flat: sideways its three hinges are tied once, out of this posture twice.
TEST_F(Loops, InfoTellsADeadPoint) {
  const std::string flat = folder.write("flat.yaml", R"(
bodies:
  - {name: crank, parent: world, joint: revolute, mass: 1, com: [0.5, 0, 0]}
  - {name: coupler, parent: crank, frame: {xyz: [1, 0, 0]}, joint: revolute, mass: 1, com: [0.5, 0, 0]}
  - {name: rocker, parent: world, frame: {xyz: [1, 0, 0]}, joint: revolute, mass: 1, com: [0.5, 0, 0]}
loops:
  - {type: revolute, a: {body: coupler, point: [1, 0, 0]}, b: {body: rocker, point: [1, 0, 0]}}
)");
  const YAML::Node mobility = json({"info", flat})["mobility"];
  EXPECT_EQ(mobility["freedom"].as<int>(), 2);
  EXPECT_TRUE(mobility["dead_point"].as<bool>());
  const Outcome text = run({"info", flat});
  for (const char* words :
       {"at q = 0 the mechanism has 2 degrees of freedom: 3 of the tree less 1 independent row of 5",
        "Gruebler's count is -2: 4 of the rows say what others say already",
        "a dead point: near by it has 1 degree of freedom"})
    EXPECT_NE(text.out.find(words), std::string::npos) << words << "\n" << text;
}

// Two fingers of 1 kg, the second twice as fast: the leader carries m g + 2 m g.
TEST_F(Loops, AJointThatMimicsHasNoDriveOfItsOwn) {
  const std::string fingers = folder.write("fingers.urdf", R"(<robot name="fingers"><link name="palm"/>
<link name="a"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
<link name="b"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
<joint name="lead" type="prismatic"><parent link="palm"/><child link="a"/><axis xyz="0 0 1"/>
  <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
<joint name="follow" type="prismatic"><parent link="palm"/><child link="b"/><axis xyz="0 0 1"/>
  <limit lower="-1" upper="1" effort="1" velocity="1"/><mimic joint="lead" multiplier="2"/></joint></robot>)");
  const std::string zero = write({0, 0}, {0, 0}, {0, 0}, {0, 0});
  const Row tau = row(json({"id", fingers, "--state", zero})["tau"]);
  expect_close(tau, {29.43, 0}, 1e-13, "tau");
  EXPECT_TRUE(says(run({"id", fingers, "--state", zero}), "tau is that of the independent coordinates"));
  expect_close(row(json({"id", fingers, "--state", zero, "--driven", "follow"})["tau"]), {0, 29.43 / 2}, 1e-13, "tau");
  const Outcome info = run({"info", fingers});
  EXPECT_NE(info.out.find("independent coordinates: lead;"), std::string::npos) << info;
  EXPECT_NE(info.out.find("1 degree of freedom"), std::string::npos) << info;
}

// A four-bar whose coupler has no mass: its tree has no inertia there, the closed chain has.
TEST_F(Loops, MasslessLinksThatLoopsHoldMove) {
  const auto bars = [&](double mass) {
    return folder.write("bars.yaml", fmt::format(R"(bodies:
  - {{name: crank, parent: world, joint: {{type: revolute, axis: [0, 1, 0]}}, mass: 1, com: [0, 0, 0.5], inertia: [0.1, 0.1, 0.1, 0, 0, 0]}}
  - {{name: rocker, parent: world, frame: {{xyz: [1, 0, 0]}}, joint: {{type: revolute, axis: [0, 1, 0]}}, mass: 1, com: [0, 0, 0.5], inertia: [0.1, 0.1, 0.1, 0, 0, 0]}}
  - {{name: coupler, parent: crank, frame: {{xyz: [0, 0, 1]}}, joint: {{type: revolute, axis: [0, 1, 0]}}, mass: {0}, inertia: [{0}, {0}, {0}, 0, 0, 0]}}
loops:
  - {{type: spherical, a: {{body: coupler, point: [1, 0, 0]}}, b: {{body: rocker, point: [0, 0, 1]}}}}
)",
                                                 mass));
  };
  const std::string leaning = write({0.3, 0.3, -0.3}, {0.5, 0.5, -0.5}, {0, 0, 0}, {0.2, 0, 0});
  const YAML::Node massless = json({"fd", bars(0), "--state", leaning});
  // A parallelogram: both bars turn alike, 2 (0.1 + 0.25) a = tau + 2 m g 0.5 sin q.
  const double a = (0.2 + 9.81 * std::sin(0.3)) / 0.7;
  expect_close(row(massless["a"]), {a, a, -a}, 1e-12 * a, "a");
  expect_close(row(json({"fd", bars(1e-9), "--state", leaning})["a"]), {a, a, -a}, 1e-7 * a, "a of a light one");
  const std::string run_it = folder.write("run.yaml", R"(robot: bars.yaml
start: {q: [0.3, 0.3, -0.3], v: [0, 0, 0]}
duration: 0.2
integrator: {method: dopri5, rtol: 1e-9, atol: 1e-10}
output: {every: 0.1}
control: {type: none}
)");
  bars(0);
  EXPECT_EQ(run({"simulate", run_it, "--out", folder.path("run")}).status, 0)
      << run({"simulate", run_it, "--out", folder.path("run")});
}

// A four-bar is no four-bar where its loop is open: what is computed all the same is told, and a posture doubted.
TEST_F(Loops, WhatIsOpenIsTold) {
  const std::string zero = write({0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0});
  for (const char* command : {"fk", "energy"}) {
    const Outcome outcome = run({command, "fourbar", "--state", zero});
    EXPECT_EQ(outcome.status, 0) << outcome;
    EXPECT_TRUE(says(outcome, "loops[0]: q leaves it open by")) << outcome;
  }
  const auto fingers = [&](const char* home) {
    return folder.write("two.yaml", fmt::format(R"(bodies:
  - {{name: a, parent: world, joint: revolute, mass: 1}}
  - {{name: b, parent: world, joint: revolute, mass: 1}}
loops: [{{type: coupler, a: {{body: a}}, b: {{body: b}}}}]
postures: {{home: {}}}
)",
                                                home));
  };
  EXPECT_EQ(run({"check", fingers("[1, 1]")}).status, 0) << run({"check", fingers("[1, 1]")});
  const Outcome open = run({"check", fingers("[1, 0]")});
  EXPECT_EQ(open.status, 3) << open;
  EXPECT_TRUE(says(open, "posture 'home' leaves loops[0] open by 1 m (or rad)")) << open;
}

// A parallelogram as it is drawn, stretched: two motions meet, and forward dynamics says that it knows no better.
TEST_F(Loops, DeadPointsAreToldWithAccelerations) {
  const std::string model = folder.write("parallelogram.yaml", R"(bodies:
  - {name: crank, parent: world, joint: revolute, mass: 1, com: [0.2, 0, 0], inertia: [0, 0.01, 0.01, 0, 0, 0]}
  - {name: coupler, frame: {xyz: [0.4, 0, 0]}, joint: revolute, mass: 1, com: [0.5, 0, 0], inertia: [0, 0.1, 0.1, 0, 0, 0]}
  - {name: rocker, parent: world, frame: {xyz: [1, 0, 0]}, joint: revolute, mass: 1, com: [0.2, 0, 0], inertia: [0, 0.01, 0.01, 0, 0, 0]}
loops:
  - {type: revolute, a: {body: coupler, point: [1, 0, 0]}, b: {body: rocker, point: [0.4, 0, 0]}}
)");
  const auto fd = [&](const char* state) { return run({"fd", model, "--state", folder.write("state.json", state)}); };
  const Outcome stretched = fd(R"([{"q": [0, 0, 0], "v": [1, -1, 1]}, {"q": [0, 0, 0]}])"),
                beside = fd(R"({"q": [0.01, -0.01, 0.01], "v": [1, -1, 1]})");
  EXPECT_EQ(stretched.status, 0) << stretched;
  const std::string told = "q is a dead point, where motions of the loops meet";
  EXPECT_TRUE(says(stretched, told)) << stretched;
  EXPECT_EQ(stretched.err.find(told), stretched.err.rfind(told)) << "once: " << stretched;
  EXPECT_EQ(beside.status, 0) << beside;
  EXPECT_FALSE(says(beside, told)) << beside;
}

// Rows that close the loops, and one that leaves them open by a centimetre or so.
TEST_F(Loops, AreClosedInBatches) {
  std::string states, rows, open_row;
  for (int seed = 1; seed <= 4; ++seed) {
    const YAML::Node state = json({"state", "fourbar", "--random", fmt::format("{}", seed)});
    const Row q = row(state["q"]), v = row(state["v"]), x = {0.5, 0, 0};
    states += fmt::format(R"({}{{"q": [{}], "v": [{}], "a": [0, 0, 0], "tau": [0.5, 0, 0]}})", seed > 1 ? ", " : "",
                          fmt::join(q, ", "), fmt::join(v, ", "));
    rows += fmt::format("{},{},{}\n", fmt::join(q, ","), fmt::join(v, ","), fmt::join(x, ","));
    open_row = fmt::format("{},{},{},0,0,0,{}\n", q[0], q[1], q[2] + 0.01, fmt::join(x, ","));
  }
  const std::string in = folder.write("rows.csv", rows), out = folder.path("out.csv");
  const Outcome batch = run({"fd", "fourbar", "--batch", in, "-o", out});
  ASSERT_EQ(batch.status, 0) << batch;
  const YAML::Node expected = json({"fd", "fourbar", "--state", folder.write("states.json", "[" + states + "]")});
  io::RowReader reader(out, {"a1", "a2", "a3"});
  Row found(3);
  for (std::size_t i = 0; i < 4; ++i) {
    ASSERT_EQ(reader.read(found), 1u);
    const Row one = row(expected[i]["a"]);
    expect_close(found, one, 1e-12 * std::max(1.0, largest(one)), fmt::format("row {}", i));
  }
  const Outcome open =
      run({"fd", "fourbar", "--batch", folder.write("open.csv", rows + open_row), "-o", folder.path("none.csv")});
  EXPECT_EQ(open.status, 4) << open;
  EXPECT_TRUE(says(open, "open.csv:5: rows[4]: loops[0]: q leaves it open by ")) << open;
  EXPECT_FALSE(fs::exists(folder.path("none.csv")));
}

// Three legs on the ground and a platform on the first of them: with a drive in each leg's first joint the two legs that
// carry nothing are determinate. [Shah13 section 2.2]
TEST(Subsystems, AreListedInTheOrderOfTheirSolution) {
  const YAML::Node all = json({"subsystems", "three_rrr"})["subsystems"];
  size_t joints = 0, loops = 0;
  int order = 0;
  for (const YAML::Node& s : all) {
    joints += s["joints"].size();
    loops += s["loops"].size();
    EXPECT_GE(s["order"].as<int>(), order);
    order = s["order"].as<int>();
  }
  EXPECT_EQ(joints, json({"info", "three_rrr"})["nv"].as<size_t>());
  EXPECT_EQ(loops, json({"info", "three_rrr"})["loops"].size());
  const Outcome tree = run({"subsystems", "puma560"});
  EXPECT_EQ(tree.status, 4);
  EXPECT_NE(tree.first_line().find("no loops"), std::string::npos) << tree;
  const Outcome text = run({"subsystems", "fourbar", "--driven", "crank"});
  EXPECT_EQ(text.status, 0) << text;
  EXPECT_NE(text.out.find("eterminate"), std::string::npos) << text;
}

// A joint behind a ball, whose q has an entry more than its v: gears turn against each other as their teeth say.
TEST_F(Loops, JointsBehindAQuaternionAreHeld) {
  const std::string gears = folder.write("gears.yaml", R"(bodies:
  - {name: ball, parent: world, joint: spherical, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
  - {name: wheel, parent: world, joint: revolute, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
  - {name: pinion, parent: world, joint: revolute, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
loops: [{type: gear, a: {body: wheel}, b: {body: pinion}, teeth: [60, 20]}]
)");
  const Row q = row(json({"assemble", gears, "--hold", "wheel=0.3"})["q"]);
  expect_close(q, {1, 0, 0, 0, 0.3, -0.9}, 1e-15, "held");
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
