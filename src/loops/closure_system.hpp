// All rows of a robot's loops at one state.
#pragma once
#include <Eigen/Dense>
#include <memory>

#include "closure_rows.hpp"
#include "pseudoinverse.hpp"

namespace denoc {

// What the rows of loops are computed in: double, or long double.
enum class Precision { ordinary, extended };

// The rows at one state: residual, rate, J'v, and J^T by columns.
class ClosureSystem {
 public:
  explicit ClosureSystem(const Model& model) : ClosureSystem(model, ClosureRows::of(model)) {}
  ClosureSystem(const Model& model, std::shared_ptr<const ClosureRows> rows);
  const std::shared_ptr<const ClosureRows>& rows() const { return rows_; }

  // See ClosureRows.
  Eigen::Index size() const { return rows_->size(); }
  Eigen::Index all() const { return rows_->all(); }
  const ClosureRow& row(Eigen::Index i) const { return rows_->row(i); }
  const LoopPath& path(int loop) const { return rows_->path(loop); }
  Eigen::VectorXd for_all(const Eigen::VectorXd& values) const { return rows_->for_all(values); }
  Eigen::VectorXd of_all(std::span<const double> values) const { return rows_->of_all(values); }
  Eigen::VectorXd that_change(Eigen::VectorXd values) const { return rows_->that_change(std::move(values)); }
  bool has_still_sums() const { return !rows_->still_sums().empty(); }

  // Everything but the gradients.
  void evaluate(const Configuration<double>& at, std::span<const double> q, std::span<const double> v);
  // The gradients at the state last evaluated.
  void differentiate(const Configuration<double>& at);
  // Joints that carry both ends of a loop move neither against the other: of gradients by columns their entries are
  // rounding, or turn the gap of a loop that is open without closing it. A row that is small itself, as that out of the
  // plane of a mechanism whose base has turned a little, would be locked by them. Closed loops have them at zero.
  void leave_out_carriers(Eigen::MatrixXd& of_rows) const;
  // Calls f(k) for each degree of freedom k that carries both ends of a row's loop.
  template <class F> void each_carrier(Eigen::Index i, F&& f) const {
    if (row(i).kind == ClosureRow::Kind::coupled) return;
    for (const int l : path(row(i).loop).common)
      for (int c = 0; c < model_->links()[l].columns; ++c) f(model_->links()[l].dof + c);
  }
  // Whether equations of motion leave them out at the state last evaluated. Loops are open within a step, and move them.
  bool has_still_carriers() const;
  // The precision of the rows from now on. At the distance d from a singular position rounding shows in the
  // accelerations 1/d^2 fold; in extended precision, where only q and v themselves are rounded, 1/d fold.
  void compute_in(Precision precision);
  Precision precision() const { return precision_; }
  // The correction to q, smaller than its last digit, that closes the loops; in extended precision only. Loops that are
  // closed to the digits of q are open by rounding, and near a singular position that shows 1/d^2 fold as well.
  Eigen::VectorXd lacking;

  // At the state last evaluated: whether a loop is beyond a quarter turn from closed, on its way to the half turn where
  // its rows are zero as well.
  bool is_turned(int loop) const;
  int turned_loop() const;  // the first; or -1
  // What the multipliers (of all rows) do to the bodies: the wrenches on a and on b of each loop; zero for couplings.
  std::vector<BodyWrench<double>> wrenches(std::span<const double> multipliers) const;

  // Of the state last evaluated, not in extended precision.
  const ClosureValue<double>& value(Eigen::Index i) const { return nth(rounded_.values, i); }
  const LoopFrames<double>& frames(int loop) const { return rounded_.kin.frames(loop); }

  // Degrees of freedom that are in no coupling and around no loop, those that carry both its ends included.
  std::vector<int> untied() const;

  // The largest residual of the state last evaluated, in what rounding is a part of: the length of its loop, or how far
  // that is from the world's origin; or rad.
  double left() const;
  // Whether that is no more than what rounding leaves.
  bool is_closed() const;

  Eigen::VectorXd residual, rate, bias;
  Eigen::MatrixXd gradients;
  const double length;  // see ClosureRows
  const Eigen::VectorXd &row_units, &units;
  // The gradients in units of rows and degrees of freedom, carriers left out: what is nearest does not depend on the unit
  // of length. Rows of zeros for the degrees of freedom that are held.
  Eigen::MatrixXd measured(const std::vector<int>& held = {}) const;
  // What rounding leaves where the others are held is no direction.
  Pseudoinverse inverse(const std::vector<int>& held = {}) const;
  // How large the gradients are in these units: of order 1, or more, but where a row vanishes.
  Eigen::VectorXd sizes() const;

 private:
  template <class T> struct State {
    LoopKinematics<T> kin;
    std::vector<ClosureValue<T>> values;  // by row
    std::vector<T> gradient;
    explicit State(const BasicModel<T>& model) : kin(model), gradient(static_cast<std::size_t>(model.nv())) {}
  };
  template <class T>
  void evaluate_in(const BasicModel<T>& model, const Configuration<T>& at, std::span<const T> q, std::span<const T> v,
                   State<T>& state);
  void evaluate_extended(std::span<const double> q, std::span<const double> v);
  template <class T> void differentiate_in(const BasicModel<T>& model, const Configuration<T>& at, State<T>& state);

  const Model* model_;
  std::shared_ptr<const ClosureRows> rows_;
  State<double> rounded_;
  // In extended precision, made when first asked for.
  struct Extended {
    BasicModel<long double> model;
    Configuration<long double> at;
    State<long double> state;
    std::vector<long double> q, v;
    explicit Extended(const Robot& robot) : model(robot), at(model), state(model) {}
  };
  std::unique_ptr<Extended> extended_ = {};
  Precision precision_ = Precision::ordinary;
};

// Brings q, which is nearly closed, onto the loops by the shortest way, as far as rounding lets; then `at` and the
// closure are at q and v.
//   Rows that depend on each other where the loops are closed (those of overconstrained linkages) do not elsewhere: at
// the gap g their pivots are about g/s, s the least pivot of the others. As s itself changes by about the step g/s on
// the way, Newton's steps lead there only where s > sqrt(g) [Kantorovich], and then g/s < sqrt(g) < s: pivots below
// sqrt(g) are those of dependent rows. Without them the steps converge as fast as those of independent rows do, since
// what they leave of the gap is of the order g^2.
void close_near_by(const Model& model, ClosureSystem& closure, Configuration<double>& at, std::span<double> q,
                   std::span<const double> v);
// The same, and v. Returns whether a singular position is near.
bool project(const Model& model, ClosureSystem& closure, Configuration<double>& at, std::span<double> q,
             std::span<double> v);
// Near a singular position, after project(): the rest of the way, which is beyond the digits of q (`lacking`), and v, in
// extended precision from now on. Each correction gains what double precision has but for 1/d; the first is of rounding.
void project_beyond_digits(const Model& model, ClosureSystem& closure, Configuration<double>& at,
                           std::span<const double> q, std::span<double> v);

}  // namespace denoc
