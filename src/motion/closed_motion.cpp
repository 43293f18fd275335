#include "denoc/motion/closed_motion.hpp"
#include "denoc/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>

#include "denoc/model/manifold.hpp"
#include "driven_chain.hpp"
#include "free_motion.hpp"

namespace denoc {
namespace {

double size_of(const std::vector<double>& x) {
  double most = 0;
  for (const double entry : x) most = std::max(most, std::abs(entry));
  return most;
}

// A joint with a quaternion leads as a whole, or not at all.
void require_whole(const Model& model, const std::vector<int>& lead) {
  for (const int b : motion::joints_in_part(model, lead)) {
    const JointType type = model.robot().bodies[static_cast<std::size_t>(b)].joint.type;
    if (coordinates(type) != degrees_of_freedom(type))
      throw ArgumentError(fmt::format("joint '{}' would lead the loops in part: drive others, its q is a quaternion",
                                      model.joint_name(b)));
  }
}

// For messages: a motion of other joints than these is not followed.
std::string names_of(const Model& model, const std::vector<int>& lead) {
  std::vector<std::string> names;
  if (lead.empty()) return "the loops leave no motion: no joint leads";
  names.reserve(lead.size());
  for (const int k : lead) names.push_back(model.joint_name(model.body_of_dof(k)));
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return fmt::format("{} lead{} as the motion says, the others follow", fmt::join(names, ", "),
                     names.size() == 1 ? "s" : "");
}

class ClosedMotion final : public Trajectory {
 public:
  ClosedMotion(std::shared_ptr<const Model> model, std::shared_ptr<const Trajectory> motion, std::vector<int> lead,
               std::vector<double> start)
      : model_(std::move(model)), motion_(std::move(motion)), lead_(*model_, std::move(lead)) {
    lay_knots(std::move(start));
  }
  double duration() const override { return motion_->duration(); }
  std::vector<double> breaks() const override { return motion_->breaks(); }
  std::vector<double> knots() const override { return motion_->knots(); }
  void at(double t, std::span<double> q, std::span<double> v, std::span<double> a) const override {
    require_size(q, model_->nq(), "q");
    require_size(v, model_->nv(), "v");
    require_size(a, model_->nv(), "a");
    std::vector<double> given_v(v.size()), given_a(a.size());
    motion_->at(t, q, given_v, given_a);
    const std::scoped_lock alone(one_at_a_time_);
    const std::vector<double> posture = closed_from(knot_before(t).q, q).closed;
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
  // Between knots the joints move no more (rad or m), and leave the tangent by no more than a quarter of it: there
  // Newton's method settles on the same branch.
  static constexpr double largest_step = 0.1;
  static constexpr double least_time = 1e-9;  // between knots, of the duration

  struct Step {
    std::vector<double> ahead, closed;  // along the tangent, and brought onto the loops
  };
  // From a closed posture to where the leading joints are as given.
  Step closed_from(const std::vector<double>& from, In<double> given) const {
    std::vector<double> way(static_cast<std::size_t>(model_->nv())), tangent = way, ahead(from.size());
    difference<double>(*model_, from, given, way);
    lead_.place(from);
    lead_.rates(way, tangent);
    integrate<double>(*model_, from, tangent, ahead);
    std::vector<double> closed = lead_.chain().assemble(ahead, lead_.driven(), ClosedChain::Search::near_by);
    return {std::move(ahead), std::move(closed)};
  }
  bool is_smooth(const std::vector<double>& from, const Step& step) const {
    std::vector<double> moved(static_cast<std::size_t>(model_->nv())), off = moved;
    difference<double>(*model_, from, step.closed, moved);
    difference<double>(*model_, step.ahead, step.closed, off);
    return size_of(moved) < largest_step && size_of(off) <= size_of(moved) / 4;
  }
  const Knot& knot_before(double t) const {
    const auto after =
        std::upper_bound(knots_.begin() + 1, knots_.end(), t, [](double x, const Knot& knot) { return x < knot.t; });
    return *(after - 1);
  }

  // Steps that double while the way is smooth and halve where it is not.
  void lay_knots(std::vector<double> start) {
    std::vector<double> q(start.size()), v(static_cast<std::size_t>(model_->nv())), a = v;
    knots_.push_back({0, std::move(start)});
    const double longest = duration() / 16;
    for (double step = longest; knots_.back().t < duration();) {
      const double t = std::min(knots_.back().t + step, duration());
      motion_->at(t, q, v, a);
      try {
        Step next = closed_from(knots_.back().q, q);
        if (is_smooth(knots_.back().q, next)) {
          knots_.push_back({t, std::move(next.closed)});
          step = std::min(2 * step, longest);
          continue;
        }
      } catch (const NotAssembled& error) {
        if (step / 2 < least_time * duration())
          throw NotAssembled(fmt::format("t = {:.6g} s of the motion: the loops reach no further ({})", knots_.back().t,
                                         error.what()));
      } catch (const NotDriveable& error) {
        throw dead_point(error);
      }
      step /= 2;
      if (step < least_time * duration())
        throw dead_point(NotDriveable("the loops do not follow the joints that lead smoothly"));
    }
  }
  NotDriveable dead_point(const NotDriveable& error) const {
    return NotDriveable(fmt::format("t = {:.6g} s of the motion, a dead point: {}", knots_.back().t, error.what()));
  }

  std::shared_ptr<const Model> model_;
  std::shared_ptr<const Trajectory> motion_;
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
  // The nearest closed posture with the leading joints where they should be.
  std::vector<double> way(v.size()), start(q.size());
  difference<double>(*model, near, q, way);
  std::vector<double> of_lead(v.size());
  for (const int k : lead) of_lead[static_cast<std::size_t>(k)] = way[static_cast<std::size_t>(k)];
  integrate<double>(*model, near, of_lead, start);
  const std::string leaders = names_of(*model, lead);
  try {
    start = chain.assemble(start, lead);
    return std::make_shared<ClosedMotion>(std::move(model), std::move(motion), std::move(lead), std::move(start));
  } catch (const NotAssembled& error) {
    throw NotAssembled(fmt::format("{} ({})", error.what(), leaders));
  } catch (const NotDriveable& error) {
    throw NotDriveable(fmt::format("{} ({})", error.what(), leaders));
  }
}

}  // namespace denoc
