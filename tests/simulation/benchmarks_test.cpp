// Mechanisms with known answers: the pendulum A01 and the governor A05 of the IFToMM benchmarks, the gripper and the
// rope of Shah13, the free-flying arm.
#include <cmath>

#include "denoc/control/controllers.hpp"
#include "denoc/kinematics/energy.hpp"
#include "support/data.hpp"
#include "support/simulated.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

Vec3<double> point_of(const Model& model, const std::vector<double>& q, int body, const Vec3<double>& point) {
  Configuration<double> at(model);
  Kinematics<double> kin(model);
  place<double>(model, q, at);
  positions<double>(model, at, kin);
  const Pose<double> pose = pose_in_world<double>(model, kin, body);
  return pose.r + pose.R * point;
}

TEST(A01, PendulumOverTenSeconds) {
  const Model model(shipped("pendulum"));
  const auto run = simulated(model, setup_of({-M_PI / 2}, {0}, 10, 1, tight(1e-12)));
  struct Known {
    double t, x, y;
  };
  for (const auto& [t, x, y] :
       {Known{1, 0.9862917511319, -0.1650108531255}, Known{5, -0.9423054350438, -0.3347543384140},
        Known{10, -0.2750874625761, -0.9614192050991}}) {
    const double q = run.at(t).q[0];
    EXPECT_NEAR(std::sin(q), x, 1e-9) << t;
    EXPECT_NEAR(-std::cos(q), y, 1e-9) << t;
  }
}

TEST(Shah13, GripperFallsFreely) {
  const Json results = data("gripper.json")["results"];
  const Model model(shipped("gripper"));
  for (const auto& [name, start] : {std::pair{"free_fall_paper_m60_0_0_0", std::vector{-M_PI / 3, 0., 0., 0.}},
                                    {"free_fall_redysim_default_0_0_0_90", {0, 0, 0, M_PI / 2}}}) {
    const Json rows = results["A_thumb_at_mid_0.05"][name]["rows"];
    const double end = number(rows[rows.size() - 1]["t"]);
    const auto run = simulated(model, setup_of(start, {0, 0, 0, 0}, end, 0.05, tight(1e-14)));
    for (const Json& row : rows) {
      const double t = number(row["t"]);
      expect_near(run.at(t).q, numbers(row["theta_exact"]), 1e-10, name);
    }
    EXPECT_LE(simulated(model, setup_of(start, {0, 0, 0, 0}, end, 0.05, tight(1e-10))).energy_drift(), 1e-9) << name;
  }
}

TEST(Shah13, RopeSwings) {
  const Json rope = data("rope.json");
  const Model model(shipped("rope50"));
  const int tip = int(model.bodies().size()) - 1, middle = tip / 2;
  for (const std::string start : {"IC1", "IC2"}) {
    std::vector<double> q(100), v(100);
    if (start == "IC2") v[1] = 1;
    const auto run = simulated(model, setup_of(q, v, 1.75, 0.05, tight(1e-10)));
    for (const Json& row : rope[start]["rows"]) {
      const auto known = numbers(row);
      const Kept& sample = run.at(known[0]);
      const Vec3<double> at = point_of(model, sample.q, tip, {0.05, 0, 0}),
                         mid = point_of(model, sample.q, middle, {0.05, 0, 0});
      expect_near<double>({at.x, at.y, at.z, mid.x, mid.y, mid.z},
                          {known[1], known[2], known[3], known[4], known[5], known[6]}, 1e-8, start);
      EXPECT_LE(std::abs(sample.energy() - run.samples[0].energy()), 1e-9);
    }
    EXPECT_LE(run.energy_drift(), 1e-9) << start;
  }
}

// L = 53.868998658 about z is conserved, s falls and rises with the balls; the spring-dampers make it stiff.
Simulated governor(const IntegratorOptions& options, double duration) {
  const Model model(shipped("governor"));
  return simulated(model, setup_of({0, M_PI / 6, M_PI / 6, 0.5}, {2 * M_PI, 0, 0, 0}, duration, 0.1, options));
}
void expect_governor(const Simulated& run, double tolerance) {
  struct Known {
    double t, s;
  };
  for (const auto& [t, s] :
       {Known{.1, .5238364756}, {.5, .7432494248}, {1, .5014209224}, {5, .5355631037}, {10, .6196229171}}) {
    if (t > run.samples.back().t) break;
    EXPECT_NEAR(run.at(t).q[3], s, tolerance) << t;
  }
}
TEST(A05, GovernorByDormandPrince) {
  const auto run = governor(tight(1e-9), 1);
  expect_governor(run, 1e-7);
}
TEST(A05, GovernorByGear) {
  if (!has_multistep()) GTEST_SKIP() << "SUNDIALS is not there";
  const auto run = governor(tight(1e-11, IntegrationMethod::bdf), 10);
  expect_governor(run, 1e-7);
  EXPECT_NEAR(run.at(10).v[0], 5.5482036227, 1e-6);
  const auto coarse = governor(tight(1e-6, IntegrationMethod::bdf), 10);
  const auto explicit_run = governor(tight(1e-6), 10);
  EXPECT_LE(10 * coarse.statistics.evaluations, explicit_run.statistics.evaluations);
  EXPECT_TRUE(explicit_run.statistics.stiff);
  EXPECT_FALSE(coarse.statistics.stiff);
}

class FreeFlyingArm : public testing::TestWithParam<IntegrationMethod> {};
TEST_P(FreeFlyingArm, KeepsItsMomentum) {
  const IntegrationMethod method = GetParam();
  if (method != IntegrationMethod::dopri5 && !has_multistep()) GTEST_SKIP() << "SUNDIALS is not there";
  const Json given = data("exercises_floating.json")["floating_base"], rows = given["simulation"]["rows"];
  const Model model(shipped("free_flying_arm"));
  // Theirs: quaternion, position; velocity of the origin in world axes.
  const auto state = [&](const std::vector<double>& quat, const std::vector<double>& p,
                         const std::vector<double>& theta, const std::vector<double>& v) {
    std::vector<double> q = {p[0], p[1], p[2]}, rates(v.begin(), v.begin() + 3);
    q.insert(q.end(), quat.begin(), quat.end());
    q.insert(q.end(), theta.begin(), theta.end());
    normalise<double>(model, q);
    const Vec3<double> linear =
        back(rotation(Quaternion<double>{q[3], q[4], q[5], q[6]}), Vec3<double>{v[3], v[4], v[5]});
    rates.insert(rates.end(), {linear.x, linear.y, linear.z, v[6], v[7], v[8]});
    return std::pair{q, rates};
  };
  const auto known = [&](const Json& row) {
    return state(numbers(row["quat"]), numbers(row["pos"]), numbers(row["theta"]), numbers(row["v"]));
  };
  // The reference's own error is 8e-10. Multistep methods of tolerance 1e-12 keep that over one step, not over
  // thousands.
  const double tolerance = method == IntegrationMethod::dopri5 ? 2e-9 : 1e-6;
  const auto [q0, v0] = known(rows[0]);
  auto setup = setup_of(q0, v0, 5, 0.5, tight(1e-12, method));
  setup.control = given_torques([](double t, std::span<double> tau) {
    for (double& x : tau) x = 0;
    tau[6] = 2 * std::sin(2 * t);
    tau[7] = -1.5 * std::cos(3 * t);
    tau[8] = 0.8 * std::sin(5 * t);
  });
  const auto run = simulated(model, setup);
  Configuration<double> at(model);
  Kinematics<double> kin(model);
  for (const Json& row : rows) {
    const auto [q, v] = known(row);
    const Kept& sample = run.at(number(row["t"]));
    std::vector<double> difference_to(9);
    difference<double>(model, sample.q, q, difference_to);
    expect_near(difference_to, std::vector<double>(9, 0.0), tolerance, "q");
    expect_near(sample.v, v, tolerance, "v");
    place<double>(model, sample.q, at);
    positions<double>(model, at, kin);
    velocities<double>(model, sample.v, kin);
    const Wrench<double> momentum = momentum_in_world<double>(model, kin);
    expect_near<double>({momentum.f.x, momentum.f.y, momentum.f.z}, numbers(given["P"]), tolerance, "P");
    expect_near<double>({momentum.n.x, momentum.n.y, momentum.n.z}, numbers(given["L_about_world_origin"]), tolerance,
                        "L");
  }
  EXPECT_LE(run.statistics.balance_defect, tolerance * run.statistics.largest_kinetic);
  EXPECT_LE(run.statistics.quaternion_defect, tolerance);
}
INSTANTIATE_TEST_SUITE_P(All, FreeFlyingArm,
                         testing::Values(IntegrationMethod::dopri5, IntegrationMethod::adams, IntegrationMethod::bdf,
                                         IntegrationMethod::ida),
                         [](const auto& given) { return std::string(name_of(given.param)); });

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
