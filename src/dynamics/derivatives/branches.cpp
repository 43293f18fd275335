#include "denoc/dynamics/derivatives/branches.hpp"

#include "denoc/dynamics/inertia/composite.hpp"
#include "denoc/dynamics/inertia/inverse.hpp"

namespace denoc {

template <class R>
Branches::Branches(const BasicModel<R>& model)
    : size_(model.nv()),
      ends_(detail::subtree_ends(model)),
      tree_ends_(detail::tree_ends(model)),
      order_(model.dofs_by_link().begin(), model.dofs_by_link().end()) {
  const Rows<double> triangle(0, size_);
  const auto pairs = [&](const std::vector<int>& ends, std::vector<Pair>& all) {
    for (int c = 0; c < size_; ++c)
      for (int k = c; k < ends[static_cast<std::size_t>(c)]; ++k)
        all.push_back({triangle.offset(c, k), row(c) * size_ + row(k), row(k) * size_ + row(c)});
  };
  pairs(ends_, on_branches_);
  pairs(tree_ends_, in_trees_);
}
Branches::Branches(const Branches&) = default;
Branches::~Branches() = default;

template Branches::Branches(const BasicModel<float>&);
template Branches::Branches(const BasicModel<double>&);
template Branches::Branches(const BasicModel<long double>&);

}  // namespace denoc
