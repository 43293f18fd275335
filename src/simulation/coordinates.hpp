// The coordinates that a one-step method integrates: x, local coordinates on the manifold of q (chart.hpp), or, where
// loops are to be closed, u along them: x = Z u + N c with c from phi(q) = 0. Z spans the motions that the loops leave
// at the centre, N those that they forbid. Loops stay closed by construction, as quaternions keep their length.
//                                                                                  [Potra & Rheinboldt 1991]
#pragma once
#include <optional>

#include "denoc/model/chart.hpp"
#include "loops/closure_system.hpp"

namespace denoc::simulation {

class Coordinates {
 public:
  // loops: none, or the rows of those that it keeps closed.
  Coordinates(const Model& model, std::span<const double> q, std::shared_ptr<const ClosureRows> loops);

  // How many there are about the present centre.
  std::size_t size() const { return size_; }
  // The centre moves to q, where the loops are closed: its coordinates are 0.
  void move_to(std::span<const double> q);
  // A step is tried from the centre: the search for c begins there, wherever one that was given up has been.
  void go_back() { c_.setZero(); }
  // The coordinates of v: with loops Z^T v, else v itself.
  void lead(std::span<const double> v, std::span<double> p) const;
  // q for the coordinates u, and v for p. Throws NoAcceleration where the loops cannot be closed.
  void place(std::span<const double> u, std::span<const double> p, std::span<double> q, std::span<double> v);
  // u' at the q and v of the last place().
  void rates(std::span<const double> q, std::span<const double> v, std::span<double> rate);
  // Whether a step from the centre may pass a singular position of the loops.
  bool is_near_singular() const { return is_near_singular_; }
  Precision precision() const { return is_near_singular_ ? Precision::extended : Precision::ordinary; }
  // What the q of the last place() lacks; see ClosureSystem. Only with loops.
  const Eigen::VectorXd& lacking() const { return closure_->lacking; }
  // For each coordinate the size of the entry of q that it changes: what errors of u are measured against.
  void magnitudes(std::span<const double> q, std::span<double> size) const;

 private:
  void close(std::span<const double> u, std::span<double> q);
  Eigen::VectorXd solution(const Eigen::MatrixXd& across, const Eigen::VectorXd& what) const;

  const Model* model_;
  Chart chart_;
  std::size_t size_;
  std::optional<ClosureSystem> closure_ = {};
  Configuration<double> at_;
  Eigen::MatrixXd along_, across_;  // Z, N
  Eigen::MatrixXd across_here_;     // N as v at the q of the last place()
  Eigen::VectorXd x_, c_, per_row_ = {};
  std::vector<double> zero_;
  bool is_near_singular_ = false;
};

}  // namespace denoc::simulation
