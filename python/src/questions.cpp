#include "questions.hpp"

#include <algorithm>
#include <numeric>

#include "denoc/loops/closure.hpp"
#include "denoc/mechanism/linearize.hpp"
#include "denoc/model/manifold.hpp"
#include "denoc/model/quaternions.hpp"

namespace denoc::python {
namespace {

using GivenWrenches = Dynamics::GivenWrenches;
using Answer = std::span<double>;

constexpr Given q{"q", true}, p{"p", true}, v{"v", false}, a{"a", false}, tau{"tau", false}, d{"d", false},
    lambda{"weights", false};

Extent rates(const Mechanism& m) { return {m.nv()}; }
Extent posture(const Mechanism& m) { return {m.nq()}; }
Extent square(const Mechanism& m) { return {m.nv(), m.nv()}; }
Extent twist(const Mechanism&) { return {6}; }
template <int rows> Extent columns_of(const Mechanism& m) { return {rows, m.nv()}; }
Extent three_squares(const Mechanism& m) { return {m.nv(), m.nv(), 3}; }
Extent of_reactions(const Mechanism& m) { return {6 * int(m.robot().bodies.size()), m.nv(), 3}; }
int rows_of_loops(const Mechanism& m) { return int(closure_rows(m.robot()).size()); }

void put(std::span<const double> found, Answer answer) { std::copy(found.begin(), found.end(), answer.begin()); }
void put(const MatrixView& found, Answer answer) { put(found.entries(), answer); }
void put(const Vec3<double>& x, Answer answer) { put(std::array{x.x, x.y, x.z}, answer); }
void put(const Vec3<double>& x, const Vec3<double>& y, Answer answer) {
  put(x, answer.first(3));
  put(y, answer.subspan(3));
}
void put(const Pose<double>& pose, Answer answer) {
  const auto& [R, r] = pose;
  put(std::array{R.xx, R.xy, R.xz, r.x, R.yx, R.yy, R.yz, r.y, R.zx, R.zy, R.zz, r.z, 0.0, 0.0, 0.0, 1.0}, answer);
}

// One matrix after the other.
void put_each(std::initializer_list<MatrixView> matrices, Answer answer) {
  for (const MatrixView& each : matrices) {
    put(each, answer.first(each.entries().size()));
    answer = answer.subspan(each.entries().size());
  }
}

void put(const Wrench<double>& w, Answer answer) { put(w.n, w.f, answer); }

// Of the given wrenches, the axes that they keep.
std::vector<Axes> kept_axes(const Choice& c, GivenWrenches w) {
  return c.wrench_axes == Axes::body ? std::vector<Axes>{} : std::vector<Axes>(w.size(), c.wrench_axes);
}

std::vector<Question> all() {
  return {
      // those that batches answer, in the order of Problem
      {"inverse_dynamics",
       {q, v, a},
       rates,
       [](Hand& dynamics, const Choice&, const Vectors& x, GivenWrenches w, Answer answer) {
         put(dynamics.inverse(x[0], x[1], x[2], w), answer);
       }},
      {"forward_dynamics",
       {q, v, tau},
       rates,
       [](Hand& dynamics, const Choice&, const Vectors& x, GivenWrenches w, Answer answer) {
         put(dynamics.forward(x[0], x[1], x[2], w), answer);
       }},
      {"derivatives",
       {q, v, a},
       three_squares,
       [](Hand& dynamics, const Choice& c, const Vectors& x, GivenWrenches w, Answer answer) {
         const auto [dq, dv, da] = dynamics.inverse_derivatives(x[0], x[1], x[2], c.loops, w, kept_axes(c, w));
         put_each({dq, dv, da}, answer);
       }},
      {"forward_derivatives",
       {q, v, tau},
       three_squares,
       [](Hand& dynamics, const Choice& c, const Vectors& x, GivenWrenches w, Answer answer) {
         const auto [dq, dv, dtau] = dynamics.forward_derivatives(x[0], x[1], x[2], w, kept_axes(c, w));
         put_each({dq, dv, dtau}, answer);
       }},
      {"bias",
       {q, v},
       rates,
       [](Hand& dynamics, const Choice& c, const Vectors& x, GivenWrenches w, Answer answer) {
         put(dynamics.bias(x[0], x[1], c.loops, w), answer);
       }},
      {"gravity",
       {q},
       rates,
       [](Hand& dynamics, const Choice& c, const Vectors& x, GivenWrenches, Answer answer) {
         put(dynamics.gravity(x[0], c.loops), answer);
       }},
      {"inertia",
       {q},
       square,
       [](Hand& dynamics, const Choice& c, const Vectors& x, GivenWrenches, Answer answer) {
         put(dynamics.inertia(x[0], c.loops), answer);
       }},
      {"inertia_inverse",
       {q},
       square,
       [](Hand& dynamics, const Choice& c, const Vectors& x, GivenWrenches, Answer answer) {
         put(dynamics.inertia_inverse(x[0], c.loops), answer);
       }},
      // U, and the diagonal of D as a last row
      {"factors",
       {q},
       [](const Mechanism& m) {
         return Extent{m.nv() + 1, m.nv()};
       },
       [](Hand& dynamics, const Choice& c, const Vectors& x, GivenWrenches, Answer answer) {
         const auto [upper, pivots] = dynamics.factors(x[0], c.loops);
         put(upper, answer);
         put(pivots, answer.last(pivots.size()));
       }},
      // kinetic, potential
      {"energy",
       {q, v},
       [](const Mechanism&) { return Extent{2}; },
       [](Hand& dynamics, const Choice&, const Vectors& x, GivenWrenches, Answer answer) {
         const auto [kinetic, potential] = dynamics.energy(x[0], x[1]);
         put(std::array{kinetic, potential}, answer);
       }},
      // linear, angular
      {"momentum",
       {q, v},
       twist,
       [](Hand& dynamics, const Choice&, const Vectors& x, GivenWrenches, Answer answer) {
         const auto [linear, angular] = dynamics.momentum(x[0], x[1]);
         put(linear, angular, answer);
       }},
      // a row for each body, the first the world's
      {"reactions",
       {q, v, a},
       [](const Mechanism& m) {
         return Extent{int(m.robot().bodies.size()), 6};
       },
       [](Hand& dynamics, const Choice&, const Vectors& x, GivenWrenches w, Answer answer) {
         for (const Wrench<double>& each : dynamics.reactions(x[0], x[1], x[2], w)) {
           put(each, answer.first(6));
           answer = answer.subspan(6);
         }
       }},
      {"pose",
       {q},
       [](const Mechanism&) {
         return Extent{4, 4};
       },
       [](Hand& dynamics, const Choice& c, const Vectors& x, GivenWrenches, Answer answer) {
         put(dynamics.pose(x[0], c.body, c.point), answer);
       }},
      {"twist",
       {q, v},
       twist,
       [](Hand& dynamics, const Choice& c, const Vectors& x, GivenWrenches, Answer answer) {
         const Twist<double> t = dynamics.twist(x[0], x[1], c.body, c.point, c.axes);
         put(t.w, t.v, answer);
       }},
      {"jacobian",
       {q},
       columns_of<6>,
       [](Hand& dynamics, const Choice& c, const Vectors& x, GivenWrenches, Answer answer) {
         put(dynamics.jacobian(x[0], c.body, c.loops, c.point, c.axes), answer);
       }},
      {"jacobian_bias",
       {q, v},
       twist,
       [](Hand& dynamics, const Choice& c, const Vectors& x, GivenWrenches, Answer answer) {
         const Twist<double> t = dynamics.jacobian_bias(x[0], x[1], c.body, c.point, c.axes);
         put(t.w, t.v, answer);
       }},
      {"mass_centre",
       {q},
       [](const Mechanism&) { return Extent{3}; },
       [](Hand& dynamics, const Choice&, const Vectors& x, GivenWrenches, Answer answer) {
         put(dynamics.mass_centre(x[0]).position, answer);
       }},
      {"mass_centre_jacobian",
       {q},
       columns_of<3>,
       [](Hand& dynamics, const Choice& c, const Vectors& x, GivenWrenches, Answer answer) {
         put(dynamics.mass_centre_jacobian(x[0], c.loops), answer);
       }},
      {"centroidal_momentum_matrix",
       {q},
       columns_of<6>,
       [](Hand& dynamics, const Choice& c, const Vectors& x, GivenWrenches, Answer answer) {
         put(dynamics.centroidal_momentum_matrix(x[0], c.loops), answer);
       }},
      // of the closed chain that tau moves; last: 1 where they are unique
      {"multipliers",
       {q, v, tau},
       [](const Mechanism& m) { return Extent{rows_of_loops(m) + 1}; },
       [](Hand& dynamics, const Choice&, const Vectors& x, GivenWrenches w, Answer answer) {
         dynamics.forward(x[0], x[1], x[2], w);
         put(dynamics.multipliers(), answer);
         answer.back() = dynamics.is_unique() ? 1 : 0;
       }},
      // on a, on b of each loop in turn
      {"loop_wrenches",
       {q, v, tau},
       [](const Mechanism& m) {
         return Extent{2 * int(m.robot().loops.size()), 6};
       },
       [](Hand& dynamics, const Choice&, const Vectors& x, GivenWrenches w, Answer answer) {
         dynamics.forward(x[0], x[1], x[2], w);
         for (const BodyWrench<double>& each : dynamics.loop_wrenches()) {
           put(each.wrench, answer.first(6));
           answer = answer.subspan(6);
         }
       }},
      {"multiplier_derivatives",
       {q, v, tau},
       [](const Mechanism& m) {
         return Extent{rows_of_loops(m), m.nv(), 3};
       },
       [](Hand& dynamics, const Choice& c, const Vectors& x, GivenWrenches w, Answer answer) {
         dynamics.forward_derivatives(x[0], x[1], x[2], w, kept_axes(c, w));
         const auto [dq, dv, dtau] = dynamics.multiplier_derivatives();
         put_each({dq, dv, dtau}, answer);
       }},
      // rows of every body in turn
      {"reaction_derivatives",
       {q, v, a},
       of_reactions,
       [](Hand& dynamics, const Choice& c, const Vectors& x, GivenWrenches w, Answer answer) {
         const auto [dq, dv, da] = dynamics.inverse_reaction_derivatives(x[0], x[1], x[2], c.loops, w, kept_axes(c, w));
         put_each({dq, dv, da}, answer);
       }},
      {"forward_reaction_derivatives",
       {q, v, tau},
       of_reactions,
       [](Hand& dynamics, const Choice& c, const Vectors& x, GivenWrenches w, Answer answer) {
         const auto [dq, dv, dtau] = dynamics.forward_reaction_derivatives(x[0], x[1], x[2], w, kept_axes(c, w));
         put_each({dq, dv, dtau}, answer);
       }},
      // of one sum of torques, and of every torque
      {"second_derivatives",
       {q, v, a, lambda},
       [](const Mechanism& m) {
         return Extent{m.nv(), m.nv(), 4};
       },
       [](Hand& dynamics, const Choice& c, const Vectors& x, GivenWrenches w, Answer answer) {
         const auto [dqq, dqv, dqa, dvv] =
             dynamics.inverse_second_order(x[0], x[1], x[2], x[3], c.loops, w, kept_axes(c, w));
         put_each({dqq, dqv, dqa, dvv}, answer);
       }},
      {"second_derivatives_of_each",
       {q, v, a},
       [](const Mechanism& m) {
         return Extent{m.nv() * m.nv(), m.nv(), 4};
       },
       [](Hand& dynamics, const Choice& c, const Vectors& x, GivenWrenches w, Answer answer) {
         const auto [dqq, dqv, dqa, dvv] =
             dynamics.inverse_second_order_tensor(x[0], x[1], x[2], c.loops, w, kept_axes(c, w));
         put_each({dqq, dqv, dqa, dvv}, answer);
       }},
      {"passive_accelerations",
       {q, v, a},
       rates,
       [](Hand& dynamics, const Choice& c, const Vectors& x, GivenWrenches w, Answer answer) {
         put(dynamics.passive(x[0], x[1], x[2], c.unknown, w), answer);
       }},
      // A, and beside it B of all degrees of freedom
      {"linearize",
       {q, v, tau},
       [](const Mechanism& m) {
         return Extent{2 * m.nv(), 3 * m.nv()};
       },
       [](Hand& dynamics, const Choice& c, const Vectors& x, GivenWrenches w, Answer answer) {
         const std::size_t n = x[1].size();
         std::vector<int> inputs(n);
         std::iota(inputs.begin(), inputs.end(), 0);
         const LinearModel found = linearize(dynamics, x[0], x[1], x[2], inputs, w, kept_axes(c, w));
         for (std::size_t i = 0; i < 2 * n; ++i) {
           put(std::span(found.A).subspan(i * 2 * n, 2 * n), answer.subspan(i * 3 * n, 2 * n));
           put(std::span(found.B).subspan(i * n, n), answer.subspan((i * 3 + 2) * n, n));
         }
       }},
      {"equilibrium",
       {q, tau},
       posture,
       [](Hand& dynamics, const Choice& c, const Vectors& x, GivenWrenches w, Answer answer) {
         put(equilibrium(dynamics, x[0], x[1], w, kept_axes(c, w)), answer);
       }},
      // with the columns of friction
      {"regressor",
       {q, v, a},
       [](const Mechanism& m) {
         return Extent{m.nv(), 10 * (int(m.robot().bodies.size()) - 1) + 3 * m.nv()};
       },
       [](Hand& dynamics, const Choice& c, const Vectors& x, GivenWrenches, Answer answer) {
         put(dynamics.regressor(c.loops).at(on_manifold(dynamics.mechanism().robot(), x[0]), x[1], x[2]), answer);
       }},
      {"assemble",
       {q},
       posture,
       [](Hand& dynamics, const Choice&, const Vectors& x, GivenWrenches, Answer answer) {
         put(dynamics.assemble(x[0]), answer);
       }},
      {"integrate",
       {q, d},
       posture,
       [](Hand& dynamics, const Choice&, const Vectors& x, GivenWrenches, Answer answer) {
         const Model& tree = dynamics.mechanism().tree();
         integrate<double>(tree, on_manifold(tree.robot(), x[0]), x[1], answer);
       }},
      {"difference",
       {q, p},
       rates,
       [](Hand& dynamics, const Choice&, const Vectors& x, GivenWrenches, Answer answer) {
         const Model& tree = dynamics.mechanism().tree();
         difference<double>(tree, on_manifold(tree.robot(), x[0]), on_manifold(tree.robot(), x[1]), answer);
       }},
  };
}

}  // namespace

const std::vector<Question>& questions() {
  static const std::vector<Question> list = all();
  return list;
}

std::vector<double> on_manifold(const Robot& robot, Dynamics::Vector posture) {
  std::vector<double> unit(posture.begin(), posture.end());
  for (const QuaternionPlace& place : quaternions_of(robot))
    if (const std::string broken = normalise(place, unit); !broken.empty()) throw ArgumentError("q: " + broken);
  return unit;
}

}  // namespace denoc::python
