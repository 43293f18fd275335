// Where the numbers of a row stand among packs. (Compiled once, for any processor, as Branches.)
#pragma once
#include <span>
#include <vector>

#include "denoc/dynamics/derivatives/elimination.hpp"

namespace denoc::batch {

// Number `to` of a row is a lane of pack `from`; numbers without one are zero. Numbers side by side go by fours.
class Scattering {
 public:
  struct Move {
    int to, from;
  };
  struct Four {
    int to, from[4];
  };
  // Of rows of so many numbers; `zero`: a pack that is.
  Scattering(const std::vector<Move>& moves, std::size_t numbers, int zero);
  Scattering(const Scattering& other);
  ~Scattering();

  std::span<const Four> fours() const { return {fours_.data(), fours_.size()}; }
  std::span<const Move> ones() const { return {ones_.data(), ones_.size()}; }
  std::size_t numbers() const { return numbers_; }
  bool is_complete() const { return is_complete_; }

 private:
  std::size_t numbers_;
  bool is_complete_ = true;  // no four is zero
  std::vector<Four> fours_ = {};
  std::vector<Move> ones_ = {};  // of rows that have no four
};

// A whole matrix, n x n by rows in the order of the user: from the triangles (which of their planes has the
// rows of the ancestors, and which those of the descendants) ...
Scattering from_triangles(const Branches& on, int upper, int lower);
// ... and from the solved system: 0 da/dtau, 1 da/dq, 2 da/dv.
Scattering from_system(const Branches& on, std::span<const BranchRows> trees, int part, int zero);

}  // namespace denoc::batch
