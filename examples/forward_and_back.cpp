// Accelerations of a floating humanoid from its joint torques, and the torques back from them.
#include <cmath>
#include <cstdio>
#include <denoc/denoc.hpp>

int main() {
  const denoc::Model robot(denoc::load("humanoid"));
  const int n = robot.nv();
  std::vector<double> q(robot.nq(), 0.1), v(n, 0.1), tau(n, 0.0), a(n), back(n);
  for (int k = 6; k < n; ++k) tau[k] = std::sin(k);  // the six of the free base stay zero: nothing holds it
  denoc::normalise<double>(robot, q);

  denoc::Configuration<double> at(robot);
  denoc::ForwardScratch<double> forward(robot);
  denoc::InverseScratch<double> inverse(robot);
  denoc::place<double>(robot, q, at);
  denoc::forward_dynamics<double>(robot, at, v, tau, forward, a);
  denoc::inverse_dynamics<double>(robot, at, v, a, inverse, back);

  double worst = 0;
  for (int k = 0; k < n; ++k) worst = std::fmax(worst, std::fabs(back[k] - tau[k]));
  std::printf("%d degrees of freedom; torques come back to %.1e N m\n", n, worst);
  return worst < 1e-9 ? 0 : 1;
}
