// The robot, checked and brought to the form of the recursions: the user's bodies, with the frames of the file, beside
// the tree of links that moves them. Const after construction and shared by all threads.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "denoc/model/robot.hpp"
#include "denoc/model/tree.hpp"

namespace denoc {

/// A body of the user: where it stands on its link, and the inertia of the file.
template <class R> struct BodyOf {
  int parent;               // body
  int link;                 // it moves with this link; fixed joints share one
  int q, v;                 // where its joint's coordinates and rates begin
  Pose<R> in_link;          // its own frame
  RigidInertia<R> inertia;  // in its own frame, about its origin
};

/// Kinematic module: a serial branch of bodies, numbered 1^i, 2^i, ... outward.                              [Shah13]
struct Module {
  int parent;  // module, 0 for those on the ground
  // Base to tip; bodies on fixed joints belong to the body that carries them and are not listed.
  std::vector<int> bodies;
};

/// ArgumentError, with what was given and what there is.
[[noreturn]] void throw_unknown_body(const Robot& robot, int body);
/// Throws ArgumentError: degrees of freedom are numbered from 0 to nv - 1.
[[noreturn]] void throw_unknown_dof(int dof, int nv);

/// R is the type of the robot's constants; see `Model` and `ModelOf` below.
template <class R> class BasicModel : public Tree<R> {
 public:
  /// Throws RobotError with every rule the robot breaks.
  explicit BasicModel(Robot robot);

  const Robot& robot() const { return robot_; }

  /// The user's bodies; [0] is the ground.
  std::span<const BodyOf<R>> bodies() const { return bodies_; }
  /// One of them, for a number from outside. Throws ArgumentError.
  DENOC_INLINE const BodyOf<R>& body(int b) const {
    if (b < 0 || size_t(b) >= bodies_.size()) throw_unknown_body(robot_, b);
    return bodies_[b];
  }
  std::span<const Module> modules() const { return modules_; }
  /// The body whose joint has degree of freedom k. Throws ArgumentError.
  int body_of_dof(int k) const {
    require_dof(k);
    return body_of_dof_[k];
  }
  /// The name of the joint of body b, or that of the body where the file names none. Throws ArgumentError.
  std::string joint_name(int b) const;
  /// The name of the joint that has degree of freedom k. Throws ArgumentError.
  std::string joint_of_dof(int k) const { return joint_name(body_of_dof(k)); }
  /// Throws ArgumentError when there is no degree of freedom k.
  DENOC_INLINE void require_dof(int k) const {
    if (k < 0 || k >= this->nv()) throw_unknown_dof(k, this->nv());
  }

 private:
  BasicModel(const screw_form::Form& form, Robot robot);

  Robot robot_;
  std::vector<BodyOf<R>> bodies_;
  std::vector<Module> modules_;
  std::vector<int> body_of_dof_;
};

using Model = BasicModel<double>;
/// The model for computations in T: that of its real numbers.
template <class T> using ModelOf = BasicModel<Real<T>>;

extern template class BasicModel<float>;
extern template class BasicModel<double>;
extern template class BasicModel<long double>;

}  // namespace denoc
