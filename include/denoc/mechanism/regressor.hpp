// tau is linear in the parameters of a robot: tau = Y(q, v, a) pi. What identification fits, and which of the
// parameters it can tell apart.
#pragma once
#include "denoc/mechanism/dynamics.hpp"
#include "denoc/threads/executor.hpp"

namespace denoc {

/// The columns of Y, in this order:
///   of each body: BODY.m, .hx .hy .hz (h = m c), .Ixx .Iyy .Izz .Ixy .Iyz .Izx (the tensor about the body's origin, with
///   its signs), in the body's own frame;
///   of each degree of freedom: JOINT.rotor (what its drive's rotor adds to its inertia), and where friction is asked
///   for JOINT.viscous and JOINT.coulomb, which take u and sgn(u), u = v - surface_speed. A joint with several degrees of
///   freedom numbers them: JOINT.1.rotor.
/// Of a robot with loops it is that of its tree. What is not linear in its parameters (Stribeck's friction, stops) or is
/// none of these (springs) is not in it: tau of Dynamics with Forces::none is Y times parameters() without friction.
class Regressor {
 public:
  enum class Friction { none, viscous_and_coulomb };
  /// The mechanism must outlive it. Throws NotCovered for a robot with loops, unless they are open.
  explicit Regressor(const Mechanism& mechanism, Friction friction = Friction::none, Loops loops = Loops::closed);
  ~Regressor();
  Regressor(Regressor&&) noexcept;

  const Mechanism& mechanism() const { return *mechanism_; }
  bool has_friction() const { return with_friction_; }
  int columns() const { return static_cast<int>(names_.size()); }
  const std::vector<std::string>& names() const { return names_; }
  /// pi as the robot's file has it.
  const std::vector<double>& parameters() const { return parameters_; }
  /// Y at one state, nv x columns. Good until the next call.
  MatrixView at(std::span<const double> q, std::span<const double> v, std::span<const double> a);
  /// Y of many states, one below the other: count nv x columns numbers by rows. The same for any number of threads.
  void at(std::span<const double> q, std::span<const double> v, std::span<const double> a, std::span<double> regressor,
          Executor& executor);

 private:
  struct Hand;  // what a thread works with
  void evaluate(Hand& hand, std::span<const double> q, std::span<const double> v, std::span<const double> a,
                std::span<double> regressor) const;
  const Mechanism* mechanism_;
  bool with_friction_;
  std::vector<std::string> names_;
  std::vector<double> parameters_;
  std::vector<double> regressor_;
  std::vector<Hand> hands_;
};

/// Parameters that motions can tell apart. Of the columns of Y `independent` are a basis, the first ones that are; each of
/// the others is a sum of them, column k = sum of relations[i][k] times column independent[i]. So
///   tau = Y_independent beta,   beta_i = pi_i + sum over the others of relations[i][k] pi_k
/// and `names` says it: "link2.Izz + link3.m * 0.16".
struct BaseParameters {
  std::vector<int> independent;
  std::vector<std::vector<double>> relations;  // rows: as independent; columns: all, 1 at its own
  std::vector<std::string> names;
  /// beta for given pi.
  std::vector<double> grouped(std::span<const double> parameters) const;
};
/// Found from Y at random states, whose rank is that of all motions; the same for the same robot, in whatever units.
BaseParameters base_parameters(Regressor& regressor);

}  // namespace denoc
