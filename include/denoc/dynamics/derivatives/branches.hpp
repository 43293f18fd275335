// Which columns of a tree are on one branch, in the order of the links: the same for every scalar. (Its functions are
// compiled once, for any processor: the kernels of batches, which are compiled for one, read what it says.)
#pragma once
#include "denoc/model/model.hpp"
#include "denoc/spatial/six_rows.hpp"

namespace denoc {

class Branches {
 public:
  template <class R> explicit Branches(const BasicModel<R>& model);
  Branches(const Branches& other);
  ~Branches();

  int size() const { return size_; }
  // The subtree of column c has the columns [c, end(c)).
  int end(int c) const { return ends_[c]; }
  std::span<const int> ends() const { return {ends_.data(), ends_.size()}; }
  // The columns on the way from the base to c, without c itself.
  std::span<const int> way(int c) const {
    return {ways_.data() + ways_begin_[c], size_t(ways_begin_[c + 1] - ways_begin_[c])};
  }
  // Row of column c in a matrix in the order of the user.
  int row(int c) const { return order_[c]; }

  // Columns by fours, so that subtrees end where fours do: the place of column c, and how many places there are.
  static constexpr int width = 4;
  int place(int c) const { return places_[c]; }
  int places() const { return room_; }
  // The column at a place. Only the first places of a four may be empty: as if the columns before stood there.
  int column(int place) const { return fours_[unsigned(place) / width] + int(unsigned(place) % width); }

  // From triangles in the order of the links to whole matrices in that of the user.
  const Unfolding& unfolding() const { return unfolding_; }

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
  std::vector<int> ends_, order_, ways_ = {}, ways_begin_ = {0}, places_, fours_ = {};
  Unfolding unfolding_;
  std::vector<Trunk> trees_ = {};
  Trunk together_ = {};
};

extern template Branches::Branches(const BasicModel<float>&);
extern template Branches::Branches(const BasicModel<double>&);
extern template Branches::Branches(const BasicModel<long double>&);

}  // namespace denoc
