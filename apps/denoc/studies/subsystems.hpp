// In what order inverse dynamics of a closed chain goes through the trees that are left when its loops are cut: which
// joints and loops each of them has.                                                              [Shah13 section 2.2]
#pragma once
#include <string>
#include <vector>

#include "denoc/mechanism/mechanism.hpp"

namespace denoc::app {

struct SolvedSubsystem {
  int order;  // those that are solved together have the same
  std::vector<std::string> joints, driven;
  std::vector<std::string> loops;  // whose multipliers its equations give; known before: none of them
  bool is_determinate;
};
// With drives in these degrees of freedom, at a q that closes the loops. Throws ArgumentError, NotDriveable.
std::vector<SolvedSubsystem> solved_subsystems(const Mechanism& robot, const std::vector<double>& q,
                                               const std::vector<int>& driven);
// The first degrees of freedom that lead all others at q: what is driven if nothing else is said.
std::vector<int> independent_freedoms(const Mechanism& robot, const std::vector<double>& q);

}  // namespace denoc::app
