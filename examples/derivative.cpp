// How gravity torques change with the posture: the library run on dual numbers, no finite differences.
#include <cstdio>
#include <denoc/denoc.hpp>

int main() {
  using T = denoc::Dual<double>;
  const denoc::Model robot(denoc::load("puma560"));
  denoc::Configuration<T> at(robot);
  denoc::InverseScratch<T> scratch(robot);
  std::vector<T> q = {0.1, 0.4, -0.3, 0.2, 0.5, 0.0}, tau(6);
  for (int column = 0; column < 6; ++column) {
    q[column].d = 1;
    denoc::place<T>(robot, q, at);
    denoc::gravity_forces<T>(robot, at, scratch, tau);
    q[column].d = 0;
    for (const T& x : tau) std::printf("%10.4f", x.d);
    std::printf("   d tau / d q%d\n", column + 1);
  }
}
