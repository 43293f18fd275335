// Pinocchio: rnea, aba, crba, computeMinverse, in body axes (Convention::LOCAL, the faster one). Compiled by clang, as
// g++ makes it about twice as slow.
#include <algorithm>

#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/joint-configuration.hpp>
#include <pinocchio/algorithm/rnea.hpp>

#include "pinocchio_model.hpp"

namespace denoc::benchmarks {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

class PinocchioPeer : public Peer {
 public:
  explicit PinocchioPeer(const PlainRobot& robot) : floating_(robot.floating()), model_(model_of(robot)) {}
  std::string name() const override { return "Pinocchio"; }
  bool solves(Problem) const override { return true; }
  void set_states(const std::vector<State>& states) override {
    states_.clear();
    for (const State& s : states) states_.push_back(dense(s, floating_));
  }
  void run(Problem problem, int state) override {
    const Dense& s = states_[state];
    switch (problem) {
      case Problem::inverse:
        pinocchio::rnea(model_, data_, s.q, s.v, s.a);
        break;
      case Problem::forward:
        pinocchio::aba(model_, data_, s.q, s.v, s.tau, pinocchio::Convention::LOCAL);
        break;
      case Problem::inertia:
        pinocchio::crba(model_, data_, s.q, pinocchio::Convention::LOCAL);
        break;
      case Problem::inertia_inverse:
        pinocchio::computeMinverse(model_, data_, s.q);
    }
  }
  std::vector<double> result(Problem problem, int) override {
    if (problem == Problem::inverse || problem == Problem::forward) {
      const VectorXd& x = problem == Problem::inverse ? data_.tau : data_.ddq;
      std::vector<double> ours(x.data(), x.data() + x.size());
      if (floating_) swap_halves(ours);
      return ours;
    }
    // The upper triangle is theirs.
    const MatrixXd theirs = (problem == Problem::inertia ? MatrixXd(data_.M) : MatrixXd(data_.Minv));
    std::vector<double> ours;
    for (int i = 0; i < model_.nv; ++i)
      for (int j = 0; j < model_.nv; ++j) {
        const int row = theirs_of(i, floating_), column = theirs_of(j, floating_);
        ours.push_back(theirs(std::min(row, column), std::max(row, column)));
      }
    return ours;
  }

 private:
  bool floating_;
  pinocchio::Model model_;
  pinocchio::Data data_{model_};
  std::vector<Dense> states_;
};

}  // namespace

std::unique_ptr<Peer> pinocchio_peer(const PlainRobot& robot) { return std::make_unique<PinocchioPeer>(robot); }

}  // namespace denoc::benchmarks
