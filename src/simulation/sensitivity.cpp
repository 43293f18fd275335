#include "denoc/simulation/sensitivity.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <array>

namespace denoc {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using ByRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Numbers = std::span<const double>;

// x' = f(x):  k_s = f(x + h node_s k_(s-1)),  x + h sum of weight_s k_s
constexpr std::size_t stage_count = 4;
constexpr std::array<double, stage_count> stage_node = {0, 0.5, 0.5, 1},
                                          stage_weight = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};

VectorXd column_of(Numbers x) { return Eigen::Map<const VectorXd>(x.data(), static_cast<Index>(x.size())); }
Numbers numbers_of(const VectorXd& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }
std::vector<double> copy_of(const VectorXd& x) { return {x.data(), x.data() + x.size()}; }
MatrixXd dense_copy(const MatrixView& m) { return Eigen::Map<const ByRows>(m.entries().data(), m.rows(), m.columns()); }

void require_plain(const Mechanism& mechanism) {
  if (mechanism.has_loops())
    throw NotCovered(fmt::format("{} has loops: sensitivities of runs are those of trees", mechanism.name()));
  for (int b = 1; b < static_cast<int>(mechanism.robot().bodies.size()); ++b) {
    const JointType type = mechanism.robot().bodies[static_cast<std::size_t>(b)].joint.type;
    if (coordinates(type) != degrees_of_freedom(type))
      throw NotCovered(fmt::format("joint '{}' has a quaternion: sensitivities of runs know joints whose q adds up",
                                   mechanism.tree().joint_name(b)));
  }
}

}  // namespace

struct Sensitivity::Parts {
  // Of one stage: x = (q, v), k = (v, a), and da/dq, da/dv, da/dtau there.
  struct Stage {
    VectorXd q, v, a;
    MatrixXd dq, dv, dtau;
  };
  Dynamics dynamics;
  std::array<Stage, stage_count> of_step = {};
  Run last = {};
  std::vector<double> tau = {};
  double dt = 0;
  bool feels_friction;

  Parts(const Mechanism& mechanism, Forces forces)
      : dynamics(mechanism, forces), feels_friction(forces == Forces::all) {}

  int n() const { return dynamics.mechanism().nv(); }
  // The stages of a step, with their derivatives.
  void differentiate(const VectorXd& q, const VectorXd& v, Numbers drive, double h) {
    for (std::size_t s = 0; s < stage_count; ++s) {
      Stage& here = of_step[s];
      here.q = q;
      here.v = v;
      if (s > 0) {
        here.q += h * stage_node[s] * of_step[s - 1].v;
        here.v += h * stage_node[s] * of_step[s - 1].a;
      }
      const auto [dq, dv, dtau] = dynamics.forward_derivatives(numbers_of(here.q), numbers_of(here.v), drive);
      here.dq = dense_copy(dq), here.dv = dense_copy(dv), here.dtau = dense_copy(dtau);
      here.a = column_of(dynamics.forward(numbers_of(here.q), numbers_of(here.v), drive));
    }
  }
};

Sensitivity::Sensitivity(const Mechanism& mechanism, Forces forces) {
  require_plain(mechanism);
  parts_ = std::make_unique<Parts>(mechanism, forces);
}
Sensitivity::~Sensitivity() = default;
Sensitivity::Sensitivity(Sensitivity&&) noexcept = default;

// The steps of the derivatives are those of the state: dk_s = J_s (dx + h node_s dk_(s-1)) + (0; da/dtau) dtau.
Sensitivity::Step Sensitivity::step(Numbers q, Numbers v, Numbers tau, double dt) {
  Parts& p = *parts_;
  const Index n = p.n();
  require_size(q, p.n(), "q");
  require_size(v, p.n(), "v");
  require_size(tau, p.n(), "tau");
  p.differentiate(column_of(q), column_of(v), tau, dt);
  Step result;
  VectorXd end_q = column_of(q), end_v = column_of(v);
  // columns: by q, v, tau
  const MatrixXd start = MatrixXd::Identity(2 * n, 3 * n);
  MatrixXd sum = start, k = MatrixXd::Zero(2 * n, 3 * n);
  for (std::size_t s = 0; s < stage_count; ++s) {
    const Parts::Stage& here = p.of_step[s];
    const MatrixXd x = start + dt * stage_node[s] * k;
    k.topRows(n) = x.bottomRows(n);
    k.bottomRows(n) = here.dq * x.topRows(n) + here.dv * x.bottomRows(n);
    k.bottomRightCorner(n, n) += here.dtau;
    sum += dt * stage_weight[s] * k;
    end_q += dt * stage_weight[s] * here.v;
    end_v += dt * stage_weight[s] * here.a;
  }
  result.q = copy_of(end_q), result.v = copy_of(end_v);
  result.A.resize(static_cast<std::size_t>(4 * n * n));
  result.B.resize(static_cast<std::size_t>(2 * n * n));
  Eigen::Map<ByRows>(result.A.data(), 2 * n, 2 * n) = sum.leftCols(2 * n);
  Eigen::Map<ByRows>(result.B.data(), 2 * n, n) = sum.rightCols(n);
  return result;
}

const Sensitivity::Run& Sensitivity::run(Numbers q, Numbers v, Numbers tau, double dt) {
  Parts& p = *parts_;
  const auto n = static_cast<std::size_t>(p.n());
  require_size(q, p.n(), "q");
  require_size(v, p.n(), "v");
  const std::size_t steps = n == 0 ? 0 : tau.size() / n;
  require_size(tau, static_cast<int>(steps * n), "tau");
  p.last = {{q.begin(), q.end()}, {v.begin(), v.end()}, static_cast<int>(steps)};
  p.tau.assign(tau.begin(), tau.end());
  p.dt = dt;
  std::vector<double> here_q(q.begin(), q.end()), here_v(v.begin(), v.end());
  for (std::size_t i = 0; i < steps; ++i) {
    p.dynamics.step(here_q, here_v, tau.subspan(i * n, n), dt);
    p.last.q.insert(p.last.q.end(), here_q.begin(), here_q.end());
    p.last.v.insert(p.last.v.end(), here_v.begin(), here_v.end());
  }
  return p.last;
}

// With lambda the gradient by the state after a step, the gradients by k_s and by the stage's state are, last stage
// first,
//   K_s = h weight_s lambda + h node_(s+1) X_(s+1),   X_s = J_s^T K_s
// and lambda before the step is lambda + sum of X_s. The acceleration of a stage changes with parameters by -I^-1 Y: their
// gradient loses Y^T mu, mu = I^-1 K_v, which is what tau's gains.
Sensitivity::Gradient Sensitivity::back(Numbers by_q, Numbers by_v, Regressor* regressor) {
  Parts& p = *parts_;
  const auto n = static_cast<std::size_t>(p.n()), steps = static_cast<std::size_t>(p.last.steps);
  require_size(by_q, static_cast<int>((steps + 1) * n), "the gradient by q");
  require_size(by_v, static_cast<int>((steps + 1) * n), "the gradient by v");
  if (regressor != nullptr && regressor->has_friction() && !p.feels_friction)
    throw ArgumentError("the run has no friction, but its parameters have: run it with Forces::all");
  const auto row = [&](Numbers all, std::size_t i) { return all.subspan(i * n, n); };
  Gradient result;
  result.tau.assign(steps * n, 0.0);
  VectorXd parameters = VectorXd::Zero(regressor == nullptr ? 0 : regressor->columns());
  VectorXd of_q = column_of(row(by_q, steps)), of_v = column_of(row(by_v, steps));
  for (std::size_t i = steps; i-- > 0;) {
    p.differentiate(column_of(row(p.last.q, i)), column_of(row(p.last.v, i)), row(p.tau, i), p.dt);
    VectorXd X_q = VectorXd::Zero(of_q.size()), X_v = X_q, sum_q = of_q, sum_v = of_v, of_tau = X_q;
    for (std::size_t s = stage_count; s-- > 0;) {
      const Parts::Stage& here = p.of_step[s];
      const double after = s + 1 < stage_count ? stage_node[s + 1] : 0;
      const VectorXd K_q = p.dt * (stage_weight[s] * of_q + after * X_q),
                     K_v = p.dt * (stage_weight[s] * of_v + after * X_v);
      const VectorXd mu = here.dtau.transpose() * K_v;
      X_q = here.dq.transpose() * K_v;
      X_v = K_q + here.dv.transpose() * K_v;
      of_tau += mu;
      sum_q += X_q;
      sum_v += X_v;
      if (regressor != nullptr)
        parameters -=
            dense_copy(regressor->at(numbers_of(here.q), numbers_of(here.v), numbers_of(here.a))).transpose() * mu;
    }
    Eigen::Map<VectorXd>(result.tau.data() + i * n, static_cast<Index>(n)) = of_tau;
    of_q = sum_q + column_of(row(by_q, i));
    of_v = sum_v + column_of(row(by_v, i));
  }
  result.q = copy_of(of_q), result.v = copy_of(of_v), result.parameters = copy_of(parameters);
  return result;
}

}  // namespace denoc
