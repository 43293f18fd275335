// Postures that are closed but for digits: rows that depend on each other where the loops are closed do so there, too.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "denoc/loops/closed_chain.hpp"
#include "denoc/mechanism/dynamics.hpp"
#include "denoc/mechanism/linearize.hpp"
#include "support/data.hpp"
#include "support/expect.hpp"
#include "support/overconstrained.hpp"
#include "support/simulated.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

using List = std::vector<double>;

List list(std::span<const double> x) { return {x.begin(), x.end()}; }
double norm_of(const MatrixView& m) {
  return Eigen::Map<const Eigen::VectorXd>(m.entries().data(), Eigen::Index(m.entries().size())).norm();
}
// As rounding to so many digits may.
List rounded(List q, int digits) {
  for (std::size_t k = 0; k < q.size(); ++k) q[k] += (k % 2 == 0 ? 0.5 : -0.3) * std::pow(10, -digits);
  return q;
}

struct Posture {
  const char* name;
  Robot robot;
  List near;
};
std::vector<Posture> postures() {
  return {{"bennett", bennett(), {0.5, -3.4, -0.5}},
          {"bricard", bricard(), {0.3, 0.1, -0.2, 0.3, 0.2}},
          {"wheels", coupled_wheels(), {0.7, -0.7, 0.7, 0.7}},
          {"wheels near a dead point", coupled_wheels(), {0.03, -0.03, 0.03, 0.03}},
          {"four-bar", four_bar(), {1, -0.55, 1.3}}};
}

// Rounding q moves a posture by d, and where the loops are closed again it is no further than 2 d away: answers change by
// what their derivatives say of that, and nothing is locked.
TEST(LastDigits, OfPosturesChangeAnswersByAsMuch) {
  for (const Posture& each : postures()) {
    const Mechanism mechanism(each.robot);
    ClosedChain chain(mechanism.tree());
    Dynamics d(mechanism);
    const List q = chain.assemble(each.near);
    List v(q.size()), tau(q.size());
    v[0] = tau[0] = 1;
    v = chain.closed_rates(q, v);
    const int freedom = chain.mobility(q).freedom();
    ASSERT_EQ(freedom, 1) << each.name;
    const List expected = list(d.forward(q, v, tau));
    const bool is_unique = d.is_unique();
    const auto [by_q, by_v, by_tau] = d.forward_derivatives(q, v, tau);
    const double change = norm_of(by_q) + norm_of(by_v) * norm_of({v, 1, int(v.size())});
    const List response = list(by_tau.entries());
    for (const int digits : {7, 8, 9, 10, 12}) {
      SCOPED_TRACE(std::string(each.name) + " with digits: " + std::to_string(digits));
      const List here = rounded(q, digits), rates = chain.closed_rates(here, v);
      const double moved = std::sqrt(double(q.size())) * std::pow(10, -digits), tolerance = 1e-9 + 4 * change * moved;
      expect_near(list(d.forward(here, rates, tau)), expected, tolerance, "a");
      EXPECT_EQ(d.is_unique(), is_unique);
      expect_near(chain.forward_dynamics(here, rates, tau).a, expected, tolerance, "a of the chain");
      const List forces = list(d.inverse(here, rates, d.forward(here, rates, tau)));
      expect_near(list(d.forward(here, rates, forces)), expected, tolerance, "a of its forces");
      EXPECT_EQ(chain.mobility(here).freedom(), freedom);
      EXPECT_EQ(chain.independent(here), chain.independent(q));
      // What a force does is as large as before: it was nothing at all.
      const double size = largest(response);
      expect_near(list(d.forward_derivatives(here, rates, tau).dtau.entries()), response, 1e-3 * size, "da/dtau");
      const LinearModel linear = linearize(d, here, rates, tau, std::vector<int>{0});
      for (std::size_t k = 0; k < v.size(); ++k)
        EXPECT_NEAR(linear.B[v.size() + k], response[k * v.size()], 1e-3 * size) << k;
    }
  }
}

// To the bit where the loops are closed to rounding, and far from it as open as ever.
TEST(LastDigits, AreLeftAloneWhereLoopsAreClosedAndWhereTheyAreOpen) {
  for (const Posture& each : postures()) {
    SCOPED_TRACE(each.name);
    const Mechanism mechanism(each.robot);
    const Model& model = mechanism.tree();
    ClosedChain chain(model);
    Configuration<double> at(model);
    const List closed = chain.assemble(each.near), still(std::size_t(model.nv()));
    List q = closed;
    place<double>(model, q, at);
    chain.move_to(at, q, still);
    EXPECT_FALSE(chain.close_last_digits(at, q));
    EXPECT_EQ(q, closed);
    q[0] += 1e-4;
    List open = q;
    place<double>(model, q, at);
    chain.move_to(at, q, still);
    EXPECT_FALSE(chain.close_last_digits(at, q));
    EXPECT_EQ(q, open);
    q = rounded(closed, 8);
    place<double>(model, q, at);
    chain.move_to(at, q, still);
    EXPECT_TRUE(chain.close_last_digits(at, q));
    EXPECT_LE(chain.gap().part, 1e-12);
    expect_near(q, closed, 2e-8 * std::sqrt(double(q.size())), "q");  // no further than twice as far as it was moved
  }
}

// Closed again they are where they are nearest: no further than rounding moved them.
TEST(LastDigits, AreClosedByNoMoreThanTheyWereRounded) {
  Random random(3);
  for (const Posture& each : postures()) {
    const Model model(each.robot);
    ClosedChain chain(model);
    Configuration<double> at(model);
    const List closed = chain.assemble(each.near), still(closed.size());
    for (const int digits : {6, 7, 8, 9}) {
      for (int trial = 0; trial < 20; ++trial) {
        SCOPED_TRACE(std::string(each.name) + " with digits: " + std::to_string(digits));
        const List by = random_vector<double>(random, model.nv(), 0.5 * std::pow(10, -digits));
        List rounded_off = closed;
        for (std::size_t k = 0; k < by.size(); ++k) rounded_off[k] += by[k];
        if (chain.gap(rounded_off).is_open()) continue;
        List q = rounded_off, moved = q;
        place<double>(model, q, at);
        chain.move_to(at, q, still);
        chain.close_last_digits(at, q);
        for (std::size_t k = 0; k < q.size(); ++k) moved[k] -= q[k];
        // to the first order of 1e-6, and to what is left of the loops
        EXPECT_LE(norm_of({moved, 1, model.nv()}), 1.01 * norm_of({by, 1, model.nv()}) + 1e-12);
      }
    }
  }
}

// Rates that are known to 8 digits open nothing, however fast; those that are wrong in the third one do.
TEST(LastDigits, OfRatesOpenNothingHoweverFast) {
  for (const Posture& each : postures()) {
    const Mechanism mechanism(each.robot);
    ClosedChain chain(mechanism.tree());
    Dynamics d(mechanism);
    const List q = chain.assemble(each.near), tau(q.size());
    List v(q.size());
    v[0] = 1;
    v = chain.closed_rates(q, v);
    for (const double fast : {1.0, 30.0, 500.0, 1e5}) {
      SCOPED_TRACE(fmt::format("{}, {} times as fast", each.name, fast));
      List rates = v, wrong = v;
      for (std::size_t k = 0; k < v.size(); ++k) {
        rates[k] *= fast * (1 + (k % 2 == 0 ? 5e-9 : -3e-9));
        wrong[k] *= fast * (1 + (k % 2 == 0 ? 5e-3 : -3e-3));
      }
      EXPECT_NO_THROW(d.forward(q, rates, tau));
      EXPECT_THROW(d.forward(q, wrong, tau), NotAssembled);
    }
  }
}

// In the coordinates of a map, 1000 km from their origin, where numbers have 1e-10 m: the four-bar closes there, and moves
// as it does anywhere.
TEST(LastDigits, OfMapCoordinatesOpenNothing) {
  const Robot here = four_bar();
  Robot far = here;
  const double away = 1e6;
  for (Body& body : far.bodies)
    if (&body != &far.bodies[0] && body.parent == 0)
      body.joint_frame.r = body.joint_frame.r + Vec3<double>{away, -away, 0};
  const Mechanism one(here), other(far);
  ClosedChain chain(one.tree()), map(other.tree());
  const List near{1, -0.55, 1.3}, q = chain.assemble(near), found = map.assemble(near);
  // What a gap of the digits there turns: of links of 0.2 m at least, not near a dead point.
  const double digits = away * std::numeric_limits<double>::epsilon(), turns = 64 * digits / 0.2;
  expect_near(found, q, turns, "q");
  Dynamics d(one), e(other);
  List v{1, 0, 0}, tau{1, 0, 0};
  v = chain.closed_rates(q, v);
  const List a = list(d.forward(q, v, tau));
  expect_near(list(e.forward(found, map.closed_rates(found, v), tau)), a, 100 * largest(a) * turns, "a");
  const auto end = [&](const Model& model) {
    return simulated(model, setup_of(q, v, 0.2, 0.2, tight(1e-8))).samples.back();
  };
  expect_near(end(other.tree()).q, end(one.tree()).q, 1e-6, "q of a run");
}

TEST(LastDigits, MobilityIsThatOfClosedPostures) {
  const Model model(bennett());
  ClosedChain chain(model);
  List q = chain.assemble(List{0.5, -3.4, -0.5});
  EXPECT_EQ(chain.mobility(q).freedom(), 1);
  q[0] += 0.2;
  EXPECT_THROW(chain.mobility(q), NotAssembled);
}

// A file of 6 or 7 digits turns an axis by 1e-7 out of its plane, or moves a body: what a loop says across the plane no
// posture changes by as much as a loop may be open. The mechanism stays the plane one, in planes of the world and in others.
TEST(LastDigits, OfAxesAndFramesDoNotLockPlaneMechanisms) {
  const auto answers = [](const Robot& robot, const List& near) {
    const Mechanism mechanism(robot);
    ClosedChain chain(mechanism.tree());
    Dynamics d(mechanism);
    const List q = list(d.assemble(near));
    List v(q.size()), tau(q.size());
    v[0] = tau[0] = 1;
    v = chain.closed_rates(q, v);
    EXPECT_EQ(chain.mobility(q).freedom(), 1);
    List all = q;
    const auto add = [&](std::span<const double> x) { all.insert(all.end(), x.begin(), x.end()); };
    const List a = list(d.forward(q, v, tau));
    add(a);
    add(chain.inverse_dynamics(q, v, a, {0}).tau);
    const List follow = chain.assembly_derivatives(q).first;  // by the crank
    add(follow);
    const Dynamics::ForwardDerivatives by = d.forward_derivatives(q, v, tau);
    for (std::size_t i = 0; i < a.size(); ++i) {
      double sum = 0, rates = 0;
      for (std::size_t k = 0; k < a.size(); ++k) sum += by.dq(int(i), int(k)) * follow[k];
      for (std::size_t k = 0; k < a.size(); ++k) rates += by.dv(int(i), int(k)) * follow[k];
      add(List{sum, rates});
    }
    return all;
  };
  const Mat3<double> askew = rotation(unit(Quaternion<double>{0.3, -0.7, 0.2, 0.5}));
  const std::pair<Robot, List> cases[] = {{four_bar(), {0.9, -0.5, 1.2}}, {slider_crank(), {0.9, -1.2, 0.5}}};
  for (const auto& [exact, near] : cases) {
    const List expected = answers(exact, near);
    for (const double off : {1e-10, 1e-9, 1e-8, 3e-8, 1e-7, 3e-7}) {
      for (const bool turned : {false, true}) {
        for (int which = 0; which < 3; ++which) {
          Robot robot = exact;
          if (which == 0) robot.bodies[2].joint.axis = {off, -off / 2, 1};
          if (which == 1) robot.bodies[3].joint_frame.r.z = off;
          if (which == 2) robot.bodies[3].joint_frame.R = rotation(unit(Quaternion<double>{1, off, off / 3, 0}));
          if (turned) {
            robot.gravity = askew * robot.gravity;
            for (Body& body : robot.bodies)
              if (&body != &robot.bodies[0] && body.parent == 0)
                body.joint_frame = Pose<double>{askew, {0, 0, 0}} * body.joint_frame;
          }
          // Derivatives are some hundreds; of sums across the plane `off` is known by its square root at the worst.
          SCOPED_TRACE(which);
          expect_near(answers(robot, near), expected, 1e3 * off + 1e-9, turned ? "askew" : "in a plane of the world");
        }
      }
    }
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
