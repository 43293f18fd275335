// A robot with loops: its tree, and the joints cut open closed again by Lagrange multipliers. [Shah13 section 4] All on
// the O(n) factor of the tree.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "denoc/error.hpp"
#include "denoc/loops/open_gap.hpp"
#include "denoc/model/configuration.hpp"

namespace denoc {

/// The loops cannot be closed from here. what() names the loop with the largest gap.
class NotAssembled : public Error {
 public:
  using Error::Error;
};
/// The joints that are driven cannot give this motion, or no joint forces can: the loops forbid it.
class NotDriveable : public Error {
 public:
  using Error::Error;
};

class ClosureRows;

/// Degrees of freedom of a closed chain at a posture.
struct Mobility {
  int tree;      // of the tree
  int rows;      // that the loops take away if none depends on the others
  int rank;      // that they take away here
  int anywhere;  // that they take away in postures near by: more than here at a dead point
  int freedom() const { return tree - rank; }
  int gruebler() const { return tree - rows; }
  bool is_dead_point() const { return rank < anywhere; }
};

/// All degrees of freedom but those of joints that follow another (mimic, `b` of a coupling): where inverse dynamics
/// looks for forces unless it is told otherwise.
std::vector<int> leading_freedoms(const Model& model);
/// Of these, without those of free joints: where a control law acts unless it is told otherwise.
std::vector<int> driven_freedoms(const Model& model);

/// Dynamics of a robot with its loops closed, and how they close. It keeps scratch: one for each thread. Calls throw
/// ArgumentError when a size is wrong, SingularInertia with the joint's name.
class ClosedChain {
 public:
  explicit ClosedChain(const Model& model);
  /// The same with the rows of another that closes the same loops, which take a while to find. Throws ArgumentError when
  /// they are none, or those of a robot of another size.
  ClosedChain(const Model& model, std::shared_ptr<const ClosureRows> rows);
  const std::shared_ptr<const ClosureRows>& shared_rows() const;
  ~ClosedChain();
  ClosedChain(ClosedChain&&) noexcept;

  int rows() const;

  /// Goes to a state whose q is placed in `at`: the calls without q are about it, so that several questions about one
  /// state place and evaluate it once. `at` must stay as it is for them. Throws ArgumentError when a size is wrong.
  void move_to(const Configuration<double>& at, In<double> q, In<double> v);

  /// At the state last gone to: as quaternions are brought to unit length, loops that are closed (open_gap) but for
  /// digits are closed to rounding, by the shortest way. Rows that depend on each other do so only there: where q was
  /// rounded, overconstrained linkages would be locked. q moves there with `at`, and the chain with them; v stays. False,
  /// with nothing done, where the loops are closed to rounding already, or open.
  bool close_last_digits(Configuration<double>& at, std::span<double> q);

  /// phi(q), J v, and J (rows x nv, by rows).
  std::vector<double> residual(In<double> q);
  std::vector<double> rate(In<double> q, In<double> v);
  std::vector<double> jacobian(In<double> q);
  /// What these rows are measured in: rad, or the length of their loop (model/lengths.hpp).
  std::vector<double> row_units() const;
  /// J at a closed posture in units: entries of order 1, of rows by row_units() and of degrees of freedom by units_of().
  /// Joints that carry both ends of a loop change nothing in it: exactly zero, where jacobian() has rounding (and what
  /// turns the gap of an open loop).
  std::vector<double> closing(In<double> q);
  /// The largest gap for the length of its loop: how large it is (m or rad), its loop as the messages call it, and what
  /// part of the loop's length (or of a radian) it is.
  struct Gap {
    double size;
    std::string loop;
    double part = 0;
    bool is_open() const { return !(part <= open_gap); }
    /// Throws NotAssembled where the posture leaves it open.
    void require_closed() const;
  };
  Gap gap(In<double> q);
  Gap gap() const;
  /// How fast the rates open a loop: the same (m/s or rad/s), its part for the fastest joint where one moves by more
  /// than a radian (or the length of the loops) a second.
  Gap opening(In<double> q, In<double> v);
  Gap opening() const;
  /// How fast accelerations part it, at the state last gone to: the same (m/s^2 or rad/s^2), its part of the terms.
  Gap parting(In<double> a);

  /// I a + bias = tau + J^T multipliers,  J a + J'v = 0. Where loops are redundant, the multipliers are the shortest
  /// and `unique` is false: forces in the loops depend on the elasticity of the bodies, which rigid bodies have not.
  struct Forward {
    std::vector<double> a, multipliers;
    bool unique;
    bool rows_depend = false;  // on each other, those that never move left aside
  };
  Forward forward_dynamics(In<double> q, In<double> v, In<double> tau, Wrenches<double> wrenches = {});
  Forward forward_dynamics(In<double> tau, Wrenches<double> wrenches);
  /// Throws NotAssembled where accelerations that forward_dynamics has found part a loop, whose rows depend on each other:
  /// at a dead point, where rates may keep the loops closed and lead along none of the motions that cross there.
  void require_motion(In<double> a);

  /// tau in the driven degrees of freedom (the shortest if they are more than needed) and multipliers for the
  /// accelerations a; joint_forces (none if empty) act besides. Throws NotDriveable: a leaves the loops, or the driven
  /// joints cannot do it.
  struct Inverse {
    std::vector<double> tau, multipliers;
    bool unique;  // the multipliers, as above
  };
  Inverse inverse_dynamics(In<double> q, In<double> v, In<double> a, const std::vector<int>& driven,
                           Wrenches<double> wrenches = {}, In<double> joint_forces = {});
  Inverse inverse_dynamics(In<double> a, const std::vector<int>& driven, Wrenches<double> wrenches,
                           In<double> joint_forces);

  /// In what order inverse_dynamics goes through the trees that stand on the ground when the loops are cut: a
  /// determinate one has equations enough for its driven forces and multipliers, which are known loads for those after
  /// it; the others are solved together.                                                          [Shah13, section 2.2]
  struct Subsystem {
    std::vector<int> dofs;
    bool is_determinate;
  };
  std::vector<Subsystem> subsystems(In<double> q, const std::vector<int>& driven);

  /// What the multipliers do to the bodies: two wrenches for each loop, on a and on b; those of couplings are zero,
  /// their multipliers act in the joints: slope times multiplier in a's, minus it in b's.
  std::vector<BodyWrench<double>> wrenches(In<double> q, In<double> multipliers);
  std::vector<BodyWrench<double>> wrenches(In<double> multipliers) const;

  /// A q near by, where Newton's steps lead, that closes the loops, without moving the degrees of freedom held. Where none
  /// is near by, one from anywhere, unless that is not wanted. Throws NotAssembled.
  enum class Search { near_by, anywhere };
  std::vector<double> assemble(In<double> q, const std::vector<int>& held = {}, Search search = Search::anywhere);
  /// The nearest v that keeps them closed, or as closed as those held allow: opening() says.
  std::vector<double> closed_rates(In<double> q, In<double> v, const std::vector<int>& held = {});
  /// Degrees of freedom that, held, leave a closed chain no motion at q: the first of the robot that will do, without
  /// those that hardly move in any motion (a thousandth of it) where others will.
  std::vector<int> independent(In<double> q);
  /// Different ways to close the loops with the independent degrees of freedom of the nearest held there (first those
  /// given), found from postures around it (fewer the larger the robot): at most `most`, the nearest first. Of postures
  /// that a motion with those held leads through, one. None if the loops cannot be closed.
  std::vector<std::vector<double>> assemblies(In<double> q, int most = 8, const std::vector<int>& held = {});

  /// How a closed posture follows degrees of freedom that determine it (none given: the independent ones): while these
  /// move by u, the loops stay closed at q + d with d = first u + u second u/2 + ... on the tangent space of q. first: nv
  /// x m, second: nv x m x m, by rows, m = independent.size(). Throws ArgumentError where they do not determine the
  /// posture or cannot be moved, NotCovered at a dead point.
  struct AssemblyDerivatives {
    std::vector<int> independent;
    std::vector<double> first, second;
  };
  AssemblyDerivatives assembly_derivatives(In<double> q, const std::vector<int>& independent = {});

  /// Throws NotAssembled where q leaves a loop open.
  Mobility mobility(In<double> q);

  /// J'v: what J a has to take away for the loops to stay closed, J a + J'v = 0.
  std::vector<double> bias(In<double> q, In<double> v);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace denoc
