// What the foundation of a robot must hold: the wrench at the base while the arm accelerates.
#include <cstdio>
#include <denoc/denoc.hpp>

int main() {
  const denoc::Model robot(denoc::load("kuka_kr5"));
  std::vector<double> q = {0.2, -1.2, 1.0, 0.3, 0.8, 0}, v(6, 0.5), a(6, 2.0);
  denoc::Configuration<double> at(robot);
  denoc::ReactionScratch<double> scratch(robot);
  std::vector<denoc::Wrench<double>> reactions(robot.bodies().size());
  denoc::place<double>(robot, q, at);
  denoc::joint_reactions<double>(robot, at, v, a, scratch, reactions);
  const auto& [moment, force] = reactions[0];
  std::printf("force  %9.2f %9.2f %9.2f N\nmoment %9.2f %9.2f %9.2f N m, about the world's origin\n", force.x, force.y,
              force.z, moment.x, moment.y, moment.z);
}
