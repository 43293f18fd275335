// The laws of mechanics, for every joint type, random trees and every scalar. That forward inverts inverse dynamics is
// in formulations_test.cpp, for every method.
#include <numeric>

#include "support/random_laws.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

std::vector<double> sum(std::vector<double> x, const std::vector<double>& y) {
  for (size_t k = 0; k < x.size(); ++k) x[k] += y[k];
  return x;
}
template <class R> std::vector<double> sizes(const std::vector<R>& x) {
  std::vector<double> all;
  for (const R& e : x) all.push_back(std::abs(double(e)));
  return all;
}
double power(const std::vector<double>& tau, const std::vector<double>& v) {
  return std::inner_product(tau.begin(), tau.end(), v.begin(), 0.0);
}

// Of square matrices, by rows.
template <class T> std::vector<T> product(const std::vector<T>& x, const std::vector<T>& y) {
  const auto n = size_t(std::lround(std::sqrt(double(x.size()))));
  std::vector<T> xy(n * n, T(0));
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j)
      for (size_t k = 0; k < n; ++k) xy[i * n + k] += x[i * n + j] * y[j * n + k];
  return xy;
}

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
    auto rounding = rounding_at<T>(model, s.q, s.v);
    require(times(machine.inertia(), a), phi, rounding.product(plain(a)), "I a = tau - bias");
    require(machine.inverse(a), tau, rounding.residual(plain(a)), "tau");
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
        std::vector<T> u(n * n), u_inverse(n * n), inverse(n * n), d(n);
        unit_upper<T>(model, machine.at, machine.factor, machine.dense, u);
        unit_upper_inverse<T>(model, machine.at, machine.factor, machine.dense, u_inverse);
        inertia_inverse<T>(model, machine.at, machine.factor, machine.inertia_inverse_scratch, inverse);
        pivots<T>(machine.factor, d);
        std::vector<T> ud(n * n), transposed_u(n * n), transposed_I(n * n), identity(n * n);
        std::vector<double> dI = rounding_at<T>(model, s.q, s.v).inertia(), dU = dI;
        for (int i = 0; i < n; ++i)
          for (int k = 0; k < n; ++k) {
            ud[i * n + k] = u[i * n + k] * d[k];
            transposed_u[i * n + k] = u[k * n + i];
            transposed_I[i * n + k] = I[k * n + i];
            identity[i * n + k] = T(i == k);
            dU[i * n + k] /= double(value(d[k]));
            if (i >= k) RC_ASSERT(value(u[i * n + k]) == (i == k));
          }
        for (const T& pivot : d) RC_ASSERT(value(pivot) > 0);
        require(transposed_I, I, dI, "I^T");
        require(product(ud, transposed_u), I, dI, "U D U^T");
        // |d(I^-1)| <= |I^-1| |dI| |I^-1|, and so of U: I and its factors err each by itself
        const auto inverted = [](const std::vector<double>& dA, const std::vector<double>& inverse_A) {
          return product(inverse_A, product(dA, inverse_A));
        };
        const auto size_U = sizes(plain(u)), size_Y = sizes(plain(u_inverse));
        require(product(u, u_inverse), identity, sum(product(dU, size_Y), product(size_U, inverted(dU, size_Y))),
                "U U^-1");
        require(product(I, inverse), identity, product(sizes(plain(I)), inverted(dI, sizes(plain(inverse)))), "I I^-1");
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
    const std::vector<Real<T>> still(n);
    for (int k = 0; k < n; ++k) by_inverse[k] = tau[k] - bias[k];
    multiply<T>(model, machine.at, machine.factor, s.a, machine.dense.solve, by_factor);
    auto rounding = rounding_at<T>(model, s.q, s.v);
    require(by_inverse, Ia, sum(rounding.residual(plain(s.a)), rounding.inverse(still)), "tau - bias");
    require(by_factor, Ia, rounding.product(plain(s.a)), "U D U^T a");
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
    auto rounding = rounding_at<T>(model, s.q, s.v);
    const std::vector<Real<T>> still(s.v.size());
    require(by_matrix, bias, sum(rounding.inverse(still), times(rounding.coriolis(), sizes(plain(s.v)))),
            "C v + gravity");
  });
}

TEST(TimeLaws, InertiaRateLessTwiceCoriolisIsSkew) {
  for_random_robots<double>([](Random& random, const Model& model) {
    const State<double> s(random, model);
    const int n = model.nv();
    const auto moved = moving(model, s.q, s.v, s.a);
    const auto I = Machine<Moving>(model, moved.q, moved.v).inertia();
    const auto C = Machine<double>(model, s.q, s.v).coriolis();
    std::vector<double> rate, twice;
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < n; ++k) {
        rate.push_back(I[i * n + k].d);
        twice.push_back(C[i * n + k] + C[k * n + i]);
      }
    require(rate, twice, rounding_at<double>(model, s.q, s.v).coriolis(), "I'");
  });
}

TEST(TimeLaws, EnergyRateIsPower) {
  for_random_robots<double>([](Random& random, const Model& model) {
    const State<double> s(random, model);
    Machine<double> still(model, s.q, s.v);
    const auto tau = still.inverse(s.a);
    const auto moved = moving(model, s.q, s.v, s.a);
    Machine<Moving> machine(model, moved.q, moved.v);
    const Moving kinetic = kinetic_energy<Moving>(model, machine.kin),
                 potential = potential_energy<Moving>(model, machine.kin);
    auto rounding = rounding_at<double>(model, s.q, s.v);
    require<double>({(kinetic + potential).d}, {power(tau, s.v)}, {power(rounding.inverse(s.a), sizes(s.v))}, "power");
    require<double>({kinetic.x}, {power(times(still.inertia(), s.v), s.v) / 2},
                    {power(rounding.product(s.v), sizes(s.v)) / 2}, "v^T I v / 2");
  });
}

// The robot on a ground that floats at the world's origin: what the world does to the robot, its joint does to the
// ground.
struct Afloat {
  Model model;
  std::vector<double> q = {0, 0, 0, 1, 0, 0, 0}, v = std::vector<double>(6), a = v;
  std::vector<BodyWrench<double>> wrenches = {};

  Afloat(const Robot& robot, const std::vector<double>& q0, const std::vector<double>& v0,
         const std::vector<double>& a0, const std::vector<BodyWrench<double>>& given = {})
      : model(afloat(robot)) {
    q.insert(q.end(), q0.begin(), q0.end());
    v.insert(v.end(), v0.begin(), v0.end());
    a.insert(a.end(), a0.begin(), a0.end());
    for (const auto& [body, wrench] : given)
      if (body != 0) wrenches.push_back({body + 1, wrench});
  }
  static Robot afloat(Robot robot) {
    for (Body& body : robot.bodies) ++body.parent;
    robot.bodies[0].parent = 0;
    Body raft;
    raft.name = "raft";
    raft.joint.type = JointType::free;
    robot.bodies.insert(robot.bodies.begin() + 1, raft);
    return robot;
  }
  Rounding<double> rounding() const { return rounding_at<double>(model, q, v, wrenches); }
};
// Of moment and force.
std::vector<double> first_six(std::vector<double> all) {
  all.resize(6);
  return all;
}
std::vector<double> entries(const Wrench<double>& w) { return {w.n.x, w.n.y, w.n.z, w.f.x, w.f.y, w.f.z}; }
std::vector<double> momentum_rate(const Model& model, const State<double>& s, const std::vector<double>& a) {
  const auto moved = moving(model, s.q, s.v, a);
  const auto [n, f] = momentum_in_world<Moving>(model, Machine<Moving>(model, moved.q, moved.v).kin);
  return {n.x.d, n.y.d, n.z.d, f.x.d, f.y.d, f.z.d};
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
    for (const auto& e : wrenches)
      if (e.body != 0) outside += pose_in_world<double>(model, still.kin, e.body).to_parent(e.wrench);
    const Afloat afloat(model.robot(), s.q, s.v, s.a, wrenches);
    require(momentum_rate(model, s, s.a), entries(outside), first_six(afloat.rounding().inverse(afloat.a)),
            "momentum's rate");
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
    auto tau = random_vector<double>(random, model.nv(), 10);
    for (const auto& link : model.links().subspan(1))
      if (link.parent == 0)
        for (int k = 0; k < 6; ++k) tau[link.dof + k] = 0;
    const auto a = Machine<double>(model, s.q, s.v).forward(tau);
    const Afloat afloat(robot, s.q, s.v, a);
    require(momentum_rate(model, s, a), std::vector<double>(6), first_six(afloat.rounding().residual(afloat.a)),
            "momentum's rate");
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
    std::vector<double> J(6 * model.nv()), projected;
    for (int k = 0; k < model.nv(); ++k) {
      const int body = model.body_of_dof(k);
      jacobian_in_body<double>(model, machine.kin, body, J);
      const std::vector<double> w = entries(reactions[body]);
      double sum = 0;
      for (int r = 0; r < 6; ++r) sum += J[r * model.nv() + k] * w[r];
      projected.push_back(sum);
    }
    require(projected, transmitted, rounding_at<double>(model, s.q, s.v, wrenches).inverse(s.a), "reactions");
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
    auto rounding = rounding_at<double>(model, s.q, s.v);
    require(there.inverse(s.a), here.inverse(s.a), rounding.inverse(s.a), "tau");
    require(there.inertia(), here.inertia(), rounding.inertia(), "I");
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
    require(there.inverse(permuted(s.a, false)), permuted(here.inverse(s.a), false),
            permuted(rounding_at<double>(model, s.q, s.v).inverse(s.a), false), "tau");
  });
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
