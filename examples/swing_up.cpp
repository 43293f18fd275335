// An acrobot swings up: two links on one another, driven at the elbow alone, from hanging to standing. The torques are
// found by iLQR: run, linearise the whole run at once (a batch of derivatives), go back through time, run again.
#include <array>
#include <cmath>
#include <cstdio>
#include <denoc/batch/batch.hpp>
#include <denoc/denoc.hpp>

namespace {

constexpr int steps = 200;
constexpr double dt = 0.025, pi = 3.14159265358979323846;
constexpr double price = 0.01;                                       // of torque^2, per second
constexpr std::array<double, 4> goal = {pi, 0, 0, 0};                // q, v at the end
constexpr std::array<double, 4> far_from_goal = {100, 100, 10, 10};  // ... and how much it matters

using State = std::array<double, 4>;  // q, v
using Matrix = std::array<State, 4>;

denoc::Robot acrobot() {
  denoc::Robot robot;
  robot.gravity = {0, 0, -9.81};
  for (int k = 1; k <= 2; ++k) {
    denoc::Body link;
    link.name = k == 1 ? "upper" : "lower";
    link.parent = k - 1;
    link.joint.type = denoc::JointType::revolute;
    link.joint.axis = {0, 1, 0};
    if (k == 2) link.joint_frame.r = {0, 0, -1};
    link.inertial = {1, {0, 0, -0.5}, {1.0 / 12, 0, 1.0 / 12, 0, 0, 0.001}};
    robot.bodies.push_back(link);
  }
  return robot;
}

class Acrobot {
 public:
  Acrobot() : model_(acrobot()), at_(model_), scratch_(model_), batch_(model_, executor_) {}

  // v' = v + a dt, q' = q + v' dt
  State next(const State& x, double torque) {
    const double q[] = {x[0], x[1]}, v[] = {x[2], x[3]}, tau[] = {0, torque};
    double a[2];
    denoc::place<double>(model_, q, at_);
    denoc::forward_dynamics<double>(model_, at_, v, tau, scratch_, a);
    const double v0 = x[2] + dt * a[0], v1 = x[3] + dt * a[1];
    return {x[0] + dt * v0, x[1] + dt * v1, v0, v1};
  }
  // dx' = A dx + B du of every step of a run
  struct Linear {
    Matrix A;
    State B;
  };
  std::vector<Linear> along(const std::vector<State>& x, const std::vector<double>& u) {
    std::vector<double> q, v, tau, dq(4 * steps), dv(dq), dtau(dq);
    for (int k = 0; k < steps; ++k) {
      q.insert(q.end(), {x[k][0], x[k][1]});
      v.insert(v.end(), {x[k][2], x[k][3]});
      tau.insert(tau.end(), {0, u[k]});
    }
    batch_.forward_derivatives(q, v, tau, dq, dv, dtau);
    std::vector<Linear> all(steps);
    for (int k = 0; k < steps; ++k) {
      auto& [A, B] = all[k];
      for (int i = 0; i < 2; ++i) {
        const double *by_q = &dq[4 * k + 2 * i], *by_v = &dv[4 * k + 2 * i];
        A[2 + i] = {dt * by_q[0], dt * by_q[1], dt * by_v[0], dt * by_v[1]};
        A[2 + i][2 + i] += 1;
        B[2 + i] = dt * dtau[4 * k + 2 * i + 1];
        for (int j = 0; j < 4; ++j) A[i][j] = dt * A[2 + i][j] + (i == j);
        B[i] = dt * B[2 + i];
      }
    }
    return all;
  }

 private:
  denoc::Model model_;
  denoc::Configuration<double> at_;
  denoc::ForwardScratch<double> scratch_;
  denoc::Executor executor_{1};
  denoc::Batch<double> batch_;
};

struct Run {
  std::vector<State> x{{0, 0, 0, 0}};  // hanging
  std::vector<double> u = {};
  double cost = 0;
};
// u(k, x) drives it.
template <class Drive> Run run(Acrobot& robot, Drive&& drive) {
  Run r;
  for (int k = 0; k < steps; ++k) {
    r.u.push_back(drive(k, r.x.back()));
    r.cost += price / 2 * r.u.back() * r.u.back() * dt;
    r.x.push_back(robot.next(r.x.back(), r.u.back()));
    if (!(std::fabs(r.x.back()[2]) + std::fabs(r.x.back()[3]) < 1e3)) return {r.x, r.u, HUGE_VAL};  // it ran away
  }
  for (int i = 0; i < 4; ++i) r.cost += far_from_goal[i] / 2 * std::pow(r.x.back()[i] - goal[i], 2);
  return r;
}

// u = u_k + step change_k + gain_k . (x - x_k): the best change of the linearised run, and what it is expected to bring.
// Changes of the state cost `caution` besides, so that the next run stays where the linear one is true.
struct Plan {
  std::array<double, steps> change;
  std::array<State, steps> gain;
  double gradient = 0;
};
Plan go_back(const Run& r, const std::vector<Acrobot::Linear>& linear, double caution) {
  Plan plan;
  State Vx;
  Matrix V{};
  for (int i = 0; i < 4; ++i) {
    Vx[i] = far_from_goal[i] * (r.x.back()[i] - goal[i]);
    V[i][i] = far_from_goal[i];
  }
  for (int k = steps; k-- > 0;) {
    const auto& [A, B] = linear[k];
    State Qx{}, Qux{}, VB{};
    Matrix VA{}, Qxx{};
    double Qu = price * dt * r.u[k], Quu = price * dt;
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) {
        VB[i] += V[i][j] * B[j];
        for (int l = 0; l < 4; ++l) VA[i][j] += V[i][l] * A[l][j];
      }
    for (int i = 0; i < 4; ++i) {
      Qu += B[i] * Vx[i];
      Quu += B[i] * (VB[i] + caution * B[i]);
      for (int j = 0; j < 4; ++j) {
        Qx[j] += A[i][j] * Vx[i];
        Qux[j] += B[i] * (VA[i][j] + caution * A[i][j]);
        for (int l = 0; l < 4; ++l) Qxx[j][l] += A[i][j] * VA[i][l];
      }
    }
    const double change = plan.change[k] = -Qu / Quu;
    State& gain = plan.gain[k];
    for (int i = 0; i < 4; ++i) gain[i] = -Qux[i] / Quu;
    for (int i = 0; i < 4; ++i) {
      Vx[i] = Qx[i] + Qux[i] * change + gain[i] * (Qu + Quu * change);
      for (int j = 0; j < 4; ++j) V[i][j] = Qxx[i][j] + gain[i] * Quu * gain[j] + gain[i] * Qux[j] + Qux[i] * gain[j];
    }
    plan.gradient += Qu * change;
  }
  return plan;
}

}  // namespace

int main() {
  Acrobot robot;
  Run best = run(robot, [](int k, const State&) { return std::sin(3 * k * dt); });
  double caution = 1;
  int rounds = 0;
  while (rounds < 500 && caution < 1e12) {
    ++rounds;
    const Plan plan = go_back(best, robot.along(best.x, best.u), caution);
    Run next;
    double step = 2;
    do {
      step /= 2;
      next = run(robot, [&](int k, const State& x) {
        double u = best.u[k] + step * plan.change[k];
        for (int i = 0; i < 4; ++i) u += plan.gain[k][i] * (x[i] - best.x[k][i]);
        return u;
      });
    } while (!(next.cost < best.cost + 1e-4 * step * plan.gradient) && step > 1e-2);
    if (!(next.cost < best.cost)) {
      caution *= 5;
      continue;
    }
    const double gained = best.cost - next.cost;
    best = next;
    caution = std::fmax(caution / 3, 1e-8);
    if (gained < 1e-6 * best.cost) break;
  }
  double missed = 0, most = 0;
  for (int i = 0; i < 4; ++i) missed = std::fmax(missed, std::fabs(best.x.back()[i] - goal[i]));
  for (const double u : best.u) most = std::fmax(most, std::fabs(u));
  std::printf(
      "After %d rounds the acrobot stands, but for %.4f rad or rad/s, at the end of %g s; it took at most %.1f N m.\n",
      rounds, missed, steps * dt, most);
  return missed < 0.05 ? 0 : 1;
}
