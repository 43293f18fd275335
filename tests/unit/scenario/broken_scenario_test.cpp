// Scenarios that are refused, each in its words.
#include <gtest/gtest.h>

#include "unit/scenario/scenario_files.hpp"

namespace denoc {
namespace {
namespace THIS_FILE {

using test::expect_refused;
using test::of_arm;
using test::of_robot;
using test::read;
using test::Wrong;

TEST(Scenario, RefusesLawsThatCannotBe) {
  const Wrong cases[] = {
      {"control: {type: feedback, tau: {upper: 2*q.uper}}\n", 3, "'q.uper' is not a number, did you mean 'q.upper'?"},
      {"control: {type: pd, kp: 1, kd: 1}\n", 3, "`motion: {type: hold}` holds a posture"},
      {"control: {type: lqr, driven: [upper]}\ngravity: [0, -9.81, 0]\n", 3, "no equilibrium: joint 'lower'"},
      {"control: {type: lqr, weights: {tau: 0}}\n", 3, "control: weights: tau: a weight of forces is positive"},
      {"control: {type: lqr, weights: {q: {upper: -1}}}\n", 3, "control: weights: q: a weight is not negative"},
      {"motion: {type: hold}\ncontrol: {type: pd, kp: {upper: 1, lower: 1}, kd: 1, driven: [upper]}\n", 4,
       "control: joint 'lower' has a gain but no drive"},
  };
  for (const Wrong& wrong : cases) expect_refused(of_arm, wrong);
}

TEST(Scenario, RefusesWhatItNeedsToKnow) {
  const Wrong cases[] = {
      {"", 0, "it is empty"},
      {"- a\n", 1, "expected a map of keys and values, found a list"},
      {"duration: 1\n", 1, "missing key 'robot'"},
      {"robot: arm.yaml\n", 1, "missing key 'duration'"},
      {"duration: 1\nrobot: puma56\n", 2,
       "robot: 'puma56': neither a file nor a shipped robot; did you mean 'puma560'?"},
      {"duration: 1\nrobot: broken\n", 2, "'broken': neither a file nor a shipped robot; did you mean 'broken.yaml'?"},
      {"duration: 1\nrobot: run\n", 2, "'run': neither a file nor a shipped robot; shipped are"},  // itself
      {"duration: 1\nrobot: none.yaml\n", 2, "none.yaml': there is no such file"},
      {"duration: 1\nrobot: ''\n", 2, "robot: it is empty"},
      {"duration: 1\nrobot: broken.yaml\n", 2, "broken.yaml:2: body 'a': mass: a mass is not negative"},
      {"robot: arm.yaml\nduration: -1\n", 2, "duration: it is positive, not -1"},
      {"robot: arm.yaml\nduration: 0\n", 2, "duration: it is positive, not 0"},
      {"robot: arm.yaml\nduration: inf\n", 2, "duration: 'inf' is not a finite number"},
      {"robot: arm.yaml\nduration: 2*t\n", 2, "duration: '2*t' depends on the time t: a constant is expected"},
      {"robot: arm.yaml\nduration: 1\nbase: free\n", 2, "a free base is chosen for URDF only"},
      // all at once, in the order of the lines
      {"robot: arm.yaml\nwrenches: 3\nduration: -1\ncontroll: {type: none}\n", 4,
       "unknown key 'controll'; did you mean 'control'?", 3},
  };
  for (const Wrong& wrong : cases) expect_refused(read, wrong);
}

TEST(Scenario, RefusesWrongValues) {
  const Wrong cases[] = {
      {"gravity: [0, 0]\n", 3, "gravity: expected 3 numbers, found 2"},
      {"base: loose\n", 3, "base: unknown word 'loose'"},
      {"method: denok\n", 3, "method: unknown word 'denok'; did you mean 'denoc'?"},
      {"start: {q: [0]}\n", 3, "start: q: expected 2 numbers (upper, lower), found 1"},
      {"start:\n  q: [0, nan]\n", 4, "start: q: 'nan' is not a finite number"},
      {"start: {q: [0, t]}\n", 3, "start: q: 't' depends on the time"},
      {"start: {q: [0, [1]]}\n", 3, "start: q: expected a number, found a list"},
      {"start: {q: 3}\n", 3, "start: q: expected a list of 2 numbers (upper, lower), or a map by joint, found"},
      {"start: {q: {uper: 3}}\n", 3, "start: q: unknown key 'uper'; did you mean 'upper'?"},
      {"start: {q: {upper:3}}\n", 3, "start: q: unknown key 'upper:3': a space is missing behind the colon"},
      {"start: {q: {upper: 0,3}}\n", 3, "start: q: unknown key '3': decimals are written with a point"},
      {"control: {type: feedback, tau: {upper: max(q.upper, 3)}}\n", 3,
       "control: tau: unknown key '3)': a formula with commas stands in quotes", 2},
      {"start: {v: {upper: [3, 4]}}\n", 3, "start: v: upper: expected a number, found a list of 2"},
      {"start: {x: 3}\n", 3, "start: unknown key 'x'"},
      {"integrator: {step: 0.1}\n", 3, "integrator: step: it does not belong to method dopri5"},
      {"integrator: rk4\n", 3, "integrator: expected a map of keys and values, found the text 'rk4'"},
      {"integrator: {method: rk5}\n", 3, "integrator: method: unknown word 'rk5'; did you mean 'rk4'?"},
      {"integrator: {method: rk4}\n", 3, "integrator: missing key 'step'"},
      {"integrator: {method: rk4, step: 0}\n", 3, "integrator: step: it is positive, not 0"},
      {"integrator: {method: rk4, step: 3}\n", 3, "integrator: step: a step of 3 s is longer than the run of 2 s"},
      {"integrator: {method: rk4, step: 0.1, rtol: 1e-3}\n", 3,
       "integrator: rtol: it does not belong to method rk4, whose keys are step, max_evaluations"},
      {"integrator: {method: bdf, step: 1}\n", 3, "integrator: step: it does not belong to method bdf"},
      {"integrator: {method: dopri5, rtol: 0}\n", 3, "integrator: rtol: it is above 0 and at most 1, not 0", 1},
      {"integrator: {method: dopri5, rtol: 2}\n", 3, "integrator: rtol: it is above 0 and at most 1, not 2"},
      {"integrator: {method: dopri5, atol: 0}\n", 3, "integrator: atol: it is positive, not 0"},
      {"integrator: {method: dopri5, max_step: -1}\n", 3, "integrator: max_step: it is positive"},
      {"integrator: {method: dopri5, max_evaluations: 0.5}\n", 3, "max_evaluations: it is a whole number"},
      {"integrator: {method: dopri5, max_evaluations: 1.5}\n", 3, "max_evaluations: it is a whole number"},
      {"integrator: {method: dopri5, max_evaluations: 2e15}\n", 3, "max_evaluations: it is a whole number"},
      {"integrator: {method: ida}\nmethod: denoc\n", 4, "method: ida solves the equations of motion by itself"},
      {"output: {every: 0}\n", 3, "output: every: it is positive, not 0"},
      {"output: {every: 1e-12}\n", 2, "duration: a sample every 1e-12 s for 2 s gives more than 1e+09"},
      {"output: {points: {\"a\\tb\": {body: upper}}}\n", 3, "its name has the control character U+0009"},
      {"output: {npz: yes}\n", 3, "output: npz: unknown word 'yes'"},
      {"control: {tau: [1, 2]}\n", 3, "control: missing key 'type'"},
      {"control: {type: torque}\n", 3, "control: type: unknown word 'torque'; did you mean 'torques'?"},
      {"control: {type: torques}\n", 3, "control: missing key 'tau'"},
      {"control: {type: torques, tau: [1]}\n", 3, "control: tau: expected 2 numbers (upper, lower), found 1"},
      {"control: {type: torques, tau: [1, sine(t)]}\n", 3, "control: tau: 'sine(t)': unknown function 'sine'"},
      {"control: {type: torques, tau: {upper: -3*q.upper}}\n", 3,
       "control: tau: '-3*q.upper': formulas here know t only; those of `control: {type: feedback}` know q.JOINT and"},
      {"wrenches: [{body: upper, force: [v.lower, 2, 3]}]\n", 3, "wrenches[0]: force: 'v.lower': formulas here know t"},
      {"control: {type: torques, tau: [1, {}]}\n", 3, "control: tau: expected a number or a formula, found a map"},
      {"control: {type: torques, tau: [1, 2], kp: 3}\n", 3, "control: kp: it does not belong to type torques"},
      {"control: {type: none, rate: 0}\n", 3, "control: rate: it is positive, not 0"},
      {"control: {type: none, rate: 1e300}\n", 3, "control: rate: the digits of t do not tell its samples apart"},
      {"control: {type: none, saturate: 1}\n", 3, "control: saturate: unknown word '1'"},
      {"control: {type: feedforward}\n", 3, "control: feedforward follows a motion, and there is none"},
      {"control: {type: pd, kp: 1, kd: 1, driven: [upper, upper]}\nmotion: {type: hold, posture: [0, 0]}\n", 3,
       "control: driven: joint 'upper' is named twice"},
      {"ground: {stiffness: 1, points: []}\n", 3, "ground: points: no point touches it"},
      {"ground: {points: [{body: lower}]}\n", 3, "ground: missing key 'stiffness'"},
      {"ground: {stiffness: 1}\n", 3, "ground: missing key 'points'"},
      {"wrenches: [{body: upper}]\n", 3, "wrenches[0]: a wrench has a moment or a force"},
      {"wrenches: [{body: uper, force: [1, 2, 3]}]\n", 3,
       "wrenches[0]: body: unknown body 'uper'; did you mean 'upper'?"},
      {"wrenches: [{body: world, force: [1, 2, 3]}]\n", 3, "wrenches[0]: body: the ground does not move"},
      {"wrenches: [{force: [1, 2, 3]}]\n", 3, "wrenches[0]: missing key 'body'"},
      {"wrenches: [{body: upper, force: [1, 2]}]\n", 3, "wrenches[0]: force: expected 3 numbers or formulas, found 2"},
      {"wrenches:\n  - {body: upper, force: [1, 2, 1/0]}\n", 4, "wrenches[0]: force: '1/0' divides by zero"},
      {"wrenches: [{body: upper, axes: wrld, force: [1, 2, 3]}]\n", 3, "wrenches[0]: axes: unknown word 'wrld'"},
      {"wrenches: {body: upper}\n", 3, "wrenches: expected a list, found a map"},
  };
  for (const Wrong& wrong : cases) expect_refused(of_arm, wrong);
}

TEST(Scenario, RefusesWrongMotions) {
  const Wrong cases[] = {
      {"motion: {type: spiral}\n", 3, "motion: type: unknown word 'spiral'"},
      {"motion: {type: formula, duration: 1}\n", 3, "motion: missing key 'q'"},
      {"motion: {type: formula, q: {uper: t}}\n", 3, "motion: q: unknown key 'uper'; did you mean 'upper'?"},
      {"motion: {type: formula, q: {upper: sin(q)}}\n", 3, "motion: q: 'sin(q)': 'q' is not a number"},
      {"motion: {type: formula, q: {upper: step(t - 1)}}\n", 3, "motion: joint 'upper' jumps by 1 at t = 1 s"},
      {"motion: {type: formula, q: {upper: abs(t - 1)}}\n", 3, "motion: the rate of joint 'upper' jumps from -1 to 1"},
      {"motion: {type: file, file: none.csv}\n", 3, "motion: file:"},
      {"motion: {type: file}\n", 3, "motion: missing key 'file'"},
      {"motion: {type: file, file: .}\n", 3, "it is a folder, not a file"},
      {"motion: {type: formula, q: {lower: log(t)}}\n", 3, "motion: q of joint 'lower' is -inf at t = 0"},
      {"motion: {type: formula, q: {lower: sqrt(t)}}\n", 3, "motion: the rate of joint 'lower' is inf at t = 0"},
      {"motion: {type: formula, q: {lower: t^1.5}}\n", 3, "motion: the acceleration of joint 'lower' is inf at t = 0"},
      {"motion: {type: circle, body: lower, start: [0, 1], duration: 1}\n", 3, "motion: missing key 'centre'"},
      {"motion: {type: circle, body: lower, start: [0, 1], centre: [0, 0, 0], axis: [0, 0, 0], duration: 1}\n", 3,
       "motion: axis: a direction is not zero"},
      {"motion: {type: line, body: lower, start: [0, 1], displacement: [1, 0, 0], attitude: fixed, duration: 1}\n", 3,
       "motion: attitude: unknown word 'fixed'"},
      {"motion: {type: line, body: lower, start: [0, 1], displacement: [1, 0, 0], joints: [hip], duration: 1}\n", 3,
       "motion: joints: unknown joint 'hip'"},
      {"motion: {type: line, body: lower, start: [0, 1], displacement: [1, 0, 0], joints: [], duration: 1}\n", 3,
       "motion: joints: no joint takes part"},
      {"motion: {type: sequence, motions: []}\n", 3, "motion: motions: a sequence has one motion or more"},
      {"motion: {type: sequence, motions: [{type: hold, duration: 1}, {type: hold}]}\n", 3,
       "motion: motions[1]: missing key 'duration'"},
      {"motion: {type: sequence, motions: [{type: hold, duration: 1}, {type: point_to_point, from: [1, 0], to: [0, 0], "
       "duration: 1}]}\n",
       3, "motion: motion 2 of the sequence begins with joint 'upper' 1 away"},
      {"motion: {type: spline, times: [0, 1], points: [[0, 0], [1, 1]], ends: loose}\n", 3,
       "motion: ends: unknown word 'loose'"},
      {"motion: {type: point_to_point, from: [0, 0], duration: 1}\n", 3, "motion: missing key 'to'"},
      {"motion: {type: point_to_point, from: [0, 0], to: [1, 1]}\n", 3, "motion: missing key 'duration'"},
      {"motion: {type: point_to_point, from: [0, 0], to: [1], duration: 1}\n", 3,
       "motion: to: expected 2 numbers (upper, lower), found 1"},
      {"motion: {type: point_to_point, from: [0, 0], to: [1, 1], duration: 0}\n", 3,
       "motion: duration: it is positive"},
      {"motion: {type: point_to_point, from: [0, 0], to: [1, 1], duration: 1, profile: cycloid}\n", 3,
       "motion: profile: unknown word 'cycloid'; did you mean 'cycloidal'?"},
      {"motion: {type: point_to_point, from: [0, 0], to: [1, 1], duration: 1, times: [0]}\n", 3,
       "motion: times: it does not belong to type point_to_point"},
      {"motion: {type: spline, times: [0, 1], points: [[0, 0]]}\n", 3, "motion: times: a spline has two points"},
      {"motion: {type: spline, times: [0, 1, 1], points: [[0, 0], [1, 1], [2, 2]]}\n", 3,
       "motion: times: they increase: 1 does not come after 1"},
      {"motion: {type: spline, times: [1, 2], points: [[0, 0], [1, 1]]}\n", 3,
       "motion: times: they begin at 0, not at 1"},
      {"motion: {type: spline, times: [0, 2], points: [[0, 0], [1]]}\n", 3,
       "motion: points[1]: expected 2 numbers (upper, lower), found 1"},
      {"motion: {type: spline, times: [0, 2], points: [[0, 0], 1]}\n", 3, "motion: points[1]: expected 2 numbers"},
      {"motion: {type: line, body: hand, start: [0, 0], displacement: [1, 0, 0], duration: 1}\n", 3,
       "motion: body: unknown body 'hand'"},
      {"motion: {type: line, body: lower, start: [0, 0], displacement: [1, 0], duration: 1}\n", 3,
       "motion: displacement: expected 3 numbers, found 2"},
      {"motion: {type: fastest, from: [0, 1], to: [0, 1], limits: 99}\ncontrol: {type: feedforward}\n", 3,
       "motion: it ends where it begins: nothing moves"},
      {"control: {type: pd, kp: 1, kd: 1}\nmotion: {type: point_to_point, from: [0, 0], to: [1], duration: 1}\n", 4,
       "motion: to: expected 2 numbers"},
      {"motion: {type: spline, times: [0, 1], points: [[0, 0], [1, 1]]}\ncontrol: {type: pd, kp: 1}\n", 4,
       "control: missing key 'kd'"},
      {"motion: {type: spline, times: [0, 1], points: [[0, 0], [1, 1]]}\ncontrol: {type: pd, kp: -1, kd: 1}\n", 4,
       "control: kp: a gain is not negative: -1"},
      {"motion: {type: spline, times: [0, 1], points: [[0, 0], [1, 1]]}\ncontrol: {type: pd, kp: [1], kd: 1}\n", 4,
       "control: kp: expected 2 numbers (upper, lower), found 1"},
  };
  for (const Wrong& wrong : cases) expect_refused(of_arm, wrong);
}

// As `denoc mintime` does: what such robots need, the shortest times do not say.
TEST(Scenario, RefusesShortestTimesOfWhatIsNoTreeOnTheGround) {
  const auto of_fourbar = [](const std::string& more) {
    return read("robot: " DENOC_MODELS_DIR "/fourbar.yaml\nduration: 1\n" + more);
  };
  const auto of_flying_arm = [](const std::string& more) {
    return read("robot: " DENOC_MODELS_DIR "/free_flying_arm.yaml\nduration: 1\n" + more);
  };
  expect_refused(of_fourbar, {"motion: {type: fastest, from: {crank: 0.5}, to: {crank: 1.5}, limits: 99}\n"
                              "control: {type: feedforward, driven: [crank]}\n",
                              3, "motion: the robot has loops: a shortest time does not close them"});
  expect_refused(of_flying_arm, {"motion: {type: fastest, from: {}, to: {}, limits: 99}\n"
                                 "control: {type: feedforward}\n",
                                 3, "is free and has no drive"});
}

TEST(Scenario, RefusesDrivesThatDoNotLead) {
  const std::string motion = "motion: {type: point_to_point, from: [0, 0], to: [1, 1], duration: 1}\n";
  const std::string one = motion + "control: {type: feedforward, driven: [upper]}\n",
                    misspelt = motion + "control: {type: feedforward, driven: [uper, lower]}\n",
                    none = motion + "control: {type: feedforward, driven: []}\n",
                    other = "control: {type: torques, tau: [1, 2], driven: [upper]}\n";
  for (const Wrong& wrong :
       {Wrong{one.c_str(), 4, "control: the driven joints leave joint 'lower' to itself: drive it"},
        Wrong{misspelt.c_str(), 4, "control: driven: unknown joint 'uper'; did you mean 'upper'?"},
        Wrong{none.c_str(), 4, "control: driven: a law that follows a motion drives one joint or more"},
        Wrong{other.c_str(), 3, "control: driven: it does not belong to type torques"}})
    expect_refused(of_arm, wrong);
}

TEST(Scenario, RefusesQuaternionsThatAreNone) {
  const Wrong cases[] = {
      {"start: {q: [0, 0, 0, 0, 0, 0, 0]}\n", 3, "start: q: the quaternion of joint 'hip' has length 0, not 1"},
      {"start: {q: {hip: [1, 1, 0, 0]}}\n", 3, "start: q: the quaternion of joint 'hip'"},
      {"start: {q: {hip: [1, 0, 0]}}\n", 3, "start: q: hip: expected a list of 4 numbers, found a list of 3"},
      {"start: {q: {hip: 1}}\n", 3, "start: q: hip: expected a list of 4 numbers, found"},
      {"start: {q: [1]}\n", 3, "start: q: expected 7 numbers (rail, 4 of hip, 2 of elbow), found 1"},
      {"motion: {type: point_to_point, from: {}, to: {hip: [2, 0, 0, 0]}, duration: 1}\n", 3,
       "motion: to: the quaternion of joint 'hip' has length 2"},
  };
  for (const Wrong& wrong : cases) expect_refused(of_robot, wrong);
}

TEST(Scenario, IsMissing) {
  EXPECT_THROW(load_scenario("/nowhere/run.yaml"), RobotError);
  EXPECT_THROW(load_scenario("/"), RobotError);
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc
