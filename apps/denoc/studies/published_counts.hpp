// What the papers say their algorithms and those of others cost, for a serial chain of n revolute joints: the one place
// where such a number stands.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "studies/polynomial.hpp"

namespace denoc::app {

inline constexpr std::string_view phi_given = "factorize + solve";  // phi = tau - bias is there already

struct PublishedCount {
  std::string_view problem, method;  // ours that does the same
  std::string_view who;              // empty: the document's own
  std::string_view tables;           // where it is printed: "Saha97 Table I, Mohan07 Table 1"
  Polynomial mul, add;               // a division is a multiplication
  int only_at = 0;                   // the paper prints this n only

  bool is_in(std::string_view table) const;
  // "Featherstone [Saha97 Table I, ...]", or the tables alone.
  std::string where() const;
};
std::span<const PublishedCount> published_counts();

}  // namespace denoc::app
