// Cholesky's method on a symmetric matrix of which row i begins at column first[i]: nothing to the left of that is
// stored or looked at.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

namespace denoc {

class ProfileCholesky {
 public:
  explicit ProfileCholesky(std::vector<int> first) : first_(std::move(first)) {
    std::ptrdiff_t entries = 0;
    for (int i = 0; i < size(); ++i) {
      start_.push_back(entries - first_[i]);
      entries += i - first_[i] + 1;
    }
    entry_.resize(static_cast<std::size_t>(entries));
    left_.resize(first_.size());
  }
  int size() const { return static_cast<int>(first_.size()); }
  double* row(int i) { return entry_.data() + start_[i]; }
  const double* row(int i) const { return entry_.data() + start_[i]; }
  void set_zero() { entry_.assign(entry_.size(), 0.0); }

  // A = L L^T in place, with the reciprocals on the diagonal. False, and no factor, if a pivot is not above this part
  // of its entry on the diagonal; nor above what it is known to, which small pivots before it have lifted: of a row that
  // depends on two others which are nearly parallel, the square of their angle divides what rounding leaves.
  bool factorize(double least_pivot) {
    constexpr double rounding = 1e4 * std::numeric_limits<double>::epsilon();
    for (int i = 0; i < size(); ++i) {
      double* const l = row(i);
      const double diagonal = l[i];
      double smallest = 1, second = 1;  // of what pivots have left of their entries
      for (int j = first_[i]; j < i; ++j) {
        l[j] = (l[j] - product(l, row(j), std::max(first_[i], first_[j]), j)) * row(j)[j];
        second = std::min(second, std::max(smallest, left_[j]));
        smallest = std::min(smallest, left_[j]);
      }
      const double pivot = diagonal - product(l, l, first_[i], i);
      if (!(pivot > (least_pivot + rounding / (smallest * second)) * diagonal)) return false;
      left_[i] = pivot / diagonal;
      l[i] = 1 / std::sqrt(pivot);
    }
    return true;
  }
  // x = A^-1 x
  void solve(std::span<double> x) const {
    for (int i = 0; i < size(); ++i) x[i] = (x[i] - product(row(i), x.data(), first_[i], i)) * row(i)[i];
    for (int i = size(); i-- > 0;) {
      x[i] *= row(i)[i];
      for (int j = first_[i]; j < i; ++j) x[j] -= row(i)[j] * x[i];
    }
  }

 private:
  static double product(const double* a, const double* b, int begin, int end) {
    double sum = 0;
    for (int k = begin; k < end; ++k) sum += a[k] * b[k];
    return sum;
  }
  std::vector<int> first_;
  std::vector<std::ptrdiff_t> start_;  // where column 0 of the row would be
  std::vector<double> entry_;
  std::vector<double> left_;  // of each entry on the diagonal its pivot's part
};

}  // namespace denoc
