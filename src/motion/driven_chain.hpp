// What driven degrees of freedom can do in a robot with loops, at one posture.
#pragma once
#include <Eigen/Dense>
#include <optional>

#include "denoc/loops/closed_chain.hpp"

namespace denoc::motion {

// Z spans the motions that the loops leave, S picks the driven ones:
//   v = Z y,   a = Z y' + a_0,   J Z = 0,   J a_0 = -J'v,   and by virtual work   (S^T Z)^T tau = Z^T (I a + bias)
// all in units of the degrees of freedom and rows, but for tau, the shortest in N m and N as everywhere.
// A tree is the case without loops: Z = 1. Loops that leave no motion: Z has no columns, v = 0, a = 0, and what they
// carry no drive needs to give: tau = 0.
class DrivenChain {
 public:
  // Empty: all are driven.
  DrivenChain(const Model& model, std::vector<int> driven);

  const std::vector<int>& driven() const { return driven_; }
  ClosedChain& chain() { return chain_; }

  // Everything below is said of this posture. Throws NotDriveable: a motion is left in which no driven joint moves.
  void place(In<double> q);
  // The rates of all that follow from the given ones of the driven that lead; those of the others are not looked at.
  void rates(In<double> given, Out<double> v) const;
  // ... and so the accelerations, at v.
  void accelerations(In<double> v, In<double> given, Out<double> a);
  // Forces of the driven that do what the given forces of all would: the shortest where more are driven than needed.
  void forces(In<double> all, Out<double> tau) const;
  // The first of the driven that lead all the others.
  const std::vector<int>& leading() const { return leading_; }

 private:
  void find_leading();
  Eigen::VectorXd following(const Eigen::VectorXd& given) const;

  const Model& model_;
  ClosedChain chain_;
  std::vector<int> driven_, leading_ = {};
  Eigen::VectorXd units_;
  std::vector<double> q_ = {};
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> loops_;  // of J^T
  Eigen::MatrixXd across_, along_, felt_;              // what J forbids, Z, S^T Z
  // of S^T Z with its rows in N m and N; none where the loops leave no motion: Eigen decomposes no matrix without columns
  std::optional<Eigen::HouseholderQR<Eigen::MatrixXd>> led_;
  std::optional<Eigen::ColPivHouseholderQR<Eigen::MatrixXd>> by_leading_;  // of the rows of S^T Z that lead
};

}  // namespace denoc::motion
