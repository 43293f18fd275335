// Nothing that a robot has is left out of an answer without a word: every call feels it, refuses by name, or is about
// something that it does not change.
#include <gtest/gtest.h>

#include "denoc/batch/batch.hpp"
#include "denoc/control/lqr.hpp"
#include "denoc/dynamics/study.hpp"
#include "denoc/loops/closed_chain.hpp"
#include "denoc/mechanism/linearize.hpp"
#include "denoc/motion/closed_motion.hpp"
#include "denoc/motion/forces_along.hpp"
#include "denoc/motion/joint_motion.hpp"
#include "denoc/simulation/simulation.hpp"
#include "support/loaded_fourbar.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

using List = std::vector<double>;

// What a robot may have. Each is put on the tree of a four-bar, all by itself.
struct Feature {
  std::string_view name;
  void (*put)(Robot& robot, const Robot& loaded);
};
const Feature features[] = {
    {"loops", [](Robot& r, const Robot& loaded) { r.loops = loaded.loops; }},
    {"rotors", [](Robot& r, const Robot& loaded) { r.bodies[1].joint.actuator = loaded.bodies[1].joint.actuator; }},
    {"joint springs", [](Robot& r, const Robot& loaded) { r.bodies[2].joint.spring = loaded.bodies[2].joint.spring; }},
    {"viscous friction", [](Robot& r, const Robot&) { r.bodies[3].joint.friction.viscous = 0.7; }},
    {"dry friction",
     [](Robot& r, const Robot&) {
       r.bodies[3].joint.friction = {.coulomb = 0.5, .stribeck_epsilon = 0.2, .stribeck_gamma = 3};
     }},
    {"end stops", [](Robot& r, const Robot& loaded) { r.bodies[1].joint.limits = loaded.bodies[1].joint.limits; }},
    {"point springs", [](Robot& r, const Robot& loaded) { r.springs = loaded.springs; }},
};

// A robot with a feature (or none), and a state of it.
struct Setting {
  std::shared_ptr<const Model> model;
  Mechanism mechanism;
  List q, v, a, tau;
  explicit Setting(const Robot& robot) : model(std::make_shared<const Model>(robot)), mechanism(robot) {
    const Model closed(loaded_fourbar());
    ClosedChain chain(closed);
    q = chain.assemble(List{0.7, -0.5, 1.2});
    v = chain.closed_rates(q, List{1, 0.5, -0.7});
    tau = {3, -2, 1};
    a = chain.forward_dynamics(q, v, tau).a;  // keeps the loops closed
  }
  Dynamics dynamics() const { return Dynamics(mechanism, Forces::all); }
  std::shared_ptr<const Trajectory> motion() const {
    List there = q;
    for (double& x : there) x += 0.2;
    auto straight = point_to_point(model, q, there, 1, Profile::poly345);
    return mechanism.has_loops() ? closed_motion(model, straight, {0}) : straight;
  }
};

List list(std::span<const double> x) { return {x.begin(), x.end()}; }
List list(const MatrixView& m) { return list(m.entries()); }
List list(const Twist<double>& t) { return {t.w.x, t.w.y, t.w.z, t.v.x, t.v.y, t.v.z}; }
template <class... More> List list(const List& first, const More&... more) {
  List all = first;
  (all.insert(all.end(), more.begin(), more.end()), ...);
  return all;
}

// What a call does about each of the features, in their order. f: it feels it. r: it refuses, by name. -: there is
// nothing to feel (an inertia matrix knows no springs, energies no loops), and the answer is the same to rounding.
struct Call {
  const char* name;
  const char* expected;
  List (*ask)(const Setting&);
};
const Call calls[] = {
    {"inverse", "fffffff", [](const Setting& s) { return list(s.dynamics().inverse(s.q, s.v, s.a)); }},
    {"forward", "fffffff", [](const Setting& s) { return list(s.dynamics().forward(s.q, s.v, s.tau)); }},
    // Joints without drives do not feel the rotor and the stop of the driven one, which moves as it is told.
    {"passive", "f-fff-f",
     [](const Setting& s) {
       Dynamics d = s.dynamics();
       d.drive(std::vector<std::string>{"crank"});
       return list(d.passive(s.q, s.v, s.a, std::vector<int>{1, 2}));
     }},
    {"inertia", "rf-----", [](const Setting& s) { return list(s.dynamics().inertia(s.q)); }},
    {"inertia_inverse", "rf-----", [](const Setting& s) { return list(s.dynamics().inertia_inverse(s.q)); }},
    {"factors", "rf-----", [](const Setting& s) { return list(s.dynamics().factors(s.q).pivots); }},
    {"bias", "r-fffff", [](const Setting& s) { return list(s.dynamics().bias(s.q, s.v)); }},
    {"gravity", "r-f--ff", [](const Setting& s) { return list(s.dynamics().gravity(s.q)); }},
    {"energy", "-ff--ff",
     [](const Setting& s) {
       const auto [kinetic, potential] = s.dynamics().energy(s.q, s.v);
       return List{kinetic, potential};
     }},
    // The axes of rotors behind gears are not known: dynamics.hpp says that momentum is that of the bodies.
    {"momentum", "-------",
     [](const Setting& s) {
       const auto [linear, angular] = s.dynamics().momentum(s.q, s.v);
       return List{linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
     }},
    // What a joint transmits at given accelerations, its drive, spring and friction together.
    {"reactions", "f-----f",
     [](const Setting& s) {
       Dynamics d = s.dynamics();
       List all;
       for (const Wrench<double>& w : d.reactions(s.q, s.v, s.a)) all = list(all, List{w.n.z, w.f.x, w.f.y});
       return all;
     }},
    {"pose", "-------",
     [](const Setting& s) {
       const Vec3<double> r = s.dynamics().pose(s.q, 2).r;
       return List{r.x, r.y, r.z};
     }},
    {"twist", "-------", [](const Setting& s) { return list(s.dynamics().twist(s.q, s.v, 2)); }},
    {"jacobian", "r------", [](const Setting& s) { return list(s.dynamics().jacobian(s.q, 2)); }},
    {"jacobian_bias", "-------", [](const Setting& s) { return list(s.dynamics().jacobian_bias(s.q, s.v, 2)); }},
    {"mass_centre", "-------", [](const Setting& s) { return List{s.dynamics().mass_centre(s.q).position.x}; }},
    {"mass_centre_jacobian", "r------", [](const Setting& s) { return list(s.dynamics().mass_centre_jacobian(s.q)); }},
    {"centroidal_momentum_matrix", "r------",
     [](const Setting& s) { return list(s.dynamics().centroidal_momentum_matrix(s.q)); }},
    {"inverse_derivatives", "rffffff",
     [](const Setting& s) {
       Dynamics d = s.dynamics();
       const auto [dq, dv, da] = d.inverse_derivatives(s.q, s.v, s.a);
       return list(list(dq), list(dv), list(da));
     }},
    {"forward_derivatives", "fffffff",
     [](const Setting& s) {
       Dynamics d = s.dynamics();
       const auto [dq, dv, dtau] = d.forward_derivatives(s.q, s.v, s.tau);
       return list(list(dq), list(dv), list(dtau));
     }},
    {"step", "fffffff",
     [](const Setting& s) {
       Dynamics d = s.dynamics();
       List q = s.q, v = s.v;
       d.step(q, v, s.tau, 0.1);
       return list(q, v);
     }},
    {"linearize", "fffffff",
     [](const Setting& s) {
       Dynamics d = s.dynamics();
       return linearize(d, s.q, s.v, s.tau, s.mechanism.driven()).A;
     }},
    {"Batch::inverse_dynamics", "fffffff",
     [](const Setting& s) {
       Executor here(1);
       List tau(3);
       Batch<double>(s.mechanism, here, Forces::all).inverse_dynamics(s.q, s.v, s.a, tau);
       return tau;
     }},
    {"Batch::forward_dynamics", "fffffff",
     [](const Setting& s) {
       Executor here(1);
       List a(3);
       Batch<double>(s.mechanism, here, Forces::all).forward_dynamics(s.q, s.v, s.tau, a);
       return a;
     }},
    {"forces_along", "fffffff",
     [](const Setting& s) {
       List tau;
       forces_along(s.mechanism, *s.motion(), {.duration = 0.4, .every = 0.4, .forces = Forces::all},
                    [&](const AlongSample& sample) { tau = list(sample.tau); });
       return tau;
     }},
    {"simulate", "fffffff",
     [](const Setting& s) {
       List a;
       SimulationSetup setup{.q = s.q, .v = s.v, .duration = 0.01};
       simulate(*s.model, setup, {.sample = [&](const Sample& sample) { a = list(list(sample.a), a); }});
       return a;
     }},
    {"lqr", "rfff-ff",
     [](const Setting& s) {
       List posture = {0.7, -1.5, 0.9}, tau(3);
       const List one(3, 1.0);
       lqr(s.model, posture, {one, one, one}, s.mechanism.driven())->torques(0, s.q, s.v, tau);
       return tau;
     }},
    {"study::matrices", "-r-----",  // of a Model: the tree, by its type
     [](const Setting& s) { return study::matrices(*s.model, s.q, s.v).M.entries; }},
};

// One of f, r, -, or x: it neither stays the same nor differs clearly.
char found(const Call& call, const Setting& with, const Setting& without, std::string& refusal) {
  List felt;
  try {
    felt = call.ask(with);
  } catch (const NotCovered& refused) {
    refusal = refused.what();
    return 'r';
  }
  const List bare = call.ask(without);
  double difference = felt.size() == bare.size() ? 0 : 1, size = 1;
  for (size_t i = 0; i < std::min(felt.size(), bare.size()); ++i) {
    difference = std::max(difference, std::abs(felt[i] - bare[i]));
    size = std::max(size, std::abs(bare[i]));
  }
  return difference <= 1e-13 * size ? '-' : difference >= 1e-4 * size ? 'f' : 'x';
}

TEST(WholeRobot, EveryCallFeelsOrRefusesWhatARobotHas) {
  const Robot loaded = loaded_fourbar();
  Robot bare = load(DENOC_MODELS_DIR "/fourbar.yaml");
  bare.loops.clear();
  const Setting without(bare);
  for (size_t f = 0; f < std::size(features); ++f) {
    Robot robot = bare;
    features[f].put(robot, loaded);
    const Setting with(robot);
    for (const Call& call : calls) {
      std::string refusal;
      EXPECT_EQ(found(call, with, without, refusal), call.expected[f]) << call.name << ", " << features[f].name;
      const char* const named = f == 0 ? "loop" : "crank";
      EXPECT_TRUE(refusal.empty() || refusal.find(named) != std::string::npos) << call.name << ": " << refusal;
    }
  }
}

// Methods that cannot close loops, or know joints without drives, say so by their names and that of one that can.
TEST(WholeRobot, MethodsRefuseByName) {
  const Setting s(loaded_fourbar());
  Dynamics d = s.dynamics();
  const auto refusal = [](auto&& call) {
    try {
      call();
    } catch (const NotCovered& refused) {
      return std::string(refused.what());
    }
    return std::string();
  };
  EXPECT_EQ(refusal([&] { d.use_inverse("newton-euler"); }),
            "method 'newton-euler' does not close loops; 'denoc' does");
  EXPECT_EQ(refusal([&] { d.use_forward("noc-qr"); }), "method 'noc-qr' does not close loops; 'denoc' does");
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
