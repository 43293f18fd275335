// The matrices of the papers obey their laws and agree with the recursions: shipped robots, and random trees of every
// joint type.
#include "denoc/dynamics/study.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <filesystem>

#include "denoc/io/load.hpp"
#include "support/build.hpp"
#include "support/dense.hpp"
#include "support/laws.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

using study::Grouping;
using study::Matrix;
using Dense = Eigen::MatrixXd;

Dense dense(const Matrix& m) {
  Dense x(m.rows, m.cols);
  for (int i = 0; i < m.rows; ++i)
    for (int k = 0; k < m.cols; ++k) x(i, k) = m(i, k);
  return x;
}
Dense dense(const std::vector<double>& by_rows, int rows) {
  return dense(Matrix{rows, int(by_rows.size()) / std::max(rows, 1), by_rows});
}
Matrix matrix(const Dense& x) {
  Matrix m{int(x.rows()), int(x.cols()), {}};
  for (int i = 0; i < m.rows; ++i)
    for (int k = 0; k < m.cols; ++k) m.entries.push_back(x(i, k));
  return m;
}
double row_sum(const Dense& x) { return x.size() == 0 ? 0 : x.cwiseAbs().rowwise().sum().maxCoeff(); }
// `terms`: how large the products are that meet in the difference.
void expect_equal(const Dense& a, const Dense& b, double terms, const std::string& what) {
  ASSERT_EQ(a.rows(), b.rows()) << what;
  ASSERT_EQ(a.cols(), b.cols()) << what;
  if (a.size() == 0) return;
  EXPECT_LE((a - b).cwiseAbs().maxCoeff(), rounding<double>(int(a.rows()) + 6, terms)) << what;
}
void expect_zero(const Dense& a, double terms, const std::string& what) {
  expect_equal(a, Dense::Zero(a.rows(), a.cols()), terms, what);
}

struct Case {
  std::string name;
  Model model;
  std::vector<double> q, v;
};
std::vector<Case> cases() {
  std::vector<Case> all;
  Random random(97);
  const auto add_case = [&](const std::string& name, const Robot& robot) {
    Model model(robot);
    if (model.nv() == 0 || model.nv() > 60) return;
    const auto q = random_q<double>(random, model), v = random_vector<double>(random, model.nv());
    all.push_back({name, std::move(model), q, v});
  };
  for (const auto& entry : std::filesystem::directory_iterator(DENOC_MODELS_DIR))
    if (entry.path().extension() == ".yaml") add_case(entry.path().stem(), read_robot(entry.path()).robot);
  for (int k = 0; k < 20; ++k)
    add_case(
        "random " + std::to_string(k),
        random_robot(random, {.bodies = 1 + k / 2, .chain = k % 3 == 0, .free_root = k % 4 == 1, .rotors = false}));
  return all;
}

Dense inertia_of(const Case& c) { return dense(Machine<double>(c.model, c.q, c.v).inertia(), c.model.nv()); }
Dense ordered(const Dense& I, const std::vector<int>& dofs) {
  Dense x(I.rows(), I.cols());
  for (int i = 0; i < I.rows(); ++i)
    for (int k = 0; k < I.cols(); ++k) x(i, k) = I(dofs[i], dofs[k]);
  return x;
}

TEST(Study, ComplementsObeyTheirLaws) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const study::Matrices s = study::matrices(c.model, c.q, c.v);
    const Dense K = dense(s.K), T = dense(s.T), M = dense(s.M), W = dense(s.W), t = dense(s.t), N = dense(s.N),
                M_o = dense(s.M_origin), v = dense(c.v, c.model.nv()), I = inertia_of(c);
    expect_zero(K * T, row_sum(K) * row_sum(T), "K T = 0");
    expect_equal(T * v, t, row_sum(T) * largest(c.v), "t = T v");
    expect_equal(N * v, dense(s.t_origin), row_sum(N) * largest(c.v), "t_o = N v");
    expect_equal(N, dense(s.N_l) * dense(s.N_d), row_sum(dense(s.N_l)) * row_sum(dense(s.N_d)), "N = N_l N_d");
    const double terms =
        row_sum(T.transpose()) * row_sum(M) * row_sum(T) + row_sum(N.transpose()) * row_sum(M_o) * row_sum(N);
    expect_equal(T.transpose() * M * T, I, terms, "I = T^T M T");
    expect_equal(N.transpose() * M_o * N, I, terms, "I = N^T M N");
    expect_zero(W * t, row_sum(W) * row_sum(t), "W t = 0");
    // K leaves nothing free but what the joints do.
    EXPECT_EQ(Eigen::FullPivLU<Dense>(K).setThreshold(1e-10).rank(), K.cols() - c.model.nv());
  }
}

// M' = W M - M W against the difference of M along the motion: the third derivative times h^2, and rounding over h.
TEST(Study, InertiasTurnWithTheirLinks) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const auto after = [&](double h) {
      auto step = c.v, q = c.q;
      for (double& x : step) x *= h;
      integrate<double>(c.model, c.q, step, q);
      return dense(study::matrices(c.model, q, c.v).M);
    };
    const double h = 1e-5;
    const study::Matrices s = study::matrices(c.model, c.q, c.v);
    const Dense M = dense(s.M), W = dense(s.W), rate = (after(h) - after(-h)) / (2 * h);
    const double fast = 1 + 2 * W.cwiseAbs().maxCoeff(), size = M.cwiseAbs().maxCoeff();
    EXPECT_LE((W * M - M * W - rate).cwiseAbs().maxCoeff(), 10 * size * (h * h * fast * fast * fast + 1e-15 / h));
  }
}

// T^T (M T' + W M T) v [Angeles7 (7.57)] and N^T (M N' + Omega M E N) v [Shah13 (13)] are what the recursions call
// bias, less gravity.
TEST(Study, RatesGiveTheCoriolisForces) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const study::Matrices s = study::matrices(c.model, c.q, c.v);
    Machine<double> machine(c.model, c.q, c.v);
    const Dense T = dense(s.T), T_rate = dense(s.T_rate), M = dense(s.M), W = dense(s.W), v = dense(c.v, c.model.nv());
    const Dense expected = dense(machine.bias(), c.model.nv()) - dense(machine.gravity(), c.model.nv());
    const double terms =
        row_sum(T.transpose()) * row_sum(M) * (row_sum(T_rate) + row_sum(W) * row_sum(T)) * largest(c.v) +
        largest(machine.bias()) + largest(machine.gravity());
    expect_equal(T.transpose() * (M * T_rate + W * M * T) * v, expected, terms, "C v, mass centres");

    const Dense N = dense(s.N), N_rate = dense(s.N_rate), M_o = dense(s.M_origin), Omega = dense(s.Omega);
    const double terms_o =
        row_sum(N.transpose()) * row_sum(M_o) * (row_sum(N_rate) + row_sum(Omega) * row_sum(N)) * largest(c.v);
    expect_equal(N.transpose() * (M_o * N_rate + Omega * M_o * dense(s.E) * N) * v, expected, terms + terms_o,
                 "C v, origins");
  }
}

// What the library itself says of the laws, and that wrong entries are seen.
TEST(Study, IdentitiesHoldAndFindWrongEntries) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const study::Matrices right = study::matrices(c.model, c.q, c.v);
    for (const auto& [law, residual, allowed] : study::identities(c.model, c.q, c.v, right))
      EXPECT_LE(residual, allowed) << law;
  }
  const Model puma(read_robot(std::string(DENOC_MODELS_DIR) + "/puma560.yaml").robot);
  const std::vector<double> q = {0.3, -0.6, 0.9, 0.4, -0.8, 1.1}, v = {0.5, 1, -0.7, 1.2, 0.4, -0.9};
  const auto broken = [&](Matrix study::Matrices::*matrix, std::string_view law) {
    study::Matrices wrong = study::matrices(puma, q, v);
    for (double& entry : (wrong.*matrix).entries) entry += 1e-8;
    for (const study::Identity& identity : study::identities(puma, q, v, wrong))
      if (identity.law == law) return identity.residual > identity.rounding;
    throw std::out_of_range(std::string(law));
  };
  EXPECT_TRUE(broken(&study::Matrices::K, "K T = 0"));
  EXPECT_TRUE(broken(&study::Matrices::T, "T^T M T = I"));
  EXPECT_TRUE(broken(&study::Matrices::W, "W t = 0"));
  EXPECT_TRUE(broken(&study::Matrices::W, "W M - M W = M'"));
  EXPECT_TRUE(broken(&study::Matrices::N_l, "N_l N_d = N"));
  EXPECT_TRUE(broken(&study::Matrices::N, "N^T M_o N = I"));
  EXPECT_TRUE(broken(&study::Matrices::C, "C + C^T = I'"));
  EXPECT_TRUE(broken(&study::Matrices::T_l, "T_l T_d = T"));
  EXPECT_TRUE(broken(&study::Matrices::M_tilde, "T_l^T M T_l = Mtil"));
  EXPECT_TRUE(broken(&study::Matrices::T_d, "T_d^T Mtil T_d = I"));
}

TEST(Study, EveryMatrixHasAName) {
  const Case c = cases().front();
  const study::Matrices s = study::matrices(c.model, c.q, c.v);
  for (const study::Name& name : study::names()) {
    EXPECT_FALSE(name.symbol.empty() || name.meaning.empty());
    const bool is_square_of_dofs = name.rows == study::Name::Entries::dofs;
    EXPECT_EQ((s.*name.value).rows, is_square_of_dofs ? c.model.nv() : 6 * c.model.link_count()) << name.symbol;
  }
}

// C v is what Coriolis and centrifugal forces are.                                                  [Angeles7 (7.59)]
TEST(Study, CoriolisMatrixTimesRatesIsTheBiasWithoutGravity) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    Robot weightless = c.model.robot();
    weightless.gravity = {0, 0, 0};
    const Model model(weightless);
    const study::Matrices s = study::matrices(model, c.q, c.v);
    Machine<double> machine(model, c.q, c.v);
    const std::vector<double> bias = machine.inverse(std::vector<double>(c.v.size()));
    const Dense T = dense(s.T), v = dense(c.v, int(c.v.size()));
    const double terms = row_sum(T.transpose()) * row_sum(dense(s.M)) *
                         (row_sum(dense(s.T_rate)) + row_sum(dense(s.W)) * row_sum(T)) * v.cwiseAbs().maxCoeff();
    expect_equal(dense(s.C) * v, dense(bias, int(bias.size())), terms, "C v");
  }
}

// Saha97 works about mass centres, denoc about the joints: one factor.
TEST(Study, FactorsAboutMassCentresAreThoseAboutOrigins) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const auto about = [&](study::About points) { return study::modular(c.model, c.q, Grouping::links, points); };
    const study::Modular origins = about(study::About::origins), centres = about(study::About::mass_centres);
    const Dense I = dense(origins.U) * dense(origins.D) * dense(origins.U).transpose();
    const Dense again = dense(centres.U) * dense(centres.D) * dense(centres.U).transpose();
    // Moving to a mass centre and back costs what the lever arms do to the inertias.
    const double terms = row_sum(dense(centres.N_l)) * row_sum(dense(centres.N_l).transpose()) * row_sum(I);
    expect_equal(again, I, 10 * terms, "U D U^T");
  }
}

// Shah13 Table 1, by modules and by links, is inverse dynamics.
TEST(Study, InverseDynamicsFromModuleToModule) {
  Random random(7);
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const std::vector<double> a = random_vector<double>(random, c.model.nv());
    Machine<double> machine(c.model, c.q, c.v);
    const std::vector<double> expected = machine.inverse(a);
    for (const Grouping grouping : {Grouping::modules, Grouping::links}) {
      const study::Modular robot = study::modular(c.model, c.q, grouping);
      const auto motion = study::modular_inverse(c.model, c.q, c.v, a, grouping);
      std::vector<double> tau(expected.size());
      double terms = 0;
      for (size_t i = 0; i < motion.size(); ++i) {
        for (size_t k = 0; k < robot.modules[i].dofs.size(); ++k)
          tau[size_t(robot.modules[i].dofs[k])] = motion[i].tau.entries[k];
        terms = std::max(terms, row_sum(dense(robot.modules[i].N).transpose()) * row_sum(dense(motion[i].w_tilde)));
      }
      expect_equal(dense(tau, int(tau.size())), dense(expected, int(tau.size())), 10 * terms, "tau");
    }
  }
}

// N^jT M~^j A^ji N^i is I, and Phi Mhat is what is left of Mhat behind the joints.          [Shah13 (16), (17), (21)]
TEST(Study, CompositeAndArticulatedModules) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const study::Modular robot = study::modular(c.model, c.q, Grouping::modules);
    const Dense I = dense(robot.U) * dense(robot.D) * dense(robot.U).transpose();
    double largest = 0;
    for (const study::ModuleMatrices& m : robot.modules) {
      largest = std::max(largest, row_sum(dense(m.M_tilde)));
      const Dense left = dense(m.Phi) * dense(m.M_hat);
      // Phi = 1 - Psi N^T, and Psi = Psihat Ihat^-1 is as good as the condition of Ihat allows.
      const Dense I_hat = dense(m.I_hat);
      const double condition = row_sum(I_hat) * row_sum(inverse_of(I_hat)),
                   terms = (1 + condition * row_sum(dense(m.Psi)) * row_sum(dense(m.N).transpose())) *
                           row_sum(dense(m.M_hat));
      expect_equal(left, left.transpose(), terms, "Phi Mhat is symmetric");
      expect_zero(dense(m.N).transpose() * left, row_sum(dense(m.N).transpose()) * terms, "N^T Phi Mhat");
    }
    const Dense N = dense(robot.N_l) * dense(robot.N_d);
    expect_equal(dense(study::composite_inertia(robot)), I, row_sum(N.transpose()) * largest * row_sum(N), "I");
  }
}

// Saha97: the elementary matrices, dense, and the recursion.
TEST(Study, ReverseEliminationGivesTheFactorsOfTheRecursion) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const int n = c.model.nv();
    const Dense I = inertia_of(c);
    const auto [elementary, U, D] = study::reverse_elimination(matrix(I), std::vector<int>(size_t(n), 1));
    ASSERT_EQ(int(elementary.size()), n - 1);
    Dense L = I, inverse = Dense::Identity(n, n);
    for (const Matrix& E : elementary) L = dense(E) * L, inverse = dense(E) * inverse;
    const double terms = row_sum(dense(U)) * row_sum(inverse) * row_sum(I);
    for (int i = 0; i < n; ++i)
      for (int k = i + 1; k < n; ++k) EXPECT_LE(std::abs(L(i, k)), rounding<double>(n, terms));
    expect_equal(inverse * dense(U), Dense::Identity(n, n), row_sum(inverse) * row_sum(dense(U)), "U = E^-1");

    Machine<double> machine(c.model, c.q, c.v);
    std::vector<double> u(size_t(n) * size_t(n), 0.0), d(size_t(n), 0.0);
    factorize<double>(c.model, machine.at, machine.factor);
    unit_upper<double>(c.model, machine.at, machine.factor, machine.dense, u);
    pivots<double>(machine.factor, d);
    const double condition = row_sum(I) * row_sum(inverse_of(I));
    expect_equal(dense(U), dense(u, n), condition * row_sum(dense(U)), "U");
    expect_equal(dense(D).diagonal(), dense(d, n), condition * largest(d), "D");
  }
}
TEST(Study, BlocksThatDoNotAddUpAreRefused) {
  const Matrix I = matrix(Dense::Identity(4, 4));
  EXPECT_THROW(study::reverse_elimination(I, std::vector<int>{1, 2}), ArgumentError);
  EXPECT_THROW(study::reverse_elimination(matrix(Dense::Zero(4, 3)), std::vector<int>{4}), ArgumentError);
}

// Shah13: the recursion from module to module, that from link to link inside them, and block elimination.
TEST(Study, ModulesGiveTheNumbersOfTheirLinks) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const int n = c.model.nv();
    const Dense I = inertia_of(c);
    Machine<double> machine(c.model, c.q, c.v);
    factorize<double>(c.model, machine.at, machine.factor);
    std::vector<double> phi(c.v), expected(size_t(n), 0.0), d(size_t(n), 0.0);
    solve<double>(c.model, machine.at, machine.factor, phi, machine.dense.solve, expected);
    pivots<double>(machine.factor, d);
    const double condition = row_sum(I) * row_sum(inverse_of(I));
    for (const Grouping grouping : {Grouping::links, Grouping::modules}) {
      const study::Modular robot = study::modular(c.model, c.q, grouping);
      const Dense here = ordered(I, robot.dofs), U = dense(robot.U), D = dense(robot.D);
      expect_equal(U * D * U.transpose(), here, row_sum(U) * row_sum(D) * row_sum(U.transpose()), "I = U D U^T");
      const auto eliminated = study::reverse_elimination(matrix(here), robot.sizes());
      expect_equal(U, dense(eliminated.U), condition * row_sum(U), "U");
      expect_equal(D, dense(eliminated.D), condition * row_sum(D), "D");
      EXPECT_EQ(eliminated.elementary.size() + 1, robot.modules.size());
      const auto x = study::solve(robot, phi);
      EXPECT_LE(largest_difference(times(machine.inertia(), x), phi),
                rounding<double>(n, row_sum(I) * largest(x) + largest(phi)));
      expect_equal(dense(x, n), dense(expected, n), condition * largest(expected), "I^-1 phi");
      // Inside a block the joints are eliminated one by one: the pivots of the scalar factor.
      for (const study::ModuleMatrices& module : robot.modules) {
        const auto inside = study::reverse_elimination(module.I_hat, std::vector<int>(module.dofs.size(), 1));
        for (int k = 0; k < int(module.dofs.size()); ++k)
          EXPECT_NEAR(inside.D(k, k), d[module.dofs[k]], rounding<double>(n, condition * largest(d)));
      }
    }
  }
}
TEST(Study, ModulesAreSerialBranches) {
  const Robot gripper = read_robot(std::string(DENOC_MODELS_DIR) + "/gripper.yaml").robot;
  const Model model(gripper);
  const study::Modular robot = study::modular(model, std::vector<double>(size_t(model.nq()), 0.3), Grouping::modules);
  ASSERT_EQ(robot.modules.size(), 3u);  // palm, finger of two joints, thumb  [Shah13 Fig. 4]
  EXPECT_EQ(robot.sizes(), (std::vector<int>{1, 2, 1}));
  EXPECT_EQ(robot.modules[1].A.rows, 12);
  EXPECT_EQ(robot.modules[1].A.cols, 6);
  EXPECT_EQ(robot.modules[2].parent, 0);
}

TEST(Study, PlanarRobotsNeedThreeNumbers) {
  Robot robot;
  const Sym3<double> ball{0.1, 0.02, 0.2, 0.01, 0.03, 0.15};
  robot.gravity = {1, -9, 0.5};
  add(robot, joint(JointType::revolute), mass(2, {0.2, 0.1, 0.3}, ball));
  add(robot, joint(JointType::prismatic, {0.6, 0.8, 0}), mass(1, {0.1, 0, -0.2}, ball), {0.4, 0, 0.1});
  add(robot, joint(JointType::revolute, {0, 0, -1}), mass(3, {0.3, 0.2, 0}, ball), {0.1, 0.3, 0});
  add(robot, joint(JointType::planar), mass(1, {0.1, 0.2, 0}, ball), {0.1, 0, 0}).parent = 1;
  const Model model(robot);
  Random random(5);
  const auto q = random_q<double>(random, model), v = random_vector<double>(random, model.nv());
  const study::PlanarMatrices s = study::planar_matrices(model, q, v);
  EXPECT_EQ(s.T.rows, 3 * model.link_count());
  // The plane is that of x and y: w_z, c'_x, c'_y of the six.
  const study::Matrices spatial = study::matrices(model, q, v);
  for (int i = 0; i < s.T.rows; ++i)
    for (int k = 0; k < s.T.cols; ++k) EXPECT_NEAR(s.T(i, k), spatial.T(6 * (i / 3) + 2 + i % 3, k), 1e-15);
  Machine<double> machine(model, q, v);
  const int n = model.nv();
  const double size = row_sum(dense(machine.inertia(), n));
  expect_equal(dense(s.I), dense(machine.inertia(), n), size, "I");
  const Dense bias = dense(s.C) * dense(v, n) - dense(s.gamma);
  expect_equal(bias, dense(machine.bias(), n), largest(machine.bias()) + largest(machine.gravity()), "bias");

  // In the plane of y and z.
  Robot upright;
  add(upright, joint(JointType::revolute, {1, 0, 0}), mass(2, {0.3, 0.2, 0.1}, ball));
  add(upright, joint(JointType::revolute, {-1, 0, 0}), mass(1, {0, 0.1, -0.2}, ball), {0, 0.4, 0.1});
  const Model standing(upright);
  const std::vector<double> posture = {0.3, -0.7}, rates = {1.1, 0.4};
  Machine<double> two(standing, posture, rates);
  expect_equal(dense(study::planar_matrices(standing, posture, rates).I), dense(two.inertia(), 2),
               row_sum(dense(two.inertia(), 2)), "I");

  // Slides alone: two of them are parallel, but for the rounding of their frames.
  Robot slides;
  add(slides, joint(JointType::prismatic, {1, 2, 5}), mass(1));
  add(slides, joint(JointType::prismatic), mass(1)).parent = 0;
  slides.bodies[2].joint_frame.R = rotation(random.attitude());
  slides.bodies[2].joint.axis = back(slides.bodies[2].joint_frame.R, Vec3<double>{1, 2, 5});
  add(slides, joint(JointType::prismatic, {1, 0, 0}), mass(1)).parent = 0;
  EXPECT_EQ(study::planar_matrices(Model(slides), std::vector<double>(3), std::vector<double>(3)).T.rows, 9);

  // Hinges turn about the normal, either way round, and slides keep across it; all others leave the plane.
  robot.bodies[3].joint.name = "elbow";
  for (const JointType type : {JointType::revolute, JointType::prismatic})
    for (const Vec3<double>& axis : {Vec3<double>{0, 0, 1},
                                     {0, 0, -1},
                                     {0, 1, 0},
                                     {-1, 0, 0},
                                     {0, 1, 1},
                                     {0, 1, -1},
                                     {1, 0, -1e-3},
                                     {1e-3, 0, 1}}) {
      robot.bodies[3].joint.type = type;
      robot.bodies[3].joint.axis = axis;
      const bool is_across = axis.z == 0, is_normal = axis.x == 0 && axis.y == 0;
      const Model turned(robot);
      if (type == JointType::revolute ? is_normal : is_across) {
        EXPECT_NO_THROW(study::planar_matrices(turned, q, v)) << axis.x << ' ' << axis.y << ' ' << axis.z;
        continue;
      }
      try {
        study::planar_matrices(turned, q, v);
        ADD_FAILURE() << "taken for planar: " << axis.x << ' ' << axis.y << ' ' << axis.z;
      } catch (const ArgumentError& refused) {
        EXPECT_NE(std::string(refused.what()).find("'elbow'"), std::string::npos) << refused.what();
      }
    }
}

// Robots in any plane of the world, of slides alone that may be anything but parallel, with hinges and without: the inertia,
// the Coriolis forces and the weight from three numbers a link are those from six.
TEST(Study, AnyPlaneNeedsThreeNumbers) {
  Random random(11);
  const Sym3<double> ball{0.1, 0.02, 0.2, 0.01, 0.03, 0.15};
  for (int trial = 0; trial < 60; ++trial) {
    const Vec3<double> normal = trial < 3
                                    ? Vec3<double>{trial == 0 ? 1.0 : 0, trial == 1 ? 1.0 : 0, trial == 2 ? 1.0 : 0}
                                : trial == 3 ? Vec3<double>{1, 1e-9, 0}
                                             : random.direction();
    const Vec3<double> some = cross(normal, random.direction()), x = some * (1 / norm(some)), y = cross(normal, x);
    const double apart = trial % 5 == 0   ? 1e-3
                         : trial % 5 == 1 ? 3.1
                                          : random.uniform(0.1, 3);  // of the first two slides
    const auto in_plane = [&](double angle) { return x * std::cos(angle) + y * std::sin(angle); };
    Robot robot;
    robot.gravity = random.vector(10);
    add(robot, joint(JointType::prismatic, in_plane(0.3)), mass(2, random.vector(0.3), ball));
    add(robot, joint(JointType::prismatic, in_plane(0.3 + apart)), mass(1, random.vector(0.3), ball),
        random.vector(0.2));
    add(robot, joint(JointType::prismatic, in_plane(random.uniform(-3, 3))), mass(3, random.vector(0.3), ball));
    if (trial % 2 == 1) {
      add(robot, joint(JointType::revolute, normal * (trial % 4 == 1 ? 1 : -1)), mass(1, random.vector(0.3), ball),
          random.vector(0.2));
      add(robot, joint(JointType::prismatic, in_plane(1)), mass(1, random.vector(0.3), ball));
    }
    const Model model(robot);
    const int n = model.nv();
    const auto q = random_vector<double>(random, n), v = random_vector<double>(random, n);
    SCOPED_TRACE(testing::Message() << trial << ": " << normal.x << ' ' << normal.y << ' ' << normal.z << ", "
                                    << apart);
    const study::PlanarMatrices s = study::planar_matrices(model, q, v);
    Machine<double> machine(model, q, v);
    const Dense I = dense(machine.inertia(), n);
    // Joints are taken for those of a plane that leave it by up to 1e-9, which axes nearly parallel tell 1e3 times worse.
    const double frames = apart < 0.01 ? 1e3 : 1;
    expect_equal(dense(s.I), I, frames * row_sum(I), "I");
    const Dense bias = dense(s.C) * dense(v, n) - dense(s.gamma);
    expect_equal(bias, dense(machine.bias(), n),
                 frames * (row_sum(I) + largest(machine.bias()) + largest(machine.gravity())), "bias");
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
