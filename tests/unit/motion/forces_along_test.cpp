#include "denoc/motion/forces_along.hpp"

#include "denoc/motion/closed_motion.hpp"
#include "denoc/motion/joint_motion.hpp"
#include "support/build.hpp"
#include "support/data.hpp"
#include "support/mechanisms.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

constexpr double eps = std::numeric_limits<double>::epsilon();
using Vector = std::vector<double>;

// tau = m l^2 q'' + m g l sin q (+ c q' with the forces of the file), for q = sin 2t
TEST(ForcesAlong, OfAPendulum) {
  Robot robot;
  add(robot, joint(JointType::revolute, {0, 1, 0}), mass(2, {0, 0, -0.5})).joint.friction.viscous = 0.3;
  const Mechanism mechanism(robot);
  const auto model = std::make_shared<const Model>(robot);
  const auto swing = given_motion(
      model,
      [](double t, std::span<Jet> q) {
        q[0] = sin(Jet{2 * t, 2, 0});
      },
      3);
  for (const Forces forces : {Forces::none, Forces::all}) {
    std::vector<double> times;
    forces_along(mechanism, *swing, {1, 0.3, forces}, [&](const AlongSample& s) {
      times.push_back(s.t);
      const double q = std::sin(2 * s.t), v = 2 * std::cos(2 * s.t), a = -4 * q;
      EXPECT_NEAR(s.q[0], q, 4 * eps);
      EXPECT_NEAR(s.v[0], v, 8 * eps);
      EXPECT_NEAR(s.a[0], a, 16 * eps);
      EXPECT_NEAR(s.tau[0], 0.5 * a + 9.81 * std::sin(q) + (forces == Forces::all ? 0.3 * v : 0), 64 * eps * 10);
      EXPECT_NEAR(s.kinetic, 0.25 * v * v, 64 * eps);
      EXPECT_NEAR(s.potential, -9.81 * std::cos(q), 64 * eps * 10);
    });
    expect_near(times, {0, 0.3, 0.6, 0.9, 1}, 4 * eps, "times");
  }
}

// a = 4.5, 0, -4.5 for a third of a second each, then rest: a row at an instant where that jumps shows what follows,
// however the instant is rounded, and the last one what was before.
TEST(ForcesAlong, RowsAtJumpsShowWhatFollows) {
  Robot robot;
  robot.gravity = {0, 0, 0};
  add(robot, joint(JointType::revolute), mass(2, {0.5, 0, 0}));
  const Mechanism mechanism(robot);
  const auto model = std::make_shared<const Model>(robot);
  for (const double duration : {1.0, 0.7, 1.1, 3.0, 0.1})
    for (const double shown : {2 * duration, duration}) {
      const auto motion = point_to_point(model, {0}, {1}, duration, Profile::trapezoidal);
      const double a = 4.5 / (duration * duration), expected[] = {a, 0, -a, 0, 0, 0, 0};
      std::vector<double> found;
      forces_along(mechanism, *motion, {shown, duration / 3}, [&](const AlongSample& s) { found.push_back(s.a[0]); });
      ASSERT_EQ(found.size(), shown > duration ? 7u : 4u);
      for (std::size_t i = 0; i < found.size(); ++i) {
        const bool is_end = shown == duration && i == 3;
        EXPECT_NEAR(found[i], is_end ? -a : expected[i], 16 * eps * a) << duration << ", row " << i;
      }
    }
}

// A floating arm from rest: whatever its joints do, momentum stays zero, the mass centre where it is, and the base has
// no force; forward dynamics gives the accelerations back.
TEST(ForcesAlong, OfAFloatingBaseConserveMomentum) {
  const Mechanism mechanism(shipped("free_flying_arm"));
  const auto model = std::make_shared<const Model>(mechanism.robot());
  Vector start = mechanism.neutral(), end = start;
  end[7] = 1, end[8] = -0.7, end[9] = 1.5;
  Dynamics dynamics(mechanism);
  const Vec3<double> centre = dynamics.mass_centre(start).position;
  // With samples at the end of the motion, where accelerations jump, and with samples beside it.
  for (const auto& [profile, every] :
       {std::pair(Profile::cycloidal, 0.1), {Profile::trapezoidal, 0.1}, {Profile::trapezoidal, 0.35}}) {
    const auto motion = point_to_point(model, start, end, 2, profile);
    double base_moved = 0;
    forces_along(mechanism, *motion, {2.5, every}, [&](const AlongSample& s) {
      const auto [linear, angular] = dynamics.momentum(s.q, s.v);
      EXPECT_LE(norm(linear), 1e-8) << s.t;
      EXPECT_LE(norm(angular), 1e-8) << s.t;
      EXPECT_LE(norm(dynamics.mass_centre(s.q).position - centre), 1e-8) << s.t;
      for (size_t k = 0; k < 6; ++k) EXPECT_EQ(s.tau[k], 0);
      const auto a = dynamics.forward(s.q, s.v, s.tau);
      for (size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], s.a[k], 1e-11) << s.t;
      // the joints are exactly on their motion
      Vector q(s.q.size()), v(s.v.size()), given(v);
      motion->at(s.t, q, v, given);
      for (size_t k = 7; k < q.size(); ++k) EXPECT_EQ(s.q[k], q[k]);
      base_moved = std::max(base_moved, std::abs(s.q[0]) + std::abs(s.q[6]));
    });
    EXPECT_GT(base_moved, 0.01);
  }
}

// A slider on a spring, on an arm that swings four times a second: where it is does not depend on how often it is
// looked at, whole swings apart or less. A step may miss by 1e-10, and there are some hundreds.
TEST(ForcesAlong, RowsDoNotDependOnHowFarApartTheyAre) {
  Robot robot;
  robot.gravity = {0, 0, 0};
  add(robot, joint(JointType::revolute, {0, 0, 1}), mass(1, {0.1, 0, 0}, {0.02, 0, 0.02, 0, 0, 0.02}));
  Body& slider = add(robot, joint(JointType::prismatic, {1, 0, 0}), mass(1), {0.3, 0, 0});
  slider.joint.spring.stiffness = 100;
  slider.joint.friction.viscous = 3;
  const Mechanism mechanism(robot);
  const auto model = std::make_shared<const Model>(robot);
  const auto swing = [&](double duration) {
    return given_motion(
        model,
        [](double t, std::span<Jet> q) {
          q[0] = Jet{0.3} - Jet{0.3} * cos(Jet{8 * M_PI * t, 8 * M_PI, 0});
          q[1] = Jet{0};
        },
        duration);
  };
  const auto last = [&](const Trajectory& motion, double every) {
    Vector state;
    forces_along(mechanism, motion, {motion.duration(), every, Forces::all, {0}}, [&](const AlongSample& s) {
      state = {s.q[1], s.v[1], s.a[1], s.tau[0]};
    });
    return state;
  };
  const auto swinging = swing(2);
  const Vector often = last(*swinging, 0.01);
  EXPECT_GT(std::abs(often[0]), 0.01);
  for (const double every : {0.25, 1.0, 2.0}) expect_near(last(*swinging, every), often, 1e-7, "every");
  // ... nor on how long it has rested before: steps that have grown in the meantime begin anew.
  const auto later = sequence(model, {hold(model, {0, 0}, 10), swing(2)});
  for (const double every : {1.0, 12.0}) expect_near(last(*later, every), often, 1e-7, "later");
  // ... nor by how little of it moves: there and back within ten points of a spline that rests otherwise.
  std::vector<double> times;
  std::vector<Vector> points;
  for (int i = 0; i <= 400; ++i) {
    times.push_back(0.01 * i);
    const double part = std::clamp((i - 228) / 10.0, 0.0, 1.0);
    points.push_back({0.3 * std::pow(std::sin(M_PI * part), 2), 0});
  }
  const auto short_move = spline(model, times, points);
  const Vector met = last(*short_move, 0.01);
  EXPECT_GT(std::abs(met[0]), 1e-5);
  for (const double every : {0.3, 2.0, 4.0}) expect_near(last(*short_move, every), met, 1e-7, "a short move");
}

// A robot in micrometres, or in kilometres, is the same robot: in powers of 32, by which lengths are measured, to
// rounding.
TEST(ForcesAlong, DoNotDependOnTheUnitOfLength) {
  const auto rows = [](double L, double coulomb) {
    Robot robot;
    robot.gravity = {0, 0, -9.81 * L};
    const double J = 0.02 * L * L;
    add(robot, joint(JointType::revolute, {0, 1, 0}), mass(1, {0.1 * L, 0, 0}, {J, 0, J, 0, 0, J}));
    Body& slider = add(robot, joint(JointType::prismatic, {1, 0, 0}), mass(1), {0.3 * L, 0, 0});
    slider.joint.spring.stiffness = 100;
    slider.joint.friction.viscous = 0.3;
    slider.joint.friction.coulomb = coulomb * L;
    const auto motion = given_motion(
        std::make_shared<const Model>(robot),
        [](double t, std::span<Jet> q) {
          q[0] = Jet{0.8} * sin(Jet{3 * t, 3, 0});
          q[1] = Jet{0};
        },
        2);
    Vector all;
    forces_along(Mechanism(robot), *motion, {2, 0.1, Forces::all, {0}}, [&](const AlongSample& s) {
      for (const double x : {s.q[1] / L, s.v[1] / L, s.a[1] / L, s.tau[0] / (L * L)}) all.push_back(x);
    });
    return all;
  };
  for (const double coulomb : {0.0, 2.0}) {
    const Vector in_metres = rows(1, coulomb);
    for (const double L : {std::exp2(-20), std::exp2(10)})
      expect_near(rows(L, coulomb), in_metres, 1e-12, "L = " + std::to_string(L));
  }
}

// A pole on a cart that is driven: it falls as the undriven equation says, m h x'' + J p'' = m g h sin p for x'' = 0.
TEST(ForcesAlong, SolvesForAnyJointWithoutADrive) {
  const Mechanism mechanism(shipped("cart_pole"));
  const auto model = std::make_shared<const Model>(mechanism.robot());
  const auto motion = hold(model, {0.2, 0.1}, 1);
  const double J = 1.0 / 60 + 0.2 * 0.25, lift = 0.2 * 9.81 * 0.5;
  forces_along(mechanism, *motion, {1, 0.1, Forces::none, {0}}, [&](const AlongSample& s) {
    EXPECT_EQ(s.q[0], 0.2);
    EXPECT_EQ(s.tau[1], 0);
    EXPECT_NEAR(s.a[1], lift / J * std::sin(s.q[1]), 1e-12 * 20);
    // energy: the cart's drive does no work
    EXPECT_NEAR(s.kinetic + s.potential, lift * std::cos(0.1), 1e-9);
  });
}

// One degree of freedom of a plate is driven, the others are not: along these the mass centre falls, no force being there,
// and the one that is driven is where the motion has it.
TEST(ForcesAlong, OfJointsThatAreDrivenInPart) {
  Robot robot;
  robot.gravity = {1, -9.81, 0};
  add(robot, joint(JointType::planar), mass(2, {0.1, 0, 0}, {0.01, 0, 0.01, 0, 0, 0.01}));
  const Mechanism mechanism(robot);
  const auto model = std::make_shared<const Model>(robot);
  const auto motion = given_motion(
      model,
      [](double t, std::span<Jet> q) {
        for (size_t k = 0; k < q.size(); ++k)
          q[k] = Jet{double(k + 1) * t * t / 2 + 0.2 * t, double(k + 1) * t + 0.2, double(k + 1)};
      },
      1);
  Dynamics dynamics(mechanism);
  const Vec3<double> start = dynamics.mass_centre(Vector(3)).position,
                     speed = dynamics.momentum(Vector(3), Vector(3, 0.2)).linear * 0.5;
  for (const int driven : {0, 1, 2})
    forces_along(mechanism, *motion, {1, 0.25, Forces::none, {driven}}, [&](const AlongSample& s) {
      Vector q(3), v(3), a(3);
      motion->at(s.t, q, v, a);
      const auto k = size_t(driven);
      EXPECT_EQ(s.q[k], q[k]);
      EXPECT_EQ(s.v[k], v[k]);
      EXPECT_EQ(s.a[k], a[k]);
      for (const size_t other : {(k + 1) % 3, (k + 2) % 3}) EXPECT_EQ(s.tau[other], 0);
      const Vec3<double> falls = start + speed * s.t + robot.gravity * (s.t * s.t / 2),
                         centre = dynamics.mass_centre(s.q).position;
      EXPECT_TRUE(driven == 0 || std::abs(centre.x - falls.x) <= 1e-8) << driven << " at " << s.t;
      EXPECT_TRUE(driven == 1 || std::abs(centre.y - falls.y) <= 1e-8) << driven << " at " << s.t;
      const auto found = dynamics.forward(s.q, s.v, s.tau);
      for (size_t i = 0; i < 3; ++i) EXPECT_NEAR(found[i], s.a[i], 1e-11 * (1 + std::abs(s.a[i])));
    });
  // Not of a quaternion, and not beside loops.
  const auto expect_refused = [](const Robot& other, const std::string& words) {
    const Mechanism refusing(other);
    const auto rest = hold(std::make_shared<const Model>(other), refusing.neutral(), 1);
    try {
      forces_along(refusing, *rest, {1, 0.5, Forces::none, {1}}, [](const AlongSample&) {});
      ADD_FAILURE() << words;
    } catch (const ArgumentError& refused) {
      EXPECT_NE(std::string(refused.what()).find("joint 'body1' is driven in part: " + words), std::string::npos)
          << refused.what();
    }
  };
  Robot tied = robot;
  for (int i = 0; i < 2; ++i) add_to(tied, 0, joint(JointType::revolute), rod(1, 1));
  close(tied, LoopType::coupler, 2, {}, 3, {});
  expect_refused(tied, "the robot has loops");
  for (const JointType type : {JointType::spherical, JointType::free}) {
    robot.bodies[1].joint.type = type;
    expect_refused(robot, "its q is a quaternion");
  }
}

TEST(ForcesAlong, OfClosedChainsAreThoseOfTheDrives) {
  const Mechanism mechanism(shipped("fourbar"));
  const auto model = std::make_shared<const Model>(mechanism.robot());
  const auto motion =
      closed_motion(model, point_to_point(model, {1, -0.55, 1.3}, {1.8, 0, 1.6}, 2, Profile::cycloidal), {0});
  Dynamics dynamics(mechanism);
  int samples = 0;
  forces_along(mechanism, *motion, {2, 0.5, Forces::none, {0}}, [&](const AlongSample& s) {
    ++samples;
    EXPECT_EQ(s.tau[1], 0);
    EXPECT_EQ(s.tau[2], 0);
    const auto a = dynamics.forward(s.q, s.v, s.tau);
    for (size_t k = 0; k < 3; ++k) EXPECT_NEAR(a[k], s.a[k], 1e-10 * (1 + std::abs(s.a[k])));
  });
  EXPECT_EQ(samples, 5);
  EXPECT_THROW(forces_along(mechanism, *motion, {-1}, [](const AlongSample&) {}), ArgumentError);
  // The same motion by any one joint, the last one too.
  for (const int driven : {1, 2})
    forces_along(mechanism, *motion, {2, 0.5, Forces::none, {driven}}, [&](const AlongSample& s) {
      for (int k = 0; k < 3; ++k) EXPECT_TRUE(k == driven || s.tau[size_t(k)] == 0) << k;
      const auto a = dynamics.forward(s.q, s.v, s.tau);
      for (size_t k = 0; k < 3; ++k) EXPECT_NEAR(a[k], s.a[k], 1e-10 * (1 + std::abs(s.a[k]))) << driven;
    });
}

// A four-bar on a frame that floats: the crank is led, the loop stays closed, and the frame moves so that momentum stays
// zero without a force on it.
TEST(ForcesAlong, OfAFloatingBaseWithALoop) {
  const Mechanism mechanism(floating_four_bar());
  const auto model = std::make_shared<const Model>(mechanism.robot());
  Vector start = mechanism.neutral(), end = start;
  start[7] = 1, start[8] = -0.55, start[9] = 1.3;
  end[7] = 2.5;
  const int crank = 6;
  const auto motion = closed_motion(model, point_to_point(model, start, end, 2, Profile::cycloidal), {crank});
  Dynamics dynamics(mechanism);
  ClosedChain chain(*model);
  double turned = 0;
  forces_along(mechanism, *motion, {2.2, 0.1, Forces::none, {crank}}, [&](const AlongSample& s) {
    const auto [linear, angular] = dynamics.momentum(s.q, s.v);
    EXPECT_LE(norm(linear), 1e-8) << s.t;
    EXPECT_LE(norm(angular), 1e-8) << s.t;
    EXPECT_LE(chain.gap(s.q).size, 1e-10) << s.t;
    Vector undriven(s.tau.begin(), s.tau.end());
    undriven[size_t(crank)] = 0;
    EXPECT_EQ(undriven, Vector(undriven.size())) << s.t;
    const auto a = dynamics.forward(s.q, s.v, s.tau);
    for (size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], s.a[k], 1e-9 * (1 + std::abs(s.a[k]))) << s.t;
    turned = std::max(turned, std::abs(s.q[6]));
  });
  EXPECT_GT(turned, 0.01);
}
// A platform that is led, and legs that are driven: forward dynamics gives the platform's motion back.
TEST(ForcesAlong, JointsThatLeadNeedNoDrive) {
  const Mechanism mechanism(shipped("three_rrr"));
  const auto model = std::make_shared<const Model>(mechanism.robot());
  const std::vector<int> cranks = {0, 3, 5}, of_one_leg = {0, 1, 2};
  const Vector q = ClosedChain(*model).assemble(mechanism.neutral());
  Vector to = q;
  to[0] += 0.1, to[1] -= 0.05, to[2] += 0.1;
  const auto motion = closed_motion(model, point_to_point(model, q, to, 1, Profile::cycloidal), of_one_leg);
  Dynamics dynamics(mechanism);
  forces_along(mechanism, *motion, {1, 0.1, Forces::none, cranks}, [&](const AlongSample& s) {
    const auto a = dynamics.forward(s.q, s.v, s.tau);
    for (size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], s.a[k], 1e-8 * (1 + std::abs(s.a[k]))) << s.t;
  });
}

// A block (1 kg) on a cart (3 kg) that is led along x = A sin 2t, with 2 N of dry friction between them: it goes with the
// cart while |x''| <= 2, then slides with |x_block''| = 2 until it has the cart's speed again, where |x''| < 2 holds it.
//   u = A' (cos 2t1 - cos 2t) - 2 s,  A' = 2 A,  s = t - t1,  4 A sin 2t1 = 2;   half a turn later the same the other way
TEST(ForcesAlong, DryFrictionHoldsAndLetsGoJointsWithoutADrive) {
  Robot robot;
  add(robot, joint(JointType::prismatic, {1, 0, 0}), mass(3));
  add(robot, joint(JointType::prismatic, {1, 0, 0}), mass(1)).joint.friction.coulomb = 2;
  const Mechanism mechanism(robot);
  const auto model = std::make_shared<const Model>(robot);
  constexpr double A = 0.55, half_turn = M_PI / 2;
  const auto motion = given_motion(
      model,
      [](double t, std::span<Jet> q) {
        q[0] = Jet{A} * sin(Jet{2 * t, 2, 0});
        q[1] = Jet{0};
      },
      3);
  const double t1 = std::asin(2 / (4 * A)) / 2;
  const auto rate = [&](double t) { return 2 * A * (std::cos(2 * t1) - std::cos(2 * t)) - 2 * (t - t1); };
  const auto way = [&](double t) {
    const double s = t - t1;
    return 2 * A * std::cos(2 * t1) * s - A * (std::sin(2 * t) - std::sin(2 * t1)) - s * s;
  };
  double t2 = 1.3;  // where it has the cart's speed again
  for (int turn = 0; turn < 20; ++turn) t2 -= rate(t2) / (4 * A * std::sin(2 * t2) - 2);
  ASSERT_GT(t2, t1 + 0.3);
  ASSERT_LT(4 * A * std::sin(2 * t2), 2);

  constexpr double tolerance = 1e-8;
  int resting = 0, sliding = 0;
  forces_along(mechanism, *motion, {3, 0.05, Forces::all, {0}}, [&](const AlongSample& s) {
    const double turned = s.t < half_turn ? s.t : s.t - half_turn, sign = s.t < half_turn ? 1 : -1;
    const double cart = -4 * A * std::sin(2 * s.t), before = s.t < half_turn ? 0 : way(t2);
    const bool slides = turned > t1 && turned < t2;
    ++(slides ? sliding : resting);
    EXPECT_EQ(s.tau[1], 0);
    EXPECT_NEAR(s.v[1], slides ? sign * rate(turned) : 0, tolerance) << s.t;
    EXPECT_NEAR(s.q[1], before + sign * (slides ? way(turned) : turned > t1 ? way(t2) : 0), tolerance) << s.t;
    EXPECT_NEAR(s.a[1], slides ? -sign * 2 - cart : 0, tolerance) << s.t;
    EXPECT_NEAR(s.tau[0], 3 * cart + (slides ? -sign * 2 : cart), tolerance) << s.t;
    EXPECT_TRUE(slides || s.v[1] == 0) << s.t;
  });
  EXPECT_GT(resting, 20);
  EXPECT_GT(sliding, 20);
}
// Shaken by 2 A sin 2t it goes with the cart at both ends of a step, and in the middle: that it slides in between is seen
// wherever the rows are, even where the load exceeds the friction for a moment only.
TEST(ForcesAlong, DryFrictionLetsGoBetweenRows) {
  Robot robot;
  add(robot, joint(JointType::prismatic, {1, 0, 0}), mass(3));
  add(robot, joint(JointType::prismatic, {1, 0, 0}), mass(1)).joint.friction.coulomb = 2;
  const Mechanism mechanism(robot);
  const auto model = std::make_shared<const Model>(robot);
  for (const double A : {0.55, 0.501}) {
    const auto motion = given_motion(
        model,
        [A](double t, std::span<Jet> q) {
          q[0] = Jet{A} * sin(Jet{2 * t, 2, 0});
          q[1] = Jet{0};
        },
        M_PI);
    const auto last = [&](double every) {
      double q = 0;
      forces_along(mechanism, *motion, {0.5 * M_PI, every, Forces::all, {0}},
                   [&](const AlongSample& s) { q = s.q[1]; });
      return q;
    };
    const double often = last(0.005);
    EXPECT_GT(often, 1e-6);
    for (const double every : {0.1, 0.25 * M_PI, 0.5 * M_PI})
      EXPECT_NEAR(last(every), often, 1e-8) << A << " " << every;
  }
}
// A belt carries a block as long as friction can: at rest on its surface the block moves, and no slower than the belt.
TEST(ForcesAlong, JointsRestOnSurfacesThatMove) {
  Robot robot;
  add(robot, joint(JointType::prismatic, {1, 0, 0}), mass(1)).joint.friction.coulomb = 2;
  robot.bodies.back().joint.friction.surface_speed = 0.5;
  add(robot, joint(JointType::prismatic, {0, 1, 0}), mass(1));
  const Mechanism mechanism(robot);
  const auto model = std::make_shared<const Model>(robot);
  // From rest it slides, m a = 2, until it has the belt's speed.
  const double caught = 0.5 / (2.0 / 2);
  forces_along(mechanism, *hold(model, {0, 0}, 2), {2, 0.1, Forces::all, {1}}, [&](const AlongSample& s) {
    const double early = std::min(s.t, caught);
    EXPECT_NEAR(s.v[0], early, 1e-9) << s.t;
    EXPECT_NEAR(s.q[0], early * early / 2 + 0.5 * (s.t - early), 1e-9) << s.t;
  });
}
// Every run ends: a joint without a drive that vibrates a million times a second would take hours to follow for 100 s.
TEST(ForcesAlong, EndsWhereJointsWithoutADriveGetNowhere) {
  Robot robot;
  add(robot, joint(JointType::prismatic, {1, 0, 0}), mass(1)).joint.spring.stiffness = 1e14;
  add(robot, joint(JointType::prismatic, {0, 1, 0}), mass(1));
  const Mechanism mechanism(robot);
  const auto motion = hold(std::make_shared<const Model>(robot), {0.1, 0}, 100);
  try {
    forces_along(mechanism, *motion, {100, 10, Forces::all, {1}}, [](const AlongSample& s) { EXPECT_EQ(s.t, 0); });
    ADD_FAILURE() << "followed";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("joints without a drive get nowhere"), std::string::npos) << error.what();
  }
}
// A joint that nothing drives, and that moves nothing, has any acceleration: it is named.
TEST(ForcesAlong, NamesAJointThatMovesWithoutInertia) {
  Robot robot;
  add(robot, joint(JointType::revolute, {0, 1, 0}), mass(1, {0, 0, -0.5}));
  add(robot, joint(JointType::revolute, {0, 1, 0}), mass(0, {0, 0, 0})).name = "loose";
  const Mechanism mechanism(robot);
  const auto motion = hold(std::make_shared<const Model>(robot), {0.1, 0}, 1);
  try {
    forces_along(mechanism, *motion, {1, 0.5, Forces::none, {0}}, [](const AlongSample&) { FAIL(); });
    ADD_FAILURE() << "found an acceleration";
  } catch (const SingularInertia& singular) {
    EXPECT_EQ(singular.dof, 1);
    EXPECT_NE(std::string(singular.what()).find("joint 'loose'"), std::string::npos) << singular.what();
  }
}

// The same count as for a run: more than 1e9 samples are refused, however many there would be.
TEST(ForcesAlong, CountsItsSamples) {
  const Mechanism mechanism(shipped("two_link"));
  const auto motion = hold(std::make_shared<const Model>(mechanism.robot()), mechanism.neutral(), 1);
  for (const AlongOptions& options : {AlongOptions{.duration = 1e17}, {.every = 1e-300}, {.duration = 1.01e7}})
    EXPECT_THROW(forces_along(mechanism, *motion, options, [](const AlongSample&) { FAIL(); }), ArgumentError);
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
