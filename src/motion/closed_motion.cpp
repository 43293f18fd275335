#include "denoc/motion/closed_motion.hpp"
#include "denoc/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>

#include "branches.hpp"
#include "checks.hpp"
#include "denoc/model/dofs.hpp"
#include "denoc/model/lengths.hpp"
#include "denoc/model/manifold.hpp"
#include "driven_chain.hpp"
#include "free_motion.hpp"

namespace denoc {
namespace {

// A joint with a quaternion leads as a whole, or not at all.
void require_whole(const Model& model, const std::vector<int>& lead) {
  for (const int b : motion::joints_in_part(model, lead)) {
    const JointType type = model.robot().bodies[static_cast<std::size_t>(b)].joint.type;
    if (!has_plain_coordinates(type))
      throw ArgumentError(fmt::format("joint '{}' would lead the loops in part: drive others, its q is a quaternion",
                                      model.joint_name(b)));
  }
}

// For messages: a motion of other joints than these is not followed.
std::string names_of(const Model& model, const std::vector<int>& lead) {
  if (lead.empty()) return "the loops leave no motion: no joint leads";
  const std::vector<std::string> names = joint_names(model, lead);
  return fmt::format("{} lead{} as the motion says, the others follow", fmt::join(names, ", "),
                     names.size() == 1 ? "s" : "");
}

// A body goes along a curve in space if all the joints that the curve leads it by lead.
void require_curve(const Model& model, const std::vector<int>& along_curve, const std::vector<int>& lead) {
  for (const int k : along_curve)
    if (std::find(lead.begin(), lead.end(), k) == lead.end())
      throw NotDriveable(fmt::format(
          "the body would leave the curve in space that {} lead it along, as joint '{}' follows the loops: let "
          "those lead",
          fmt::join(joint_names(model, along_curve), ", "), model.joint_of_dof(k)));
}

class ClosedMotion final : public Trajectory {
 public:
  ClosedMotion(std::shared_ptr<const Model> model, std::shared_ptr<const Trajectory> motion, std::vector<int> lead,
               std::vector<double> start)
      : model_(std::move(model)),
        motion_(std::move(motion)),
        units_(units_of(*model_)),
        lead_(*model_, std::move(lead)) {
    lay_knots(std::move(start));
  }
  double duration() const override { return motion_->duration(); }
  std::vector<double> breaks() const override { return motion_->breaks(); }
  std::vector<double> knots() const override { return motion_->knots(); }
  void at(double t, std::span<double> q, std::span<double> v, std::span<double> a) const override {
    motion::require_sizes(model_->nq(), model_->nv(), q, v, a);
    std::vector<double> given_v(v.size()), given_a(a.size());
    motion_->at(t, q, given_v, given_a);
    const std::scoped_lock alone(one_at_a_time_);
    const auto take = [](const Knot&, const Knot&) { return true; };
    const std::vector<double> posture = follow(knot_before(t), std::clamp(t, 0.0, duration()), take).q;
    std::copy(posture.begin(), posture.end(), q.begin());
    lead_.place(q);
    lead_.rates(given_v, v);
    lead_.accelerations(v, given_a, a);
  }

 private:
  struct Knot {
    double t;
    std::vector<double> q;
  };
  // Between knots the joints move no more (rad, or lengths of the robot), and leave the tangent by no more than a
  // quarter of it: there Newton's method settles on the same branch. What closing leaves of the gaps is no way off.
  static constexpr double largest_step = 0.1, closing = 1e-9;
  static constexpr double least_time = 1e-9;  // between knots, of the duration

  double size_of(const std::vector<double>& way) const {
    double most = 0;
    for (std::size_t k = 0; k < way.size(); ++k) most = std::max(most, std::abs(way[k]) / units_[k]);
    return most;
  }
  // The way of all joints along the tangent at the posture where the chain is placed, as the leading ones go theirs.
  std::vector<double> following(const std::vector<double>& way) const {
    std::vector<double> all(way.size());
    lead_.rates(way, all);
    return all;
  }

  struct Step {
    std::vector<double> ahead, closed;  // along the tangent, and brought onto the loops
  };
  // From a closed posture, where the chain is placed, to where the leading joints are at t.
  Step closed_from(const Knot& from, double t) const {
    std::vector<double> given(from.q.size()), v(units_.size()), a = v, way = v, ahead = given;
    motion_->at(t, given, v, a);
    difference<double>(*model_, from.q, given, way);
    integrate<double>(*model_, from.q, following(way), ahead);
    std::vector<double> closed = lead_.chain().assemble(ahead, lead_.driven(), ClosedChain::Search::near_by);
    return {std::move(ahead), std::move(closed)};
  }
  bool is_smooth(const Knot& from, const Step& step) const {
    std::vector<double> moved(units_.size()), off = moved;
    difference<double>(*model_, from.q, step.closed, moved);
    difference<double>(*model_, step.ahead, step.closed, off);
    return size_of(moved) < largest_step && size_of(off) <= std::max(size_of(moved) / 4, closing);
  }
  // Both ends of a step look alike where the motion goes there and back in between. So it is looked at on the way,
  // where it is and how fast it goes: at the golden sections, to which no number of whole periods leads.
  bool stays_near(const Knot& from, double t) const {
    constexpr double golden = 0.6180339887498949;
    std::vector<double> q(from.q.size()), v(units_.size()), a = v, way = v;
    for (const double part : {1 - golden, golden}) {
      motion_->at(from.t + part * (t - from.t), q, v, a);
      difference<double>(*model_, from.q, q, way);
      for (double& rate : v) rate *= t - from.t;
      if (!(std::max(size_of(following(way)), size_of(following(v))) < largest_step)) return false;
    }
    return true;
  }
  // J of the loops, in units, of the joints that follow.
  Eigen::MatrixXd of_followers(const std::vector<double>& q) const {
    const std::vector<double> J = lead_.chain().closing(q);  // by rows
    const auto n = static_cast<Eigen::Index>(units_.size());
    const Eigen::Map<const Eigen::MatrixXd> transposed(J.data(), n, lead_.chain().rows());
    return transposed(motion::others(*model_, lead_.driven()), Eigen::all).transpose();
  }
  bool stays_on_branch(const Knot& from, const Knot& to) const {
    std::vector<double> moved(units_.size());
    difference<double>(*model_, from.q, to.q, moved);
    return size_of(moved) < motion::through_singular ||
           !motion::passes_singular(of_followers(from.q), of_followers(to.q));
  }
  // Beside a singular posture, where nothing leads, a knot may stand, but not in it.
  bool leads_on(const Knot& knot) {
    try {
      lead_.place(knot.q);
      return true;
    } catch (const NotDriveable&) {
      return false;
    }
  }
  const Knot& knot_before(double t) const {
    const auto after =
        std::upper_bound(knots_.begin() + 1, knots_.end(), t, [](double x, const Knot& knot) { return x < knot.t; });
    return *(after - 1);
  }

  // From one posture on to that at `end`, by steps that double while the way is smooth and halve where it is not, or
  // where `take` does not take what the step leads to.
  template <class Take> Knot follow(Knot here, double end, Take&& take) const {
    const double longest = duration() / 16;
    for (double step = longest; here.t < end;) {
      const double t = here.t + step < end ? here.t + step : end;
      step = (t - here.t) / 2;
      const bool is_least = step < least_time * duration();
      bool is_refused = false;  // though it is smooth: smaller ones are taken in the end
      try {
        lead_.place(here.q);
        if (stays_near(here, t)) {
          Step next = closed_from(here, t);
          if (is_smooth(here, next)) {
            if (Knot there{t, std::move(next.closed)}; take(here, there)) {
              step = std::min(4 * step, longest);
              here = std::move(there);
              continue;
            }
            is_refused = true;
          }
        }
      } catch (const NotAssembled& error) {
        if (is_least)
          throw NotAssembled(
              fmt::format("t = {:.6g} s of the motion: the loops reach no further ({})", here.t, error.what()));
      } catch (const NotDriveable& error) {
        throw dead_point(here, error);
      }
      if (is_least && !(is_refused && here.t + step > here.t))
        throw dead_point(here, NotDriveable("the loops do not follow the joints that lead smoothly"));
    }
    return here;
  }
  // The motion's breaks are knots: what follows there has nothing to do with what was before.
  void lay_knots(std::vector<double> start) {
    knots_.push_back({0, std::move(start)});
    std::vector<double> ends = breaks();
    ends.push_back(duration());
    const auto is_end = [&](const Knot& knot) { return std::find(ends.begin(), ends.end(), knot.t) != ends.end(); };
    const auto take = [&](const Knot& from, const Knot& to) {
      const bool is_taken = stays_on_branch(from, to) && (is_end(to) || leads_on(to));
      if (is_taken) knots_.push_back(to);
      return is_taken;
    };
    for (const double end : ends) follow(knots_.back(), end, take);
  }
  static NotDriveable dead_point(const Knot& at, const NotDriveable& error) {
    return NotDriveable(fmt::format("t = {:.6g} s of the motion, a dead point: {}", at.t, error.what()));
  }

  std::shared_ptr<const Model> model_;
  std::shared_ptr<const Trajectory> motion_;
  std::vector<double> units_;
  // Scratch of at(), which is const and may be called from several threads.
  mutable std::mutex one_at_a_time_;
  mutable motion::DrivenChain lead_;
  std::vector<Knot> knots_ = {};
};

}  // namespace

std::vector<int> leading(const Model& model, In<double> q, const std::vector<int>& driven) {
  motion::DrivenChain chain(model, driven);
  chain.place(q);
  return chain.leading();
}

std::shared_ptr<const Trajectory> closed_motion(std::shared_ptr<const Model> model,
                                                std::shared_ptr<const Trajectory> motion,
                                                const std::vector<int>& driven) {
  std::vector<double> q(static_cast<std::size_t>(model->nq())), v(static_cast<std::size_t>(model->nv())), a = v;
  motion->at(0, q, v, a);
  ClosedChain chain(*model);
  std::vector<double> near = chain.assemble(q);
  std::vector<int> led = driven;
  if (!driven.empty()) {  // a base that floats is where the motion has it: the loops do not feel where that is
    const std::vector<int> base = motion::floating(*model, driven);
    led.insert(led.end(), base.begin(), base.end());
  }
  std::vector<int> lead = leading(*model, near, led);
  require_whole(*model, lead);
  const std::string leaders = names_of(*model, lead);
  // The nearest closed posture with the leading joints where they should be.
  std::vector<double> way(v.size()), start(q.size());
  difference<double>(*model, near, q, way);
  std::vector<double> of_lead(v.size());
  for (const int k : lead) of_lead[static_cast<std::size_t>(k)] = way[static_cast<std::size_t>(k)];
  integrate<double>(*model, near, of_lead, start);
  try {
    require_curve(*model, motion->along_curve(), lead);
    start = chain.assemble(start, lead);
    return std::make_shared<ClosedMotion>(std::move(model), std::move(motion), std::move(lead), std::move(start));
  } catch (const NotAssembled& error) {
    throw NotAssembled(fmt::format("{} ({})", error.what(), leaders));
  } catch (const NotDriveable& error) {
    throw NotDriveable(fmt::format("{} ({})", error.what(), leaders));
  }
}

}  // namespace denoc
