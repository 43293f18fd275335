// The gripper and the rope of Shah13.
#include "support/condition.hpp"
#include "support/data.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

const double pi = std::acos(-1.0);

// The shipped gripper is variant A: the thumb at the middle of the palm. Variant B has it at the palm's end.
Robot gripper(bool thumb_at_the_end) {
  Robot robot = shipped("gripper");
  if (thumb_at_the_end) robot.bodies[robot.find("thumb")].joint_frame.r.x = 0.10;
  return robot;
}

class Gripper : public testing::TestWithParam<bool> {
 protected:
  const Json reference = data("gripper.json");
  const Json results = reference["results"][GetParam() ? "B_thumb_at_tip_0.10" : "A_thumb_at_mid_0.05"];
};
INSTANTIATE_TEST_SUITE_P(Shah13, Gripper, testing::Values(false, true),
                         [](const auto& variant) { return variant.param ? "ThumbAtTheEnd" : "ThumbInTheMiddle"; });

// theta = theta(0) + (theta(T) - theta(0))/T [t - T/(2 pi) sin(2 pi t/T)], T = 1 s, Table 2            [Shah13 (15)]
TEST_P(Gripper, TorquesWithAndWithoutGravity) {
  const double tolerance = number(reference["tolerance"]["ID_abs"]);
  EXPECT_EQ(tolerance, 1e-13);
  ASSERT_EQ(results["inverse_dynamics"].size(), 11u);
  Robot weightless = gripper(GetParam());
  weightless.gravity = {0, 0, 0};
  const Model heavy(gripper(GetParam())), light(weightless);
  const double from[] = {0, 0, 0, 90}, to[] = {60, 80, 80, 120};
  for (const Json& row : results["inverse_dynamics"]) {
    const double t = number(row["t"]), w = 2 * pi;
    std::vector<double> q, v, a;
    for (int k = 0; k < 4; ++k) {
      const double way = (to[k] - from[k]) * pi / 180;
      q.push_back(from[k] * pi / 180 + way * (t - std::sin(w * t) / w));
      v.push_back(way * (1 - std::cos(w * t)));
      a.push_back(way * w * std::sin(w * t));
    }
    expect_near(q, numbers(row["theta"]), 1e-15, "theta");
    expect_near(Machine<double>(heavy, q, v).inverse(a), numbers(row["tau_g981"]), tolerance, "with gravity");
    expect_near(Machine<double>(light, q, v).inverse(a), numbers(row["tau_zero_g"]), tolerance, "without");
  }
}

TEST_P(Gripper, AccelerationsWhenLetGo) {
  const Model model(gripper(GetParam()));
  const std::vector<double> none(4, 0.0);
  const std::pair<const char*, std::vector<double>> starts[] = {
      {"free_fall_paper_m60_0_0_0", {-pi / 3, 0, 0, 0}}, {"free_fall_redysim_default_0_0_0_90", {0, 0, 0, pi / 2}}};
  for (const auto& [name, q] : starts) {
    const Json fall = results[name];
    Machine<double> machine(model, q, none);
    const auto a = numbers(fall["qdd0"]);
    expect_forward<double>(machine, none, a, name);
    expect_near(machine.forward(none), a, rounding<double>(4, largest(a)), name);
    EXPECT_NEAR(potential_energy<double>(model, machine.kin), number(fall["E0"]), rounding<double>(4, 1)) << name;
  }
}

// A step of Table 3 misprinted errs by 40 rad/s^2 here.
TEST(Shah13, Table3) {
  const Json table = data("checks.json")["shah_table3"];
  const Model model(gripper(false));
  Machine<double> machine(model, numbers(table["state_q"]), numbers(table["v"]));
  const auto tau = numbers(table["tau"]), a = numbers(table["qdd"]);
  expect_forward<double>(machine, tau, a, "Table 3");
  expect_near(machine.forward(tau), a, rounding<double>(4, largest(a)), "Table 3");
}

template <class R> struct Rope : testing::Test {
  const Json reference = data("rope.json");
  // The accelerations, and how many cylinders the rope has.
  void expect_accelerations(const Json& expected, int elements, R first_beta_rate) {
    Robot robot = shipped("rope50");
    robot.bodies.resize(1 + elements);
    const BasicModel<R> model(robot);
    ASSERT_EQ(model.nv(), 2 * elements);
    const std::vector<R> none(model.nv(), R(0));
    auto v = none;
    v[1] = first_beta_rate;
    Machine<R> machine(model, none, v);
    const auto a = numbers<R>(expected["qdd0"]);
    expect_forward<R>(machine, none, a, "residual");
    // A dense solve would lose eps cond = 5e-9 of them. Eliminating joint by joint, about the joints, loses a rounding
    // per joint and no more; what is left in long double is the reference's own.
    const double cond = double(condition(machine.inertia(), model.nv()));
    if (elements == 50) {
      EXPECT_NEAR(cond, 2.4e7, 0.1e7);
    }
    expect_near(machine.forward(none), a, rounding<double>(model.nv(), largest(a)), "qdd0");
    const R energy = kinetic_energy<R>(model, machine.kin) + potential_energy<R>(model, machine.kin);
    EXPECT_NEAR(double(energy), number(expected["E0"]), rounding<double>(elements, 1));
  }
};
using Reals = testing::Types<double, long double>;
TYPED_TEST_SUITE(Rope, Reals);

TYPED_TEST(Rope, StraightAndAtRest) { this->expect_accelerations(this->reference["IC1"], 50, 0); }
TYPED_TEST(Rope, StraightAndTurning) { this->expect_accelerations(this->reference["IC2"], 50, 1); }
TYPED_TEST(Rope, OfTenElements) { this->expect_accelerations(this->reference["N10_IC1"], 10, 0); }

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
