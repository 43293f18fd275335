// Pinocchio: computeRNEADerivatives, computeABADerivatives. Compiled by clang, as pinocchio.cpp.
#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/rnea-derivatives.hpp>

#include "derivative_peer.hpp"
#include "pinocchio_model.hpp"

namespace denoc::benchmarks {
namespace {

using Eigen::MatrixXd;

class PinocchioDerivatives : public DerivativePeer {
 public:
  explicit PinocchioDerivatives(const PlainRobot& robot) : floating_(robot.floating()), model_(model_of(robot)) {}
  void set_states(const std::vector<State>& states) override {
    states_.clear();
    for (const State& s : states) states_.push_back(dense(s, floating_));
  }
  void run(bool forward, int state) override {
    const Dense& s = states_[std::size_t(state)];
    if (forward)
      pinocchio::computeABADerivatives(model_, data_, s.q, s.v, s.tau);
    else
      pinocchio::computeRNEADerivatives(model_, data_, s.q, s.v, s.a);
  }
  PlainDerivatives result(bool forward) override {
    if (forward) return {ours(data_.ddq_dq), ours(data_.ddq_dv), ours(whole(data_.Minv))};
    return {ours(data_.dtau_dq), ours(data_.dtau_dv), ours(whole(data_.M))};
  }

 private:
  // The upper triangle is theirs.
  static MatrixXd whole(const MatrixXd& upper) { return upper.selfadjointView<Eigen::Upper>(); }
  std::vector<double> ours(const MatrixXd& theirs) const {
    std::vector<double> all;
    for (int i = 0; i < model_.nv; ++i)
      for (int j = 0; j < model_.nv; ++j) all.push_back(theirs(theirs_of(i, floating_), theirs_of(j, floating_)));
    return all;
  }

  bool floating_;
  pinocchio::Model model_;
  pinocchio::Data data_{model_};
  std::vector<Dense> states_;
};

}  // namespace

std::unique_ptr<DerivativePeer> pinocchio_derivatives(const PlainRobot& robot) {
  return std::make_unique<PinocchioDerivatives>(robot);
}

}  // namespace denoc::benchmarks
