// Robots and states of tests/data/oracle_cases.json through the command line, against what an independent oracle says.
#include <Eigen/Dense>

#include "run.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

const YAML::Node& cases() {
  static const YAML::Node all = YAML::LoadFile(DENOC_TEST_DATA "/oracle_cases.json")["cases"];
  return all;
}
std::string text(const YAML::Node& node) {
  YAML::Emitter out;
  out.SetMapFormat(YAML::Flow);
  out.SetSeqFormat(YAML::Flow);
  out << node;
  return out.c_str();
}

Eigen::MatrixXd matrix(const YAML::Node& node) {
  const auto n = Eigen::Index(node.size());
  Eigen::MatrixXd m(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Row r = row(node[std::size_t(i)]);
    EXPECT_EQ(Eigen::Index(r.size()), n);
    for (Eigen::Index k = 0; k < n; ++k) m(i, k) = r[std::size_t(k)];
  }
  return m;
}
Eigen::VectorXd vector(const YAML::Node& node) {
  const Row r = row(node);
  return Eigen::Map<const Eigen::VectorXd>(r.data(), Eigen::Index(r.size()));
}

class Oracle : public testing::TestWithParam<int> {
 protected:
  Oracle() {
    model = folder.write("robot.yaml", text(c["robot"]));
    states = folder.write("states.json", text(c["states"]));
  }
  YAML::Node ask(const std::string& command) { return json({command, model, "--state", states}); }

  Folder folder;
  YAML::Node c = cases()[std::size_t(GetParam())];
  std::string model, states;
};

// Sums of a few terms each: good to 1e-12 of the largest.
TEST_P(Oracle, InverseDynamics) {
  const YAML::Node found = ask("id");
  ASSERT_EQ(found.size(), c["id"].size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Row expected = row(c["id"][i]);
    expect_close(row(found[i]["tau"]), expected, 1e-12 * largest(expected), "tau");
  }
}

// The oracle solves with I, the library with U D U^T: both backward stable, so it is I (a - expected) that vanishes to
// rounding of the terms of I a, whatever the condition of I; a - expected itself is larger by up to that condition.
TEST_P(Oracle, ForwardDynamics) {
  const YAML::Node found = ask("fd");
  ASSERT_EQ(found.size(), c["fd"].size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Eigen::MatrixXd inertia = matrix(c["inertia"][i]);
    const Eigen::VectorXd a = vector(found[i]["a"]), expected = vector(c["fd"][i]);
    ASSERT_EQ(a.size(), expected.size());
    const double terms = inertia.cwiseAbs().rowwise().sum().maxCoeff() * expected.cwiseAbs().maxCoeff() +
                         vector(c["states"][i]["tau"]).cwiseAbs().maxCoeff();
    EXPECT_LE((inertia * (a - expected)).cwiseAbs().maxCoeff(), 1e-12 * terms);
    const Eigen::VectorXd values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(inertia).eigenvalues();
    const double condition = values.maxCoeff() / values.minCoeff();
    EXPECT_LE((a - expected).norm(), 1e-12 * std::max(1.0, 1e-2 * condition) * expected.norm());
  }
}

TEST_P(Oracle, InertiaAndItsFactors) {
  for (const char* method : {"composite", "udut"}) {
    const YAML::Node found = json({"inertia", model, "--state", states, "--method", method});
    ASSERT_EQ(found.size(), c["inertia"].size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      const Eigen::MatrixXd expected = matrix(c["inertia"][i]), I = matrix(found[i]["I"]), U = matrix(found[i]["U"]);
      const Eigen::VectorXd D = vector(found[i]["D"]);
      const double largest = expected.cwiseAbs().maxCoeff();
      EXPECT_LE((I - expected).cwiseAbs().maxCoeff(), 1e-12 * largest) << method;
      EXPECT_LE((U * D.asDiagonal() * U.transpose() - expected).cwiseAbs().maxCoeff(), 1e-12 * largest) << method;
      EXPECT_EQ(U.diagonal(), Eigen::VectorXd::Ones(U.rows()));
      EXPECT_TRUE(U.isUpperTriangular(0));
      EXPECT_GT(D.minCoeff(), 0);
      const Eigen::VectorXd values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(expected).eigenvalues();
      const double condition = values.maxCoeff() / values.minCoeff();
      // The smallest eigenvalue is known to rounding of the largest.
      EXPECT_NEAR(found[i]["condition"].as<double>(), condition, 1e-14 * condition * condition + 1e-12 * condition);
    }
  }
}

// T = v . I v / 2
TEST_P(Oracle, KineticEnergy) {
  const YAML::Node found = ask("energy");
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Eigen::VectorXd v = vector(c["states"][i]["v"]);
    const double expected = v.dot(matrix(c["inertia"][i]) * v) / 2;
    EXPECT_NEAR(found[i]["kinetic"].as<double>(), expected, 1e-12 * expected);
  }
}

// One object gives one object, and the same numbers.
TEST_P(Oracle, OneStateIsAnsweredByOneObject) {
  const std::string one = folder.write("one.json", text(c["states"][0]));
  const YAML::Node found = json({"id", model, "--state", one});
  ASSERT_TRUE(found.IsMap());
  EXPECT_EQ(row(found["tau"]), row(ask("id")[0]["tau"]));
}

INSTANTIATE_TEST_SUITE_P(All, Oracle, testing::Range(0, int(cases().size())));

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
