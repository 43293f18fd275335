#include "denoc/dynamics/derivatives/branches.hpp"

#include "denoc/dynamics/inertia/composite.hpp"

namespace denoc {

template <class R>
Branches::Branches(const BasicModel<R>& model)
    : size_(model.nv()),
      ends_(detail::subtree_ends(model)),
      order_(model.dofs_by_link().begin(), model.dofs_by_link().end()),
      places_(static_cast<std::size_t>(size_)),
      unfolding_(order_) {
  const auto trunk = [&](int first, int end) {
    bool in_order = true;
    for (int c = first; c < end; ++c) in_order = in_order && row(c) == row(first) + c - first;
    return Trunk{first, end, in_order};
  };
  // From the end: a column with none beyond it ends a four.
  const auto whole = [](int places) { return (places + width - 1) / width * width; };
  for (int c = size_ - 1; c >= 0; --c) {
    if (end(c) == c + 1) room_ = whole(room_);
    places_[static_cast<std::size_t>(c)] = room_++;
  }
  room_ = whole(room_);
  for (int& place : places_) place = room_ - 1 - place;
  fours_.resize(static_cast<std::size_t>(room_ / width));
  for (int c = 0; c < size_; ++c) fours_[static_cast<std::size_t>(place(c) / width)] = c - place(c) % width;
  for (int c = 0; c < size_; ++c) {
    for (int j = 0; j < c; ++j)
      if (end(j) > c) ways_.push_back(j);
    ways_begin_.push_back(static_cast<int>(ways_.size()));
  }
  for (int first = 0; first < size_; first = end(first)) trees_.push_back(trunk(first, end(first)));
  together_ = trunk(0, size_);
}
Branches::Branches(const Branches&) = default;
Branches::~Branches() = default;

template Branches::Branches(const BasicModel<float>&);
template Branches::Branches(const BasicModel<double>&);
template Branches::Branches(const BasicModel<long double>&);

}  // namespace denoc
