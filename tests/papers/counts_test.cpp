// Operation counts against the published ones: printed polynomials and what an independent prototype reached. A
// division counts as a multiplication there.
#include <gtest/gtest.h>

#include <algorithm>

#include "denoc/dynamics/operation_counts.hpp"
#include "denoc/dynamics/symbolic.hpp"
#include "denoc/model/serial_chain.hpp"
#include "support/build.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

struct Counts {
  explicit Counts(const Robot& robot) : model(robot), all(operation_counts(model)) {}
  const ProblemCount& of(const std::string& problem, const std::string& method = "denoc") const {
    for (const ProblemCount& count : all)
      if (count.problem == problem && count.method == method) return count;
    throw std::out_of_range(problem + " by " + method);
  }
  OperationCount executed(const std::string& problem, const std::string& method = "denoc") const {
    return of(problem, method).executed;
  }
  OperationCount folded(const std::string& problem, const std::string& method = "denoc") const {
    return of(problem, method).folded.value();
  }
  Model model;
  std::vector<ProblemCount> all;
};

OperationCount operator+(const OperationCount& a, const OperationCount& b) { return a - (OperationCount{} - b); }
long total(const OperationCount& c) { return c.mul + c.add + c.div + c.sqrt; }
void expect_at_most(const OperationCount& bar, const OperationCount& count, const std::string& what) {
  EXPECT_LE(count.mul, bar.mul) << what;
  EXPECT_LE(count.add, bar.add) << what;
  EXPECT_LE(count.div, bar.div) << what;
  EXPECT_LE(count.sqrt, bar.sqrt) << what;
  EXPECT_LE(count.sincos, bar.sincos) << what;
}

// c[0] + c[1] n + c[2] n^2 + c[3] n^3
struct Polynomial {
  double c[4];
  double operator()(int n) const { return c[0] + n * (c[1] + n * (c[2] + n * c[3])); }
};
struct Published {
  const char* where;
  Polynomial mul, add;
  int from = 2;  // the prototype counted n = 4 to 9; at n = 2 its lines say 41 M 19 A where 43 M 24 A are needed here
};
void expect_at_most(const Published& published, int n, const OperationCount& count) {
  if (n < published.from) return;
  EXPECT_LE(count.mul + count.div, published.mul(n)) << published.where << ", n = " << n;
  EXPECT_LE(count.add, published.add(n)) << published.where << ", n = " << n;
}

const Published inverse[] = {
    {"Shah13, inverse dynamics", {-81, 94}, {-75, 82}},
    {"Shah13, inverse dynamics of its [13]", {-69, 93}, {-65, 81}},
    {"Mata02, Gibbs-Appell", {-101, 96}, {-100, 84}},
    {"prototype, Gibbs-Appell", {-109, 96}, {-104, 84}},
    {"prototype, Gibbs-Appell, offsets (a, 0, b)", {-104, 91}, {-98, 79}},
    {"Angeles7, Newton-Euler", {-22, 137}, {-14, 110}},
    {"prototype, Newton-Euler", {-138, 117}, {-119, 90}},
};
const Published bias[] = {{"prototype, Gibbs-Appell bias", {-121, 96}, {-115, 83}}};
const Published phi_given[] = {
    {"Shah13, forward dynamics", {-116, 135}, {-123, 131}},
    {"Mohan07", {-128, 173}, {-133, 150}},
    {"Saha97 Table I", {-335, 201}, {-361, 193}},
    {"Saha97 Table I, its [2]", {-198, 199}, {-173, 174}},
    {"prototype", {-243, 142}, {-247, 133}, 3},
    {"prototype, common subexpressions shared", {-239, 140}, {-247, 133}, 3},
};

// Factor and solution for one given phi: what no result needs, such as the base's own psi, drops.
OperationCount folded_phi_given(const Model& model) {
  Graph graph;
  std::vector<Symbol> q, phi, given, a(model.nv());
  for (int k = 0; k < model.nv(); ++k) {
    q.push_back(graph.input("q"));
    phi.push_back(graph.input("phi"));
  }
  Configuration<Symbol> at(model);
  Factor<Symbol> factor(model);
  SolveScratch<Symbol> scratch(model);
  place<Symbol>(model, q, at);
  for (const auto& z : at.z) given.insert(given.end(), {z.theta.c, z.theta.s, z.d});
  factorize<Symbol>(model, at, factor);
  solve<Symbol>(model, at, factor, phi, scratch, a);
  return graph.operations(a, given);
}

TEST(FoldedCounts, OfSerialChainsAreAtMostThePublishedOnes) {
  for (int n = 2; n <= 12; ++n) {
    for (const ChainLinks links : {ChainLinks::general, ChainLinks::rods}) {
      const Counts counts(serial_chain(n, links));
      for (const Published& p : inverse) expect_at_most(p, n, counts.folded("inverse"));
      for (const Published& p : bias) expect_at_most(p, n, counts.folded("bias"));
      for (const Published& p : phi_given) expect_at_most(p, n, folded_phi_given(counts.model));
      EXPECT_EQ(counts.folded("inverse").sincos, n);
      EXPECT_EQ(counts.folded("factorize").sincos, n - 1);  // the inertia does not feel the first joint
    }
  }
}

// Each method against the figures its own paper prints. Angeles7's (7.43) forms c_i and c'_i, which no result needs.
TEST(FoldedCounts, OfEachMethodAreAtMostThoseOfItsPaper) {
  struct {
    const char *problem, *method;
    std::vector<Published> published;
  } const methods[] = {
      {"inverse",
       "gibbs-appell",
       {{"Mata02 Table 1", {-101, 96}, {-100, 84}}, {"prototype", {-109, 96}, {-104, 84}, 3}}},
      {"inverse",
       "newton-euler",
       {{"Angeles7 (7.43)", {-22, 137}, {-14, 110}}, {"Mata02 Table 1, its [14]", {-48, 150}, {-48, 131}}}},
      {"inertia", "gibbs-appell", {{"Mata02 Table 2", {-49, 19.5, 11.5}, {-69, 31.5, 8.5}}}},
      {"inertia",
       "composite",
       {{"Mata02 Table 2, its [18]", {-27, 56, 12}, {-56, 67, 7}},
        {"Mata02 Table 2, Gibbs-Appell", {-49, 19.5, 11.5}, {-69, 31.5, 8.5}}}},
      {"inertia", "noc", {{"Mata02 Table 2, its [19]", {8, -21, 17, 1}, {5, -16, 14, 1}}}},
      {"forward",
       "gibbs-appell-cholesky",
       {{"Mata02 Table 3", {-157, 695. / 6, 13, 1. / 6}, {-174, 683. / 6, 10, 1. / 6}}}},
  };
  for (int n = 2; n <= 12; ++n) {
    const Counts counts(serial_chain(n));
    for (const auto& [problem, method, published] : methods)
      for (const Published& p : published) expect_at_most(p, n, counts.folded(problem, method));
  }
}
// Six joints: the lowest inverse dynamics of the documents [Angeles7 Table 7.4, Li and Sankar], and forward dynamics
// [Mata02 Table 4].
TEST(FoldedCounts, OfSixJoints) {
  const Counts counts(serial_chain(6));
  struct {
    const char *problem, *method;
    long mul, add;
  } const published[] = {
      {"inverse", "denoc", 459, 390},
      {"inverse", "gibbs-appell", 459, 390},
      {"forward", "composite-cholesky", 1627, 1261},
      {"forward", "articulated-body", 1533, 1415},
      {"forward", "noc-cholesky", 1353, 1165},
      {"forward", "gibbs-appell-cholesky", 1042, 905},
  };
  for (const auto& [problem, method, mul, add] : published) {
    const OperationCount count = counts.folded(problem, method);
    EXPECT_LE(count.mul + count.div, mul) << method;
    EXPECT_LE(count.add, add) << method;
  }
}

TEST(FoldedCounts, AreNeverAboveTheExecutedOnes) {
  for (const Robot& robot : {serial_chain(1), serial_chain(5), serial_chain(5, ChainLinks::rods)})
    for (const ProblemCount& count : Counts(robot).all)
      expect_at_most(count.executed, count.folded.value(), robot.name + ": " + count.problem + " by " + count.method);
}

// A body that only turns about a fixed axis: J q'' and its weight. Of the six inertias, two of the first moment and
// one of the second are left, and the joint's own sine and cosine.
TEST(FoldedCounts, OfAPendulumAreItsEquationOfMotion) {
  const Counts counts(serial_chain(1));
  EXPECT_EQ(counts.folded("factorize"), OperationCount{});
  EXPECT_EQ(counts.folded("inertia", "composite"), OperationCount{});
  EXPECT_EQ(counts.folded("solve"), (OperationCount{1, 0, 0, 0, 0}));
}

TEST(ExecutedCounts, PerJointOfASerialChain) {
  for (int n = 2; n <= 12; ++n) {
    const Counts less(serial_chain(n)), more(serial_chain(n + 1));
    const auto added = [&](const char* problem) { return more.executed(problem) - less.executed(problem); };
    expect_at_most({81, 69, 0, 0, 1}, added("inverse"), "inverse");
    expect_at_most({135, 127, 1, 0, 2}, added("factorize") + added("solve"), "factorize + solve");
    expect_at_most({196, 183, 1, 0, 1}, added("forward"), "forward");
  }
}

Body moving(const std::string& name, int parent, JointType type, Vec3<double> axis = {0, 0, 1}) {
  Body body = serial_chain(1).bodies[1];
  body.name = name;
  body.parent = parent;
  body.joint.type = type;
  body.joint.axis = axis;
  return body;
}

TEST(ExecutedCounts, OfFreeAndSphericalRoots) {
  Robot robot;
  robot.bodies.push_back(moving("root", 0, JointType::free));
  const Counts free(robot);
  expect_at_most({54, 60, 0, 0, 0}, free.executed("inverse"), "free, inverse");
  expect_at_most({140, 147, 6, 0, 0}, free.executed("forward"), "free, forward");
  robot.bodies[1].joint.type = JointType::spherical;
  const Counts spherical(robot);
  expect_at_most({45, 48, 0, 0, 0}, spherical.executed("inverse"), "spherical, inverse");
  expect_at_most({112, 113, 3, 0, 0}, spherical.executed("forward"), "spherical, forward");
}

// A joint of several degrees of freedom between two revolute ones, and the same as one-degree joints with massless
// bodies between.
struct Composed {
  Robot robot, parts;
  Composed(JointType type, const std::vector<std::pair<JointType, Vec3<double>>>& made_of) {
    const Body first = moving("first", 0, JointType::revolute), last = moving("last", 2, JointType::revolute);
    Body middle = moving("middle", 1, type, made_of[0].second);
    middle.joint.axis2 = made_of[1].second;
    middle.joint.pitch = 0.1;
    robot.bodies.insert(robot.bodies.end(), {first, middle, last});

    parts.bodies.push_back(first);
    for (size_t k = 0; k < made_of.size(); ++k) {
      Body part = moving("part" + std::to_string(k), int(k) + 1, made_of[k].first, made_of[k].second);
      if (k > 0) part.joint_frame = {};
      if (k + 1 < made_of.size()) {
        part.own_frame = {};
        part.inertial = {};
      }
      parts.bodies.push_back(part);
    }
    parts.bodies.push_back(last);
    parts.bodies.back().parent = int(parts.bodies.size()) - 2;
  }
};

TEST(ExecutedCounts, OfJointsMadeOfSeveralAreThoseOfTheirParts) {
  using enum JointType;
  const Vec3<double> x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1}, oblique{0.6, 0, 0.8};
  const std::pair<const char*, Composed> joints[] = {
      {"universal", {universal, {{revolute, z}, {revolute, oblique}}}},
      {"cylindrical", {cylindrical, {{revolute, oblique}, {prismatic, oblique}}}},
      {"planar", {planar, {{prismatic, x}, {prismatic, y}, {revolute, z}}}},
  };
  for (const auto& [name, joint] : joints) {
    const Counts parts(joint.parts);
    for (const ProblemCount& count : Counts(joint.robot).all)
      expect_at_most(parts.executed(count.problem, count.method), count.executed,
                     std::string(name) + ", " + count.problem);
  }
}

// A screw is one degree of freedom and replaces two: each joint of a chain of screws costs at most what a turning and a
// sliding one do.
TEST(ExecutedCounts, OfHelicalJointsAreAtMostThoseOfATurningAndASlidingOne) {
  using enum JointType;
  const auto screws = [](int n) {
    Robot robot = serial_chain(n);
    for (int b = 1; b <= n; ++b) robot.bodies[b].joint.type = helical, robot.bodies[b].joint.pitch = 0.1;
    return Counts(robot);
  };
  const auto pairs = [](int n) {
    const Robot chain = serial_chain(n);
    Robot robot = chain;
    robot.bodies.resize(1);
    for (int b = 1; b <= n; ++b) {
      Body turning = chain.bodies[b], sliding = chain.bodies[b];
      turning.name += " turning", turning.parent = 2 * b - 2, turning.own_frame = {}, turning.inertial = {};
      sliding.name += " sliding", sliding.parent = 2 * b - 1, sliding.joint_frame = {}, sliding.joint.type = prismatic;
      robot.bodies.insert(robot.bodies.end(), {turning, sliding});
    }
    return Counts(robot);
  };
  for (int n = 2; n <= 6; ++n) {
    const Counts fewer_screws = screws(n), more_screws = screws(n + 1), fewer_pairs = pairs(n),
                 more_pairs = pairs(n + 1);
    const auto added = [&](const char* problem) {
      return std::pair{total(more_screws.executed(problem) - fewer_screws.executed(problem)),
                       total(more_pairs.executed(problem) - fewer_pairs.executed(problem))};
    };
    const auto [torques, torques_of_pair] = added("inverse");
    EXPECT_LE(torques, torques_of_pair) << n;
    const auto [factor, factor_of_pair] = added("factorize");
    const auto [solution, solution_of_pair] = added("solve");
    EXPECT_LE(factor + solution, factor_of_pair + solution_of_pair) << n;
    const auto [forward, forward_of_pair] = added("forward");
    EXPECT_LE(forward, forward_of_pair) << n;
  }
}

// A point mass on two crossed hinges has no inertia about the first where it hangs straight down: the posture that is
// counted at is another.
TEST(ExecutedCounts, AreTakenWhereNothingIsSingular) {
  Robot robot;
  add(robot, joint(JointType::revolute, {0, 0, 1}), {});
  add(robot, joint(JointType::revolute, {1, 0, 0}), mass(1, {0, 0, -1}));
  EXPECT_GT(Counts(robot).executed("forward").mul, 0);
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
