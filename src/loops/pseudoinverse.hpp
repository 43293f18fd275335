// Least squares with matrices whose rows and columns may depend on each other, as those of loops do.
#pragma once
#include <Eigen/Dense>
#include <limits>
#include <vector>

#include "profile_cholesky.hpp"

namespace denoc {

// Below this part of the largest pivot a row is taken to depend on the others. At the distance d from a singular
// position pivots are d, known to eps, and accelerations err by eps/d^2 of themselves: below d = sqrt(eps) nothing is
// left of them. (So it is for redundant rows, which are dependent only as far as the chain is closed.)
constexpr double rank_threshold = 0x1p-26;
static_assert(rank_threshold * rank_threshold == std::numeric_limits<double>::epsilon());

// Rows and columns that have entries in common, directly or through others; those of zeros are left out.
struct Entries {
  std::vector<Eigen::Index> rows, cols;
};
std::vector<Entries> blocks_of(const Eigen::MatrixXd& G);

// What G^+ and (G^T)^+ do, block by block: loops that share no joint do not know of each other. A block by Cholesky's
// method on G^T G where its columns are far from dependent, within their band where many share few rows; by a complete
// orthogonal decomposition elsewhere.
class Pseudoinverse {
 public:
  // usual: the length of usual columns, where it is known: rounding that is left alone is no direction then, and rows that
  // share nothing are not held against each other.
  explicit Pseudoinverse(const Eigen::MatrixXd& G, double threshold = rank_threshold, double usual = 0)
      : Pseudoinverse(G, Eigen::VectorXd::Ones(G.cols()), threshold, usual) {}
  // Of B = L^-1 G, I = L L^T: its columns differ as inertias do, by any factor, which says nothing of what depends on
  // what. They are brought to one length, but for those that are small in G, which stay as small as they are there: their
  // rounding would grow to be that of all. sizes: of the columns of G, each in a unit of its own in which it is of order 1
  // where it does not vanish (the rows of a small linkage beside a gear of a large ratio).
  static Pseudoinverse in_metric(const Eigen::VectorXd& sizes, const Eigen::MatrixXd& B);
  Eigen::VectorXd solve(const Eigen::VectorXd& z) const;       // the shortest f with G f nearest to z
  Eigen::VectorXd transposed(const Eigen::VectorXd& b) const;  // the shortest z with G^T z nearest to b
  Eigen::Index rank() const { return rank_; }
  // Whether an independent column is small, or has but a small part beside the others, where usual ones are of length 1.
  bool is_near_singular() const;
  // What is left of z after its part among the columns of G is taken away: z - G G^+ z.
  Eigen::VectorXd beside(const Eigen::VectorXd& z) const;
  // The first entries of z that, zero, leave G^T z = 0 no solution but zero; those that hardly do only where others do not.
  std::vector<int> independent() const;

 private:
  Pseudoinverse(const Eigen::MatrixXd& G, const Eigen::VectorXd& scale, double threshold, double usual);

  struct Block {
    std::vector<Eigen::Index> rows, cols;  // of G
    Eigen::VectorXd scale;                 // of its columns
    Eigen::MatrixXd G;                     // scaled
    enum class By { band, square, whole } by = By::whole;
    ProfileCholesky band{{}};
    Eigen::LLT<Eigen::MatrixXd> square = {};
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> whole = {};
    Eigen::Index rank = 0;
    Eigen::MatrixXd idle = {};  // orthonormal: what f may have more of without a change, where scaling makes f longer

    void decompose(double threshold);
    bool is_near_singular() const;
    bool decompose_band();
    bool decompose_square();
    void find_idle();
    Eigen::VectorXd fit(const Eigen::VectorXd& z) const;  // of the scaled columns
    Eigen::VectorXd solve(const Eigen::VectorXd& z) const;
    Eigen::VectorXd transposed(Eigen::VectorXd b) const;
    Eigen::VectorXd through_square(Eigen::VectorXd b) const;  // (G^T G)^-1 b
  };
  Eigen::Index rows_, cols_, rank_ = 0;
  std::vector<Block> blocks_ = {};  // rows and columns of zeros are in none
};

}  // namespace denoc
