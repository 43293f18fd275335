// How a closed chain follows its independent degrees of freedom u, to second order: from J v = 0 and J a + J'v = 0,
//   v = W u',   a = W u'' + sum of u'_i u'_j h_ij,   J W = 0,   J h_ij = -(J'v)_ij
// where (J'v)_ij is the symmetric form of J'v, which is quadratic in v: (b(w_i + w_j) - b(w_i) - b(w_j))/2.
#pragma once
#include "denoc/loops/closed_chain.hpp"

namespace denoc {

struct Following {
  std::vector<int> independent;  // m of n
  std::vector<double> first;     // W, n x m by rows
  std::vector<double> second;    // h: entry (k m + i) m + j
};
// At a closed q; independent: empty for the first that will do. Throws ArgumentError where they do not determine the rest.
Following assembly_following(const Model& model, ClosedChain& chain, std::span<const double> q,
                             std::vector<int> independent);

}  // namespace denoc
