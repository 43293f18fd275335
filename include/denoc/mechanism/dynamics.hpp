// Questions about a mechanism, answered with everything it has: loops closed, rotors felt, chosen forces acting. One
// for each thread; the memory is taken when it is made (n x n numbers of robots with more than 256 degrees of freedom,
// and what second derivatives and those of reactions need, when first asked for).
//
//   const denoc::Mechanism robot("puma560");
//   denoc::Dynamics d(robot);
//   std::span<const double> tau = d.inverse(q, v, a);
//
// q, v, a, tau: anything that converts to a span of doubles, in the order of the file. What a call gives is good until
// the next call of the same name (that of multipliers and loop wrenches until the next call that meets loops; that of
// forward_derivatives until the next of reactions, too). Every call throws ArgumentError for wrong sizes, entries that are
// no finite numbers, quaternions that are not of unit length and unknown names; SingularInertia with the joint's name,
// NotFinite for answers beyond what numbers hold.
//
// Calls whose answer needs forces in loops, or closed ones, throw NotAssembled where q leaves a loop open, or v opens it:
// inverse, passive, forward and what is derived from it, reactions, assembly_derivatives, step. Kinematics is that of the
// posture as it is given, right for it whether its loops are closed or not, and does not look: pose, twist, jacobian_bias,
// mass_centre, energy, momentum. What is the tree's alone (inertia, ...) is asked for with Loops::open, and does not
// either.
#pragma once
#include <initializer_list>
#include <memory>
#include <span>

#include "denoc/mechanism/mechanism.hpp"
#include "denoc/model/arguments.hpp"

namespace denoc {

/// Which forces of the robot's file act besides gravity: none, or springs, friction and end stops.
enum class Forces { none, all };
/// Loops act (closed), or are cut open and left to themselves: the tree.
enum class Loops { closed, open };
/// Axes that vectors are written in.
enum class Axes { world, body };

/// Numbers by rows, not owned.
class MatrixView {
 public:
  MatrixView(std::span<const double> entries, int rows, int columns)
      : entries_(entries), rows_(rows), columns_(columns) {}
  double operator()(int i, int j) const { return entries_[size_t(i) * size_t(columns_) + size_t(j)]; }
  int rows() const { return rows_; }
  int columns() const { return columns_; }
  std::span<const double> entries() const { return entries_; }

 private:
  std::span<const double> entries_;
  int rows_, columns_;
};

/// What one thread asks about a mechanism. See above for what every call takes and throws.
class Dynamics {
 public:
  using Vector = std::span<const double>;
  using GivenWrenches = std::span<const BodyWrench<double>>;

  /// The mechanism must outlive it.
  explicit Dynamics(const Mechanism& mechanism, Forces forces = Forces::none, Loops loops = Loops::closed);
  explicit Dynamics(const Mechanism&&, Forces = Forces::none, Loops = Loops::closed) = delete;  // it would not
  ~Dynamics();
  Dynamics(Dynamics&&) noexcept;

  const Mechanism& mechanism() const;

  /// Wrenches that act from now on, besides those given with a call: moment and force on a body, in its own frame about
  /// its origin (N m, N). Throws ArgumentError for the world, which does not move; on what comes with a call it may be
  /// (as in loop_wrenches), and does nothing.
  struct OnBody {
    Which body;
    Wrench<double> wrench;
  };
  void wrenches(std::initializer_list<OnBody> acting);
  /// The joints that have drives, for robots with loops or joints without drives; by default Mechanism::leading().
  void drive(std::span<const std::string> joints);
  /// The degrees of freedom that have drives, in ascending order.
  std::span<const int> driven() const;
  /// A formulation of inverse or forward dynamics or the inertia matrix by its name (formulations.hpp), instead of the
  /// first. Throws ArgumentError if there is none; NotCovered where loops are to be closed and it cannot.
  void use_inverse(std::string_view method);
  void use_forward(std::string_view method);
  void use_inertia(std::string_view method);

  /// tau (N m, N) that gives the accelerations a at q, v. With loops, or where some joints have no drive, the driven
  /// joints give it (the shortest tau where they are more than needed), tau of the others is 0; throws NotDriveable
  /// where that cannot be.
  Vector inverse(Vector q, Vector v, Vector a, GivenWrenches wrenches = {});
  /// a with the entries `unknown` (degrees of freedom without a drive) solved for: the motion that joints without
  /// drives are free to make while the others move as `a` says. inverse() then gives the forces, or says why there are
  /// none. Throws NotDriveable where it is not determined, ArgumentError for a degree of freedom that is driven.
  Vector passive(Vector q, Vector v, Vector a, std::span<const int> unknown, GivenWrenches wrenches = {});
  /// The accelerations (rad/s^2, m/s^2) that tau gives at q, v.
  Vector forward(Vector q, Vector v, Vector tau, GivenWrenches wrenches = {});
  /// Of the last call that met loops: forces in the rows of the loops (N m, N), and whether they are unique.
  Vector multipliers() const;
  bool is_unique() const;
  /// ... and what they do to the bodies at their ends: on a, on b of each loop in turn; zero for couplings.
  std::span<const BodyWrench<double>> loop_wrenches() const;

  /// First derivatives (nv x nv) of inverse, at a, and of forward, at tau, on the tangent space of q: q + d is
  /// integrate(q, d). Everything that acts is in them: rotors, gravity, wrenches, with Forces::all springs, friction
  /// (its sign as it is) and stops. constant_in: for each of the given wrenches, whose numbers are in body axes, the
  /// axes that it keeps as the robot moves; those of the body where nothing is said.
  ///
  /// With loops: `forward` has them closed (redundant ones: for changes that keep them closed). `inverse` is that of
  /// the tree, as for inertia; tau is that of every joint, driven or not.
  struct InverseDerivatives {
    MatrixView dq, dv, da;
  };
  InverseDerivatives inverse_derivatives(Vector q, Vector v, Vector a, GivenWrenches wrenches = {},
                                         std::span<const Axes> constant_in = {});
  InverseDerivatives inverse_derivatives(Vector q, Vector v, Vector a, Loops loops, GivenWrenches wrenches = {},
                                         std::span<const Axes> constant_in = {});
  struct ForwardDerivatives {
    MatrixView dq, dv, dtau;
  };
  ForwardDerivatives forward_derivatives(Vector q, Vector v, Vector tau, GivenWrenches wrenches = {},
                                         std::span<const Axes> constant_in = {});
  /// Of the last call of forward_derivatives that met loops: how their multipliers change (rows of the loops x nv). Where
  /// they are not unique it is the shortest that changes, as in multipliers(), along changes that keep the loops closed.
  ForwardDerivatives multiplier_derivatives() const;

  /// Second derivatives of lambda . tau at q, v, a (nv x nv each): dqv(j, k) is that by q_j and v_k. By q they are those
  /// of tau at integrate(q, d) by d, at d = 0: symmetric, for quaternions too. tau is linear in a, and d2tau/dv da is zero.
  /// What acts, and loops, as for inverse_derivatives.
  struct SecondDerivatives {
    MatrixView dqq, dqv, dqa, dvv;
  };
  SecondDerivatives inverse_second_order(Vector q, Vector v, Vector a, Vector lambda, GivenWrenches wrenches = {},
                                         std::span<const Axes> constant_in = {});
  SecondDerivatives inverse_second_order(Vector q, Vector v, Vector a, Vector lambda, Loops loops,
                                         GivenWrenches wrenches = {}, std::span<const Axes> constant_in = {});
  /// The same of every tau_i: (nv nv) x nv each, where row i nv + j and column k are those of d2tau_i/dq_j dv_k.
  SecondDerivatives inverse_second_order_tensor(Vector q, Vector v, Vector a, GivenWrenches wrenches = {},
                                                std::span<const Axes> constant_in = {});
  SecondDerivatives inverse_second_order_tensor(Vector q, Vector v, Vector a, Loops loops, GivenWrenches wrenches = {},
                                                std::span<const Axes> constant_in = {});

  /// Inertia matrix (nv x nv), rotors included, and its inverse. Of a robot with loops they are those of its tree, so
  /// they are given only with Loops::open, here or for the whole object; else NotCovered.
  MatrixView inertia(Vector q, Loops loops = Loops::closed);
  MatrixView inertia_inverse(Vector q, Loops loops = Loops::closed);
  /// I = U D U^T: U (nv x nv, unit upper triangular in the order of v) and the diagonal of D. As for inertia.
  struct Factors {
    MatrixView upper;
    Vector pivots;
  };
  Factors factors(Vector q, Loops loops = Loops::closed);
  /// tau at a = 0, and that of gravity alone at rest (with Forces::all: of springs too). As for inertia.
  Vector bias(Vector q, Vector v, GivenWrenches wrenches = {});
  Vector bias(Vector q, Vector v, Loops loops, GivenWrenches wrenches = {});
  Vector gravity(Vector q, Loops loops = Loops::closed);

  /// Joules. Potential: of gravity, zero at the world's origin; with Forces::all also of springs and stops.
  struct Energy {
    double kinetic, potential;
    double total() const { return kinetic + potential; }
  };
  Energy energy(Vector q, Vector v);
  /// World axes, angular about the world's origin. Rotors behind gears are left out: their axes are not known.
  struct Momentum {
    Vec3<double> linear, angular;
  };
  Momentum momentum(Vector q, Vector v);
  /// What the parent exerts on each body through its joint, in the body's own frame about its origin; [0] what the
  /// world exerts on the robot, in world axes about the world's origin.
  std::span<const Wrench<double>> reactions(Vector q, Vector v, Vector a, GivenWrenches wrenches = {});
  /// How they change, (6 bodies) x nv each, moment before force: with q, v and a; and with q, v and tau, while a and the
  /// forces in loops follow. (Those with a are the tree's, as for inverse_derivatives.)
  InverseDerivatives inverse_reaction_derivatives(Vector q, Vector v, Vector a, GivenWrenches wrenches = {},
                                                  std::span<const Axes> constant_in = {});
  InverseDerivatives inverse_reaction_derivatives(Vector q, Vector v, Vector a, Loops loops,
                                                  GivenWrenches wrenches = {}, std::span<const Axes> constant_in = {});
  ForwardDerivatives forward_reaction_derivatives(Vector q, Vector v, Vector tau, GivenWrenches wrenches = {},
                                                  std::span<const Axes> constant_in = {});

  /// Frame of a body in the world, at its origin or at a point of it (in its own frame).
  Pose<double> pose(Vector q, const Which& body, const Vec3<double>& point = {0, 0, 0});
  /// Of all bodies, the world first: the robot is placed once.
  std::vector<Pose<double>> poses(Vector q, const Vec3<double>& point = {0, 0, 0});
  /// Angular velocity, and velocity of the point.
  Twist<double> twist(Vector q, Vector v, const Which& body, const Vec3<double>& point = {0, 0, 0},
                      Axes axes = Axes::world);
  /// 6 x nv, angular rows first: twist = J v. Of a robot with loops it is that of its tree: as for inertia.
  MatrixView jacobian(Vector q, const Which& body, const Vec3<double>& point = {0, 0, 0}, Axes axes = Axes::world);
  MatrixView jacobian(Vector q, const Which& body, Loops loops, const Vec3<double>& point = {0, 0, 0},
                      Axes axes = Axes::world);
  /// Angular acceleration and acceleration of the point at a = 0, without gravity: J'v in world axes, turned into
  /// `axes`.
  Twist<double> jacobian_bias(Vector q, Vector v, const Which& body, const Vec3<double>& point = {0, 0, 0},
                              Axes axes = Axes::world);

  /// Total mass (kg) and mass centre in the world, its Jacobian (3 x nv), and the centroidal momentum matrix (6 x nv,
  /// angular rows first: momentum about the mass centre = A v). The matrices as for inertia.
  struct Centre {
    double mass;
    Vec3<double> position;
  };
  Centre mass_centre(Vector q);
  MatrixView mass_centre_jacobian(Vector q, Loops loops = Loops::closed);
  MatrixView centroidal_momentum_matrix(Vector q, Loops loops = Loops::closed);

  /// A posture near q that closes the loops (of a tree: q itself). Throws NotAssembled.
  Vector assemble(Vector q);
  /// How a closed posture follows the degrees of freedom `independent` (by default those that the loops leave, see
  /// ClosedChain::independent): while these move by u the loops stay closed at integrate(q, d) with d = first u + u second
  /// u/2 + ...; first: nv x m, second: (nv m) x m, m of them. Throws ArgumentError where they do not determine the posture
  /// or cannot be moved, NotCovered at a dead point.
  struct AssemblyDerivatives {
    std::span<const int> independent;
    MatrixView first, second;
  };
  AssemblyDerivatives assembly_derivatives(Vector q, std::span<const int> independent = {});

  /// One step of a simulation of one's own: q and v after dt seconds under tau, held, by Runge and Kutta's method of
  /// order 4 on the manifold of q; loops are closed again at its end. Dry friction is what it is at each stage, so it
  /// does not hold a joint at rest: denoc::simulate does.
  void step(std::span<double> q, std::span<double> v, Vector tau, double dt, GivenWrenches wrenches = {});

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace denoc
