#include "pseudoinverse.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace denoc {
namespace {

constexpr double far_from_dependent = 1e-4;  // reciprocal condition: one refinement brings back what squaring loses
constexpr Eigen::Index many = 256;           // columns: fewer are squared sooner than looked through
constexpr double far_apart = 1e-2;   // the same: a squared pivot against its entry, and that against the largest
constexpr double small_part = 0.1;   // of a column, or a usual one, its pivot: a singular position may be a step away
constexpr double leads_well = 1e-3;  // of a motion's length: what one degree of freedom does that leads the others

}  // namespace

std::vector<Entries> blocks_of(const Eigen::MatrixXd& G) {
  std::vector<Eigen::Index> towards(static_cast<std::size_t>(G.rows()));  // another row of the block, or the row itself
  std::iota(towards.begin(), towards.end(), 0);
  const auto first_of = [&](Eigen::Index i) {
    const auto next = [&](Eigen::Index at) -> Eigen::Index& { return towards[static_cast<std::size_t>(at)]; };
    while (next(i) != i) i = next(i) = next(next(i));
    return i;
  };
  std::vector<Eigen::Index> top(static_cast<std::size_t>(G.cols()), -1);  // the first row with an entry
  std::vector<bool> has_entry(static_cast<std::size_t>(G.rows()));
  for (Eigen::Index j = 0; j < G.cols(); ++j) {
    Eigen::Index& above = top[static_cast<std::size_t>(j)];
    for (Eigen::Index i = 0; i < G.rows(); ++i) {
      if (G(i, j) == 0) continue;
      has_entry[static_cast<std::size_t>(i)] = true;
      if (above < 0) above = i;
      const Eigen::Index a = first_of(above), b = first_of(i);
      towards[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    }
  }
  std::vector<Entries> blocks;
  std::vector<std::size_t> block_of(static_cast<std::size_t>(G.rows()));
  for (Eigen::Index i = 0; i < G.rows(); ++i) {
    if (!has_entry[static_cast<std::size_t>(i)]) continue;
    const Eigen::Index first = first_of(i);
    if (first == i) {
      block_of[static_cast<std::size_t>(i)] = blocks.size();
      blocks.emplace_back();
    }
    blocks[block_of[static_cast<std::size_t>(first)]].rows.push_back(i);
  }
  for (Eigen::Index j = 0; j < G.cols(); ++j) {
    const Eigen::Index above = top[static_cast<std::size_t>(j)];
    if (above >= 0) blocks[block_of[static_cast<std::size_t>(first_of(above))]].cols.push_back(j);
  }
  return blocks;
}

Pseudoinverse Pseudoinverse::in_metric(const Eigen::VectorXd& sizes, const Eigen::MatrixXd& B) {
  Eigen::VectorXd scale = Eigen::VectorXd::Zero(B.cols());
  for (Eigen::Index j = 0; j < B.cols(); ++j)
    if (sizes[j] > rank_threshold)  // by powers of two, without rounding
      scale[j] = std::exp2(std::min(0.0, std::logb(sizes[j])) - std::logb(B.col(j).norm()));
  return Pseudoinverse(B * scale.asDiagonal(), scale, rank_threshold, 0);
}
Pseudoinverse::Pseudoinverse(const Eigen::MatrixXd& G, const Eigen::VectorXd& scale, double threshold, double usual)
    : rows_(G.rows()), cols_(G.cols()) {
  const double largest = cols_ == 0 ? 0 : G.colwise().norm().maxCoeff();
  for (const auto& [rows, cols] : blocks_of(G)) {
    Block block{rows, cols, scale(cols), G(rows, cols)};
    // The threshold is relative to the largest column of all, or to a usual one; the decomposition wants it relative to
    // the block's own.
    const double here = block.G.colwise().norm().maxCoeff();
    const double own = threshold * (usual > 0 ? std::max(usual, here) : largest) / here;
    if (own >= 1) continue;
    block.decompose(own);
    rank_ += block.rank;
    blocks_.push_back(std::move(block));
  }
}
void Pseudoinverse::Block::decompose(double threshold) {
  const bool may_be_independent = G.cols() <= G.rows();
  by = may_be_independent && decompose_band()     ? By::band
       : may_be_independent && decompose_square() ? By::square
                                                  : By::whole;
  rank = G.cols();
  if (by != By::whole) return;
  whole.setThreshold(threshold);
  whole.compute(G);
  rank = whole.rank();
  if (rank < G.cols() && scale.minCoeff() < scale.maxCoeff()) find_idle();
}
// G P = Q (T 0; 0 0) Z: G is zero times the last columns of P Z^T, and they are scaled as f is.
void Pseudoinverse::Block::find_idle() {
  const Eigen::MatrixXd Z = whole.colsPermutation() * Eigen::MatrixXd(whole.matrixZ().transpose());
  const Eigen::Index count = G.cols() - rank;
  const Eigen::HouseholderQR<Eigen::MatrixXd> spanned(scale.asDiagonal() * Z.rightCols(count));
  idle = spanned.householderQ() * Eigen::MatrixXd::Identity(G.cols(), count);
}
bool Pseudoinverse::Block::decompose_square() {
  square.compute(G.transpose() * G);
  return square.info() == Eigen::Success && square.rcond() > far_from_dependent;
}
bool Pseudoinverse::Block::decompose_band() {
  if (G.cols() < many) return false;
  std::vector<std::vector<int>> entries(rows.size());  // of each row
  std::vector<int> first(cols.size());                 // with which each column shares a row
  std::iota(first.begin(), first.end(), 0);
  Eigen::Index within = 0, all = 0;
  for (int j = 0; j < static_cast<int>(G.cols()); ++j) {
    int& leftmost = first[static_cast<std::size_t>(j)];
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (G(static_cast<Eigen::Index>(i), j) == 0) continue;
      entries[i].push_back(j);
      leftmost = std::min(leftmost, entries[i].front());
    }
    within += j - leftmost + 1;
    all += j + 1;
  }
  const Eigen::VectorXd sizes = G.colwise().squaredNorm();
  if (2 * within > all || !(sizes.minCoeff() > far_apart * sizes.maxCoeff())) return false;
  band = ProfileCholesky(std::move(first));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    for (auto j = entries[i].begin(); j != entries[i].end(); ++j)
      for (auto k = entries[i].begin(); k <= j; ++k) band.row(*j)[*k] += G(at, *j) * G(at, *k);
  }
  return band.factorize(far_apart);
}

Eigen::VectorXd Pseudoinverse::solve(const Eigen::VectorXd& z) const {
  Eigen::VectorXd f = Eigen::VectorXd::Zero(cols_);
  for (const Block& block : blocks_) f(block.cols) = block.solve(z(block.rows));
  return f;
}
Eigen::VectorXd Pseudoinverse::transposed(const Eigen::VectorXd& b) const {
  Eigen::VectorXd z = Eigen::VectorXd::Zero(rows_);
  for (const Block& block : blocks_) z(block.rows) = block.transposed(b(block.cols));
  return z;
}
Eigen::VectorXd Pseudoinverse::Block::solve(const Eigen::VectorXd& z) const {
  Eigen::VectorXd f = scale.cwiseProduct(fit(z));
  if (idle.cols() > 0) f -= idle * (idle.transpose() * f);
  return f;
}
Eigen::VectorXd Pseudoinverse::Block::fit(const Eigen::VectorXd& z) const {
  if (by == By::whole) return whole.solve(z);
  Eigen::VectorXd f = through_square(G.transpose() * z);
  f += through_square(G.transpose() * (z - G * f));  // what squaring lost
  return f;
}
Eigen::VectorXd Pseudoinverse::Block::transposed(Eigen::VectorXd b) const {
  b = scale.cwiseProduct(b);
  if (by == By::whole) return whole.transpose().solve(b);
  Eigen::VectorXd z = G * through_square(b);
  z += G * through_square(b - G.transpose() * z);
  return z;
}
Eigen::VectorXd Pseudoinverse::Block::through_square(Eigen::VectorXd b) const {
  if (by == By::square) return square.solve(b);
  band.solve({b.data(), static_cast<std::size_t>(b.size())});
  return b;
}

// Its pivot: by Cholesky's method the root of that of G^T G; within a band none is small.
bool Pseudoinverse::Block::is_near_singular() const {
  const auto is_small = [&](double pivot, Eigen::Index column) {
    return std::abs(pivot) < small_part * std::max(1.0, G.col(column).norm());
  };
  for (Eigen::Index i = 0; by != By::band && i < rank; ++i)
    if (by == By::square ? is_small(square.matrixLLT()(i, i), i)
                         : is_small(whole.matrixQTZ()(i, i), whole.colsPermutation().indices()[i]))
      return true;
  return false;
}
bool Pseudoinverse::is_near_singular() const {
  return std::any_of(blocks_.begin(), blocks_.end(), [](const Block& block) { return block.is_near_singular(); });
}

Eigen::VectorXd Pseudoinverse::beside(const Eigen::VectorXd& z) const {
  Eigen::VectorXd left = z;
  for (const Block& block : blocks_) left(block.rows) -= block.G * block.fit(z(block.rows));
  return left;
}

// P = 1 - G G^+ projects onto the solutions of G^T z = 0. An entry k is needed if P e_k is not among those before it,
// of which `taken` is an orthonormal basis: taken^T P e_k is its row k.
std::vector<int> Pseudoinverse::independent() const {
  std::vector<bool> is_needed(static_cast<std::size_t>(rows_), true);  // all that stand in no block
  for (const Block& block : blocks_) {
    const Eigen::Index n = block.G.rows(), freedom = n - block.rank;
    Eigen::MatrixXd taken(n, freedom);
    Eigen::Index count = 0;
    for (const int row : block.rows) is_needed[static_cast<std::size_t>(row)] = false;
    // Those that lead others by a thousandfold of themselves only where nothing else is left to lead.
    for (const double least : {leads_well, rank_threshold})
      for (Eigen::Index k = 0; k < n && count < freedom; ++k) {
        const auto at = static_cast<std::size_t>(block.rows[static_cast<std::size_t>(k)]);
        if (is_needed[at]) continue;
        Eigen::VectorXd left = Eigen::VectorXd::Unit(n, k);
        left -= block.G * block.fit(left);
        left -= taken.leftCols(count) * taken.row(k).head(count).transpose();
        const double size = left.norm();
        if (size <= least) continue;
        is_needed[at] = true;
        taken.col(count++) = left / size;
      }
  }
  std::vector<int> needed;
  for (int k = 0; k < static_cast<int>(rows_); ++k)
    if (is_needed[static_cast<std::size_t>(k)]) needed.push_back(k);
  return needed;
}

}  // namespace denoc
