// A state that is varied along one direction: q and v over Dual, the joints placed there, and all that acts on the bodies.
#pragma once
#include <optional>

#include "denoc/forces/forces.hpp"
#include "denoc/model/manifold.hpp"
#include "differentiated_motion.hpp"

namespace denoc {

class VariedState {
 public:
  using D = Dual<double>;
  VariedState(const Model& tree, bool with_forces);

  // To a state, as it stands.
  void start(const DifferentiatedMotion& m);
  // Along one degree of freedom of q, on its tangent space, or along one rate. Each takes the place of the one before.
  void vary_q(int k);
  void vary_v(int k);
  void vary_nothing();

  const Configuration<D>& at() const { return at_; }
  std::span<const D> q() const { return q_; }
  std::span<const D> v() const { return v_; }
  // Of a, which the caller may vary.
  std::vector<D> a;
  // All wrenches, those from outside first, and among these those that are constant in world axes, seen from their
  // bodies.
  std::span<const BodyWrench<D>> acting() const { return acting_; }
  std::size_t from_outside() const { return in_body_.size() + fixed_.size(); }
  std::span<const BodyWrench<D>> fixed_in_world() const { return fixed_; }

 private:
  void evaluate();
  void along_v(int k);  // -1: along none

  const Model* tree_;
  std::optional<ForcesOf<D>> forces_ = {};
  Configuration<D> at_;
  Kinematics<D> kin_;
  std::vector<D> start_, q_, v_, step_;
  int varied_v_ = -1;
  std::vector<BodyWrench<D>> in_body_ = {}, in_world_ = {}, fixed_ = {}, acting_ = {};  // in_world_: in world axes
};

}  // namespace denoc
