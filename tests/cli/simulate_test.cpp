// denoc simulate from outside: its files, and what it says when there are none.
#include <cmath>
#include <cstring>

#include "cli/printed_table.hpp"
#include "denoc/mechanism/dynamics.hpp"
#include "denoc/simulation/simulation.hpp"
#include "manifest.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

const char* const pendulum = R"(
name: pendulum
bodies:
  - {name: bob, joint: {type: revolute, axis: [0, 1, 0], name: pivot}, mass: 1, com: [0, 0, -1]}
)";

struct Simulate : testing::Test {
  Folder folder;
  std::string model = folder.write("crane.yaml", two_joints), out = folder.path("out");

  std::string scenario(const std::string& more, const std::string& duration = "1") const {
    return folder.write("run.yaml", "robot: crane.yaml\nduration: " + duration + "\n" + more);
  }
  Outcome simulate(const std::string& file) const { return run({"simulate", file, "--out", out}); }
  std::string result(const std::string& name) const { return out + "/" + name; }
  static std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }
  static bool says(const Outcome& outcome, const std::string& words) {
    return outcome.first_line().find(words) != std::string::npos;
  }
  Names results() const { return names_in(out); }
};

TEST_F(Simulate, WritesTheTrajectory) {
  const Outcome outcome =
      simulate(scenario("start: {q: [0.1, 0.3], v: [0.5, -0.7]}\noutput: {every: 0.25}\n"
                        "control: {type: torques, tau: [3, \"4*t\"]}\n"));
  ASSERT_EQ(outcome.status, 0) << outcome;
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(results(), (Names{"final.json", "manifest.json", "power.csv", "trajectory.csv"}));
  const Csv csv(result("trajectory.csv"));
  EXPECT_EQ(csv.names, "t,q.cart,q.arm,v.cart,v.arm,a.cart,a.arm,tau.cart,tau.arm,kinetic,potential");
  ASSERT_EQ(csv.rows.size(), 5u);
  const Row& first = csv.rows.front();
  EXPECT_EQ((Row{first.begin(), first.begin() + 5}), (Row{0, 0.1, 0.3, 0.5, -0.7}));
  EXPECT_EQ((Row{first.begin() + 7, first.begin() + 9}), (Row{3, 0}));
  for (std::size_t i = 0; i < csv.rows.size(); ++i) {
    ASSERT_EQ(csv.rows[i].size(), 11u);
    EXPECT_DOUBLE_EQ(csv.rows[i][0], 0.25 * static_cast<double>(i));
    EXPECT_DOUBLE_EQ(csv.rows[i][8], static_cast<double>(i));
  }
  EXPECT_EQ(first_line(content_of(result("power.csv"))),
            "t,input_power,dissipated_power,work,dissipated,total_energy,balance");
  for (const char* words : {"crane", "dopri5", "At the end", "cart", "Written"})
    EXPECT_NE(outcome.out.find(words), std::string::npos) << words << outcome;
}

// The motion of one run may be that of the next, but not where the next one writes.
TEST_F(Simulate, DoesNotReplaceTheMotionItFollows) {
  const std::string first = scenario(
      "motion: {type: point_to_point, from: [0, 0], to: [1, 1], duration: 1}\ncontrol: {type: computed_torque, kp: "
      "100, kd: 20}\n");
  ASSERT_EQ(simulate(first).status, 0);
  const std::string before = content_of(result("trajectory.csv"));
  const std::string again =
      scenario("motion: {type: file, file: out/trajectory.csv}\ncontrol: {type: computed_torque, kp: 100, kd: 20}\n");
  const Outcome refused = simulate(again);
  EXPECT_EQ(refused.status, 5) << refused;
  EXPECT_TRUE(says(refused, "trajectory.csv: it holds the motion")) << refused;
  EXPECT_EQ(content_of(result("trajectory.csv")), before);
  EXPECT_EQ(run({"simulate", again, "--out", folder.path("elsewhere")}).status, 0);
  const std::string motion = folder.write("motion.yaml", "motion: {type: file, file: out/trajectory.csv}\n");
  // The file, by whatever name.
  fs::create_hard_link(result("trajectory.csv"), folder.path("second.csv"));
  fs::create_symlink(result("trajectory.csv"), folder.path("third.csv"));
  for (const std::string& name : {result("trajectory.csv"), result("../out/trajectory.csv"), folder.path("second.csv"),
                                  folder.path("third.csv")}) {
    EXPECT_EQ(run({"id", model, "--motion", motion, "-o", name}).status, 5) << name;
    EXPECT_EQ(content_of(name), before) << name;
  }
  EXPECT_EQ(run({"id", model, "--motion", motion, "-o", folder.path("fourth.csv")}).status, 0);
}

// Joints that `start: q` names start there, loops closed; the rocker at 0 is out of reach, which is told.
TEST_F(Simulate, NamedJointsStartWhereTheyAreSaid) {
  const auto from = [&](const char* q) {
    return folder.write("run.yaml", fmt::format("robot: fourbar\nduration: 0.01\nstart: {{q: {}}}\n", q));
  };
  const Outcome held = simulate(from("{crank: 0.9}"));
  EXPECT_EQ(held.status, 0) << held;
  EXPECT_EQ(held.err, "");
  EXPECT_NEAR(Csv(result("trajectory.csv")).rows.front()[1], 0.9, 1e-10);
  EXPECT_EQ(run({"check", folder.path("run.yaml")}).status, 0);
  const Outcome moved = simulate(from("{rocker: 0}"));
  EXPECT_EQ(moved.status, 0) << moved;
  EXPECT_TRUE(says(moved, "start: q: the loops cannot be closed with these joints held: 'rocker' starts at")) << moved;
  EXPECT_EQ(run({"check", folder.path("run.yaml")}).status, 3);
}

// Pages and figures of long runs take every second sample, or fourth, ..., and the last; they tell of all.
TEST_F(Simulate, PagesOfLongRunsTellAllOfThem) {
  folder.write("pendulum.yaml", pendulum);
  const std::string file = folder.write(
      "long.yaml", "robot: pendulum.yaml\nstart: {q: {pivot: 1}}\nduration: 2.0003\noutput: {every: 1e-4}\n");
  const Outcome done = run({"simulate", file, "-o", out, "--report"});
  ASSERT_EQ(done.status, 0) << done;
  EXPECT_EQ(Csv(result("trajectory.csv")).rows.size(), 20004u);
  const std::string page = content_of(result("report.html"));
  EXPECT_NE(page.find("<dt>Simulated time</dt><dd>2.0003 s<small>20004 samples</small></dd>"), std::string::npos);
}

// The columns of every type of joint, and an `a` that is forward dynamics of q, v and tau as they stand in the file.
TEST_F(Simulate, RecordsTheAccelerationsOfItsStates) {
  const std::string robot = folder.write("many.yaml", R"(name: many
bodies:
  - {name: body, joint: {type: free, name: base}, mass: 8, inertia: [1, 2, 1.5, 0, 0, 0]}
  - {name: hip, joint: {type: spherical}, mass: 2, com: [0, 0, -0.3], inertia: [0.1, 0.1, 0.05, 0, 0, 0]}
  - {name: cross, joint: {type: universal}, mass: 1, com: [0.2, 0, 0], inertia: [0.1, 0.1, 0.1, 0, 0, 0]}
  - {name: tube, joint: {type: cylindrical}, mass: 1, com: [0, 0.2, 0], inertia: [0.1, 0.1, 0.1, 0, 0, 0]}
  - {name: table, joint: {type: planar}, mass: 1, inertia: [0.1, 0.1, 0.1, 0, 0, 0]}
  - {name: knee, joint: {type: revolute, axis: [1, 0, 0]}, mass: 1, com: [0, 0, -0.5], inertia: [0.1, 0.1, 0.1, 0, 0, 0],
     spring: {stiffness: 3}, friction: {viscous: 0.2}}
)");
  const std::string file =
      folder.write("many_run.yaml",
                   "robot: many.yaml\nduration: 0.2\noutput: {every: 0.05}\n"
                   "start: {q: {knee: 0.5}, v: {hip: [1, 2, 3], cross: [0.3, -0.4], tube: [1, 0.1]}}\n"
                   "control: {type: torques, tau: {knee: 2*sin(5*t), cross: [0.1, 0.2]}}\n");
  ASSERT_EQ(simulate(file).status, 0);
  const Csv csv(result("trajectory.csv"));
  EXPECT_EQ(
      csv.names,
      "t,q.base.x,q.base.y,q.base.z,q.base.qw,q.base.qx,q.base.qy,q.base.qz,q.hip.qw,q.hip.qx,q.hip.qy,q.hip.qz,"
      "q.cross.1,q.cross.2,q.tube.angle,q.tube.slide,q.table.x,q.table.y,q.table.angle,q.knee,"
      "v.base.wx,v.base.wy,v.base.wz,v.base.vx,v.base.vy,v.base.vz,v.hip.wx,v.hip.wy,v.hip.wz,v.cross.1,v.cross.2,"
      "v.tube.angle,v.tube.slide,v.table.x,v.table.y,v.table.angle,v.knee,"
      "a.base.wx,a.base.wy,a.base.wz,a.base.vx,a.base.vy,a.base.vz,a.hip.wx,a.hip.wy,a.hip.wz,a.cross.1,a.cross.2,"
      "a.tube.angle,a.tube.slide,a.table.x,a.table.y,a.table.angle,a.knee,"
      "tau.base.wx,tau.base.wy,tau.base.wz,tau.base.vx,tau.base.vy,tau.base.vz,tau.hip.wx,tau.hip.wy,tau.hip.wz,"
      "tau.cross.1,tau.cross.2,tau.tube.angle,tau.tube.slide,tau.table.x,tau.table.y,tau.table.angle,tau.knee,"
      "kinetic,potential");
  const Mechanism mechanism(robot);
  Dynamics dynamics(mechanism, Forces::all);
  const auto nq = static_cast<std::ptrdiff_t>(mechanism.nq()), nv = static_cast<std::ptrdiff_t>(mechanism.nv());
  ASSERT_EQ(csv.rows.size(), 5u);
  for (const Row& r : csv.rows) {
    const auto part = [&](std::ptrdiff_t from, std::ptrdiff_t size) {
      return Row(r.begin() + from, r.begin() + from + size);
    };
    const Row q = part(1, nq), v = part(1 + nq, nv), a = part(1 + nq + nv, nv), tau = part(1 + nq + 2 * nv, nv);
    const auto expected = dynamics.forward(q, v, tau);
    for (std::size_t k = 0; k < a.size(); ++k)
      EXPECT_NEAR(a[k], expected[k], 1e-10 * (1 + std::abs(expected[k]))) << r[0] << ": " << k;
  }
}

// The tip of a pendulum goes round its pivot, and a coupler's point is where the posture says.
TEST_F(Simulate, WritesPoints) {
  folder.write("pendulum.yaml", pendulum);
  const std::string file =
      folder.write("swing.yaml",
                   "robot: pendulum.yaml\nduration: 1\nstart: {q: {pivot: 1}}\n"
                   "output: {every: 0.1, npz: true, points: {bob: {body: bob, point: [0, 0, -2]}}}\n");
  ASSERT_EQ(simulate(file).status, 0);
  EXPECT_EQ(results(),
            (Names{"final.json", "manifest.json", "points.csv", "power.csv", "trajectory.csv", "trajectory.npz"}));
  const Csv points(result("points.csv")), csv(result("trajectory.csv"));
  EXPECT_EQ(points.names, "t,bob.x,bob.y,bob.z");
  ASSERT_EQ(points.rows.size(), 11u);
  for (std::size_t i = 0; i < points.rows.size(); ++i) {
    const double q = csv.rows[i][1];
    EXPECT_NEAR(points.rows[i][1], -2 * std::sin(q), 1e-14);
    EXPECT_EQ(points.rows[i][2], 0);
    EXPECT_NEAR(points.rows[i][3], -2 * std::cos(q), 1e-14);
  }
  EXPECT_NE(content_of(result("trajectory.npz")).find("points.npy"), std::string::npos);
}

// A block that rests on two springs of the ground: each carries half of its weight; in the air none.
TEST_F(Simulate, WritesContacts) {
  folder.write("block.yaml", R"(
bodies:
  - {name: block, joint: {type: prismatic, axis: [0, 0, 1]}, mass: 3}
)");
  const std::string ground = "ground: {stiffness: 1000, points: [{body: block, point: [1, 0, 0]}, {body: block}]}\n";
  const auto run_from = [&](const std::string& q) {
    return folder.write("rest.yaml", "robot: block.yaml\nduration: 0.1\nstart: {q: [" + q +
                                         "]}\noutput: {every: 0.05, contacts: true}\n" + ground);
  };
  ASSERT_EQ(simulate(run_from("-3*9.81/2000")).status, 0);
  const Csv contacts(result("contacts.csv"));
  EXPECT_EQ(contacts.names, "t,block.1.fx,block.1.fy,block.1.fz,block.2.fx,block.2.fy,block.2.fz");
  for (const Row& r : contacts.rows)
    for (const std::size_t k : {3u, 6u}) EXPECT_NEAR(r[k], 3 * 9.81 / 2, 1e-9) << r[0];
  ASSERT_EQ(simulate(run_from("5")).status, 0);
  for (const Row& r : Csv(result("contacts.csv")).rows) EXPECT_EQ(r[3], 0);
}

// A foot stands on the ground in the world's axes, however it is turned itself.
TEST_F(Simulate, ContactsAreInTheWorldsAxes) {
  folder.write("foot.yaml", R"(
bodies:
  - {name: foot, joint: {type: free}, mass: 3, inertia: [0.1, 0.1, 0.1, 0, 0, 0]}
)");
  ASSERT_EQ(simulate(folder.write("stand.yaml",
                                  "robot: foot.yaml\nduration: 0.1\noutput: {every: 0.05, contacts: true}\n"
                                  "start: {q: [0, 0, -3*9.81/1000, 0.1, 0.7, -0.5, 0.5]}\n"
                                  "ground: {stiffness: 1000, points: [{body: foot}]}\n"))
                .status,
            0);
  const Csv contacts(result("contacts.csv"));
  ASSERT_EQ(contacts.rows.size(), 3u);
  for (const Row& r : contacts.rows) expect_close({r[1], r[2], r[3]}, {0, 0, 3 * 9.81}, 1e-9, "force");
}

// The cart-pole of the examples stands upright at the end, the cart where it started.
TEST_F(Simulate, BalancesTheCartPole) {
  ASSERT_EQ(simulate(DENOC_SOURCE "/examples/scenarios/cart_pole_lqr.yaml").status, 0);
  const Csv csv(result("trajectory.csv"));
  const Row& last = csv.rows.back();
  for (std::size_t k = 1; k <= 4; ++k) EXPECT_NEAR(last[k], 0, 1e-2) << k;
  double most = 0;
  for (const Row& r : csv.rows) most = std::max(most, std::abs(r[2]));
  EXPECT_LE(most, 0.31);
}

TEST_F(Simulate, WritesReactionsAndArraysOnRequest) {
  ASSERT_EQ(simulate(scenario("output: {every: 0.5, reactions: true, npz: true}\n")).status, 0);
  EXPECT_EQ(results(),
            (Names{"final.json", "manifest.json", "power.csv", "reactions.csv", "trajectory.csv", "trajectory.npz"}));
  const Csv reactions(result("reactions.csv"));
  EXPECT_EQ(reactions.names,
            "t,cart.nx,cart.ny,cart.nz,cart.fx,cart.fy,cart.fz,arm.nx,arm.ny,arm.nz,arm.fx,arm.fy,arm.fz,"
            "(base).nx,(base).ny,(base).nz,(base).fx,(base).fy,(base).fz");
  ASSERT_EQ(reactions.rows.size(), 3u);
  EXPECT_NEAR(reactions.rows[0][6], 5 * 9.81, 1e-9);  // the rail carries cart and arm
  EXPECT_NEAR(reactions.rows[0][12], 3 * 9.81, 1e-9);
  // A second run without them does not leave those of the first beside its own.
  ASSERT_EQ(simulate(scenario("")).status, 0);
  EXPECT_EQ(results(), (Names{"final.json", "manifest.json", "power.csv", "trajectory.csv"}));
}

// The arrays, found by their NPY headers within the archive, are the tables to the last bit.
TEST_F(Simulate, ArraysAreTheTables) {
  ASSERT_EQ(
      simulate(
          scenario("start: {v: [1, 2]}\ncontrol: {type: torques, tau: [1, \"t\"]}\n"
                   "output: {every: 0.1, npz: true, reactions: true, points: {tip: {body: arm, point: [0, 0, 1]}}}\n"))
          .status,
      0);
  const std::string archive = content_of(result("trajectory.npz"));
  const auto expect_array = [&](const std::string& name, std::size_t width, const Csv& csv, std::size_t first) {
    SCOPED_TRACE(name);
    const std::size_t member = archive.find(name + ".npy"), header = archive.find("\x93NUMPY", member);
    ASSERT_NE(header, std::string::npos);
    Row numbers(11 * width);
    std::memcpy(numbers.data(), archive.data() + header + 128, numbers.size() * sizeof(double));
    for (std::size_t i = 0; i < 11; ++i)
      for (std::size_t k = 0; k < width; ++k) EXPECT_EQ(numbers[width * i + k], csv.rows[i][first + k]) << i;
  };
  const Csv trajectory(result("trajectory.csv")), power(result("power.csv")), reactions(result("reactions.csv")),
      points(result("points.csv"));
  ASSERT_EQ(trajectory.rows.size(), 11u);
  EXPECT_NE(archive.find("'shape': (11, 2), }"), std::string::npos);
  expect_array("t", 1, trajectory, 0);
  expect_array("q", 2, trajectory, 1);
  expect_array("v", 2, trajectory, 3);
  expect_array("a", 2, trajectory, 5);
  expect_array("tau", 2, trajectory, 7);
  expect_array("kinetic", 1, trajectory, 9);
  expect_array("potential", 1, trajectory, 10);
  expect_array("input_power", 1, power, 1);
  expect_array("dissipated_power", 1, power, 2);
  expect_array("work", 1, power, 3);
  expect_array("dissipated", 1, power, 4);
  expect_array("points", 3, points, 1);
  // of reactions the base comes first, in the table last: three bodies with six numbers each
  const std::size_t header = archive.find("\x93NUMPY", archive.find("reactions.npy"));
  Row numbers(11 * 18);
  std::memcpy(numbers.data(), archive.data() + header + 128, numbers.size() * sizeof(double));
  for (std::size_t i = 0; i < 11; ++i)
    for (std::size_t k = 0; k < 18; ++k) EXPECT_EQ(numbers[18 * i + (k + 6) % 18], reactions.rows[i][1 + k]) << i;
  // input power is tau . v
  for (std::size_t i = 0; i < 11; ++i) {
    const Row& r = trajectory.rows[i];
    EXPECT_NEAR(power.rows[i][1], r[7] * r[3] + r[8] * r[4], 1e-14 * (1 + std::abs(power.rows[i][1])));
  }
  EXPECT_EQ(archive.substr(0, 4), "PK\x03\x04");
  EXPECT_EQ(archive.substr(archive.size() - 22, 4), "PK\x05\x06");
}

TEST_F(Simulate, TheSameScenarioGivesTheSameFiles) {
  const std::string file = scenario("start: {q: [0, 0.3]}\noutput: {every: 0.01, npz: true}\n");
  ASSERT_EQ(simulate(file).status, 0);
  const std::string csv = content_of(result("trajectory.csv")), npz = content_of(result("trajectory.npz"));
  ASSERT_EQ(simulate(file).status, 0);
  EXPECT_EQ(content_of(result("trajectory.csv")), csv);
  EXPECT_EQ(content_of(result("trajectory.npz")), npz);
}

TEST_F(Simulate, RefusesWrongScenarios) {
  const std::string wrong = scenario("start: {q: [0]}\nintegrater: {}\noutput: {every: 0}\n", "-1");
  const Outcome outcome = simulate(wrong);
  EXPECT_EQ(outcome.status, 3) << outcome;
  EXPECT_TRUE(outcome.first_line().starts_with(wrong + ":2: duration: ")) << outcome;
  for (const char* line :
       {":3: start: q: expected 2 numbers (cart, arm)", ":4: unknown key 'integrater'", ":5: output"})
    EXPECT_NE(outcome.err.find(wrong + line), std::string::npos) << outcome;
  EXPECT_EQ(outcome.out, "");
  EXPECT_FALSE(fs::exists(out));
  for (const std::string& file : {folder.path("none.yaml"), folder.path(""), folder.write("empty.yaml", "")})
    EXPECT_EQ(simulate(file).status, 3) << file;
}

TEST_F(Simulate, RefusesWrongCommandLines) {
  const std::string file = scenario("");
  for (const Arguments& arguments : std::vector<Arguments>{{"simulate"},
                                                           {"simulate", file},
                                                           {"simulate", "--out", out},
                                                           {"simulate", file, "--out"},
                                                           {"simulate", file, "--out", ""},
                                                           {"simulate", file, "--out", out, "--rtol", "1"}})
    EXPECT_EQ(run(arguments).status, 2) << run(arguments);
  EXPECT_FALSE(fs::exists(out));
}

// What the help shows as a scenario is one.
TEST_F(Simulate, HelpShowsAScenarioThatRuns) {
  const std::string help = run({"simulate", "--help"}).out;
  std::istringstream lines(help.substr(help.find("  robot: ")));
  std::string text;
  for (std::string line; std::getline(lines, line) && line.starts_with("  ");) {
    text += line.substr(0, line.find("   ", 2)) + "\n";  // without the remarks to the right
  }
  const Outcome outcome = simulate(folder.write("help.yaml", text));
  EXPECT_EQ(outcome.status, 0) << text << outcome;
  EXPECT_EQ(Csv(result("trajectory.csv")).rows.size(), 201u);
}

// Torques that go through the roof at a time that is known.
TEST_F(Simulate, AFailedRunLeavesNothing) {
  const Outcome outcome = simulate(scenario("control: {type: torques, tau: [0, \"1/step(0.5 - t)\"]}\n"));
  EXPECT_EQ(outcome.status, 4) << outcome;
  EXPECT_TRUE(says(outcome, "0.5")) << outcome;
  EXPECT_NE(outcome.err.find("  q: ["), std::string::npos) << outcome;
  EXPECT_NE(outcome.err.find("  v: ["), std::string::npos) << outcome;
  EXPECT_FALSE(fs::exists(out));
  // What an earlier run has written stays.
  ASSERT_EQ(simulate(scenario("")).status, 0);
  const std::string before = content_of(result("trajectory.csv"));
  EXPECT_EQ(simulate(scenario("integrator: {method: dopri5, max_evaluations: 10}\n")).status, 4);
  EXPECT_EQ(content_of(result("trajectory.csv")), before);
  EXPECT_EQ(results(), (Names{"final.json", "manifest.json", "power.csv", "trajectory.csv"}));
  EXPECT_TRUE(is_complete(out));
}

TEST_F(Simulate, RefusesLoopsAndLinesOutOfReach) {
  folder.write("crane.yaml", std::string(two_joints) + R"(loops:
  - {type: revolute, a: {body: arm, frame: {xyz: [0, 0, -1]}}, b: {body: world, frame: {xyz: [0, 0, -50]}}, axis: [0, 1, 0]}
)");
  const Outcome loops = simulate(scenario(""));
  EXPECT_EQ(loops.status, 4) << loops;
  EXPECT_TRUE(says(loops, "it cannot be closed from this posture")) << loops;
  const std::string far = folder.write(
      "far.yaml",
      "robot: puma560\nduration: 1\n"
      "motion: {type: line, body: link6, start: [0, 0.5, 0.5, 0, 0.5, 0], displacement: [9, 0, 0], duration: 1}\n");
  EXPECT_EQ(simulate(far).status, 4) << simulate(far);
}

TEST_F(Simulate, TellsWhenResultsCannotBeWritten) {
  const std::string file = scenario("output: {every: 0.001}\n");
  const Outcome under_a_file = run({"simulate", file, "--out", model}),
                below_a_file = run({"simulate", file, "--out", model + "/deeper"}),
                nowhere = run({"simulate", file, "--out", "/proc/none"});
  for (const Outcome& outcome : {under_a_file, below_a_file, nowhere}) {
    EXPECT_EQ(outcome.status, 5) << outcome;
    EXPECT_TRUE(says(outcome, "cannot be written")) << outcome;
  }
  EXPECT_EQ(run({"simulate", file, "--out", out}, {.out_to = "/dev/full"}).status, 5);
}

// Of many events the first few are listed, and all are counted; of few, all are listed. The names are those of the table.
TEST_F(Simulate, CountsTheEventsThatItDoesNotList) {
  folder.write("rough.yaml", R"(
bodies:
  - {name: b, joint: {type: universal}, mass: 1, com: [0.1, 0.02, 0.03], inertia: [0.02, 0.02, 0.01, 0, 0, 0], friction: {coulomb: 0.01}, spring: {stiffness: 3}}
  - {name: f, joint: {type: prismatic, axis: [1, 0, 0]}, frame: {xyz: [0.3, 0, 0]}, mass: 1, com: [0.1, 0.02, 0.03], inertia: [0.02, 0.02, 0.01, 0, 0, 0], friction: {coulomb: 0.1}, spring: {stiffness: 100}}
)");
  bool was_none = false, was_few = false, was_many = false;
  for (const char* duration : {"0.1", "0.4", "0.5", "0.75", "0.9", "1.2", "3"}) {
    const std::string file =
        folder.write("rough_run.yaml",
                     fmt::format("robot: rough.yaml\nduration: {}\nstart: {{v: {{b: [1, 0.5], f: 0.3}}}}\n", duration));
    const YAML::Node summary = json({"simulate", file, "--out", out});
    std::istringstream lines(fs::exists(result("events.csv")) ? content_of(result("events.csv")) : "");
    std::vector<std::string> rows;
    for (std::string line; std::getline(lines, line);) rows.push_back(line);
    if (!rows.empty()) rows.erase(rows.begin());  // names
    EXPECT_EQ(summary["event_count"].as<std::size_t>(), rows.size()) << duration;
    const std::size_t listed = summary["events"].size();
    EXPECT_LE(listed, rows.size());
    EXPECT_GE(listed, std::min<std::size_t>(rows.size(), 3)) << duration;
    const Outcome said = run({"simulate", file, "--out", out});
    const bool are_all = listed == rows.size();
    (rows.empty() ? was_none : are_all ? was_few : was_many) = true;
    EXPECT_EQ(said.out.find("\nEvents\n") != std::string::npos, !rows.empty() && are_all) << said;
    EXPECT_EQ(said.out.find("\nThe first events\n") != std::string::npos, !are_all) << said;
    if (rows.empty()) continue;
    EXPECT_NE(said.out.find(fmt::format("  friction    {} event{}\n", rows.size(), rows.size() == 1 ? "" : "s")),
              std::string::npos)
        << said;
    const PrintedTable table(said.out, are_all ? "Events" : "The first events");
    ASSERT_EQ(table.rows.size(), listed);
    for (std::size_t i = 0; i < listed; ++i) {
      const YAML::Node event = summary["events"][i];
      std::istringstream entries(rows[i]);
      std::string t, kind, joint, position;
      std::getline(entries, t, ',');
      std::getline(entries, kind, ',');
      std::getline(entries, joint, ',');
      std::getline(entries, position, ',');
      EXPECT_EQ(event["event"].as<std::string>(), kind) << rows[i];
      EXPECT_EQ(event["joint"].as<std::string>(), joint) << rows[i];
      EXPECT_NEAR(event["t"].as<double>(), std::stod(t), 1e-14) << rows[i];
      EXPECT_NEAR(event["position"].as<double>(), std::stod(position), 1e-14) << rows[i];
      EXPECT_EQ(under(table.rows[i], "event"), kind) << rows[i];
      EXPECT_EQ(under(table.rows[i], "joint"), joint) << rows[i];
      expect_shown(under(table.rows[i], "t [s]"), std::stod(t), rows[i]);
      expect_shown(under(table.rows[i], "position"), std::stod(position), rows[i]);
    }
  }
  EXPECT_TRUE(was_none && was_few && was_many);
}

// What trembles by less than atol is drawn still and told to be zero by methods that have an atol. A fixed step has none:
// all that moves is drawn and told.
TEST_F(Simulate, OnlyMethodsWithTolerancesLeaveOutWhatIsWithinThem) {
  // Two that feel nothing of each other; the second is a thousand times slower than atol, and above all rounding.
  folder.write("apart.yaml", R"(
gravity: [0, 0, 0]
bodies:
  - {name: fast, parent: world, joint: {type: revolute}, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
  - {name: slow, parent: world, joint: {type: revolute}, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
)");
  for (const Integrator& integrator : integrators()) {
    if (!is_available(integrator.method)) continue;
    const std::string name(integrator.name);
    const std::string file =
        folder.write("apart_run.yaml", fmt::format("robot: apart.yaml\nduration: 1\nstart: {{v: [1, 1e-13]}}\n"
                                                   "integrator: {{method: {}{}}}\noutput: {{every: 0.05}}\n",
                                                   name, integrator.has_fixed_step ? ", step: 0.01" : ""));
    const Outcome done = run({"simulate", file, "--out", out, "--plot", "--report"});
    ASSERT_EQ(done.status, 0) << name << done;
    const std::string page = content_of(result("report.html"));
    const bool has = has_tolerances(integrator.method);
    EXPECT_EQ(page.find("or the tolerance of the integrator is drawn as zero") != std::string::npos, has) << name;
    EXPECT_EQ(page.find("within the tolerance of the integrator") != std::string::npos, has) << name;
    EXPECT_EQ(done.out.find("(0: no more than atol, 1e-10)") != std::string::npos, has) << done;
    EXPECT_EQ(done.out.find("rtol") != std::string::npos, has) << done;
    const PrintedTable table(done.out, "At the end");
    ASSERT_EQ(table.rows.size(), 2u);
    EXPECT_NEAR(std::stod(under(table.rows[1], "v")), has ? 0 : 1e-13, 1e-19) << done;
    EXPECT_NEAR(std::stod(under(table.rows[0], "v")), 1, 1e-5) << done;
  }
}

// A block on a rough floor, pushed and let go: it slides and comes to rest where v^2 / (2 mu g) says.
TEST_F(Simulate, TellsWhereFrictionHolds) {
  folder.write("block.yaml",
               "bodies: [{name: block, joint: {type: prismatic, axis: [1, 0, 0], name: \"flo,or\"}, mass: 2, "
               "friction: {coulomb: 4}}]");
  const std::string file = folder.write("slide.yaml", "robot: block.yaml\nduration: 3\nstart: {v: [3]}\n");
  const YAML::Node summary = json({"simulate", file, "--out", out});
  EXPECT_EQ(results(), (Names{"events.csv", "final.json", "manifest.json", "power.csv", "trajectory.csv"}));
  ASSERT_EQ(summary["event_count"].as<int>(), 1);
  EXPECT_EQ(summary["events"][0]["event"].as<std::string>(), "stick");
  EXPECT_NEAR(summary["events"][0]["t"].as<double>(), 1.5, 1e-6);
  EXPECT_NEAR(summary["events"][0]["position"].as<double>(), 2.25, 1e-6);
  const std::string events = content_of(result("events.csv"));
  EXPECT_TRUE(events.starts_with("t,event,joint,position\n1.")) << events;
  EXPECT_NE(events.find(",stick,\"flo,or\",2."), std::string::npos) << events;
  EXPECT_NE(run({"simulate", file, "--out", out}).out.find("\nEvents\n"), std::string::npos);
  const std::string smooth = folder.write("smooth.yaml", "robot: pendulum\nduration: 0.1\nstart: {q: [0.3]}\n");
  const Outcome none = run({"simulate", smooth, "--out", folder.path("smooth")});
  EXPECT_EQ(none.status, 0) << none;
  EXPECT_EQ(none.out.find("vents"), std::string::npos) << "there are none: " << none;
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
