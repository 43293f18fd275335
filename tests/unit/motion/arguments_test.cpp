// Every motion asks for memory of the right size, and rests before it begins and after its end.
#include <gtest/gtest.h>

#include "denoc/motion/circle.hpp"
#include "denoc/motion/closed_motion.hpp"
#include "denoc/motion/joint_motion.hpp"
#include "denoc/motion/line.hpp"
#include "support/data.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

using Vector = std::vector<double>;
struct Named {
  const char* name;
  std::shared_ptr<const Model> model;
  std::shared_ptr<const Trajectory> motion;
};

std::vector<Named> every_motion() {
  const auto planar = std::make_shared<const Model>(shipped("planar3r")),
             puma = std::make_shared<const Model>(shipped("puma560")),
             bars = std::make_shared<const Model>(shipped("fourbar"));
  const Vector from = {0.1, -0.5, 0.4}, to = {1.3, 1.1, -0.7}, bent = {0.3, 0.6, -0.4, 0.5, 0.7, -0.2};
  const auto there = point_to_point(planar, from, to, 2, Profile::cycloidal);
  const auto turning = [](double t, std::span<Jet> q) {
    for (Jet& each : q) each = sin(Jet{t, 1, 0});
  };
  return {{"hold", planar, hold(planar, from, 2)},
          {"point to point", planar, there},
          {"spline", planar, spline(planar, {0, 1, 2}, {from, to, from})},
          {"given", planar, given_motion(planar, turning, 2)},
          {"sequence", planar, sequence(planar, {there, hold(planar, to, 1)})},
          {"line", puma, straight_line(puma, 6, bent, {0, 0, 0.05}, 2, Profile::cycloidal)},
          {"circle", puma, circle(puma, {.body = 6}, bent, {0, 0, 0}, {0, 0, 1}, 0.1, 2, Profile::cycloidal)},
          {"closed", bars,
           closed_motion(bars, point_to_point(bars, {1, -0.55, 1.3}, {1.8, 0, 1.6}, 2, Profile::cycloidal), {0})}};
}

TEST(Motions, AskForMemoryOfTheRightSize) {
  for (const auto& [name, model, motion] : every_motion()) {
    const auto nq = size_t(model->nq()), nv = size_t(model->nv());
    for (size_t wrong = 0; wrong < 3; ++wrong)
      for (const int by : {-1, 1}) {
        Vector q(nq + size_t(wrong == 0 ? by : 0)), v(nv + size_t(wrong == 1 ? by : 0)),
            a(nv + size_t(wrong == 2 ? by : 0));
        EXPECT_THROW(motion->at(0.5, q, v, a), ArgumentError) << name << ", argument " << wrong;
      }
    Vector q(nq), v(nv), a(nv);
    EXPECT_NO_THROW(motion->at(0.5, q, v, a)) << name;
  }
}

TEST(Motions, RestOutsideOfTheirTime) {
  for (const auto& [name, model, motion] : every_motion()) {
    const auto nq = size_t(model->nq()), nv = size_t(model->nv());
    for (const auto& [outside, end] : {std::pair{-1.0, 0.0}, {motion->duration() + 1, motion->duration()}}) {
      Vector q(nq), v(nv, 7), a(nv, 7), there(nq), v_there(nv), a_there(nv);
      motion->at(outside, q, v, a);
      motion->at(end, there, v_there, a_there);
      expect_near(q, there, 1e-12, name);
      EXPECT_EQ(v, Vector(nv)) << name;
      EXPECT_EQ(a, Vector(nv)) << name;
    }
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
