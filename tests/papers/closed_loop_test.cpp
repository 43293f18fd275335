// Plane mechanisms against accelerations and multipliers computed independently (tests/data/closed_loop.json), the
// four-bar and the slider-crank also against one equation in the angle of the crank.
#include <gtest/gtest.h>

#include "denoc/forces/forces.hpp"
#include "denoc/loops/closed_chain.hpp"
#include "support/data.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

constexpr double relative = 1e-10;  // that the references agree to among themselves

double size_of(const std::vector<double>& x) {
  double size = 0;
  for (const double e : x) size = std::max(size, std::abs(e));
  return size;
}

void expect_start(const std::string& name) {
  SCOPED_TRACE(name);
  const Json start = data("closed_loop.json")[name]["t0"];
  const Model model(shipped(name));
  ClosedChain chain(model);
  const std::vector<double> q = numbers(start["q"]), v = numbers(start["v"]), tau = numbers(start["tau"]),
                            a = numbers(start["qdd"]), f = numbers(start["lam"]);
  EXPECT_LE(chain.gap(q).size, 1e-15);
  EXPECT_LE(chain.opening(q, v).size, 1e-13);
  const ClosedChain::Forward found = chain.forward_dynamics(q, v, tau);
  expect_near(found.a, a, relative * size_of(a), "a");
  EXPECT_NEAR(found.a[0], number(start["crank_acc_minimal"]), relative * size_of(a)) << "one coordinate";
  expect_near({found.multipliers[0], found.multipliers[1]}, f, relative * size_of(f), "multipliers");
  // out of the plane nothing acts
  expect_near({found.multipliers[2], found.multipliers[3], found.multipliers[4]}, {0, 0, 0}, 0, "out of the plane");
  const ClosedChain::Inverse drive = chain.inverse_dynamics(q, v, found.a, {0});
  expect_near(drive.tau, tau, relative * size_of(f), "tau");
}

TEST(ClosedLoopData, FourBar) { expect_start("fourbar"); }
TEST(ClosedLoopData, SliderCrank) { expect_start("slider_crank"); }

// The data count beta, Theta, gamma, Phi, delta, Omega, epsilon; the tree has delta before Phi, epsilon before Omega.
std::vector<double> in_tree_order(const std::vector<double>& x) { return {x[0], x[1], x[2], x[4], x[3], x[6], x[5]}; }

void expect_andrews(const std::vector<double>& q, const std::vector<double>& v, const std::vector<double>& a,
                    const std::vector<double>& f) {
  const Model model(shipped("andrews"));
  ClosedChain chain(model);
  Configuration<double> at(model);
  ForcesOf<double> forces(model);
  place<double>(model, q, at);
  const ClosedChain::Forward found =
      chain.forward_dynamics(q, v, std::vector<double>{0.033, 0, 0, 0, 0, 0, 0}, forces.act(at, q, v).wrenches);
  expect_near(found.a, a, relative * size_of(a), "a");
  // M a = f - G^T lambda there
  std::vector<double> multipliers;
  for (std::size_t loop = 0; loop < 3; ++loop) {
    for (std::size_t row = 0; row < 2; ++row) multipliers.push_back(-found.multipliers[5 * loop + row]);
  }
  expect_near(multipliers, f, relative * size_of(f), "multipliers");
  EXPECT_EQ(chain.mobility(q).freedom(), 1);
}

TEST(ClosedLoopData, AndrewsAtTheStart) {
  const Json json = data("closed_loop.json")["andrews"];
  expect_andrews(in_tree_order(numbers(json["q0"])), std::vector<double>(7), in_tree_order(numbers(json["acc0"])),
                 numbers(json["lam0"]));
}
// On its way: 3e5 rad/s^2 and rates of 1400 rad/s. The state itself is known to 2e-15 of beta = 15.8 and v to 4e-16 of
// 1400: v^2 moves a by less than 1e-10 of its largest.
TEST(ClosedLoopData, AndrewsOnItsWay) {
  const Json json = data("closed_loop.json")["andrews"]["long_double"][1];
  const std::vector<double> both = numbers(json["qdd_lambda"]);
  expect_andrews(in_tree_order(numbers(json["q"])), in_tree_order(numbers(json["v"])),
                 in_tree_order({both.begin(), both.begin() + 7}), {both.begin() + 7, both.end()});
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
