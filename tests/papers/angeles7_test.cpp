// Examples and exercises of Angeles7, chapter 7, recomputed with 50 digits (misprints of the book corrected).
#include "support/data.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

std::vector<double> plus(std::vector<double> x, const std::vector<double>& y, double factor = 1) {
  for (size_t k = 0; k < x.size(); ++k) x[k] += factor * y[k];
  return x;
}
std::vector<double> negative(const std::vector<double>& x) { return plus(std::vector<double>(x.size(), 0.0), x, -1); }

// I' along the motion.
std::vector<double> inertia_rate(const Model& model, const std::vector<double>& q, const std::vector<double>& v) {
  const auto state = moving(model, q, v, std::vector<double>(v.size(), 0.0));
  std::vector<double> rate;
  for (const Moving& entry : Machine<Moving>(model, state.q, state.v).inertia()) rate.push_back(entry.d);
  return rate;
}

// What the entries of I, I' and C are sums of: inertias, times rates.
double velocity_terms(Machine<double>& machine) {
  return row_sum(machine.inertia(), machine.model.nv()) * std::max(1.0, largest(machine.v)) *
         std::max(1.0, largest(machine.v));
}

TEST(Angeles7, Examples731And762PlanarArm) {
  const Json example = data("angeles_ex.json")["planar3R"];
  const auto three = [&](const std::string& name) {
    const Json in = example["input"];
    return std::vector<double>{number(in[name + "1"]), number(in[name + "2"]), number(in[name + "3"])};
  };
  const Model model(shipped("planar3r"));
  const auto q = three("th"), v = three("d"), a = three("dd");
  Machine<double> machine(model, q, v);
  const double tolerance = rounding<double>(3, velocity_terms(machine));

  expect_near(machine.inertia(), numbers(example["I"]), rounding<double>(3, row_sum(machine.inertia(), 3)), "I");
  const auto rate = inertia_rate(model, q, v), C = machine.coriolis();
  expect_near(rate, numbers(example["Idot"]), tolerance, "I'");
  expect_near(times(rate, v), numbers(example["iota=Idot*thetadot"]), tolerance, "I' v");
  expect_near(C, numbers(example["C_Christoffel"]), tolerance, "C");
  expect_near(C, numbers(example["C_NOC=T^T M Tdot"]), tolerance, "C by the natural orthogonal complement");
  expect_near(times(C, v), numbers(example["C*thetadot"]), tolerance, "C v");
  expect_near(plus(rate, C, -2), numbers(example["Idot-2C"]), tolerance, "I' - 2 C");
  expect_near(machine.gravity(), negative(numbers(example["gamma_gravity(-dV/dtheta)"])),
              rounding<double>(3, largest(machine.gravity())), "gravity");
  expect_inverse<double>(machine, a, numbers(example["tau_ID"]), "torques");
  expect_forward<double>(machine, {5, -2, 1}, numbers(example["FD_thetaddot_for_tau_5_-2_1"]), "accelerations");
}

TEST(Angeles7, Example761SpatialArm) {
  const Json example = data("angeles_ex.json")["ex761"];
  const double p = number(example["numeric_input"]["p"]), a = number(example["numeric_input"]["a"]);
  const Model model(shipped("spatial3r"));
  const std::vector<double> q(3, 0.0), v(3, p);
  Machine<double> machine(model, q, v);
  const double tolerance = rounding<double>(3, velocity_terms(machine));
  const auto rate = inertia_rate(model, q, v), C = machine.coriolis();
  expect_near(machine.inertia(), numbers(example["numeric"]["I"]), rounding<double>(3, 1.2), "I");
  expect_near(rate, numbers(example["numeric"]["Idot"]), tolerance, "I'");
  expect_near(times(C, v), numbers(example["numeric"]["C*thetadot"]), tolerance, "C v");
  std::vector<double> both(9);
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) both[3 * i + k] = C[3 * i + k] + C[3 * k + i];
  expect_near(both, rate, tolerance, "C + C^T = I'");

  // Velocities and accelerations of the mass centres: `com_vel`, `com_acc` of the data, which are in letters.
  const Vec3<double> velocity[] = {{-a * p / 2, -a * p / 2, 0},
                                   {-3 * a * p / 2, -a * p / 2, -a * p / 2},
                                   {-3 * a * p / 2, -a * p / 2, -a * p}},
                     acceleration[] = {{a * p * p / 2, -a * p * p / 2, 0},
                                       {0, -2 * a * p * p, a * p * p / 2},
                                       {0, -2 * a * p * p, 0}};
  accelerations<double>(model, v, std::vector<double>(3, 0.0), machine.kin);
  for (int b = 1; b <= 3; ++b) {
    const auto t = velocity_in_world<double>(model, machine.kin, b);
    const auto rate_of_t = acceleration_in_world<double>(model, machine.kin, b);
    const Vec3<double> arm = pose_in_world<double>(model, machine.kin, b).R * model.robot().bodies[b].inertial.com;
    EXPECT_LE(norm(t.v + cross(t.w, arm) - velocity[b - 1]), rounding<double>(3, a * p)) << b;
    EXPECT_LE(norm(rate_of_t.v + cross(rate_of_t.w, arm) + cross(t.w, cross(t.w, arm)) - acceleration[b - 1]),
              rounding<double>(3, 3 * a * p * p))
        << b;
  }
}

// One exercise: inertia matrix, velocity terms, gravity, torques and accelerations.
struct Exercise {
  Model model;
  Json reference;
  std::vector<double> q, v, a, tau;
  Machine<double> machine;

  Exercise(const Robot& robot, const std::string& key, const char* q_key, const char* v_key, const char* a_key)
      : model(robot),
        reference(data("exercises_floating.json")[key]),
        q(numbers(reference[q_key])),
        v(numbers(reference[v_key])),
        a(numbers(reference[a_key])),
        tau(numbers(reference["tau"])),
        machine(model, q, v) {}

  void expect_equations(const char* gravity_key) {
    const int n = model.nv();
    const double terms = velocity_terms(machine);
    expect_near(machine.inertia(), numbers(reference["I"]), rounding<double>(n, row_sum(machine.inertia(), n)), "I");
    expect_near(times(machine.coriolis(), v), numbers(reference["C_thetadot"]), rounding<double>(n, terms), "C v");
    const auto gravity = machine.gravity();
    expect_near(gravity, numbers(reference[gravity_key]), rounding<double>(n, largest(gravity)), "gravity");
    expect_near(plus(machine.bias(), gravity, -1), numbers(reference["C_thetadot"]),
                rounding<double>(n, terms + largest(gravity)), "bias less gravity");
    expect_inverse<double>(machine, a, tau, "torques");
    expect_forward<double>(machine, tau, a, "accelerations");
  }
};

TEST(Angeles7, Exercise73SixAxisRobot) {
  Exercise(shipped("decoupled_arm"), "ex7_3_surrogate", "theta", "thetadot", "thetaddot")
      .expect_equations("gravity_lhs");
}

// Its torques overcome friction, too, which rigid-body dynamics leaves out.
TEST(Angeles7, Exercise76Wrist) {
  Exercise wrist(shipped("wrist"), "ex7_6_wrist", "theta", "thetadot", "thetaddot");
  wrist.tau = plus(wrist.tau, numbers(wrist.reference["friction_lhs"]), -1);
  wrist.expect_equations("dVdtheta");
}

TEST(Angeles7, Exercise77PointingDevice) {
  Exercise device(shipped("pointing_device"), "ex7_7_pointing", "theta", "thetadot", "thetaddot");
  device.expect_equations("gravity_lhs");
  const double terms = velocity_terms(device.machine);
  EXPECT_NEAR(kinetic_energy<double>(device.model, device.machine.kin), number(device.reference["T"]),
              rounding<double>(2, terms));
  expect_near(inertia_rate(device.model, device.q, device.v), numbers(device.reference["Idot"]),
              rounding<double>(2, terms), "I'");
}

TEST(Angeles7, Exercise711RevoluteRevolutePrismatic) {
  Exercise(shipped("rrp"), "ex7_11_RRP", "theta1_theta2_b3", "rates", "acc").expect_equations("gravity_lhs");
}

// The data's free joint: quaternion (of any length) then position; v = [angular velocity in the body, velocity of the
// origin in the joint frame]. Ours is B v with B = diag(1, R^T, 1), and a = B v' + B' v, B' v = (0, -w x R^T p', 0).
struct FreeFlyer {
  Model model{shipped("free_flying_arm")};
  std::vector<double> q;
  Mat3<double> R;

  explicit FreeFlyer(const std::vector<double>& theirs) : q(theirs) {
    for (int k = 0; k < 3; ++k) q[k] = theirs[4 + k];
    for (int k = 0; k < 4; ++k) q[3 + k] = theirs[k];
    normalise<double>(model, q);
    R = rotation(Quaternion<double>{q[3], q[4], q[5], q[6]});
  }
  // Their 9 rates (or forces): turns the three of the origin into body axes.
  std::vector<double> ours(std::vector<double> x) const {
    const Vec3<double> linear = back(R, Vec3<double>{x[3], x[4], x[5]});
    x[3] = linear.x, x[4] = linear.y, x[5] = linear.z;
    return x;
  }
  std::vector<double> theirs(std::vector<double> x) const {
    const Vec3<double> linear = R * Vec3<double>{x[3], x[4], x[5]};
    x[3] = linear.x, x[4] = linear.y, x[5] = linear.z;
    return x;
  }
  // B' v: the rate of our linear velocity while theirs is constant.
  std::vector<double> turning(const std::vector<double>& v_ours) const {
    const Vec3<double> w{v_ours[0], v_ours[1], v_ours[2]}, linear{v_ours[3], v_ours[4], v_ours[5]};
    const Vec3<double> rate = cross(linear, w);
    return {0, 0, 0, rate.x, rate.y, rate.z, 0, 0, 0};
  }
};

TEST(Angeles7, Equation789FreeFlyingArm) {
  const Json reference = data("exercises_floating.json")["floating_base"];
  const FreeFlyer arm(numbers(reference["q_quat_pos_theta"]));
  const auto their_v = numbers(reference["v_omegaBody_pdotWorld_thetadot"]), v = arm.ours(their_v);
  const auto tau = arm.ours(numbers(reference["tau"])), their_a = numbers(reference["vdot"]);
  const auto a = plus(arm.ours(their_a), arm.turning(v));
  Machine<double> machine(arm.model, arm.q, v);
  expect_forward<double>(machine, tau, a, "accelerations");
  expect_near(arm.theirs(plus(machine.forward(tau), arm.turning(v), -1)), their_a, rounding<double>(9, 80), "vdot");
  expect_inverse<double>(machine, a, tau, "forces");

  // Their inertia matrix column by column: B^T I B e_k. Their Coriolis forces: B^T (I B' v + C v).
  const auto M = numbers(reference["M"]), I = machine.inertia();
  std::vector<double> found(81);
  for (int k = 0; k < 9; ++k) {
    std::vector<double> unit(9, 0.0);
    unit[k] = 1;
    const auto column = arm.theirs(times(I, arm.ours(unit)));
    for (int i = 0; i < 9; ++i) found[9 * i + k] = column[i];
  }
  expect_near(found, M, rounding<double>(9, row_sum(I, 9)), "M");
  expect_near(arm.theirs(plus(times(I, arm.turning(v)), machine.bias())), numbers(reference["coriolis"]),
              rounding<double>(9, velocity_terms(machine)), "Coriolis forces");

  const auto momentum = momentum_in_world<double>(arm.model, machine.kin);
  const double tolerance = rounding<double>(9, row_sum(I, 9) * largest(v));
  expect_near({momentum.f.x, momentum.f.y, momentum.f.z}, numbers(reference["P"]), tolerance, "linear momentum");
  expect_near({momentum.n.x, momentum.n.y, momentum.n.z}, numbers(reference["L_about_world_origin"]), tolerance,
              "angular momentum");
  EXPECT_NEAR(kinetic_energy<double>(arm.model, machine.kin), number(reference["T"]), tolerance);

  const int base = arm.model.robot().find("base_body");
  accelerations<double>(arm.model, v, machine.forward(tau), machine.kin);
  const auto t = velocity_in_world<double>(arm.model, machine.kin, base);
  const auto rate = acceleration_in_world<double>(arm.model, machine.kin, base);
  const Json world = reference["world"];
  expect_near({t.w.x, t.w.y, t.w.z}, numbers(world["omega0_world"]), rounding<double>(3, 1), "omega");
  expect_near({rate.w.x, rate.w.y, rate.w.z}, numbers(world["alpha0_world"]), rounding<double>(9, 80), "alpha");
  expect_near({rate.v.x, rate.v.y, rate.v.z}, numbers(world["c0ddot_world"]), rounding<double>(9, 80), "c''");

  // The same from an independent check of (7.89), with its inertia matrix in inertial axes.
  const Json check = data("checks.json")["eq7_89"];
  std::vector<double> vdot = {rate.w.x, rate.w.y, rate.w.z, rate.v.x, rate.v.y, rate.v.z};
  for (int k = 6; k < 9; ++k) vdot.push_back(machine.forward(tau)[k]);
  expect_near(vdot, numbers(check["corrected_vdot"]), rounding<double>(9, 80), "(7.89)");
}

// The states of its simulation keep the momenta, to the tolerance of that simulation.
TEST(Angeles7, FreeFlyingArmOnItsWay) {
  const Json simulation = data("exercises_floating.json")["floating_base"]["simulation"];
  const double tolerance = number(simulation["tolerance"]);
  ASSERT_EQ(simulation["rows"].size(), 11u);
  for (const Json& row : simulation["rows"]) {
    std::vector<double> theirs = numbers(row["quat"]);
    for (const char* key : {"pos", "theta"})
      for (const double x : numbers(row[key])) theirs.push_back(x);
    const FreeFlyer arm(theirs);
    Machine<double> machine(arm.model, arm.q, arm.ours(numbers(row["v"])));
    const auto momentum = momentum_in_world<double>(arm.model, machine.kin);
    expect_near({momentum.f.x, momentum.f.y, momentum.f.z}, numbers(row["P"]), tolerance, "linear momentum");
    expect_near({momentum.n.x, momentum.n.y, momentum.n.z}, numbers(row["L"]), tolerance, "angular momentum");
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
