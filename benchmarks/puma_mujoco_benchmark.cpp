// Inverse and forward dynamics of the PUMA 560 against MuJoCo: same states, results compared first, taking turns.
// MuJoCo is asked for no more than the question needs: no contacts, constraints, sensors, actuators.
#include <fmt/format.h>

#include <cmath>
#include <random>

#include "../tests/support/mujoco.hpp"
#include "denoc/dynamics/forward/denoc.hpp"
#include "denoc/io/load.hpp"
#include "side_by_side.hpp"

namespace denoc::benchmarks {
namespace {

constexpr int n = 6, states = 256, turns = 301;
using Vector = std::vector<double>;
struct State {
  Vector q, v, a, tau;
};

class Puma {
 public:
  Puma() : robot_(load(DENOC_MODELS_DIR "/puma560.yaml")), model_(robot_), mujoco_(robot_) {
    std::mt19937 engine(1);
    const auto random = [&](double size) {
      Vector x(n);
      for (double& e : x) e = std::uniform_real_distribution<>(-size, size)(engine);
      return x;
    };
    for (int k = 0; k < states; ++k) states_.push_back({random(3), random(2), random(5), random(20)});
  }

  void ours_inverse(const State& s) {
    place<double>(model_, s.q, at_);
    inverse_dynamics<double>(model_, at_, s.v, s.a, inverse_, ours_);
  }
  void ours_forward(const State& s) {
    place<double>(model_, s.q, at_);
    forward_dynamics<double>(model_, at_, s.v, s.tau, forward_, ours_);
  }
  // All joints are hinges in our order: q and v are MuJoCo's, too.
  void mujoco_inverse(const State& s) {
    mjModel* m = mujoco_.model();
    mjData* d = mujoco_.data();
    std::copy(s.q.begin(), s.q.end(), d->qpos);
    std::copy(s.v.begin(), s.v.end(), d->qvel);
    std::copy(s.a.begin(), s.a.end(), d->qacc);
    mj_kinematics(m, d);
    mj_comPos(m, d);
    mj_comVel(m, d);
    mj_rne(m, d, 1, theirs_.data());
  }
  void mujoco_forward(const State& s) {
    mjModel* m = mujoco_.model();
    mjData* d = mujoco_.data();
    std::copy(s.q.begin(), s.q.end(), d->qpos);
    std::copy(s.v.begin(), s.v.end(), d->qvel);
    mj_kinematics(m, d);
    mj_comPos(m, d);
    mj_crb(m, d);
    mj_factorM(m, d);
    mj_comVel(m, d);
    mj_rne(m, d, 0, bias_.data());
    for (int k = 0; k < n; ++k) bias_[k] = s.tau[k] - bias_[k];
    mj_solveM(m, d, theirs_.data(), bias_.data(), 1);
  }

  // How far the results are apart at worst, relative to the largest entry.
  double disagreement(void (Puma::*ours)(const State&), void (Puma::*theirs)(const State&)) {
    double worst = 0;
    for (const State& s : states_) {
      (this->*ours)(s);
      (this->*theirs)(s);
      double apart = 0, size = 0;
      for (int k = 0; k < n; ++k) {
        apart += std::abs(ours_[k] - theirs_[k]);
        size = std::max(size, std::abs(theirs_[k]));
      }
      if (!(apart <= worst * size)) worst = apart / size;
    }
    return worst;
  }
  Contender contender(const char* name, void (Puma::*run)(const State&)) {
    return {name,
            [this, run] {
              for (const State& s : states_) (this->*run)(s);
            },
            states};
  }

 private:
  Robot robot_;
  Model model_;
  test::MujocoRobot mujoco_;
  Configuration<double> at_{model_};
  InverseScratch<double> inverse_{model_};
  ForwardScratch<double> forward_{model_};
  Vector ours_ = Vector(n), theirs_ = Vector(n), bias_ = Vector(n);
  std::vector<State> states_;
};

int compare() {
  Puma puma;
  const double inverse = puma.disagreement(&Puma::ours_inverse, &Puma::mujoco_inverse),
               forward = puma.disagreement(&Puma::ours_forward, &Puma::mujoco_forward);
  fmt::print("PUMA 560, {} states: results agree to {:.1e} (inverse), {:.1e} (forward)\n", states, inverse, forward);
  // eps times the condition of the inertia matrix, 1e5, and some.
  if (!(inverse < 1e-12) || !(forward < 1e-10)) {
    fmt::print(stderr, "puma_mujoco_benchmark: the results do not agree\n");
    return 1;
  }
  std::vector<Contender> all = {puma.contender("denoc, inverse dynamics", &Puma::ours_inverse),
                                puma.contender("MuJoCo, inverse dynamics", &Puma::mujoco_inverse),
                                puma.contender("denoc, forward dynamics", &Puma::ours_forward),
                                puma.contender("MuJoCo, forward dynamics", &Puma::mujoco_forward)};
  take_turns(all, turns);
  for (const Contender& c : all) fmt::print("  {:<26} {:7.0f} ns\n", c.name, c.median());
  fmt::print("  MuJoCo / denoc: inverse {:.2f}, forward {:.2f}\n", all[1].median() / all[0].median(),
             all[3].median() / all[2].median());
  return 0;
}

}  // namespace
}  // namespace denoc::benchmarks

int main() { return denoc::benchmarks::compare(); }
