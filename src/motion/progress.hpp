// Whether a run gets on, by the evaluations that it makes: every run ends (docs/theory/simulation.md).
#pragma once
#include <optional>

namespace denoc::motion {

// A run is looked at after so many evaluations, and whenever it has made twice as many. It gets nowhere if the rest would
// have to go so many times faster than what was since the last look.
class Progress {
 public:
  static constexpr double much_faster = 10;
  // Of the evaluations that a run may make, how many it has made at the first look.
  static constexpr long first_part = 100;

  explicit Progress(long first_look) : next_look_(first_look) {}

  // What was since the last look.
  struct Pace {
    double time;
    long evaluations;
    double evaluations_for(double more_time) const { return static_cast<double>(evaluations) * more_time / time; }
  };
  // At t, with this many evaluations made. Nothing if it is not to be looked at yet.
  std::optional<Pace> look(double t, long made) {
    if (made < next_look_) return {};
    const Pace since{t - time_, made - made_};
    time_ = t;
    made_ = made;
    next_look_ = 2 * made;
    return since;
  }

 private:
  double time_ = 0;  // at the last look
  long made_ = 0, next_look_;
};

}  // namespace denoc::motion
