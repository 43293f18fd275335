// What the drives must give for a motion: inverse dynamics.
#pragma once
#include <optional>
#include <vector>

#include "denoc/dynamics/inverse/denoc.hpp"
#include "driven_chain.hpp"
#include "free_motion.hpp"

namespace denoc::motion {

// Of a tree, all joints driven; of one whose free joints have no drives, these left free; of a robot with loops, or
// where only some are driven, as DrivenChain says.
class DriveForces {
 public:
  // driven: degrees of freedom.
  DriveForces(const Model& model, const std::vector<int>& driven) : model_(model), at_(model), scratch_(model) {
    if (driven.size() == size_t(model.nv()) && model.robot().loops.empty()) return;
    a_.resize(size_t(model.nv()));
    undriven_ = others(model, driven);
    if (model.robot().loops.empty() && are_of_free_joints(model, undriven_)) base_.emplace(model);
    chain_.emplace(model, driven);
  }

  // Throws NotDriveable where the driven joints do not lead all others.
  void require_lead(In<double> q) {
    if (chain_) chain_->place(q);
  }
  // ... but a free base, which may be left to itself.
  void require_lead_or_float(In<double> q) {
    if (!base_) require_lead(q);
  }
  // The bodies whose free joints are left to themselves.
  std::vector<int> floating() const {
    std::vector<int> bodies;
    for (const int k : base_ ? undriven_ : std::vector<int>{})
      if (bodies.empty() || bodies.back() != model_.body_of_dof(k)) bodies.push_back(model_.body_of_dof(k));
    return bodies;
  }
  // tau that gives the accelerations a at q, v; those of joints that are not driven follow
  void moving(In<double> q, In<double> v, In<double> a, Out<double> tau) {
    if (!chain_) return of_tree(q, v, a, tau);
    std::copy(a.begin(), a.end(), a_.begin());
    if (base_) {
      for (const int k : undriven_) a_[size_t(k)] = 0;
      of_tree(q, v, a_, tau);
      return base_->release(at_, undriven_, tau, a_);
    }
    chain_->place(q);
    chain_->accelerations(v, a, a_);
    of_tree(q, v, a_, tau);
    chain_->forces(tau, tau);
  }
  // ... that holds the robot at rest; the driven joints, where a free base is left to itself
  void holding(In<double> q, Out<double> tau) {
    place<double>(model_, q, at_);
    gravity_forces<double>(model_, at_, scratch_, tau);
    if (!chain_) return;
    if (base_) {
      for (const int k : undriven_) tau[size_t(k)] = 0;
      return;
    }
    chain_->place(q);
    chain_->forces(tau, tau);
  }

 private:
  void of_tree(In<double> q, In<double> v, In<double> a, Out<double> tau) {
    place<double>(model_, q, at_);
    inverse_dynamics<double>(model_, at_, v, a, scratch_, tau);
  }

  const Model& model_;
  Configuration<double> at_;
  InverseScratch<double> scratch_;
  std::vector<int> undriven_ = {};
  std::optional<FreeMotion> base_ = {};  // where free joints alone have no drives
  std::optional<DrivenChain> chain_ = {};
  std::vector<double> a_ = {};
};

}  // namespace denoc::motion
