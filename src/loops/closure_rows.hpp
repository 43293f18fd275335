// The rows of a robot's loops: which there are, in which order, and what they are measured in. They are constant, take a
// while to find, and are shared by all that close the same loops.
#pragma once
#include <Eigen/Dense>
#include <memory>
#include <span>
#include <vector>

#include "denoc/loops/closure.hpp"
#include "nth.hpp"

namespace denoc {

class ClosureSystem;

// What no joint can change of the rows, by as much as a loop may be open (open_gap), is left out where it holds: rows out
// of the plane of a plane mechanism, whose axes are parallel but for the digits of a file; its multipliers are zero. Loops
// that share links stand near each other.
class ClosureRows {
 public:
  static std::shared_ptr<const ClosureRows> of(const Model& model);
  // Of other rows than those of the loops: see assembly_rows.
  static std::shared_ptr<const ClosureRows> of(const Model& model, std::vector<ClosureRow> rows);

  Eigen::Index size() const { return std::ssize(rows_); }
  Eigen::Index all() const { return all_; }  // those left out included
  std::size_t loops() const { return paths_.size(); }
  const ClosureRow& row(Eigen::Index i) const { return nth(rows_, i); }
  Eigen::Index among_all(Eigen::Index i) const { return nth(place_, i); }  // where a row is
  const LoopPath& path(int loop) const { return nth(paths_, loop); }
  const std::vector<Vec3<double>>& shared(int loop) const { return nth(shared_, loop); }  // directions
  static bool is_length(const Robot& robot, const ClosureRow& row);
  // For all rows, from those of the rows that are not left out; and back.
  Eigen::VectorXd for_all(const Eigen::VectorXd& values) const;
  Eigen::VectorXd of_all(std::span<const double> values) const;
  // Of something by rows that are not left out: without sums of rows that no joint can change, where the plane of a
  // mechanism is none of the world's.
  Eigen::VectorXd that_change(Eigen::VectorXd values) const;
  struct StillSums {
    std::vector<Eigen::Index> rows;  // of one loop
    Eigen::MatrixXd kept;            // what projects onto the sums of them that change
  };
  const std::vector<StillSums>& still_sums() const { return still_sums_; }

  // What rows (rad, or the length of their loop) and degrees of freedom are measured in, and the robot's length.
  double length;
  Eigen::VectorXd row_units = {}, units;

 private:
  ClosureRows(const Model& model, std::vector<ClosureRow> rows);
  void keep(const Robot& robot, const std::vector<Eigen::Index>& places);
  struct Group;  // rows of one loop and one unit
  std::vector<Group> groups(const Model& model) const;
  void find_changes(const Model& model, ClosureSystem& closure, std::vector<Group>& groups) const;
  void leave_out_still_rows(const Model& model, ClosureSystem& closure);
  void bring_neighbours_together(const Model& model);

  std::vector<ClosureRow> rows_;
  Eigen::Index all_;
  std::vector<Eigen::Index> place_;
  std::vector<StillSums> still_sums_ = {};
  std::vector<LoopPath> paths_ = {};                    // by loop
  std::vector<std::vector<Vec3<double>>> shared_ = {};  // by loop
  std::vector<double> lengths_;                         // of the loops
};

}  // namespace denoc
