#include "scattering.hpp"

#include <algorithm>

#include "denoc/dynamics/derivatives/inverse.hpp"

namespace denoc::batch {

Scattering::Scattering(std::vector<Move> moves, std::size_t numbers)
    : numbers_(numbers), is_complete_(moves.size() == numbers) {
  std::sort(moves.begin(), moves.end(), [](const Move& a, const Move& b) { return a.to < b.to; });
  for (std::size_t begin = 0, end = 0; begin < moves.size(); begin = end) {
    for (end = begin + 1; end < moves.size() && moves[end].to == moves[end - 1].to + 1;) ++end;
    const auto at = [&](std::size_t k) { return moves.begin() + static_cast<std::ptrdiff_t>(k); };
    if (end - begin < 4) {
      ones_.insert(ones_.end(), at(begin), at(end));
      continue;
    }
    for (std::size_t k = begin; k < end; k += 4) {  // the last may overlap the one before
      const auto m = at(std::min(k, end - 4));
      fours_.push_back({m[0].to, {m[0].from, m[1].from, m[2].from, m[3].from}});
    }
  }
}
Scattering::Scattering(const Scattering&) = default;
Scattering::~Scattering() = default;

Scattering from_triangles(const Branches& on, int upper, int lower) {
  const int n = on.size();
  std::vector<Scattering::Move> moves;
  for (int c = 0; c < n; ++c)
    for (int k = c; k < on.end(c); ++k) {
      const int pair = (c * n + k) * of_pair;
      moves.push_back({on.row(c) * n + on.row(k), pair + upper});
      if (k > c) moves.push_back({on.row(k) * n + on.row(c), pair + lower});
    }
  return {std::move(moves), static_cast<std::size_t>(n) * static_cast<std::size_t>(n)};
}

Scattering from_system(const Branches& on, std::span<const BranchRows> trees, int part) {
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
  return {std::move(moves), static_cast<std::size_t>(n) * static_cast<std::size_t>(n)};
}

}  // namespace denoc::batch
