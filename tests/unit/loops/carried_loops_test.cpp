// Linkages on something that moves: it carries both ends of their loops, and no loop has a say in where it is, how fast it
// moves or what becomes of it while the linkage is held. All gradients along it are rounding.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "denoc/loops/closed_chain.hpp"
#include "denoc/mechanism/dynamics.hpp"
#include "denoc/model/manifold.hpp"
#include "motion/driven_chain.hpp"
#include "support/mechanisms.hpp"
#include "support/random_robot.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

using Vector = std::vector<double>;

// The linkage with its ground on a body that hangs on the ground by such a joint, in an attitude of its own.
struct Carried {
  Model model;
  int nq, nv;  // of the carrier, whose coordinates come first
  Carried(const Robot& linkage, JointType type, Random& random) : model(on_carrier(linkage, type, random)) {
    Robot alone = model.robot();
    alone.bodies.resize(2);
    alone.loops.clear();
    const Model carrier(alone);
    nq = carrier.nq();
    nv = carrier.nv();
  }
  static Robot on_carrier(const Robot& linkage, JointType type, Random& random) {
    Robot robot;
    Joint carrying = joint(type, random.direction());
    carrying.axis2 = cross(carrying.axis, random.direction());
    add(robot, carrying, mass(2, {0.1, 0.2, 0.3}, {0.2, 0, 0.3, 0, 0, 0.4}));
    for (std::size_t b = 1; b < linkage.bodies.size(); ++b) {
      Body body = linkage.bodies[b];
      body.name = "link" + std::to_string(b);
      body.parent += 1;
      if (body.parent == 1) body.joint_frame = Pose<double>{rotation(about), {0.3, -0.2, 0.1}} * body.joint_frame;
      robot.bodies.push_back(body);
    }
    for (Loop loop : linkage.loops) {
      for (Attachment* end : {&loop.a, &loop.b}) {
        if (end->body == 0) end->frame = Pose<double>{rotation(about), {0.3, -0.2, 0.1}} * end->frame;
        end->body += 1;
      }
      robot.loops.push_back(loop);
    }
    return robot;
  }
  inline static const Quaternion<double> about = {std::cos(0.4), 0, std::sin(0.4), 0};

  std::vector<int> linkage() const {
    std::vector<int> dofs;
    for (int k = nv; k < model.nv(); ++k) dofs.push_back(k);
    return dofs;
  }
  // Anywhere, with the linkage near this posture of it.
  Vector posture(Random& random, const Vector& of_linkage, double reach) const {
    Vector q = random_q<double>(random, model);
    for (std::size_t i = std::size_t(nq); i < q.size(); ++i)
      q[i] = of_linkage[i - std::size_t(nq)] + random.uniform(-reach, reach);
    return q;
  }
};

const auto carriers = {JointType::revolute, JointType::prismatic, JointType::cylindrical,
                       JointType::planar,   JointType::spherical, JointType::free};
struct Case {
  const char* name;
  Robot linkage;
  Vector posture;
};
std::vector<Case> linkages() {
  return {{"four-bar", four_bar(), {1, -0.5, 1.3}},
          {"slider-crank", slider_crank(), {0.8, -1.1, 0.5}},
          {"three four-bars", four_bars(3), Vector(7)},
          {"Bricard", bricard(), Vector(5)}};
}
template <class F> void on_each(F&& f) {
  for (const auto& [name, linkage, posture] : linkages())
    for (const JointType type : carriers)
      for (unsigned seed = 0; seed < 5; ++seed) {
        SCOPED_TRACE(testing::Message() << name << ", carrier " << int(type) << ", seed " << seed);
        Random random(seed);
        const Carried on(linkage, type, random);
        ClosedChain chain(on.model);
        f(on, chain, posture, random);
      }
}

Vector head(const Vector& x, int n) { return {x.begin(), x.begin() + n}; }

TEST(CarriedLoops, AreClosedWhereTheCarrierStands) {
  on_each([](const Carried& on, ClosedChain& chain, const Vector& posture, Random& random) {
    const Vector q = on.posture(random, posture, 0.1), closed = chain.assemble(q);
    for (int i = 0; i < on.nq; ++i)  // quaternions are brought to unit length
      EXPECT_NEAR(closed[std::size_t(i)], q[std::size_t(i)], 2 * std::numeric_limits<double>::epsilon()) << i;
  });
}

// ... however far off the linkage begins, where postures are searched for.
TEST(CarriedLoops, AreSearchedForWhereTheCarrierStands) {
  int found = 0;
  on_each([&](const Carried& on, ClosedChain& chain, const Vector& posture, Random& random) {
    const Vector q = on.posture(random, posture, 3);
    try {
      const Vector closed = chain.assemble(q);
      ++found;
      for (int i = 0; i < on.nq; ++i)
        EXPECT_NEAR(closed[std::size_t(i)], q[std::size_t(i)], 2 * std::numeric_limits<double>::epsilon()) << i;
    } catch (const NotAssembled&) {
    }
  });
  EXPECT_GT(found, 60);
}

TEST(CarriedLoops, CloseInOneWayWhereAllOfTheLinkageIsHeld) {
  on_each([](const Carried& on, ClosedChain& chain, const Vector& posture, Random& random) {
    const Vector q = chain.assemble(on.posture(random, posture, 0.1));
    EXPECT_EQ(chain.assemblies(q, 8, on.linkage()), std::vector<Vector>{q});
  });
}

TEST(CarriedLoops, LeaveTheCarrierItsRates) {
  on_each([](const Carried& on, ClosedChain& chain, const Vector& posture, Random& random) {
    const Vector q = chain.assemble(on.posture(random, posture, 0.1)),
                 any = random_vector<double>(random, on.model.nv()), v = chain.closed_rates(q, any);
    for (const Vector& rates : {any, v})
      for (const std::vector<int>& held : {std::vector<int>{}, on.linkage()})
        EXPECT_EQ(head(chain.closed_rates(q, rates, held), on.nv), head(rates, on.nv));
  });
}

// ... whether its posture is closed or not: held are the carrier and what the linkage needs besides.
TEST(CarriedLoops, TheCarrierIsIndependent) {
  on_each([](const Carried& on, ClosedChain& chain, const Vector& posture, Random& random) {
    const Vector open = on.posture(random, posture, 0.1);
    for (const Vector& q : {open, chain.assemble(open)}) {
      const std::vector<int> independent = chain.independent(q);
      for (int k = 0; k < on.nv; ++k) EXPECT_EQ(std::count(independent.begin(), independent.end(), k), 1) << k;
    }
  });
}

// Nobody drives the carrier: it does what it does under these forces, whether the linkage is asked about or given.
TEST(CarriedLoops, ThePassiveCarrierMovesAsUnderTheForces) {
  on_each([](const Carried& on, ClosedChain& chain, const Vector& posture, Random& random) {
    const Vector q = chain.assemble(on.posture(random, posture, 0.1)),
                 v = chain.closed_rates(q, random_vector<double>(random, on.model.nv()));
    Vector tau = random_vector<double>(random, on.model.nv());
    std::fill_n(tau.begin(), on.nv, 0);
    const Mechanism mechanism(on.model.robot());
    Dynamics d(mechanism);
    std::vector<std::string> names;
    for (std::size_t b = 2; b < on.model.robot().bodies.size(); ++b) names.push_back(on.model.robot().bodies[b].name);
    d.drive(names);
    const auto answer = d.forward(q, v, tau);
    const Vector expected(answer.begin(), answer.end());
    Vector a = expected;
    std::vector<int> carrier;
    for (int k = 0; k < on.nv; ++k) {
      carrier.push_back(k);
      a[std::size_t(k)] = 7;  // what is there does not matter
    }
    const auto found = d.passive(q, v, a, carrier);
    for (std::size_t k = 0; k < expected.size(); ++k)
      EXPECT_NEAR(found[k], expected[k], 1e-9 * (1 + std::abs(expected[k]))) << k;
  });
}

// Without gravity the attitude of what carries a linkage is no matter, as seen from it: neither where the plane of the
// linkage is one of the world's, in which its rows are then zero but for rounding, nor a little beside.
TEST(CarriedLoops, MoveTheSameInWhateverAttitude) {
  for (const auto& [name, linkage, posture] : linkages())
    for (const JointType type : {JointType::free, JointType::spherical}) {
      SCOPED_TRACE(testing::Message() << name << ", carrier " << int(type));
      Random random(3);
      Robot robot = Carried(linkage, type, random).model.robot();
      robot.gravity = {0, 0, 0};
      const Mechanism mechanism(robot);
      const Model& model = mechanism.tree();
      Dynamics d(mechanism);
      const std::size_t first = type == JointType::free ? 3 : 0;
      const double s = std::sqrt(1.0 / 3);
      Vector q = mechanism.neutral();
      std::copy(posture.begin(), posture.end(), q.end() - std::ptrdiff_t(posture.size()));
      const auto turned = [&](const Quaternion<double>& to) {
        Vector there = q;
        const double entries[] = {to.w, to.x, to.y, to.z};
        std::copy(std::begin(entries), std::end(entries), there.begin() + std::ptrdiff_t(first));
        return there;
      };
      const auto closed = d.assemble(q);
      q.assign(closed.begin(), closed.end());
      const Vector v = ClosedChain(model).closed_rates(q, random_vector<double>(random, model.nv())),
                   w = ClosedChain(model).closed_rates(q, random_vector<double>(random, model.nv())),
                   tau = random_vector<double>(random, model.nv());
      const auto answers = [&](const Quaternion<double>& attitude) {
        Vector all;
        const Vector there = turned(attitude);
        const auto append = [&](std::span<const double> more) { all.insert(all.end(), more.begin(), more.end()); };
        append(d.forward(there, v, tau));
        const Vector a = all;
        for (const BodyWrench<double>& on : d.loop_wrenches()) all.push_back(norm(on.wrench.f));
        append(d.inverse(there, v, a));
        append(d.forward_derivatives(there, v, tau).dtau.entries());
        // Along what keeps the loops closed, others are no question of the robot: rates, and postures at rest.
        const auto append_along_w = [&](const auto& matrix) {
          const auto by_rows = matrix.entries();
          for (std::size_t k = 0; k < v.size(); ++k)
            all.push_back(std::inner_product(w.begin(), w.end(), by_rows.begin() + std::ptrdiff_t(k * v.size()), 0.0));
        };
        append_along_w(d.forward_derivatives(there, v, tau).dv);
        append_along_w(d.forward_derivatives(there, Vector(v.size()), tau).dq);
        Vector q_after = there, v_after = v;
        d.step(q_after, v_after, tau, 1e-3);
        append(v_after);
        return all;
      };
      const Vector expected = answers({0.1, 0.7, -0.5, 0.5});  // askew: (0.1, 0.7, 0.5, 0.5) has unit length
      double most = 0;
      for (const double x : expected) most = std::max(most, std::abs(x));
      const auto about = [](double angle, const Vec3<double>& axis) -> Quaternion<double> {
        const Vec3<double> u = axis * std::sin(angle / 2);
        return {std::cos(angle / 2), u.x, u.y, u.z};
      };
      const auto expect_the_same = [&](const Quaternion<double>& attitude) {
        const Vector found = answers(attitude);
        ASSERT_EQ(found.size(), expected.size());
        for (std::size_t k = 0; k < found.size(); ++k) ASSERT_NEAR(found[k], expected[k], 1e-8 * (1 + most)) << k;
      };
      const Quaternion<double> upright = about(-0.8, {0, 1, 0});  // the linkage's plane is the world's x y
      for (const Quaternion<double>& aligned : {about(0, {0, 0, 1}), upright, about(2 * M_PI / 3, {s, s, s}) * upright})
        for (const double tilt : {0.0, 1e-17, 1e-14, 1e-10, 1e-9, 1e-8, 3e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-2}) {
          SCOPED_TRACE(tilt);
          expect_the_same(about(tilt, {0.6, 0.8, 0}) * aligned);
        }
      // Its normal nearly in the world's x y: two rows are nearly parallel, and the third depends on both.
      for (int i = 0; i < 50; ++i) {
        const double beside = std::pow(10, random.uniform(-7, -3));
        SCOPED_TRACE(beside);
        expect_the_same(about(random.uniform(0, 6), {0, 0, 1}) * about(M_PI / 2 - beside, {0, 1, 0}) *
                        about(random.uniform(0, 6), {0, 0, 1}) * upright);
      }
    }
}

// A triangle does not move. Drives in its corners lead nothing else: neither what carries it, nor what hangs on it.
TEST(CarriedLoops, DrivesOfWhatCannotMoveLeadNothing) {
  Robot triangle;
  const Joint hinge = joint(JointType::revolute);
  const int one = add_to(triangle, 0, hinge, rod(1, 0.3)), other = add_to(triangle, 0, hinge, rod(1, 0.4), {0.5, 0, 0});
  close(triangle, LoopType::revolute, one, {0.3, 0, 0}, other, {0.4, 0, 0});
  for (const JointType type : carriers) {
    SCOPED_TRACE(int(type));
    Random random(8);
    const Carried on(triangle, type, random);
    ClosedChain chain(on.model);
    const Vector q = chain.assemble(on.posture(random, {1, 2}, 0.1));
    motion::DrivenChain driven(on.model, on.linkage());
    EXPECT_THROW(driven.place(q), NotDriveable);
    std::vector<int> all = on.linkage();
    for (int k = 0; k < on.nv; ++k) all.push_back(k);
    motion::DrivenChain whole(on.model, all);
    EXPECT_NO_THROW(whole.place(q));
    std::vector<int> leading = whole.leading();
    std::sort(leading.begin(), leading.end());
    std::vector<int> carrier;
    for (int k = 0; k < on.nv; ++k) carrier.push_back(k);
    EXPECT_EQ(leading, carrier);
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
