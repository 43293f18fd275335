// Derivatives of a mechanism with everything it has: forces of its file, wrenches of the world, loops.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <array>

#include "denoc/dynamics/reactions.hpp"
#include "denoc/dynamics/singular_inertia.hpp"
#include "denoc/loops/closed_chain.hpp"
#include "denoc/mechanism/dynamics.hpp"
#include "support/data.hpp"
#include "support/mechanisms.hpp"
#include "support/random_forces.hpp"
#include "support/random_laws.hpp"
#include "support/random_loops.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using D = Dual<double>;
using List = std::vector<double>;

MatrixXd matrix(const MatrixView& m) {
  MatrixXd full(m.rows(), m.columns());
  for (int i = 0; i < m.rows(); ++i)
    for (int j = 0; j < m.columns(); ++j) full(i, j) = m(i, j);
  return full;
}

// The equations of motion written out over Dual: I a + bias = tau + forces + J^T f, J a = -J'v.
class Equations {
 public:
  Equations(const Model& model, bool with_forces)
      : model_(model), at_(model), inverse_(model), kin_(model), loops_(model) {
    if (with_forces) forces_.emplace(model);
    for (const Loop& loop : model.robot().loops) paths_.push_back(path_of(model, loop));
  }
  struct Given {
    std::vector<BodyWrench<double>> in_body, in_world;  // in_world: numbers in world axes
  };
  // What the drives give for a.
  std::vector<D> inverse(const std::vector<D>& q, const std::vector<D>& v, const std::vector<D>& a,
                         const Given& given) {
    place<D>(model_, q, at_);
    positions<D>(model_, at_, kin_);
    std::vector<BodyWrench<D>> wrenches;
    for (const auto& [body, w] : given.in_body) wrenches.push_back({body, full<D>(w)});
    for (const auto& [body, w] : given.in_world) {
      const Mat3<D> R = pose_in_world<D>(model_, kin_, body).R;
      wrenches.push_back({body, {back(R, full<D>(w.n)), back(R, full<D>(w.f))}});
    }
    std::vector<D> tau(v.size()), in_joints(v.size(), D(0.0));
    if (forces_) {
      const Loads<D>& loads = forces_->act(at_, q, v);
      in_joints = loads.tau;
      wrenches.insert(wrenches.end(), loads.wrenches.begin(), loads.wrenches.end());
    }
    inverse_dynamics<D>(model_, at_, v, a, inverse_, tau, wrenches);
    for (size_t k = 0; k < tau.size(); ++k) tau[k] -= in_joints[k];
    return tau;
  }
  // Densely, by elimination with pivots; the rows of the loops must be independent. f: the multipliers.
  std::vector<D> forward(const std::vector<D>& q, const std::vector<D>& v, const std::vector<D>& tau,
                         const Given& given, std::vector<D>* f = nullptr) {
    const size_t n = v.size();
    std::vector<D> zero(n, D(0.0));
    const std::vector<D> bias = inverse(q, v, zero, given);
    std::vector<std::vector<D>> system;
    for (size_t k = 0; k < n; ++k) {
      std::vector<D> unit = zero;
      unit[k] = D(1.0);
      const std::vector<D> column = inverse(q, v, unit, given);
      for (size_t i = 0; i < n; ++i) {
        if (k == 0) system.emplace_back(n, D(0.0));
        system[i][k] = column[i] - bias[i];
      }
    }
    std::vector<D> right;
    for (size_t k = 0; k < n; ++k) right.push_back(tau[k] - bias[k]);
    loops_.move(model_, at_, v);
    std::vector<size_t> places;  // of the rows' multipliers among the unknowns, or 0
    for (const ClosureRow& row : closure_rows(model_.robot())) {
      const auto loop = size_t(row.loop);
      const ClosureValue<D> value = closure_value<D>(model_, loops_.frames(row.loop), q, v, row);
      std::vector<D> gradient(n);
      places.push_back(0);
      closure_gradient<D>(model_, at_, loops_.frames(row.loop), paths_[loop], row, value, gradient);
      if (largest(gradient) < 1e-12) continue;  // out of the plane of a plane mechanism
      places.back() = right.size();
      for (size_t k = 0; k < n; ++k) system[k].push_back(-gradient[k]);
      gradient.resize(system[0].size(), D(0.0));
      for (size_t i = n; i < system.size(); ++i) system[i].push_back(D(0.0));
      system.push_back(gradient);
      right.push_back(-value.bias);
    }
    eliminate(system, right);
    if (f != nullptr) {
      f->clear();
      for (const size_t place : places) f->push_back(place == 0 ? D(0.0) : right[place]);
    }
    right.resize(n);
    return right;
  }
  // What the joints transmit while tau moves the robot, six numbers for each body.
  std::vector<D> reactions(const std::vector<D>& q, const std::vector<D>& v, const std::vector<D>& tau,
                           const Given& given) {
    std::vector<D> f;
    const std::vector<D> a = forward(q, v, tau, given, &f);
    std::vector<BodyWrench<D>> wrenches, between;  // between: bodies, or a body and the world
    for (const auto& [body, w] : given.in_body) wrenches.push_back({body, full<D>(w)});
    if (forces_) {
      const Loads<D>& loads = forces_->act(at_, q, v);
      between = loads.wrenches;
    }
    // Unit forces on the ends of the loops, as the rows say it.
    const auto rows = closure_rows(model_.robot());
    for (size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].kind == ClosureRow::Kind::coupled) continue;
      const auto& [end_a, end_b] = loops_.frames(rows[i].loop);
      const ClosureValue<D> value = closure_value<D>(model_, loops_.frames(rows[i].loop), q, v, rows[i]);
      const Loop& loop = model_.robot().loops[size_t(rows[i].loop)];
      const auto on = [&](int body, const MovingFrame<D>& end, const Vec3<D>& moment, const D& by) {
        const Pose<D> pose = body == 0 ? Pose<D>{} : pose_in_world<D>(model_, kin_, body);
        const Vec3<D> force = value.force * by, about_body = moment * by + cross(end.r - pose.r, force);
        between.push_back({body, {back(pose.R, about_body), back(pose.R, force)}});
      };
      on(loop.a.body, end_a, value.moment_a, f[i]);
      on(loop.b.body, end_b, value.moment_b, -f[i]);
    }
    wrenches.insert(wrenches.end(), between.begin(), between.end());
    std::vector<Wrench<D>> found(model_.bodies().size());
    ReactionScratch<D> scratch(model_);
    joint_reactions<D>(model_, at_, v, a, scratch, found, wrenches);
    for (const auto& [body, w] : between)
      if (body == 0) found[0] -= w;
    std::vector<D> all;
    for (const auto& [n, force] : found) all.insert(all.end(), {n.x, n.y, n.z, force.x, force.y, force.z});
    return all;
  }

 private:
  static void eliminate(std::vector<std::vector<D>>& A, std::vector<D>& b) {
    const size_t n = b.size();
    for (size_t c = 0; c < n; ++c) {
      size_t pivot = c;
      for (size_t i = c; i < n; ++i)
        if (std::abs(A[i][c].x) > std::abs(A[pivot][c].x)) pivot = i;
      std::swap(A[c], A[pivot]);
      std::swap(b[c], b[pivot]);
      for (size_t i = 0; i < n; ++i) {
        if (i == c) continue;
        const D factor = A[i][c] / A[c][c];
        for (size_t k = c; k < n; ++k) A[i][k] -= factor * A[c][k];
        b[i] -= factor * b[c];
      }
    }
    for (size_t c = 0; c < n; ++c) b[c] = b[c] / A[c][c];
  }

  const Model& model_;
  Configuration<D> at_;
  InverseScratch<D> inverse_;
  Kinematics<D> kin_;
  LoopKinematics<D> loops_;
  std::optional<ForcesOf<D>> forces_ = {};
  std::vector<LoopPath> paths_ = {};
};

struct Three {
  MatrixXd dq, dv, dx;
};
// f(q, v, x) along every direction.
template <class F> Three by_dual(const Model& model, const List& q, const List& v, const List& x, F&& f, int rows = 0) {
  const int n = model.nv();
  if (rows == 0) rows = n;
  Three found{MatrixXd(rows, n), MatrixXd(rows, n), MatrixXd(rows, n)};
  const auto along = [&](std::vector<D>& varied, MatrixXd& to, auto&& evaluate) {
    for (int k = 0; k < n; ++k) {
      varied[size_t(k)].d = 1;
      const std::vector<D> y = evaluate();
      varied[size_t(k)].d = 0;
      for (int i = 0; i < rows; ++i) to(i, k) = y[size_t(i)].d;
    }
  };
  std::vector<D> q0 = as<D>(q), moved = q0, v0 = as<D>(v), x0 = as<D>(x), step(size_t(n), D(0.0));
  along(step, found.dq, [&] {
    integrate<D>(model, q0, step, moved);
    return f(moved, v0, x0);
  });
  along(v0, found.dv, [&] { return f(q0, v0, x0); });
  along(x0, found.dx, [&] { return f(q0, v0, x0); });
  return found;
}
void expect_close(const MatrixView& found, const MatrixXd& expected, double part, const char* what) {
  EXPECT_LE((matrix(found) - expected).cwiseAbs().maxCoeff(), part * expected.cwiseAbs().maxCoeff()) << what;
}

TEST(MechanismDerivatives, HaveTheForcesOfTheFileAndWrenchesOfTheWorld) {
  Random random(5);
  for (int trial = 0; trial < 12; ++trial) {
    Robot robot = random_robot(random, {.bodies = 6, .free_root = trial % 3 == 0});
    add_forces(random, robot);
    const Mechanism mechanism(robot);
    const Model& model = mechanism.tree();
    const State<double> s(random, model);
    Equations::Given given{random_wrenches<double>(random, model), random_wrenches<double>(random, model)};
    // The same wrenches as Dynamics takes them: numbers in body axes, and the axes they are constant in.
    Dynamics d(mechanism, Forces::all);
    std::vector<BodyWrench<double>> wrenches = given.in_body;
    std::vector<Axes> axes(wrenches.size(), Axes::body);
    for (const auto& [body, w] : given.in_world) {
      const Mat3<double> R = d.pose(s.q, body).R;
      wrenches.push_back({body, {back(R, w.n), back(R, w.f)}});
      axes.push_back(Axes::world);
    }
    Equations equations(model, true);
    const Three inverse = by_dual(model, s.q, s.v, s.a, [&](const auto& q, const auto& v, const auto& a) {
      return equations.inverse(q, v, a, given);
    });
    const auto found = d.inverse_derivatives(s.q, s.v, s.a, wrenches, axes);
    expect_close(found.dq, inverse.dq, 1e-12, "dtau/dq");
    expect_close(found.dv, inverse.dv, 1e-12, "dtau/dv");
    expect_close(found.da, inverse.dx, 1e-12, "dtau/da");
    const List tau = random_vector<double>(random, model.nv(), 10);
    const Three forward = by_dual(model, s.q, s.v, tau, [&](const auto& q, const auto& v, const auto& t) {
      return equations.forward(q, v, t, given);
    });
    const auto accelerations = d.forward_derivatives(s.q, s.v, tau, wrenches, axes);
    expect_close(accelerations.dq, forward.dq, 1e-10, "da/dq");
    expect_close(accelerations.dv, forward.dv, 1e-10, "da/dv");
    expect_close(accelerations.dtau, forward.dx, 1e-10, "da/dtau");
  }
}

// Wrenches that stay, or that come with a call: the same changes, beside others that are constant in world axes or not.
TEST(MechanismDerivatives, TakeWrenchesEitherWay) {
  Random random(23);
  for (int trial = 0; trial < 6; ++trial) {
    const Mechanism mechanism(random_robot(random, {.bodies = 5, .free_root = trial % 2 == 0}));
    const State<double> s(random, mechanism.tree());
    const List lambda = random_vector<double>(random, mechanism.nv(), 10), &tau = lambda;
    std::vector<BodyWrench<double>> all;
    for (int body = 1; body <= 4; ++body) all.push_back({body, {random.vector(5), random.vector(20)}});
    const Axes axes[] = {Axes::body, Axes::body, Axes::world, trial < 3 ? Axes::world : Axes::body};
    Dynamics given(mechanism), stays(mechanism);
    stays.wrenches({{all[0].body, all[0].wrench}, {all[1].body, all[1].wrench}});
    const auto by_q = [&](Dynamics& d, std::span<const BodyWrench<double>> wrenches, std::span<const Axes> in) {
      return std::array{matrix(d.inverse_derivatives(s.q, s.v, s.a, wrenches, in).dq),
                        matrix(d.forward_derivatives(s.q, s.v, tau, wrenches, in).dq),
                        matrix(d.inverse_second_order(s.q, s.v, s.a, lambda, wrenches, in).dqq),
                        matrix(d.inverse_reaction_derivatives(s.q, s.v, s.a, wrenches, in).dq)};
    };
    const auto wanted = by_q(given, all, axes),
               found = by_q(stays, std::span(all).subspan(2), std::span(axes).subspan(2));
    for (size_t i = 0; i < found.size(); ++i) EXPECT_LE((found[i] - wanted[i]).norm(), 1e-10 * wanted[i].norm()) << i;
  }
}

// A posture and rates that keep the loops closed, random otherwise.
struct ClosedState {
  List q, v, tau;
};
ClosedState closed_state(Random& random, const Mechanism& mechanism) {
  ClosedChain chain(mechanism.tree());
  ClosedState s;
  for (;;) {
    try {
      List q = random_q<double>(random, mechanism.tree());
      for (double& x : q) x *= 0.3;
      normalise<double>(mechanism.tree(), q);
      s.q = chain.assemble(q);
      break;
    } catch (const NotAssembled&) {
    }
  }
  s.v = chain.closed_rates(s.q, random_vector<double>(random, mechanism.nv()));
  s.tau = random_vector<double>(random, mechanism.nv(), 10);
  return s;
}

TEST(MechanismDerivatives, OfClosedChainsAreThoseOfTheEquations) {
  Random random(3);
  for (const char* name : {"fourbar", "slider_crank", "three_rrr", "governor", "crank_rocker"}) {
    SCOPED_TRACE(name);
    Robot robot = shipped(name);
    robot.bodies[1].joint.actuator = {.gear = 10, .rotor_inertia = 1e-3};
    add_forces(random, robot);
    const Mechanism mechanism(robot);
    const Model& model = mechanism.tree();
    const ClosedState s = closed_state(random, mechanism);
    Dynamics d(mechanism, Forces::all);
    d.forward(s.q, s.v, s.tau);
    if (!d.is_unique() && ClosedChain(model).mobility(s.q).rank < ClosedChain(model).rows()) SCOPED_TRACE("redundant");
    Equations equations(model, true);
    const Three expected = by_dual(model, s.q, s.v, s.tau, [&](const auto& q, const auto& v, const auto& t) {
      return equations.forward(q, v, t, {});
    });
    const auto found = d.forward_derivatives(s.q, s.v, s.tau);
    expect_close(found.dq, expected.dq, 1e-10, "da/dq");
    expect_close(found.dv, expected.dv, 1e-10, "da/dv");
    expect_close(found.dtau, expected.dx, 1e-10, "da/dtau");
  }
}

// Forces in loops and joints, of mechanisms whose rows are independent but for those out of a plane.
TEST(MechanismDerivatives, OfWhatLoopsAndJointsTransmitAreThoseOfTheEquations) {
  Random random(13);
  for (const char* name : {"fourbar", "slider_crank", "three_rrr", "hoecken", "crank_rocker", "in space"}) {
    SCOPED_TRACE(name);
    Robot robot = name == std::string("in space") ? spatial_slider_crank() : shipped(name);
    add_forces(random, robot);
    const Mechanism mechanism(robot);
    const Model& model = mechanism.tree();
    const ClosedState s = closed_state(random, mechanism);
    const Equations::Given given{random_wrenches<double>(random, model), {}};
    Dynamics d(mechanism, Forces::all);
    EXPECT_THROW(d.multiplier_derivatives(), ArgumentError);
    Equations equations(model, true);
    const Three multipliers = by_dual(
        model, s.q, s.v, s.tau,
        [&](const auto& q, const auto& v, const auto& tau) {
          std::vector<D> f;
          equations.forward(q, v, tau, given, &f);
          return f;
        },
        ClosedChain(model).rows());
    const Three reactions = by_dual(
        model, s.q, s.v, s.tau,
        [&](const auto& q, const auto& v, const auto& tau) { return equations.reactions(q, v, tau, given); },
        6 * int(model.bodies().size()));
    const auto found = d.forward_reaction_derivatives(s.q, s.v, s.tau, given.in_body);
    expect_close(found.dq, reactions.dq, 1e-10, "dR/dq");
    expect_close(found.dv, reactions.dv, 1e-10, "dR/dv");
    expect_close(found.dtau, reactions.dx, 1e-10, "dR/dtau");
    const auto of_loops = d.multiplier_derivatives();
    expect_close(of_loops.dq, multipliers.dq, 1e-10, "df/dq");
    expect_close(of_loops.dv, multipliers.dv, 1e-10, "df/dv");
    expect_close(of_loops.dtau, multipliers.dx, 1e-10, "df/dtau");
  }
}

// Of a tree: what joints transmit for given accelerations, springs and wrenches of both kinds included.
TEST(MechanismDerivatives, OfReactionsOfTreesAreThoseOfDual) {
  Random random(17);
  for (int trial = 0; trial < 6; ++trial) {
    Robot robot = random_robot(random, {.bodies = 5, .free_root = trial % 3 == 0});
    add_forces(random, robot);
    const Mechanism mechanism(robot);
    const Model& model = mechanism.tree();
    const State<double> s(random, model);
    const Equations::Given given{random_wrenches<double>(random, model), {}};
    Dynamics d(mechanism, Forces::all);
    Equations equations(model, true);
    const List tau = random_vector<double>(random, model.nv(), 10);
    const int rows = 6 * int(model.bodies().size());
    const Three by_tau = by_dual(
        model, s.q, s.v, tau,
        [&](const auto& q, const auto& v, const auto& t) { return equations.reactions(q, v, t, given); }, rows);
    const auto forward = d.forward_reaction_derivatives(s.q, s.v, tau, given.in_body);
    expect_close(forward.dq, by_tau.dq, 1e-10, "dR/dq at tau");
    expect_close(forward.dv, by_tau.dv, 1e-10, "dR/dv at tau");
    expect_close(forward.dtau, by_tau.dx, 1e-10, "dR/dtau");
    // With a as it is: R(q, v, tau(q, v, a)) is R(q, v, a), so that dR/dq at a = dR/dq at tau + dR/dtau dtau/dq, ...
    const auto a = d.forward(s.q, s.v, tau, given.in_body);
    const List at_a(a.begin(), a.end());
    const auto of_tau = d.inverse_derivatives(s.q, s.v, at_a, given.in_body);
    const auto inverse = d.inverse_reaction_derivatives(s.q, s.v, at_a, given.in_body);
    expect_close(inverse.dq, by_tau.dq + by_tau.dx * matrix(of_tau.dq), 1e-10, "dR/dq at a");
    expect_close(inverse.dv, by_tau.dv + by_tau.dx * matrix(of_tau.dv), 1e-10, "dR/dv at a");
    expect_close(inverse.da, by_tau.dx * matrix(of_tau.da), 1e-10, "dR/da");
  }
}

// The shortest multipliers stay the shortest: along a closed motion they change as the derivatives say.
TEST(MechanismDerivatives, OfMultipliersHoldAlongClosedMotions) {
  Random random(19);
  const auto without = [](int body) {
    Robot robot = four_bar();
    robot.bodies[size_t(body)].inertial = {};
    return robot;
  };
  for (const Robot& robot : {bricard(), four_bar(), without(2), without(3)}) {
    const Mechanism mechanism(robot);
    const Model& model = mechanism.tree();
    const ClosedState s = closed_state(random, mechanism);
    Dynamics d(mechanism);
    ClosedChain chain(model);
    const auto accelerations = d.forward(s.q, s.v, s.tau);
    const List a(accelerations.begin(), accelerations.end());
    EXPECT_FALSE(d.is_unique());
    // q(t) = q + v t + a t^2/2, v(t) = v + a t, brought onto the loops: the motion to the second order.
    const auto at = [&](double t) {
      List step(a.size()), v(a.size());
      for (size_t k = 0; k < a.size(); ++k) step[k] = s.v[k] * t + a[k] * t * t / 2, v[k] = s.v[k] + a[k] * t;
      List q(s.q.size());
      integrate<double>(model, s.q, step, q);
      q = chain.assemble(q);
      v = chain.closed_rates(q, v);
      d.forward(q, v, s.tau);
      const auto f = d.multipliers();
      return VectorXd(Eigen::Map<const VectorXd>(f.data(), Eigen::Index(f.size())));
    };
    const auto central = [&](double h) -> VectorXd { return (at(h) - at(-h)) / (2 * h); };
    // Errors of (h rate)^4 at rates of 10 rad/s, and of rounding, eps condition/h: 2e-4 balances them near 1e-10.
    const VectorXd expected = (4 * central(2e-4) - central(4e-4)) / 3;
    d.forward_derivatives(s.q, s.v, s.tau);
    const auto of_loops = d.multiplier_derivatives();
    const VectorXd v = Eigen::Map<const VectorXd>(s.v.data(), model.nv()),
                   a_ = Eigen::Map<const VectorXd>(a.data(), model.nv());
    const VectorXd found = matrix(of_loops.dq) * v + matrix(of_loops.dv) * a_;
    EXPECT_LE((found - expected).norm(), 1e-7 * expected.norm());
  }
}

// A loop that says the same twice: along motions that keep it closed nothing changes.
TEST(MechanismDerivatives, OfRedundantLoopsAreThoseOfTheLoopAlone) {
  Random random(9);
  Robot robot = shipped("fourbar");
  const Mechanism once(robot);
  robot.loops.push_back(robot.loops.front());
  const Mechanism twice(robot);
  const ClosedState s = closed_state(random, once);
  Dynamics of_one(once), of_two(twice);
  const auto expected = of_one.forward_derivatives(s.q, s.v, s.tau),
             found = of_two.forward_derivatives(s.q, s.v, s.tau);
  EXPECT_FALSE(of_two.is_unique());
  for (const auto& [x, y] :
       {std::pair(found.dq, expected.dq), std::pair(found.dv, expected.dv), std::pair(found.dtau, expected.dtau)})
    expect_close(x, matrix(y), 1e-10, "redundant");
}

// A rocker without mass keeps two points at their distance, and is felt as nothing else.
TEST(MechanismDerivatives, OfALinkWithoutMassAreThoseOfTheDistanceThatItKeeps) {
  Robot robot = four_bar();
  robot.bodies.back().inertial = {};
  const Mechanism with_rocker(robot);
  robot.bodies.pop_back();
  Loop& distance = robot.loops.front();
  distance.type = LoopType::distance;
  distance.b.body = 0;
  distance.b.frame.r = {0.45, 0, 0};
  distance.length = 0.4;
  const Mechanism without(robot);
  Dynamics assembling(with_rocker);
  const Dynamics::Vector closed = assembling.assemble(List{1, 0, 1.5});
  // How the accelerations of crank and coupler change with the crank's turn and rate (which all joints follow) and with
  // their torques; and those of the forces in the loop with the torques.
  const auto changes = [&](const Mechanism& mechanism) {
    const auto n = static_cast<std::size_t>(mechanism.nv());
    Dynamics d(mechanism);
    const List q(closed.begin(), closed.begin() + mechanism.nv());
    const int crank[] = {0};
    const auto [independent, first, second] = d.assembly_derivatives(q, crank);
    const VectorXd along = matrix(first), turning = matrix(second);
    const double rate = 0.7;
    List v(n), tau(n, 0.0);
    for (std::size_t k = 0; k < n; ++k) v[k] = rate * along[static_cast<Eigen::Index>(k)];
    tau[0] = 3, tau[1] = -2;
    const auto [dq, dv, dtau] = d.forward_derivatives(q, v, tau);
    MatrixXd all(2, 4);
    all << (matrix(dq) * along + matrix(dv) * turning * rate).head(2), (matrix(dv) * along).head(2),
        matrix(dtau).topLeftCorner(2, 2);
    return all;
  };
  const MatrixXd expected = changes(without);
  EXPECT_LT((changes(with_rocker) - expected).norm(), 1e-11 * expected.norm());
  EXPECT_THROW(Dynamics(with_rocker, Forces::none, Loops::open).forward_derivatives(closed, List(3), List(3)),
               SingularInertia);
}

TEST(MechanismDerivatives, OfTheTreeOfARobotWithLoopsMustBeAskedForAsSuch) {
  Random random(2);
  const Mechanism mechanism(shipped("fourbar"));
  const ClosedState s = closed_state(random, mechanism);
  Dynamics d(mechanism);
  EXPECT_THROW(d.inverse_derivatives(s.q, s.v, s.tau), NotCovered);
  const MatrixXd I = matrix(d.inertia(s.q, Loops::open));
  expect_close(d.inverse_derivatives(s.q, s.v, s.tau, Loops::open).da, I, 1e-14, "I");
}

TEST(MechanismDerivatives, RefuseWhatDoesNotFit) {
  const Mechanism mechanism(shipped("puma560"));
  Dynamics d(mechanism);
  const List six(6, 0.1), five(5, 0.1);
  EXPECT_THROW(d.inverse_derivatives(five, six, six), ArgumentError);
  EXPECT_THROW(d.inverse_derivatives(six, five, six), ArgumentError);
  EXPECT_THROW(d.inverse_derivatives(six, six, five), ArgumentError);
  EXPECT_THROW(d.forward_derivatives(six, six, five), ArgumentError);
  const std::vector<Axes> axes(1, Axes::world);
  EXPECT_THROW(d.forward_derivatives(six, six, six, {}, axes), ArgumentError);
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
