#include "denoc/simulation/sensitivity.hpp"

#include <Eigen/Dense>
#include <array>

#include "closed_steps.hpp"
#include "denoc/model/chart.hpp"
#include "kinematics/checks.hpp"
#include "mechanism/runge_kutta4.hpp"

namespace denoc {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using ByRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Numbers = std::span<const double>;

VectorXd column_of(Numbers x) { return Eigen::Map<const VectorXd>(x.data(), static_cast<Index>(x.size())); }
Numbers numbers_of(const VectorXd& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }
std::vector<double> copy_of(const VectorXd& x) { return {x.data(), x.data() + x.size()}; }
MatrixXd dense_copy(const MatrixView& m) { return Eigen::Map<const ByRows>(m.entries().data(), m.rows(), m.columns()); }

// How the coordinates x around the start of a step (model/chart.hpp) carry changes, blocks of one joint each, 1 and 0 of
// joints whose q adds up:
//   dq = by_x dx + by_centre dq0,   dx' = rate_by_x dx + rate_by_v dv
// for q = place_around(q0, x) and x' = rates_around(..., v), each q on its tangent space.
struct Carried {
  MatrixXd by_x, by_centre, rate_by_x, rate_by_v;
};
// The columns of joints with quaternions, by Dual.
class Carrying {
 public:
  explicit Carrying(const Model& model)
      : model_(&model),
        centre_(static_cast<std::size_t>(model.nq())),
        start_(centre_),
        q_(centre_),
        x_(static_cast<std::size_t>(model.nv())),
        v_(x_),
        step_(x_),
        rate_(x_) {
    detail::for_joints<double>(
        model, [](int, int) {},
        [&](int, int k) {
          for (int c = 0; c < 3; ++c) turning_.push_back(k + c);
        },
        [&](int, int k) {
          for (int c = 3; c < 6; ++c) turning_.push_back(k + c);
        });
  }

  void at(Numbers centre, const VectorXd& x, const VectorXd& v, Carried& to) {
    const auto n = static_cast<Index>(v_.size());
    to.by_x = to.by_centre = to.rate_by_v = MatrixXd::Identity(n, n);
    to.rate_by_x = MatrixXd::Zero(n, n);
    if (turning_.empty()) return;
    for (std::size_t i = 0; i < centre.size(); ++i) centre_[i] = start_[i] = D(centre[i]);
    for (std::size_t k = 0; k < x_.size(); ++k) {
      x_[k] = D(x[static_cast<Index>(k)]);
      v_[k] = D(v[static_cast<Index>(k)]);
      step_[k] = D(0.0);
    }
    for (const int k : turning_) {
      const auto along = [&](std::vector<D>& varied, auto&& f) {
        varied[static_cast<std::size_t>(k)].d = 1;
        f();
        varied[static_cast<std::size_t>(k)].d = 0;
      };
      along(x_, [&] {
        place_around<D>(*model_, centre_, x_, q_);
        to.by_x.col(k) = moved();
        to.rate_by_x.col(k) = changed_rate();
      });
      along(v_, [&] {
        place_around<D>(*model_, centre_, x_, q_);
        to.rate_by_v.col(k) = changed_rate();
      });
      along(step_, [&] {
        integrate<D>(*model_, start_, step_, centre_);
        place_around<D>(*model_, centre_, x_, q_);
        to.by_centre.col(k) = moved();
        centre_ = start_;
      });
    }
  }

 private:
  using D = Dual<double>;
  VectorXd moved() {
    VectorXd d(static_cast<Index>(v_.size()));
    rates_of<double>(*model_, q_, {d.data(), v_.size()});
    return d;
  }
  VectorXd changed_rate() {
    rates_around<D>(*model_, centre_, x_, q_, v_, rate_);
    VectorXd d(static_cast<Index>(v_.size()));
    for (Index k = 0; k < d.size(); ++k) d[k] = rate_[static_cast<std::size_t>(k)].d;
    return d;
  }

  const Model* model_;
  std::vector<int> turning_ = {};  // degrees of freedom of joints with quaternions
  std::vector<D> centre_, start_, q_, x_, v_, step_, rate_;
};

}  // namespace

struct Sensitivity::Parts {
  // Of one stage: q = place_around(start, x), v, and x', a there; da/dq, da/dv, da/dtau.
  struct Stage {
    VectorXd x, q, v, x_rate, a;
    MatrixXd dq, dv, dtau;
    Carried carried;
  };
  Dynamics dynamics;
  std::optional<ClosedSteps> closed = {};  // of a robot with loops
  Chart chart;
  Carrying carrying;
  std::array<Stage, runge_kutta4::stages> of_step = {};
  VectorXd end_x = {}, end_v = {};  // the sums of the stages
  Carried carried_on = {};
  MatrixXd closing = {};  // how the state after the step follows the one before its loops are closed again
  std::optional<Run> last = {};
  std::vector<double> tau = {};
  double dt = 0;
  bool feels_friction;

  Parts(const Mechanism& mechanism, Forces forces)
      : dynamics(mechanism, forces),
        chart(mechanism.tree(), mechanism.neutral()),
        carrying(mechanism.tree()),
        feels_friction(forces == Forces::all) {
    if (mechanism.has_loops()) closed.emplace(mechanism, forces);
  }

  int n() const { return dynamics.mechanism().nv(); }
  // q at the door, as Dynamics takes it.
  std::vector<double> entered(Numbers q) const {
    return kinematics::coordinates_of(dynamics.mechanism().tree(), {q.begin(), q.end()}, "q");
  }
  VectorXd place(const VectorXd& x) const {
    VectorXd q(dynamics.mechanism().nq());
    chart.place(numbers_of(x), {q.data(), static_cast<std::size_t>(q.size())});
    return q;
  }
  // The stages of a step, with their derivatives.
  void differentiate(Numbers q, Numbers v, Numbers drive, double h) {
    chart.move_to(q);
    end_x = VectorXd::Zero(n());
    end_v = column_of(v);
    for (std::size_t s = 0; s < runge_kutta4::stages; ++s) {
      Stage& here = of_step[s];
      here.x = VectorXd::Zero(n());
      here.v = column_of(v);
      if (s > 0) {
        here.x += h * runge_kutta4::node[s] * of_step[s - 1].x_rate;
        here.v += h * runge_kutta4::node[s] * of_step[s - 1].a;
      }
      here.q = s == 0 ? column_of(q) : place(here.x);
      accelerate(here, drive);
      here.x_rate.resize(n());
      chart.rates(numbers_of(here.x), numbers_of(here.q), numbers_of(here.v),
                  {here.x_rate.data(), static_cast<std::size_t>(n())});
      carrying.at(q, here.x, here.v, here.carried);
      end_x += h * runge_kutta4::weight[s] * here.x_rate;
      end_v += h * runge_kutta4::weight[s] * here.a;
    }
    carrying.at(q, end_x, end_v, carried_on);
    if (closed) closing = closed->close(copy_of(place(end_x)), copy_of(end_v));
  }
  void accelerate(Stage& here, Numbers drive) {
    if (closed) {
      here.a = column_of(closed->accelerate(numbers_of(here.q), numbers_of(here.v), drive));
      const auto dense = [&](Numbers matrix) -> MatrixXd { return Eigen::Map<const ByRows>(matrix.data(), n(), n()); };
      const Differentiation& d = closed->derivatives;
      here.dq = dense(d.dq), here.dv = dense(d.dv), here.dtau = dense(d.da);
      return;
    }
    const auto [dq, dv, dtau] = dynamics.forward_derivatives(numbers_of(here.q), numbers_of(here.v), drive);
    here.dq = dense_copy(dq), here.dv = dense_copy(dv), here.dtau = dense_copy(dtau);
    here.a = column_of(dynamics.forward(numbers_of(here.q), numbers_of(here.v), drive));
  }
};

Sensitivity::Sensitivity(const Mechanism& mechanism, Forces forces) {
  parts_ = std::make_unique<Parts>(mechanism, forces);
}
Sensitivity::~Sensitivity() = default;
Sensitivity::Sensitivity(Sensitivity&&) noexcept = default;

// The steps of the derivatives are those of the state, by q and v before the step and tau:
//   dx_s = h node_s dx'_(s-1),   dv_s = dv + h node_s da_(s-1),   dx'_s and dq_s by what carries them,
//   da_s = (da/dq) dq_s + (da/dv) dv_s + (da/dtau) dtau
Sensitivity::Step Sensitivity::step(Numbers q, Numbers v, Numbers tau, double dt) {
  Parts& p = *parts_;
  const Index n = p.n();
  const std::vector<double> start = p.entered(q);
  Step result{start, {v.begin(), v.end()}, {}, {}};
  p.dynamics.step(result.q, result.v, tau, dt);  // first of all: what it refuses has no derivatives
  p.differentiate(start, v, tau, dt);
  // columns: by q, v, tau
  const MatrixXd one = MatrixXd::Identity(3 * n, 3 * n);
  const MatrixXd start_q = one.topRows(n), start_v = one.middleRows(n, n), given_tau = one.bottomRows(n);
  MatrixXd rate = MatrixXd::Zero(n, 3 * n), a = rate, sum_x = rate, end_v = start_v;
  for (std::size_t s = 0; s < runge_kutta4::stages; ++s) {
    const Parts::Stage& here = p.of_step[s];
    const MatrixXd x = dt * runge_kutta4::node[s] * rate, v_s = start_v + dt * runge_kutta4::node[s] * a;
    const MatrixXd q_s = here.carried.by_x * x + here.carried.by_centre * start_q;
    rate = here.carried.rate_by_x * x + here.carried.rate_by_v * v_s;
    a = here.dq * q_s + here.dv * v_s + here.dtau * given_tau;
    sum_x += dt * runge_kutta4::weight[s] * rate;
    end_v += dt * runge_kutta4::weight[s] * a;
  }
  MatrixXd end(2 * n, 3 * n);
  end << p.carried_on.by_x * sum_x + p.carried_on.by_centre * start_q, end_v;
  if (p.closed) end = p.closing * end;
  result.A.resize(static_cast<std::size_t>(4 * n * n));
  result.B.resize(static_cast<std::size_t>(2 * n * n));
  Eigen::Map<ByRows>(result.A.data(), 2 * n, 2 * n) = end.leftCols(2 * n);
  Eigen::Map<ByRows>(result.B.data(), 2 * n, n) = end.rightCols(n);
  return result;
}

const Sensitivity::Run& Sensitivity::run(Numbers q, Numbers v, Numbers tau, double dt) {
  Parts& p = *parts_;
  const auto n = static_cast<std::size_t>(p.n());
  require_numbers(v, p.n(), "v");
  const std::size_t steps = n == 0 ? 0 : tau.size() / n;
  require_numbers(tau, static_cast<int>(steps * n), "tau");
  // The last run stays until this one is complete: q and v may be rows of it, and a step may throw.
  Run run{p.entered(q), {v.begin(), v.end()}, static_cast<int>(steps)};
  std::vector<double> here_q = run.q, here_v = run.v, drive(tau.begin(), tau.end());
  for (std::size_t i = 0; i < steps; ++i) {
    p.dynamics.step(here_q, here_v, tau.subspan(i * n, n), dt);
    run.q.insert(run.q.end(), here_q.begin(), here_q.end());
    run.v.insert(run.v.end(), here_v.begin(), here_v.end());
  }
  p.last = std::move(run);
  p.tau = std::move(drive);
  p.dt = dt;
  return *p.last;
}

// With lambda the gradient by the state after a step, the gradients by x'_s and a_s are, last stage first, K_x and K_a
//   K = h weight_s (by_x^T lambda_q, lambda_v) + h node_(s+1) X_(s+1)
//   X_q = (da/dq)^T K_a,   X_x = by_x^T X_q + rate_by_x^T K_x,   X_v = rate_by_v^T K_x + (da/dv)^T K_a
// those by q_s, x_s and v_s. lambda before the step is that of the end carried back, and the sums of by_centre^T X_q and
// X_v. The acceleration of a stage changes with parameters by -I^-1 Y: their gradient loses Y^T mu, mu = I^-1 K_a, which
// is what tau's gains.
Sensitivity::Gradient Sensitivity::back(Numbers by_q, Numbers by_v, Regressor* regressor) {
  Parts& p = *parts_;
  if (!p.last) throw ArgumentError("gradients are those of the last run: there was no run");
  const auto n = static_cast<std::size_t>(p.n()), steps = static_cast<std::size_t>(p.last->steps),
             nq = static_cast<std::size_t>(p.dynamics.mechanism().nq());
  require_numbers(by_q, static_cast<int>((steps + 1) * n), "the gradient by q");
  require_numbers(by_v, static_cast<int>((steps + 1) * n), "the gradient by v");
  if (regressor != nullptr && &regressor->mechanism() != &p.dynamics.mechanism())
    throw ArgumentError("the regressor is that of another mechanism than the run");
  if (regressor != nullptr && regressor->has_friction() && !p.feels_friction)
    throw ArgumentError("the run has no friction, but its parameters have: run it with Forces::all");
  const auto row = [](Numbers all, std::size_t i, std::size_t width) { return all.subspan(i * width, width); };
  Gradient result;
  result.tau.assign(steps * n, 0.0);
  VectorXd parameters = VectorXd::Zero(regressor == nullptr ? 0 : regressor->columns());
  VectorXd of_q = column_of(row(by_q, steps, n)), of_v = column_of(row(by_v, steps, n));
  for (std::size_t i = steps; i-- > 0;) {
    p.differentiate(row(p.last->q, i, nq), row(p.last->v, i, n), row(p.tau, i, n), p.dt);
    if (p.closed) {
      VectorXd of_end(of_q.size() + of_v.size());
      of_end << of_q, of_v;
      of_end = p.closing.transpose() * of_end;
      of_q = of_end.head(of_q.size()), of_v = of_end.tail(of_v.size());
    }
    const VectorXd of_x = p.carried_on.by_x.transpose() * of_q;
    VectorXd X_x = VectorXd::Zero(of_v.size()), X_v = X_x, of_tau = X_x, sum_v = of_v;
    VectorXd sum_q = p.carried_on.by_centre.transpose() * of_q;
    for (std::size_t s = runge_kutta4::stages; s-- > 0;) {
      const Parts::Stage& here = p.of_step[s];
      const double after = s + 1 < runge_kutta4::stages ? runge_kutta4::node[s + 1] : 0;
      const VectorXd K_x = p.dt * (runge_kutta4::weight[s] * of_x + after * X_x),
                     K_a = p.dt * (runge_kutta4::weight[s] * of_v + after * X_v);
      const VectorXd mu = here.dtau.transpose() * K_a, X_q = here.dq.transpose() * K_a;
      X_x = here.carried.by_x.transpose() * X_q + here.carried.rate_by_x.transpose() * K_x;
      X_v = here.carried.rate_by_v.transpose() * K_x + here.dv.transpose() * K_a;
      of_tau += mu;
      sum_q += here.carried.by_centre.transpose() * X_q;
      sum_v += X_v;
      if (regressor != nullptr)
        parameters -=
            dense_copy(regressor->at(numbers_of(here.q), numbers_of(here.v), numbers_of(here.a))).transpose() * mu;
    }
    Eigen::Map<VectorXd>(result.tau.data() + i * n, static_cast<Index>(n)) = of_tau;
    of_q = sum_q + column_of(row(by_q, i, n));
    of_v = sum_v + column_of(row(by_v, i, n));
  }
  result.q = copy_of(of_q), result.v = copy_of(of_v), result.parameters = copy_of(parameters);
  return result;
}

}  // namespace denoc
