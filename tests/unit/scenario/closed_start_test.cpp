// Where runs with loops start, with joints in front of the loops that have more coordinates than degrees of freedom.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "denoc/loops/closed_chain.hpp"
#include "denoc/scenario/scenario.hpp"
#include "support/mechanisms.hpp"

namespace denoc {
namespace {
namespace THIS_FILE {

// A four-bar on a frame: body1 the frame, then crank, coupler and rocker.
std::shared_ptr<const Model> on_frame(JointType type) {
  Robot robot = test::floating_four_bar();
  robot.bodies[1].joint.type = type;
  return std::make_shared<const Model>(robot);
}
Scenario start(const std::shared_ptr<const Model>& model, const std::string& words) {
  return read_scenario("duration: 1\nstart: {" + words + "}\n", "run.yaml", model);
}

// Whichever joint is named, in q and in v: it stays, and the loop closes with it.
TEST(ClosedStart, NamedJointsStayBehindAQuaternion) {
  const std::pair<const char*, double> named[] = {{"body2", 0.9}, {"body3", -0.4}, {"body4", 1.4}};
  for (const JointType type : {JointType::spherical, JointType::free, JointType::planar}) {
    const auto model = on_frame(type);
    const auto first_q = static_cast<std::size_t>(model->nq() - 3), first_v = static_cast<std::size_t>(model->nv() - 3);
    ClosedChain chain(*model);
    for (std::size_t i = 0; i < 3; ++i) {
      const auto& [name, q] = named[i];
      const Scenario placed = start(model, fmt::format("q: {{{}: {}}}", name, q));
      EXPECT_EQ(placed.setup.q[first_q + i], q) << name;
      EXPECT_LE(chain.gap(placed.setup.q).size, 1e-10) << name;
      EXPECT_TRUE(placed.warnings.empty()) << name;
      for (std::size_t j = 0; j < 3; ++j) {
        const Scenario moving = start(model, fmt::format("q: {{{}: {}}}, v: {{{}: 2}}", name, q, named[j].first));
        EXPECT_EQ(moving.setup.v[first_v + j], 2) << name << " " << named[j].first;
        EXPECT_FALSE(chain.opening(moving.setup.q, moving.setup.v).is_open()) << name << " " << named[j].first;
        EXPECT_TRUE(moving.warnings.empty()) << name << " " << named[j].first;
      }
    }
  }
}

// Loops are linear in rates: what is closed, to the six digits that were printed, is so at every speed, and what is off
// by a thousandth is at none that matters.
TEST(ClosedStart, RatesOfAListAreCloseInParts) {
  const auto model = std::make_shared<const Model>(test::four_bar());
  const std::vector<double> q = start(model, "q: {body1: 0.9}").setup.q;
  ClosedChain chain(*model);
  const std::vector<double> rates = chain.closed_rates(q, std::vector<double>{1.23456789, 0, 0}, std::vector<int>{0});
  const auto warnings = [&](double speed, double off) {
    return start(model, fmt::format("q: [{}], v: [{:.6g}, {:.6g}, {:.6g}]", fmt::join(q, ", "), speed * rates[0],
                                    speed * rates[1], speed * rates[2] * off))
        .warnings.size();
  };
  for (const double speed : {1e-3, 1.0, 1e3, 1e6, 1e9}) {
    EXPECT_EQ(warnings(speed, 1), 0u) << speed;
    EXPECT_EQ(warnings(-speed, 1), 0u) << speed;
    EXPECT_EQ(warnings(speed, 1.001), speed < 1 ? 0u : 1u) << speed;
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc
