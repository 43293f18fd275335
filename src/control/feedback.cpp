#include "following.hpp"

namespace denoc {
namespace {

class Feedback final : public Controller {
 public:
  Feedback(FeedbackFunction tau, std::vector<double> breaks) : tau_(std::move(tau)), breaks_(std::move(breaks)) {}
  void torques(double t, std::span<const double> q, std::span<const double> v, std::span<double> tau) override {
    tau_(breaks_.beside(t), q, v, tau);
  }
  double next_break(double t) const override { return breaks_.first_after(t); }

 private:
  FeedbackFunction tau_;
  motion::Breaks breaks_;
};

}  // namespace

std::shared_ptr<Controller> feedback(FeedbackFunction tau, std::vector<double> breaks) {
  if (!tau) throw ArgumentError("feedback: there is no function that gives tau");
  if (!std::is_sorted(breaks.begin(), breaks.end()))
    throw ArgumentError("the breaks of a control law are not in order");
  return std::make_shared<Feedback>(std::move(tau), std::move(breaks));
}

}  // namespace denoc
