#include "denoc/motion/joint_motion.hpp"
#include "motions.hpp"

namespace denoc::io {

// v and a are the derivatives of the formulas, by the rules of differentiation.
MakeMotion read_formula(const Fields& fields, const MotionPlace& place) {
  return [model = place.model, q = place.vectors.coordinates(fields, "q"),
          time = read_duration(fields, place.run)](const std::vector<double>&) {
    const CoordinateFunction at = [q](double t, std::span<Jet> values) {
      for (std::size_t i = 0; i < q.size(); ++i) values[i] = q[i].jet(t);
    };
    return given_motion(model, at, time, breaks_of(q));
  };
}

}  // namespace denoc::io
