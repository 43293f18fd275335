#include "denoc/scenario/scenario.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "denoc/kinematics/inverse_kinematics.hpp"
#include "denoc/loops/closed_chain.hpp"
#include "unit/scenario/scenario_files.hpp"

namespace denoc {
namespace {
namespace THIS_FILE {

using test::all_texts;
using test::expect_refused;
using test::of_arm;
using test::of_robot;
using test::read;
using test::says;
using test::TemporaryFile;
using test::Wrong;
using Row = std::vector<double>;

TEST(Scenario, SplinesStartAndEndAtTheirRates) {
  const Scenario s = of_arm(
      "motion: {type: spline, times: [0, 1, 2], points: [[0, 0], [1, 1], [0, 2]], start_rate: [0.5, 0.125], end_rate: "
      "[-1, "
      "-0.25]}\n");
  Row q(2), v(2), a(2);
  s.motion->at(0, q, v, a);
  EXPECT_EQ(v, (Row{0.5, 0.125}));
  s.motion->at(2, q, v, a);
  test::expect_near(v, {-1, -0.25}, 1e-15, "rates at the end");
}

TEST(Scenario, HasDefaults) {
  const Scenario s = of_robot("");
  EXPECT_EQ(s.title, "");
  EXPECT_EQ(s.control, "none");
  EXPECT_EQ(s.text, "robot: robot.yaml\nduration: 2\n");
  EXPECT_EQ(s.model->nq(), 7);
  EXPECT_EQ(s.setup.q, (Row{0, 1, 0, 0, 0, 0, 0}));
  EXPECT_EQ(s.setup.v, Row(6));
  EXPECT_EQ(s.setup.duration, 2);
  EXPECT_EQ(s.setup.every, 0.01);
  EXPECT_EQ(s.setup.integrator.method, IntegrationMethod::dopri5);
  EXPECT_EQ(s.setup.integrator.rtol, 1e-8);
  EXPECT_EQ(s.setup.control, nullptr);
  EXPECT_EQ(s.setup.control_rate, 0);
  EXPECT_FALSE(s.setup.effort_limits || s.setup.with_reactions || s.npz);
  EXPECT_TRUE(s.setup.wrenches.empty() && s.setup.method.empty() && s.motion == nullptr);
}

TEST(Scenario, ReadsWhatStandsAtTheTop) {
  const Scenario s = of_robot(
      "title: two words\ngravity: [0, 0, -1.62]\nmethod: denoc\nbase: fixed\n"
      "output: {every: 1/4, reactions: true, npz: true}\n");
  EXPECT_EQ(s.title, "two words");
  EXPECT_EQ(s.model->robot().gravity.z, -1.62);
  EXPECT_EQ(s.setup.method, "denoc");
  EXPECT_EQ(s.setup.every, 0.25);
  EXPECT_TRUE(s.setup.with_reactions && s.npz);
}

// A robot with an extension or a slash is a file, wherever the program was started: from the scenario's folder on.
TEST(Scenario, FindsItsRobotFromItsFolder) {
  namespace fs = std::filesystem;
  const TemporaryFile file("run.yaml", "");
  const fs::path folder = file.path().parent_path();
  const auto bodies_of = [&](const std::string& said) {
    std::ofstream(file.path()) << "robot: " << said << "\nduration: 1\n";
    return load_scenario(file.path()).model->robot().bodies.size();
  };
  fs::create_directories(folder / "sub" / "below");
  for (const char* name : {"pendulum", "arm.yaml", "sub/arm", "sub/arm.yaml"})
    std::ofstream(folder / name) << test::arm;
  const std::string folders_own = folder.filename().string();
  for (const std::string& said :
       {std::string("arm.yaml"), std::string("./arm.yaml"), std::string("sub/arm.yaml"), std::string("sub/arm"),
        std::string("./sub/below/../arm"), "../" + folders_own + "/sub/arm", std::string("./pendulum"),
        (folder / "sub" / "arm").string()})
    EXPECT_EQ(bodies_of(said), 3u) << said;
  EXPECT_EQ(bodies_of("pendulum"), load("pendulum").bodies.size()) << "what is shipped has neither";
}

TEST(Scenario, ReadsStartsAsListsAndByJoint) {
  const Scenario list = of_robot("start: {q: [1, 0, 1, 0, 0, pi/2, 3], v: [1, 2, 3, 4, 5, 2^3]}\n");
  EXPECT_EQ(list.setup.q, (Row{1, 0, 1, 0, 0, std::acos(0.0), 3}));
  EXPECT_EQ(list.setup.v, (Row{1, 2, 3, 4, 5, 8}));
  const Scenario map = of_robot("start: {q: {elbow: [0.1, 0.2], rail: [7]}, v: {hip: [1, 2, 3], rail: 4}}\n");
  EXPECT_EQ(map.setup.q, (Row{7, 1, 0, 0, 0, 0.1, 0.2}));
  EXPECT_EQ(map.setup.v, (Row{4, 1, 2, 3, 0, 0}));
  const Scenario nearly = of_robot("start: {q: {hip: [1.0000005, 0, 0, 0]}}\n");
  EXPECT_EQ(nearly.setup.q[1], 1);
}

// models/fourbar.yaml: where the tips of coupler and rocker are, by the lengths of its rods.
void expect_meeting_tips(const Row& q) {
  EXPECT_NEAR(0.2 * std::cos(q[0]) + 0.5 * std::cos(q[0] + q[1]), 0.45 + 0.4 * std::cos(q[2]), 1e-10);
  EXPECT_NEAR(0.2 * std::sin(q[0]) + 0.5 * std::sin(q[0] + q[1]), 0.4 * std::sin(q[2]), 1e-10);
}
Scenario of_four_bar(const std::string& more) { return read("robot: fourbar\nduration: 2\n" + more); }

// Joints that are named stay, and the others close the loops; a motion that does not say where it begins begins there.
TEST(Scenario, NamedJointsStayWhereTheLoopsAreClosed) {
  const Scenario led = of_four_bar(
      "start: {q: {crank: 0.9}}\nmotion: {type: point_to_point, to: {crank: 2}, duration: 1}\n"
      "control: {type: pd, driven: [crank], kp: {crank: 10}, kd: {crank: 1}}\n");
  EXPECT_EQ(led.setup.q[0], 0.9);
  expect_meeting_tips(led.setup.q);
  EXPECT_TRUE(led.warnings.empty());
  Row q(3), v(3), a(3);
  led.motion->at(0, q, v, a);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(q[i], led.setup.q[i], 1e-9) << i;
  // All of them, with the digits that a file may have.
  const Row& closed = led.setup.q;
  const std::string all =
      fmt::format("{{crank: {:.8f}, coupler: {:.8f}, rocker: {:.8f}}}", closed[0], closed[1], closed[2]);
  EXPECT_TRUE(of_four_bar("start: {q: " + all + "}\n").warnings.empty());
  // A coupling, q_b = 2 q_a + 0.1, whichever of the two is named.
  const auto geared = std::make_shared<const Model>(load(TemporaryFile("geared.yaml", R"(bodies:
  - {name: a, parent: world, joint: revolute, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
  - {name: b, parent: world, joint: revolute, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
loops:
  - {type: coupler, a: {body: a}, b: {body: b}, ratio: 2, offset: 0.1}
)")
                                                             .path()
                                                             .string()));
  for (const char* named : {"a: 0.2", "b: 0.5"}) {
    const Row found =
        read_scenario(fmt::format("duration: 1\nstart: {{q: {{{}}}}}\n", named), "run.yaml", geared).setup.q;
    EXPECT_NEAR(found[0], 0.2, 1e-12) << named;
    EXPECT_NEAR(found[1], 0.5, 1e-12) << named;
  }
}

// The tip of the rocker at 0 is 0.85 m from the crank's pin, and the rods reach 0.7 m: all move, which is told.
TEST(Scenario, NamedJointsThatCannotStayAreTold) {
  const Scenario moved = of_four_bar("start: {q: {rocker: 0}}\n");
  expect_meeting_tips(moved.setup.q);
  ASSERT_EQ(moved.warnings.size(), 1u);
  EXPECT_TRUE(says(moved.warnings, 3, "start: q: the loops cannot be closed with these joints held"));
  EXPECT_TRUE(says(moved.warnings, 3, fmt::format("'rocker' starts at {:.6g}, not 0", moved.setup.q[2])))
      << all_texts(moved.warnings);
}

// Rates that `start: v` names stay, as postures do; the others keep the loops closed.
TEST(Scenario, NamedRatesStay) {
  const Scenario led = of_four_bar("start: {q: {crank: 0.9}, v: {crank: 2}}\n");
  EXPECT_EQ(led.setup.v[0], 2);
  EXPECT_FALSE(ClosedChain(*led.model).opening(led.setup.q, led.setup.v).is_open());
  EXPECT_GT(std::abs(led.setup.v[2]), 0.1);
  EXPECT_TRUE(led.warnings.empty()) << all_texts(led.warnings);
  // The same from where the loops close by themselves.
  EXPECT_EQ(of_four_bar("start: {v: {rocker: -1}}\n").setup.v[2], -1);
}
TEST(Scenario, NamedRatesThatCannotStayAreTold) {
  const Scenario moved = of_four_bar("start: {q: {crank: 0.9}, v: {crank: 2, rocker: 50}}\n");
  EXPECT_FALSE(ClosedChain(*moved.model).opening(moved.setup.q, moved.setup.v).is_open());
  EXPECT_TRUE(says(moved.warnings, 3, "start: v: the loops do not stay closed with these rates: 'crank' starts at"))
      << all_texts(moved.warnings);
  EXPECT_TRUE(says(moved.warnings, 3, fmt::format("'rocker' starts at {:.6g}, not 50", moved.setup.v[2])))
      << all_texts(moved.warnings);
  const Scenario list = of_four_bar("start: {q: {crank: 0.9}, v: [1, 0, 0]}\n");
  EXPECT_EQ(list.setup.v, (Row{1, 0, 0}));
  EXPECT_TRUE(says(list.warnings, 3, "start: v: the loops are not closed there: 'crank' starts at"))
      << all_texts(list.warnings);
}

// A list is a posture near by, which is told where it is none that is closed; it stays as it is, for the run to close.
TEST(Scenario, ListsThatLeaveLoopsOpenAreTold) {
  const Scenario open = of_four_bar("start: {q: [0, 0, 0]}\n");
  EXPECT_EQ(open.setup.q, Row(3));
  ASSERT_EQ(open.warnings.size(), 1u);
  const Row closed = ClosedChain(*open.model).assemble(Row(3));
  EXPECT_TRUE(says(open.warnings, 3, "start: q: the loops are not closed there"));
  EXPECT_TRUE(says(open.warnings, 3, fmt::format("'rocker' starts at {:.6g}, not 0", closed[2])))
      << all_texts(open.warnings);
  // Six digits are enough, whichever are cut off: of numbers above 1 five of them are behind the point.
  for (double crank = 0.3; crank < 6.3; crank += 0.37) {
    const Row q = of_four_bar(fmt::format("start: {{q: {{crank: {}}}}}\n", crank)).setup.q;
    const std::string list = fmt::format("[{:.6g}, {:.6g}, {:.6g}]", q[0], q[1], q[2]);
    EXPECT_TRUE(of_four_bar("start: {q: " + list + "}\n").warnings.empty()) << list;
  }
}

TEST(Scenario, ReadsIntegrators) {
  const std::pair<const char*, IntegrationMethod> fixed[] = {{"euler", IntegrationMethod::euler},
                                                             {"symplectic_euler", IntegrationMethod::symplectic_euler},
                                                             {"symplectic-euler", IntegrationMethod::symplectic_euler},
                                                             {"backward_euler", IntegrationMethod::backward_euler},
                                                             {"rk4", IntegrationMethod::rk4}};
  for (const auto& [name, method] : fixed) {
    const auto found = of_arm("integrator: {method: " + std::string(name) + ", step: 1e-2}\n").setup.integrator;
    EXPECT_EQ(found.method, method) << name;
    EXPECT_EQ(found.step, 1e-2);
  }
  const std::pair<const char*, IntegrationMethod> adaptive[] = {
      {"dopri5", IntegrationMethod::dopri5}, {"dormand-prince", IntegrationMethod::dopri5},
      {"rk45", IntegrationMethod::dopri5},   {"adams", IntegrationMethod::adams},
      {"bdf", IntegrationMethod::bdf},       {"gear", IntegrationMethod::bdf},
      {"ida", IntegrationMethod::ida},       {"bs23", IntegrationMethod::bs23},
      {"ode23", IntegrationMethod::bs23},    {"sdirk4", IntegrationMethod::sdirk4}};
  for (const auto& [name, method] : adaptive) {
    const auto found = of_arm("integrator: {method: " + std::string(name) + ", rtol: 1e-6}\n").setup.integrator;
    EXPECT_EQ(found.method, method) << name;
    EXPECT_EQ(found.rtol, 1e-6);
    EXPECT_DOUBLE_EQ(found.atol, 1e-8);
  }
  const auto full =
      of_arm("integrator: {method: dopri5, rtol: 1e-6, atol: 1e-3, max_step: 0.1, max_evaluations: 1e6}\n");
  EXPECT_EQ(full.setup.integrator.atol, 1e-3);
  EXPECT_EQ(full.setup.integrator.max_step, 0.1);
  EXPECT_EQ(full.setup.integrator.max_evaluations, 1'000'000);
}

Row torques_at(const Scenario& s, double t) {
  Row tau(static_cast<std::size_t>(s.model->nv()));
  s.setup.control->torques(t, s.setup.q, s.setup.v, tau);
  return tau;
}

TEST(Scenario, ReadsTorques) {
  const Scenario list = of_arm("control: {type: torques, tau: [1, \"2*sin(t)\"], rate: 1000, saturate: true}\n");
  EXPECT_EQ(list.control, "torques");
  EXPECT_EQ(list.setup.control_rate, 1000);
  EXPECT_TRUE(list.setup.effort_limits);
  EXPECT_EQ(torques_at(list, 0.5), (Row{1, 2 * std::sin(0.5)}));
  const Scenario map = of_robot("control: {type: torques, tau: {elbow: [step(t - 1), 3*t], rail: -t}}\n");
  EXPECT_EQ(torques_at(map, 2), (Row{-2, 0, 0, 0, 1, 6}));
  EXPECT_EQ(map.setup.control->next_break(0), 1);
}

TEST(Scenario, ReadsWrenches) {
  const Scenario s = of_robot(R"(wrenches:
  - {body: arm, point: [0, 0, -1], axes: world, moment: [t, 2*t, 3*t], force: [step(t - 1), 0, step(t - 0.5)]}
  - {body: cart, force: [1, 2, 3]}
)");
  ASSERT_EQ(s.setup.wrenches.size(), 2u);
  const ExternalWrench &first = s.setup.wrenches[0], &second = s.setup.wrenches[1];
  EXPECT_EQ(first.body, 3);
  EXPECT_EQ(first.point.z, -1);
  EXPECT_TRUE(first.in_world_axes);
  EXPECT_EQ(first.breaks, (Row{0.5, 1}));
  EXPECT_EQ(first.at(0.75).n.y, 1.5);
  EXPECT_EQ(first.at(0.75).f.x, 0);
  EXPECT_EQ(first.at(0.75).f.z, 1);
  EXPECT_EQ(second.body, 1);
  EXPECT_FALSE(second.in_world_axes);
  EXPECT_TRUE(second.breaks.empty());
  EXPECT_EQ(second.at(9).f.y, 2);
  EXPECT_EQ(second.at(9).n.y, 0);
}

TEST(Scenario, ControlFollowsAMotionAndStartsOnIt) {
  const std::string motion = "motion: {type: point_to_point, from: [0.1, 0.2], to: [1, 2], duration: 3}\n";
  for (const char* law : {"feedforward", "pd, kp: 100, kd: [1, 2]", "pd_gravity, kp: {upper: 3}, kd: 0",
                          "computed_torque, kp: [1, 2], kd: 3"}) {
    const Scenario s = of_arm(motion + "control: {type: " + law + "}\n");
    EXPECT_NE(s.setup.control, nullptr) << law;
    ASSERT_NE(s.motion, nullptr) << law;
    EXPECT_EQ(s.motion->duration(), 3);
    EXPECT_EQ(s.setup.q, (Row{0.1, 0.2})) << law;
    EXPECT_TRUE(s.warnings.empty()) << all_texts(s.warnings);
  }
  // What inverse dynamics does not count is told.
  std::string sprung = test::arm;
  sprung.insert(sprung.rfind("mass"), "spring: {stiffness: 20}, ");
  const auto model = std::make_shared<const Model>(read_robot_text(sprung, "arm.yaml").robot);
  const auto is_told = [&](const std::string& law) {
    const Scenario s = read_scenario("duration: 2\n" + motion + "control: {type: " + law + "}\n", "run.yaml", model);
    return says(s.warnings, 3, "leaves out joint springs of the robot");
  };
  for (const char* law : {"feedforward", "pd_gravity, kp: 3, kd: 1", "computed_torque, kp: 1, kd: 3"})
    EXPECT_TRUE(is_told(law)) << law;
  EXPECT_FALSE(is_told("pd, kp: 3, kd: 1"));
  const Scenario elsewhere = of_arm(motion + "control: {type: feedforward}\nstart: {q: [3, 4]}\n");
  EXPECT_EQ(elsewhere.setup.q, (Row{3, 4}));
  const Scenario unused = of_arm(motion);
  EXPECT_EQ(unused.setup.q, (Row{0, 0}));
  EXPECT_TRUE(says(unused.warnings, 3, "motion: no drive follows it")) << all_texts(unused.warnings);
}

TEST(Scenario, ReadsEveryMotion) {
  const Scenario spline = of_arm("motion: {type: spline, times: [0, 1, 2.5], points: [[0, 0], [1, 1], [2, 0]]}\n");
  EXPECT_EQ(spline.motion->duration(), 2.5);
  const Scenario line = read("robot: " DENOC_MODELS_DIR
                             "/puma560.yaml\nduration: 2\nmotion: {type: line, body: link6, duration: 5, "
                             "start: [0.3, 0.5, -0.4, 0.2, 0.6, 0.1], displacement: [0, 0.05, 0], profile: linear}\n");
  EXPECT_EQ(line.motion->duration(), 5);
}

// q, v and a of the arm's motion.
std::array<Row, 3> at(const Scenario& s, double t) {
  std::array<Row, 3> all = {Row(2), Row(2), Row(2)};
  s.motion->at(t, all[0], all[1], all[2]);
  return all;
}

TEST(Scenario, ReadsFormulasOfTime) {
  const Scenario s = of_arm("motion: {type: formula, q: {upper: \"0.3*sin(2*t)\", lower: t^2}}\n");
  EXPECT_EQ(s.motion->duration(), 2) << "as long as the run";
  const auto [q, v, a] = at(s, 0.5);
  EXPECT_DOUBLE_EQ(q[0], 0.3 * std::sin(1.0));
  EXPECT_DOUBLE_EQ(v[0], 0.6 * std::cos(1.0));
  EXPECT_DOUBLE_EQ(a[0], -1.2 * std::sin(1.0));
  EXPECT_EQ((Row{q[1], v[1], a[1]}), (Row{0.25, 1, 2}));
}

TEST(Scenario, ReadsMotionsOfOtherFiles) {
  // The points of a parabola; further columns are passed over, joints without one stay where they are.
  std::string text = "q.lower,t,v.lower\n";
  for (const double t : {1.0, 1.5, 2.0, 3.0})
    text += std::to_string((t - 1) * (t - 1)) + "," + std::to_string(t) + ",7\n";
  const TemporaryFile points("points.csv", text);
  const Scenario s = of_arm("motion: {type: file, file: " + points.path().string() + "}\n");
  EXPECT_EQ(s.motion->duration(), 2) << "times count from the first";
  const auto [q, v, a] = at(s, 1.7);
  EXPECT_EQ(q[0], 0);
  EXPECT_NEAR(q[1], 1.7 * 1.7, 1e-14);
  EXPECT_NEAR(v[1], 3.4, 1e-14);
  EXPECT_NEAR(a[1], 2, 1e-13);
  const Scenario clamped = of_arm("motion: {type: file, file: " + points.path().string() + ", ends: rest}\n");
  EXPECT_EQ(at(clamped, 0)[1][1], 0);
  EXPECT_NEAR(at(clamped, 2)[1][1], 0, 1e-14);
  const TemporaryFile wrong("points.csv", "t,q.lowr\n0,1\n1,2\n");
  EXPECT_THROW(of_arm("motion: {type: file, file: " + wrong.path().string() + "}\n"), RobotError);
  const TemporaryFile noted("points.csv", "t,note,q.lower\n0,at the start,1\n1,,2\n");
  EXPECT_EQ(at(of_arm("motion: {type: file, file: " + noted.path().string() + "}\n"), 0.5)[0], (Row{0, 1.5}));
  const TemporaryFile plain("points.csv", "0,0,1\n1,2,3\n");
  EXPECT_EQ(at(of_arm("motion: {type: file, file: " + plain.path().string() + "}\n"), 0.5)[0], (Row{1, 2}));
}

TEST(Scenario, ReadsSequencesLinesAndCircles) {
  const Scenario s = of_arm(R"(start: {q: [0.5, 1]}
motion:
  type: sequence
  motions:
    - {type: hold, duration: 1}
    - {type: line, body: lower, point: [2, 0, 0], displacement: [-0.5, 0, 0], attitude: free, duration: 1}
    - {type: circle, body: lower, point: [2, 0, 0], centre: [0, 0, 0], angle: pi/2, attitude: free, duration: 1, profile: linear}
    - {type: point_to_point, to: [0, 1], duration: 1}
)");
  EXPECT_EQ(s.motion->duration(), 4);
  EXPECT_EQ(at(s, 0.5)[0], (Row{0.5, 1}));
  // The tip of the two links of 2 m goes along x, then round the origin: there the second joint stands still.
  const auto tip = [&](double t) {
    const Row q = at(s, t)[0];
    return Row{2 * std::cos(q[0]) + 2 * std::cos(q[0] + q[1]), 2 * std::sin(q[0]) + 2 * std::sin(q[0] + q[1])};
  };
  EXPECT_NEAR(tip(2)[0], tip(1)[0] - 0.5, 1e-13);
  EXPECT_NEAR(tip(1.4)[1], tip(1)[1], 1e-13);
  EXPECT_NEAR(at(s, 2.5)[1][0], std::acos(0.0), 1e-12);
  EXPECT_NEAR(at(s, 2.5)[1][1], 0, 1e-12);
  EXPECT_EQ(at(s, 4)[0][1], 1);
}

// No finite force makes a rate jump, be it in a formula (which is refused) or from one motion to the next.
TEST(Scenario, DoubtsRatesThatJumpInASequence) {
  const auto warnings = [](const std::string& first, const std::string& second) {
    return of_arm("control: {type: feedforward}\nmotion:\n  type: sequence\n  motions:\n    - " + first + "\n    - " +
                  second + "\n")
        .warnings;
  };
  const std::string rest = "{type: hold, duration: 1}", steady = "{type: formula, q: {lower: 2*t}, duration: 1}";
  EXPECT_TRUE(says(warnings(steady, rest), 8, "motion: motions[1]: the rate of joint 'lower' jumps from 2 to 0 where"));
  EXPECT_TRUE(says(warnings(rest, steady), 8, "motion: motions[1]: the rate of joint 'lower' jumps from 0 to 2 where"));
  EXPECT_TRUE(says(warnings("{type: point_to_point, from: [0, 0], to: [1, 0], duration: 1, profile: linear}", rest), 8,
                   "the rate of joint 'upper' jumps from 1 to 0"));
  // The same rate on both sides, and what goes from rest to rest.
  EXPECT_TRUE(warnings(steady, "{type: formula, q: {lower: 2 + sin(2*t)}, duration: 1}").empty());
  EXPECT_TRUE(warnings("{type: point_to_point, from: [0, 0], to: [1, 0], duration: 1}", rest).empty());
}

// ... or where it ends within the run.
TEST(Scenario, DoubtsMotionsThatDoNotEndAtRest) {
  const auto warnings = [](const std::string& motion) {
    return of_arm("control: {type: feedforward}\nmotion: " + motion + "\n").warnings;
  };
  const std::string half = "duration: 1}", whole = "duration: 2}";  // of the run
  for (const std::string& moves : {std::string("{type: formula, q: {lower: 2*t}, "),
                                   std::string("{type: point_to_point, from: {}, to: {lower: 2}, profile: linear, ")}) {
    EXPECT_TRUE(
        says(warnings(moves + half), 4, "motion: the rate of joint 'lower' jumps from 2 to 0 where it ends, at 1 s"));
    EXPECT_TRUE(warnings(moves + whole).empty()) << "it ends with the run";
  }
  EXPECT_TRUE(warnings("{type: point_to_point, from: {}, to: {lower: 1}, " + half).empty());
}

TEST(Scenario, ReadsFeedbackByName) {
  const Scenario s = of_robot(
      "start: {q: {rail: 2, elbow: [3, 4]}, v: {hip: [5, 6, 7]}}\n"
      "control: {type: feedback, tau: {rail: \"-10*q.rail + v.hip.wy*t\", elbow: [q.elbow.1 - q.elbow.2, "
      "q.hip.qw]}}\n");
  EXPECT_EQ(torques_at(s, 2), (Row{-20 + 12, 0, 0, 0, -1, 1}));
  EXPECT_EQ(s.control, "feedback");
}

TEST(Scenario, ReadsPidAndLqr) {
  const std::string held = "motion: {type: hold, posture: [1, 0]}\n";
  const Scenario pid = of_arm(held + "start: {q: [0, 0]}\ncontrol: {type: pid, kp: 3, ki: 1, kd: 2}\n");
  EXPECT_EQ(pid.setup.control_rate, 1000) << "it is a sampled law";
  EXPECT_EQ(torques_at(pid, 0), (Row{3, 0}));
  const Scenario lqr = of_arm("gravity: [0, 0, 0]\ncontrol: {type: lqr, weights: {q: 4, tau: {upper: 0.01}}}\n");
  EXPECT_EQ(lqr.control, "lqr");
  EXPECT_EQ(torques_at(lqr, 0), Row(2));
}

TEST(Scenario, GroundHasADirectionHoweverLong) {
  for (const char* normal : {"[0, 3, 4]", "[0, 3e300, 4e300]", "[0, 3e-300, 4e-300]"}) {
    const Scenario s = of_arm(std::string("ground: {stiffness: 1, points: [{body: lower}], normal: ") + normal + "}\n");
    const Vec3<double>& n = s.setup.ground->normal;
    EXPECT_EQ(n.x, 0) << normal;
    EXPECT_DOUBLE_EQ(n.y, 0.6) << normal;
    EXPECT_DOUBLE_EQ(n.z, 0.8) << normal;
  }
}

TEST(Scenario, ReadsWhatIsWritten) {
  const Scenario s = of_arm(
      "ground: {stiffness: 1000, points: [{body: lower}]}\n"
      "output: {points: {tip: {body: lower, point: [2, 0, 0]}, elbow: {body: lower}}, contacts: true}\n");
  ASSERT_EQ(s.points.size(), 2u);
  EXPECT_EQ(s.points[0].name, "tip");
  EXPECT_EQ(s.points[0].body, 2);
  EXPECT_EQ(s.points[0].point.x, 2);
  EXPECT_EQ(s.points[1].point.x, 0);
  EXPECT_TRUE(s.contacts);
  const Wrong cases[] = {
      {"output: {points: [1]}\n", 3, "output: points: expected names of points"},
      {"output: {points: {tip: {body: hand}}}\n", 3, "output: points: tip: body: unknown body 'hand'"},
      {"output: {points: {tip: 3}}\n", 3, "output: points: tip: expected a map"},
      {"output: {contacts: true}\n", 3, "output: contacts: nothing is touched: there is no `ground`"},
  };
  for (const Wrong& wrong : cases) expect_refused(of_arm, wrong);
}

TEST(Scenario, IsToldFromARobot) {
  for (const char* text : {"robot: puma560\n", "{\"robot\": \"puma560\"}"}) EXPECT_TRUE(is_scenario_text(text)) << text;
  for (const char* text : {"name: robot\nbodies: []\n", "{{", "", "<robot name='robot: 1'/>"})
    EXPECT_FALSE(is_scenario_text(text)) << text;
}

Scenario of_fourbar(const std::string& more) {
  return read("robot: " DENOC_MODELS_DIR "/fourbar.yaml\nduration: 2\n" + more);
}
const std::string turn =
    "motion: {type: point_to_point, from: {crank: 1, coupler: -0.55, rocker: 1.3}, to: {crank: 2}, "
    "duration: 2}\n";

// The crank leads; by name, or because it alone has gains.
TEST(Scenario, MotionsOfDrivenJointsAreClosed) {
  for (const char* law : {"feedforward, driven: [crank]", "computed_torque, kp: 100, kd: 20, driven: [crank]",
                          "computed_torque, kp: {crank: 100}, kd: {crank: 20}", "pd, kp: {crank: 9}, kd: 0"}) {
    const Scenario s = of_fourbar(turn + "control: {type: " + law + "}\n");
    EXPECT_EQ(s.setup.q[0], 1) << law;
    Row q(3), v(3), a(3), tau(3);
    s.motion->at(1.1, q, v, a);
    EXPECT_LE(ClosedChain(*s.model).gap(q).size, 1e-12) << law;
    s.setup.control->torques(1.1, s.setup.q, s.setup.v, tau);
    EXPECT_NE(tau[0], 0) << law;
    EXPECT_EQ(tau[1], 0) << law;
    EXPECT_EQ(tau[2], 0) << law;
  }
}

TEST(Scenario, LetsThroughWhatCannotBeHad) {
  EXPECT_THROW(of_arm("motion: {type: line, body: lower, start: [0.5, 1], displacement: [50, 0, 0], duration: 5}\n"),
               Unreachable);
}

// Samples of explicit methods are closed by themselves, and trees have nothing to close.
TEST(Scenario, DoubtsAStabilisationOfNothing) {
  EXPECT_TRUE(says(of_arm("stabilisation: 5\n").warnings, 3, "stabilisation: it does nothing: the robot has no loops"));
  EXPECT_TRUE(says(of_four_bar("stabilisation: 5\n").warnings, 3,
                   "stabilisation: it does nothing: dopri5 closes loops after its steps"));
  EXPECT_TRUE(of_four_bar("integrator: {method: bdf}\nstabilisation: 5\n").warnings.empty());
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc
