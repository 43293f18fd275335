// The laws of mechanics, for every joint type, random trees and every scalar. That forward inverts inverse dynamics is
// in formulations_test.cpp, for every method.
#include "support/random_laws.hpp"

namespace denoc::test {
namespace {

template <class T> struct Laws : testing::Test {};
TYPED_TEST_SUITE(Laws, Scalars);

TYPED_TEST(Laws, FactorisingAndSolvingGivesTheFusedForwardDynamics) {
  using T = TypeParam;
  for_random_robots<T>([](Random& random, const ModelOf<T>& model) {
    const State<T> s(random, model);
    Machine<T> machine(model, s.q, s.v);
    const int n = model.nv();
    const auto tau = as<T>(random_vector<Real<T>>(random, n, 10)), bias = machine.bias();
    std::vector<T> phi(n), a(n);
    for (int k = 0; k < n; ++k) phi[k] = tau[k] - bias[k];
    factorize<T>(model, machine.at, machine.factor);
    solve<T>(model, machine.at, machine.factor, phi, machine.dense.solve, a);
    const double terms = row_sum(machine.inertia(), n) * largest(a) + largest(phi);
    RC_ASSERT(largest_difference(times(machine.inertia(), a), phi) <= rounding<T>(n, terms));
    RC_ASSERT(largest_difference(machine.inverse(a), tau) <= rounding<T>(n, terms + largest(tau) + largest(bias)));
  });
}

TYPED_TEST(Laws, InertiaMatrixIsSymmetricAndEqualsUDUT) {
  using T = TypeParam;
  for_random_robots<T>(
      [](Random& random, const ModelOf<T>& model) {
        const State<T> s(random, model);
        Machine<T> machine(model, s.q, s.v);
        const int n = model.nv();
        const auto I = machine.inertia();
        factorize<T>(model, machine.at, machine.factor);
        std::vector<T> u(n * n), u_inverse(n * n), inverse(n * n), d(n), x(n);
        unit_upper<T>(model, machine.at, machine.factor, machine.dense, u);
        unit_upper_inverse<T>(model, machine.at, machine.factor, machine.dense, u_inverse);
        inertia_inverse<T>(model, machine.at, machine.factor, machine.inertia_inverse_scratch, inverse);
        pivots<T>(machine.factor, d);
        double udut = 0, unit = 0, off = 0, triangle = 0, size = 0, inverse_error = 0;
        for (int i = 0; i < n; ++i)
          for (int k = 0; k < n; ++k) {
            T sum(0), product(0), identity(0);
            double terms = 0;
            for (int j = 0; j < n; ++j) {
              sum += u[i * n + j] * d[j] * u[k * n + j];
              terms += std::abs(double(value(u[i * n + j] * d[j] * u[k * n + j])));
              product += u[i * n + j] * u_inverse[j * n + k];
              identity += I[i * n + j] * inverse[j * n + k];
            }
            size = larger(size, terms);
            udut = larger(udut, std::abs(double(value(sum - I[i * n + k]))));
            off = larger(off, std::abs(double(value(I[i * n + k] - I[k * n + i]))));
            unit = larger(unit, std::abs(double(value(product)) - (i == k)));
            inverse_error = larger(inverse_error, std::abs(double(value(identity)) - (i == k)));
            if (i > k) triangle = larger(triangle, std::abs(double(value(u[i * n + k]))));
            if (i == k) triangle = larger(triangle, std::abs(double(value(u[i * n + k])) - 1));
          }
        RC_ASSERT(off <= rounding<T>(n, size));
        RC_ASSERT(udut <= rounding<T>(n, size));
        RC_ASSERT(triangle == 0);
        RC_ASSERT(unit <= rounding<T>(n, row_sum(u, n) * row_sum(u_inverse, n)));
        RC_ASSERT(inverse_error <= rounding<T>(n, row_sum(I, n) * row_sum(inverse, n)));
        for (const T& pivot : d) RC_ASSERT(value(pivot) > 0);
      },
      15);
}

TYPED_TEST(Laws, InertiaTimesVectorThreeWays) {
  using T = TypeParam;
  for_random_robots<T>([](Random& random, const ModelOf<T>& model) {
    const State<T> s(random, model);
    Machine<T> machine(model, s.q, s.v);
    const int n = model.nv();
    const auto I = machine.inertia(), Ia = times(I, s.a), bias = machine.bias(), tau = machine.inverse(s.a);
    factorize<T>(model, machine.at, machine.factor);
    std::vector<T> by_inverse(n), by_factor(n);
    for (int k = 0; k < n; ++k) by_inverse[k] = tau[k] - bias[k];
    multiply<T>(model, machine.at, machine.factor, s.a, machine.dense.solve, by_factor);
    const double terms = row_sum(I, n) * largest(s.a);
    RC_ASSERT(largest_difference(by_inverse, Ia) <= rounding<T>(n, terms + largest(bias) + largest(tau)));
    RC_ASSERT(largest_difference(by_factor, Ia) <= rounding<T>(n, terms));
  });
}

TYPED_TEST(Laws, CoriolisMatrixGivesTheVelocityTerms) {
  using T = TypeParam;
  for_random_robots<T>([](Random& random, const ModelOf<T>& model) {
    const State<T> s(random, model);
    Machine<T> machine(model, s.q, s.v);
    const auto C = machine.coriolis(), bias = machine.bias(), gravity = machine.gravity();
    auto by_matrix = times(C, s.v);
    for (int k = 0; k < model.nv(); ++k) by_matrix[k] += gravity[k];
    const double terms = row_sum(C, model.nv()) * largest(s.v) + largest(gravity);
    RC_ASSERT(largest_difference(by_matrix, bias) <= rounding<T>(model.nv(), terms));
  });
}

TEST(TimeLaws, InertiaRateLessTwiceCoriolisIsSkew) {
  for_random_robots<double>([](Random& random, const Model& model) {
    const State<double> s(random, model);
    const int n = model.nv();
    const auto moved = moving(model, s.q, s.v, s.a);
    const auto I = Machine<Moving>(model, moved.q, moved.v).inertia();
    const auto C = Machine<double>(model, s.q, s.v).coriolis();
    double skew = 0, terms = row_sum(I, n);
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < n; ++k) {
        skew = larger(skew, std::abs(I[i * n + k].d - C[i * n + k] - C[k * n + i]));
        terms = std::max({terms, std::abs(I[i * n + k].d), std::abs(C[i * n + k])});
      }
    RC_ASSERT(skew <= rounding<double>(n, terms));
  });
}

TEST(TimeLaws, EnergyRateIsPower) {
  for_random_robots<double>([](Random& random, const Model& model) {
    const State<double> s(random, model);
    const auto tau = Machine<double>(model, s.q, s.v).inverse(s.a);
    const auto moved = moving(model, s.q, s.v, s.a);
    Machine<Moving> machine(model, moved.q, moved.v);
    const Moving kinetic = kinetic_energy<Moving>(model, machine.kin),
                 potential = potential_energy<Moving>(model, machine.kin);
    double power = 0, terms = std::abs(kinetic.d) + std::abs(potential.d) + std::abs(kinetic.x);
    for (int k = 0; k < model.nv(); ++k) {
      power += tau[k] * s.v[k];
      terms += std::abs(tau[k] * s.v[k]);
    }
    RC_ASSERT(std::abs((kinetic + potential).d - power) <= rounding<double>(model.nv(), terms));
    // and the kinetic energy is v^T I v / 2
    const auto I = Machine<double>(model, s.q, s.v).inertia();
    double twice = 0;
    const auto Iv = times(I, s.v);
    for (int k = 0; k < model.nv(); ++k) twice += Iv[k] * s.v[k];
    RC_ASSERT(std::abs(kinetic.x - twice / 2) <= rounding<double>(model.nv(), row_sum(I, model.nv()) * model.nv()));
  });
}

TEST(TimeLaws, MomentumRateIsTheWrenchFromOutside) {
  for_random_robots<double>([](Random& random, const Model& model) {
    const State<double> s(random, model);
    const auto wrenches = random_wrenches<double>(random, model);
    Machine<double> still(model, s.q, s.v);
    Wrench<double> outside = still.reactions(s.a, wrenches)[0];
    const auto centre = mass_centre<double>(model, still.kin);
    const Vec3<double> weight = model.robot().gravity * centre.mass;
    outside += Wrench<double>{cross(centre.position, weight), weight};
    double terms = largest(still.inverse(s.a, wrenches)) + norm(outside.n) + norm(outside.f);
    for (const auto& e : wrenches)
      if (e.body != 0) outside += pose_in_world<double>(model, still.kin, e.body).to_parent(e.wrench);
    const auto moved = moving(model, s.q, s.v, s.a);
    const auto momentum = momentum_in_world<Moving>(model, Machine<Moving>(model, moved.q, moved.v).kin);
    const Vec3<double> n{momentum.n.x.d, momentum.n.y.d, momentum.n.z.d},
        f{momentum.f.x.d, momentum.f.y.d, momentum.f.z.d};
    terms += norm(n) + norm(f);
    RC_ASSERT(norm(n - outside.n) <= rounding<double>(model.nv(), terms));
    RC_ASSERT(norm(f - outside.f) <= rounding<double>(model.nv(), terms));
  });
}

TEST(TimeLaws, FreeTreeKeepsItsMomentum) {
  for_random_robots<double>([](Random& random, const Model& given) {
    Robot robot = given.robot();
    robot.gravity = {0, 0, 0};
    for (size_t b = 1; b < robot.bodies.size(); ++b)
      if (robot.bodies[b].parent == 0) {
        robot.bodies[b].joint = {};
        robot.bodies[b].joint.type = JointType::free;
      }
    const Model model(robot);
    const State<double> s(random, model);
    Machine<double> machine(model, s.q, s.v);
    auto tau = random_vector<double>(random, model.nv(), 10);
    for (const auto& link : model.links().subspan(1))
      if (link.parent == 0)
        for (int k = 0; k < 6; ++k) tau[link.dof + k] = 0;
    const auto a = machine.forward(tau);
    const auto moved = moving(model, s.q, s.v, a);
    const auto momentum = momentum_in_world<Moving>(model, Machine<Moving>(model, moved.q, moved.v).kin);
    const double terms = row_sum(machine.inertia(), model.nv()) * largest(a) + largest(machine.bias()) + largest(tau);
    for (const auto& x : {momentum.n.x, momentum.n.y, momentum.n.z, momentum.f.x, momentum.f.y, momentum.f.z})
      RC_ASSERT(std::abs(x.d) <= rounding<double>(model.nv(), terms * 4));
  });
}

// What the drives give is what the joints transmit, and what the rotors take for themselves.
TEST(FrameLaws, ReactionsProjectToTheJointForces) {
  for_random_robots<double>([](Random& random, const Model& model) {
    const State<double> s(random, model);
    const auto wrenches = random_wrenches<double>(random, model);
    Machine<double> machine(model, s.q, s.v);
    const auto tau = machine.inverse(s.a, wrenches);
    auto transmitted = tau;
    for (const auto& [k, inertia] : model.rotors()) transmitted[k] -= inertia * s.a[k];
    const auto reactions = machine.reactions(s.a, wrenches);
    std::vector<double> J(6 * model.nv());
    const double terms = row_sum(machine.inertia(), model.nv()) * largest(s.a) + largest(machine.bias()) + largest(tau);
    for (int k = 0; k < model.nv(); ++k) {
      const int body = model.body_of_dof(k);
      jacobian_in_body<double>(model, machine.kin, body, J);
      const Wrench<double>& w = reactions[body];
      const double column[] = {w.n.x, w.n.y, w.n.z, w.f.x, w.f.y, w.f.z};
      double power = 0;
      for (int r = 0; r < 6; ++r) power += J[r * model.nv() + k] * column[r];
      RC_ASSERT(std::abs(power - transmitted[k]) <= rounding<double>(model.nv(), terms));
    }
  });
}

TEST(FrameLaws, NothingDependsOnTheWorldFrame) {
  for_random_robots<double>([](Random& random, const Model& model) {
    const State<double> s(random, model);
    Robot turned = model.robot();
    const Pose<double> world{rotation(random.attitude()), random.vector(2)};
    turned.gravity = world.R * turned.gravity;
    for (size_t b = 1; b < turned.bodies.size(); ++b)
      if (turned.bodies[b].parent == 0) turned.bodies[b].joint_frame = world * turned.bodies[b].joint_frame;
    const Model other(turned);
    Machine<double> here(model, s.q, s.v), there(other, s.q, s.v);
    const auto tau = here.inverse(s.a);
    const double terms = row_sum(here.inertia(), model.nv()) * largest(s.a) + largest(here.bias()) + largest(tau);
    RC_ASSERT(largest_difference(tau, there.inverse(s.a)) <= rounding<double>(model.nv(), terms));
    RC_ASSERT(largest_difference(here.inertia(), there.inertia()) <=
              rounding<double>(model.nv(), row_sum(here.inertia(), model.nv())));
  });
}

TEST(FrameLaws, NothingDependsOnTheOrderOfSiblings) {
  for_random_robots<double>([](Random& random, const Model& model) {
    const State<double> s(random, model);
    // Renumber: bodies by depth, siblings backwards.
    const auto& bodies = model.robot().bodies;
    std::vector<int> order = {0}, number(bodies.size());
    for (size_t k = 0; k < order.size(); ++k)
      for (size_t b = bodies.size(); --b > 0;)
        if (bodies[b].parent == order[k]) order.push_back(int(b));
    for (size_t k = 0; k < order.size(); ++k) number[order[k]] = int(k);
    Robot shuffled = model.robot();
    for (size_t k = 1; k < order.size(); ++k) {
      shuffled.bodies[k] = bodies[order[k]];
      shuffled.bodies[k].parent = number[shuffled.bodies[k].parent];
    }
    const Model other(shuffled);
    const auto permuted = [&](const std::vector<double>& x, bool coordinates_of_q) {
      std::vector<double> y(x.size());
      for (size_t k = 1; k < order.size(); ++k) {
        const auto &from = model.bodies()[order[k]], &to = other.bodies()[k];
        const JointType type = bodies[order[k]].joint.type;
        const int size = coordinates_of_q ? coordinates(type) : degrees_of_freedom(type);
        for (int j = 0; j < size; ++j)
          y[(coordinates_of_q ? to.q : to.v) + j] = x[(coordinates_of_q ? from.q : from.v) + j];
      }
      return y;
    };
    Machine<double> here(model, s.q, s.v), there(other, permuted(s.q, true), permuted(s.v, false));
    const auto tau = here.inverse(s.a);
    const double terms = row_sum(here.inertia(), model.nv()) * largest(s.a) + largest(here.bias()) + largest(tau);
    RC_ASSERT(largest_difference(permuted(tau, false), there.inverse(permuted(s.a, false))) <=
              rounding<double>(model.nv(), terms));
  });
}

}  // namespace
}  // namespace denoc::test
