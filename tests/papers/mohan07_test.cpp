// The PUMA of Mohan07, Table 2, along its trajectory (38): torques, pivots and condition of the inertia matrix,
// recomputed from first principles with 50 digits (corrected: C5 = rho a^2 b / 2).
#include "support/condition.hpp"
#include "support/data.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

const double pi = std::acos(-1.0);

// theta_i = pi t/T - sin(2 pi t/T)/2 for all joints, T = 10 s                                          [Mohan07 (38)]
struct Trajectory {
  double theta, rate, acceleration;
  explicit Trajectory(double t) {
    const double w = 2 * pi / 10;
    theta = (w * t - std::sin(w * t)) / 2;
    rate = w * (1 - std::cos(w * t)) / 2;
    acceleration = w * w * std::sin(w * t) / 2;
  }
};
template <class R> std::vector<R> all(const Json& number_of_row) { return std::vector<R>(6, number<R>(number_of_row)); }

template <class R> struct Mohan07 : testing::Test {
  const Json reference = data("ms_puma_reference.json");
  const BasicModel<R> model{shipped("puma_mohan07")};
};
using Reals = testing::Types<double, long double>;
TYPED_TEST_SUITE(Mohan07, Reals);

TYPED_TEST(Mohan07, LinksAreBentRods) {
  ASSERT_EQ(this->reference["links"].size(), 6u);
  for (int i = 1; i <= 6; ++i) {
    const Json link = this->reference["links"][i - 1];
    const Inertial& found = this->model.robot().bodies[i].inertial;
    EXPECT_DOUBLE_EQ(found.mass, number(link["mass"]));
    const auto com = numbers(link["com_from_Oi+1_in_Fi+1"]), Ic = numbers(link["Ic_about_C_in_Fi+1"]);
    const Sym3<double> I = found.inertia + found.hub;
    // The tensor about the mass centre is what is left of sums over the two arms, each about m l^2.
    const double size = found.mass * 0.5 * 0.5 + 0.2;
    expect_near({found.com.x, found.com.y, found.com.z}, com, rounding<double>(1, 0.5), "mass centre");
    expect_near({I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz}, Ic, rounding<double>(1, size), "inertia");
  }
}

TYPED_TEST(Mohan07, TorquesAlongTheTrajectoryAndAccelerationsBack) {
  using R = TypeParam;
  ASSERT_EQ(this->reference["torques"].size(), 21u);
  for (const Json& row : this->reference["torques"]) {
    const std::string t = "t = " + row["t"].Scalar();
    const auto a = all<R>(row["thetadd"]), tau = numbers<R>(row["tau"]);
    Machine<R> machine(this->model, all<R>(row["theta"]), all<R>(row["thetad"]));
    expect_inverse<R>(machine, a, tau, t);
    expect_forward<R>(machine, tau, a, t);
    const Trajectory exact(number(row["t"]));
    EXPECT_NEAR(exact.theta, number(row["theta"]), 1e-15);
    EXPECT_NEAR(exact.rate, number(row["thetad"]), 1e-15);
    EXPECT_NEAR(exact.acceleration, number(row["thetadd"]), 1e-15);
  }
}

TYPED_TEST(Mohan07, PivotsAndCondition) {
  using R = TypeParam;
  for (const Json& row : this->reference["torques"]) {
    const std::string t = "t = " + row["t"].Scalar();
    Machine<R> machine(this->model, all<R>(row["theta"]), all<R>(row["thetad"]));
    const auto I = machine.inertia();
    const auto D = numbers<R>(row["D"]);
    factorize<R>(this->model, machine.at, machine.factor);
    std::vector<R> d(6);
    pivots<R>(machine.factor, d);
    // The first two are what is left of I after elimination; the others only sum what lies beyond their joints, and
    // are constant.
    for (int k = 0; k < 6; ++k)
      EXPECT_NEAR(d[k], D[k], rounding<double>(6, k < 2 ? row_sum(I, 6) : double(D[k]))) << t << ", D" << k + 1;
    const double cond = number(row["cond2"]);
    EXPECT_NEAR(double(condition(I, 6)), cond, rounding<double>(6, cond) * cond) << t;
  }
}

TEST(Mohan07Trajectory, ConditionRunsBetweenItsEnds) {
  const Json reference = data("ms_puma_reference.json");
  const double greatest = number(reference["cond_max"][0]), least = number(reference["cond_min"][0]);
  const Model model(shipped("puma_mohan07"));
  const auto condition_at = [&](double t) {
    return condition(
        Machine<double>(model, std::vector<double>(6, Trajectory(t).theta), std::vector<double>(6, 0.0)).inertia(), 6);
  };
  for (int ms = 0; ms <= 10000; ms += 20) {
    const double found = condition_at(ms / 1000.0);
    EXPECT_LE(found, greatest * (1 + rounding<double>(6, greatest))) << "t = " << ms / 1000.0;
    EXPECT_GE(found, least * (1 - rounding<double>(6, least))) << "t = " << ms / 1000.0;
  }
  EXPECT_NEAR(condition_at(number(reference["cond_max"][1])), greatest, rounding<double>(6, greatest) * greatest);
  EXPECT_NEAR(condition_at(number(reference["cond_min"][1])), least, rounding<double>(6, least) * least);
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
