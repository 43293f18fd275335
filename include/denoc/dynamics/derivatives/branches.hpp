// Which columns of a tree are on one branch, in the order of the links, and where the entries of matrices that have
// numbers there alone go: the same for every scalar. (Its functions are compiled once, for any processor: the kernels
// of batches, which are compiled for one, read what it says.)
#pragma once
#include "denoc/model/model.hpp"

namespace denoc {

class Branches {
 public:
  template <class R> explicit Branches(const BasicModel<R>& model);
  Branches(const Branches& other);
  ~Branches();

  int size() const { return size_; }
  // The subtree of column c has the columns [c, end(c)), its tree those up to tree_end(c).
  int end(int c) const { return ends_[c]; }
  int tree_end(int c) const { return tree_ends_[c]; }
  // Row of column c in a matrix in the order of the user.
  int row(int c) const { return order_[c]; }

  // Entry (c, k) of a triangle (where it stands in Rows of so many columns), and its places in a whole matrix, n x n by
  // rows in the order of the user: (c, k) and (k, c).
  struct Pair {
    int from, to, mirrored;
  };
  // k in the subtree of c; and k >= c in the same tree.
  std::span<const Pair> on_branches() const { return {on_branches_.data(), on_branches_.size()}; }
  std::span<const Pair> in_trees() const { return {in_trees_.data(), in_trees_.size()}; }

 private:
  int size_;
  std::vector<int> ends_, tree_ends_, order_;
  std::vector<Pair> on_branches_, in_trees_;
};

extern template Branches::Branches(const BasicModel<float>&);
extern template Branches::Branches(const BasicModel<double>&);
extern template Branches::Branches(const BasicModel<long double>&);

}  // namespace denoc
