// What a Dynamics owns, in groups by who writes them, and the steps that its questions share.
#pragma once
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "denoc/dynamics/formulation.hpp"
#include "denoc/dynamics/inertia/inverse.hpp"
#include "denoc/dynamics/reactions.hpp"
#include "denoc/forces/forces.hpp"
#include "denoc/loops/closed_chain.hpp"
#include "denoc/mechanism/dynamics.hpp"
#include "denoc/model/chart.hpp"
#include "denoc/model/quaternions.hpp"
#include "differentiation.hpp"
#include "reaction_derivatives.hpp"
#include "second_order.hpp"

namespace denoc {

// Up to here the n x n scratch is taken with the rest; beyond, when first asked for: a rope of ten thousand links has
// no room for it.
inline constexpr int many_freedoms = 256;

struct Dynamics::Parts {
  Parts(const Mechanism& m, Forces which, Loops loops);

  const Mechanism& mechanism;
  const Model& tree;
  const bool is_closed;            // there are loops, and they act
  const std::vector<double> zero;  // of all degrees of freedom

  // By place() and close(); kin by move(), or positions() of a posture.
  struct Here {
    std::vector<QuaternionPlace> quaternions;
    std::vector<double> q;
    Configuration<double> at;
    Kinematics<double> kin;
    explicit Here(const Model& tree);
  } here;

  // By set_driven(). Joints without a drive make the same equations as loops do.
  struct Drives {
    std::vector<int> driven;
    bool are_all = true;
  } drives;

  // By use_inverse(), use_forward() and use_inertia(): the methods by which questions are answered.
  struct Methods {
    const InverseFormulation<double>* inverse_row = &inverse_formulations<double>().front();
    InverseProblem<double>::Prepared inverse;
    ForwardScratch<double> first_forward;      // of the first method, which leaves the factor of I behind
    ForwardProblem<double>::Prepared forward;  // another, or none
    const InertiaFormulation<double>* inertia_row = &inertia_formulations<double>().front();
    InertiaProblem<double>::Prepared inertia;  // prepared when asked for
    explicit Methods(const Model& tree) : inverse(inverse_row->prepare(tree)), first_forward(tree) {}
  } methods;

  // By act(): what acts in one call. By wrenches(): what does in all. By step(): what is given to a call that acts several
  // times, as it may be the wrenches of the loops, which change meanwhile.
  struct Acting {
    std::optional<ForcesOf<double>> forces;  // of the robot, if they act
    std::vector<BodyWrench<double>> all, standing, taken;
    std::vector<double> load;  // of the joints: drives and forces of the robot
    explicit Acting(const Model& tree, Forces which);
  } acting;

  // The chain by set_driven(), the rest by keep() and accelerate(): of the last call that met loops.
  struct Closing {
    std::optional<Model> cut_open;  // the tree of a robot whose loops are not to be closed, for the next
    std::optional<ClosedChain> chain;
    std::vector<double> multipliers = {};
    std::vector<BodyWrench<double>> wrenches = {};
    bool is_unique = true;
    bool rows_depend = false;  // on each other, at the last accelerate()
  } closing;

  // Each by the step of its name: find_tau(), find_a() and accelerate(), find_bias() and find_gravity().
  struct Found {
    std::vector<double> tau, a, bias;
  } found;

  // By the question of its name alone: the caller has it until the next call of that question.
  struct Given {
    std::vector<double> tau, a, passive, bias, gravity, assembled, pivots;
    std::vector<double> inertia = {}, inertia_inverse = {}, upper = {};
    std::vector<double> jacobian, centre_jacobian = {}, momentum_matrix = {};
    std::vector<Wrench<double>> reactions;
    ClosedChain::AssemblyDerivatives following = {};
    explicit Given(const Model& tree);
  } given;

  // What a question needs while it is answered.
  struct Scratch {
    Factor<double> factor;
    DenseScratch<double> dense;
    std::optional<InertiaInverseScratch<double>> inverting = {};
    ReactionScratch<double> reactions;
    std::vector<RigidInertia<double>> composite;
    std::vector<double> momenta = {};
    explicit Scratch(const Model& tree) : factor(tree), dense(tree), reactions(tree), composite(tree.links().size()) {}
  } scratch;

  // By step().
  struct Stages {
    Chart chart;
    std::vector<double> x, x_rate, q, v, sum_x, sum_v;
    explicit Stages(const Model& tree);
  } stages;

  // By the questions for derivatives, each made when first asked for; and by moving(), where they are taken: v and a of a
  // call may be rows of the matrices that it writes.
  struct Derivatives {
    std::optional<Differentiation> inverse = {}, forward = {};
    std::optional<denoc::SecondDerivatives> second_order = {}, second_order_tensor = {};
    std::optional<ReactionDerivatives> inverse_reactions = {}, forward_reactions = {};
    std::vector<BodyWrench<double>> fixed_in_body = {}, fixed_in_world = {};
    std::vector<double> v, a;
    explicit Derivatives(const Model& tree);
  } derivatives;

  // ---- At the door.
  // What is the tree's alone must be asked for as such.
  void require_tree(Loops loops, std::string_view what) const;
  // Loops, and joints without drives, are for the first method alone.
  void require_covered(const InverseFormulation<double>& row, bool has_passive) const;
  void set_driven(std::vector<int> dofs);
  void prepare_inertia() {
    if (!methods.inertia) methods.inertia = methods.inertia_row->prepare(tree);
  }
  // Of the loops, where they act.
  std::shared_ptr<const ClosureRows> closed_rows() const { return is_closed ? closing.chain->shared_rows() : nullptr; }
  // The part of that kind, made when first asked for: T(tree, whether forces of the robot act, rest...).
  template <class T, class... Rest> T& made(std::optional<T>& part, Rest... rest) const {
    return part ? *part : part.emplace(tree, acting.forces.has_value(), rest...);
  }

  // ---- Steps.
  // Quaternions of unit length, everything finite; then the joints stand at q.
  void place(Vector q);
  // ... and the bodies move with v.
  void move(Vector v);
  // The chain goes where the joints stand, and they to where loops that are closed but for digits are closed.
  void close(Vector v);
  // All wrenches of a call, and the load: tau and the forces of the robot.
  void act(Vector tau, Vector v, GivenWrenches wrenches);
  void add_forces(Vector v);
  // a that the load gives at the q of the last place(), where the chain has gone.
  void accelerate(Vector v);
  // In the memory that the caller may still look at.
  void keep(const std::vector<double>& multipliers, bool unique);

  // ---- Answers, in `found`, or where it is said.
  void find_tau(Vector q, Vector v, Vector a, GivenWrenches wrenches);
  void find_a(Vector q, Vector v, Vector tau, GivenWrenches wrenches);
  void find_bias(Vector q, Vector v, GivenWrenches wrenches);
  void find_gravity(Vector q);
  void find_bias_under_load(Vector v);
  void find_inertia(Vector q, std::vector<double>& matrix);
  void find_momenta(Vector q, std::vector<double>& matrix);
  Centre find_centre() const;  // of the posture in kin
  // Where derivatives are taken: the state of the last place() and act().
  DifferentiatedMotion moving(Vector v, Vector a, GivenWrenches wrenches, std::span<const Axes> axes);
  // ... of inverse dynamics: q, v, a with everything that acts.
  DifferentiatedMotion motion_of_tree(Loops loops, std::string_view what, Vector q, Vector v, Vector a,
                                      GivenWrenches wrenches, std::span<const Axes> constant_in);
  // da/dq, da/dv and da/dtau in derivatives.forward, and where they were taken.
  DifferentiatedMotion differentiate_forward(Vector q, Vector v, Vector tau, GivenWrenches wrenches,
                                             std::span<const Axes> constant_in);

  // ---- On the way out.
  // Of the accelerations found: that they are numbers, and keep the loops closed.
  void require_motion();
  Pose<double> pose(int body, const Vec3<double>& point) const;  // after positions()
  void require_finite(Vector x, const char* what) const;
  void require_finite_rows(Vector matrix, const char* what) const;
  static void require_finite(const Vec3<double>& a, const Vec3<double>& b, const char* what);
  static Vector give(const std::vector<double>& found, std::vector<double>& to);
};

}  // namespace denoc
