#include "scattering.hpp"

#include <algorithm>

#include "denoc/dynamics/derivatives/inverse.hpp"

namespace denoc::batch {

Scattering::Scattering(const std::vector<Move>& moves, std::size_t numbers, int zero) : numbers_(numbers) {
  std::vector<int> from(numbers, zero);
  for (const Move& move : moves) from[static_cast<std::size_t>(move.to)] = move.from;
  if (numbers < 4)
    for (std::size_t k = 0; k < numbers; ++k) ones_.push_back({static_cast<int>(k), from[k]});
  else
    for (std::size_t k = 0; k < numbers; k += 4) {  // the last may overlap the one before
      const std::size_t first = std::min(k, numbers - 4);
      const int to = static_cast<int>(first), *const four = &from[first];
      if (std::all_of(four, four + 4, [&](int pack) { return pack == zero; }))
        is_complete_ = false;
      else
        fours_.push_back({to, {four[0], four[1], four[2], four[3]}});
    }
}
Scattering::Scattering(const Scattering&) = default;
Scattering::~Scattering() = default;

Scattering from_triangles(const Branches& on, int upper, int lower) {
  using Packs = Triangles<double, of_pair>;
  const int n = on.size();
  std::vector<Scattering::Move> moves;
  for (int c = 0; c < n; ++c)
    for (int k = c; k < on.end(c); ++k) {
      if (k > c) moves.push_back({on.row(k) * n + on.row(c), Packs::offset(n, lower, c, k)});
      moves.push_back({on.row(c) * n + on.row(k), Packs::offset(n, upper, c, k)});
    }
  return {moves, static_cast<std::size_t>(n) * static_cast<std::size_t>(n), 0};
}

Scattering from_system(const Branches& on, std::span<const BranchRows> trees, int part, int zero) {
  const int n = on.size();
  std::vector<Scattering::Move> moves;
  for (const BranchRows& tree : trees)
    for (int c = 0; c < tree.size(); ++c)
      for (int k = 0; k < tree.size(); ++k) {
        const int row = part == 0 ? std::min(c, k) : c, column = part == 0 ? std::max(c, k) : k;  // symmetric
        moves.push_back(
            {on.row(tree.trunk.first + c) * n + on.row(tree.trunk.first + k),
             static_cast<int>(tree.offset) + row * static_cast<int>(tree.stride) + part * tree.size() + column});
      }
  return {moves, static_cast<std::size_t>(n) * static_cast<std::size_t>(n), zero};
}

}  // namespace denoc::batch
