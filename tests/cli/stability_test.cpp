// denoc stability: what single precision does to the methods, against the figures of the papers and those recomputed.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "cli/run.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

YAML::Node of_method(const YAML::Node& methods, const std::string& name, const std::string& problem = "") {
  for (const YAML::Node& m : methods)
    if (m["method"].as<std::string>() == name && (problem.empty() || m["problem"].as<std::string>() == problem))
      return m;
  throw std::out_of_range(name);
}

// Mata02 5.1: Table 5 prints a greatest and a mean error of 1.2922 and 0.275 rad/s^2 for the composite body method,
// and a recomputation has 9e-5 about joint origins and 0.5 about mass centres. Rounding is not the same in every
// program: the orders of magnitude are what is claimed.
TEST(Stability, OfTheTwoBodyArmIsDecidedByThePointOfReference) {
  const YAML::Node found = json({"stability", "two_body_mata02", "--sweep"});
  EXPECT_EQ(found["states"].as<int>(), 180);
  const auto greatest = [&](const char* method) {
    return of_method(found["methods"], method)["float_greatest"].as<double>();
  };
  EXPECT_LE(greatest("denoc"), 1e-3);
  EXPECT_GT(greatest("udut about mass centres"), 0.1);
  EXPECT_LT(greatest("udut about mass centres"), 2);
  EXPECT_GT(greatest("composite-cholesky"), 0.3);
  EXPECT_LT(greatest("composite-cholesky"), 4);
  const double mean = of_method(found["methods"], "composite-cholesky")["float_mean"].as<double>();
  EXPECT_GT(mean, 0.275 / 3);
  EXPECT_LT(mean, 0.275 * 3);
  // Double precision has 29 bits more.
  for (const YAML::Node& method : found["methods"])
    for (const char* of : {"mean", "greatest"})
      EXPECT_LT(method[std::string("double_") + of].as<double>(),
                1e-6 * method[std::string("float_") + of].as<double>())
          << method["method"];
  EXPECT_NEAR(found["largest_acceleration"].as<double>(), 492.1322, 1e-3);    // tests/data/ascher_reference_mp.json
  EXPECT_NEAR(found["condition"]["greatest"].as<double>(), 54055.955, 0.01);  // the same
  EXPECT_EQ(found["condition"]["greatest_at"].as<double>(), 0);
}

// Mohan07's PUMA, recomputed: the condition number runs from 4892.467 (t = 5) to 11350.182 (t = 0).
TEST(Stability, OfThePumaAlongItsPath) {
  const YAML::Node condition = json({"stability", "puma_mohan07", "--path"})["condition"];
  EXPECT_NEAR(condition["least"].as<double>(), 4892.467, 1e-3);
  EXPECT_EQ(condition["least_at"].as<double>(), 5);
  EXPECT_NEAR(condition["greatest"].as<double>(), 11350.182, 1e-3);
  EXPECT_EQ(condition["greatest_at"].as<double>(), 0);
}

// Two rods, nothing moves, the second straight on: the pivots and the condition of the reference data.
TEST(Stability, AtAStateHasPivotsAndCondition) {
  const YAML::Node found = json({"stability", "two_body_mata02", "--state", "-"}, {.in = R"({"q": [0, 0]})"});
  expect_close(row(found["D"]), {0.00101674166479171354, 13.3336666666666667}, 1e-13, "D");
  EXPECT_NEAR(found["condition"].as<double>(), 54055.955, 0.01);
  EXPECT_EQ(found["least_pivot"].as<std::string>(), "body1");
  EXPECT_NEAR(found["cancellation"].as<double>(), 13.7376833333 / 0.00101674166479, 0.01);
  const YAML::Node methods = found["methods"];
  EXPECT_GT(of_method(methods, "denoc", "forward")["float"]["digits"].as<double>(), 5);
  EXPECT_LT(of_method(methods, "composite-cholesky")["float"]["digits"].as<double>(), 4);
  const auto verdict = found["verdict"].as<std::string>();
  EXPECT_NE(verdict.find("forward by denoc, articulated-body ("), std::string::npos) << verdict;
}

// A method that were wrong, and not only rounded, would keep no digits in double; U D U^T about mass centres has no
// other test.
TEST(Stability, InDoubleEveryMethodOfEveryRobotIsRight) {
  for (const char* robot : {"puma560", "kuka_kr5", "gripper", "free_flying_arm", "humanoid", "spatial3r"})
    for (const YAML::Node& m : json({"stability", robot})["methods"]) {
      EXPECT_GT(m["double"]["digits"].as<double>(), 9) << robot << ": " << m["problem"] << " by " << m["method"];
      EXPECT_GT(m["float"]["digits"].as<double>(), 1) << robot << ": " << m["problem"] << " by " << m["method"];
      EXPECT_GT(m["float"]["error"].as<double>(), 0) << robot << ": is " << m["method"] << " in float at all?";
    }
}

// Rotors and armatures are felt by every method: one that leaves them out would be wrong by a factor.
TEST(Stability, CountsRotorsAndArmatures) {
  const Folder folder;
  const std::string file = folder.write("geared.yaml", R"(
bodies:
  - {name: a, joint: {type: revolute, axis: [0, 1, 0]}, mass: 1, com: [0.3, 0, 0], inertia: [0.01, 0.03, 0.03, 0, 0, 0], actuator: {gear: 10, rotor_inertia: 0.01}}
  - {name: b, joint: {type: spherical}, frame: {xyz: [0.6, 0, 0]}, mass: 1, com: [0.2, 0.1, 0], inertia: [0.01, 0.03, 0.03, 0, 0, 0], armature: 0.7}
)");
  const YAML::Node methods = json({"stability", file})["methods"];
  EXPECT_GT(of_method(methods, "udut about mass centres")["double"]["digits"].as<double>(), 12);
  for (const YAML::Node& m : methods)
    EXPECT_GT(m["double"]["digits"].as<double>(), 12) << m["problem"] << " by " << m["method"];
}

// The worst of a state and its neighbours has at least the rounding of the result itself. A float is off by up to half
// a unit of its last place, and that none of 16 is off by half as much would be luck in 2^16.
TEST(Stability, IsTheWorstNearBy) {
  for (const char* robot : {"planar3r", "puma560"})
    for (const YAML::Node& m : json({"stability", robot})["methods"])
      EXPECT_GE(m["float"]["error"].as<double>(), std::ldexp(m["size"].as<double>(), -26))
          << robot << ": " << m["problem"] << " by " << m["method"];
}

// Whole numbers all the way, I = (5 2; 2 1) with pivots 1 and 1: at q = 0 every method may be exact by luck, near by none.
TEST(Stability, IsNotWhatLuckMakesOfOneState) {
  const Folder folder;
  const std::string file = folder.write("whole.yaml", R"(
gravity: [0, -8, 0]
bodies:
  - {name: a, joint: revolute, mass: 1, com: [1, 0, 0]}
  - {name: b, joint: revolute, frame: {xyz: [1, 0, 0]}, mass: 1, com: [1, 0, 0]}
)");
  for (const YAML::Node& m : json({"stability", file, "--state", "-"}, {.in = R"({"q": [0, 0]})"})["methods"]) {
    const double size = m["size"].as<double>();
    EXPECT_GE(m["float"]["error"].as<double>(), std::ldexp(size, -26)) << m["problem"] << " by " << m["method"];
    EXPECT_GE(m["double"]["error"].as<double>(), std::ldexp(size, -55)) << m["problem"] << " by " << m["method"];
  }
}

// Where two axes all but fall together accelerations go with 1/q^2, and so does what rounding makes of them: a thousandth
// of a radian beside 1e-6 rad both are a million times smaller. The worst is told, not what a neighbour has.
TEST(Stability, InDoubleIsTheWorstNearBy) {
  const Folder folder;
  const std::string file = folder.write("gimbal.yaml", R"(
bodies:
  - {name: a, joint: revolute}
  - {name: b, joint: {type: revolute, axis: [1, 0, 0]}}
  - {name: c, joint: revolute, mass: 1, inertia: [0.1, 0.2, 0.25, 0, 0, 0]}
)");
  const YAML::Node found =
      json({"stability", file, "--state", "-"}, {.in = R"({"q": [0.3, 1e-6, 0.4], "tau": [1, 2, 3]})"});
  EXPECT_GT(found["condition"].as<double>(), 1e11);
  for (const YAML::Node& m : found["methods"]) {
    if (m["problem"].as<std::string>() != "forward") continue;
    EXPECT_LT(m["double"]["digits"].as<double>(), 12) << m["method"];
  }
}

// The verdict of each problem by the numbers of its own rows: methods within a digit of its best are trusted, whatever
// the other problems do; of a method without a result no digit is left.
std::string verdict_of(const YAML::Node& methods, const std::string& problem) {
  const auto digits = [](const YAML::Node& m) { return m["float"].IsNull() ? 0.0 : m["float"]["digits"].as<double>(); };
  double best = 0;
  for (const YAML::Node& m : methods)
    if (m["problem"].as<std::string>() == problem) best = std::max(best, digits(m));
  std::string good, bad;
  double least_good = 7, least = 7;  // a float has seven
  for (const YAML::Node& m : methods) {
    if (m["problem"].as<std::string>() != problem) continue;
    std::string& among = digits(m) > best - 1 ? good : bad;
    among += (among.empty() ? "" : ", ") + m["method"].as<std::string>();
    least = std::min(least, digits(m));
    if (digits(m) > best - 1) least_good = std::min(least_good, digits(m));
  }
  if (good.empty()) return problem + " not tried";
  if (best < 1) return problem + " by no method";
  if (bad.empty()) return fmt::format("{} by any method ({:.1f} digits or more)", problem, least_good);
  return fmt::format("{} by {} ({:.1f} digits or more) rather than by {} (down to {:.1f})", problem, good, least_good,
                     bad, least);
}
void expect_own_verdict(const YAML::Node& found, const std::string& what) {
  const std::string verdict = found["verdict"].as<std::string>();
  double least = 16;
  for (const YAML::Node& m : found["methods"])
    least = std::min(least, m["double"].IsNull() ? 0.0 : m["double"]["digits"].as<double>());
  EXPECT_EQ(
      verdict,
      fmt::format("To be trusted here in single precision: {}; {}; {}; in double every method keeps {:.1f} digits.",
                  verdict_of(found["methods"], "inverse"), verdict_of(found["methods"], "inertia"),
                  verdict_of(found["methods"], "forward"), least))
      << what;
}

TEST(Stability, VerdictsAreThoseOfTheirOwnProblem) {
  for (const char* robot : {"two_body_mata02", "puma560", "free_flying_arm", "fourbar", "serial:6", "serial:1001"})
    expect_own_verdict(json({"stability", robot}), robot);
  // Each of several states by itself: forward dynamics of the second is far worse than that of the first.
  const YAML::Node two = json({"stability", "two_body_mata02", "--state", "-"},
                              {.in = R"([{"q": [0, 1.5], "tau": [1, 1]}, {"q": [0, 0], "tau": [1, 1]}])"});
  ASSERT_EQ(two.size(), 2u);
  for (const YAML::Node& each : two) expect_own_verdict(each, "one of two");
  EXPECT_NE(verdict_of(two[0]["methods"], "forward"), verdict_of(two[1]["methods"], "forward"));
}

// A gimbal all but locked: its inertia is none to a float and is one to a double. Forward dynamics then has no result
// in single precision and keeps what digits it has in double; inverse dynamics asks for no inertia, and the table says
// the same.
TEST(Stability, WhatHasNoResultHasNoDigits) {
  const Folder folder;
  const std::string file = folder.write("gimbal.yaml", R"(
bodies:
  - {name: a, joint: revolute}
  - {name: b, joint: {type: revolute, axis: [1, 0, 0]}}
  - {name: c, joint: revolute, mass: 1, inertia: [0.1, 0.2, 0.25, 0, 0, 0]}
)");
  const std::string state = folder.write("state.json", R"({"q": [0.3, 1e-6, 0.4], "v": [1, 2, 3], "tau": [1, 2, 3]})");
  const YAML::Node found = json({"stability", file, "--state", state});
  int without = 0;
  for (const YAML::Node& m : found["methods"]) {
    without += m["float"].IsNull() ? 1 : 0;
    EXPECT_FALSE(m["double"].IsNull()) << m["method"];
    if (m["problem"].as<std::string>() != "inverse") continue;
    ASSERT_FALSE(m["float"].IsNull()) << m["method"];
    EXPECT_GT(m["float"]["digits"].as<double>(), 4) << m["method"];
  }
  EXPECT_GT(without, 0);
  expect_own_verdict(found, "gimbal");
  const Outcome table = run({"stability", file, "--state", state});
  EXPECT_EQ(table.status, 0) << table;
  int told = 0;
  for (std::size_t at = table.out.find("no result"); at != std::string::npos; at = table.out.find("no result", at + 1))
    ++told;
  EXPECT_EQ(told, without) << table;
}

// What nothing rounds keeps all the digits that a number has: 7 of a float, 16 of a double. The inertia of a slide of 2
// kg is 2 kg.
TEST(Stability, WhatIsExactKeepsAllDigits) {
  const Folder folder;
  const std::string file = folder.write("slide.yaml", "bodies: [{name: a, joint: prismatic, mass: 2}]\n");
  const YAML::Node found = json({"stability", file});
  for (const auto& [precision, digits] : {std::pair{"float", 7.0}, {"double", 16.0}}) {
    int exact = 0;
    for (const YAML::Node& m : found["methods"]) {
      const bool is_exact = m[precision]["error"].as<double>() == 0;
      exact += is_exact && m["problem"].as<std::string>() == "inertia" ? 1 : 0;
      EXPECT_LE(m[precision]["digits"].as<double>(), digits) << m["method"];
      EXPECT_TRUE(!is_exact || m[precision]["digits"].as<double>() == digits) << m["method"];
    }
    EXPECT_GT(exact, 0);
  }
  expect_own_verdict(found, "slide");
}

// In another unit of mass every force is so many times as large, every acceleration is the same, and so are the digits
// of each method: powers of two leave all rounding as it is.
TEST(Stability, DigitsKnowNoUnitOfMass) {
  const Folder folder;
  const auto in_unit = [&](double unit) {
    const std::string file = folder.write("arm.yaml", fmt::format(R"(
bodies:
  - {{name: a, joint: {{type: revolute, axis: [0, 1, 0]}}, mass: {0}, com: [0.25, 0, 0.125], inertia: [{1}, {2}, {2}, 0, 0, 0]}}
  - {{name: b, frame: {{xyz: [0.5, 0, 0]}}, joint: {{type: revolute, axis: [0, 0.6, 0.8]}}, mass: {3}, com: [0.25, 0.125, 0], inertia: [{1}, {2}, {2}, 0, 0, 0]}}
)",
                                                                  3 * unit, 0.125 * unit, 0.25 * unit, 1.5 * unit));
    return json({"stability", file, "--state", "-"},
                {.in = fmt::format(R"({{"q": [0.3, 0.7], "v": [1, -2], "a": [3, 1], "tau": [{}, {}]}})", 2 * unit,
                                   -unit)})["methods"];
  };
  const YAML::Node one = in_unit(1), large = in_unit(std::ldexp(1, 20)), small = in_unit(std::ldexp(1, -20));
  for (std::size_t i = 0; i < one.size(); ++i)
    for (const auto& [other, unit] : {std::pair{large, std::ldexp(1, 20)}, {small, std::ldexp(1, -20)}}) {
      const std::string what = one[i]["problem"].as<std::string>() + " by " + one[i]["method"].as<std::string>();
      const double scale = one[i]["problem"].as<std::string>() == "forward" ? 1 : unit;
      EXPECT_EQ(other[i]["size"].as<double>(), scale * one[i]["size"].as<double>()) << what;
      for (const char* precision : {"float", "double"}) {
        EXPECT_EQ(other[i][precision]["error"].as<double>(), scale * one[i][precision]["error"].as<double>()) << what;
        EXPECT_EQ(other[i][precision]["digits"].as<double>(), one[i][precision]["digits"].as<double>()) << what;
      }
    }
}

// States one after the other are answered as each alone, wherever they stand, and one that cannot be is told by its
// place.
TEST(Stability, StatesAreAnsweredOneByOne) {
  const std::string one = R"({"q": [0.3, 0.5], "tau": [1, 2]})", other = R"({"q": [1, -2], "v": [3, 1], "a": [1, 1]})",
                    huge = R"({"q": [0, 0], "v": [1e200, 1]})";
  const auto ask = [](const std::string& states) {
    return json({"stability", "two_body_mata02", "--state", "-"}, {.in = states});
  };
  const YAML::Node both = ask("[" + one + "," + other + "]"), turned = ask("[" + other + "," + one + "]");
  const auto same = [](const YAML::Node& a, const YAML::Node& b) {
    YAML::Emitter x, y;
    x << a, y << b;
    EXPECT_STREQ(x.c_str(), y.c_str());
  };
  for (const auto& [state, i] : {std::pair{one, 0}, {other, 1}}) {
    const YAML::Node alone = ask(state);
    same(both[i], alone);
    same(turned[1 - i], alone);
  }
  for (const auto& [states, place] : {std::pair{huge, "state: "}, {"[" + one + "," + huge + "]", "states[1]: "}}) {
    const Outcome refused = run({"stability", "two_body_mata02", "--state", "-"}, {.in = states});
    EXPECT_EQ(refused.status, 4) << refused;
    EXPECT_TRUE(refused.first_line().starts_with(std::string("denoc: ") + place)) << refused;
    EXPECT_EQ(refused.out, "") << refused;
  }
}

// Whole numbers of 1/64 are the same in single precision, so that sizes are those of the other commands, to rounding.
std::string in_sixty_fourths(const std::string& robot, unsigned seed, const std::string& wrenches) {
  const YAML::Node joints = json({"info", robot})["joints"];
  std::string maps[3];
  const auto next = [&] {
    seed = seed * 1664525u + 1013904223u;  // Knuth's linear congruences
    return static_cast<double>(seed >> 24U) / 64 - 2;
  };
  for (const YAML::Node& joint : joints) {
    const int nq = joint["nq"].as<int>(), nv = joint["nv"].as<int>();
    Row rows[3] = {Row(nq == nv ? std::size_t(nq) : 0), Row(std::size_t(nv)), Row(std::size_t(nv))};
    for (std::size_t i = 0; i < 3; ++i) {
      if (rows[i].empty()) continue;  // a quaternion stays at no turn
      for (double& x : rows[i]) x = next();
      maps[i] += fmt::format("{}\"{}\": [{}]", maps[i].empty() ? "" : ", ", joint["name"].as<std::string>(),
                             fmt::join(rows[i], ", "));
    }
  }
  return fmt::format(R"({{"q": {{{}}}, "v": {{{}}}, "a": {{{}}}, "wrenches": [{}]}})", maps[0], maps[1], maps[2],
                     wrenches);
}
double largest_entry(const YAML::Node& node) {
  if (node.IsScalar()) return std::abs(node.as<double>());
  double most = 0;
  for (const YAML::Node& each : node) most = std::max(most, largest_entry(each));
  return most;
}

// How large the results are: as those of id, inertia and fd at the same state, whatever acts on the robot.
TEST(Stability, SizesAreThoseOfTheOtherCommands) {
  const Folder folder;
  for (const char* robot : {"puma560", "planar3r", "gripper", "free_flying_arm"}) {
    const YAML::Node bodies = json({"info", robot})["bodies"];
    const auto first = bodies[1]["name"].as<std::string>(), last = bodies[bodies.size() - 1]["name"].as<std::string>();
    const auto wrench = [](const std::string& body, const char* words) {
      return fmt::format(R"({{"body": "{}", {}}})", body, words);
    };
    const std::string force = R"("force": [7.5, -41.25, 90])", moment = R"("moment": [80.5, 8.25, -64])";
    Row sizes;
    for (const std::string& wrenches :
         {std::string(), wrench(last, force.c_str()), wrench(last, moment.c_str()), wrench(first, force.c_str()),
          wrench(last, (force + ", " + moment).c_str()), wrench(last, (force + R"(, "axes": "world")").c_str()),
          wrench(last, force.c_str()) + ", " + wrench(first, moment.c_str())}) {
      const std::string state = folder.write("state.json", in_sixty_fourths(robot, 5, wrenches));
      const double tau = largest_entry(json({"id", robot, "--state", state})["tau"]),
                   a = largest_entry(json({"fd", robot, "--state", state})["a"]),
                   I = largest_entry(json({"inertia", robot, "--state", state})["I"]);
      // A wrench of the world is turned first, and no whole number any more: a float is off by 2^-24.
      const double tolerance = wrenches.find("world") == std::string::npos ? 1e-10 : 1e-5;
      for (const YAML::Node& m : json({"stability", robot, "--state", state})["methods"]) {
        const auto problem = m["problem"].as<std::string>();
        const double expected = problem == "inverse" ? tau : problem == "forward" ? a : I;
        EXPECT_NEAR(m["size"].as<double>(), expected, tolerance * expected)
            << robot << ": " << problem << " with " << wrenches;
      }
      sizes.insert(sizes.end(), {tau, a});
    }
    std::sort(sizes.begin(), sizes.end());
    EXPECT_GT(std::unique(sizes.begin(), sizes.end()) - sizes.begin(), 7) << robot << ": the wrenches are not felt";
  }
}

// How hard a state is: pivots and condition are those of `inertia`; the least pivot is at its own joint, and where most is
// cancelled, max I_kk / d_k, at another.
TEST(Stability, NamesTheJointsThatAreHard) {
  const Folder folder;
  std::size_t different = 0;
  for (const char* robot : {"puma560", "planar3r", "gripper", "spatial3r", "rp_arm", "kuka_kr5", "free_flying_arm"}) {
    Arguments names;
    for (const YAML::Node& state : json({"linearize", robot})["states"])  // d.JOINT, ..., v.JOINT, ...
      if (const auto name = state.as<std::string>(); name.starts_with("v.")) names.push_back(name.substr(2));
    for (const char* seed : {"1", "2", "3"}) {
      const std::string state = folder.write("state.json", run({"state", robot, "--random", seed}).out);
      const YAML::Node inertia = json({"inertia", robot, "--state", state}),
                       found = json({"stability", robot, "--state", state});
      const Row D = row(inertia["D"]);
      ASSERT_EQ(D.size(), names.size());
      expect_close(row(found["D"]), D, 1e-12 * largest(D), "D");
      EXPECT_NEAR(found["condition"].as<double>(), inertia["condition"].as<double>(),
                  1e-6 * inertia["condition"].as<double>());
      std::size_t least = 0, most = 0;
      const auto cancelled = [&](std::size_t k) { return inertia["I"][k][k].as<double>() / D[k]; };
      for (std::size_t k = 1; k < D.size(); ++k) {
        if (D[k] < D[least]) least = k;
        if (cancelled(k) > cancelled(most)) most = k;
      }
      EXPECT_EQ(found["least_pivot"].as<std::string>(), names[least]) << robot;
      EXPECT_NEAR(found["cancellation"].as<double>(), cancelled(most), 1e-9 * cancelled(most)) << robot;
      const Outcome text = run({"stability", robot, "--state", state});
      const std::string told =
          fmt::format("condition number {:.4g}; least pivot D {:.4g} at {}; elimination cancels {:.3g} to 1 at {}\n",
                      found["condition"].as<double>(), D[least], names[least], cancelled(most), names[most]);
      EXPECT_NE(text.out.find(told), std::string::npos) << told << text;
      different += least != most ? 1 : 0;
    }
  }
  EXPECT_GT(different, 5u) << "the same joint is both: other robots are needed";
}

// What slides behind it is not turned, nor what has no angle.
TEST(Stability, TheLastJointThatTurnsIsSwept) {
  const Folder folder;
  const std::string arm =
      "name: arm\nbodies:\n  - {name: upper, joint: {type: revolute, axis: [0, 1, 0]}, mass: 1, "
      "com: [0.2, 0, 0.1], inertia: [0.1, 0.1, 0.1, 0, 0, 0]}\n";
  const std::string quill = "  - {name: quill, joint: {type: prismatic}, mass: 1}\n";
  EXPECT_EQ(json({"stability", folder.write("a.yaml", arm + quill), "--sweep"})["along"].as<std::string>(),
            "upper turns once, in steps of 2 degrees");
  const Outcome slides = run({"stability", folder.write("b.yaml", "name: b\nbodies:\n" + quill), "--sweep"});
  EXPECT_EQ(slides.status, 4) << slides;
  EXPECT_NE(slides.first_line().find("no joint turns about an axis"), std::string::npos) << slides;
}

TEST(Stability, FigureIsWritten) {
  const Folder folder;
  const std::string file = folder.path("sweep.svg");
  EXPECT_EQ(run({"stability", "two_body_mata02", "--sweep", "--plot", file}).status, 0);
  const std::string svg = content_of(file);
  EXPECT_EQ(svg.rfind("<svg", 0), 0u);
  for (const char* name : {"udut about mass centres", "condition number of I", "body1 in single precision", "exact"})
    EXPECT_NE(svg.find(name), std::string::npos) << name;
}

// Of a long chain the O(n) methods are left, and a line says so.
TEST(Stability, OfLongChainsTriesWhatIsAffordable) {
  const Outcome text = run({"stability", "serial:1001"});
  EXPECT_EQ(text.status, 0) << text;
  EXPECT_NE(text.out.find("Methods of order n^3 are tried up to n = 300, of order n^2 up to n = 1000"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.out.find("euler-lagrange"), std::string::npos) << text;
  EXPECT_NE(text.out.find("; inertia not tried; "), std::string::npos) << text;
  const YAML::Node found = json({"stability", "serial:1001"});
  EXPECT_EQ(found["D"].size(), 1001u);
  EXPECT_FALSE(found["condition"]);
  EXPECT_EQ(run({"stability", "serial:310", "--sweep"}).status, 4);
}

TEST(Stability, RefusesWhatItCannotDo) {
  EXPECT_EQ(run({"stability", "puma560", "--plot", "x.svg"}).status, 2);
  EXPECT_EQ(run({"stability", "puma560", "--sweep", "--path"}).status, 2);
  EXPECT_EQ(run({"stability", "two_body_mata02", "--sweep", "--plot", "/nonexistent/x.svg"}).status, 5);
  EXPECT_EQ(
      run({"stability", "two_body_mata02", "--sweep", "--state", "-"}, {.in = R"([{"q": [0, 0]}, {"q": [1, 1]}])"})
          .status,
      3);
  EXPECT_EQ(run({"stability", "puma560", "--state", "/nonexistent.json"}).status, 3);
  // too large for a float, and what has no gravity and no drives
  const Outcome huge =
      run({"stability", "two_body_mata02", "--state", "-"}, {.in = R"({"q": [0, 0], "v": [1e200, 1]})"});
  EXPECT_EQ(huge.status, 4) << huge;
  EXPECT_NE(huge.first_line().find("in single precision is not a finite number"), std::string::npos) << huge;
  EXPECT_EQ(run({"stability", "free_flying_arm", "--sweep"}).status, 4);
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
