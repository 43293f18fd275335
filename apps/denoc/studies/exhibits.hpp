// The matrices of the papers as `denoc study` shows them: named, with the blocks that they are made of, and the laws
// that they obey.
#pragma once
#include <string>
#include <vector>

#include "denoc/dynamics/study.hpp"

namespace denoc::app {

// How the rows or columns of a matrix are grouped.
struct Block {
  std::string name;  // of the link, joint or module
  int size;          // six entries of a twist [w; v], three of a planar one, or any number of joints
  // "wx" and the like; none for a single entry.
  std::string component(int entry) const;
};
using Blocks = std::vector<Block>;

struct Exhibit {
  std::string symbol, meaning;
  study::Matrix value;
  Blocks rows, cols;
};
struct Law {
  std::string text;
  double residual, rounding;  // the largest entry of left - right, and what rounding explains of it
  double times_rounding() const { return residual == 0 ? 0 : residual / rounding; }
};
struct Exhibition {
  std::string_view group;
  std::vector<Exhibit> exhibits = {};
  std::vector<Law> laws = {};
  std::string not_covered = {};  // why there is nothing of this group
};

// complements: K, T, M, W, t, C, ...; N_l, N_d, Omega, E, ...; elimination: I, U, D, I^-1 and the elementary matrices;
// mass-centres: the recursion about mass centres; modules: the same from module to module; planar: twists of three
// entries.
inline constexpr std::string_view exhibition_groups[] = {"complements", "elimination", "mass-centres", "modules",
                                                         "planar"};
// What a group does not cover (a joint that moves without inertia, one that leaves the plane) it says.
Exhibition exhibition(std::string_view group, const Model& model, std::span<const double> q, std::span<const double> v);

}  // namespace denoc::app
