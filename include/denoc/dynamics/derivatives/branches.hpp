// Which columns of a tree are on one branch, in the order of the links: the same for every scalar. (Its functions are
// compiled once, for any processor: the kernels of batches, which are compiled for one, read what it says.)
#pragma once
#include "denoc/model/model.hpp"

namespace denoc {

class Branches {
 public:
  template <class R> explicit Branches(const BasicModel<R>& model);
  Branches(const Branches& other);
  ~Branches();

  int size() const { return size_; }
  // The subtree of column c has the columns [c, end(c)).
  int end(int c) const { return ends_[c]; }
  // The column before c on the way to the base, or -1.
  int inner(int c) const { return inner_[c]; }
  // Row of column c in a matrix in the order of the user.
  int row(int c) const { return order_[c]; }

  // Columns by fours, so that subtrees end where fours do: the place of column c, and how many places there are.
  static constexpr int width = 4;
  int place(int c) const { return places_[c]; }
  int places() const { return room_; }

  // Trees on the ground have the columns [first, end), each; `in_order`: the user has them in the same order.
  struct Trunk {
    int first, end;
    bool in_order;
  };
  std::span<const Trunk> trees() const { return {trees_.data(), trees_.size()}; }
  // All of them as if they were one.
  std::span<const Trunk> together() const { return {&together_, 1}; }

 private:
  int size_, room_ = 0;
  std::vector<int> ends_, inner_, order_, places_;
  std::vector<Trunk> trees_ = {};
  Trunk together_ = {};
};

extern template Branches::Branches(const BasicModel<float>&);
extern template Branches::Branches(const BasicModel<double>&);
extern template Branches::Branches(const BasicModel<long double>&);

}  // namespace denoc
